/* io/report/report_part.c - the page of a reduced part: its modes in motion, and what it was made of.
 *
 * The part is a scene of one body that stands still and is displaced by modes; mode k moves coordinate k alone. Facts and tables
 * are texts, which the page prints as they are.
 */
#include "io/part/part_file.h"
#include "io/report/report_page.h"
#include "io/report/report_parts.h"
#include "trammel/trammel.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct Page {
    TmlReportJob job; /* its container and its arena */
    TmlReportModal body;
    const TmlReducedPart *part;
    TmlPartInfo info;
} Page;

/* --- facts and tables --------------------------------------------------------------------------------- */

/* An item of a list that is open; key NULL: only the text. */
TML_PRINTF(3, 4)
static void fact(TmlJson *j, const char *key, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (key != NULL) {
        tml_json_open(j, NULL, '[');
        tml_json_string(j, NULL, key);
    }
    tml_json_string(j, NULL, text);
    if (key != NULL) {
        tml_json_close(j);
    }
}

/* A number in a row of a table; an empty field where it is not known. */
static void number(TmlJson *j, bool known, double x)
{
    if (known) {
        fact(j, NULL, "%.9g", x);
    } else {
        tml_json_string(j, NULL, "");
    }
}

static void put_facts(TmlJson *j, const Page *p)
{
    const TmlPartInfo *i = &p->info;
    tml_json_open(j, "facts", '[');
    if (i->mesh_nodes > 0) {
        fact(j, "mesh", "%d nodes, %d freedoms", i->mesh_nodes, i->mesh_freedoms);
    }
    fact(j, "modes", "%d", i->modes);
    fact(j, "size", "%.6g m, the diagonal of the box around it", i->size);
    fact(j, "origin of the frame", "(%.6g, %.6g, %.6g) m", i->origin.x, i->origin.y, i->origin.z);
    fact(j, "stiffening", "%s, %d load case%s", i->centrifugal ? "by spin" : "not by spin",
         i->load_cases, i->load_cases == 1 ? "" : "s");
    fact(j, "nodes kept", "%d, %s stresses", i->nodes, i->stresses ? "with" : "without");
    if (i->seconds > 0.0) {
        fact(j, "reduction", "%.3g s, factors of %.3g MB", i->seconds, 1e-6 * i->factor_bytes);
    }
    tml_json_close(j);
}

/* Opens a table up to its rows; columns end with NULL. */
static void table_open(TmlJson *j, const char *title, const char *const *column)
{
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "title", title);
    tml_json_open(j, "columns", '[');
    for (int k = 0; column[k] != NULL; ++k) {
        tml_json_string(j, NULL, column[k]);
    }
    tml_json_close(j);
    tml_json_open(j, "rows", '[');
}

static void table_close(TmlJson *j)
{
    tml_json_close(j);
    tml_json_close(j);
}

/* Rounding of a sum over the mesh is shown as zero. */
static double clean(double x, double scale)
{
    return fabs(x) < 1e-12 * scale ? 0.0 : x;
}

static void mass_row(TmlJson *j, const char *name, double own, double mesh, double scale)
{
    tml_json_open(j, NULL, '[');
    tml_json_string(j, NULL, name);
    fact(j, NULL, "%.9g", clean(own, scale));
    number(j, isfinite(mesh), clean(mesh, scale));
    tml_json_close(j);
}

static void put_mass(TmlJson *j, const TmlPartInfo *i)
{
    static const char *const column[] = {"", "part", "mesh", NULL};
    const TmlMat33 *A = &i->inertia, *B = &i->mesh_inertia;
    const double scale = A->cx.x + A->cy.y + A->cz.z;
    table_open(j, "Mass, centre of mass and inertia about it", column);
    mass_row(j, "mass [kg]", i->mass, i->mesh_mass, 0.0);
    mass_row(j, "centre x [m]", i->centre.x, i->mesh_centre.x, i->size);
    mass_row(j, "centre y [m]", i->centre.y, i->mesh_centre.y, i->size);
    mass_row(j, "centre z [m]", i->centre.z, i->mesh_centre.z, i->size);
    mass_row(j, "Jxx [kg m^2]", A->cx.x, B->cx.x, scale);
    mass_row(j, "Jyy [kg m^2]", A->cy.y, B->cy.y, scale);
    mass_row(j, "Jzz [kg m^2]", A->cz.z, B->cz.z, scale);
    mass_row(j, "Jxy [kg m^2]", A->cx.y, B->cx.y, scale);
    mass_row(j, "Jyz [kg m^2]", A->cy.z, B->cy.z, scale);
    mass_row(j, "Jxz [kg m^2]", A->cx.z, B->cx.z, scale);
    table_close(j);
}

