/* model/flexible/mechanics/elastic_line_strain.c - (E1) to (E5) and (E8) of elastic_line.h with derivatives. */
#include "model/flexible/mechanics/elastic_line_strain.h"

#include "math/vec3.h"

#include <math.h>

static TmlVec3 vec(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

static double *entry(TmlVec3 *v, int d)
{
    return d == 0 ? &v->x : d == 1 ? &v->y : &v->z;
}

static void put(TmlLineValue *s, TmlSlot slot, TmlVec3 g, TmlVec3 rate)
{
    s->slot[s->n] = slot;
    s->g[s->n] = g;
    s->rate[s->n++] = rate;
}

/* c a . b of two slots */
static void add_product(TmlLineValue *s, TmlSlots x, TmlSlots v, TmlSlot a, TmlSlot b, double c)
{
    s->e += c * v3_dot(vec(x[a]), vec(x[b]));
    put(s, a, v3_scale(c, vec(x[b])), v3_scale(c, vec(v[b])));
    put(s, b, v3_scale(c, vec(x[a])), v3_scale(c, vec(v[a])));
}

static void axial(TmlLineValue *s, TmlSlots x, TmlSlots v)
{
    const TmlVec3 a = vec(x[TML_SLOT_RX]), da = vec(v[TML_SLOT_RX]);
    const double n = v3_norm(a);
    const TmlVec3 t = v3_scale(1.0 / n, a);
    s->e = n - 1.0;
    put(s, TML_SLOT_RX, t, v3_scale(1.0 / n, v3_axpy(-v3_dot(t, da), t, da)));
}

/* Slots of a turn of a, whose derivative along the axis is b, about the director u. */
typedef struct Turn {
    TmlSlot a, b, u;
} Turn;

static Turn turn_of(int k)
{
    switch (k) {
    case TML_LINE_BEND_Y:
        return (Turn){TML_SLOT_RX, TML_SLOT_RXX, TML_SLOT_RY};
    case TML_LINE_BEND_Z:
        return (Turn){TML_SLOT_RX, TML_SLOT_RXX, TML_SLOT_RZ};
    case TML_LINE_TURN_Y:
        return (Turn){TML_SLOT_RZ, TML_SLOT_RZX, TML_SLOT_RY};
    default:
        return (Turn){TML_SLOT_RY, TML_SLOT_RYX, TML_SLOT_RZ};
    }
}

/* Bending by such a turn, with c = a x b: k = u.c D, D = 1 / (a.a |u|). */
typedef struct Bent {
    TmlVec3 a, b, u, c, alpha, beta; /* alpha = 2 a / a.a, beta = u / u.u */
    double D, q, n2;
} Bent;

static Bent bent_state(TmlSlots x, Turn t)
{
    Bent s = {.a = vec(x[t.a]), .b = vec(x[t.b]), .u = vec(x[t.u])};
    s.q = v3_dot(s.a, s.a);
    s.n2 = v3_dot(s.u, s.u);
    s.c = v3_cross(s.a, s.b);
    s.alpha = v3_scale(2.0 / s.q, s.a);
    s.beta = v3_scale(1.0 / s.n2, s.u);
    s.D = 1.0 / (s.q * sqrt(s.n2));
    return s;
}

static void bend(TmlLineValue *s, TmlSlots x, TmlSlots v, Turn t)
{
    const Bent k = bent_state(x, t);
    const TmlVec3 da = vec(v[t.a]), db = vec(v[t.b]), du = vec(v[t.u]);
    const TmlVec3 bu = v3_cross(k.b, k.u), ua = v3_cross(k.u, k.a);
    s->e = k.D * v3_dot(k.u, k.c);
    const TmlVec3 g_u = v3_axpy(-s->e, k.beta, v3_scale(k.D, k.c));
    const TmlVec3 g_b = v3_scale(k.D, ua);
    const TmlVec3 g_a = v3_axpy(-s->e, k.alpha, v3_scale(k.D, bu));
    const double de = v3_dot(g_u, du) + v3_dot(g_b, db) + v3_dot(g_a, da);
    const double fall = v3_dot(k.alpha, da) + v3_dot(k.beta, du); // -D'/D
    const TmlVec3 dc = v3_add(v3_cross(da, k.b), v3_cross(k.a, db));
    const TmlVec3 dbu = v3_add(v3_cross(db, k.u), v3_cross(k.b, du));
    const TmlVec3 dua = v3_add(v3_cross(du, k.a), v3_cross(k.u, da));
    const TmlVec3 dbeta = v3_axpy(-2.0 * v3_dot(k.beta, du), k.beta, v3_scale(1.0 / k.n2, du));
    const TmlVec3 dalpha = v3_axpy(-v3_dot(k.alpha, da), k.alpha, v3_scale(2.0 / k.q, da));
    put(s, t.u, g_u,
        v3_axpy(-s->e, dbeta, v3_axpy(-de, k.beta, v3_scale(k.D, v3_axpy(-fall, k.c, dc)))));
    put(s, t.b, g_b, v3_scale(k.D, v3_axpy(-fall, ua, dua)));
    put(s, t.a, g_a,
        v3_axpy(-s->e, dalpha, v3_axpy(-de, k.alpha, v3_scale(k.D, v3_axpy(-fall, bu, dbu)))));
}

/* phi = atan2(p, c), p = a.d, c = a.(r_y x r_z), d the director: gradients of p and c by a, r_y,
 * r_z.
 */
typedef struct Angle {
    double p, c, rho; /* rho = p^2 + c^2 */
    TmlVec3 dp[3], dc[3];
} Angle;

static const TmlSlot angle_slots[3] = {TML_SLOT_RX, TML_SLOT_RY, TML_SLOT_RZ};

static Angle angle_state(TmlSlots x, int director)
{
    const TmlVec3 a = vec(x[TML_SLOT_RX]), u = vec(x[TML_SLOT_RY]), w = vec(x[TML_SLOT_RZ]);
    const TmlVec3 d = director == 1 ? u : w;
    Angle s = {
        .p = v3_dot(a, d), .dp = {d}, .dc = {v3_cross(u, w), v3_cross(w, a), v3_cross(a, u)}};
    s.dp[director] = a;
    s.c = v3_dot(a, s.dc[0]);
    s.rho = s.p * s.p + s.c * s.c;
    return s;
}

static void angle(TmlLineValue *s, TmlSlots x, TmlSlots v, int director)
{
    const Angle k = angle_state(x, director);
    const TmlVec3 r[3] = {vec(x[TML_SLOT_RX]), vec(x[TML_SLOT_RY]), vec(x[TML_SLOT_RZ])};
    const TmlVec3 d[3] = {vec(v[TML_SLOT_RX]), vec(v[TML_SLOT_RY]), vec(v[TML_SLOT_RZ])};
    double p_rate = 0.0, c_rate = 0.0;
    s->e = atan2(k.p, k.c);
    for (int i = 0; i < 3; ++i) {
        p_rate += v3_dot(k.dp[i], d[i]);
        c_rate += v3_dot(k.dc[i], d[i]);
    }
    const double rho_rate = 2.0 * (k.p * p_rate + k.c * c_rate);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        const TmlVec3 top = v3_axpy(-k.p, k.dc[i], v3_scale(k.c, k.dp[i]));
        const TmlVec3 ddp = i == 0 ? d[director] : i == director ? d[0] : v3(0, 0, 0);
        const TmlVec3 ddc = v3_add(v3_cross(d[j], r[l]), v3_cross(r[j], d[l]));
        TmlVec3 rate = v3_axpy(-k.p, ddc, v3_scale(k.c, ddp));
        rate = v3_axpy(c_rate, k.dp[i], v3_axpy(-p_rate, k.dc[i], rate));
        rate = v3_axpy(-rho_rate / k.rho, top, rate);
        put(s, angle_slots[i], v3_scale(1.0 / k.rho, top), v3_scale(1.0 / k.rho, rate));
    }
}

