/* system/contact/sheet_travel.c - points that travel over plates, shells and flat beams: the closest one of an element.
 *
 * On the sheet r(x_1, x_2) of an element (model/flexible/sheet.h), which goes on smoothly in the next, with a_i = r_,i and N, G as
 * in travel.c:
 *
 *   (Y1)  phi_i = N . a_i = 0, the depth being largest there
 *   (Y2)  phi_i,j = a_i . G a_j + N . r_,ij
 *   (Y3)  dx = -phi_,j^-1 dphi,  dphi_i at fixed places as in (V4);  the work of both ways as in (V5)
 *   (Y4)  which of two elements a place between them belongs to: the one behind the border if N . a_i / |a_i| <= 1e-9 at the place of
 *         the border where the depth is largest along it, else the one before. That place is the same for both to rounding.
 *
 * Newton's method goes on over the borders of the element, to say on which side of them a point is. At a free edge the
 * point is held, and travels along it; at a corner it stays. Text: docs/theory/contact_flexible.md
 */
#include "system/contact/travel.h"

#include "math/vec3.h"
#include "model/flexible/sheet.h"
#include "system/matrix/blocks.h"

#include <math.h>
#include <string.h>

enum { WAYS = 2, ROUNDS = 30, HALVES = 8 };

/* (Y4): what is left of a cosine when two elements reckon it differently is far below, and places that models choose, such as those
 * above a border, are not so far off it. */
static const double border_width = 1e-9;
/* Places nearer to a border than this, in elements, are judged by (Y4): far above what two elements differ by. */
static const double border_near = 1e-3;
/* Newton's method has converged; it does not look at depths any more, whose differences are rounding. */
static const double move_done = 1e-13, move_small = 1e-6;

typedef struct Sheet {
    const TmlCarrier *c;
    const TmlFlexType *type;
    const TmlFlex *flex;
    double span[WAYS];
    TmlVec3 x[TML_FLEX_MAX_VECTORS];
} Sheet;

typedef struct Spot {
    double place[WAYS];
    TmlVec3 r, a[WAYS], bend[WAYS][WAYS];
    double slope[WAYS][TML_FLEX_MAX_VECTORS]; /* weights of a */
    TmlLook at;
} Spot;

/* --- the surface ------------------------------------------------------------------------------------- */

static Sheet sheet_of(const TmlSystem *sys, const TmlCarrier *c, int level)
{
    const TmlFlex *flex = &sys->model->flexes.at[c->element];
    Sheet s = {.c = c, .type = sys->model->meshes.at[flex->mesh].type, .flex = flex};
    tml_sheet_span(flex, c->sheet, c->reach, s.span);
    for (int i = 0; i < s.type->nodes * s.type->vectors; ++i) {
        s.x[i] = tml_flex_vector(sys, c->element, i, level);
    }
    return s;
}

static TmlVec3 weighted(const Sheet *s, const double *w)
{
    TmlVec3 sum = v3(0, 0, 0);
    for (int i = 0; i < s->type->nodes * s->type->vectors; ++i) {
        sum = v3_axpy(w[i], s->x[i], sum);
    }
    return sum;
}

/* False: the other shape is too far away. */
static bool look(const Sheet *s, const TmlOther *o, Spot *at)
{
    double xi[3], w[TML_SHEET_JET][TML_FLEX_MAX_VECTORS];
    tml_sheet_xi(s->c->sheet, s->c->reach, at->place, xi);
    tml_sheet_jet(s->type, s->flex, s->c->sheet, xi, w);
    at->r = weighted(s, w[0]);
    at->a[0] = weighted(s, w[1]);
    at->a[1] = weighted(s, w[2]);
    at->bend[0][0] = weighted(s, w[3]);
    at->bend[0][1] = at->bend[1][0] = weighted(s, w[4]);
    at->bend[1][1] = weighted(s, w[5]);
    memcpy(at->slope, w[1], sizeof at->slope);
    return tml_other_look(o, at->r, &at->at);
}

