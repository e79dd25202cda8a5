/* model/flexible/mechanics/elastic_line.c - forces and tangents of (E1) to (E5) and (E8) of elastic_line.h.
 *
 * A strain e of the slots has the gradient g, its rate g' along the motion, and a Hessian H:
 *
 *   (E6)  h = w k (e - e_0 + tau e') g,   e' = g . v
 *   (E7)  dh = w k g ((c_q + tau c_v) g + c_q tau g') + c_q w k (e - e_0 + tau e') H
 *
 * The angles in (E2) are the same at all Gauss points: the sum of their bending stresses over L is
 * their stress, and their gradients join those of the bending strains, by nodal vectors.
 */
#include "model/flexible/mechanics/elastic_line.h"

#include "base/fail.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/flexible/mechanics/elastic_line_strain.h"
#include "model/flexible/mechanics/section.h"

#include <math.h>
#include <string.h>

static TmlVec3 vec(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

static double strain_rate(const TmlLineValue *s, TmlSlots v)
{
    double rate = 0.0;
    for (int i = 0; i < s->n; ++i) {
        rate += v3_dot(s->g[i], vec(v[s->slot[i]]));
    }
    return rate;
}

static void add_outer(TmlVec3 a, TmlVec3 b, double *H)
{
    const double x[3] = {a.x, a.y, a.z};
    for (int i = 0; i < 3; ++i) {
        H[3 * i] += x[i] * b.x;
        H[3 * i + 1] += x[i] * b.y;
        H[3 * i + 2] += x[i] * b.z;
    }
}

/* (E7) without the Hessian: the stress of t in the force of s */
static void add_stiffness(const TmlLineValue *s, const TmlLineValue *t, double c_g, double c_rate,
                          TmlSlotBlocks H)
{
    TmlVec3 l[4];
    for (int j = 0; j < t->n; ++j) {
        l[j] = v3_axpy(c_rate, t->rate[j], v3_scale(c_g, t->g[j]));
    }
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < t->n; ++j) {
            add_outer(s->g[i], l[j], H[s->slot[i]][t->slot[j]]);
        }
    }
}

/* --- tables ---------------------------------------------------------------------------------- */

double tml_line_arc_length(const TmlStationMap *map, const double *x0, TmlStation *s)
{
    TmlSlots g;
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
    TmlSlots g, rest = {{0}};
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
    b->at[k].xi = xi;
    b->at[k].length = weight * ref->size[0] * j;
    b->at[k].volume = det;
    for (int i = 0; i < TML_LINE_STRAINS; ++i) {
        TmlLineValue s;
        tml_line_strain(i, g, rest, &s);
        b->at[k].rest[i] = s.e;
    }
    return TML_OK;
}

/* (E9) */
static void set_pairs(TmlBeamLine *b, const TmlCrossSection *c)
{
    static const int order[TML_RESULTANTS] = {TML_LINE_AXIAL, TML_LINE_SHEAR_Y, TML_LINE_SHEAR_Z,
                                              TML_LINE_TWIST, TML_LINE_TURN_Y,  TML_LINE_TURN_Z};
    b->n_pairs = 0;
    for (int k = 0; k < TML_RESULTANTS * TML_RESULTANTS && c->matrix; ++k) {
        const int i = k / TML_RESULTANTS, j = k % TML_RESULTANTS;
        if (i < j && c->stiffness[i][j] != 0.0) {
            b->pair[b->n_pairs++] = (TmlLinePair){order[i], order[j], c->stiffness[i][j]};
        }
    }
}

