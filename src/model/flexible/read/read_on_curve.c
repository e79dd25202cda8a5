/* model/flexible/read/read_on_curve.c - the ends of joints that slide along a flexible body.
 *
 * Weights along the axis come from the shape functions of the elements, which are polynomials: six
 * values on the axis give their coefficients.
 *
 * The axis of elements without gradients along it (beam3) has corners where they meet, of an angle
 * that goes with the square of their length. A point that slides over a corner would be struck
 * there. The curve is therefore rounded within both elements, by an offset of third order:
 *
 *   (O2)  r(x) += A(x) l d/2 in the next element, -B(x) l d/2 in the one before,
 *         d = r_s before - r_s behind,  A = x (1 - x)^2,  B = x^2 (x - 1),  x = (s - from)/l
 *
 * so that r_s at the node is the mean of both, and nothing changes at the far ends.              own
 */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "model/body/body.h"
#include "model/flexible/mesh.h"
#include "model/flexible/on_curve.h"

enum {
    TERMS = TML_CURVE_TERMS,
    MOST = 2 * 4 * TML_FLEX_MAX_VECTORS, /* ends of an element */
    MOST_ROUNDED = 3 * MOST              /* with those of its neighbours */
};

static const double least_corner = 1e-9; // slopes are of order one, and rounding is far below

/* Coefficients of the polynomial through TERMS values at i/(TERMS - 1), by Newton's differences. */
static void interpolate(const double *value, double *c)
{
    const double h = 1.0 / (TERMS - 1);
    double d[TERMS];
    memcpy(d, value, sizeof d);
    for (int k = 1; k < TERMS; ++k) {
        for (int i = TERMS - 1; i >= k; --i) {
            d[i] = (d[i] - d[i - 1]) / (k * h);
        }
    }
    memset(c, 0, TERMS * sizeof *c);
    for (int k = TERMS - 1; k >= 0; --k) { // c = c (x - k h) + d_k
        for (int i = TERMS - 1; i >= 1; --i) {
            c[i] = c[i - 1] - k * h * c[i];
        }
        c[0] = d[k] - k * h * c[0];
    }
}

/* Polynomials of the shape functions of one element on its axis. */
static void axis_weights(const TmlMesh *mesh, const void *table, double poly[][TERMS])
{
    const int n = mesh->type->nodes * mesh->type->vectors;
    double value[TML_FLEX_MAX_VECTORS][TERMS], s[TML_FLEX_MAX_VECTORS];
    for (int i = 0; i < TERMS; ++i) {
        const double xi[3] = {(double)i / (TERMS - 1), 0.0, 0.0};
        mesh->type->shape(mesh->data, table, xi, TML_FLEX_R, s);
        for (int k = 0; k < n; ++k) {
            value[k][i] = s[k];
        }
    }
    for (int k = 0; k < n; ++k) {
        interpolate(value[k], poly[k]);
    }
}

/* Length without stress: dS/dxi over dS/dx of the function with the largest slope in the middle. */
static double element_length(const TmlMesh *mesh, const void *table, double poly[][TERMS])
{
    const double xi[3] = {0.5, 0.0, 0.0};
    double s[TML_FLEX_MAX_VECTORS];
    int best = 0;
    mesh->type->shape(mesh->data, table, xi, TML_FLEX_RX, s);
    for (int k = 1; k < mesh->type->nodes * mesh->type->vectors; ++k) {
        best = fabs(s[k]) > fabs(s[best]) ? k : best;
    }
    double slope = 0.0;
    for (int i = TERMS - 1; i >= 1; --i) {
        slope = 0.5 * slope + i * poly[best][i];
    }
    return slope / s[best];
}

/* What is being built. */
typedef struct Builder {
    TmlEntry *x;
    TmlModel *m;
    const TmlMesh *mesh;
    TmlEnd *end;
    int n_ends;
    int *first;     /* n_nodes * vectors: first end of a vector, 0: none yet */
    double *factor; /* of an end in its vector */
} Builder;

static void add_end(Builder *b, int body, TmlVec3 s_b, double factor)
{
    b->factor[b->n_ends] = factor;
    b->end[b->n_ends++] = tml_body_end(body, s_b, m3_identity());
}

/* Ends that a vector is the sum of; a direction is the difference of two points. */
static int vector_ends(Builder *b, int vector)
{
    const TmlVector *v = &b->mesh->vector[vector];
    if (b->first[vector] > 0) {
        return b->first[vector];
    }
    b->first[vector] = b->n_ends;
    for (int k = 0; k < v->n; ++k) {
        const TmlVectorTerm *t = &v->term[k];
        add_end(b, t->body, t->s_b, t->c);
        if (t->direction && t->body != TML_GROUND && !b->m->bodies.at[t->body].type->hidden) {
            add_end(b, t->body, v3(0, 0, 0), -t->c);
        }
    }
    return b->first[vector];
}

