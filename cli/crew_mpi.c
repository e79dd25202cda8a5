/* cli/crew_mpi.c - workers as ranks of an MPI job: `mpirun -n 8 trammel sweep ...`.
 *
 * The calls of MPI are in a library of their own (mpi/sweep_mpi.c), which is loaded in such jobs only: the command
 * starts without it, and works where MPI is not installed.
 */
#include "cli.h"
#include "crew.h"
#include "progress.h"

#include "sweep_mpi.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef TML_MPI_LIBRARY
#define TML_MPI_LIBRARY "libtrammel_mpi.so"
#endif

static const TmlMpiCalls *mpi; // of this process, which is in one job
enum { TAG_RUN = 1, TAG_RECORD = 2, TAG_READY = 3, STOP = -1 };

bool cli_crew_is_mpi(void)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE"); // of Open MPI
    size = size != NULL ? size : getenv("PMI_SIZE");   // of MPICH, Slurm
    return size != NULL && atoi(size) > 1;
}

/* Beside the command, where it was built; then where it is installed; then where the system looks. */
static void *open_library(void)
{
    char self[4096], path[4200];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = '\0';
        char *end = strrchr(self, '/');
        if (end != NULL) {
            *end = '\0';
            static const char *const places[] = {"%s/" TML_MPI_LIBRARY,
                                                 "%s/../lib/trammel/" TML_MPI_LIBRARY};
            for (int k = 0; k < 2; ++k) {
                snprintf(path, sizeof path, places[k], self);
                if (access(path, R_OK) == 0) {
                    return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
                }
            }
        }
    }
    return dlopen(TML_MPI_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
}

int cli_crew_mpi_begin(bool *leads)
{
    void *library = open_library();
    void *calls = library != NULL ? dlsym(library, "tml_mpi_calls") : NULL;
    if (calls == NULL) {
        const char *why = dlerror();
        return cli_wrong(
            "this is an MPI job, but %s cannot be loaded (%s); build Trammel where MPI "
            "is installed (libopenmpi-dev)",
            TML_MPI_LIBRARY, why != NULL ? why : "it has no calls");
    }
    mpi = calls;
    *leads = mpi->begin() == 0;
    const int nowhere = *leads ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) { // the leader says it for all
        (void)dup2(nowhere, STDERR_FILENO);
        (void)close(nowhere);
    }
    return CLI_GO_ON;
}

void cli_crew_mpi_end(void)
{
    mpi->end(false);
}

int cli_crew_mpi_agree(int result, bool leads)
{
    if (!leads) {
        mpi->send(0, TAG_READY, &result, sizeof result);
        return result;
    }
    for (int k = 1; k < mpi->size(); ++k) {
        int other;
        mpi->receive(k, TAG_READY, &other, sizeof other);
        if (result == CLI_GO_ON && other != CLI_GO_ON) {
            result = cli_wrong("rank %d of the MPI job cannot read the study; the files must be "
                               "there on every machine",
                               k);
        }
    }
    return result;
}

void cli_crew_mpi_stop(void)
{
    const int stop = STOP;
    for (int k = 1; k < mpi->size(); ++k) {
        mpi->send(k, TAG_RUN, &stop, sizeof stop);
    }
}

/* --- the leader ---------------------------------------------------------------------------------------------- */

static bool give(CliCrew *crew, int worker, int run)
{
    (void)crew;
    mpi->send(worker + 1, TAG_RUN, &run, sizeof run);
    return true;
}

static CliCrewEvent news(CliCrew *crew, CliCrewNews *out)
{
    const struct timespec nap = {.tv_nsec = 500000};
    (void)crew;
    *out = (CliCrewNews){.run = -1};
    for (int k = 0; k < 500; ++k) { // polling: MPI's own waiting takes all of a core
        int from;
        if (mpi->probe(TAG_RECORD, &from, &out->size)) {
            out->bytes = malloc(out->size);
            if (out->bytes == NULL) {
                snprintf(out->why, sizeof out->why, "out of memory for a record of %zu bytes",
                         out->size);
                return CREW_FAILED;
            }
            mpi->receive(from, TAG_RECORD, out->bytes, out->size);
            out->worker = from - 1;
            return CREW_RECORD;
        }
        nanosleep(&nap, NULL);
    }
    return CREW_IDLE;
}

static void dismiss(CliCrew *crew)
{
    (void)crew; // cli_crew_mpi_stop does it, also where there never was a crew
}

void cli_crew_mpi_join(CliCrew *crew, const TmlStudy *study)
{
    *crew = (CliCrew){
        .workers = mpi->size() - 1, .study = study, .give = give, .news = news, .dismiss = dismiss};
}

/* --- a worker ------------------------------------------------------------------------------------------------ */

int cli_crew_mpi_work(const TmlStudy *study)
{
    for (;;) {
        int run;
        mpi->receive(0, TAG_RUN, &run, sizeof run);
        if (run == STOP || study == NULL) {
            return 0;
        }
        size_t size = 0;
        void *bytes = cli_crew_make(study, run, NULL, &size);
        if (bytes == NULL) { // nothing else could be told to the leader, who would wait for ever
            mpi->end(true);
            return 1;
        }
        mpi->send(0, TAG_RECORD, bytes, size);
        tml_study_record_free(bytes);
    }
}
