/* cli/bench_pendulum.c - the stiff double pendulum of [001]: its tables 4, 5 and 6, and what the
 * explicit method costs beside the implicit ones.
 *
 * Errors are those of theta_1 and of its velocity over rows 2 ms apart, against a tight run of
 * another method. The paper's figures stand beside ours; the exponents of its table 4 are corrected
 * for k = -2 to -4 (its relative errors and averages agree only so).
 */
#include "bench.h"

#include "cli.h"
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { N_K = 6, N_PAPER = 4, MAX_METHODS = 16 };
enum { THETA, OMEGA, N_CHANNELS };

static const char *const channels[N_CHANNELS] = {"theta1", "omega1"};
static const char explicit_method[] = "adams", paper_method[] = "rosenbrock:norm=paper";
static const double tolerance[N_K] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

/* In the order of the paper's tables. */
static const int paper_steps[N_K] = {29, 49, 85, 148, 264, 467};
static const struct PaperErrors {
    double max, average;
} paper_errors[N_CHANNELS][N_PAPER] = {
    {{5.223e-3, 3.234e-3}, {4.198e-4, 2.631e-4}, {4.196e-5, 2.946e-5}, {1.902e-5, 9.868e-6}},
    {{4.061e-2, 2.348e-2}, {3.792e-3, 2.181e-3}, {8.652e-4, 3.445e-4}, {2.343e-4, 9.357e-5}},
};

static const char *const implicit_methods[] = {
    "rosenbrock", "rosenbrock-w", "radau",        "hht",          "generalized-alpha",
    "bdf-i3",     "bdf-si2",      "tlismni-park", "tlismni-bdf2", "tlismni-trapezoidal",
    "tlismni-hht"};

/* --- tables -------------------------------------------------------------------------------- */

static const TmlCompareRow *find_row(const TmlCompare *c, const char *method, int k)
{
    const TmlCompareRow *r;
    for (int n = 0; (r = tml_compare_row(c, n)) != NULL; ++n) {
        if (strcmp(r->method, method) == 0 && r->tolerance == tolerance[k]) {
            return r;
        }
    }
    return NULL;
}

static void print_steps(const TmlCompare *c)
{
    printf("Table 5: steps\n%4s %8s %8s %9s\n", "k", "steps", "paper", "rejected");
    for (int k = 0; k < N_K; ++k) {
        const TmlCompareRow *r = find_row(c, paper_method, k);
        if (r != NULL && r->status == TML_OK) {
            printf("%4d %8" PRId64 " %8d %9" PRId64 "\n", -2 - k, r->stats.steps, paper_steps[k],
                   r->stats.rejected);
        } else if (r != NULL) {
            printf("%4d failed: %s\n", -2 - k, r->message);
        }
    }
    printf("\n");
}

static void print_errors(const TmlCompare *c, int channel, const char *head)
{
    printf("%s\n%4s %12s %12s %12s %12s\n", head, "k", "largest", "paper", "average", "paper");
    for (int k = 0; k < N_K; ++k) {
        const TmlCompareRow *r = find_row(c, paper_method, k);
        if (r == NULL || r->status != TML_OK) {
            continue;
        }
        const TmlChannelError *e = &r->channel[channel];
        if (k < N_PAPER) {
            const struct PaperErrors *p = &paper_errors[channel][k];
            printf("%4d %12.3e %12.3e %12.3e %12.3e\n", -2 - k, e->max, p->max, e->mean,
                   p->average);
        } else {
            printf("%4d %12.3e %12s %12.3e %12s\n", -2 - k, e->max, "-", e->mean, "-");
        }
    }
    printf("\n");
}

static void print_tables(const TmlCompare *c)
{
    if (!cli_bench_has("rosenbrock")) {
        puts("tables 4, 5 and 6 are left out: there is no integrator 'rosenbrock'\n");
        return;
    }
    print_errors(c, THETA, "Table 4: error of theta_1, rad; tolerance 10^k");
    print_steps(c);
    print_errors(c, OMEGA, "Table 6: error of the velocity of theta_1, rad/s");
}