/* Vectors of a node: r, and times a third of the sides r_x and r_y, or half of a flat beam across. */
static void node_vectors(const Sheet *s, int node, TmlVec3 *r, TmlVec3 *x, TmlVec3 *y)
{
    const bool patch = s->c->sheet == TML_SHEET_PATCH;
    const TmlFlexKind across = s->c->sheet == TML_SHEET_Z ? TML_FLEX_RZ : TML_FLEX_RY;
    for (int k = 0; k < s->type->vectors; ++k) {
        const TmlVec3 v = s->x[node * s->type->vectors + k];
        const TmlFlexKind kind = s->type->kind[k];
        *r = kind == TML_FLEX_R ? v : *r;
        *x = kind == TML_FLEX_RX ? v3_scale(s->span[0] / 3.0, v) : *x;
        *y = kind == across ? v3_scale(patch ? s->span[1] / 3.0 : s->c->reach, v) : *y;
    }
}

int tml_sheet_hull(const TmlSystem *sys, const TmlCarrier *c, int level, TmlVec3 out[TML_HULL])
{
    // points of Bezier of the cubics, of a flat beam at both edges
    static const double to_x[4] = {1, -1, -1, 1}, to_y[4] = {1, 1, -1, -1};
    const Sheet s = sheet_of(sys, c, level);
    const bool patch = c->sheet == TML_SHEET_PATCH;
    int n = 0;
    for (int node = 0; node < s.type->nodes; ++node) {
        TmlVec3 r = v3(0, 0, 0), x = r, y = r;
        node_vectors(&s, node, &r, &x, &y);
        const TmlVec3 low = patch ? r : v3_sub(r, y);
        const TmlVec3 high = patch ? v3_axpy(to_y[node], y, r) : v3_add(r, y);
        out[n++] = low;
        out[n++] = v3_axpy(to_x[node], x, low);
        out[n++] = high;
        out[n++] = v3_axpy(to_x[node], x, high);
    }
    return n;
}

/* --- the closest place --------------------------------------------------------------------------------- */

/* dx of one step, m: Newton's, without the curvature of the sheet where with it the depth has no peak. */
static void newton(const Spot *at, const bool *held, double dx[WAYS])
{
    const TmlVec3 N = at->at.N;
    const TmlMat33 *G = &at->at.G;
    // along N the depth itself falls: a part of G that counts nothing at the peak, and keeps the way straight before
    const double along = 0.5 * (G->cx.x + G->cy.y + G->cz.z);
    double g[WAYS], h[WAYS][WAYS], flat[WAYS][WAYS];
    for (int i = 0; i < WAYS; ++i) {
        g[i] = -v3_dot(N, at->a[i]);
        for (int j = 0; j < WAYS; ++j) {
            flat[i][j] = v3_dot(at->a[i], m3_mulv(G, at->a[j])) +
                         along * v3_dot(N, at->a[i]) * v3_dot(N, at->a[j]);
            h[i][j] = flat[i][j] + v3_dot(N, at->bend[i][j]); // (Y2)
        }
        dx[i] = 0.0;
    }
    const double det = h[0][0] * h[1][1] - h[0][1] * h[1][0];
    const bool peak = h[0][0] > 0.0 && h[1][1] > 0.0 && (held[0] || held[1] || det > 0.0);
    if (!peak) {
        memcpy(h, flat, sizeof h);
    }
    if (!held[0] && !held[1]) {
        const double d = h[0][0] * h[1][1] - h[0][1] * h[1][0];
        const double least = 1e-12 * h[0][0] * h[1][1];
        dx[0] = (h[1][1] * g[0] - h[0][1] * g[1]) / fmax(d, least);
        dx[1] = (h[0][0] * g[1] - h[1][0] * g[0]) / fmax(d, least);
        return;
    }
    for (int i = 0; i < WAYS; ++i) {
        dx[i] = held[i] ? 0.0 : g[i] / h[i][i];
    }
}