static int count_ends(const Builder *b, int vector)
{
    const TmlVector *v = &b->mesh->vector[vector];
    int n = 0;
    for (int k = 0; k < v->n; ++k) {
        const TmlVectorTerm *t = &v->term[k];
        n +=
            t->direction && t->body != TML_GROUND && !b->m->bodies.at[t->body].type->hidden ? 2 : 1;
    }
    return n;
}

static bool on_axis(const double *poly)
{
    for (int i = 0; i < TERMS; ++i) {
        if (fabs(poly[i]) > 1e-13) { // rounding of differences of numbers of order one
            return true;
        }
    }
    return false;
}

static bool build_piece(Builder *b, int e, double from, TmlCurvePiece *p)
{
    const TmlFlex *flex = &b->m->flexes.at[b->mesh->flex0 + e];
    const int per_node = b->mesh->type->vectors, n = b->mesh->type->nodes * per_node;
    double poly[TML_FLEX_MAX_VECTORS][TERMS];
    axis_weights(b->mesh, flex->table, poly);
    p->from = from;
    p->length = element_length(b->mesh, flex->table, poly);
    p->end = tml_reader_alloc(b->x->r, MOST_ROUNDED, sizeof *p->end);
    p->weight = tml_reader_alloc(b->x->r, MOST_ROUNDED, sizeof *p->weight);
    if (p->end == NULL || p->weight == NULL) {
        return false;
    }
    for (int i = 0; i < n; ++i) {
        const int vector = flex->node[i / per_node] * per_node + i % per_node;
        if (!on_axis(poly[i])) {
            continue;
        }
        const int first = vector_ends(b, vector), count = count_ends(b, vector);
        for (int k = first; k < first + count && p->n < MOST; ++k) {
            p->end[p->n] = k;
            for (int j = 0; j < TERMS; ++j) {
                p->weight[p->n][j] = b->factor[k] * poly[i][j];
            }
            p->n++;
        }
    }
    return true;
}

/* Adds a multiple of the weights of r_s of a piece, at its start or its end, to those of all ends. */
static void add_slopes(const TmlCurvePiece *p, bool at_end, double factor, double *d)
{
    for (int k = 0; k < p->n; ++k) {
        double slope = p->weight[k][1];
        for (int i = 2; i < TERMS && at_end; ++i) {
            slope += i * p->weight[k][i];
        }
        d[p->end[k]] += factor * slope / p->length;
    }
}

/* Adds a polynomial of third degree times d, a weight of each of n_ends, to a piece. */
static void add_rounding(TmlCurvePiece *p, const double cubic[4], const double *d, int n_ends)
{
    for (int e = 0; e < n_ends; ++e) {
        int k = 0;
        while (k < p->n && p->end[k] != e) {
            ++k;
        }
        if (d[e] == 0.0 || k >= MOST_ROUNDED) {
            continue;
        }
        if (k == p->n) {
            p->end[p->n++] = e; // its weights are zero
        }
        for (int i = 0; i < 4; ++i) {
            p->weight[k][i] += cubic[i] * d[e] * p->length;
        }
    }
}

/* (O2) at the node between two pieces. d: room for a number of each end */
static void round_corner(TmlCurvePiece *before, TmlCurvePiece *next, double *d, int n_ends)
{
    static const double start[4] = {0.0, 0.5, -1.0, 0.5}, end[4] = {0.0, 0.0, 0.5, -0.5};
    memset(d, 0, (size_t)n_ends * sizeof *d);
    add_slopes(before, true, 1.0, d);
    add_slopes(next, false, -1.0, d);
    for (int e = 0; e < n_ends; ++e) {
        d[e] = fabs(d[e]) * next->length > least_corner ? d[e] : 0.0;
    }
    add_rounding(next, start, d, n_ends);
    add_rounding(before, end, d, n_ends);
}

/* Room for the ends of all vectors. */
static bool allocate(Builder *b)
{
    const int vectors = b->mesh->n_nodes * b->mesh->type->vectors;
    size_t most = 2;
    for (int k = 0; k < vectors; ++k) {
        most += (size_t)count_ends(b, k);
    }
    b->first = tml_reader_alloc(b->x->r, (size_t)vectors, sizeof *b->first);
    b->end = tml_reader_alloc(b->x->r, most, sizeof *b->end);
    b->factor = tml_reader_alloc(b->x->r, most, sizeof *b->factor);
    return b->first != NULL && b->end != NULL && b->factor != NULL;
}

