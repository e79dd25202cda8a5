/* model/contact/shape/polyhedron/overlap.c - pressure that grows with depth, over the overlap of two convex solids.
 *
 * O = A and B overlapping, delta_A(x) = depth of x below the nearest face of A. The energy is
 *
 *   (P3)  E_A = k int_O delta_A dV
 *
 * The cell of a face i of A is where it is the nearest; there delta_A = o_i - n_i . x. With V_i and c_i,
 * volume and centroid of the part of O in that cell, and by the theorem of Gauss (delta_A is zero on the
 * surface of A, and continuous across borders of cells):
 *
 *   (P4)  E_A = k sum V_i delta_i(c_i),   force on B = k sum V_i n_i, each at c_i
 *
 * is the exact gradient, whatever features touch, and is continuous in the pose. For the half-space
 * this is Archimedes' law. Two solids have two such energies, which become one by a mean that is
 * homogeneous of the first degree, so that sums as in (P4) stay exact:
 *
 *   (P5)  E = [(E_A^m + E_B^m) / 2]^(1/m),  w_A = dE / dE_A = (E_A / E)^(m-1) / 2,  sizes w_A V_i, w_B V_j
 *
 * The larger energy is that of the face which a corner or an edge of the other has entered, and a large m
 * leaves the normal to it. A part of O is shown as pyramids from its centroid c over its faces f,
 *
 *   (P6)  V_f = A_f n_f . (c_f - c) / 3,  p_f = c + s (c_f - c),  0 <= s <= 1
 *
 * Any s has the force and moment of the whole, as sum V_f (c_f - c) = 0. s = 1 has the second moments
 * of a slab, too: it resists tilting and spinning by damping and friction. Where a cell has a small
 * share of O, s = 0, and one point stands for it. The depth of all pieces of a cell is
 *
 *   (P7)  d = delta_i(c_i),  E = k sum size d
 *
 * that of the middle of the whole: a slab has half of its thickness, and size over 2 d is its area.
 *
 * Two solids press along one normal, that of the sum S of sizes times normals. A piece counts with its part along it:
 *
 *   (P8)  n = S / |S|,  sizes (w V n_i) . n,  depth E / (k |S|)
 *
 * Friction and damping thus see the motion along and across the force. Force and energy stay exact; lost is the
 * moment of what faces beside the force push against each other, of the order of force times depth.
 */
#include "math/vec3.h"
#include "model/contact/shape/polyhedron/clip.h"

enum {
    N = TML_TOUCH_VARIABLES,
    FACETS = 2 * TML_POLYHEDRON_FACES,
    PLANES = 2 * TML_POLYHEDRON_FACES + 2,
    MEAN = 8 /* m of (P5) */
};

static const double SHARE_WHOLE = 0.02; // a cell with less of the overlap is one point
static const double SHARE_SPLIT = 0.2;  // one with more has s = 1

/* One of the two solids. P is NULL for the half-space. */
typedef struct Solid {
    const TmlPolyhedron *P;
    bool moves;
    int id;                                                       // of its first plane
    double low[TML_POLYHEDRON_FACES], high[TML_POLYHEDRON_FACES]; // depth of O below its faces
} Solid;

/* Volume and centroid, with derivatives. */
typedef struct Volume {
    double V, V_rate[N];
    TmlVec3 c, c_rate[N];
} Volume;

/* Where touches go. */
typedef struct Sink {
    TmlTouch *touch;
    TmlTouchRate *rate; // NULL: not wanted
    int n, limit;
} Sink;

typedef struct Overlap {
    Solid solid[2];
    TmlPlane plane[PLANES];
    int n_planes;
    TmlRegion region;
    TmlPlane face[PLANES]; // those of `plane` in which O has a face
    int n_faces;
    Volume whole;
    bool rates;
} Overlap;

/* The same polygon and facets serve all regions of a call. */
typedef struct Work {
    TmlPolygon polygon;
    TmlFacet facet[FACETS];
    int n_facets;
} Work;

static int face_count(const Solid *s)
{
    return s->P != NULL ? s->P->n_faces : 1;
}

static TmlPlane solid_plane(const Solid *s, int face)
{
    if (s->P == NULL) {
        return (TmlPlane){v3(0, 0, 1), 0.0, s->id, s->moves};
    }
    return (TmlPlane){s->P->normal[face], s->P->offset[face], s->id + face, s->moves};
}

