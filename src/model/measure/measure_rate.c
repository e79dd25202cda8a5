/* model/measure/measure_rate.c - measures of velocity and acceleration.
 *
 * d = r_to - r_from, w and alpha angular velocity and acceleration of the observer, in whose frame
 * the time derivatives are taken:
 *
 *   (V1)  velocity       y = d' - w x d
 *   (V2)  acceleration   y = d'' - alpha x d - 2 w x d' + w x (w x d)
 *   (V3)  spin           y = w_to - w_from
 *   (V4)  spin rate      y = alpha_to - alpha_from - w x (w_to - w_from)
 *
 * A component is c . y with c an axis of a frame, dc = dtheta x c; the magnitude |y| has the
 * gradient of c . y with the fixed c = y / |y| (zero at y = 0). For a fixed c:
 *
 *   (V5)  d(c . y1) = c . dd' + (c x d) . dw + (w x c) . dd
 *   (V6)  d(c . y2) = c . dd'' + (c x d) . dalpha + 2 (w x c) . dd'
 *                     + (alpha x c + w x (w x c)) . dd
 *                     + [2 c x d' + c (w . d) + d (w . c) - 2 w (c . d)] . dw
 *   (V7)  d(c . y4) = c . (dalpha_to - dalpha_from) + (w x c) . (dw_to - dw_from)
 *                     + (c x (w_to - w_from)) . dw
 *   (V8)  rate of a measure s of the position: s' = J . nu, ds' = D . dx + J . dnu
 *   (V9)  its second rate: s'' = S + J . nu', S at nu' = 0;  ds'' = (S_x + nu' . K) . dx
 *         + S_nu . dnu + J . dnu'
 *
 * Rate of a component c . y of a velocity or spin y, c an axis of a frame that turns with w_c, y2
 * the acceleration (V2) or (V4) that belongs to y, u = w_c - w; then that of the magnitude,
 * c = y / |y|:
 *
 *   (V10) (c . y)' = c . y2 + (u x c) . y
 *         d((u x c) . y) = (u x c) . dy + (c x y) . du + (c x (y x u)) . dtheta_c
 *   (V11) |y|' = c . y2;  d|y|' = c . dy2 + (y2 - c (c . y2)) . dy / |y|
 */
#include "math/vec3.h"
#include "model/measure/measure.h"

static TmlVec3 column(const TmlMat33 *A, int k)
{
    return k == 0 ? A->cx : k == 1 ? A->cy : A->cz;
}

static TmlVec3 rate_vector(const TmlLeaf *leaf, TmlLeafKind kind, const TmlBindIn *in)
{
    const TmlFrameKin *from = &in->e[leaf->slot[TML_SLOT_FROM]];
    const TmlFrameKin *to = &in->e[leaf->slot[TML_SLOT_TO]];
    const TmlFrameKin *o = &in->e[leaf->slot[TML_SLOT_OBSERVER]];
    const TmlVec3 d = v3_sub(to->r, from->r), d1 = v3_sub(to->v, from->v);
    const TmlVec3 w = v3_sub(to->omega, from->omega);
    switch (kind) {
    case TML_LEAF_VELOCITY:
        return v3_sub(d1, v3_cross(o->omega, d)); // (V1)
    case TML_LEAF_ACCELERATION: {
        const TmlVec3 u = v3_axpy(-2.0, d1, v3_cross(o->omega, d)); // (V2)
        return v3_add(v3_sub(v3_sub(to->a, from->a), v3_cross(o->alpha, d)), v3_cross(o->omega, u));
    }
    case TML_LEAF_SPIN:
        return w; // (V3)
    default:
        return v3_sub(v3_sub(to->alpha, from->alpha), v3_cross(o->omega, w)); // (V4)
    }
}

/* What is fixed in the gradient of c . y: y, c, and the factor. */
typedef struct RateTerm {
    const TmlLeaf *leaf;
    const TmlBindIn *in;
    TmlBindGrad *out;
    double scale;
} RateTerm;

/* Add a derivative by a vector of `to` and its negative for `from`. */
static void add_pair(const RateTerm *t, TmlRow *rows, bool turning, TmlVec3 x)
{
    const TmlRow row = turning ? (TmlRow){.theta = x} : (TmlRow){.r = x};
    tml_row_add(&rows[t->leaf->slot[TML_SLOT_TO]], t->scale, &row);
    tml_row_add(&rows[t->leaf->slot[TML_SLOT_FROM]], -t->scale, &row);
}

static void add_theta(const RateTerm *t, TmlRow *rows, int slot, TmlVec3 x)
{
    tml_row_add(&rows[t->leaf->slot[slot]], t->scale, &(TmlRow){.theta = x});
}

