/* bench/peers/ours.c - one run of Trammel as bench/peers/run.py times it.
 *
 *   ours MODEL METHOD TOLERANCE REPEATS OUTPUT_STEP HALF [NAME=VALUE...]
 *
 * Loads the model with these parameters, makes a simulation for each repeat and prints CPU seconds of tml_sim_run (the least), which
 * is all but loading and assembly. The runs have rows at the start and the end only. Then come outputs at the end and, where
 * HALF > 0, the far ends of rods of that half length. Where OUTPUT_STEP > 0, one more run has rows at that distance and tells the
 * largest energy error of them.
 */
#include "trammel/trammel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 8 };

typedef struct Job {
    const char *method;
    double tolerance, half;
    TmlModel *model;
    int n;
    char name[MOST][32];
    double value[MOST];
} Job;

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int stop(const TmlError *err)
{
    fprintf(stderr, "%s\n", err->message);
    return 1;
}

static TmlStatus make(const Job *j, double output_step, TmlSim **sim, TmlError *err)
{
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = j->method;
    o.tolerance = j->tolerance;
    o.output_step = output_step > 0.0 ? output_step : o.output_step;
    return tml_sim_create(j->model, &o, sim, err);
}

static void print_end(const Job *j, TmlSim *sim)
{
    for (int k = 0; k < tml_row_channel_count(sim) && j->half <= 0.0; ++k) {
        printf("value %s %.17g\n", tml_row_channel_name(sim, k), tml_row_channel(sim, k));
    }
    for (int b = 1; b < tml_model_body_count(j->model) && j->half > 0.0; ++b) {
        const TmlBodyState s = tml_row_body(sim, b);
        const TmlQuat p = s.orientation; // its first column is the rod's axis
        printf("point %.17g %.17g %.17g\n",
               s.position.x + j->half * (1.0 - 2.0 * (p.y * p.y + p.z * p.z)),
               s.position.y + j->half * 2.0 * (p.x * p.y + p.w * p.z),
               s.position.z + j->half * 2.0 * (p.x * p.z - p.w * p.y));
    }
}

static TmlStatus watch_energy(void *user, const TmlSim *sim, TmlError *err)
{
    (void)err;
    double *most = user;
    *most = fmax(*most, fabs(tml_row_certificate(sim).energy_error));
    return TML_OK;
}

static int time_runs(const Job *j, int repeats)
{
    double best = HUGE_VAL;
    TmlError err = {0};
    for (int k = 0; k < repeats; ++k) {
        TmlSim *sim = NULL;
        if (make(j, 0.0, &sim, &err) != TML_OK) {
            return stop(&err);
        }
        const double began = cpu();
        if (tml_sim_run(sim, NULL, NULL, &err) != TML_OK) {
            tml_sim_free(sim);
            return stop(&err);
        }
        best = fmin(best, cpu() - began);
        if (k == repeats - 1) {
            const TmlSimStats st = tml_sim_stats(sim);
            printf("cpu %.9g\nsteps %lld\nrejected %lld\nmethod %s\n", best, (long long)st.steps,
                   (long long)st.rejected, tml_sim_integrator(sim));
            print_end(j, sim);
        }
        tml_sim_free(sim);
    }
    return 0;
}

static int energy(const Job *j, double output_step)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    double most = 0.0;
    TmlStatus status = make(j, output_step, &sim, &err);
    status = status == TML_OK ? tml_sim_run(sim, watch_energy, &most, &err) : status;
    printf("energy %.9g\n", most);
    tml_sim_free(sim);
    return status == TML_OK ? 0 : stop(&err);
}

int main(int argc, char **argv)
{
    if (argc < 7 || argc > 7 + MOST) {
        fputs("usage: ours MODEL METHOD TOLERANCE REPEATS OUTPUT_STEP HALF [NAME=VALUE...]\n",
              stderr);
        return 2;
    }
    Job j = {.method = argv[2], .tolerance = atof(argv[3]), .half = atof(argv[6])};
    const char *names[MOST];
    for (; j.n + 7 < argc; ++j.n) {
        const char *mark = strchr(argv[j.n + 7], '=');
        const size_t size = mark != NULL ? (size_t)(mark - argv[j.n + 7]) : 0;
        if (size == 0 || size >= sizeof j.name[0]) {
            return 2;
        }
        memcpy(j.name[j.n], argv[j.n + 7], size);
        names[j.n] = j.name[j.n];
        j.value[j.n] = atof(mark + 1);
    }
    TmlError err = {0};
    if (tml_load(argv[1], j.n, names, j.value, &j.model, &err) != TML_OK) {
        return stop(&err);
    }
    int result = time_runs(&j, atoi(argv[4]));
    if (result == 0 && atof(argv[5]) > 0.0) {
        result = energy(&j, atof(argv[5]));
    }
    tml_model_free(j.model);
    return result;
}