/* --- the region ----------------------------------------------------------------------------- */

/* Whether a plane cuts off something of a solid: 1; nothing: 0; all of it: -1. One that touches counts
 * as cutting: of two faces in one plane each would else be left out for the other. */
static int cuts(const TmlPlane *p, const TmlPolyhedron *P)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < P->n_corners; ++k) {
        const double d = v3_dot(p->n, P->corner[k]) - p->offset;
        low = d < low ? d : low;
        high = d > high ? d : high;
    }
    const double rounding = 1e-13 * (v3_norm(P->centre) + P->radius);
    return low >= -rounding ? -1 : high > -1e-9 * P->radius;
}

/* Whether the face of a solid dips below z = 0. */
static bool face_is_wet(const TmlPolyhedron *P, int face)
{
    for (int k = P->start[face]; k < P->start[face + 1]; ++k) {
        if (P->corner[P->loop[k]].z < 0.0) {
            return true;
        }
    }
    return false;
}

/* Planes between which O lies. False: the solids are apart. */
static bool find_planes(Overlap *o)
{
    for (int side = 0; side < 2; ++side) {
        const Solid *mine = &o->solid[side], *other = &o->solid[1 - side];
        for (int f = 0; f < face_count(mine); ++f) {
            const TmlPlane p = solid_plane(mine, f);
            const int cut = other->P != NULL ? cuts(&p, other->P) : face_is_wet(mine->P, f);
            if (cut < 0) {
                return false;
            }
            if (cut > 0) {
                o->plane[o->n_planes++] = p;
            }
        }
    }
    return true;
}

static void find_bounds(Overlap *o, TmlVec3 r)
{
    const TmlPolyhedron *A = o->solid[0].P, *B = o->solid[1].P;
    const TmlPolyhedron *small = A != NULL && A->radius < B->radius ? A : B;
    o->region = (TmlRegion){.n = o->n_planes,
                            .plane = o->plane,
                            .middle = small->centre,
                            .r = r,
                            .radius = small->radius,
                            .slack = 1e-15 * (v3_norm(small->centre) + small->radius)};
}

static void note_depths(Solid *s, const TmlPolygon *face)
{
    for (int f = 0; s->P != NULL && f < s->P->n_faces; ++f) {
        for (int k = 0; k < face->n; ++k) {
            const double d = s->P->offset[f] - v3_dot(s->P->normal[f], face->x[k]);
            s->low[f] = d < s->low[f] ? d : s->low[f];
            s->high[f] = d > s->high[f] ? d : s->high[f];
        }
    }
}

/* --- volumes -------------------------------------------------------------------------------- */

/* Volume of the pyramid over a facet with the apex a, which moves by da. */
static double pyramid(const TmlRegion *R, const TmlFacet *f, TmlVec3 a, const TmlVec3 *da,
                      double rate[N])
{
    const TmlPlane *p = &R->plane[f->plane];
    const TmlVec3 arm = v3_sub(f->c, a);
    const double height = v3_dot(p->n, arm);
    for (int i = 0; i < N && rate != NULL; ++i) {
        const TmlVec3 darm = da != NULL ? v3_sub(f->c_rate[i], da[i]) : f->c_rate[i];
        double dh = v3_dot(p->n, darm);
        if (p->moves && i >= 3) {
            const TmlVec3 e = v3(i == 3, i == 4, i == 5);
            dh += v3_dot(v3_cross(e, p->n), arm);
        }
        rate[i] = (f->area_rate[i] * height + f->area * dh) / 3.0;
    }
    return f->area * height / 3.0;
}