static double inside(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

/* One step; the largest move, in elements, or a negative number: the other shape is lost out of sight. */
static double improve(const Sheet *s, const TmlOther *o, const bool *held, Spot *at)
{
    double dx[WAYS], part = 1.0, move = 0.0;
    newton(at, held, dx);
    for (int half = 0; half < HALVES; ++half, part *= 0.5) {
        Spot next = {0};
        move = 0.0;
        for (int k = 0; k < WAYS; ++k) {
            next.place[k] = inside(at->place[k] + part * dx[k] / s->span[k], -0.5, 1.5);
            move = fmax(move, fabs(next.place[k] - at->place[k]));
        }
        const bool seen = look(s, o, &next);
        if (seen && (next.at.depth >= at->at.depth || move < move_small || half == HALVES - 1)) {
            *at = next;
            return move;
        }
    }
    return -1.0;
}

static bool descend(const Sheet *s, const TmlOther *o, const bool *held, Spot *at)
{
    bool seen = look(s, o, at);
    for (int k = 0; k < ROUNDS && seen; ++k) {
        const double move = improve(s, o, held, at);
        seen = move >= 0.0;
        if (move <= move_done) {
            break;
        }
    }
    return seen;
}

/* The middle, or the node that is deepest. False: the other shape is farther away than `reach` from all of the element. */
static bool begin(const Sheet *s, const TmlOther *o, double reach, Spot *at)
{
    static const double u[4] = {0, 1, 1, 0}, v[4] = {0, 0, 1, 1};
    const bool patch = s->c->sheet == TML_SHEET_PATCH;
    TmlLook here;
    at->place[0] = at->place[1] = 0.5;
    if (!look(s, o, at) || at->at.depth + 2.0 * (s->c->ball + s->c->margin) < -reach) {
        return false;
    }
    double deepest = at->at.depth;
    for (int node = 0; node < s->type->nodes; ++node) {
        TmlVec3 r = v3(0, 0, 0), x, y;
        node_vectors(s, node, &r, &x, &y);
        if (tml_other_look(o, r, &here) && here.depth > deepest) {
            deepest = here.depth;
            at->place[0] = u[node];
            at->place[1] = patch ? v[node] : 0.5;
        }
    }
    return true;
}

/* How far a place is beyond a free edge along one way, in elements; not above zero: it is not. */
static double beyond_open(const Sheet *s, const Spot *at, int way)
{
    const double before = s->c->open[2 * way] ? -at->place[way] : 0.0;
    const double behind = s->c->open[2 * way + 1] ? at->place[way] - 1.0 : 0.0;
    return fmax(before, behind);
}

/* Holds the point at free edges that it would leave, and lets it go where it would come back. */
static bool hold(const Sheet *s, const TmlOther *o, bool *held, Spot *at)
{
    for (int round = 0; round < WAYS; ++round) {
        const double out[WAYS] = {held[0] ? 0.0 : beyond_open(s, at, 0),
                                  held[1] ? 0.0 : beyond_open(s, at, 1)};
        const int way = out[0] >= out[1] ? 0 : 1;
        if (!(out[way] > 0.0)) {
            return true;
        }
        held[way] = true;
        at->place[way] = at->place[way] < 0.5 ? 0.0 : 1.0;
        if (!descend(s, o, held, at)) {
            return false;
        }
    }
    for (int way = 0; way < WAYS; ++way) {
        const double outward = at->place[way] < 0.5 ? -1.0 : 1.0;
        if (held[0] && held[1] && -v3_dot(at->at.N, at->a[way]) * outward < 0.0) {
            held[way] = false;
            return descend(s, o, held, at);
        }
    }
    return true;
}

/* (Y4) */
static bool is_own(const Sheet *s, const TmlOther *o, const bool *held, const Spot *at, int way)
{
    const bool end = at->place[way] > 0.5;
    const double over = end ? at->place[way] - 1.0 : -at->place[way];
    if (s->c->open[2 * way + (end ? 1 : 0)] || fabs(over) > border_near) {
        return over <= 0.0;
    }
    Spot border = *at;
    bool still[WAYS] = {held[0], held[1]};
    still[way] = true;
    border.place[way] = end ? 1.0 : 0.0;
    if (!descend(s, o, still, &border)) {
        return false;
    }
    const double lean = v3_dot(border.at.N, border.a[way]) / v3_norm(border.a[way]);
    return end ? lean > border_width : lean <= border_width;
}

bool tml_travel_sheet(const TmlSystem *sys, const TmlNear *near, int side, double reach)
{
    TmlCarrier *c = &sys->touching->carrier[near->carrier[side]];
    const TmlOther o = tml_other_of(sys, near, side, reach);
    const Sheet s = sheet_of(sys, c, 0);
    bool held[WAYS] = {false, false};
    Spot at = {0};
    double xi[3];
    if (!begin(&s, &o, reach, &at) || !descend(&s, &o, held, &at) || !hold(&s, &o, held, &at) ||
        at.at.depth < -reach) {
        return false;
    }
    if (held[0] && !tml_travel_end_counts(sys, c, at.place[0] < 0.5 ? 0 : 1, at.at.N)) {
        return false;
    }
    for (int way = 0; way < WAYS; ++way) {
        if (!held[way] && !is_own(&s, &o, held, &at, way)) {
            return false;
        }
        c->fixed[way] = held[way];
    }
    tml_sheet_xi(c->sheet, c->reach, at.place, xi);
    tml_travel_place(sys, c, xi);
    return true;
}

/* --- derivatives ----------------------------------------------------------------------------------------- */

/* -phi_,j^-1 of (Y3); ways that are held do not move. */
static void inverse(const Spot *at, const bool *held, double out[WAYS][WAYS])
{
    double h[WAYS][WAYS];
    for (int k = 0; k < WAYS * WAYS; ++k) {
        const int i = k / WAYS, j = k % WAYS;
        h[i][j] = v3_dot(at->a[i], m3_mulv(&at->at.G, at->a[j])) +
                  v3_dot(at->at.N, at->bend[i][j]); // (Y2)
        out[i][j] = 0.0;
    }
    if (!held[0] && !held[1]) {
        const double det = h[0][0] * h[1][1] - h[0][1] * h[1][0];
        out[0][0] = -h[1][1] / det;
        out[1][1] = -h[0][0] / det;
        out[0][1] = h[0][1] / det;
        out[1][0] = h[1][0] / det;
        return;
    }
    for (int i = 0; i < WAYS; ++i) {
        out[i][i] = held[i] ? 0.0 : -1.0 / h[i][i];
    }
}

int tml_travel_sheet_ways(const TmlSystem *sys, const TmlNear *near, int side, double c_q,
                          TmlWay out[TML_WAYS])
{
    const TmlCarrier *c = tml_carrier_of(sys, near->shape[side]);
    const TmlFlexPoint *p = &sys->flex->at[c->point - 1];
    const TmlOther o = tml_other_of(sys, near, side, 0.0);
    const Sheet s = sheet_of(sys, c, 0);
    const double across = c->sheet == TML_SHEET_Z ? p->xi[2] : p->xi[1];
    Spot at = {.place = {p->xi[0],
                         c->sheet == TML_SHEET_PATCH ? across : 0.5 * (1.0 + across / c->reach)}};
    double phi[WAYS][2][TML_END_MAX_NU], x[WAYS][WAYS];
    int n = 0;
    if (!look(&s, &o, &at)) {
        return 0;
    }
    inverse(&at, c->fixed, x);
    for (int i = 0; i < WAYS; ++i) {
        tml_travel_row(sys, near, side, &at.at, at.r, at.a[i], at.slope[i], 1.0, phi[i]);
    }
    for (int k = 0; k < WAYS; ++k) {
        if (c->fixed[k]) {
            continue;
        }
        out[n] = (TmlWay){.side = side, .way = k, .a = at.a[k]};
        for (int e = 0; e < 2; ++e) {
            const int cols = tml_end_parts(sys, tml_near_end(sys, near, e))->cols;
            for (int i = 0; i < cols; ++i) { // (Y3)
                out[n].row[e][i] = c_q * (x[k][0] * phi[0][e][i] + x[k][1] * phi[1][e][i]);
            }
        }
        ++n;
    }
    return n;
}
