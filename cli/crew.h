/* cli/crew.h - processes that make the runs of a study: children of this one, or the ranks of an MPI job.
 *
 * The leader gives a run to whoever is free and takes what comes back; who makes which run changes nothing about it.
 */
#pragma once

#include "trammel/study.h"

typedef struct CliCrew CliCrew;

typedef enum CliCrewEvent {
    CREW_RECORD, /* a run was made: bytes, of size */
    CREW_LOST, /* the process of a worker has died with its run; a new one stands in its place where that can be */
    CREW_IDLE,  /* nothing happened for a while */
    CREW_FAILED /* nobody is left: the message says why */
} CliCrewEvent;

typedef struct CliCrewNews {
    int worker, run;
    void *bytes;
    size_t size;
    char why[200]; /* CREW_LOST, CREW_FAILED */
} CliCrewNews;

struct CliCrew {
    int workers;
    const TmlStudy *study;
    void *state;
    bool (*give)(CliCrew *crew, int worker, int run);
    CliCrewEvent (*news)(CliCrew *crew,
                         CliCrewNews *out); /* waits for a quarter of a second at most */
    void (*dismiss)(CliCrew *crew);
};

/* Children of this process. False: not one could be made. */
bool cli_crew_children(CliCrew *crew, const TmlStudy *study, int workers);

/* Whether this process is one of several of an MPI job; then the rank of the leader is 0. */
bool cli_crew_is_mpi(void);
/* Leader and workers of an MPI job. *leads: this process is the leader. Returns CLI_GO_ON, or the exit status after
 * a message. */
int cli_crew_mpi_begin(bool *leads);
void cli_crew_mpi_join(CliCrew *crew, const TmlStudy *study);
/* All ranks have read the study, or the leader says that one has not. Returns CLI_GO_ON or the exit status. */
int cli_crew_mpi_agree(int result, bool leads);
int cli_crew_mpi_work(
    const TmlStudy *study);   /* of a worker: until it is stopped; NULL: it only waits for that */
void cli_crew_mpi_stop(void); /* of the leader */
void cli_crew_mpi_end(void);

/* The record of a run, whatever becomes of it: a failure to make one is a record of its own. NULL: out of memory. */
void *cli_crew_make(const TmlStudy *study, int run, bool (*go_on)(void *user, const TmlProgress *p),
                    size_t *size);
