/* model/measure/measure.c - measures at position level: distances and angles, with all derivatives.
 *
 * d = r_to - r_from, c an axis of the third frame with angular velocity w, all in global axes:
 *
 *   (M1)  s = c . d
 *   (M2)  ds = c . dd + (c x d) . dtheta
 *   (M3)  d(c) = -c~ dtheta,  d(c x d) = d~ c~ dtheta + c~ dd
 *   (M4)  s'' = c . g,  g = w x (w x d) + 2 d' x w          at zero accelerations
 *   (M5)  ds'' = (w x (w x c)) . dd + (c x g) . dtheta + 2 (w x c) . dd'
 *                + [c (w . d) + d (w . c) - 2 w (c . d) + 2 c x d'] . dw
 *
 * The three angles are functions of entries R_ab = a_from . b_to of the relative rotation (the
 * primitive P2), so everything follows from the chain rule. With z = c + i s:
 *
 *   (M6)  atan2(s, c) = Im log z;  d^n / ds^a dc^(n-a) = Im(i^a (-1)^(n-1) (n-1)! / z^n)
 *   (M7)  psi = atan2(R_xz, -R_yz)  theta = acos R_zz  phi = atan2(R_zx, R_zy)          3-1-3
 *   (M8)  yaw = atan2(R_yx, R_xx)  pitch = -asin R_zx  roll = atan2(R_zy, R_zz)         3-2-1
 *         projx = atan2(-R_yz, R_zz)  projy = atan2(R_xz, R_zz)  projz = yaw
 *         Where the first and the third axis are parallel, only psi + phi or psi - phi is known:
 *         phi = 0 and psi = atan2(R_yx, R_xx); roll = 0 and yaw = atan2(-R_xy, R_yy)
 *   (M9)  y = f(p):  y'' = f_a p_a'' + f_ab p_a' p_b', and its derivative: measure_chain.h
 *
 * Derivation: docs/theory/forces.md#measures
 */
#include "model/measure/measure.h"

#include "math/vec3.h"
#include "model/measure/measure_chain.h"
#include "model/primitive/primitive.h"

#include <float.h>
#include <string.h>

// one angle of a sequence: atan2(sign0 R_0, sign1 R_1), or acos and asin of sign0 R_0 alone; or R_0
typedef enum EulerForm { EULER_ATAN2, EULER_ACOS, EULER_ASIN, EULER_COSINE } EulerForm;

typedef struct EulerRule {
    EulerForm form;
    struct EulerEntry {
        TmlPrim prim; // DOT: axis of `from`, axis of `to`
        double sign;
    } entry[2];
    const struct EulerRule *locked; // what counts where both entries vanish; NULL: the angle is 0
} EulerRule;

enum { X, Y, Z };

#define ENTRY(a, b, sign)                                                                          \
    {                                                                                              \
        {TML_PRIM_DOT, a, b}, sign                                                                 \
    }
#define TURN(s, c, locked)                                                                         \
    {                                                                                              \
        EULER_ATAN2, {s, c}, locked                                                                \
    }
#define ARC(form, entry)                                                                           \
    {                                                                                              \
        form, {entry, ENTRY(X, X, 0.0)}, NULL                                                      \
    }

static const EulerRule locked_psi = TURN(ENTRY(Y, X, 1.0), ENTRY(X, X, 1.0), NULL);
static const EulerRule locked_yaw = TURN(ENTRY(X, Y, -1.0), ENTRY(Y, Y, 1.0), NULL);