/* Volume and centroid from all facets, by pyramids over them from one point. */
static bool volume(const TmlRegion *R, const Work *w, bool rates, Volume *out)
{
    *out = (Volume){0};
    if (w->n_facets < 4) {
        return false;
    }
    const TmlVec3 a = w->facet[0].c;
    TmlVec3 open = v3(0, 0, 0);
    double area = 0.0;
    for (int k = 0; k < w->n_facets; ++k) {
        const TmlFacet *f = &w->facet[k];
        double dV[N];
        const double V = pyramid(R, f, a, NULL, rates ? dV : NULL);
        const TmlVec3 m = v3_scale(0.75, v3_sub(f->c, a));
        open = v3_axpy(f->area, R->plane[f->plane].n, open);
        area += f->area;
        out->V += V;
        out->c = v3_axpy(V, m, out->c);
        for (int i = 0; i < N && rates; ++i) {
            out->V_rate[i] += dV[i];
            out->c_rate[i] = v3_axpy(dV[i], m, v3_axpy(0.75 * V, f->c_rate[i], out->c_rate[i]));
        }
    }
    // the areas of a closed surface have no sum: where they have one, faces were lost in rounding
    if (!(out->V > 0.0) || v3_norm(open) > 1e-6 * area) {
        return false;
    }
    out->c = v3_scale(1.0 / out->V, out->c);
    for (int i = 0; i < N && rates; ++i) {
        out->c_rate[i] = v3_scale(1.0 / out->V, v3_axpy(-out->V_rate[i], out->c, out->c_rate[i]));
    }
    out->c = v3_add(a, out->c);
    return true;
}

/* O itself: its faces, how deep it lies below those of both solids, its volume. */
static bool find_whole(Overlap *o, Work *w)
{
    for (int side = 0; side < 2; ++side) {
        for (int f = 0; f < face_count(&o->solid[side]); ++f) {
            o->solid[side].low[f] = HUGE_VAL;
            o->solid[side].high[f] = -HUGE_VAL;
        }
    }
    w->n_facets = o->n_faces = 0;
    for (int h = 0; h < o->n_planes && w->n_facets < FACETS; ++h) {
        if (tml_region_face(&o->region, h, &w->polygon) &&
            tml_region_facet(&o->region, h, &w->polygon, o->rates, &w->facet[w->n_facets])) {
            w->n_facets++;
            o->face[o->n_faces++] = o->plane[h];
            note_depths(&o->solid[0], &w->polygon);
            note_depths(&o->solid[1], &w->polygon);
        }
    }
    return volume(&o->region, w, o->rates, &o->whole);
}

/* --- touches -------------------------------------------------------------------------------- */

/* Put two pieces into one that has their force, moment and energy; for more than there is room for. */
static void merge(TmlTouch *a, TmlTouchRate *ra, const TmlTouch *b, const TmlTouchRate *rb)
{
    const TmlVec3 S = v3_axpy(b->size, b->n, v3_scale(a->size, a->n));
    const double size = v3_norm(S), sum = a->size + b->size;
    const TmlVec3 n = size > 0.0 ? v3_scale(1.0 / size, S) : a->n;
    const TmlVec3 p = v3_scale(1.0 / sum, v3_axpy(b->size, b->p, v3_scale(a->size, a->p)));
    const double depth = size > 0.0 ? (a->size * a->depth + b->size * b->depth) / size : 0.0;
    for (int i = 0; i < N && ra != NULL && size > 0.0; ++i) {
        const TmlVec3 dS = v3_add(v3_axpy(ra->size[i], a->n, v3_scale(a->size, ra->n[i])),
                                  v3_axpy(rb->size[i], b->n, v3_scale(b->size, rb->n[i])));
        const double ds = v3_dot(n, dS), dsum = ra->size[i] + rb->size[i];
        const TmlVec3 dp = v3_add(v3_axpy(ra->size[i], a->p, v3_scale(a->size, ra->p[i])),
                                  v3_axpy(rb->size[i], b->p, v3_scale(b->size, rb->p[i])));
        const double dE = ra->size[i] * a->depth + a->size * ra->depth[i] + rb->size[i] * b->depth +
                          b->size * rb->depth[i];
        ra->n[i] = v3_scale(1.0 / size, v3_axpy(-ds, n, dS));
        ra->p[i] = v3_scale(1.0 / sum, v3_axpy(-dsum, p, dp));
        ra->depth[i] = (dE - depth * ds) / size;
        ra->size[i] = ds;
    }
    a->p = p;
    a->n = n;
    a->depth = depth;
    a->size = size;
}

/* The last resort of polyhedra with very many wet faces: the piece with the nearest normal takes it in.
 * Force and energy stay, the moment is off by as much as these normals differ. */
static int nearest_normal(const Sink *sink, TmlVec3 n)
{
    int best = 0;
    for (int k = 1; k < sink->n; ++k) {
        best = v3_dot(sink->touch[k].n, n) > v3_dot(sink->touch[best].n, n) ? k : best;
    }
    return best;
}

