/* model/wheel/tyre/tmeasy_tyre.c - TMeasy (Rill): curves by initial slope, peak and sliding.
 *
 * Five numbers a direction, (dF0, FM, sM, FS, sS), given at the nominal load and, if wanted, at twice that; forces and slopes
 * follow a parabola over the load through zero, slips a straight line:
 *
 *   (M1)  Y(F) = (F / N) (2 Y_1 - Y_2 / 2 - (Y_1 - Y_2 / 2) F / N),   s(F) = s_1 + (s_2 - s_1) (F / N - 1)
 *   (M2)  F(s) = sM dF0 q / (1 + q (q + dF0 sM / FM - 2)), q = s / sM, up to sM
 *              = FM - (FM - FS) q^2 (3 - 2 q), q = (s - sM) / (sS - sM), up to sS, then FS
 *
 * Both slips together, with the normalisation n_x = sM_x / (sM_x + sM_y) + (FM_x / dF0_x) / (FM_x / dF0_x + FM_y / dF0_y):
 *
 *   (M3)  s = |(kappa / n_x, side / n_y)|,  (c, e) = its direction
 *         dF0 = |(dF0_x n_x c, dF0_y n_y e)|,  FM = |(FM_x c, FM_y e)|, FS alike,  sM = |(sM_x c / n_x, sM_y e / n_y)|, sS alike
 *   (M4)  F_x = F(s) c,  F_y = F(s) e
 *
 * dF0 sM / FM must be 2 or more, or the curve rises above its initial slope before the peak. The pneumatic trail n by the length L of
 * the footprint, from three numbers (n_0, s_0, s_E):
 *
 *   (M5)  n / L = n_0 ((1 - w)(1 - u) + w (1 - (3 - 2 u) u^2)),  u = |side| / s_0,  w = s_0 / s_E,  up to s_0
 *               = -n_0 (1 - w)(|side| - s_0) / s_0 ((s_E - |side|) / (s_E - s_0))^2,  up to s_E, then 0;  L = 2 sqrt(R F / c_z)
 *
 * A tyre of which no more is known than the load P that it may carry has curves in proportion to it, of tyres of its kind
 * (tmeasy_index.c).
 */
#include "base/fail.h"
#include "model/registry.h"
#include "model/wheel/tyre/tmeasy_index.h"
#include "model/wheel/tyre/tyre.h"

typedef struct TmeasyTyre {
    TmlTyre tyre;
    TmlReals x, y, x_double, y_double;
    TmlReals trail_curve, trail_double;
    double load, trail, sigma_x, sigma_y, resistance;
    int index, kind;
    double capacity, pressure, section;
    TmlTmeasyMade made;
} TmeasyTyre;

/* One curve: dF0, FM, sM, FS, sS. */
enum { SLOPE, PEAK, PEAK_SLIP, SLIDING, SLIDING_SLIP, CURVE };

static TmlStatus check_curve(const char *name, const TmlReals *c, TmlError *err)
{
    if (c->n != CURVE) {
        return tml_fail(err, TML_E_MODEL, "%s: expected [dF0, FM, sM, FS, sS], got %d numbers",
                        name, c->n);
    }
    const double *v = c->value;
    if (!(v[SLOPE] > 0.0 && v[PEAK] > 0.0 && v[PEAK_SLIP] > 0.0 && v[SLIDING] > 0.0 &&
          v[SLIDING_SLIP] > v[PEAK_SLIP] && v[SLIDING] <= v[PEAK])) {
        return tml_fail(err, TML_E_MODEL,
                        "%s: [dF0, FM, sM, FS, sS] must be positive, with sM < sS and FS <= FM",
                        name);
    }
    if (v[SLOPE] * v[PEAK_SLIP] < 2.0 * v[PEAK]) {
        return tml_fail(err, TML_E_MODEL,
                        "%s: dF0 sM / FM is %.4g; it must be at least 2, or the force rises faster "
                        "than dF0 before its peak",
                        name, v[SLOPE] * v[PEAK_SLIP] / v[PEAK]);
    }
    return TML_OK;
}

static TmlStatus check_trail(const char *name, const TmlReals *c, TmlError *err)
{
    const bool right = c->n == 0 || (c->n == 3 && c->value[1] > 0.0 && c->value[2] > c->value[1]);
    return right ? TML_OK
                 : tml_fail(err, TML_E_MODEL, "%s: expected [n/L, s0, sE] with 0 < s0 < sE", name);
}

