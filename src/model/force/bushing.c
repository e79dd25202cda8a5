/* model/force/bushing.c - elastic mount: stiffness and damping in all six directions.
 *
 * A is the rotation of end 0, d = r_1 - r_0, w = w_1 - w_0. Deformation z = (x, phi) in the axes of
 * end 0, phi the rotation vector of A^T A_1 (exact for rotations below half a turn):
 *
 *   (B1)  x = A^T d,  exp(phi~) = A^T A_1
 *   (B2)  x' = A^T (d' - w_0 x d),  phi' = B psi',  psi' = A^T w
 *   (B3)  B = I - phi~/2 + b phi~^2,  b = [1 - (h cot h)] / |phi|^2,  h = |phi| / 2
 *   (B4)  g = E^T K e + C z' - preload,  e of model/force/deformation.h, E = e_z; linear: e = z - z0
 *   (B5)  on end 1: force F = -A g_x, torque T = -A B^T g_phi;  on end 0: -F, -T - d x F
 *   (B6)  energy e . K e / 2 - preload . z
 *
 * (B5) is work conjugate to z: the power is -g . z', so (B6) is an energy and both ends are in
 * equilibrium at any deformation. Variations:
 *
 *   (B7)  dx = A^T (dd - dtheta_0 x d),  dphi = B A^T (dtheta_1 - dtheta_0)
 *   (B8)  dx' = A^T (y x dtheta_0 + dd' - w_0 x dd - dw_0 x d),  y = d' - w_0 x d
 *         dpsi' = A^T (w x dtheta_0 + dw),  dphi' = (B psi')_phi dphi + B dpsi'
 *   (B9)  (B y)_phi = y~/2 + S,  (B^T y)_phi = -y~/2 + S,
 *         S = b [(phi . y) I + phi y^T - 2 y phi^T] + c (phi~^2 y) phi^T,  c = b' / |phi|
 *   (B10) (E^T K e)_z = E^T K E + sum_k (K e)_k (e_k)_zz
 *
 * Text: docs/theory/forces.md#bushing
 */
#include "base/fail.h"
#include "model/force/deformation.h"
#include "model/force/pair.h"
#include "model/registry.h"

typedef struct BushingData {
    double stiffness[36], damping[36];
    TmlReals preload;   // none or six
    TmlReals reference; // z0: none, three or six
    int formulation;    // TmlMeasureOf
    double shortest;
} BushingData;

typedef struct BushingState {
    TmlMat33 A, B;
    TmlVec3 d, w0, w, y;     // as above, global axes
    TmlVec3 x, phi, psi_dot; // axes of end 0
    double b, c;             // of (B3), (B9)
    double z[6], g[6];
    double tangent[36]; // (B10)
    TmlVec3 F, T;       // on end 1, global
} BushingState;

static double reference_at(const BushingData *p, int k)
{
    return k < p->reference.n ? p->reference.value[k] : 0.0;
}

static TmlVec3 reference_place(const BushingData *p)
{
    return v3(reference_at(p, 0), reference_at(p, 1), reference_at(p, 2));
}

static TmlStatus bushing_check(const void *data, TmlError *err)
{
    const BushingData *p = data;
    if (p->preload.n != 0 && p->preload.n != 6) {
        return tml_fail(err, TML_E_MODEL, "preload has %d values, expected 6", p->preload.n);
    }
    if (p->reference.n != 0 && p->reference.n != 3 && p->reference.n != 6) {
        return tml_fail(err, TML_E_MODEL, "reference has %d values, expected 3 or 6",
                        p->reference.n);
    }
    if (p->formulation != TML_OF_PLACE && !(v3_norm(reference_place(p)) > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "formulation '%s' needs a reference: where the second frame stands without "
                        "a force gives the axis and the length",
                        p->formulation == TML_OF_DISTANCE ? "string" : "beam");
    }
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c < r; ++c) {
            const double a = p->stiffness[6 * r + c], b = p->stiffness[6 * c + r];
            if (fabs(a - b) > 1e-12 * (fabs(a) + fabs(b))) { // rounding of expressions
                return tml_fail(err, TML_E_MODEL,
                                "stiffness is not symmetric: entry (%d, %d) is %.9g, (%d, %d) "
                                "is %.9g",
                                r + 1, c + 1, a, c + 1, r + 1, b);
            }
        }
    }
    return TML_OK;
}

