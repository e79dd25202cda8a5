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
    const char *body, *nodes, *csv, *peaks, *vtk, *line, *cycles, *mean, *measure;
    double hottest, apart, from, until, ultimate, yield;
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
     "with --stress-life: mean stresses raise amplitudes, with the ultimate strength SU in Pa",
     offsetof(RecoverSettings, ultimate)},
    {"yield", 0, CLI_POSITIVE, "SY", "the yield strength in Pa, for --mean soderberg",
     offsetof(RecoverSettings, yield)},
    {"mean", 0, CLI_TEXT, "RULE",
     "how mean stresses count: goodman, gerber (with --ultimate), soderberg (with --yield), swt; "
     "with --ultimate goodman, else not at all",
     offsetof(RecoverSettings, mean)},
    {"measure", 0, CLI_TEXT, "WHICH",
     "the stress whose cycles are counted: mises (signed von Mises), principal (that of largest "
     "magnitude), plane (normal stress of the plane with most damage); mises",
     offsetof(RecoverSettings, measure)},
    {"cycles", 0, CLI_TEXT, "OUT.csv", "write rainflow cycles of these nodes",
     offsetof(RecoverSettings, cycles)},
    {"vtk", 0, CLI_TEXT, "FOLDER", "write deformed surfaces with stresses for ParaView",
     offsetof(RecoverSettings, vtk)},
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(RecoverSettings, quiet)},
    {0},
};

typedef enum Measure { OF_MISES, OF_PRINCIPAL, OF_PLANE } Measure;

