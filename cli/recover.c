/* cli/recover.c - trammel recover: stresses of modal bodies from a result file. */
#include "cli.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* States of nodes that histories may have: each is some 300 bytes in memory and as much in the file. */
static const double states_max = 4e6;

typedef struct RecoverSettings {
    CliPairs parts;
    const char *body, *nodes, *csv, *peaks, *vtk, *line, *cycles;
    double hottest, apart, from, until, ultimate;
    bool quiet;
} RecoverSettings;

static const CliOption recover_options[] = {
    {"part", 0, CLI_PAIR, "NAME=PART.h5",
     "the part of a modal body, where it is no longer what the run has read",
     offsetof(RecoverSettings, parts)},
    {"body", 'b', CLI_TEXT, "NAME", "this modal body only", offsetof(RecoverSettings, body)},
    {"hottest", 'n', CLI_POSITIVE, "N", "list the N nodes with the largest von Mises stress; 10",
     offsetof(RecoverSettings, hottest)},
    {"apart", 0, CLI_POSITIVE, "DISTANCE", "of them none nearer to a hotter one, in m",
     offsetof(RecoverSettings, apart)},
    {"nodes", 0, CLI_TEXT, "ID,ID,...",
     "look at these nodes of the mesh instead; all: at all that the part keeps",
     offsetof(RecoverSettings, nodes)},
    {"from", 0, CLI_NUMBER, "TIME", "leave out rows before, in s", offsetof(RecoverSettings, from)},
    {"until", 0, CLI_NUMBER, "TIME", "leave out rows behind, in s",
     offsetof(RecoverSettings, until)},
    {"output", 'o', CLI_TEXT, "OUT.csv",
     "write histories of these nodes: places, displacements, stresses, strains",
     offsetof(RecoverSettings, csv)},
    {"peaks", 0, CLI_TEXT, "OUT.csv", "write the largest von Mises stress of every node",
     offsetof(RecoverSettings, peaks)},
    {"stress-life", 0, CLI_TEXT, "S,N,K",
     "damage of these nodes: amplitudes of S Pa are endured N times, others N (S / amplitude)^K; "
     "a fourth number is an amplitude below which there is no damage",
     offsetof(RecoverSettings, line)},
    {"ultimate", 0, CLI_POSITIVE, "SU",
     "with --stress-life: mean stresses raise amplitudes as Goodman has it, with the strength SU "
     "in "
     "Pa",
     offsetof(RecoverSettings, ultimate)},
    {"cycles", 0, CLI_TEXT, "OUT.csv", "write rainflow cycles of these nodes",
     offsetof(RecoverSettings, cycles)},
    {"vtk", 0, CLI_TEXT, "FOLDER", "write deformed surfaces with stresses for ParaView",
     offsetof(RecoverSettings, vtk)},
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(RecoverSettings, quiet)},
    {0},
};

/* What is done for one body. */
typedef struct Work {
    const RecoverSettings *s;
    TmlRecovery *r;
    int body;
    TmlRecoverBody info;
    int64_t rows;
    int n; /* nodes that are looked at */
    TmlHotSpot *peak, *spot;
    TmlStressLife line;
    double *damage;
    FILE *cycles; /* in memory */
    char *text;
    size_t size;
    TmlError err;
} Work;

/* "100e6,2e6,5": three or four positive numbers. */
static int parse_line(const char *text, TmlStressLife *out)
{
    double x[4] = {0};
    int n = 0;
    const char *at = text;
    while (n < 4) {
        char *end = NULL;
        x[n] = strtod(at, &end);
        if (end == at || !(x[n] > 0.0) || !isfinite(x[n])) {
            n = 0;
            break;
        }
        n++;
        at = end;
        if (*at != ',') {
            break;
        }
        at++;
    }
    if (n < 3 || *at != '\0') {
        return cli_wrong("--stress-life %s: expected an amplitude in Pa, cycles and a slope, such "
                         "as 100e6,2e6,5",
                         text);
    }
    *out = (TmlStressLife){.stress = x[0], .cycles = x[1], .slope = x[2], .limit = x[3]};
    return CLI_GO_ON;
}

static void take_node(Work *w, int k, int64_t id)
{
    w->spot[w->n++] = w->info.stresses
                          ? w->peak[k]
                          : (TmlHotSpot){.index = k, .node = id, .von_mises = (double)NAN};
}

/* The nodes of --nodes among the peaks. */
static int choose_nodes(Work *w)
{
    const char *at = w->s->nodes;
    w->n = 0;
    if (strcmp(at, "all") == 0) {
        for (int k = 0; k < w->info.nodes; ++k) {
            take_node(w, k, k + 1);
        }
        return CLI_GO_ON;
    }
    while (*at != '\0') {
        char *end = NULL;
        const long long id = strtoll(at, &end, 10);
        if (end == at || (*end != ',' && *end != '\0')) {
            return cli_wrong("--nodes %s: expected numbers of nodes with commas between them, or "
                             "all",
                             w->s->nodes);
        }
        const int k = tml_recovery_node(w->r, w->body, id);
        if (k < 0) {
            return cli_wrong("'%s' keeps no node %lld", w->info.part, id);
        }
        take_node(w, k, id);
        at = *end == ',' ? end + 1 : end;
    }
    return CLI_GO_ON;
}