/* b and c of (B3), (B9) by the angle; series sum |B_2n| a^(2n-2) / (2n)! where they cancel. */
static void bushing_coefficients(double a, double *b, double *c)
{
    if (a < 0.6) { // seven terms reach rounding: (0.6 / 2 pi)^14 < 1e-14, coefficients fall too
        static const double s[] = {1.0 / 12,           1.0 / 720,      1.0 / 30240,
                                   1.0 / 1209600,      1.0 / 47900160, 691.0 / 1307674368000.0,
                                   1.0 / 74724249600.0};
        const double q = a * a;
        *b = *c = 0.0;
        for (int k = 6; k >= 0; --k) {
            *b = *b * q + s[k];
            if (k > 0) {
                *c = *c * q + 2.0 * k * s[k];
            }
        }
        return;
    }
    const double cot = 1.0 / tan(0.5 * a), csc = 1.0 / sin(0.5 * a);
    *b = (1.0 - 0.5 * a * cot) / (a * a);
    *c = ((0.25 * a * csc * csc - 0.5 * cot) / a - 2.0 * *b) / (a * a);
}

/* Rotation vector of a rotation matrix, |phi| <= pi. */
static TmlVec3 rotation_vector(const TmlMat33 *R)
{
    const TmlQuat p = q4_from_matrix(R);
    const TmlVec3 v = v3(p.x, p.y, p.z);
    const double s = v3_norm(v);
    return v3_scale(s > 1e-10 ? 2.0 * atan2(s, p.w) / s : 2.0, v);
}

static void mul6(const double *K, TmlVec3 x, TmlVec3 y, double *out)
{
    const double z[6] = {x.x, x.y, x.z, y.x, y.y, y.z};
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c < 6; ++c) {
            out[r] += K[6 * r + c] * z[c];
        }
    }
}

static void bushing_deformation(const TmlElementIn *in, BushingState *s)
{
    const TmlFrameKin *e = in->e;
    s->A = e[0].A;
    s->d = v3_sub(e[1].r, e[0].r);
    s->x = m3_tmulv(&s->A, s->d); // (B1)
    const TmlMat33 R = m3_tmul(&e[0].A, &e[1].A);
    s->phi = rotation_vector(&R);
    const double z[6] = {s->x.x, s->x.y, s->x.z, s->phi.x, s->phi.y, s->phi.z};
    for (int k = 0; k < 6; ++k) {
        s->z[k] = z[k];
    }
}

/* g += E^T K e and, when it is asked for, (B10). The energy. */
static double bushing_elastic(const BushingData *p, bool tangent, BushingState *s)
{
    double Ke[6] = {0}, energy = 0.0;
    TmlDeformation d;
    const TmlMeasureOf formulation = (TmlMeasureOf)p->formulation;
    if (formulation == TML_OF_PLACE) {
        for (int k = 0; k < 6; ++k) {
            d.e[k] = s->z[k] - reference_at(p, k);
        }
    } else {
        const TmlVec3 phi0 = {reference_at(p, 3), reference_at(p, 4), reference_at(p, 5)};
        tml_deformation(formulation, reference_place(p), phi0, p->shortest, s->x, s->phi, tangent,
                        &d);
    }
    mul6(p->stiffness, v3(d.e[0], d.e[1], d.e[2]), v3(d.e[3], d.e[4], d.e[5]), Ke);
    for (int k = 0; k < 6; ++k) {
        energy += 0.5 * d.e[k] * Ke[k];
    }
    if (formulation == TML_OF_PLACE) {
        for (int k = 0; k < 36; ++k) {
            s->tangent[k] = p->stiffness[k];
            s->g[k % 6] += k < 6 ? Ke[k] : 0.0;
        }
        return energy;
    }
    for (int c = 0; c < 6; ++c) {
        double KE[6] = {0}; // column c of K E
        for (int k = 0; k < 36; ++k) {
            KE[k / 6] += tangent ? p->stiffness[k] * d.E[6 * (k % 6) + c] : 0.0;
        }
        for (int r = 0; r < 6; ++r) {
            s->g[c] += d.E[6 * r + c] * Ke[r];
            for (int k = 0; k < 6 && tangent; ++k) {
                s->tangent[6 * r + c] += d.E[6 * k + r] * KE[k] + Ke[k] * d.H[k][6 * r + c];
            }
        }
    }
    return energy;
}