static void emit(Sink *sink, const TmlTouch *t, const TmlTouchRate *rate)
{
    if (sink->n < sink->limit) {
        sink->touch[sink->n] = *t;
        if (sink->rate != NULL) {
            sink->rate[sink->n] = *rate;
        }
        sink->n++;
    } else {
        const int k = nearest_normal(sink, t->n);
        merge(&sink->touch[k], sink->rate != NULL ? &sink->rate[k] : NULL, t, rate);
    }
}

/* The face whose cell is being shown. */
typedef struct Cell {
    TmlPlane plane;
    TmlVec3 n; // of the force on the second solid
    uint64_t id;
    int rest;            // cells that may come after it
    double s, s_rate[N]; // of (P6)
} Cell;

/* A piece of size V at its own place; the depth is that of the middle of all: (P7). */
static void emit_piece(Sink *sink, const Cell *cell, TmlVec3 r, uint64_t id, const Volume *piece,
                       const Volume *whole)
{
    const TmlVec3 n = cell->plane.n;
    TmlTouch t = {.p = piece->c,
                  .n = cell->n,
                  .depth = cell->plane.offset - v3_dot(n, whole->c),
                  .size = piece->V,
                  .id = cell->id | id};
    TmlTouchRate rate = {0};
    TmlVec3 u[N];
    tml_carried(whole->c, r, u);
    for (int i = 0; i < N && sink->rate != NULL; ++i) {
        rate.p[i] = piece->c_rate[i];
        rate.size[i] = piece->V_rate[i];
        rate.depth[i] = -v3_dot(n, whole->c_rate[i]);
        if (cell->plane.moves) {
            rate.depth[i] += v3_dot(n, u[i]);
            rate.n[i] = i >= 3 ? v3_cross(v3(i == 3, i == 4, i == 5), cell->n) : v3(0, 0, 0);
        }
    }
    emit(sink, &t, &rate);
}

/* x = c + s (f - c), and its derivatives. */
static TmlVec3 toward(double s, const double *ds, const Volume *c, const TmlFacet *f, bool rates,
                      TmlVec3 rate[N])
{
    const TmlVec3 arm = v3_sub(f->c, c->c);
    for (int i = 0; i < N && rates; ++i) {
        const TmlVec3 darm = v3_sub(f->c_rate[i], c->c_rate[i]);
        rate[i] = v3_add(c->c_rate[i], v3_axpy(s, darm, v3_scale(ds[i], arm)));
    }
    return v3_axpy(s, arm, c->c);
}

static void emit_cell(Sink *sink, const Cell *cell, const TmlRegion *R, const Work *w,
                      const Volume *v, bool rates)
{
    if (cell->s <= 0.0 || sink->n + w->n_facets + cell->rest > sink->limit) {
        emit_piece(sink, cell, R->r, 0, v, v);
        return;
    }
    for (int k = 0; k < w->n_facets; ++k) {
        const TmlFacet *f = &w->facet[k];
        Volume piece;
        piece.V = pyramid(R, f, v->c, rates ? v->c_rate : NULL, rates ? piece.V_rate : NULL);
        piece.c = toward(cell->s, cell->s_rate, v, f, rates, piece.c_rate); // (P6)
        if (piece.V > 0.0) {
            emit_piece(sink, cell, R->r, (uint64_t)R->plane[f->plane].id + 1, &piece, v);
        }
    }
}

/* s of (P6) from the cell's share of the whole. */
static void split(const Volume *part, const Volume *whole, bool rates, Cell *cell)
{
    const double share = part->V / whole->V, span = SHARE_SPLIT - SHARE_WHOLE;
    const double x = fmin(fmax((share - SHARE_WHOLE) / span, 0.0), 1.0);
    cell->s = x * x * (3.0 - 2.0 * x);
    for (int i = 0; i < N && rates; ++i) {
        const double dshare = (part->V_rate[i] - share * whole->V_rate[i]) / whole->V;
        cell->s_rate[i] = 6.0 * x * (1.0 - x) / span * dshare;
    }
}