void tml_line_strain(int k, TmlSlots x, TmlSlots v, TmlLineValue *s)
{
    s->n = 0;
    s->e = 0.0;
    switch (k) {
    case TML_LINE_AXIAL:
        axial(s, x, v);
        break;
    case TML_LINE_BEND_Y:
    case TML_LINE_BEND_Z:
    case TML_LINE_TURN_Y:
    case TML_LINE_TURN_Z:
        bend(s, x, v, turn_of(k));
        break;
    case TML_LINE_TWIST:
        add_product(s, x, v, TML_SLOT_RYX, TML_SLOT_RZ, 0.5);
        add_product(s, x, v, TML_SLOT_RZX, TML_SLOT_RY, -0.5);
        break;
    case TML_LINE_SHEAR_Y:
        add_product(s, x, v, TML_SLOT_RX, TML_SLOT_RY, 1.0);
        break;
    case TML_LINE_SHEAR_Z:
        add_product(s, x, v, TML_SLOT_RX, TML_SLOT_RZ, 1.0);
        break;
    case TML_LINE_SECTION_Y:
        s->e = 0.5 * (v3_dot(vec(x[TML_SLOT_RY]), vec(x[TML_SLOT_RY])) - 1.0);
        put(s, TML_SLOT_RY, vec(x[TML_SLOT_RY]), vec(v[TML_SLOT_RY]));
        break;
    case TML_LINE_SECTION_Z:
        s->e = 0.5 * (v3_dot(vec(x[TML_SLOT_RZ]), vec(x[TML_SLOT_RZ])) - 1.0);
        put(s, TML_SLOT_RZ, vec(x[TML_SLOT_RZ]), vec(v[TML_SLOT_RZ]));
        break;
    case TML_LINE_CHANGE_Y:
        add_product(s, x, v, TML_SLOT_RYX, TML_SLOT_RY, 1.0);
        break;
    case TML_LINE_CHANGE_Z:
        add_product(s, x, v, TML_SLOT_RZX, TML_SLOT_RZ, 1.0);
        break;
    case TML_LINE_CHANGE_YZ:
        add_product(s, x, v, TML_SLOT_RYX, TML_SLOT_RZ, 0.5);
        add_product(s, x, v, TML_SLOT_RZX, TML_SLOT_RY, 0.5);
        break;
    case TML_LINE_ANGLE_Y:
        angle(s, x, v, 1);
        break;
    case TML_LINE_ANGLE_Z:
        angle(s, x, v, 2);
        break;
    default:
        add_product(s, x, v, TML_SLOT_RY, TML_SLOT_RZ, 1.0);
        break;
    }
}