static BushingState bushing_state(const TmlElementIn *in, bool tangent)
{
    const BushingData *p = in->data;
    const TmlFrameKin *e = in->e;
    BushingState s = {.w0 = e[0].omega, .w = v3_sub(e[1].omega, e[0].omega)};
    bushing_deformation(in, &s);
    bushing_coefficients(v3_norm(s.phi), &s.b, &s.c);
    const TmlMat33 I = m3_identity(), skew = m3_skew(s.phi), skew2 = m3_skew_skew(s.phi, s.phi);
    s.B = m3_axpy(-0.5, &skew, &I); // (B3)
    s.B = m3_axpy(s.b, &skew2, &s.B);

    s.y = v3_sub(v3_sub(e[1].v, e[0].v), v3_cross(s.w0, s.d));
    s.psi_dot = m3_tmulv(&s.A, s.w); // (B2)
    bushing_elastic(p, tangent, &s);
    mul6(p->damping, m3_tmulv(&s.A, s.y), m3_mulv(&s.B, s.psi_dot), s.g); // (B4)
    for (int k = 0; k < p->preload.n; ++k) {
        s.g[k] -= p->preload.value[k];
    }
    s.F = v3_neg(m3_mulv(&s.A, v3(s.g[0], s.g[1], s.g[2]))); // (B5)
    s.T = v3_neg(m3_mulv(&s.A, m3_tmulv(&s.B, v3(s.g[3], s.g[4], s.g[5]))));
    return s;
}

static void bushing_wrench(const TmlElementIn *in, TmlRow *w)
{
    const BushingState s = bushing_state(in, false);
    w[1] = (TmlRow){s.F, s.T};
    w[0] = (TmlRow){v3_neg(s.F), v3_neg(v3_add(s.T, v3_cross(s.d, s.F)))};
}

/* (B9) times a variation of phi; half is 1/2 for B y, -1/2 for B^T y. */
static TmlVec3 bushing_turn(const BushingState *s, double half, TmlVec3 y, TmlVec3 dphi)
{
    const TmlVec3 f = s->phi, ffy = v3_cross(f, v3_cross(f, y));
    TmlVec3 out = v3_scale(half, v3_cross(y, dphi));
    out = v3_axpy(s->b * v3_dot(f, y), dphi, out);
    out = v3_axpy(s->b * v3_dot(y, dphi), f, out);
    out = v3_axpy(-2.0 * s->b * v3_dot(f, dphi), y, out);
    return v3_axpy(s->c * v3_dot(f, dphi), ffy, out);
}

/* Variation of everything by one of the motions (q) and twists (v) of both ends. */
typedef struct BushingVariation {
    TmlVec3 x, phi;            // deformation
    TmlVec3 force_0, torque_0; // on end 1, axes of end 0
    TmlRow w[2];
} BushingVariation;