/* Planes of the cell of a face, within those of the other solid; returns how many. */
static int cell_planes(const Overlap *o, int side, int face, double deepest, TmlPlane *out)
{
    const Solid *s = &o->solid[side];
    const TmlPlane own = solid_plane(s, face);
    int n = 0;
    out[n++] = own;
    for (int j = 0; s->P != NULL && j < s->P->n_faces; ++j) {
        if (j != face && s->low[j] <= deepest) { // delta_j >= delta_i
            const TmlVec3 d = v3_sub(s->P->normal[j], own.n);
            const double a = 1.0 / v3_norm(d);
            out[n++] = (TmlPlane){v3_scale(a, d), a * (s->P->offset[j] - own.offset),
                                  2 * TML_POLYHEDRON_FACES + j, s->moves};
        }
    }
    const int other = o->solid[1 - side].id;
    for (int k = 0; k < o->n_faces && n < PLANES; ++k) {
        if ((o->face[k].id >= TML_POLYHEDRON_FACES) == (other >= TML_POLYHEDRON_FACES)) {
            out[n++] = o->face[k];
        }
    }
    return n;
}

/* (P4) of one solid. */
static void emit_field(const Overlap *o, int side, Work *w, Sink *sink)
{
    const Solid *s = &o->solid[side];
    double deepest = HUGE_VAL; // no point of O is deeper than this below the nearest face
    int rest = 0;
    for (int f = 0; s->P != NULL && f < s->P->n_faces; ++f) {
        deepest = fmin(deepest, s->high[f]);
    }
    for (int f = 0; s->P != NULL && f < s->P->n_faces; ++f) {
        rest += s->low[f] <= deepest;
    }
    for (int f = 0; f < face_count(s); ++f) {
        if (s->P != NULL && s->low[f] > deepest) {
            continue;
        }
        rest--;
        TmlPlane plane[PLANES];
        TmlRegion R = o->region;
        R.plane = plane;
        R.n = cell_planes(o, side, f, deepest, plane);
        w->n_facets = 0;
        for (int h = 0; h < R.n && w->n_facets < FACETS; ++h) {
            w->n_facets += tml_region_face(&R, h, &w->polygon) &&
                           tml_region_facet(&R, h, &w->polygon, o->rates, &w->facet[w->n_facets]);
        }
        Volume v;
        if (volume(&R, w, o->rates, &v)) {
            Cell cell = {.plane = plane[0], .n = side == 0 ? plane[0].n : v3_neg(plane[0].n)};
            cell.id = ((uint64_t)side << 50) | ((uint64_t)(f + 1) << 32);
            cell.rest = rest > 0 ? rest : 0;
            split(&v, &o->whole, o->rates, &cell);
            emit_cell(sink, &cell, &R, w, &v, o->rates);
        }
    }
}

/* --- two energies ----------------------------------------------------------------------------- */

static double energy(const Sink *s, double rate[N])
{
    double E = 0.0;
    for (int i = 0; i < N; ++i) {
        rate[i] = 0.0;
    }
    for (int k = 0; k < s->n; ++k) {
        E += s->touch[k].size * s->touch[k].depth;
        for (int i = 0; i < N && s->rate != NULL; ++i) {
            rate[i] +=
                s->rate[k].size[i] * s->touch[k].depth + s->touch[k].size * s->rate[k].depth[i];
        }
    }
    return E;
}

static void scale_sizes(Sink *s, double w, const double dw[N])
{
    for (int k = 0; k < s->n; ++k) {
        for (int i = 0; i < N && s->rate != NULL; ++i) {
            s->rate[k].size[i] = w * s->rate[k].size[i] + dw[i] * s->touch[k].size;
        }
        s->touch[k].size *= w;
    }
}

/* (P5) */
static void weigh(Sink *a, Sink *b)
{
    double dA[N], dB[N], dwA[N], dwB[N];
    const double A = energy(a, dA), B = energy(b, dB), top = fmax(A, B);
    if (!(A > 0.0) || !(B > 0.0)) {
        return;
    }
    const double mean = 0.5 * (pow(A / top, MEAN) + pow(B / top, MEAN));
    const double E = top * pow(mean, 1.0 / MEAN);
    const double wA = 0.5 * pow(A / E, MEAN - 1), wB = 0.5 * pow(B / E, MEAN - 1);
    for (int i = 0; i < N; ++i) {
        const double dE = wA * dA[i] + wB * dB[i];
        dwA[i] = (MEAN - 1) * wA * (dA[i] / A - dE / E);
        dwB[i] = (MEAN - 1) * wB * (dB[i] / B - dE / E);
    }
    scale_sizes(a, wA, dwA);
    scale_sizes(b, wB, dwB);
}