/* The coordinate s as a body of one number, with a frame of its name. */
static int add_place(Builder *b, double s, double rate)
{
    const char *name = tml_reader_printf(b->x->r, "%s.s", b->x->name);
    const TmlBody body = {.name = name,
                          .type = &tml_body_place,
                          .owner = b->mesh->body,
                          .r0 = {s, 0, 0},
                          .v0 = {rate, 0, 0},
                          .p0 = {1, 0, 0, 0},
                          .source = b->x->key};
    const TmlNamedFrame frame = {name, tml_body_end(b->m->bodies.n, v3(0, 0, 0), m3_identity())};
    bool ok = name != NULL;
    TML_LIST_ADD(b->m->bodies, body, &ok);
    TML_LIST_ADD(b->m->frames, frame, &ok);
    b->x->r->nomem |= !ok;
    return b->m->bodies.n - 1;
}

/* Rate of s at the start: velocity of the point along the axis, seen from there. */
static double start_rate(const TmlModel *m, int point, TmlVec3 v)
{
    const TmlFlexPoint *p = &m->points.at[point];
    const TmlMesh *mesh = &m->meshes.at[m->flexes.at[p->flex].mesh];
    const TmlFrameKin kin = tml_flex_initial_point(m, point);
    const int per_node = mesh->type->vectors;
    TmlVec3 r_s = {0};
    for (int i = 0; i < mesh->type->nodes * per_node; ++i) {
        const int node = m->flexes.at[p->flex].node[i / per_node];
        TmlVec3 x, rate;
        tml_flex_initial_vector(m, &mesh->vector[node * per_node + i % per_node], &x, &rate);
        r_s = v3_axpy(p->s[1][i], x, r_s);
    }
    return v3_dot(v3_sub(v, kin.v), r_s) / v3_dot(r_s, r_s);
}

/* The point of the axis where the frame is, or -1 after reporting. */
static int find_point(TmlEntry *x, const TmlConstraint *c)
{
    TmlModel *m = x->r->m;
    const int mesh = tml_mesh_of_body(m, c->end[0].body);
    if (mesh < 0 || m->meshes.at[mesh].type->topology != TML_FLEX_LINE) {
        tml_entry_error(x, x->key, "its first body must be a flexible body along a line");
        return -1;
    }
    if (c->end[0].body == c->end[1].body) {
        tml_entry_error(x, x->key, "a point of '%s' cannot slide along '%s' itself",
                        m->bodies.at[c->end[0].body].name, m->bodies.at[c->end[0].body].name);
        return -1;
    }
    const TmlVec3 at = tml_model_initial_kin(m, &c->end[1]).r;
    double xi[3];
    const int point = tml_flex_add_point(m, tml_mesh_closest(m, mesh, at, xi), xi);
    if (point < 0) {
        x->r->nomem = true;
        return -1;
    }
    const double off = v3_norm(v3_sub(tml_flex_initial_point(m, point).r, at));
    if (off > 1e-9 * (1.0 + v3_norm(at))) {
        tml_entry_error(x, x->key,
                        "the point of '%s' is %.6g m away from the axis of '%s'; move it there",
                        m->bodies.at[c->end[1].body].name, off, m->bodies.at[c->end[0].body].name);
        return -1;
    }
    return point;
}

void tml_read_on_curve(TmlEntry *x, TmlConstraint *c)
{
    TmlModel *m = x->r->m;
    const int point = !x->bad && c->n_ends == 2 ? find_point(x, c) : -1;
    if (point < 0) {
        return;
    }
    const TmlFlexPoint at = m->points.at[point];
    const TmlMesh *mesh = &m->meshes.at[m->flexes.at[at.flex].mesh];
    const TmlEnd second = c->end[1];
    TmlOnCurve *curve = c->data;
    Builder b = {.x = x, .m = m, .mesh = mesh, .n_ends = 2};
    double s = 0.0, from = 0.0;
    curve->piece = tml_reader_alloc(x->r, (size_t)mesh->n_x, sizeof *curve->piece);
    if (!allocate(&b) || curve->piece == NULL) {
        return;
    }
    for (int e = 0; e < mesh->n_x; ++e) {
        if (!build_piece(&b, e, from, &curve->piece[e])) {
            return;
        }
        const double length = curve->piece[e].length;
        s = mesh->flex0 + e == at.flex ? from + at.xi[0] * length : s;
        from += length;
    }
    curve->n = mesh->n_x;
    double *d = tml_reader_alloc(x->r, (size_t)b.n_ends, sizeof *d);
    for (int e = 1; e < curve->n && d != NULL; ++e) {
        round_corner(&curve->piece[e - 1], &curve->piece[e], d, b.n_ends);
    }
    const double rate = start_rate(m, point, tml_model_initial_kin(m, &second).v);
    b.end[0] = tml_body_end(add_place(&b, s, rate), v3(0, 0, 0), m3_identity());
    b.end[1] = second;
    c->end = b.end;
    c->n_ends = b.n_ends;
}