static BushingVariation bushing_vary(const BushingData *p, const BushingState *s, const TmlRow q[2],
                                     const TmlRow v[2])
{
    const TmlVec3 dd = v3_sub(q[1].r, q[0].r), t0 = q[0].theta;
    const TmlVec3 turn = v3_sub(q[1].theta, t0);
    BushingVariation o = {.x = m3_tmulv(&s->A, v3_sub(dd, v3_cross(t0, s->d)))}; // (B7)
    o.phi = m3_mulv(&s->B, m3_tmulv(&s->A, turn));

    TmlVec3 y = v3_add(v3_cross(s->y, t0), v3_sub(v[1].r, v[0].r)); // (B8)
    y = v3_sub(y, v3_add(v3_cross(s->w0, dd), v3_cross(v[0].theta, s->d)));
    const TmlVec3 w = v3_add(v3_cross(s->w, t0), v3_sub(v[1].theta, v[0].theta));
    const TmlVec3 phi_dot =
        v3_add(bushing_turn(s, 0.5, s->psi_dot, o.phi), m3_mulv(&s->B, m3_tmulv(&s->A, w)));
    double g[6] = {0};
    mul6(s->tangent, o.x, o.phi, g);
    mul6(p->damping, m3_tmulv(&s->A, y), phi_dot, g);

    const TmlVec3 g_phi = v3(s->g[3], s->g[4], s->g[5]);
    o.force_0 = v3(-g[0], -g[1], -g[2]);
    o.torque_0 =
        v3_neg(v3_add(m3_tmulv(&s->B, v3(g[3], g[4], g[5])), bushing_turn(s, -0.5, g_phi, o.phi)));
    const TmlVec3 F = v3_add(v3_cross(t0, s->F), m3_mulv(&s->A, o.force_0));
    const TmlVec3 T = v3_add(v3_cross(t0, s->T), m3_mulv(&s->A, o.torque_0));
    const TmlVec3 arm = v3_add(v3_cross(dd, s->F), v3_cross(s->d, F));
    o.w[1] = (TmlRow){F, T};
    o.w[0] = (TmlRow){v3_neg(F), v3_neg(v3_add(T, arm))};
    return o;
}

/* Unit variation number k of twelve. */
static void unit_rows(int k, TmlRow rows[2])
{
    const int m = k % 6;
    rows[0] = rows[1] = (TmlRow){0};
    const TmlVec3 e = v3(m % 3 == 0, m % 3 == 1, m % 3 == 2);
    rows[k / 6] = m < 3 ? (TmlRow){.r = e} : (TmlRow){.theta = e};
}

static void column_set(double *K, int col, const TmlRow w[2])
{
    for (int k = 0; k < 2; ++k) {
        const double x[6] = {w[k].r.x,     w[k].r.y,     w[k].r.z,
                             w[k].theta.x, w[k].theta.y, w[k].theta.z};
        for (int m = 0; m < 6; ++m) {
            K[(6 * k + m) * PAIR_SIZE + col] += x[m];
        }
    }
}

static void bushing_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    const BushingState s = bushing_state(in, true);
    const TmlRow none[2] = {0};
    for (int k = 0; k < PAIR_SIZE; ++k) {
        TmlRow unit[2];
        unit_rows(k, unit);
        column_set(Kq, k, bushing_vary(in->data, &s, unit, none).w);
        column_set(Kv, k, bushing_vary(in->data, &s, none, unit).w);
    }
}

static double bushing_energy(const TmlElementIn *in)
{
    const BushingData *p = in->data;
    BushingState s = {0};
    bushing_deformation(in, &s);
    double energy = bushing_elastic(p, false, &s);
    for (int k = 0; k < p->preload.n; ++k) { // (B6)
        energy -= p->preload.value[k] * s.z[k];
    }
    return energy;
}

static void bushing_output(const TmlElementIn *in, double *value)
{
    const BushingState s = bushing_state(in, false);
    const TmlVec3 F = m3_tmulv(&s.A, s.F), T = m3_tmulv(&s.A, s.T);
    const double h[6] = {F.x, F.y, F.z, T.x, T.y, T.z};
    for (int k = 0; k < 6; ++k) {
        value[k] = s.z[k];
        value[6 + k] = h[k];
    }
}

