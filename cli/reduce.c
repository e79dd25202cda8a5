/* cli/reduce.c - trammel reduce: a finite-element part becomes one of modes. */
#include "cli.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>

typedef struct ReduceSettings {
    CliPairs set;
    const char *out, *report;
    bool quiet, strict;
} ReduceSettings;

static const CliOption reduce_options[] = {
    {"output", 'o', CLI_TEXT, "PART.h5", "the reduced part, for modal bodies",
     offsetof(ReduceSettings, out)},
    {"report", 0, CLI_TEXT, "OUT.html",
     "write a page that shows the modes in motion, mass and inertia",
     offsetof(ReduceSettings, report)},
    {"set", 0, CLI_PAIR, "NAME=VALUE",
     "change a parameter, for example to '20 mm'; may be repeated", offsetof(ReduceSettings, set)},
    {"strict", 0, CLI_FLAG, NULL, "fail if anything is left out or assumed",
     offsetof(ReduceSettings, strict)},
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(ReduceSettings, quiet)},
    {0},
};

/* Rounding of a sum over the mesh is shown as zero. */
static double clean(double x, double scale)
{
    return fabs(x) < 1e-12 * scale ? 0.0 : x;
}

static void print_vec(const char *name, TmlVec3 x, double scale, const char *unit)
{
    printf("  %-22s %14.8g %14.8g %14.8g  %s\n", name, clean(x.x, scale), clean(x.y, scale),
           clean(x.z, scale), unit);
}

static void print_inertia(const char *name, TmlMat33 J)
{
    const double scale = J.cx.x + J.cy.y + J.cz.z;
    print_vec(name, (TmlVec3){J.cx.x, J.cy.y, J.cz.z}, scale, "kg m^2 (xx yy zz)");
    print_vec("", (TmlVec3){J.cx.y, J.cy.z, J.cx.z}, scale, "kg m^2 (xy yz xz)");
}

static void print_mass(const TmlPartInfo *i)
{
    printf("  %-22s %14.8g  kg; of the mesh %.8g\n", "mass", i->mass, i->mesh_mass);
    print_vec("centre of mass", i->centre, i->size, "m");
    print_vec("  of the mesh", i->mesh_centre, i->size, "m");
    print_inertia("inertia", i->inertia);
    print_inertia("  of the mesh", i->mesh_inertia);
}

static void print_frames(const TmlReducedPart *part, const TmlPartInfo *i)
{
    for (int k = 0; k < i->frames; ++k) {
        const TmlPartFrameInfo f = tml_part_frame(part, k);
        char name[64];
        snprintf(name, sizeof name, "frame %s", f.name);
        char unit[64];
        char node[32] = "";
        if (f.node != 0) {
            snprintf(node, sizeof node, ", node %lld", (long long)f.node);
        }
        snprintf(unit, sizeof unit, "m%s%s", f.turns ? "" : ", without rotation", node);
        print_vec(name, f.at, i->size, unit);
    }
}

static void print_loads(const TmlReducedPart *part, const TmlPartInfo *i)
{
    for (int k = 0; k < i->loads; ++k) {
        const TmlPartLoadInfo l = tml_part_load_case(part, k);
        char name[64];
        snprintf(name, sizeof name, "load %s", l.name);
        const double force = fabs(l.force.x) + fabs(l.force.y) + fabs(l.force.z);
        const double torque = fabs(l.torque.x) + fabs(l.torque.y) + fabs(l.torque.z);
        print_vec(name, l.force, force, "N");
        print_vec("", l.torque, fmax(torque, force * i->size), "N m about the mesh's origin");
    }
}

static void print_fixed(const TmlReducedPart *part, const TmlPartInfo *i)
{
    double sum[6] = {0};
    if (i->fixed_modes == 0) {
        return;
    }
    printf("\nmodes with interfaces held, and the shares of mass and moments of inertia (%%) that "
           "go with "
           "them\n      Hz               x      y      z     xx     yy     zz\n");
    for (int k = 0; k < i->fixed_modes; ++k) {
        const TmlPartFixedMode m = tml_part_fixed_mode(part, k);
        printf("%4d  %-14.10g", k + 1, m.hertz);
        for (int c = 0; c < 6; ++c) {
            printf(" %6.2f", 100.0 * m.effective[c]);
            sum[c] += 100.0 * m.effective[c];
        }
        printf("\n");
    }
    printf("      all           ");
    for (int c = 0; c < 6; ++c) {
        printf(" %6.2f", sum[c]);
    }
    printf("\n");
}