/* --- Hessians -------------------------------------------------------------------------------- */

static void add_unit(double c, double *H)
{
    H[0] += c;
    H[4] += c;
    H[8] += c;
}

static void add_outer(double c, TmlVec3 a, TmlVec3 b, double *H)
{
    for (int i = 0; i < 3; ++i) {
        const double x = c * *entry(&a, i);
        H[3 * i] += x * b.x;
        H[3 * i + 1] += x * b.y;
        H[3 * i + 2] += x * b.z;
    }
}

static void pair_unit(TmlSlotBlocks H, TmlSlot a, TmlSlot b, double c)
{
    add_unit(c, H[a][b]);
    add_unit(c, H[b][a]);
}

static void add_skew(double c, TmlVec3 a, double *H)
{
    H[1] -= c * a.z;
    H[2] += c * a.y;
    H[3] += c * a.z;
    H[5] -= c * a.x;
    H[6] -= c * a.y;
    H[7] += c * a.x;
}

/* H[i][j] += X, and its transpose to H[j][i] */
static void add_pair(TmlSlotBlocks H, TmlSlot i, TmlSlot j, const double *X)
{
    for (int k = 0; k < 9; ++k) {
        H[i][j][k] += X[k];
        H[j][i][k] += X[3 * (k % 3) + k / 3];
    }
}