static const EulerRule euler_rules[] = {
    [TML_EULER_PSI] = TURN(ENTRY(X, Z, 1.0), ENTRY(Y, Z, -1.0), &locked_psi), // (M7)
    [TML_EULER_THETA] = ARC(EULER_ACOS, ENTRY(Z, Z, 1.0)),
    [TML_EULER_PHI] = TURN(ENTRY(Z, X, 1.0), ENTRY(Z, Y, 1.0), NULL),
    [TML_EULER_YAW] = TURN(ENTRY(Y, X, 1.0), ENTRY(X, X, 1.0), &locked_yaw), // (M8)
    [TML_EULER_PITCH] = ARC(EULER_ASIN, ENTRY(Z, X, -1.0)),
    [TML_EULER_ROLL] = TURN(ENTRY(Z, Y, 1.0), ENTRY(Z, Z, 1.0), NULL),
    [TML_EULER_PROJECTED + 0] = TURN(ENTRY(Y, Z, -1.0), ENTRY(Z, Z, 1.0), NULL),
    [TML_EULER_PROJECTED + 1] = TURN(ENTRY(X, Z, 1.0), ENTRY(Z, Z, 1.0), NULL),
    [TML_EULER_PROJECTED + 2] = TURN(ENTRY(Y, X, 1.0), ENTRY(X, X, 1.0), NULL),
    [TML_EULER_COSINE + 0] = ARC(EULER_COSINE, ENTRY(X, X, 1.0)),
    [TML_EULER_COSINE + 1] = ARC(EULER_COSINE, ENTRY(X, Y, 1.0)),
    [TML_EULER_COSINE + 2] = ARC(EULER_COSINE, ENTRY(X, Z, 1.0)),
    [TML_EULER_COSINE + 3] = ARC(EULER_COSINE, ENTRY(Y, X, 1.0)),
    [TML_EULER_COSINE + 4] = ARC(EULER_COSINE, ENTRY(Y, Y, 1.0)),
    [TML_EULER_COSINE + 5] = ARC(EULER_COSINE, ENTRY(Y, Z, 1.0)),
    [TML_EULER_COSINE + 6] = ARC(EULER_COSINE, ENTRY(Z, X, 1.0)),
    [TML_EULER_COSINE + 7] = ARC(EULER_COSINE, ENTRY(Z, Y, 1.0)),
    [TML_EULER_COSINE + 8] = ARC(EULER_COSINE, ENTRY(Z, Z, 1.0)),
};

int tml_position_slots(TmlLeafKind kind)
{
    return kind == TML_LEAF_ALONG ? 3 : 2;
}

bool tml_position_turns(TmlLeafKind kind, int axis)
{
    return kind == TML_LEAF_ANGLE ||
           (kind == TML_LEAF_EULER && euler_rules[axis].form == EULER_ATAN2);
}

static TmlVec3 column(const TmlMat33 *A, int k)
{
    return k == 0 ? A->cx : k == 1 ? A->cy : A->cz;
}

/* K += B at rows and columns of 3, K of order n. */
static void block_add(double *K, int n, int row, int col, double s, const TmlMat33 *B)
{
    const TmlVec3 cols[3] = {B->cx, B->cy, B->cz};
    for (int c = 0; c < 3; ++c) {
        K[(row + 0) * n + col + c] += s * cols[c].x;
        K[(row + 1) * n + col + c] += s * cols[c].y;
        K[(row + 2) * n + col + c] += s * cols[c].z;
    }
}

/* --- distance along an axis ---------------------------------------------------------------- */

static void along_curvature(TmlVec3 c, TmlVec3 d, double *K)
{
    enum { N = 18, R_FROM = 0, R_TO = 6, THETA = 15 };
    const TmlMat33 cs = m3_skew(c), dc = m3_skew_skew(d, c);
    block_add(K, N, R_TO, THETA, -1.0, &cs); // (M3)
    block_add(K, N, R_FROM, THETA, 1.0, &cs);
    block_add(K, N, THETA, R_TO, 1.0, &cs);
    block_add(K, N, THETA, R_FROM, -1.0, &cs);
    block_add(K, N, THETA, THETA, 1.0, &dc);
}

