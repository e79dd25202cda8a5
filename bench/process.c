/* bench/process.c - models, processes and memory for the benchmarks. */
#include "bench.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool bench_done(TmlStatus status, const TmlError *err)
{
    if (status != TML_OK) {
        fprintf(stderr, "%s\n", err->message);
    }
    return status == TML_OK;
}

TmlModel *bench_load(const char *file, int n)
{
    char path[1024];
    TmlError err;
    TmlModel *model = NULL;
    const char *const name = "N";
    const double value = n;
    snprintf(path, sizeof path, "%s/models/%s", TRAMMEL_SOURCE_DIR, file);
    return bench_done(tml_load(path, n > 0 ? 1 : 0, &name, &value, &model, &err), &err) ? model
                                                                                        : NULL;
}

TmlModel *bench_load_text(char *text, const char *name, bool free)
{
    TmlError err;
    TmlModel *model = NULL;
    if (free) {
        *strstr(text, "contacts:\n") = '\0';
    }
    return bench_done(tml_load_text(text, name, 0, NULL, NULL, &model, &err), &err) ? model : NULL;
}

/* Reads exactly `size` bytes: a pipe may hand them over in parts. */
static bool read_all(int file, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        const ssize_t got = read(file, at, size);
        if (got <= 0) {
            return false;
        }
        at += got;
        size -= (size_t)got;
    }
    return true;
}

bool bench_apart(BenchWork work, void *arg, double *out, int n)
{
    int ends[2], status = 1;
    const size_t size = (size_t)n * sizeof *out;
    fflush(NULL); // what is buffered must not be written twice
    if (pipe(ends) != 0) {
        return false;
    }
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        const bool done = work(arg, out) && write(ends[1], out, size) == (ssize_t)size;
        _exit(done ? 0 : 1);
    }
    close(ends[1]);
    const bool got = child > 0 && read_all(ends[0], out, size);
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && got && status == 0;
}

double bench_resident(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL) {
        if (fscanf(f, "%*s %ld", &pages) != 1) {
            pages = 0;
        }
        fclose(f);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1024.0;
}

double bench_peak(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_maxrss;
}

double bench_exponent(const double *x, const double *y, int n)
{
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int k = 0; k < n; ++k) {
        const double a = log(x[k]), b = log(y[k]);
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

bool bench_fastest(BenchWork work, void *arg, int repeats, double *best, int n, double *slowest)
{
    double most = 0.0;
    bool done = n <= BENCH_PARTS_MAX;
    best[0] = (double)INFINITY;
    for (int k = 0; k < repeats && done; ++k) {
        double p[BENCH_PARTS_MAX];
        done = bench_apart(work, arg, p, n);
        most = done ? fmax(most, p[0]) : most;
        if (done && p[0] < best[0]) {
            memcpy(best, p, (size_t)n * sizeof *best);
        }
    }
    if (slowest != NULL) {
        *slowest = most;
    }
    return done;
}

bool bench_steps(TmlSim *sim, int n)
{
    TmlError err;
    bool done = true;
    for (int k = 0; k < n && done; ++k) {
        done = bench_done(tml_sim_step(sim, &err), &err);
    }
    return done;
}

double bench_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

typedef struct StepWork {
    TmlSim *sim;
    int n;
} StepWork;

static bool time_steps(void *arg, double *out)
{
    const StepWork *w = arg;
    bool done = bench_steps(w->sim, 1); // pages shared with the parent become our own
    const TmlSimStats s0 = tml_sim_stats(w->sim);
    const double start = bench_seconds();
    done = done && bench_steps(w->sim, w->n);
    out[0] = bench_seconds() - start;
    const TmlSimStats s1 = tml_sim_stats(w->sim);
    out[1] = (double)(s1.iterations - s0.iterations);
    out[2] =
        (double)(s1.factorizations + s1.refactorizations - s0.factorizations - s0.refactorizations);
    return done;
}

bool bench_fastest_steps(TmlSim *sim, int n, int repeats, BenchSteps *out)
{
    StepWork work = {sim, n};
    double best[3] = {(double)INFINITY};
    const bool done = bench_fastest(time_steps, &work, repeats, best, 3, NULL);
    *out = (BenchSteps){best[0], best[1], best[2]};
    return done;
}