static int choose(Work *w)
{
    if (w->info.stresses) {
        const TmlStatus status = tml_recovery_peaks(w->r, w->body, w->peak, &w->err);
        if (status != TML_OK) {
            return cli_fail(status, &w->err);
        }
    }
    if (w->s->nodes != NULL) {
        return choose_nodes(w);
    }
    w->n = w->info.stresses ? tml_recovery_hottest(w->info.nodes, w->peak, (int)w->s->hottest,
                                                   w->s->apart, w->spot)
                            : 0;
    return CLI_GO_ON;
}

/* Signed von Mises stress, whose sign is that of the principal stress of largest magnitude. */
static int count_cycles(Work *w, int k, TmlNodeState *x, double *history, TmlCycle *cycle)
{
    const TmlStatus status = tml_recovery_history(w->r, w->body, w->spot[k].index, x, &w->err);
    if (status != TML_OK) {
        return cli_fail(status, &w->err);
    }
    for (int64_t i = 0; i < w->rows; ++i) {
        history[i] = x[i].signed_mises;
    }
    const int n = tml_rainflow(w->rows, history, cycle);
    w->damage[k] = n >= 0 && w->s->line != NULL ? tml_miner(n, cycle, &w->line) : (double)NAN;
    for (int i = 0; i < n && w->cycles != NULL; ++i) {
        fprintf(w->cycles, "%s,%lld,%.9g,%.9g,%.1f\n", w->info.name, (long long)w->spot[k].node,
                cycle[i].range, cycle[i].mean, cycle[i].count);
    }
    return CLI_GO_ON;
}

static int fatigue(Work *w)
{
    const size_t rows = (size_t)w->rows + 1;
    TmlNodeState *x = calloc(rows, sizeof *x);
    double *history = calloc(rows, sizeof *history);
    TmlCycle *cycle = calloc(rows, sizeof *cycle);
    int result =
        x != NULL && history != NULL && cycle != NULL ? CLI_GO_ON : cli_wrong("out of memory");
    for (int k = 0; k < w->n && result == CLI_GO_ON; ++k) {
        result = count_cycles(w, k, x, history, cycle);
    }
    free(x);
    free(history);
    free(cycle);
    return result;
}

static void print_table(const Work *w)
{
    const bool damage = w->s->line != NULL;
    printf("%s: part %s, %d modes, %d nodes\n", w->info.name, w->info.part, (int)w->info.modes,
           (int)w->info.nodes);
    if (!w->info.stresses) {
        printf("  the part has no stress modes\n");
        return;
    }
    printf("  %4s %10s %14s %12s  %-36s%s\n", "no.", "node", "von Mises, Pa", "time, s",
           "place in the mesh, m", damage ? "damage" : "");
    for (int k = 0; k < w->n; ++k) {
        const TmlHotSpot *p = &w->spot[k];
        char place[80];
        snprintf(place, sizeof place, "(%.5g, %.5g, %.5g)", p->place.x, p->place.y, p->place.z);
        printf("  %4d %10lld %14.6g %12.6g  %-36s", k + 1, (long long)p->node, p->von_mises,
               p->time, place);
        printf(damage ? "%.4g\n" : "\n", w->damage[k]);
    }
}

/* What was put together in memory, as a file that is there as a whole. */
static int write_text(FILE *file, char **text, const size_t *size, const char *path)
{
    TmlError err = {0};
    const bool whole = fclose(file) == 0;
    const TmlStatus status = whole ? tml_file_write(path, *text, *size, &err) : TML_E_NOMEM;
    free(*text);
    *text = NULL;
    if (!whole) {
        return cli_wrong("out of memory");
    }
    return status == TML_OK ? CLI_GO_ON : cli_fail(status, &err);
}

static int write_peaks(const Work *w)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL) {
        return cli_wrong("out of memory");
    }
    fputs("node,x,y,z,von_mises,time\n", file);
    for (int k = 0; k < w->info.nodes; ++k) {
        const TmlHotSpot *p = &w->peak[k];
        fprintf(file, "%lld,%.9g,%.9g,%.9g,%.9g,%.17g\n", (long long)p->node, p->place.x,
                p->place.y, p->place.z, p->von_mises, p->time);
    }
    return write_text(file, &text, &size, w->s->peaks);
}

static int write_histories(Work *w)
{
    if ((double)w->n * (double)w->rows > states_max) {
        return cli_wrong("%d nodes at %lld times are more than a table of %g states: --from and "
                         "--until take a part of the run, --nodes some nodes",
                         w->n, (long long)w->rows, states_max);
    }
    int *index = calloc((size_t)w->n + 1, sizeof *index);
    if (index == NULL) {
        return cli_wrong("out of memory");
    }
    for (int k = 0; k < w->n; ++k) {
        index[k] = w->spot[k].index;
    }
    const TmlStatus status = tml_recovery_csv(w->r, w->body, w->n, index, w->s->csv, &w->err);
    free(index);
    return status == TML_OK ? CLI_GO_ON : cli_fail(status, &w->err);
}