/* A tyre by the load that it may carry: what is needed, and what would contradict it. */
static TmlStatus check_index(const TmeasyTyre *p, TmlError *err)
{
    if (p->index >= 0 && p->capacity > 0.0) {
        return tml_fail(err, TML_E_MODEL, "give either load_index or capacity, not both");
    }
    if (p->index >= 0 && !(tml_load_of_index(p->index) > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "load_index %d is not from 0 to %d", p->index,
                        tml_most_load_index());
    }
    if (p->x.n + p->y.n + p->x_double.n + p->y_double.n > 0 || p->load > 0.0) {
        return tml_fail(err, TML_E_MODEL,
                        "load_index and capacity make load, longitudinal and lateral; give either "
                        "these or those");
    }
    if (!(p->section > 0.0) && !(p->tyre.stiffness > 0.0) && p->tyre.load_table == NULL) {
        return tml_fail(err, TML_E_MODEL,
                        "a tyre by load_index needs section_height (m), from which its stiffness "
                        "follows, or a stiffness or a load_table");
    }
    return TML_OK;
}

static TmlStatus tmeasy_check(const void *data, TmlError *err)
{
    const TmeasyTyre *p = data;
    TML_TRY(check_trail("trail_curve", &p->trail_curve, err));
    TML_TRY(check_trail("trail_curve_double", &p->trail_double, err));
    if (p->index >= 0 || p->capacity > 0.0) {
        return check_index(p, err);
    }
    if (!(p->load > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "a tyre needs load (N), longitudinal and lateral, or a load_index");
    }
    TML_TRY(check_curve("longitudinal", &p->x, err));
    TML_TRY(check_curve("lateral", &p->y, err));
    if (p->x_double.n > 0) {
        TML_TRY(check_curve("longitudinal_double", &p->x_double, err));
    }
    if (p->y_double.n > 0) {
        TML_TRY(check_curve("lateral_double", &p->y_double, err));
    }
    return tml_tyre_check(data, err);
}

/* (M1) */
static void curve_at(const TmlReals *one, const TmlReals *two, Dual part, Dual out[CURVE])
{
    for (int k = 0; k < CURVE; ++k) {
        const bool slip = k == PEAK_SLIP || k == SLIDING_SLIP;
        const double a = one->value[k];
        const double b = two->n > 0 ? two->value[k] : slip ? a : 2.0 * a;
        out[k] = slip ? d6_linear(2.0 * a - b, b - a, part)
                      : d6_mul(part, d6_linear(2.0 * a - 0.5 * b, 0.5 * b - a, part));
    }
}

/* |(a c, b e)| */
static Dual mixed(Dual a, Dual b, Dual c, Dual e)
{
    const Dual x = d6_mul(a, c), y = d6_mul(b, e);
    return d6_sqrt(d6_add(d6_mul(x, x), d6_mul(y, y)));
}

/* F(s) / s of (M2) */
static Dual secant(const Dual v[CURVE], Dual s)
{
    if (s.x <= v[PEAK_SLIP].x) {
        const Dual q = d6_div(s, v[PEAK_SLIP]);
        const Dual g = d6_div(d6_mul(v[SLOPE], v[PEAK_SLIP]), v[PEAK]);
        const Dual below = d6_linear(1.0, 1.0, d6_mul(q, d6_add(q, d6_linear(-2.0, 1.0, g))));
        return d6_div(v[SLOPE], below);
    }
    Dual F = v[SLIDING];
    if (s.x < v[SLIDING_SLIP].x) {
        const Dual q = d6_div(d6_sub(s, v[PEAK_SLIP]), d6_sub(v[SLIDING_SLIP], v[PEAK_SLIP]));
        const Dual b = d6_mul(d6_mul(q, q), d6_linear(3.0, -2.0, q));
        F = d6_sub(v[PEAK], d6_mul(b, d6_sub(v[PEAK], v[SLIDING])));
    }
    return d6_div(F, s);
}

/* n_x of the normalisation; its fellow is 2 - n_x. */
static Dual normal_of(const Dual x[CURVE], const Dual y[CURVE])
{
    const Dual fx = d6_div(x[PEAK], x[SLOPE]), fy = d6_div(y[PEAK], y[SLOPE]);
    return d6_add(d6_div(x[PEAK_SLIP], d6_add(x[PEAK_SLIP], y[PEAK_SLIP])),
                  d6_div(fx, d6_add(fx, fy)));
}

