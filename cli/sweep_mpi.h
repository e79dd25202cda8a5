/* cli/sweep_mpi.h - the few calls of MPI that a study over several machines needs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct TmlMpiCalls {
    int (*begin)(void); /* rank of this process */
    int (*size)(void);  /* processes of the job */
    void (*send)(int to, int tag, const void *bytes, size_t n);
    bool (*probe)(int tag, int *from, size_t *n); /* whether a message waits */
    void (*receive)(int from, int tag, void *bytes, size_t n);
    void (*end)(bool failed); /* failed: ends all processes of the job */
} TmlMpiCalls;