TmlStatus tml_beam_line_init(TmlBeamLine *b, const TmlFlexData *data, const TmlFlexReference *ref,
                             TmlLineShape *shape, const TmlLineRule *rule, TmlError *err)
{
    const TmlCrossSection *c = &data->section;
    const double E = data->material.E, G = E / (2.0 * (1.0 + data->material.nu)), A = c->area;
    // what mass there is must not stretch a section more than that of a homogeneous one would
    const TmlCrossSection mass = tml_section_of_mass(c);
    const double y = fmax(1.0, mass.Iz / c->Iz), z = fmax(1.0, mass.Iy / c->Iy);
    const double k[TML_LINE_STRAINS] = {E * A,
                                        E * c->Iy,
                                        E * c->Iz,
                                        G * c->J,
                                        c->shear_y * G * A,
                                        c->shear_z * G * A,
                                        E * A * y,
                                        E * A * z,
                                        G * A * (y + z) / 2.0,
                                        0.0,
                                        0.0,
                                        c->shear_y * G * c->Iz,
                                        c->shear_z * G * c->Iy,
                                        G * (c->Iy + c->Iz),
                                        E * c->Iy,
                                        E * c->Iz};
    memcpy(b->stiffness, k, sizeof k);
    set_pairs(b, c);
    b->tau = data->material.damping;
    b->n_stations = 0;
    b->length = 0.0;
    b->angles = b->middle = -1;
    for (; rule->n > 0; ++rule) {
        double xi[TML_GAUSS_MAX], w[TML_GAUSS_MAX];
        tml_gauss(rule->n, xi, w);
        b->angles = (rule->what & TML_LINE_ANGLES) != 0 ? b->n_stations : b->angles;
        for (int i = 0; i < rule->n; ++i) {
            const double node = (double)i / (rule->n - 1);
            const double at_node = rule->n == 2 ? 0.5 : i == 1 ? 4.0 / 6.0 : 1.0 / 6.0;
            TML_TRY(add_station(b, ref, shape, rule->nodes ? node : xi[i],
                                rule->nodes ? at_node : w[i], rule->what, err));
            const int last = b->n_stations - 1;
            const bool twists = (rule->what & 1u << TML_LINE_TWIST) != 0;
            b->middle = twists && rule->n == 3 && i == 1 ? last : b->middle;
            b->length += (rule->what & 1u << TML_LINE_BEND_Y) != 0 ? b->at[last].length : 0.0;
        }
    }
    return TML_OK;
}

/* --- forces ---------------------------------------------------------------------------------- */

/* Slots and their rates (zero without damping) at station i. */
static void gather(const TmlBeamLine *b, int i, const TmlFlexIn *in, TmlSlots g, TmlSlots d)
{
    tml_station_gather(&b->map, &b->at[i].s, in->x, g);
    if (b->tau > 0.0) {
        tml_station_gather(&b->map, &b->at[i].s, in->v, d);
    } else {
        memset(d, 0, sizeof(TmlSlots));
    }
}

/* What the nodes add to the two bending strains, and get back from them. Index k: about y, z; the
 * angle of the same name, TML_LINE_ANGLE_Y + k, counts there by its mean times the twist. */
typedef struct Nodes {
    TmlLineValue angle[2][2]; /* at node n, k */
    TmlLineValue twist;       /* in the middle */
    double twist_rate;
    double mean[2], mean_rate[2]; /* of both nodes: e - e_0 of the angle, and its rate */
    double turn[2];               /* added to TML_LINE_BEND_Y + k: value and tau times its rate */
    double back[2];               /* sum of bending stresses */
} Nodes;

static bool measured(const TmlBeamLine *b, int i, int k)
{
    return (b->at[i].what >> k & 1u) != 0;
}

/* What angle k at node n (0, 1) counts in bending strain i. */
static double share(const TmlBeamLine *b, const Nodes *nodes, int i, int k, int n)
{
    return i == k ? 0.5 * nodes->twist.e : ((i == 0) == (n == 1) ? 1.0 : -1.0) / b->length;
}

/* What a strain has that is not linear in the last move of a static solution. */
static double square(const TmlBeamLine *b, int i, int k, const TmlFlexIn *in, const TmlLineValue *s)
{
    double from[TML_FLEX_MAX_N];
    TmlSlots g, d;
    TmlLineValue before;
    for (int j = 0; j < 3 * b->map.n; ++j) {
        from[j] = in->x[j] - in->moved[j];
    }
    tml_station_gather(&b->map, &b->at[i].s, from, g);
    tml_station_gather(&b->map, &b->at[i].s, in->moved, d);
    tml_line_strain(k, g, d, &before);
    return s->e - before.e - strain_rate(&before, d);
}