/* (M5) */
static Dual trail_by_curve(const TmeasyTyre *p, const TmlTyreSlip *in, Dual part)
{
    const double *one = p->trail_curve.value;
    const double *two = p->trail_double.n > 0 ? p->trail_double.value : one;
    Dual v[3];
    for (int k = 0; k < 3; ++k) { // straight lines over the load, not far beyond the two
        v[k] = part.x < 2.5 ? d6_linear(2.0 * one[k] - two[k], two[k] - one[k], part)
                            : d6(one[k] + 1.5 * (two[k] - one[k]));
    }
    const Dual size = in->side.x < 0.0 ? d6_neg(in->side) : in->side, w = d6_div(v[1], v[2]);
    const Dual u = d6_div(size, v[1]), rest = d6_linear(1.0, -1.0, w);
    const double spring =
        p->tyre.stiffness > 0.0 ? p->tyre.stiffness : 10.0 * p->load / p->tyre.radius;
    const Dual length = d6_scale(2.0, d6_sqrt(d6_scale(p->tyre.radius / spring, in->load)));
    Dual by = d6(0.0);
    if (u.x <= 1.0) {
        const Dual fall = d6_mul(d6_mul(u, u), d6_linear(3.0, -2.0, u));
        by = d6_add(d6_mul(rest, d6_linear(1.0, -1.0, u)), d6_mul(w, d6_linear(1.0, -1.0, fall)));
    } else if (size.x < v[2].x) {
        const Dual left = d6_div(d6_sub(v[2], size), d6_sub(v[2], v[1]));
        by = d6_neg(d6_mul(d6_mul(rest, d6_linear(-1.0, 1.0, u)), d6_mul(left, left)));
    }
    return d6_mul(d6_mul(length, v[0]), by);
}

static void tmeasy_steady(const void *data, const TmlTyreSlip *in, TmlTyreSteady *out)
{
    const TmeasyTyre *p = data;
    const double mu = in->friction;
    Dual x[CURVE], y[CURVE], v[CURVE];
    const Dual part = d6_scale(1.0 / p->load, in->load);
    curve_at(&p->x, &p->x_double, part, x);
    curve_at(&p->y, &p->y_double, part, y);
    for (int k = 0; k < CURVE; ++k) { // friction scales forces and slips, not the initial slope
        x[k] = k == SLOPE ? x[k] : d6_scale(mu, x[k]);
        y[k] = k == SLOPE ? y[k] : d6_scale(mu, y[k]);
    }
    const Dual nx = normal_of(x, y), ny = d6_linear(2.0, -1.0, nx);
    const Dual a = d6_div(in->kappa, nx), b = d6_div(in->side, ny);
    const Dual s = d6_sqrt(d6_add(d6_mul(a, a), d6_mul(b, b)));
    const bool slips = s.x > 1e-12;
    const Dual c = slips ? d6_div(a, s) : d6(M_SQRT1_2), e = slips ? d6_div(b, s) : d6(M_SQRT1_2);
    v[SLOPE] = mixed(d6_mul(x[SLOPE], nx), d6_mul(y[SLOPE], ny), c, e); // (M3)
    v[PEAK] = mixed(x[PEAK], y[PEAK], c, e);
    v[SLIDING] = mixed(x[SLIDING], y[SLIDING], c, e);
    v[PEAK_SLIP] = mixed(d6_div(x[PEAK_SLIP], nx), d6_div(y[PEAK_SLIP], ny), c, e);
    v[SLIDING_SLIP] = mixed(d6_div(x[SLIDING_SLIP], nx), d6_div(y[SLIDING_SLIP], ny), c, e);
    const Dual by = secant(v, s);
    out->cx = x[SLOPE];
    out->cy = y[SLOPE];
    out->psi_x = d6_div(by, d6_mul(nx, x[SLOPE])); // (M4)
    out->psi_y = d6_div(by, d6_mul(ny, y[SLOPE]));
    const Dual u = d6_div(s, v[SLIDING_SLIP]);
    if (p->trail_curve.n > 0) {
        out->trail = trail_by_curve(p, in, part);
    } else if (u.x < 1.0) {
        const Dual w = d6_linear(1.0, -1.0, d6_mul(u, u));
        out->trail = d6_scale(p->trail, d6_mul(w, w));
    }
    out->mz = d6_neg(d6_mul(out->trail, d6_mul(d6_mul(out->cy, out->psi_y), in->side)));
    out->my = d6_scale(in->speed.x > 0.0 ? -p->resistance : p->resistance, in->load);
    out->sigma_x = d6(p->sigma_x);
    out->sigma_y = d6(p->sigma_y);
}

static const TmlTyreLaw tmeasy_law = {tmeasy_steady};