/* --- ratios -------------------------------------------------------------------------------- */

/* The cheapest explicit run that is at least as accurate; NULL: none is. */
static const TmlCompareRow *explicit_match(const TmlCompare *c, double error)
{
    const TmlCompareRow *r, *best = NULL;
    for (int n = 0; (r = tml_compare_row(c, n)) != NULL; ++n) {
        if (strcmp(r->method, explicit_method) == 0 && r->status == TML_OK &&
            r->channel[THETA].max <= error && (best == NULL || r->seconds < best->seconds)) {
            best = r;
        }
    }
    return best;
}

static void print_ratios(const TmlCompare *c)
{
    const TmlCompareRow *r;
    const bool has = cli_bench_has(explicit_method);
    if (!has) {
        printf("ratios are left out: there is no integrator '%s'\n", explicit_method);
    }
    printf("Work; ratio: CPU time of %s, the cheapest run that is at least as accurate in theta_1, "
           "over that of the method\n%-22s %9s %12s %8s %10s %8s %11s %9s\n",
           explicit_method, "method", "tolerance", "error theta1", "steps", "residuals", "factors",
           "CPU s", "ratio");
    for (int n = 0; (r = tml_compare_row(c, n)) != NULL; ++n) {
        printf("%-22s %9.0e ", r->method, r->tolerance);
        if (r->status != TML_OK) {
            printf("failed: %s\n", r->message);
            continue;
        }
        const bool implicit = strcmp(r->method, explicit_method) != 0;
        const TmlCompareRow *match = implicit ? explicit_match(c, r->channel[THETA].max) : NULL;
        printf("%12.2e %8" PRId64 " %10" PRId64 " %8" PRId64 " %11.3g ", r->channel[THETA].max,
               r->stats.steps, r->stats.residuals,
               r->stats.factorizations + r->stats.refactorizations, r->seconds);
        if (match != NULL) {
            printf("%9.4g\n", match->seconds / r->seconds);
        } else {
            printf("%9s\n", "-");
        }
    }
}

/* --- JSON ---------------------------------------------------------------------------------- */

static void json_rows(const TmlCompare *c, FILE *json)
{
    const char *separator = "";
    fputs("  \"rows\": [", json);
    for (int k = 0; k < N_K; ++k) {
        const TmlCompareRow *r = find_row(c, paper_method, k);
        if (r == NULL || r->status != TML_OK) {
            continue;
        }
        const TmlChannelError *theta = &r->channel[THETA], *omega = &r->channel[OMEGA];
        fprintf(json, "%s\n    {\"k\": %d, \"steps\": %" PRId64 ", ", separator, -2 - k,
                r->stats.steps);
        cli_bench_json(json, "max_error", theta->max, ", ");
        cli_bench_json(json, "average_error", theta->mean, ", ");
        cli_bench_json(json, "velocity_max_error", omega->max, ", ");
        cli_bench_json(json, "velocity_average_error", omega->mean, "}");
        separator = ",";
    }
    fputs("\n  ],\n", json);
}

static void json_work(const TmlCompare *c, FILE *json)
{
    const TmlCompareRow *r;
    const char *separator = "";
    fputs("  \"work\": [", json);
    for (int n = 0; (r = tml_compare_row(c, n)) != NULL; ++n) {
        const bool done = r->status == TML_OK;
        const double error = done ? r->channel[THETA].max : (double)NAN;
        const bool implicit = strcmp(r->method, explicit_method) != 0;
        const TmlCompareRow *match = done && implicit ? explicit_match(c, error) : NULL;
        fprintf(json, "%s\n    {\"method\": \"%s\", \"status\": \"%s\", ", separator, r->method,
                tml_status_name(r->status));
        cli_bench_json(json, "tolerance", r->tolerance, ", ");
        cli_bench_json(json, "max_error", error, ", ");
        fprintf(json, "\"steps\": %" PRId64 ", \"residuals\": %" PRId64 ", ", r->stats.steps,
                r->stats.residuals);
        cli_bench_json(json, "cpu_seconds", done ? r->seconds : (double)NAN, ", ");
        cli_bench_json(json, "ratio", match != NULL ? match->seconds / r->seconds : (double)NAN,
                       "}");
        separator = ",";
    }
    fputs("\n  ]\n", json);
}