static void put_frequencies(TmlJson *j, const Page *p)
{
    static const char *const column[] = {
        "mode", "Hz", "damping", "agrees with the mesh to 1 %", "largest displacement at 1 [m]",
        NULL};
    table_open(j, "Modes of the part", column);
    for (int k = 0; k < p->info.modes; ++k) {
        const TmlPartMode m = tml_part_mode(p->part, k);
        tml_json_open(j, NULL, '[');
        fact(j, NULL, "%d", k + 1);
        fact(j, NULL, "%.9g", m.hertz);
        fact(j, NULL, "%.4g", m.ratio);
        fact(j, NULL, "%s", m.physical ? "yes" : "");
        fact(j, NULL, "%.4g", m.largest);
        tml_json_close(j);
    }
    table_close(j);
}

static void put_fixed(TmlJson *j, const Page *p)
{
    static const char *const column[] = {"mode", "Hz", "x", "y", "z", "xx", "yy", "zz", NULL};
    double sum[6] = {0};
    if (p->info.fixed_modes == 0) {
        return;
    }
    table_open(j,
               "Modes with interfaces held, and the shares of mass and moments of inertia that go "
               "with them, %",
               column);
    for (int k = 0; k <= p->info.fixed_modes; ++k) {
        const bool last = k == p->info.fixed_modes;
        const TmlPartFixedMode m = tml_part_fixed_mode(p->part, k);
        tml_json_open(j, NULL, '[');
        fact(j, NULL, "%.0d%s", last ? 0 : k + 1, last ? "all" : "");
        number(j, !last, m.hertz);
        for (int c = 0; c < 6; ++c) {
            sum[c] += last ? 0.0 : m.effective[c];
            fact(j, NULL, "%.2f", 100.0 * (last ? sum[c] : m.effective[c]));
        }
        tml_json_close(j);
    }
    table_close(j);
}

static void put_frames(TmlJson *j, const Page *p)
{
    static const char *const column[] = {"frame", "x [m]", "y [m]", "z [m]", "turns", "node", NULL};
    if (p->info.frames == 0) {
        return;
    }
    table_open(j, "Frames", column);
    for (int k = 0; k < p->info.frames; ++k) {
        const TmlPartFrameInfo f = tml_part_frame(p->part, k);
        tml_json_open(j, NULL, '[');
        fact(j, NULL, "%s", f.name);
        fact(j, NULL, "%.6g", clean(f.at.x, p->info.size));
        fact(j, NULL, "%.6g", clean(f.at.y, p->info.size));
        fact(j, NULL, "%.6g", clean(f.at.z, p->info.size));
        fact(j, NULL, "%s", f.turns ? "yes" : "no");
        number(j, f.node != 0, (double)f.node);
        tml_json_close(j);
    }
    table_close(j);
}

static void put_part(TmlJson *j, const Page *p)
{
    const char *note;
    tml_json_open(j, "part", '{');
    put_facts(j, p);
    tml_json_open(j, "tables", '[');
    put_mass(j, &p->info);
    put_frequencies(j, p);
    put_fixed(j, p);
    put_frames(j, p);
    tml_json_close(j);
    tml_json_open(j, "notes", '[');
    for (int k = 0; (note = tml_part_note(p->part, k)) != NULL; ++k) {
        tml_json_string(j, NULL, note);
    }
    tml_json_close(j);
    tml_json_close(j);
}

/* --- the picture -------------------------------------------------------------------------------------- */

static bool has_surface(const Page *p)
{
    return p->body.part.shape != NULL && p->body.part.n_triangles > 0;
}

static TmlStatus put_scene(Page *p, TmlError *err)
{
    TmlJson *j = &p->job.c.json;
    tml_json_open(j, "scene", '{');
    tml_json_number(j, "size", p->info.size);
    tml_json_open(j, "bodies", '[');
    tml_json_raw(j, NULL, "{\"name\":\"ground\",\"shapes\":[]}");
    tml_json_open(j, NULL, '{');
    tml_json_string(j, "name", p->info.name);
    tml_json_raw(j, "shapes", "[]");
    tml_json_close(j);
    tml_json_close(j);
    tml_json_open(j, "modal", '[');
    TML_TRY(tml_report_modal_body(&p->job, &p->body, p->info.name, err));
    tml_json_close(j);
    tml_json_close(j);
    return TML_OK;
}