static int recover_body(Work *w)
{
    const RecoverSettings *s = w->s;
    int result = choose(w);
    if (result == CLI_GO_ON && w->info.stresses && (s->line != NULL || s->cycles != NULL)) {
        result = fatigue(w);
    }
    if (result == CLI_GO_ON && !s->quiet) {
        print_table(w);
    }
    if (result == CLI_GO_ON && s->peaks != NULL && w->info.stresses) {
        result = write_peaks(w);
    }
    return result == CLI_GO_ON && s->csv != NULL ? write_histories(w) : result;
}

/* Memory for one body; freed by the caller. */
static int prepare(Work *w)
{
    size_t most = w->s->nodes != NULL ? (size_t)w->info.nodes : (size_t)w->s->hottest;
    for (const char *at = w->s->nodes; at != NULL && *at != '\0'; ++at) {
        most += *at == ','; // a node may be named twice
    }
    most += 2;
    w->peak = calloc((size_t)w->info.nodes + 1, sizeof *w->peak);
    w->spot = calloc(most, sizeof *w->spot);
    w->damage = calloc(most, sizeof *w->damage);
    return w->peak != NULL && w->spot != NULL && w->damage != NULL ? recover_body(w)
                                                                   : cli_wrong("out of memory");
}

static int recover_bodies(Work *w)
{
    const RecoverSettings *s = w->s;
    const int n = tml_recovery_count(w->r);
    int result = CLI_GO_ON, done = 0;
    if (n > 1 && s->body == NULL && (s->csv != NULL || s->peaks != NULL || s->nodes != NULL)) {
        return cli_wrong("there are %d modal bodies: --body NAME says which one", n);
    }
    for (w->body = 0; w->body < n && result == CLI_GO_ON; ++w->body) {
        w->info = tml_recovery_body(w->r, w->body);
        if (s->body == NULL || strcmp(s->body, w->info.name) == 0) {
            result = prepare(w);
            done++;
            free(w->peak);
            free(w->spot);
            free(w->damage);
        }
    }
    return result == CLI_GO_ON && done == 0 ? cli_wrong("there is no modal body '%s'", s->body)
                                            : result;
}

static int write_vtk(Work *w)
{
    int64_t rows = 0;
    const TmlStatus status = tml_recovery_vtk(w->r, w->s->vtk, &rows, &w->err);
    if (status != TML_OK) {
        return cli_fail(status, &w->err);
    }
    if (!w->s->quiet) {
        printf("%lld rows in %s/modal.pvd\n", (long long)rows, w->s->vtk);
    }
    return CLI_GO_ON;
}

static int recover_file(Work *w, const char *results)
{
    const RecoverSettings *s = w->s;
    const TmlStatus status =
        tml_recovery_open(results, s->parts.n, s->parts.key, s->parts.value, &w->r, &w->err);
    if (status != TML_OK) {
        return cli_fail(status, &w->err);
    }
    w->rows = tml_recovery_window(w->r, s->from, s->until);
    if (s->cycles != NULL) {
        w->cycles = open_memstream(&w->text, &w->size);
        if (w->cycles == NULL) {
            return cli_wrong("out of memory");
        }
        fputs("body,node,range,mean,count\n", w->cycles);
    }
    int result = recover_bodies(w);
    if (w->cycles != NULL) {
        const int written = result == CLI_GO_ON
                                ? write_text(w->cycles, &w->text, &w->size, s->cycles)
                                : (fclose(w->cycles), free(w->text), result);
        result = written;
    }
    return result == CLI_GO_ON && s->vtk != NULL ? write_vtk(w) : result;
}

static int recover_run(const CliCommand *self, int argc, char **argv)
{
    RecoverSettings s = {.hottest = 10.0, .from = (double)NAN, .until = (double)NAN};
    Work w = {.s = &s};
    int n = 0;
    int result = cli_parse(self, argc, argv, &s, &n);
    if (result == CLI_GO_ON && s.line != NULL) {
        result = parse_line(s.line, &w.line);
    }
    w.line.ultimate = s.ultimate;
    if (result == CLI_GO_ON && s.ultimate > 0.0 && s.line == NULL) {
        result = cli_wrong("--ultimate belongs to --stress-life");
    }
    if (result == CLI_GO_ON && s.hottest > 1e6) {
        result = cli_wrong("--hottest: at most a million");
    }
    result = result == CLI_GO_ON ? recover_file(&w, argv[0]) : result;
    tml_recovery_free(w.r);
    cli_pairs_free(&s.parts);
    return result == CLI_GO_ON ? 0 : result;
}

const CliCommand cli_recover = {
    .name = "recover",
    .arguments = "OUT.h5",
    .text = "Stresses of modal bodies: the hottest nodes, histories, damage, surfaces as VTK.",
    .n_min = 1,
    .n_max = 1,
    .options = recover_options,
    .run = recover_run,
};