static void write_json(const CliBench *self, const TmlCompare *c, FILE *json)
{
    const TmlReferenceRun *reference = tml_compare_reference(c, 0);
    fprintf(json, "{\n  \"bench\": \"%s\",\n  \"reference\": \"%s\",\n  ", self->name,
            reference->method);
    cli_bench_json(json, "reference_tolerance", reference->tolerance, ",\n  ");
    cli_bench_json(json, "references_differ", tml_compare_doubt(c), ",\n");
    json_rows(c, json);
    json_work(c, json);
    fputs("}\n", json);
}

/* --- the runs ------------------------------------------------------------------------------ */

static bool on_row(void *user, const TmlCompareRow *row)
{
    (void)user;
    cli_bench_progress(row->method, row->tolerance);
    return !cli_cancelled();
}

static bool on_step(void *user)
{
    (void)user;
    return !cli_cancelled();
}

static void on_note(void *user, const char *text)
{
    (void)user;
    cli_bench_progress(NULL, 0.0);
    fprintf(stderr, "note: %s\n", text);
}

static int choose_methods(const char **method)
{
    int n = 0;
    if (cli_bench_has("rosenbrock")) {
        method[n++] = paper_method;
    }
    for (size_t k = 0; k < sizeof implicit_methods / sizeof implicit_methods[0]; ++k) {
        if (cli_bench_has(implicit_methods[k])) {
            method[n++] = implicit_methods[k];
        }
    }
    if (cli_bench_has(explicit_method)) {
        method[n++] = explicit_method;
    }
    return n;
}

static void print_head(const TmlCompare *c)
{
    const TmlReferenceRun *first = tml_compare_reference(c, 0),
                          *second = tml_compare_reference(c, 1);
    printf("Stiff double pendulum of [001], start from rest, 2 s, %d rows\n",
           tml_compare_output_rows(c));
    printf("reference: %s at tolerance %g", first->method, first->tolerance);
    if (second != NULL) {
        printf("; %s at %g differs by %.2g at most", second->method, second->tolerance,
               tml_compare_doubt(c));
    }
    printf("\n\n");
}

static TmlStatus compare_all(const TmlModel *model, TmlCompare **c, TmlError *err)
{
    const char *method[MAX_METHODS];
    TmlCompareOptions o = tml_compare_options_default();
    o.n_methods = choose_methods(method);
    o.method = method;
    o.n_tolerances = N_K;
    o.tolerance = tolerance;
    o.n_channels = N_CHANNELS;
    o.channel = channels;
    o.absolute = true;
    o.note = on_note;
    o.row = on_row;
    o.go_on = on_step;
    cli_cancel_init();
    const TmlStatus status = tml_compare(model, &o, c, err);
    cli_bench_progress(NULL, 0.0);
    return status;
}

static int pendulum_run(const CliBench *self, const CliBenchOrder *order)
{
    FILE *json = order->json;
    const char *plot = order->plot;
    (void)plot;
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlCompare *c = NULL;
    TmlStatus status = tml_load_text(cli_model_double_pendulum, "double_pendulum.yaml", 0, NULL,
                                     NULL, &model, &err);
    if (status == TML_OK) {
        status = compare_all(model, &c, &err);
    }
    if (status == TML_OK) {
        print_head(c);
        print_tables(c);
        print_ratios(c);
        if (json != NULL) {
            write_json(self, c, json);
        }
    }
    tml_compare_free(c);
    tml_model_free(model);
    return status == TML_OK ? 0 : cli_fail(status, &err);
}

const CliBench cli_bench_double_pendulum = {
    .name = "double_pendulum",
    .text = "stiff double pendulum of [001]: tables 4 to 6, and explicit against implicit methods",
    .run = pendulum_run,
};
