/* model/constraint/screw.c - a cylindrical joint whose displacement follows its angle.
 *
 *   (W1)  x_i . d = 0,  y_i . d = 0,  x_i . z_j = 0,  y_i . z_j = 0      as a cylindrical joint
 *   (W2)  z_i . d - pitch / (2 pi) phi = its initial value               phi: TML_PRIM_ANGLE
 *
 * memory[0] is how far phi was from its start at the last accepted state, so that turns count. The
 * two parts of (W2) are evaluated as rows 4 and 5 and added up.
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#screw
 */
#include "math/vec3.h"
#include "model/primitive/primitive.h"
#include "model/registry.h"

enum { ROWS = 5, PARTS = 6, ALONG = 4, ANGLE = 5 };

typedef struct ScrewData {
    double pitch;  // m per turn, right-handed when positive
    double start;  // phi at the start, principal angle
    double offset; // left side of (W2) at the start
} ScrewData;

static const TmlPrim screw_prims[PARTS] = {
    {TML_PRIM_ALONG, .axis_i = 0},
    {TML_PRIM_ALONG, .axis_i = 1},
    {TML_PRIM_DOT, .axis_i = 0, .axis_j = 2},
    {TML_PRIM_DOT, .axis_i = 1, .axis_j = 2},
    {TML_PRIM_ALONG, .axis_i = 2},
    {.kind = TML_PRIM_ANGLE},
};

static const char *const screw_rows[] = {
    "translation along x", "translation along y", "rotation about y",
    "rotation about x",    "advance along z",
};

/* Factor of the angle in (W2). */
static double lead(const ScrewData *p)
{
    return -p->pitch / 6.283185307179586476925287;
}

static double angle(const TmlFrameKin *e, double last)
{
    return tml_prim_value(&screw_prims[ANGLE], &e[0], &e[1], last);
}

static double advance(const ScrewData *p, const TmlFrameKin *e, double last)
{
    return tml_prim_value(&screw_prims[ALONG], &e[0], &e[1], 0.0) +
           lead(p) * angle(e, last); // (W2)
}

static TmlStatus screw_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    ScrewData *p = data;
    (void)n_ends, (void)err;
    p->start = angle(e, 0.0);
    p->offset = advance(p, e, p->start);
    return TML_OK;
}

static void screw_residual(const TmlElementIn *in, double *phi)
{
    const ScrewData *p = in->data;
    tml_prims_residual(screw_prims, ROWS, in, phi); // (W1)
    phi[ALONG] = advance(p, in->e, p->start + in->memory[0]) - p->offset;
}

/* Rows of PARTS to rows of the joint: the angle's are added to the displacement's. */
static void fold(const ScrewData *p, const TmlRow *part, TmlRow *row)
{
    for (int k = 0; k < 2 * ROWS; ++k) {
        row[k] = part[k];
    }
    for (int end = 0; end < 2; ++end) {
        TmlRow *sum = &row[2 * ALONG + end];
        sum->r = v3_axpy(lead(p), part[2 * ANGLE + end].r, sum->r);
        sum->theta = v3_axpy(lead(p), part[2 * ANGLE + end].theta, sum->theta);
    }
}

static void screw_jacobian(const TmlElementIn *in, TmlRow *J)
{
    TmlRow part[2 * PARTS];
    tml_prims_jacobian(screw_prims, PARTS, in, part);
    fold(in->data, part, J);
}

static void screw_gamma(const TmlElementIn *in, double *gamma)
{
    double part[PARTS];
    tml_prims_gamma(screw_prims, PARTS, in, part);
    for (int k = 0; k < ROWS; ++k) {
        gamma[k] = part[k];
    }
    gamma[ALONG] += lead(in->data) * part[ANGLE];
}

static void screw_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    double part[PARTS];
    for (int k = 0; k < ROWS; ++k) {
        part[k] = lambda[k];
    }
    part[ANGLE] = lead(in->data) * lambda[ALONG];
    tml_prims_curvature(screw_prims, PARTS, in, part, K);
}

static void screw_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    TmlRow m[2 * PARTS], v[2 * PARTS];
    tml_prims_gamma_tangent(screw_prims, PARTS, in, m, v);
    fold(in->data, m, Gm);
    fold(in->data, v, Gv);
}

static void screw_commit(const TmlElementIn *in, double *memory)
{
    const ScrewData *p = in->data;
    memory[0] = angle(in->e, p->start + in->memory[0]) - p->start;
}

static const TmlParam screw_params[] = {
    {"pitch", TML_PARAM_REAL, TML_ANY, "m", offsetof(ScrewData, pitch), NULL,
     "displacement per turn, positive for a right-handed screw", NULL},
    {0},
};

TML_CONSTRAINT_TYPE(screw) = {
    .info = {.name = "screw",
             .text = "A cylindrical joint whose displacement follows its angle by the pitch.",
             .data_size = sizeof(ScrewData),
             .params = screw_params},
    .ends = TML_ENDS_FRAMES,
    .rows = ROWS,
    .n_memory = 1,
    .row_names = screw_rows,
    .has_angle = true,
    .has_displacement = true,
    .prepare = screw_prepare,
    .residual = screw_residual,
    .jacobian = screw_jacobian,
    .gamma = screw_gamma,
    .curvature = screw_curvature,
    .gamma_tangent = screw_gamma_tangent,
    .commit = screw_commit,
};
