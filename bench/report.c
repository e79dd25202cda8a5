/* bench/report.c - rows and facts of a benchmark as text, CSV and JSON. */
#include "bench.h"

#include <math.h>

/* JSON and CSV know no NaN: an empty place. */
static void put_number(FILE *f, double x, const char *none)
{
    if (isfinite(x)) {
        fprintf(f, "%.6g", x);
    } else {
        fputs(none, f);
    }
}

void bench_columns(BenchReport *r, const char *const *columns, int n)
{
    r->columns = columns;
    r->n_columns = n;
    r->n_rows = r->n_facts = 0;
    printf("%-16s %-20s", "model", "variant");
    for (int k = 0; k < n; ++k) {
        printf(" %12.12s", columns[k]);
    }
    printf("\n");
    if (r->csv != NULL) {
        fputs("model,variant", r->csv);
        for (int k = 0; k < n; ++k) {
            fprintf(r->csv, ",%s", columns[k]);
        }
        fputs("\n", r->csv);
    }
}

void bench_row(BenchReport *r, const char *model, const char *variant, const double *values)
{
    printf("%-16s %-20s", model, variant);
    for (int k = 0; k < r->n_columns; ++k) {
        if (isfinite(values[k])) {
            printf(" %12.5g", values[k]);
        } else {
            printf(" %12s", "-");
        }
    }
    printf("\n");
    fflush(stdout);
    if (r->csv != NULL) {
        fprintf(r->csv, "%s,%s", model, variant);
        for (int k = 0; k < r->n_columns; ++k) {
            fputs(",", r->csv);
            put_number(r->csv, values[k], "");
        }
        fputs("\n", r->csv);
        fflush(r->csv);
    }
    if (r->json != NULL) {
        fprintf(r->json, "%s\n      {\"model\": \"%s\", \"variant\": \"%s\"",
                r->n_rows > 0 ? "," : "", model, variant);
        for (int k = 0; k < r->n_columns; ++k) {
            fprintf(r->json, ", \"%s\": ", r->columns[k]);
            put_number(r->json, values[k], "null");
        }
        fputs("}", r->json);
    }
    r->n_rows++;
}

void bench_fact(BenchReport *r, const char *what, double value, double limit)
{
    char bound[64] = "";
    if (!isnan(limit)) {
        snprintf(bound, sizeof bound, " (at most %g: %s)", limit, value <= limit ? "yes" : "NO");
        r->limits_hold = r->limits_hold && value <= limit;
    }
    printf("%s: %.4g%s\n", what, value, bound);
    if (r->csv != NULL) {
        fprintf(r->csv, "# %s: %.4g%s\n", what, value, bound);
    }
    if (r->json != NULL) {
        fprintf(r->json, "%s\n      {\"what\": \"%s\", \"value\": ",
                r->n_facts > 0 ? "," : "\n    ],\n    \"facts\": [", what);
        put_number(r->json, value, "null");
        fputs(", \"limit\": ", r->json);
        put_number(r->json, limit, "null");
        fputs("}", r->json);
    }
    r->n_facts++;
}