static void along_eval(const TmlLeaf *leaf, const TmlFrameKin *const e[3], int level,
                       TmlPosition *out)
{
    const TmlVec3 c = column(&e[2]->A, leaf->axis), w = e[2]->omega;
    const TmlVec3 d = v3_sub(e[1]->r, e[0]->r), d_dot = v3_sub(e[1]->v, e[0]->v);
    out->value = v3_dot(c, d); // (M1)
    if (level < 1) {
        return;
    }
    out->J[0] = (TmlRow){.r = v3_neg(c)}; // (M2)
    out->J[1] = (TmlRow){.r = c};
    out->J[2] = (TmlRow){.theta = v3_cross(c, d)};
    if (level < 2) {
        return;
    }
    const TmlVec3 wwd = v3_cross(w, v3_cross(w, d)), wwc = v3_cross(w, v3_cross(w, c));
    const TmlVec3 g = v3_axpy(2.0, v3_cross(d_dot, w), wwd);
    along_curvature(c, d, out->K);
    out->second = v3_dot(c, g); // (M4)
    if (level < 3) {
        return;
    }
    TmlVec3 by_w = v3_scale(v3_dot(w, d), c); // (M5)
    by_w = v3_axpy(v3_dot(w, c), d, by_w);
    by_w = v3_axpy(-2.0 * v3_dot(c, d), w, by_w);
    by_w = v3_axpy(2.0, v3_cross(c, d_dot), by_w);
    const TmlVec3 by_v = v3_scale(2.0, v3_cross(w, c));
    out->Sm[0] = (TmlRow){.r = v3_neg(wwc)};
    out->Sm[1] = (TmlRow){.r = wwc};
    out->Sm[2] = (TmlRow){.theta = v3_cross(c, g)};
    out->Sv[0] = (TmlRow){.r = v3_neg(by_v)};
    out->Sv[1] = (TmlRow){.r = by_v};
    out->Sv[2] = (TmlRow){.theta = by_w};
}

/* --- single primitives: distance and angle -------------------------------------------------- */

static void prim_eval(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j, double turns,
                      int level, TmlPosition *out)
{
    out->value = tml_prim_value(p, i, j, turns);
    if (level >= 1) {
        tml_prim_rows(p, i, j, &out->J[0], &out->J[1]);
    }
    if (level >= 2) {
        tml_prim_curvature(p, i, j, 1.0, out->K);
        out->second = tml_prim_second_rate(p, i, j);
    }
    if (level >= 3) {
        tml_prim_second_rate_tangent(p, i, j, &out->Sm[0], &out->Sm[1], &out->Sv[0], &out->Sv[1]);
    }
}

/* The frame with its axes renamed so that axis k becomes z. */
static TmlFrameKin frame_cycled(const TmlFrameKin *e, int k)
{
    TmlFrameKin f = *e;
    f.A = (TmlMat33){column(&e->A, (k + 1) % 3), column(&e->A, (k + 2) % 3), column(&e->A, k)};
    return f;
}

/* --- the angles of a sequence ---------------------------------------------------------------- */

/* (M6): g, H, T of atan2(s, c) in the variables (s, c). */
static void atan2_jet(double s, double c, TmlJet *jet)
{
    const double rho = s * s + c * c, scale = rho > DBL_MIN ? 1.0 / rho : 0.0;
    const double w1[2] = {c * scale, -s * scale}; // 1/z, then its powers
    const double w2[2] = {w1[0] * w1[0] - w1[1] * w1[1], 2.0 * w1[0] * w1[1]};
    const double w3[2] = {w2[0] * w1[0] - w2[1] * w1[1], w2[0] * w1[1] + w2[1] * w1[0]};
    jet->value = atan2(s, c);
    jet->g[0] = w1[0];
    jet->g[1] = w1[1];
    for (int k = 0; k < 4; ++k) {
        const int a = 2 - (k & 1) - (k >> 1); // how often by s
        jet->H[k] = a == 2 ? w2[1] : a == 1 ? -w2[0] : -w2[1];
    }
    for (int k = 0; k < 8; ++k) {
        const int a = 3 - (k & 1) - (k >> 1 & 1) - (k >> 2);
        jet->T[k] = a == 3   ? -2.0 * w3[0]
                    : a == 2 ? -2.0 * w3[1]
                    : a == 1 ? 2.0 * w3[0]
                             : 2.0 * w3[1];
    }
}

