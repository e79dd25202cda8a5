/* bench/reduction.c - what a reduction costs over the number of nodes: processor time, memory, factors.
 *
 * A bar of bricks of twenty nodes, both ends rigid interfaces, 20 modes with these held, stresses at the surface: some 10^4 and 10^5
 * nodes. Each reduction is a process of its own. The mesh is written to a file and read again, as a user has it.
 */
#include "bench.h"

#include "trammel/part.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Case {
    int across, along; /* cells */
} Case;

static const char *const columns[] = {"nodes",    "freedoms",  "modes",
                                      "reduce_s", "factor_MB", "peak_MB"};
enum { C_NODES, C_FREEDOMS, C_MODES, C_REDUCE, C_FACTOR, C_PEAK, C_COUNT };

/* Number of the node at half steps; 0: a brick of twenty nodes has none there. */
static int number(const Case *c, int i, int j, int k)
{
    const int odd = i % 2 + j % 2 + k % 2, side = 2 * c->across + 1;
    return odd > 1 ? 0 : 1 + i + (2 * c->along + 1) * (j + side * k);
}

static void write_nodes(FILE *f, const Case *c)
{
    const double h = 0.5 / c->along, w = 0.03 / c->across; // 1 m, 60 mm x 60 mm
    fprintf(f, "*NODE\n");
    for (int k = 0; k <= 2 * c->across; ++k) {
        for (int j = 0; j <= 2 * c->across; ++j) {
            for (int i = 0; i <= 2 * c->along; ++i) {
                if (number(c, i, j, k) > 0) {
                    fprintf(f, "%d, %.9g, %.9g, %.9g\n", number(c, i, j, k), h * i, w * j, w * k);
                }
            }
        }
    }
}

static void write_elements(FILE *f, const Case *c)
{
    static const int at[20][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2},
                                  {2, 0, 2}, {2, 2, 2}, {0, 2, 2}, {1, 0, 0}, {2, 1, 0},
                                  {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2}, {1, 2, 2},
                                  {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
    fprintf(f, "*ELEMENT, TYPE=C3D20, ELSET=ALL\n");
    for (int e = 0; e < c->across * c->across * c->along; ++e) {
        const int i = e % c->along, j = e / c->along % c->across, k = e / (c->along * c->across);
        fprintf(f, "%d", e + 1);
        for (int a = 0; a < 20; ++a) {
            fprintf(f, "%s%d", a == 10 ? ",\n" : ", ",
                    number(c, 2 * i + at[a][0], 2 * j + at[a][1], 2 * k + at[a][2]));
        }
        fprintf(f, "\n");
    }
}

static bool write_all(const Case *c, const char *mesh, const char *part)
{
    FILE *f = fopen(mesh, "w");
    if (f == NULL) {
        return false;
    }
    write_nodes(f, c);
    write_elements(f, c);
    bool done = fclose(f) == 0;
    f = fopen(part, "w");
    if (f == NULL) {
        return false;
    }
    fprintf(f, "part: bar\nmesh: bar.inp\n"
               "material: {young: 210 GPa, poisson: 0.3, density: 7850}\n"
               "interfaces:\n"
               "  root: {box: [[0, 0, 0], [0, 1, 1]]}\n"
               "  tip: {box: [[1, 0, 0], [1, 1, 1]]}\n"
               "modes: 20\ndamping: 0.01\n");
    done = fclose(f) == 0 && done;
    return done;
}

static bool measure(void *arg, double *out)
{
    const Case *c = arg;
    TmlError err;
    TmlReducedPart *part = NULL;
    char folder[64], mesh[96], description[96];
    snprintf(folder, sizeof folder, "/tmp/trammel-reduction-%ld", (long)getpid());
    snprintf(mesh, sizeof mesh, "%s/bar.inp", folder);
    snprintf(description, sizeof description, "%s/bar.yaml", folder);
    bool done = mkdir(folder, 0700) == 0 && write_all(c, mesh, description);
    const double start = bench_seconds();
    done = done && bench_done(tml_part_reduce(description, 0, NULL, NULL, &part, &err), &err);
    out[C_REDUCE] = bench_seconds() - start;
    remove(mesh);
    remove(description);
    rmdir(folder);
    if (done) {
        const TmlPartInfo i = tml_part_info(part);
        out[C_NODES] = i.mesh_nodes;
        out[C_FREEDOMS] = i.mesh_freedoms;
        out[C_MODES] = i.modes;
        out[C_FACTOR] = 1e-6 * i.factor_bytes;
        out[C_PEAK] = 1e-3 * bench_peak();
    }
    return done; // the process ends here: nothing to free
}

static bool reduction_run(BenchReport *r)
{
    Case all[] = {{6, 60}, {12, 180}};
    double nodes[2], seconds[2];
    bench_columns(r, columns, C_COUNT);
    for (int k = 0; k < 2; ++k) {
        double row[C_COUNT];
        char text[64];
        if (!bench_apart(measure, &all[k], row, C_COUNT)) {
            return false;
        }
        snprintf(text, sizeof text, "%.0f nodes", row[C_NODES]);
        bench_row(r, text, "craig_bampton", row);
        nodes[k] = row[C_NODES];
        seconds[k] = row[C_REDUCE];
    }
    bench_fact(r, "exponent of the time of a reduction", bench_exponent(nodes, seconds, 2), 2.0);
    bench_fact(r, "seconds of the larger reduction", seconds[1], 600.0);
    return true;
}

const Bench bench_reduction = {"reduction", "reduction of parts of 10^4 and 10^5 nodes",
                               reduction_run, true};