static void print_modes(const TmlReducedPart *part, const TmlPartInfo *i)
{
    printf(
        "\nmodes of the part: frequency, damping ratio; * where the frequency is that of the mesh "
        "to about 1 %%\n");
    for (int k = 0; k < i->modes; ++k) {
        const TmlPartMode m = tml_part_mode(part, k);
        printf("%4d  %14.10g Hz  %6.4f %s\n", k + 1, m.hertz, m.ratio, m.physical ? "*" : "");
    }
}

static void print_part(const TmlReducedPart *part)
{
    const TmlPartInfo i = tml_part_info(part);
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    printf("%s: %d nodes, %d freedoms, %d modes\n", i.name, i.mesh_nodes, i.mesh_freedoms, i.modes);
    print_mass(&i);
    printf("  %-22s %14.8g  m, the diagonal of the box around it\n", "size", i.size);
    print_vec("origin of the frame", i.origin, i.size, "m");
    print_frames(part, &i);
    print_loads(part, &i);
    print_fixed(part, &i);
    print_modes(part, &i);
    if (i.attachments > 0) {
        printf("%d static shapes of loads among them\n", i.attachments);
    }
    printf("\n%s stiffening, %d load case%s that stiffen%s, stresses %s\n",
           i.centrifugal ? "with centrifugal" : "without centrifugal", i.load_cases,
           i.load_cases == 1 ? "" : "s", i.load_cases == 1 ? "s" : "",
           i.stresses ? "kept" : "not kept");
    printf("took %.2f s; factors %.1f MB, memory at most %.0f MB\n", i.seconds,
           1e-6 * i.factor_bytes, 1e-3 * (double)use.ru_maxrss);
}

/* Notes on standard error; --strict makes them errors. */
static int print_notes(const TmlReducedPart *part, const ReduceSettings *s)
{
    int n = 0;
    for (const char *note = tml_part_note(part, 0); note != NULL; note = tml_part_note(part, ++n)) {
        if (!s->quiet || s->strict) {
            fprintf(stderr, "%s: %s\n", s->strict ? "error" : "note", note);
        }
    }
    return s->strict && n > 0 ? 1 : CLI_GO_ON;
}

static int reduce_run(const CliCommand *self, int argc, char **argv)
{
    ReduceSettings s = {0};
    int n = 0;
    int result = cli_parse(self, argc, argv, &s, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    result = s.report != NULL ? cli_html_check(s.report, argv[0]) : result;
    if (result == CLI_GO_ON && cli_same_file(argv[0], s.out)) {
        result = cli_wrong("'%s' is read and would be written over", s.out);
    }
    if (result != CLI_GO_ON) {
        cli_pairs_free(&s.set);
        return result;
    }
    TmlError err = {0};
    TmlReducedPart *part = NULL;
    TmlStatus status = tml_part_reduce(argv[0], s.set.n, s.set.key, s.set.value, &part, &err);
    cli_pairs_free(&s.set);
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    result = print_notes(part, &s);
    for (int k = 0; result == CLI_GO_ON && tml_part_input(part, k) != NULL; ++k) {
        const char *const out[] = {s.out, s.report};
        for (int i = 0; i < 2 && result == CLI_GO_ON; ++i) {
            if (cli_same_file(tml_part_input(part, k), out[i])) {
                result = cli_wrong("'%s' is read and would be written over", out[i]);
            }
        }
    }
    if (result == CLI_GO_ON) {
        status = s.out != NULL ? tml_part_write(part, s.out, &err) : TML_OK;
        if (status == TML_OK && s.report != NULL) {
            status = tml_report_part(part, s.report, NULL, &err);
        }
        result = status == TML_OK ? CLI_GO_ON : cli_fail(status, &err);
    }
    if (result == CLI_GO_ON) {
        if (!s.quiet) {
            print_part(part);
        }
        result = 0;
    }
    tml_part_free(part);
    return result;
}

const CliCommand cli_reduce = {
    .name = "reduce",
    .arguments = "PART.yaml",
    .text = "Reduce a finite-element part (mesh or matrices) to modes.",
    .n_min = 1,
    .n_max = 1,
    .options = reduce_options,
    .run = reduce_run,
};