/* What is done for one body. */
typedef struct Work {
    const RecoverSettings *s;
    TmlRecovery *r;
    int body;
    TmlRecoverBody info;
    int64_t rows;
    int n, room; /* places that are looked at, and how many `spot` has room for */
    TmlHotSpot *peak, *spot;
    TmlStressLife line;
    double *damage;
    int measure;  /* Measure */
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

/* A place of stress; false: there is no room for more. */
static bool take_place(Work *w, int k)
{
    char text[TML_PLACE_MAX];
    const int64_t id = tml_recovery_place(w->r, w->body, k, text);
    if (w->n == w->room) {
        const size_t room = 2 * (size_t)w->room + 64;
        TmlHotSpot *more = realloc(w->spot, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        w->spot = more;
        w->room = (int)room;
    }
    w->spot[w->n++] = w->info.stresses
                          ? w->peak[k]
                          : (TmlHotSpot){.index = k, .node = id, .von_mises = (double)NAN};
    return true;
}

/* A node with all its places of stress, which follow each other. */
static bool take_node(Work *w, int first, int64_t id)
{
    char text[TML_PLACE_MAX];
    bool room = true;
    for (int k = first; room && tml_recovery_place(w->r, w->body, k, text) == id; ++k) {
        room = take_place(w, k);
    }
    return room;
}

/* The nodes of --nodes among the peaks. */
static int choose_nodes(Work *w)
{
    const char *at = w->s->nodes;
    w->n = 0;
    if (strcmp(at, "all") == 0) {
        bool room = true;
        for (int k = 0; k < w->info.nodes && room; ++k) {
            room = take_place(w, k);
        }
        return room ? CLI_GO_ON : cli_wrong("out of memory");
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
        if (!take_node(w, k, id)) {
            return cli_wrong("out of memory");
        }
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

/* The stress whose cycles count, at all rows; false: out of memory. */
static bool measure_stress(Work *w, const TmlNodeState *x, double *history)
{
    TmlVec3 normal;
    for (int64_t i = 0; i < w->rows; ++i) {
        const double *p = x[i].principal;
        history[i] = w->measure == OF_MISES    ? x[i].signed_mises
                     : fabs(p[2]) > fabs(p[0]) ? p[2]
                                               : p[0];
    }
    return w->measure != OF_PLANE ||
           tml_critical_plane(w->rows, x, &w->line, &normal, history) >= 0.0;
}

static int count_cycles(Work *w, int k, TmlNodeState *x, double *history, TmlCycle *cycle)
{
    const int index = w->spot[k].index;
    char place[TML_PLACE_MAX];
    const TmlStatus status = tml_recovery_history(w->r, w->body, index, x, &w->err);
    if (status != TML_OK) {
        return cli_fail(status, &w->err);
    }
    if (!measure_stress(w, x, history)) {
        return cli_wrong("out of memory");
    }
    (void)tml_recovery_place(w->r, w->body, index, place);
    const int n = tml_rainflow(w->rows, history, cycle);
    w->damage[k] = n >= 0 && w->s->line != NULL ? tml_miner(n, cycle, &w->line) : (double)NAN;
    for (int i = 0; i < n && w->cycles != NULL; ++i) {
        fprintf(w->cycles, "%s,%s,%.9g,%.9g,%.1f\n", w->info.name, place, cycle[i].range,
                cycle[i].mean, cycle[i].count);
    }
    return CLI_GO_ON;
}

static int fatigue(Work *w)
{
    const size_t rows = (size_t)w->rows + 1;
    TmlNodeState *x = calloc(rows, sizeof *x);
    double *history = calloc(rows, sizeof *history);
    TmlCycle *cycle = calloc(rows, sizeof *cycle);
    free(w->damage);
    w->damage = calloc((size_t)w->n + 1, sizeof *w->damage);
    int result = x != NULL && history != NULL && cycle != NULL && w->damage != NULL
                     ? CLI_GO_ON
                     : cli_wrong("out of memory");
    for (int k = 0; k < w->n && result == CLI_GO_ON; ++k) {
        result = count_cycles(w, k, x, history, cycle);
    }
    free(x);
    free(history);
    free(cycle);
    return result;
}

/* Columns that the names of all places take. */
static int widest_name(const Work *w)
{
    int width = 10;
    for (int k = 0; k < w->n; ++k) {
        char name[TML_PLACE_MAX];
        (void)tml_recovery_place(w->r, w->body, w->spot[k].index, name);
        width = (int)strlen(name) > width ? (int)strlen(name) : width;
    }
    return width;
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
    const int width = widest_name(w);
    printf("  %4s %*s %14s %12s  %-36s%s\n", "no.", width, "node", "von Mises, Pa", "time, s",
           "place in the mesh, m", damage ? "damage" : "");
    for (int k = 0; k < w->n; ++k) {
        const TmlHotSpot *p = &w->spot[k];
        char place[80], name[TML_PLACE_MAX];
        snprintf(place, sizeof place, "(%.5g, %.5g, %.5g)", p->place.x, p->place.y, p->place.z);
        (void)tml_recovery_place(w->r, w->body, p->index, name);
        printf("  %4d %*s %14.6g %12.6g  %-36s", k + 1, width, name, p->von_mises, p->time, place);
        printf(damage ? "%.4g\n" : "\n", damage ? w->damage[k] : 0.0);
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
        char name[TML_PLACE_MAX];
        (void)tml_recovery_place(w->r, w->body, k, name);
        fprintf(file, "%s,%.9g,%.9g,%.9g,%.9g,%.17g\n", name, p->place.x, p->place.y, p->place.z,
                p->von_mises, p->time);
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
    w->peak = calloc((size_t)w->info.nodes + 1, sizeof *w->peak);
    w->room = w->s->nodes != NULL ? 64 : (int)w->s->hottest + 1;
    w->spot = calloc((size_t)w->room, sizeof *w->spot);
    w->damage = NULL;
    return w->peak != NULL && w->spot != NULL ? recover_body(w) : cli_wrong("out of memory");
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

/* The place of a word in a list that ends with NULL; -1: none of them. */
static int word_of(const char *const *list, const char *word)
{
    for (int k = 0; list[k] != NULL; ++k) {
        if (strcmp(list[k], word) == 0) {
            return k;
        }
    }
    return -1;
}

/* What fatigue goes by: mean stresses, and the stress itself. */
static int parse_rules(Work *w)
{
    static const char *const means[] = {"goodman", "gerber", "soderberg", "swt", NULL};
    static const char *const measures[] = {"mises", "principal", "plane", NULL};
    const RecoverSettings *s = w->s;
    const int mean = s->mean != NULL ? word_of(means, s->mean) : TML_MEAN_GOODMAN;
    w->measure = s->measure != NULL ? word_of(measures, s->measure) : OF_MISES;
    if (mean < 0) {
        return cli_wrong("--mean %s: expected goodman, gerber, soderberg or swt", s->mean);
    }
    if (w->measure < 0) {
        return cli_wrong("--measure %s: expected mises, principal or plane", s->measure);
    }
    w->line.mean = (TmlMeanRule)mean;
    w->line.ultimate = mean == TML_MEAN_SODERBERG ? s->yield : s->ultimate;
    const char *alone = s->mean != NULL          ? "--mean"
                        : s->ultimate > 0.0      ? "--ultimate"
                        : s->yield > 0.0         ? "--yield"
                        : w->measure == OF_PLANE ? "--measure plane"
                                                 : NULL;
    if (alone != NULL && s->line == NULL) {
        return cli_wrong("%s belongs to --stress-life", alone);
    }
    if (s->mean != NULL && mean != TML_MEAN_SWT && !(w->line.ultimate > 0.0)) {
        return cli_wrong("--mean %s needs %s", s->mean,
                         mean == TML_MEAN_SODERBERG ? "--yield SY" : "--ultimate SU");
    }
    if (s->yield > 0.0 && mean != TML_MEAN_SODERBERG) {
        return cli_wrong("--yield belongs to --mean soderberg");
    }
    return s->ultimate > 0.0 && mean >= TML_MEAN_SODERBERG
               ? cli_wrong("--ultimate belongs to --mean goodman and gerber")
               : CLI_GO_ON;
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
    result = result == CLI_GO_ON ? parse_rules(&w) : result;
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
