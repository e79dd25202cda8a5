/* system/contact/touching_values.c - what is told of contacts at a state: points, forces, gaps, powers.
 *
 *   (T1)  two shapes are apart by |x_1 - x_0| - R_0 - R_1 at least and by |x_1 - x_0| + R_0 + R_1 at most, R the
 *         farthest point of each from its origin; planes have theirs on the surface and R = 0 in the second
 */
#include "system/contact/touching.h"

#include "math/vec3.h"
#include "trammel/analysis.h"

#include <math.h>

static int body_of(const TmlSystem *sys, int shape)
{
    return sys->model->shapes.at[shape].body;
}

int tml_system_contact_count(const TmlSystem *sys)
{
    return sys->touching != NULL ? sys->model->contacts.n : 0;
}

const char *tml_system_contact_name(const TmlSystem *sys, int contact)
{
    const bool known = contact >= 0 && contact < tml_system_contact_count(sys);
    return known ? sys->model->contacts.at[contact].name : NULL;
}

/* The number of a body, or of a flexible body as tml_model_flexible counts them, below -1. */
static int row_body(const TmlModel *m, const TmlBodyShape *s)
{
    return s->element > 0 ? -2 - m->flexes.at[s->element - 1].mesh : s->body;
}

static TmlRowContact row_contact(const TmlSystem *sys, const TmlNear *near, const TmlPairPoint *p)
{
    const TmlModel *m = sys->model;
    const TmlBodyShape *a = &m->shapes.at[near->shape[0]], *b = &m->shapes.at[near->shape[1]];
    return (TmlRowContact){
        .contact = m->contacts.at[near->contact].name,
        .shape = {a->name, b->name},
        .body = {row_body(m, a), row_body(m, b)},
        .point = p->p,
        .normal = p->n,
        .force = p->force,
        .friction = p->friction,
        .depth = p->depth,
        .rate = p->rate,
    };
}

int tml_system_touch_points(const TmlSystem *sys, TmlRowContact *out, int cap)
{
    struct TmlTouching *t = sys->touching;
    TmlPairPoint point[TML_TOUCH_MAX];
    int n = 0;
    for (int k = 0; t != NULL && k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        const TmlPairIn in = tml_near_in(sys, near, 0.0);
        TmlPairForce force;
        const int points = tml_pair_force(&in, &force, point);
        for (int i = 0; i < points; ++i) {
            if (point[i].closed && n++ < cap) {
                out[n - 1] = row_contact(sys, near, &point[i]);
            }
        }
    }
    return n;
}

int tml_value_end(const TmlContactValue *value, int a, int b)
{
    for (int e = 0; e < 2; ++e) {
        const int own = e == 0 ? a : b, other = e == 0 ? b : a;
        if ((value->body[0] < 0 || value->body[0] == own) &&
            (value->body[1] < 0 || value->body[1] == other)) {
            return e;
        }
    }
    return -1;
}

static double power_on(const TmlRow *w, const TmlFrameKin *e)
{
    return v3_dot(w->r, e->v) + v3_dot(w->theta, e->omega);
}

static double pair_value(const TmlContactValue *value, const TmlPairIn *in, int e)
{
    TmlPairForce force;
    tml_pair_force(in, &force, NULL);
    switch (value->asked) {
    case TML_CONTACT_FORCE:
        return force.force;
    case TML_CONTACT_FX:
        return force.w[e].r.x;
    case TML_CONTACT_FY:
        return force.w[e].r.y;
    case TML_CONTACT_FZ:
        return force.w[e].r.z;
    case TML_CONTACT_TX:
        return force.w[e].theta.x;
    case TML_CONTACT_TY:
        return force.w[e].theta.y;
    case TML_CONTACT_TZ:
        return force.w[e].theta.z;
    case TML_CONTACT_COUNT:
        return force.touching;
    case TML_CONTACT_POWER:
        return value->body[0] >= 0
                   ? power_on(&force.w[e], in->e[e])
                   : power_on(&force.w[0], in->e[0]) + power_on(&force.w[1], in->e[1]);
    case TML_CONTACT_DEPTH:
    default:
        return force.depth;
    }
}

/* --- depth: of all pairs, near or not ----------------------------------------------------------- */

typedef struct Ball {
    TmlVec3 x;
    double radius; /* infinite for planes */
} Ball;