/* The sum of size times normal, S, and its derivatives. */
static TmlVec3 resultant(const Sink *s, TmlVec3 rate[N])
{
    TmlVec3 S = v3(0, 0, 0);
    for (int i = 0; i < N; ++i) {
        rate[i] = v3(0, 0, 0);
    }
    for (int k = 0; k < s->n; ++k) {
        const TmlTouch *t = &s->touch[k];
        S = v3_axpy(t->size, t->n, S);
        for (int i = 0; i < N && s->rate != NULL; ++i) {
            const TmlTouchRate *r = &s->rate[k];
            rate[i] = v3_add(rate[i], v3_axpy(r->size[i], t->n, v3_scale(t->size, r->n[i])));
        }
    }
    return S;
}

/* Makes the sum of sizes F: pieces that push against the sum are left out. */
static void norm_sizes(Sink *s, double F, TmlVec3 n, const TmlVec3 dS[N])
{
    double Q = 0.0, dQ[N] = {0}, dw[N];
    for (int k = 0; k < s->n; ++k) {
        Q += s->touch[k].size;
        for (int i = 0; i < N && s->rate != NULL; ++i) {
            dQ[i] += s->rate[k].size[i];
        }
    }
    for (int i = 0; i < N; ++i) {
        dw[i] = (v3_dot(n, dS[i]) - F / Q * dQ[i]) / Q;
    }
    scale_sizes(s, F / Q, dw);
}

/* (P8): all pieces get the normal of the resultant force, and the depth of the whole; those that have
 * no part in it go. */
static void straighten(Sink *s)
{
    TmlVec3 dS[N], dn[N];
    double dE[N], dd[N];
    const TmlVec3 S = resultant(s, dS);
    const double E = energy(s, dE), F = v3_norm(S);
    if (!(F > 0.0)) {
        return; // one in the middle of the other: no way out is better than another
    }
    const TmlVec3 n = v3_scale(1.0 / F, S);
    for (int i = 0; i < N; ++i) {
        const double dF = v3_dot(n, dS[i]);
        dn[i] = v3_scale(1.0 / F, v3_axpy(-dF, n, dS[i]));
        dd[i] = (dE[i] - E / F * dF) / F;
    }
    int kept = 0;
    for (int k = 0; k < s->n; ++k) {
        TmlTouch t = s->touch[k];
        const double c = v3_dot(t.n, n);
        if (c <= 1e-9) {
            continue;
        }
        for (int i = 0; i < N && s->rate != NULL; ++i) {
            TmlTouchRate *r = &s->rate[k];
            const double dc = v3_dot(r->n[i], n) + v3_dot(t.n, dn[i]);
            r->size[i] = c * r->size[i] + dc * t.size;
            r->n[i] = dn[i];
            r->depth[i] = dd[i];
        }
        t.size *= c;
        t.n = n;
        t.depth = E / F;
        s->touch[kept] = t;
        if (s->rate != NULL) {
            s->rate[kept] = s->rate[k];
        }
        kept++;
    }
    s->n = kept;
    norm_sizes(s, F, n, dS);
}

int tml_overlap_touch(const TmlPolyhedron *A, const TmlPolyhedron *B, TmlVec3 r, TmlTouch *touch,
                      TmlTouchRate *rate)
{
    Overlap o;
    Work w;
    o.n_planes = 0;
    o.rates = rate != NULL;
    o.solid[0].P = A;
    o.solid[1].P = B;
    o.solid[0].moves = false;
    o.solid[1].moves = true;
    o.solid[0].id = 0;
    o.solid[1].id = TML_POLYHEDRON_FACES;
    if (!find_planes(&o)) {
        return 0;
    }
    find_bounds(&o, r);
    if (!find_whole(&o, &w)) {
        return 0;
    }
    Sink a = {touch, rate, 0, A != NULL ? TML_TOUCH_MAX / 2 : TML_TOUCH_MAX};
    emit_field(&o, 0, &w, &a);
    if (A == NULL || a.n == 0) {
        return a.n;
    }
    Sink b = {touch + a.n, rate != NULL ? rate + a.n : NULL, 0, TML_TOUCH_MAX / 2};
    emit_field(&o, 1, &w, &b);
    weigh(&a, &b);
    Sink all = {touch, rate, a.n + b.n, TML_TOUCH_MAX};
    straighten(&all);
    return all.n;
}