/* Curves and stiffness of a tyre by the load that it may carry. */
static void by_index(TmeasyTyre *p)
{
    const double most = p->index >= 0 ? tml_load_of_index(p->index) : p->capacity;
    TmlTmeasyMade *made = &p->made;
    tml_tmeasy_by_load((TmlTmeasyKind)p->kind, most, p->pressure, made);
    p->load = made->load;
    p->x = (TmlReals){CURVE, made->x[0]};
    p->y = (TmlReals){CURVE, made->y[0]};
    p->x_double = (TmlReals){CURVE, made->x[1]};
    p->y_double = (TmlReals){CURVE, made->y[1]};
    if (p->trail_curve.n == 0 && p->trail == 0.0) {
        p->trail_curve = (TmlReals){3, made->trail[0]};
        p->trail_double = (TmlReals){3, made->trail[1]};
    }
    if (!(p->tyre.stiffness > 0.0)) {
        p->tyre.stiffness = most / (0.16 * p->section); // deflection under that load
    }
}

static TmlStatus tmeasy_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    TmeasyTyre *p = data;
    (void)n_ends, (void)err;
    if (p->index >= 0 || p->capacity > 0.0) {
        by_index(p);
    }
    return tml_tyre_prepare(data, &tmeasy_law, e);
}

static const TmlParam tmeasy_params[] = {
    TYRE_PARAMS(TmeasyTyre),
    {"load", TML_PARAM_REAL, TML_NONNEGATIVE, "N", offsetof(TmeasyTyre, load), "0",
     "nominal load; half of what load_index allows", NULL},
    {"longitudinal", TML_PARAM_REALS, TML_ANY, "", offsetof(TmeasyTyre, x), "",
     "[dF0, FM, sM, FS, sS] at the nominal load: slope N, peak N and slip, sliding N and slip",
     NULL},
    {"lateral", TML_PARAM_REALS, TML_ANY, "", offsetof(TmeasyTyre, y), "",
     "the same to the side; slips are tan(alpha)", NULL},
    {"longitudinal_double", TML_PARAM_REALS, TML_ANY, "", offsetof(TmeasyTyre, x_double), "",
     "at twice the nominal load; forces in proportion without it", NULL},
    {"lateral_double", TML_PARAM_REALS, TML_ANY, "", offsetof(TmeasyTyre, y_double), "",
     "at twice the nominal load; forces in proportion without it", NULL},
    {"trail", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(TmeasyTyre, trail), "0",
     "pneumatic trail without slip; it vanishes smoothly at the sliding slip", NULL},
    {"trail_curve", TML_PARAM_REALS, TML_ANY, "", offsetof(TmeasyTyre, trail_curve), "",
     "instead of trail: [n/L, s0, sE], by the length of the footprint, with the slips where it "
     "changes its sign and vanishes",
     NULL},
    {"trail_curve_double", TML_PARAM_REALS, TML_ANY, "", offsetof(TmeasyTyre, trail_double), "",
     "at twice the nominal load", NULL},
    {"load_index", TML_PARAM_INT, TML_ANY, "", offsetof(TmeasyTyre, index), "-1",
     "instead of load and curves: the index of the load that the tyre may carry; its curves are "
     "those of tyres of its kind",
     NULL},
    {"capacity", TML_PARAM_REAL, TML_NONNEGATIVE, "N", offsetof(TmeasyTyre, capacity), "0",
     "instead of load_index: that load", NULL},
    {"kind", TML_PARAM_CHOICE, TML_ANY, "", offsetof(TmeasyTyre, kind), "passenger",
     "kind of tyre, with load_index and capacity", "passenger|truck"},
    {"pressure", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(TmeasyTyre, pressure), "1",
     "with load_index and capacity: inflation pressure by that at which the tyre carries the load",
     NULL},
    {"section_height", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(TmeasyTyre, section), "0",
     "with load_index and capacity: from the rim to the tread; the stiffness follows when it is "
     "not "
     "given",
     NULL},
    {"resistance", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(TmeasyTyre, resistance), "0",
     "moment of rolling resistance by load", NULL},
    {"relaxation_x", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(TmeasyTyre, sigma_x), "0.1",
     "relaxation length along the wheel", NULL},
    {"relaxation_y", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(TmeasyTyre, sigma_y), "0.3",
     "lateral relaxation length", NULL},
    {0},
};

TML_FORCE_TYPE(tmeasy_tyre) = {
    .info =
        {.name = "tmeasy_tyre",
         .text =
             "Tyre of TMeasy: slope, peak and sliding in both directions, or by its load index.",
         .example =
             "bodies: [ground, rod], at: [0, 0, 0.3], axis: y, radius: 0.3, stiffness: 2e5, "
             "load: 3000, longitudinal: [9e4, 3300, 0.11, 3200, 0.5], lateral: [6.5e4, 3200, "
             "0.18, 3150, 0.6]",
         .data_size = sizeof(TmeasyTyre),
         .params = tmeasy_params,
         .outputs = tml_tyre_outputs},
    TYRE_FUNCTIONS,
    .check = tmeasy_check,
    .prepare = tmeasy_prepare,
};
