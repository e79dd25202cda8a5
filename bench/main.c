/* bench/main.c - trammel-bench: what a step costs, by measurement.
 *
 *   trammel-bench [NAME...] [--json FILE] [--results DIR] [--max-bodies N] [--repeats R]
 *
 * Without a name all benchmarks run but those that take minutes. Exit status: 0 measured, 1 not, 2
 * wrong command. Whether a limit holds is printed, never tested: the machine may be busy.
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const Bench *const all[] = {&bench_chain,    &bench_projection, &bench_krylov,
                                   &bench_micro,    &bench_orders,     &bench_violations,
                                   &bench_flexible, &bench_contact,    &bench_settle,
                                   &bench_modal,    &bench_reduction};
enum { COUNT = sizeof all / sizeof all[0] };

typedef struct Options {
    const char *json, *results;
    int max_bodies, repeats;
    bool chosen[COUNT], any;
} Options;

static int usage(void)
{
    fprintf(stderr, "usage: trammel-bench [NAME...] [--json FILE] [--results DIR] [--max-bodies N] "
                    "[--repeats R]\n");
    for (int k = 0; k < COUNT; ++k) {
        fprintf(stderr, "  %-12s %s\n", all[k]->name, all[k]->text);
    }
    return 2;
}

static bool choose(Options *o, const char *name)
{
    for (int k = 0; k < COUNT; ++k) {
        if (strcmp(all[k]->name, name) == 0) {
            o->chosen[k] = o->any = true;
            return true;
        }
    }
    return false;
}

static bool parse(int argc, char **argv, Options *o)
{
    for (int k = 1; k < argc; ++k) {
        const char *value = k + 1 < argc ? argv[k + 1] : NULL;
        if (argv[k][0] != '-') {
            if (!choose(o, argv[k])) {
                return false;
            }
            continue;
        }
        if (value == NULL) {
            return false;
        }
        if (strcmp(argv[k], "--json") == 0) {
            o->json = value;
        } else if (strcmp(argv[k], "--results") == 0) {
            o->results = value;
        } else if (strcmp(argv[k], "--max-bodies") == 0) {
            o->max_bodies = atoi(value);
        } else if (strcmp(argv[k], "--repeats") == 0) {
            o->repeats = atoi(value);
        } else {
            return false;
        }
        ++k;
    }
    return o->max_bodies > 0 && o->repeats > 0;
}

/* First line that a command prints, without its end. */
static void first_line(const char *command, char *text, size_t size)
{
    FILE *f = popen(command, "r");
    text[0] = '\0';
    if (f != NULL) {
        if (fgets(text, (int)size, f) == NULL) {
            text[0] = '\0';
        }
        pclose(f);
    }
    text[strcspn(text, "\n\"")] = '\0';
}

typedef struct Machine {
    char commit[64], processor[128];
} Machine;

static Machine machine(void)
{
    Machine m;
    first_line("git -C '" TRAMMEL_SOURCE_DIR
               "' describe --always --dirty --exclude '*' 2>/dev/null",
               m.commit, sizeof m.commit);
    first_line("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null", m.processor,
               sizeof m.processor);
    return m;
}

static bool run(const Bench *b, BenchReport *r, const Machine *m)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.csv", r->results, b->name);
    r->name = b->name;
    r->csv = fopen(path, "w");
    if (r->csv == NULL) {
        fprintf(stderr, "%s cannot be written\n", path);
        return false;
    }
    printf("# %s: %s\n", b->name, b->text);
    fprintf(r->csv, "# %s: %s\n# commit %s, compiler %s, processor %s\n", b->name, b->text,
            m->commit, BENCH_COMPILER, m->processor);
    const bool done = b->run(r);
    printf("\n");
    fclose(r->csv);
    return done;
}

static bool run_chosen(const Options *o, BenchReport *r)
{
    const Machine m = machine();
    bool done = true, first = true;
    if (r->json != NULL) {
        fprintf(r->json, "{\"commit\": \"%s\", \"compiler\": \"%s\", \"processor\": \"%s\",\n",
                m.commit, BENCH_COMPILER, m.processor);
        fputs(" \"benchmarks\": {", r->json);
    }
    for (int k = 0; k < COUNT && done; ++k) {
        if (o->any ? !o->chosen[k] : all[k]->on_demand) {
            continue;
        }
        if (r->json != NULL) {
            fprintf(r->json, "%s\n  \"%s\": {\n    \"rows\": [", first ? "" : ",", all[k]->name);
        }
        done = run(all[k], r, &m);
        if (r->json != NULL) {
            fputs("\n    ]}", r->json);
        }
        first = false;
    }
    if (r->json != NULL) {
        fputs("\n }}\n", r->json);
    }
    return done;
}

int main(int argc, char **argv)
{
    Options o = {.results = TRAMMEL_SOURCE_DIR "/bench/results", .max_bodies = 10000, .repeats = 5};
    BenchReport r = {.limits_hold = true};
    if (!parse(argc, argv, &o)) {
        return usage();
    }
    r.results = o.results;
    r.max_bodies = o.max_bodies;
    r.repeats = o.repeats;
    r.json = o.json != NULL ? fopen(o.json, "w") : NULL;
    if (o.json != NULL && r.json == NULL) {
        fprintf(stderr, "%s cannot be written\n", o.json);
        return 1;
    }
    const bool done = run_chosen(&o, &r);
    if (r.json != NULL) {
        fclose(r.json);
    }
    printf("%s\n", r.limits_hold ? "all limits hold" : "some limits do not hold");
    return done ? 0 : 1;
}