static void row_set(TmlRow *row, int m, double x)
{
    double *at[6] = {&row->r.x, &row->r.y, &row->r.z, &row->theta.x, &row->theta.y, &row->theta.z};
    *at[m] = x;
}

static void output_column(TmlRow *O, int k, const BushingVariation *o)
{
    const TmlVec3 x[4] = {o->x, o->phi, o->force_0, o->torque_0};
    for (int n = 0; n < 4; ++n) {
        row_set(&O[2 * (3 * n + 0) + k / 6], k % 6, x[n].x);
        row_set(&O[2 * (3 * n + 1) + k / 6], k % 6, x[n].y);
        row_set(&O[2 * (3 * n + 2) + k / 6], k % 6, x[n].z);
    }
}

static void bushing_output_tangent(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of)
{
    const BushingState s = bushing_state(in, true);
    const TmlRow none[2] = {0};
    (void)Of;
    for (int k = 0; k < PAIR_SIZE; ++k) {
        TmlRow unit[2];
        unit_rows(k, unit);
        const BushingVariation q = bushing_vary(in->data, &s, unit, none);
        const BushingVariation v = bushing_vary(in->data, &s, none, unit);
        output_column(Oq, k, &q);
        output_column(Ov, k, &v);
    }
}

static const TmlParam bushing_params[] = {
    {"stiffness", TML_PARAM_MAT66, TML_ANY, "N/m, N, N m/rad", offsetof(BushingData, stiffness),
     NULL, "rates along and about x, y, z of the first frame, or a symmetric 6 x 6 matrix", NULL},
    {"damping", TML_PARAM_MAT66, TML_USUALLY_NONNEGATIVE, "N s/m, N s, N m s/rad",
     offsetof(BushingData, damping), "[0, 0, 0, 0, 0, 0]", "viscous rates in the same order", NULL},
    {"preload", TML_PARAM_REALS, TML_ANY, "N, N m", offsetof(BushingData, preload), "",
     "force and torque on the second body at zero deformation, axes of the first frame", NULL},
    {"reference", TML_PARAM_REALS, TML_ANY, "m, rad", offsetof(BushingData, reference), "",
     "undeformed position of the second frame in the first: x, y, z, and a rotation vector if it "
     "is rotated",
     NULL},
    {"formulation", TML_PARAM_CHOICE, TML_ANY, "", offsetof(BushingData, formulation), "linear",
     "`string`: stretched along the line between the frames; `beam`: bent from that line, for "
     "large deflections of a beam from the first frame to the reference",
     "linear|string|beam"},
    {"shortest", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(BushingData, shortest), "0",
     "`string`: distance below which the line is treated as if it had this length", NULL},
    {0},
};

static const TmlOutput bushing_outputs[] = {
    {"x", "m", "displacement of the second frame along x of the first"},
    {"y", "m", "displacement of the second frame along y of the first"},
    {"z", "m", "displacement of the second frame along z of the first"},
    {"ax", "rad", "rotation vector of the second frame, x of the first"},
    {"ay", "rad", "rotation vector of the second frame, y of the first"},
    {"az", "rad", "rotation vector of the second frame, z of the first"},
    {"fx", "N", "force on the second body along x of the first frame"},
    {"fy", "N", "force on the second body along y of the first frame"},
    {"fz", "N", "force on the second body along z of the first frame"},
    {"tx", "N m", "torque on the second body about x of the first frame"},
    {"ty", "N m", "torque on the second body about y of the first frame"},
    {"tz", "N m", "torque on the second body about z of the first frame"},
    {0},
};

TML_FORCE_TYPE(bushing) = {
    .info = {.name = "bushing",
             .text = "Elastic mount between two frames: six stiffnesses and dampings.",
             .data_size = sizeof(BushingData),
             .params = bushing_params,
             .outputs = bushing_outputs},
    .ends = TML_ENDS_FRAMES,
    .check = bushing_check,
    .wrench = bushing_wrench,
    .tangent = bushing_tangent,
    .energy = bushing_energy,
    .output = bushing_output,
    .output_tangent = bushing_output_tangent,
};