/* asin p and acos p = pi/2 - asin p; at |p| = 1 the slope is cut off where rounding of p hides
 * the angle anyway. */
static void arc_jet(EulerForm form, double p, TmlJet *jet)
{
    if (form == EULER_COSINE) { // the entry itself
        *jet->g = 1.0;
        *jet->H = *jet->T = 0.0;
        jet->value = p;
        return;
    }
    const double x = fmin(fmax(p, -1.0), 1.0), q = fmax(1.0 - x * x, DBL_EPSILON), r = sqrt(q);
    const double s = form == EULER_ASIN ? 1.0 : -1.0;
    jet->value = form == EULER_ASIN ? asin(x) : acos(x);
    jet->g[0] = s / r;
    jet->H[0] = s * x / (q * r);
    jet->T[0] = s * (1.0 + 2.0 * x * x) / (q * q * r);
}

static void euler_curvature(const TmlJet *jet, const TmlPosition *p, int n, double *K)
{
    for (int a = 0; a < n; ++a) {
        for (int k = 0; k < 144; ++k) {
            K[k] += jet->g[a] * p[a].K[k];
        }
        for (int b = 0; b < n; ++b) {
            tml_chain_outer(K, 2, jet->H[a * n + b], p[a].J, p[b].J);
        }
    }
}

/* Below this both entries are rounding, and the acos between them is zero to all its digits. */
static const double lock = 1e-8;

/* The rule that counts; NULL: the angle is zero. */
static const EulerRule *rule_at(const TmlLeaf *leaf, const TmlFrameKin *const e[3])
{
    const EulerRule *rule = &euler_rules[leaf->axis];
    double entry[2];
    if (rule->form != EULER_ATAN2) {
        return rule;
    }
    for (int a = 0; a < 2; ++a) {
        const TmlPrim *p = &rule->entry[a].prim;
        entry[a] = v3_dot(column(&e[0]->A, p->axis_i), column(&e[1]->A, p->axis_j));
    }
    return hypot(entry[0], entry[1]) < lock ? rule->locked : rule;
}

/* (M9) without derivatives: what most evaluations ask for. */
static double euler_value(const EulerRule *rule, const TmlFrameKin *const e[3], double turns)
{
    double entry[2] = {0.0, 0.0}, g, H, T;
    TmlJet jet = {.g = &g, .H = &H, .T = &T};
    const int n = rule->form == EULER_ATAN2 ? 2 : 1;
    for (int a = 0; a < n; ++a) {
        entry[a] = rule->entry[a].sign * tml_prim_value(&rule->entry[a].prim, e[0], e[1], 0.0);
    }
    if (n == 1) {
        arc_jet(rule->form, entry[0], &jet);
        return jet.value;
    }
    const double angle = atan2(entry[0], entry[1]);
    return angle + 2.0 * M_PI * round((turns - angle) / (2.0 * M_PI));
}