static Ball ball_of(const TmlSystem *sys, int shape)
{
    const TmlBodyShape *s = &sys->model->shapes.at[shape];
    const TmlFrameKin *e = sys->kin + tml_carrier_of(sys, shape)->end;
    TmlVec3 low, high;
    s->shape.type->bounds(s->shape.data, &low, &high);
    if (s->segment) { // about all of the element
        TmlVec3 hull[TML_HULL], middle;
        double reach;
        const int n = tml_segment_hull(sys, tml_carrier_of(sys, shape), 0, hull);
        tml_segment_ball(hull, n, &middle, &reach);
        return (Ball){middle, reach + high.x};
    }
    return (Ball){v3_add(e->r, m3_mulv(&e->A, s->place.r)),
                  v3_norm(v3(fmax(fabs(low.x), fabs(high.x)), fmax(fabs(low.y), fabs(high.y)),
                             fmax(fabs(low.z), fabs(high.z))))};
}

/* The pair of shapes that is deepest in each other, or nearest, and how far to look for it. */
typedef struct Deepest {
    int a, b, contact; /* shapes; -1: there is none */
    double reach, depth;
} Deepest;

/* Two shapes as a pair that need not be near. */
static TmlNear pair_of(const TmlSystem *sys, int a, int b, int contact)
{
    const struct TmlTouching *t = sys->touching;
    return (TmlNear){.shape = {a, b},
                     .carrier = {t->carried_by[a], t->carried_by[b]},
                     .travels =
                         sys->model->shapes.at[a].segment || sys->model->shapes.at[b].segment,
                     .contact = contact,
                     .coupling = -1,
                     .bristle = -1};
}

static Deepest find_deepest(const TmlSystem *sys, const TmlContactValue *value)
{
    const TmlModel *m = sys->model;
    Deepest best = {-1, -1, -1, 0.0, -HUGE_VAL};
    for (int a = 0; a < m->shapes.n; ++a) {
        const Ball x = ball_of(sys, a);
        for (int b = a + 1; b < m->shapes.n; ++b) {
            if (tml_value_end(value, body_of(sys, a), body_of(sys, b)) < 0) {
                continue;
            }
            const Ball y = ball_of(sys, b);
            const double apart = v3_norm(v3_sub(y.x, x.x));
            const double least = apart - x.radius - y.radius; // (T1)
            const double most = apart + (isfinite(x.radius) ? x.radius : 0.0) +
                                (isfinite(y.radius) ? y.radius : 0.0);
            if (-least <= best.depth) {
                continue;
            }
            const int contact = tml_contact_of(m, a, b);
            if (contact < 0 || (value->contact >= 0 && contact != value->contact)) {
                continue;
            }
            TmlNear near = pair_of(sys, a, b, contact);
            TmlPairIn in = tml_near_in(sys, &near, most);
            const double depth = pair_value(value, &in, 0);
            if (depth > best.depth) {
                best = (Deepest){a, b, contact, most, depth};
            }
        }
    }
    return best;
}

bool tml_value_deepest(const TmlSystem *sys, const TmlContactValue *value, TmlNear *near,
                       double *reach)
{
    const Deepest best = find_deepest(sys, value);
    *reach = best.reach;
    if (best.contact >= 0) {
        *near = pair_of(sys, best.a, best.b, best.contact);
    }
    return best.contact >= 0;
}

int tml_value_asks(const TmlSystem *sys, const TmlContactValue *value, const TmlNear *near)
{
    const bool asked = value->contact < 0 || value->contact == near->contact;
    return asked ? tml_value_end(value, body_of(sys, near->shape[0]), body_of(sys, near->shape[1]))
                 : -1;
}

double tml_system_contact_value(const TmlSystem *sys, int k)
{
    const TmlContactValue *value = &sys->model->contact_values.at[k];
    struct TmlTouching *t = sys->touching;
    double sum = 0.0;
    if (t == NULL) {
        return 0.0;
    }
    if (value->asked == TML_CONTACT_DEPTH) {
        return find_deepest(sys, value).depth;
    }
    for (int i = 0; i < t->n; ++i) {
        TmlNear *near = &t->near[i];
        const int e = tml_value_asks(sys, value, near);
        if (e >= 0) {
            TmlPairIn in = tml_near_in(sys, near, 0.0);
            in.watch = NULL; // an iteration watches the slips of its forces
            sum += pair_value(value, &in, e);
        }
    }
    return sum;
}
