/* io/part/part_take.c - a part for a model: from its file, or reduced anew from its description. */
#include "base/fail.h"
#include "base/input.h"
#include "io/part/description/part_read.h"
#include "io/part/part_file.h"

#include <string.h>
#include <strings.h>

static bool is_description(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0);
}

/* Files that a description has named are inputs of the model, too. */
static TmlStatus keep_inputs(TmlModel *m, const TmlPartRead *from, TmlError *err)
{
    bool ok = true;
    for (int k = 0; from->m != NULL && k < from->m->inputs.n && ok; ++k) {
        ok = tml_model_input_add(m, from->m->inputs.at[k]);
    }
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

/* m: the model that it is for; NULL: none. */
static TmlStatus take(TmlModel *m, const char *path, TmlArena *arena, TmlPart *out, TmlError *err)
{
    const TmlOverrides none = {0};
    TmlReduceFacts facts;
    TmlPartRead from;
    if (m != NULL && !tml_model_input_add(m, path)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    if (!is_description(path)) {
        return tml_part_load(path, arena, out, err);
    }
    TML_TRY(tml_input_check(path, err)); // the command reads pipes as well, a model does not
    TmlStatus status = tml_part_read_file(path, &none, &from, err);
    status = status == TML_OK && m != NULL ? keep_inputs(m, &from, err) : status;
    if (status == TML_OK) {
        status = tml_reduce(&from.fe, &from.o, arena, out, &facts, err);
        status = status == TML_OK ? status : tml_fail_ctx(err, status, "%s", path);
    }
    tml_part_read_free(&from);
    return status;
}

TmlStatus tml_part_take(const char *path, TmlArena *arena, TmlPart *out, TmlError *err)
{
    return take(NULL, path, arena, out, err);
}

TmlStatus tml_part_take_for(TmlModel *m, const char *path, TmlPart *out, TmlError *err)
{
    return take(m, path, &m->arena, out, err);
}