static void velocity_terms(const RateTerm *t, TmlVec3 c, TmlVec3 d, TmlVec3 w)
{
    add_pair(t, t->out->v, false, c); // (V5)
    add_pair(t, t->out->q, false, v3_cross(w, c));
    add_theta(t, t->out->v, TML_SLOT_OBSERVER, v3_cross(c, d));
}

static void acceleration_terms(const RateTerm *t, TmlVec3 c, TmlVec3 d, TmlVec3 d1)
{
    const TmlFrameKin *o = &t->in->e[t->leaf->slot[TML_SLOT_OBSERVER]];
    const TmlVec3 w = o->omega, wc = v3_cross(w, c);
    TmlVec3 by_w = v3_axpy(v3_dot(w, d), c, v3_scale(2.0, v3_cross(c, d1))); // (V6)
    by_w = v3_axpy(v3_dot(w, c), d, by_w);
    by_w = v3_axpy(-2.0 * v3_dot(c, d), w, by_w);
    add_pair(t, t->out->a, false, c);
    add_theta(t, t->out->a, TML_SLOT_OBSERVER, v3_cross(c, d));
    add_pair(t, t->out->v, false, v3_scale(2.0, wc));
    add_theta(t, t->out->v, TML_SLOT_OBSERVER, by_w);
    add_pair(t, t->out->q, false, v3_add(v3_cross(o->alpha, c), v3_cross(w, wc)));
}

/* d(c . y) for a fixed c, y a vector of that kind: (V5) to (V7). */
static void fixed_terms(const RateTerm *t, TmlLeafKind kind, TmlVec3 c)
{
    const TmlLeaf *leaf = t->leaf;
    const TmlFrameKin *from = &t->in->e[leaf->slot[TML_SLOT_FROM]];
    const TmlFrameKin *to = &t->in->e[leaf->slot[TML_SLOT_TO]];
    const TmlVec3 w = t->in->e[leaf->slot[TML_SLOT_OBSERVER]].omega;
    const TmlVec3 d = v3_sub(to->r, from->r), d1 = v3_sub(to->v, from->v);
    if (kind == TML_LEAF_VELOCITY) {
        velocity_terms(t, c, d, w);
    } else if (kind == TML_LEAF_ACCELERATION) {
        acceleration_terms(t, c, d, d1);
    } else if (kind == TML_LEAF_SPIN) {
        add_pair(t, t->out->v, true, c);
    } else {
        add_pair(t, t->out->a, true, c); // (V7)
        add_pair(t, t->out->v, true, v3_cross(w, c));
        add_theta(t, t->out->v, TML_SLOT_OBSERVER, v3_cross(c, v3_sub(to->omega, from->omega)));
    }
}

/* Gradient of the component or magnitude of a vector of that kind. */
static void vector_gradient(const RateTerm *t, TmlLeafKind kind)
{
    const TmlLeaf *leaf = t->leaf;
    const TmlVec3 y = rate_vector(leaf, kind, t->in);
    TmlVec3 c = v3_unit(y);
    if (leaf->axis != TML_AXIS_MAGNITUDE) {
        c = column(&t->in->e[leaf->slot[TML_SLOT_AXES]].A, leaf->axis);
        add_theta(t, t->out->q, TML_SLOT_AXES, v3_cross(c, y));
    }
    fixed_terms(t, kind, c);
}

static double vector_value(const TmlLeaf *leaf, TmlLeafKind kind, const TmlBindIn *in)
{
    const TmlVec3 y = rate_vector(leaf, kind, in);
    return leaf->axis == TML_AXIS_MAGNITUDE
               ? v3_norm(y)
               : v3_dot(column(&in->e[leaf->slot[TML_SLOT_AXES]].A, leaf->axis), y);
}

/* --- rates of rates ------------------------------------------------------------------------- */

static TmlLeafKind acceleration_of(const TmlLeaf *leaf)
{
    return leaf->of == TML_LEAF_VELOCITY ? TML_LEAF_ACCELERATION : TML_LEAF_SPIN_RATE;
}

static TmlVec3 axes_spin(const TmlLeaf *leaf, const TmlBindIn *in)
{
    return v3_sub(in->e[leaf->slot[TML_SLOT_AXES]].omega,
                  in->e[leaf->slot[TML_SLOT_OBSERVER]].omega);
}

static double change_value(const TmlLeaf *leaf, const TmlBindIn *in)
{
    const TmlVec3 y = rate_vector(leaf, leaf->of, in);
    if (leaf->axis == TML_AXIS_MAGNITUDE) {
        return v3_dot(v3_unit(y), rate_vector(leaf, acceleration_of(leaf), in)); // (V11)
    }
    const TmlVec3 c = column(&in->e[leaf->slot[TML_SLOT_AXES]].A, leaf->axis);
    return vector_value(leaf, acceleration_of(leaf), in) +
           v3_dot(v3_cross(axes_spin(leaf, in), c), y); // (V10)
}