static double rate_of(const TmlBeamLine *b, const TmlLineValue *s, TmlSlots d)
{
    return b->tau > 0.0 ? strain_rate(s, d) : 0.0;
}

/* e - e_0 */
static double elastic(const TmlBeamLine *b, int i, int k, const TmlLineValue *s,
                      const TmlFlexIn *in)
{
    const double e = s->e - b->at[i].rest[k];
    return in->moved != NULL ? e - square(b, i, k, in, s) : e;
}

/* e - e_0 + tau e' */
static double effective(const TmlBeamLine *b, int i, int k, const TmlLineValue *s, TmlSlots d,
                        const TmlFlexIn *in)
{
    return elastic(b, i, k, s, in) + b->tau * rate_of(b, s, d);
}

/* t of (E2). */
static void twist_eval(const TmlBeamLine *b, const TmlFlexIn *in, Nodes *out)
{
    if (b->middle >= 0) {
        TmlSlots g, d;
        gather(b, b->middle, in, g, d);
        tml_line_strain(TML_LINE_TWIST, g, d, &out->twist);
        out->twist_rate = rate_of(b, &out->twist, d);
    }
}

static void nodes_eval(const TmlBeamLine *b, const TmlFlexIn *in, Nodes *out)
{
    double e[2][2] = {{0}}, rate[2][2] = {{0}};
    *out = (Nodes){.turn = {0}};
    if (b->angles < 0) {
        return;
    }
    twist_eval(b, in, out);
    for (int n = 0; n < 2; ++n) {
        TmlSlots g, d;
        gather(b, b->angles + n, in, g, d);
        for (int k = 0; k < 2; ++k) {
            TmlLineValue *s = &out->angle[n][k];
            tml_line_strain(TML_LINE_ANGLE_Y + k, g, d, s);
            e[n][k] = elastic(b, b->angles + n, TML_LINE_ANGLE_Y + k, s, in);
            rate[n][k] = rate_of(b, s, d);
            out->mean[k] += 0.5 * e[n][k];
            out->mean_rate[k] += 0.5 * rate[n][k];
        }
    }
    for (int i = 0; i < 2; ++i) {
        out->turn[i] = b->tau * out->twist_rate * out->mean[i];
        for (int n = 0; n < 2; ++n) {
            for (int k = 0; k < 2; ++k) {
                out->turn[i] += share(b, out, i, k, n) * (e[n][k] + b->tau * rate[n][k]); // (E2)
            }
        }
    }
}

void tml_beam_line_turns(const TmlBeamLine *b, const TmlFlexIn *in, double turn[2])
{
    Nodes nodes;
    nodes_eval(b, in, &nodes);
    turn[0] = nodes.turn[0];
    turn[1] = nodes.turn[1];
}

/* Stress of strain k times the weight of station i; bending stresses are kept for the nodes. */
static double stress(const TmlBeamLine *b, int i, int k, const TmlLineValue *s, TmlSlots d,
                     const TmlFlexIn *in, Nodes *nodes)
{
    const double w = b->at[i].length * b->stiffness[k];
    const double own = w * effective(b, i, k, s, d, in);
    if (k == TML_LINE_BEND_Y || k == TML_LINE_BEND_Z) {
        const double all = own + w * nodes->turn[k - TML_LINE_BEND_Y];
        nodes->back[k - TML_LINE_BEND_Y] += all;
        return all;
    }
    if (k == TML_LINE_ANGLE_Y || k == TML_LINE_ANGLE_Z) {
        const int n = i - b->angles, angle = k - TML_LINE_ANGLE_Y;
        return share(b, nodes, 0, angle, n) * nodes->back[0] +
               share(b, nodes, 1, angle, n) * nodes->back[1];
    }
    return own;
}