static void euler_eval(const TmlLeaf *leaf, const TmlFrameKin *const e[3], double turns, int level,
                       TmlPosition *out)
{
    const EulerRule *rule = rule_at(leaf, e);
    if (rule == NULL) {
        out->value = 2.0 * M_PI * round(turns / (2.0 * M_PI));
        return;
    }
    if (level == 0) {
        out->value = euler_value(rule, e, turns);
        return;
    }
    const int n = rule->form == EULER_ATAN2 ? 2 : 1;
    TmlPosition p[2];
    double g[2], H[4], T[8], rate[2] = {0.0, 0.0}, second[2] = {0.0, 0.0}, by_row[2], by_rate[2];
    TmlJet jet = {.g = g, .H = H, .T = T};

    for (int a = 0; a < n; ++a) {
        memset(&p[a], 0, level >= 2 ? sizeof p[a] : offsetof(TmlPosition, K));
        prim_eval(&rule->entry[a].prim, e[0], e[1], 0.0, level, &p[a]);
        for (int k = 0; k < 2; ++k) {
            rate[a] += v3_dot(p[a].J[k].r, e[k]->v) + v3_dot(p[a].J[k].theta, e[k]->omega);
        }
        second[a] = p[a].second;
    }

    // the signs belong to the entries: f(s0 p0, s1 p1)
    const double s0 = rule->entry[0].sign, s1 = rule->entry[1].sign;
    if (n == 2) {
        atan2_jet(s0 * p[0].value, s1 * p[1].value, &jet);
        jet.value += 2.0 * M_PI * round((turns - jet.value) / (2.0 * M_PI));
    } else {
        arc_jet(rule->form, s0 * p[0].value, &jet);
    }
    tml_chain_scale(n, (const double[2]){s0, s1}, &jet);

    out->value = jet.value;
    out->second = tml_chain_second(n, &jet, rate, second, by_row, by_rate); // (M9)
    for (int k = 0; k < 2; ++k) {
        for (int a = 0; a < n; ++a) {
            tml_row_add(&out->J[k], g[a], &p[a].J[k]);
        }
    }
    if (level >= 2) {
        euler_curvature(&jet, p, n, out->K);
    }
    if (level < 3) {
        return;
    }
    for (int a = 0; a < n; ++a) {
        TmlRow D[2] = {0};
        tml_chain_rate(p[a].K, 2, e, D);
        for (int k = 0; k < 2; ++k) {
            tml_row_add(&out->Sm[k], g[a], &p[a].Sm[k]);
            tml_row_add(&out->Sm[k], by_row[a], &p[a].J[k]);
            tml_row_add(&out->Sm[k], by_rate[a], &D[k]);
            tml_row_add(&out->Sv[k], g[a], &p[a].Sv[k]);
            tml_row_add(&out->Sv[k], by_rate[a], &p[a].J[k]);
        }
    }
}

void tml_position_eval(const TmlLeaf *leaf, TmlLeafKind kind, const TmlBindIn *in, int level,
                       TmlPosition *out)
{
    const int n = tml_position_slots(kind);
    const TmlFrameKin *e[3] = {NULL, NULL, NULL};
    for (int k = 0; k < n; ++k) {
        e[k] = &in->e[leaf->slot[k]];
    }
    const double turns = leaf->memory >= 0 ? in->memory[leaf->memory] : 0.0;
    memset(out, 0, level >= 2 ? sizeof *out : offsetof(TmlPosition, K));

    if (kind == TML_LEAF_ALONG) {
        along_eval(leaf, e, level, out);
    } else if (kind == TML_LEAF_DISTANCE) {
        // at zero distance no direction exists: the derivatives are taken as zero
        const bool zero = v3_norm(v3_sub(e[1]->r, e[0]->r)) <= 0.0;
        prim_eval(&(TmlPrim){TML_PRIM_DIST, 0, 0}, e[0], e[1], 0.0, zero ? 0 : level, out);
    } else if (kind == TML_LEAF_ANGLE) {
        const TmlFrameKin i = frame_cycled(e[0], leaf->axis), j = frame_cycled(e[1], leaf->axis);
        prim_eval(&(TmlPrim){TML_PRIM_ANGLE, 0, 0}, &i, &j, turns, level, out);
    } else {
        euler_eval(leaf, e, turns, level, out);
    }

    out->value += leaf->offset;
    for (int k = 0; k < n && level >= 1; ++k) {
        out->rate += v3_dot(out->J[k].r, e[k]->v) + v3_dot(out->J[k].theta, e[k]->omega);
    }
    if (level >= 2) {
        tml_chain_rate(out->K, n, e, out->D);
    }
}