static void change_gradient(const RateTerm *t)
{
    const TmlLeaf *leaf = t->leaf;
    const TmlVec3 y = rate_vector(leaf, leaf->of, t->in);
    if (leaf->axis == TML_AXIS_MAGNITUDE) {
        const TmlVec3 y2 = rate_vector(leaf, acceleration_of(leaf), t->in), c = v3_unit(y);
        const double size = v3_norm(y);
        fixed_terms(t, acceleration_of(leaf), c); // (V11)
        if (size > 0.0) {
            fixed_terms(t, leaf->of, v3_scale(1.0 / size, v3_axpy(-v3_dot(c, y2), c, y2)));
        }
        return;
    }
    const TmlVec3 c = column(&t->in->e[leaf->slot[TML_SLOT_AXES]].A, leaf->axis);
    const TmlVec3 u = axes_spin(leaf, t->in), by_u = v3_cross(c, y);
    vector_gradient(t, acceleration_of(leaf)); // (V10)
    fixed_terms(t, leaf->of, v3_cross(u, c));
    add_theta(t, t->out->v, TML_SLOT_AXES, by_u);
    add_theta(t, t->out->v, TML_SLOT_OBSERVER, v3_scale(-1.0, by_u));
    add_theta(t, t->out->q, TML_SLOT_AXES, v3_cross(c, v3_cross(y, u)));
}

static double second_value(const TmlLeaf *leaf, const TmlBindIn *in)
{
    TmlPosition p;
    tml_position_eval(leaf, leaf->of, in, 2, &p);
    double sum = p.second;
    for (int k = 0; k < tml_position_slots(leaf->of); ++k) { // (V9)
        const TmlFrameKin *e = &in->e[leaf->slot[k]];
        sum += v3_dot(p.J[k].r, e->a) + v3_dot(p.J[k].theta, e->alpha);
    }
    return sum;
}

static void second_gradient(const TmlLeaf *leaf, const TmlBindIn *in, double scale,
                            TmlBindGrad *out)
{
    TmlPosition p;
    tml_position_eval(leaf, leaf->of, in, 3, &p);
    const int m = tml_position_slots(leaf->of);
    for (int k = 0; k < m; ++k) { // (V9)
        double x[6] = {0};
        for (int r = 0; r < 6 * m; ++r) {
            const TmlFrameKin *e = &in->e[leaf->slot[r / 6]];
            const double a[6] = {e->a.x, e->a.y, e->a.z, e->alpha.x, e->alpha.y, e->alpha.z};
            for (int i = 0; i < 6; ++i) {
                x[i] += a[r % 6] * p.K[r * 6 * m + 6 * k + i];
            }
        }
        const TmlRow bent = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
        tml_row_add(&out->q[leaf->slot[k]], scale, &p.Sm[k]);
        tml_row_add(&out->q[leaf->slot[k]], scale, &bent);
        tml_row_add(&out->v[leaf->slot[k]], scale, &p.Sv[k]);
        tml_row_add(&out->a[leaf->slot[k]], scale, &p.J[k]);
    }
}

double tml_rate_value(const TmlLeaf *leaf, const TmlBindIn *in)
{
    if (leaf->kind == TML_LEAF_RATE) {
        TmlPosition p;
        tml_position_eval(leaf, leaf->of, in, 1, &p);
        return p.rate;
    }
    return leaf->kind == TML_LEAF_SECOND   ? second_value(leaf, in)
           : leaf->kind == TML_LEAF_CHANGE ? change_value(leaf, in)
                                           : vector_value(leaf, leaf->kind, in);
}

void tml_rate_gradient(const TmlLeaf *leaf, const TmlBindIn *in, double scale, TmlBindGrad *out)
{
    const RateTerm term = {leaf, in, out, scale};
    if (leaf->kind == TML_LEAF_SECOND) {
        second_gradient(leaf, in, scale, out);
        return;
    }
    if (leaf->kind != TML_LEAF_RATE) {
        leaf->kind == TML_LEAF_CHANGE ? change_gradient(&term) : vector_gradient(&term, leaf->kind);
        return;
    }
    TmlPosition p;
    tml_position_eval(leaf, leaf->of, in, 2, &p);
    for (int k = 0; k < tml_position_slots(leaf->of); ++k) { // (V8)
        tml_row_add(&out->q[leaf->slot[k]], scale, &p.D[k]);
        tml_row_add(&out->v[leaf->slot[k]], scale, &p.J[k]);
    }
}