static void add_slots(double c, const TmlLineValue *s, TmlSlots h)
{
    for (int j = 0; j < s->n; ++j) {
        double *to = h[s->slot[j]];
        to[0] += c * s->g[j].x;
        to[1] += c * s->g[j].y;
        to[2] += c * s->g[j].z;
    }
}

/* The same of the rates of the gradient. */
static void add_slot_rates(double c, const TmlLineValue *s, TmlSlots h)
{
    for (int j = 0; j < s->n; ++j) {
        double *to = h[s->slot[j]];
        to[0] += c * s->rate[j].x;
        to[1] += c * s->rate[j].y;
        to[2] += c * s->rate[j].z;
    }
}

/* The two strains of a pair at station i, and what they count; false: not measured there. */
static bool pair_at(const TmlBeamLine *b, int i, const TmlLinePair *p, const TmlFlexIn *in,
                    TmlSlots g, TmlSlots d, TmlLineValue s[2], double e[2])
{
    if (!measured(b, i, p->a) || !measured(b, i, p->b)) {
        return false;
    }
    for (int n = 0; n < 2; ++n) {
        const int k = n == 0 ? p->a : p->b;
        tml_line_strain(k, g, d, &s[n]);
        e[n] = effective(b, i, k, &s[n], d, in);
    }
    return true;
}

static void add_pair_forces(const TmlBeamLine *b, int i, const TmlFlexIn *in, TmlSlots g,
                            TmlSlots d, TmlSlots h)
{
    for (const TmlLinePair *p = b->pair; p < b->pair + b->n_pairs; ++p) {
        TmlLineValue s[2];
        double e[2];
        if (pair_at(b, i, p, in, g, d, s, e)) {
            const double w = b->at[i].length * p->stiffness;
            add_slots(w * e[1], &s[0], h);
            add_slots(w * e[0], &s[1], h);
        }
    }
}

/* What the twist in (E2) gets back from bending. */
static double twist_stress(const Nodes *nodes)
{
    return nodes->back[0] * nodes->mean[0] + nodes->back[1] * nodes->mean[1];
}

static void add_forces(const TmlBeamLine *b, const TmlFlexIn *in, double *f)
{
    Nodes nodes;
    nodes_eval(b, in, &nodes);
    for (int i = 0; i < b->n_stations; ++i) {
        TmlSlots g, d, h = {{0}};
        gather(b, i, in, g, d);
        for (int k = 0; k < TML_LINE_STRAINS; ++k) {
            TmlLineValue s;
            if (measured(b, i, k)) {
                tml_line_strain(k, g, d, &s);
                add_slots(stress(b, i, k, &s, d, in, &nodes), &s, h); // (E6)
            }
        }
        add_pair_forces(b, i, in, g, d, h);
        tml_station_scatter(&b->map, &b->at[i].s, h, f);
    }
    if (b->angles >= 0 && b->middle >= 0) {
        TmlSlots h = {{0}};
        add_slots(twist_stress(&nodes), &nodes.twist, h);
        tml_station_scatter(&b->map, &b->at[b->middle].s, h, f);
    }
}

void tml_beam_line_force(const TmlBeamLine *b, const double *x, const double *v, double *f)
{
    const TmlFlexIn in = {.x = x, .v = v};
    add_forces(b, &in, f);
}

/* --- tangent --------------------------------------------------------------------------------- */

/* Gradients of what nodes add to the two bending strains, and their rates, by nodal vectors; of the
 * twist and of the mean angles. */
typedef struct Gradients {
    double g[2][TML_FLEX_MAX_N], rate[2][TML_FLEX_MAX_N];
    double twist[TML_FLEX_MAX_N], mean[2][TML_FLEX_MAX_N];
} Gradients;

/* to += c times the gradient of s at a station, and c_rate times its rate. */
static void add_gradient(const TmlBeamLine *b, int i, const TmlLineValue *s, double c,
                         double c_rate, double *to)
{
    TmlSlots h = {{0}};
    add_slots(c, s, h);
    if (c_rate != 0.0) {
        add_slot_rates(c_rate, s, h);
    }
    tml_station_scatter(&b->map, &b->at[i].s, h, to);
}

