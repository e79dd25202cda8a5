/* mpi/sweep_mpi.c - messages of a study between the ranks of an MPI job, as a library of its own.
 *
 * A message is at most 2 GiB, as MPI counts bytes in int.
 */
#include "sweep_mpi.h"

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static int begin(void)
{
    int ready = 0, rank = 0;
    MPI_Initialized(&ready);
    if (!ready) {
        MPI_Init(NULL, NULL);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static int size(void)
{
    int n = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    return n;
}

static void transmit(int to, int tag, const void *bytes, size_t n)
{
    MPI_Send(bytes, (int)n, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

static bool probe(int tag, int *from, size_t *n)
{
    int there = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
    if (there) {
        MPI_Get_count(&status, MPI_BYTE, &count);
        *from = status.MPI_SOURCE;
        *n = (size_t)count;
    }
    return there != 0;
}

/* Waits without taking a core: MPI_Recv of Open MPI spins, and runs of others need it. */
static void receive(int from, int tag, void *bytes, size_t n)
{
    const struct timespec nap = {.tv_nsec = 200000};
    int there = 0;
    for (MPI_Iprobe(from, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); !there;
         MPI_Iprobe(from, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE)) {
        nanosleep(&nap, NULL);
    }
    MPI_Recv(bytes, (int)n, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void end(bool failed)
{
    if (failed) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}

extern const TmlMpiCalls tml_mpi_calls;
__attribute__((visibility("default"))) const TmlMpiCalls tml_mpi_calls = {
    .begin = begin, .size = size, .send = transmit, .probe = probe, .receive = receive, .end = end};