static void bend_hessian(const TmlLineValue *s, TmlSlots x, double f, TmlSlotBlocks H)
{
    const TmlSlot u = s->slot[0], b = s->slot[1], a = s->slot[2];
    const Bent k = bent_state(x, (Turn){a, b, u});
    const TmlVec3 bu = v3_cross(k.b, k.u), ua = v3_cross(k.u, k.a);
    const double fD = f * k.D, fe = f * s->e;
    double ub[9] = {0}, ab[9] = {0}, u_a[9] = {0};
    add_outer(3.0 * fe, k.beta, k.beta, H[u][u]);
    add_unit(-fe / k.n2, H[u][u]);
    add_outer(-fD, k.c, k.beta, H[u][u]);
    add_outer(-fD, k.beta, k.c, H[u][u]);
    add_outer(2.0 * fe, k.alpha, k.alpha, H[a][a]);
    add_unit(-2.0 * fe / k.q, H[a][a]);
    add_outer(-fD, bu, k.alpha, H[a][a]);
    add_outer(-fD, k.alpha, bu, H[a][a]);
    add_skew(-fD, k.b, u_a);
    add_outer(-fD, k.c, k.alpha, u_a);
    add_outer(-fD, k.beta, bu, u_a);
    add_outer(fe, k.beta, k.alpha, u_a);
    add_skew(fD, k.a, ub);
    add_outer(-fD, k.beta, ua, ub);
    add_skew(-fD, k.u, ab);
    add_outer(-fD, k.alpha, ua, ab);
    add_pair(H, u, a, u_a);
    add_pair(H, u, b, ub);
    add_pair(H, a, b, ab);
}

static void angle_hessian(TmlSlots x, int director, double f, TmlSlotBlocks H)
{
    const Angle k = angle_state(x, director);
    const double w = f / (k.rho * k.rho), pp = -2.0 * w * k.p * k.c;
    const double pc = w * (k.p * k.p - k.c * k.c);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        for (int m = 0; m < 3; ++m) {
            double *to = H[angle_slots[i]][angle_slots[m]];
            add_outer(pp, k.dp[i], k.dp[m], to);
            add_outer(-pp, k.dc[i], k.dc[m], to);
            add_outer(pc, k.dp[i], k.dc[m], to);
            add_outer(pc, k.dc[i], k.dp[m], to);
        }
        // c is the triple product of the slots: dc_i = r_j x r_l
        add_skew(f * k.p / k.rho, vec(x[angle_slots[l]]), H[angle_slots[i]][angle_slots[j]]);
        add_skew(-f * k.p / k.rho, vec(x[angle_slots[j]]), H[angle_slots[i]][angle_slots[l]]);
    }
    pair_unit(H, TML_SLOT_RX, angle_slots[director], f * k.c / k.rho);
}

void tml_line_hessian(int k, const TmlLineValue *s, TmlSlots x, double c, TmlSlotBlocks H)
{
    switch (k) {
    case TML_LINE_AXIAL: {
        const double n = s->e + 1.0;
        add_unit(c / n, H[TML_SLOT_RX][TML_SLOT_RX]);
        add_outer(-c / n, s->g[0], s->g[0], H[TML_SLOT_RX][TML_SLOT_RX]);
        break;
    }
    case TML_LINE_BEND_Y:
    case TML_LINE_BEND_Z:
    case TML_LINE_TURN_Y:
    case TML_LINE_TURN_Z:
        bend_hessian(s, x, c, H);
        break;
    case TML_LINE_TWIST:
        pair_unit(H, TML_SLOT_RYX, TML_SLOT_RZ, 0.5 * c);
        pair_unit(H, TML_SLOT_RZX, TML_SLOT_RY, -0.5 * c);
        break;
    case TML_LINE_CHANGE_YZ:
        pair_unit(H, TML_SLOT_RYX, TML_SLOT_RZ, 0.5 * c);
        pair_unit(H, TML_SLOT_RZX, TML_SLOT_RY, 0.5 * c);
        break;
    case TML_LINE_ANGLE_Y:
        angle_hessian(x, 1, c, H);
        break;
    case TML_LINE_ANGLE_Z:
        angle_hessian(x, 2, c, H);
        break;
    case TML_LINE_SECTION_Y:
    case TML_LINE_SECTION_Z:
        add_unit(c, H[s->slot[0]][s->slot[0]]);
        break;
    default:
        pair_unit(H, s->slot[0], s->slot[1], c);
        break;
    }
}