static void node_gradients(const TmlBeamLine *b, const Nodes *nodes, Gradients *out)
{
    memset(out, 0, sizeof *out);
    for (int j = 0; j < 4 && b->angles >= 0; ++j) {
        const int n = j / 2, k = j % 2, at = b->angles + n;
        const TmlLineValue *s = &nodes->angle[n][k];
        for (int i = 0; i < 2; ++i) {
            const double c = share(b, nodes, i, k, n);
            add_gradient(b, at, s, c, 0.0, out->g[i]);
            if (b->tau > 0.0) {
                add_gradient(b, at, s, i == k ? 0.5 * nodes->twist_rate : 0.0, c, out->rate[i]);
            }
        }
        add_gradient(b, at, s, 0.5, 0.0, out->mean[k]);
    }
    for (int i = 0; i < 2 && b->angles >= 0 && b->middle >= 0; ++i) {
        add_gradient(b, b->middle, &nodes->twist, nodes->mean[i], 0.0, out->g[i]);
        if (b->tau > 0.0) {
            add_gradient(b, b->middle, &nodes->twist, nodes->mean_rate[i], nodes->mean[i],
                         out->rate[i]);
        }
    }
    if (b->angles >= 0 && b->middle >= 0) {
        add_gradient(b, b->middle, &nodes->twist, 1.0, 0.0, out->twist);
    }
}

/* The Hessian of the products of twist and mean angles in (E2), times the bending stresses. */
static void add_products(const TmlBeamLine *b, const Nodes *nodes, const Gradients *at,
                         const TmlFlexIn *in, double c_q, double *K)
{
    const int n = 3 * b->map.n;
    TmlSlots g, d;
    TmlSlotBlocks H;
    memset(H, 0, sizeof H);
    gather(b, b->middle, in, g, d);
    tml_line_hessian(TML_LINE_TWIST, &nodes->twist, g, c_q * twist_stress(nodes), H);
    tml_station_expand(&b->map, &b->at[b->middle].s, H, K);
    for (int r = 0; r < n; ++r) {
        const double mean =
            c_q * (nodes->back[0] * at->mean[0][r] + nodes->back[1] * at->mean[1][r]);
        for (int c = 0; c < n; ++c) {
            K[r * n + c] += mean * at->twist[c];
            K[c * n + r] += at->twist[c] * mean;
        }
    }
}

/* (E7) without the Hessian for a bending strain: K += g (c_g g + c_rate g') */
static void add_bending(const TmlBeamLine *b, int i, int k, const TmlLineValue *s,
                        const Gradients *nodes, double c_g, double c_rate, double *K)
{
    const int n = 3 * b->map.n;
    double g[TML_FLEX_MAX_N], l[TML_FLEX_MAX_N];
    TmlSlots h = {{0}}, h_rate = {{0}};
    memcpy(g, nodes->g[k - TML_LINE_BEND_Y], sizeof g);
    add_slots(1.0, s, h);
    tml_station_scatter(&b->map, &b->at[i].s, h, g);
    for (int j = 0; j < n; ++j) {
        l[j] = c_g * g[j] + c_rate * nodes->rate[k - TML_LINE_BEND_Y][j];
    }
    if (c_rate != 0.0) {
        add_slot_rates(c_rate, s, h_rate);
        tml_station_scatter(&b->map, &b->at[i].s, h_rate, l);
    }
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
            K[r * n + c] += g[r] * l[c];
        }
    }
}

