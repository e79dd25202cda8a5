/* cli/machine_files.c - a machine whose model reads other files: all of them in a folder of its own while the machine is open.
 *
 * Results of its runs that recovery reads lie there, too.
 */
#include "machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A path in the folder, which is removed with the machine; NULL: no room, no memory. */
static char *new_path(Machine *m, const char *name)
{
    char path[sizeof m->folder + 64];
    if (m->n_made == MACHINE_MADE ||
        (size_t)snprintf(path, sizeof path, "%s%s", m->folder, name) >= sizeof path) {
        return NULL;
    }
    m->made[m->n_made] = strdup(path);
    return m->made[m->n_made] != NULL ? m->made[m->n_made++] : NULL;
}

const char *machine_path(Machine *m, const char *name)
{
    return new_path(m, name);
}

static TmlStatus no_room(const char *path, TmlError *err)
{
    err->status = TML_E_IO;
    snprintf(err->message, sizeof err->message, "cannot write '%s': %s", path, strerror(errno));
    return TML_E_IO;
}

/* "parts/x.yaml" is in a folder that is made for it. */
static TmlStatus make_folder(Machine *m, const char *name, TmlError *err)
{
    const char *slash = strchr(name, '/');
    char folder[64];
    if (slash == NULL) {
        return TML_OK;
    }
    snprintf(folder, sizeof folder, "/%.*s", (int)(slash - name), name);
    const char *path = new_path(m, folder);
    if (path == NULL) {
        return TML_E_NOMEM;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST ? TML_OK : no_room(path, err);
}

static TmlStatus unpack(Machine *m, const MachineFile *file, TmlError *err)
{
    char name[64];
    TmlStatus status = make_folder(m, file->name, err);
    snprintf(name, sizeof name, "/%s", file->name);
    const char *path = status == TML_OK ? new_path(m, name) : NULL;
    if (status == TML_OK && path == NULL) {
        status = TML_E_NOMEM;
    }
    return status == TML_OK ? tml_file_write(path, file->text, strlen(file->text), err) : status;
}

TmlStatus machine_open_files(Machine *m, const CliBench *bench, const CliBenchOrder *order, int n,
                             const MachineFile *file, TmlError *err)
{
    machine_begin(m, bench, order);
    const char *base = getenv("TMPDIR");
    snprintf(m->folder, sizeof m->folder, "%s/trammel-XXXXXX",
             base != NULL && strlen(base) < sizeof m->folder - 32 ? base : "/tmp");
    if (mkdtemp(m->folder) == NULL) {
        const TmlStatus status = no_room(m->folder, err);
        m->folder[0] = '\0';
        return status;
    }
    TmlStatus status = new_path(m, "") != NULL ? TML_OK : TML_E_NOMEM;
    for (int k = n - 1; k >= 0 && status == TML_OK; --k) {
        status = unpack(m, &file[k], err); // the model, which is the first, is written last
    }
    return status == TML_OK ? tml_load(m->made[m->n_made - 1], 0, NULL, NULL, &m->model, err)
                            : status;
}

void machine_remove_files(Machine *m)
{
    for (int k = m->n_made - 1; k >= 0; --k) { // what is in a folder before the folder
        (void)remove(m->made[k]);
        free(m->made[k]);
    }
    m->n_made = 0;
}
