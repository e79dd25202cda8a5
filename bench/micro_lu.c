/* bench/micro_lu.c - what the factorisation alone costs: microseconds a body for a new factor, a
 * refactorisation and a solve of the saddle-point matrix of a chain with spherical joints.
 *
 *   micro_lu [BODIES...]          default: 100 300 1000 3000 10000
 *
 * Minimum of repeats, after one warm-up.
 */
#include "sparse/lu.h"
#include "sparse/saddle.h"

#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Smallest time of `repeats` calls. what: 0 factor, 1 refactor, 2 solve. */
static double fastest(TmlLu *lu, const TmlCsc *A, double *x, int what, int repeats)
{
    double best = (double)INFINITY;
    for (int k = 0; k <= repeats; ++k) {
        for (int i = 0; i < A->cols; ++i) {
            x[i] = 1.0;
        }
        const double start = seconds();
        if (what == 0) {
            (void)tml_lu_factor(lu, A);
        } else if (what == 1) {
            (void)tml_lu_refactor(lu, A);
        } else {
            tml_lu_solve(lu, x);
        }
        best = k > 0 ? fmin(best, seconds() - start) : best;
    }
    return best;
}

static bool measure(int bodies)
{
    TestCtx t = {.test = "micro_lu", .seed = 1};
    Saddle s;
    TmlLu *lu = NULL;
    TmlError err = {0};
    bool done = saddle_build(&t, &s, bodies, SADDLE_CHAIN, saddle_unit_mass);
    double *x = tml_arena_alloc(&s.arena, 9 * (size_t)bodies, sizeof *x);
    const double start = seconds();
    done = done && x != NULL && tml_lu_create(&s.A, &lu, &err) == TML_OK;
    done = done && tml_lu_factor(lu, &s.A) < 0; // with the choice among orderings
    if (done) {
        const double us = 1e6 / bodies, first = seconds() - start;
        const int repeats = 20 + 100000 / bodies;
        printf("%7d %9d %9.1f %9.3f %9.3f %9.3f %9.3f\n", bodies, 9 * bodies,
               (tml_lu_info(lu)->lnz + tml_lu_info(lu)->unz) / (double)bodies, us * first,
               us * fastest(lu, &s.A, x, 0, 10), us * fastest(lu, &s.A, x, 1, repeats),
               us * fastest(lu, &s.A, x, 2, repeats));
    }
    tml_lu_free(lu);
    tml_arena_free(&s.arena);
    return done;
}

int main(int argc, char **argv)
{
    static const int standard[] = {100, 300, 1000, 3000, 10000};
    const int n = argc > 1 ? argc - 1 : (int)(sizeof standard / sizeof standard[0]);
    bool done = true;
    printf("# chain, spherical joints, 9 unknowns a body; times in microseconds a body\n");
    printf("# bodies  unknowns  fill/body    first    factor  refactor     solve\n");
    for (int k = 0; k < n && done; ++k) {
        done = measure(argc > 1 ? atoi(argv[k + 1]) : standard[k]);
    }
    return done ? 0 : 1;
}
