/* model/flex_line.c - (E1) to (E5) of flex_line.h.
 *
 * A strain e of the slots has the gradient g, its rate g' along the motion, and a Hessian H:
 *
 *   (E6)  h = w k (e - e_0 + tau e') g,   e' = g . v
 *   (E7)  dh = w k g ((c_q + tau c_v) g + c_q tau g') + c_q w k (e - e_0 + tau e') H
 */
#include "model/flex_line.h"

#include "base/fail.h"
#include "math/gauss.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* One strain: up to four slots take part. */
typedef struct Strain {
    double e;
    int n;
    TmlSlot slot[4];
    TmlVec3 g[4], rate[4];
} Strain;

typedef double Slots[TML_SLOTS][3];
typedef double Blocks[TML_SLOTS][TML_SLOTS][9];

static TmlVec3 vec(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

static double *entry(TmlVec3 *v, int d)
{
    return d == 0 ? &v->x : d == 1 ? &v->y : &v->z;
}

static void put(Strain *s, TmlSlot slot, TmlVec3 g, TmlVec3 rate)
{
    s->slot[s->n] = slot;
    s->g[s->n] = g;
    s->rate[s->n++] = rate;
}

/* c a . b of two slots */
static void add_product(Strain *s, Slots x, Slots v, TmlSlot a, TmlSlot b, double c)
{
    s->e += c * v3_dot(vec(x[a]), vec(x[b]));
    put(s, a, v3_scale(c, vec(x[b])), v3_scale(c, vec(v[b])));
    put(s, b, v3_scale(c, vec(x[a])), v3_scale(c, vec(v[a])));
}

static void axial(Strain *s, Slots x, Slots v)
{
    const TmlVec3 a = vec(x[TML_SLOT_RX]), da = vec(v[TML_SLOT_RX]);
    const double n = v3_norm(a);
    const TmlVec3 t = v3_scale(1.0 / n, a);
    s->e = n - 1.0;
    put(s, TML_SLOT_RX, t, v3_scale(1.0 / n, v3_axpy(-v3_dot(t, da), t, da)));
}

static void bend(Strain *s, Slots x, Slots v, TmlSlot across, double sign)
{
    const TmlVec3 a = vec(x[TML_SLOT_RX]), b = vec(x[TML_SLOT_RXX]), u = vec(x[across]);
    const TmlVec3 da = vec(v[TML_SLOT_RX]), db = vec(v[TML_SLOT_RXX]), du = vec(v[across]);
    const double n2 = v3_dot(a, a), c = sign / sqrt(n2), dn = v3_dot(a, da) / n2;
    const TmlVec3 g_u = v3_scale(c, b), g_b = v3_scale(c, u);
    s->e = c * v3_dot(u, b);
    const TmlVec3 g_a = v3_scale(-s->e / n2, a);
    const double de = v3_dot(g_u, du) + v3_dot(g_b, db) + v3_dot(g_a, da);
    put(s, across, g_u, v3_axpy(-dn, g_u, v3_scale(c, db)));
    put(s, TML_SLOT_RXX, g_b, v3_axpy(-dn, g_b, v3_scale(c, du)));
    const TmlVec3 turned = v3_scale(-s->e / n2, da);
    put(s, TML_SLOT_RX, g_a, v3_axpy(-de / n2, a, v3_axpy(2.0 * s->e * dn / n2, a, turned)));
}

static void strain_eval(int k, Slots x, Slots v, Strain *s)
{
    s->n = 0;
    s->e = 0.0;
    switch (k) {
    case TML_LINE_AXIAL:
        axial(s, x, v);
        break;
    case TML_LINE_BEND_Y:
        bend(s, x, v, TML_SLOT_RZ, -1.0);
        break;
    case TML_LINE_BEND_Z:
        bend(s, x, v, TML_SLOT_RY, 1.0);
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
    default:
        add_product(s, x, v, TML_SLOT_RY, TML_SLOT_RZ, 1.0);
        break;
    }
}

static double strain_rate(const Strain *s, Slots v)
{
    double rate = 0.0;
    for (int i = 0; i < s->n; ++i) {
        rate += v3_dot(s->g[i], vec(v[s->slot[i]]));
    }
    return rate;
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

static void pair_unit(Blocks H, TmlSlot a, TmlSlot b, double c)
{
    add_unit(c, H[a][b]);
    add_unit(c, H[b][a]);
}

static void bend_hessian(const Strain *s, Slots x, double c, double sign, Blocks H)
{
    const TmlSlot u = s->slot[0], b = TML_SLOT_RXX, a = TML_SLOT_RX;
    const TmlVec3 r = vec(x[a]);
    const double n2 = v3_dot(r, r);
    pair_unit(H, u, b, c * sign / sqrt(n2));
    for (int k = 0; k < 2; ++k) {
        const TmlSlot i = k == 0 ? u : b;
        add_outer(-c / n2, s->g[k], r, H[i][a]);
        add_outer(-c / n2, r, s->g[k], H[a][i]);
    }
    add_outer(3.0 * c * s->e / (n2 * n2), r, r, H[a][a]);
    add_unit(-c * s->e / n2, H[a][a]);
}

/* H += c times the Hessian of strain k */
static void add_hessian(int k, const Strain *s, Slots x, double c, Blocks H)
{
    switch (k) {
    case TML_LINE_AXIAL: {
        const double n = s->e + 1.0;
        add_unit(c / n, H[TML_SLOT_RX][TML_SLOT_RX]);
        add_outer(-c / n, s->g[0], s->g[0], H[TML_SLOT_RX][TML_SLOT_RX]);
        break;
    }
    case TML_LINE_BEND_Y:
        bend_hessian(s, x, c, -1.0, H);
        break;
    case TML_LINE_BEND_Z:
        bend_hessian(s, x, c, 1.0, H);
        break;
    case TML_LINE_TWIST:
        pair_unit(H, TML_SLOT_RYX, TML_SLOT_RZ, 0.5 * c);
        pair_unit(H, TML_SLOT_RZX, TML_SLOT_RY, -0.5 * c);
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

/* (E7) without the Hessian */
static void add_stiffness(const Strain *s, double c_g, double c_rate, Blocks H)
{
    TmlVec3 l[4];
    for (int j = 0; j < s->n; ++j) {
        l[j] = v3_axpy(c_rate, s->rate[j], v3_scale(c_g, s->g[j]));
    }
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < s->n; ++j) {
            add_outer(1.0, s->g[i], l[j], H[s->slot[i]][s->slot[j]]);
        }
    }
}

/* --- tables ---------------------------------------------------------------------------------- */

double tml_line_arc_length(const TmlStationMap *map, const double *x0, TmlStation *s)
{
    Slots g;
    tml_station_gather(map, s, x0, g);
    const TmlVec3 a = vec(g[TML_SLOT_RX]), b = vec(g[TML_SLOT_RXX]);
    const double j = v3_norm(a), dj = v3_dot(a, b) / j;
    for (int i = 0; i < map->n && j > 0.0; ++i) {
        if (map->p[i] == TML_SLOT_RX) {
            s->q[i] = (s->q[i] - s->p[i] * dj / j) / (j * j);
            s->p[i] /= j;
        } else {
            s->q[i] /= j;
        }
    }
    return j;
}

static TmlStatus add_station(TmlBeamLine *b, const TmlFlexReference *ref, TmlLineShape *shape,
                             double xi, double weight, unsigned what, TmlError *err)
{
    Slots g, rest = {{0}};
    const int k = b->n_stations++;
    shape(ref->size[0], xi, &b->at[k].s);
    const double j = tml_line_arc_length(&b->map, ref->x, &b->at[k].s);
    tml_station_gather(&b->map, &b->at[k].s, ref->x, g);
    const double det =
        v3_dot(vec(g[TML_SLOT_RX]), v3_cross(vec(g[TML_SLOT_RY]), vec(g[TML_SLOT_RZ])));
    if (!(j > 0.0 && det > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "is inverted or has no size (volume ratio %.3g)",
                        j > 0.0 ? j * det : 0.0);
    }
    b->at[k].what = what;
    b->at[k].length = weight * ref->size[0] * j;
    b->at[k].volume = det;
    for (int i = 0; i < TML_LINE_STRAINS; ++i) {
        Strain s;
        strain_eval(i, g, rest, &s);
        b->at[k].rest[i] = s.e;
    }
    return TML_OK;
}

TmlStatus tml_beam_line_init(TmlBeamLine *b, const TmlFlexData *data, const TmlFlexReference *ref,
                             TmlLineShape *shape, const TmlLineRule *rule, TmlError *err)
{
    const TmlCrossSection *c = &data->section;
    const double E = data->material.E, G = E / (2.0 * (1.0 + data->material.nu)), A = c->area;
    const double k[TML_LINE_STRAINS] = {
        E * A, E * c->Iy, E * c->Iz, G * c->J, c->shear_y * G * A, c->shear_z * G * A,
        E * A, E * A,     G * A};
    memcpy(b->stiffness, k, sizeof k);
    b->tau = data->material.damping;
    b->n_stations = 0;
    for (; rule->n > 0; ++rule) {
        double xi[TML_GAUSS_MAX], w[TML_GAUSS_MAX];
        tml_gauss(rule->n, xi, w);
        for (int i = 0; i < rule->n; ++i) {
            const double node = (double)i / (rule->n - 1);
            const double at_node = rule->n == 2 ? 0.5 : i == 1 ? 4.0 / 6.0 : 1.0 / 6.0;
            TML_TRY(add_station(b, ref, shape, rule->nodes ? node : xi[i],
                                rule->nodes ? at_node : w[i], rule->what, err));
        }
    }
    return TML_OK;
}

/* --- forces ---------------------------------------------------------------------------------- */

/* Slots and their rates (zero without damping) at station i. */
static void gather(const TmlBeamLine *b, int i, const double *x, const double *v, Slots g, Slots d)
{
    tml_station_gather(&b->map, &b->at[i].s, x, g);
    if (b->tau > 0.0) {
        tml_station_gather(&b->map, &b->at[i].s, v, d);
    } else {
        memset(d, 0, sizeof(Slots));
    }
}

static double stress(const TmlBeamLine *b, int i, int k, const Strain *s, Slots d)
{
    return b->at[i].length * b->stiffness[k] *
           (s->e - b->at[i].rest[k] + b->tau * strain_rate(s, d));
}

void tml_beam_line_force(const TmlBeamLine *b, const double *x, const double *v, double *f)
{
    for (int i = 0; i < b->n_stations; ++i) {
        Slots g, d, h = {{0}};
        gather(b, i, x, v, g, d);
        for (int k = 0; k < TML_LINE_STRAINS; ++k) {
            Strain s;
            if ((b->at[i].what >> k & 1u) == 0) {
                continue;
            }
            strain_eval(k, g, d, &s);
            const double c = stress(b, i, k, &s, d); // (E6)
            for (int j = 0; j < s.n; ++j) {
                double *to = h[s.slot[j]];
                to[0] += c * s.g[j].x;
                to[1] += c * s.g[j].y;
                to[2] += c * s.g[j].z;
            }
        }
        tml_station_scatter(&b->map, &b->at[i].s, h, f);
    }
}

/* What a strain has that is not linear in the last move. */
static double square(const TmlBeamLine *b, int i, int k, const TmlFlexIn *in, const Strain *s)
{
    double from[3 * TML_FLEX_MAX_VECTORS];
    Slots g, d;
    Strain before;
    if (in->moved == NULL) {
        return 0.0;
    }
    for (int j = 0; j < 3 * b->map.n; ++j) {
        from[j] = in->x[j] - in->moved[j];
    }
    tml_station_gather(&b->map, &b->at[i].s, from, g);
    tml_station_gather(&b->map, &b->at[i].s, in->moved, d);
    strain_eval(k, g, d, &before);
    return s->e - before.e - strain_rate(&before, d);
}

void tml_beam_line_tangent(const TmlBeamLine *b, const TmlFlexIn *in, double c_q, double c_v,
                           double *K)
{
    for (int i = 0; i < b->n_stations; ++i) {
        Slots g, d;
        Blocks H;
        memset(H, 0, sizeof H);
        gather(b, i, in->x, in->v, g, d);
        for (int k = 0; k < TML_LINE_STRAINS; ++k) {
            Strain s;
            if ((b->at[i].what >> k & 1u) == 0) {
                continue;
            }
            strain_eval(k, g, d, &s);
            const double w = b->at[i].length * b->stiffness[k];
            add_stiffness(&s, w * (c_q + b->tau * c_v), w * c_q * b->tau, H); // (E7)
            add_hessian(k, &s, g, c_q * (stress(b, i, k, &s, d) - w * square(b, i, k, in, &s)), H);
        }
        tml_station_expand(&b->map, &b->at[i].s, H, K);
    }
}

double tml_beam_line_energy(const TmlBeamLine *b, const double *x)
{
    double energy = 0.0;
    for (int i = 0; i < b->n_stations; ++i) {
        Slots g, rest = {{0}};
        tml_station_gather(&b->map, &b->at[i].s, x, g);
        for (int k = 0; k < TML_LINE_STRAINS; ++k) {
            Strain s;
            if ((b->at[i].what >> k & 1u) == 0) {
                continue;
            }
            strain_eval(k, g, rest, &s);
            const double e = s.e - b->at[i].rest[k];
            energy += 0.5 * b->at[i].length * b->stiffness[k] * e * e;
        }
    }
    return energy;
}

double tml_beam_line_volume(const TmlBeamLine *b, const double *x)
{
    double smallest = HUGE_VAL;
    for (int i = 0; i < b->n_stations; ++i) {
        Slots g;
        tml_station_gather(&b->map, &b->at[i].s, x, g);
        const double det =
            v3_dot(vec(g[TML_SLOT_RX]), v3_cross(vec(g[TML_SLOT_RY]), vec(g[TML_SLOT_RZ])));
        const double ratio = det / b->at[i].volume;
        smallest = ratio >= smallest ? smallest : ratio; // lets NaN through
    }
    return smallest;
}