static TmlStatus put_block(Page *p, const char *key, int n, const int *dim, const double *x,
                           TmlError *err)
{
    TmlBlockSpec spec = {.type = TML_BLOCK_F32, .rank = n};
    for (int k = 0; k < n; ++k) {
        spec.dim[k] = dim[k];
    }
    return tml_block_values(&p->job.c, key, &spec, x, err);
}

/* One row: the part at rest in the place of its mesh. */
static TmlStatus put_rest(Page *p, TmlError *err)
{
    TmlJson *j = &p->job.c.json;
    const TmlVec3 o = p->info.origin;
    const double time = 0.0, position[3] = {o.x, o.y, o.z}, turn[4] = {1.0, 0.0, 0.0, 0.0};
    const int m = p->info.modes;
    double *zero;
    TML_NEW(&p->job.file.arena, zero, m + 1);
    tml_json_open(j, "frames", '{');
    TML_TRY(put_block(p, "time", 1, (int[]){1}, &time, err));
    TML_TRY(put_block(p, "position", 3, (int[]){1, 1, 3}, position, err));
    TML_TRY(put_block(p, "orientation", 3, (int[]){1, 1, 4}, turn, err));
    tml_json_open(j, "modal", '[');
    tml_json_open(j, NULL, '{');
    TML_TRY(put_block(p, "coordinates", 2, (int[]){1, m}, zero, err));
    tml_json_close(j);
    tml_json_close(j);
    tml_json_close(j);
    return TML_OK;
}

/* Mode k: coordinate k is one, all others are zero. */
static TmlStatus put_modes(Page *p, TmlError *err)
{
    TmlJson *j = &p->job.c.json;
    const int m = p->info.modes;
    double *x;
    TML_NEW(&p->job.file.arena, x, 2 * (size_t)m * (size_t)m + 1);
    tml_json_open(j, "modes", '{');
    tml_json_open(j, "list", '[');
    for (int k = 0; k < m; ++k) {
        const TmlPartMode one = tml_part_mode(p->part, k);
        const double w = 2.0 * acos(-1.0) * one.hertz, root = 1.0 - one.ratio * one.ratio;
        x[(size_t)k * (size_t)(2 * m + 1)] = 1.0;
        tml_json_open(j, NULL, '{');
        tml_json_number(j, "real", -one.ratio * w);
        tml_json_number(j, "imag", root > 0.0 ? w * sqrt(root) : 0.0);
        tml_json_number(j, "frequency", root > 0.0 ? one.hertz * sqrt(root) : 0.0);
        tml_json_number(j, "natural_frequency", one.hertz);
        tml_json_number(j, "damping_ratio", one.ratio);
        tml_json_string(j, "remark", one.physical ? "agrees with the mesh to 1 %" : "");
        tml_json_close(j);
    }
    tml_json_close(j);
    tml_json_open(j, "modal", '[');
    TML_TRY(put_block(p, NULL, 3, (int[]){m, 2, m}, x, err));
    tml_json_close(j);
    tml_json_close(j);
    return TML_OK;
}

/* --- the page ----------------------------------------------------------------------------------------- */

static TmlStatus fill(Page *p, TmlError *err)
{
    TmlJson *j = &p->job.c.json;
    TML_TRY(tml_container_open(&p->job.c, err));
    tml_json_open(j, NULL, '{');
    tml_json_int(j, "format", 1);
    tml_json_string(j, "trammel", TML_VERSION);
    tml_json_string(j, "title", p->info.name);
    tml_json_string(j, "status", "");
    if (has_surface(p) && p->info.modes > 0) { // parts from matrices have nothing to look at
        TML_TRY(put_scene(p, err));
        TML_TRY(put_rest(p, err));
        TML_TRY(put_modes(p, err));
    }
    put_part(j, p);
    tml_json_raw(j, "compare", NULL);
    tml_json_close(j);
    return TML_OK;
}

TmlStatus tml_report_part(const TmlReducedPart *part, const char *html,
                          const TmlReportOptions *options, TmlError *err)
{
    const TmlReportOptions o = tml_report_options(options);
    Page p = {.part = part, .info = tml_part_info(part)};
    TmlPage page;
    p.body = (TmlReportModal){.part = *tml_reduced_part(part), .body = 1};
    TmlStatus status = tml_page_open(&o, &page, err);
    status = status == TML_OK ? fill(&p, err) : status;
    if (status == TML_OK) {
        status = tml_page_write(&page, 1, (TmlContainer *const[]){&p.job.c}, html, err);
    }
    tml_container_close(&p.job.c);
    tml_arena_free(&p.job.file.arena);
    tml_page_close(&page);
    return status;
}