static void add_pair_tangents(const TmlBeamLine *b, int i, const TmlFlexIn *in, TmlSlots g,
                              TmlSlots d, double c_q, double c_v, TmlSlotBlocks H)
{
    for (const TmlLinePair *p = b->pair; p < b->pair + b->n_pairs; ++p) {
        TmlLineValue s[2];
        double e[2];
        if (pair_at(b, i, p, in, g, d, s, e)) {
            const double w = b->at[i].length * p->stiffness;
            const double c_g = w * (c_q + b->tau * c_v), c_rate = w * c_q * b->tau;
            add_stiffness(&s[0], &s[1], c_g, c_rate, H);
            add_stiffness(&s[1], &s[0], c_g, c_rate, H);
            tml_line_hessian(p->a, &s[0], g, c_q * w * e[1], H);
            tml_line_hessian(p->b, &s[1], g, c_q * w * e[0], H);
        }
    }
}

void tml_beam_line_tangent(const TmlBeamLine *b, const TmlFlexIn *in, double c_q, double c_v,
                           double *K)
{
    Nodes nodes;
    Gradients gradients;
    nodes_eval(b, in, &nodes);
    node_gradients(b, &nodes, &gradients);
    for (int i = 0; i < b->n_stations; ++i) {
        TmlSlots g, d;
        TmlSlotBlocks H;
        memset(H, 0, sizeof H);
        gather(b, i, in, g, d);
        for (int k = 0; k < TML_LINE_STRAINS; ++k) {
            TmlLineValue s;
            if (!measured(b, i, k)) {
                continue;
            }
            tml_line_strain(k, g, d, &s);
            const double w = b->at[i].length * b->stiffness[k];
            const double c_g = w * (c_q + b->tau * c_v), c_rate = w * c_q * b->tau;
            if (k == TML_LINE_BEND_Y || k == TML_LINE_BEND_Z) {
                add_bending(b, i, k, &s, &gradients, c_g, c_rate, K); // (E7)
            } else if (w > 0.0) {
                add_stiffness(&s, &s, c_g, c_rate, H);
            }
            tml_line_hessian(k, &s, g, c_q * stress(b, i, k, &s, d, in, &nodes), H);
        }
        add_pair_tangents(b, i, in, g, d, c_q, c_v, H);
        tml_station_expand(&b->map, &b->at[i].s, H, K);
    }
    if (b->angles >= 0 && b->middle >= 0) {
        add_products(b, &nodes, &gradients, in, c_q, K);
    }
}

double tml_beam_line_energy(const TmlBeamLine *b, const double *x)
{
    Nodes nodes;
    double energy = 0.0, at_rest[TML_FLEX_MAX_N] = {0};
    const TmlFlexIn in = {.x = x, .v = at_rest};
    nodes_eval(b, &in, &nodes);
    for (int i = 0; i < b->n_stations; ++i) {
        TmlSlots g, d;
        gather(b, i, &in, g, d);
        for (int k = 0; k < TML_LINE_STRAINS; ++k) {
            TmlLineValue s;
            if (!measured(b, i, k)) {
                continue;
            }
            tml_line_strain(k, g, d, &s);
            const bool bent = k == TML_LINE_BEND_Y || k == TML_LINE_BEND_Z;
            const double e =
                s.e - b->at[i].rest[k] + (bent ? nodes.turn[k - TML_LINE_BEND_Y] : 0.0);
            energy += 0.5 * b->at[i].length * b->stiffness[k] * e * e;
        }
        for (const TmlLinePair *p = b->pair; p < b->pair + b->n_pairs; ++p) {
            TmlLineValue s[2];
            double e[2];
            if (pair_at(b, i, p, &in, g, d, s, e)) {
                energy += b->at[i].length * p->stiffness * e[0] * e[1]; // (E9)
            }
        }
    }
    return energy;
}

double tml_beam_line_volume(const TmlBeamLine *b, const double *x)
{
    double smallest = HUGE_VAL;
    for (int i = 0; i < b->n_stations; ++i) {
        TmlSlots g;
        tml_station_gather(&b->map, &b->at[i].s, x, g);
        const double det =
            v3_dot(vec(g[TML_SLOT_RX]), v3_cross(vec(g[TML_SLOT_RY]), vec(g[TML_SLOT_RZ])));
        const double ratio = det / b->at[i].volume;
        smallest = ratio >= smallest ? smallest : ratio; // lets NaN through
    }
    return smallest;
}
