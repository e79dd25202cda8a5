/* model/primitive/expression_velocity.c - an expression that is linear in velocities, as a
 * nonholonomic row: equation (8) of [003].
 *
 *   (X2)  phi(q, v, t) = A(q, t) v + b(q, t) = expression
 *
 * with v the twists of the frames that it looks at. A is the derivative by the twists, and because
 * (X2) is affine in them, derivatives of A follow from derivatives of phi at chosen twists,
 * exactly:
 *
 *   (X3)  dA_r/dq = phi_q(q, e_r, t) - phi_q(q, 0, t),   A_r,t likewise;   b = phi(q, 0, t)
 *
 * e_r being the r-th unit twist. The derivative of phi by time is a binding of its own (D1), whose
 * value at zero accelerations and whose gradient there are
 *
 *   (X4)  gamma = -phi',   dgamma/dq = -(phi')_q,   dgamma/dv = -(phi')_v,   gamma_t = -(phi')_t
 *
 * own; text: docs/theory/constraints.md#expression
 */
#include "model/primitive/expression_velocity.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Room for what an evaluation needs besides its work memory. */
typedef struct Room {
    TmlFrameKin e[TML_MAX_ENDS];
    TmlRow q[TML_MAX_ENDS], v[TML_MAX_ENDS], a[TML_MAX_ENDS];
    double u[1]; // such expressions read no unknowns
} Room;

static TmlBindIn bind_in(const TmlElementIn *in, const TmlFrameKin *e)
{
    return (TmlBindIn){.e = e, .t = in->t, .memory = in->memory, .work = in->work};
}

static TmlBindGrad grad_of(Room *room)
{
    return (TmlBindGrad){.q = room->q, .v = room->v, .a = room->a, .u = room->u};
}

/* The motions with zero accelerations, and with zero twists when `rest`. */
static void take_motion(const TmlElementIn *in, bool rest, Room *room)
{
    for (int k = 0; k < in->n_ends; ++k) {
        room->e[k] = in->e[k];
        room->e[k].a = room->e[k].alpha = (TmlVec3){0};
        if (rest) {
            room->e[k].v = room->e[k].omega = (TmlVec3){0};
        }
    }
}

/* Component r of the twists, ordered v_0, omega_0, v_1, ... */
static double *twist(Room *room, int r)
{
    TmlFrameKin *e = &room->e[r / 6];
    TmlVec3 *v = r % 6 < 3 ? &e->v : &e->omega;
    return r % 3 == 0 ? &v->x : r % 3 == 1 ? &v->y : &v->z;
}

static double *component(TmlRow *row, int r)
{
    TmlVec3 *v = r % 6 < 3 ? &row[r / 6].r : &row[r / 6].theta;
    return r % 3 == 0 ? &v->x : r % 3 == 1 ? &v->y : &v->z;
}

/* --- is it linear? -------------------------------------------------------------------------- */

/* Twists of no pattern, of a size that shows squares beside linear terms. */
static void some_twists(Room *room, int n_ends, int try)
{
    for (int r = 0; r < 6 * n_ends; ++r) {
        *twist(room, r) = (try + 1) * sin(1.0 + 2.7 * r + 1.3 * try);
    }
}

TmlStatus tml_velocity_check(const TmlBinding *b, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    enum { TRIES = 4 };
    Room room;
    TmlRow first[TML_MAX_ENDS];
    double *work = tml_mem_zalloc(b->work + TML_MAX_ENDS, sizeof *work);
    if (work == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    const TmlElementIn in = {.e = e, .n_ends = n_ends, .memory = work + b->work, .work = work};
    double size = 0.0, off = 0.0;
    for (int try = 0; try < TRIES; ++try) {
        take_motion(&in, true, &room);
        some_twists(&room, n_ends, try);
        const TmlBindIn at = bind_in(&in, room.e);
        TmlBindGrad grad = grad_of(&room);
        tml_binding_gradient(b, &at, &grad);
        if (try == 0) {
            memcpy(first, room.v, sizeof first);
        }
        for (int r = 0; r < 6 * n_ends; ++r) {
            size = fmax(size, fabs(*component(room.v, r)));
            off = fmax(off, fabs(*component(room.v, r) - *component(first, r)));
        }
    }
    tml_mem_free(work);
    // what rounding leaves of equal derivatives; squares of such twists differ by their own size
    if (!(off <= 1e-9 * size)) {
        return tml_fail(err, TML_E_MODEL,
                        "'%s' is not linear in the velocities; a constraint may depend on them "
                        "linearly only, as VX(a) - 2*WZ(b) does",
                        b->text);
    }
    return TML_OK;
}

/* --- rows ----------------------------------------------------------------------------------- */

size_t tml_velocity_work(const TmlBinding *b, const TmlBinding *rate)
{
    return rate->work > b->work ? rate->work : b->work;
}

void tml_velocity_jacobian(const TmlBinding *b, const TmlElementIn *in, TmlRow *J)
{
    Room room;
    const TmlBindIn at = bind_in(in, in->e);
    TmlBindGrad grad = grad_of(&room);
    grad.v = J;
    tml_binding_gradient(b, &at, &grad);
}

void tml_velocity_tangent(const TmlBinding *b, const TmlElementIn *in, TmlRow *D)
{
    Room room;
    const TmlBindIn at = bind_in(in, in->e);
    TmlBindGrad grad = grad_of(&room);
    grad.q = D;
    tml_binding_gradient(b, &at, &grad);
}

double tml_velocity_rest(const TmlBinding *b, const TmlElementIn *in)
{
    Room room;
    take_motion(in, true, &room);
    const TmlBindIn at = bind_in(in, room.e);
    return tml_binding_value(b, &at); // (X3)
}

void tml_velocity_curvature(const TmlBinding *b, const TmlElementIn *in, double lambda, double *K)
{
    const int n = 6 * in->n_ends;
    Room room;
    TmlRow rest[TML_MAX_ENDS];
    take_motion(in, true, &room);
    const TmlBindIn at = bind_in(in, room.e);
    TmlBindGrad grad = grad_of(&room);
    tml_binding_gradient(b, &at, &grad);
    memcpy(rest, room.q, sizeof rest);
    for (int r = 0; r < n; ++r) {
        *twist(&room, r) = 1.0;
        tml_binding_gradient(b, &at, &grad);
        *twist(&room, r) = 0.0;
        for (int c = 0; c < n; ++c) { // (X3)
            K[r * n + c] += lambda * (*component(room.q, c) - *component(rest, c));
        }
    }
}

void tml_velocity_jacobian_t(const TmlBinding *b, const TmlElementIn *in, TmlRow *Jt)
{
    Room room;
    take_motion(in, true, &room);
    const TmlBindIn at = bind_in(in, room.e);
    const double rest = tml_binding_dt(b, &at);
    for (int r = 0; r < 6 * in->n_ends; ++r) {
        *twist(&room, r) = 1.0;
        *component(Jt, r) = tml_binding_dt(b, &at) - rest; // (X3)
        *twist(&room, r) = 0.0;
    }
}

double tml_velocity_gamma(const TmlBinding *rate, const TmlElementIn *in)
{
    Room room;
    take_motion(in, false, &room);
    const TmlBindIn at = bind_in(in, room.e);
    return -tml_binding_value(rate, &at); // (X4)
}

void tml_velocity_gamma_tangent(const TmlBinding *rate, const TmlElementIn *in, TmlRow *Gm,
                                TmlRow *Gv)
{
    Room room;
    take_motion(in, false, &room);
    const TmlBindIn at = bind_in(in, room.e);
    TmlBindGrad grad = grad_of(&room);
    tml_binding_gradient(rate, &at, &grad);
    for (int k = 0; k < in->n_ends; ++k) { // (X4)
        Gm[k] = (TmlRow){v3_neg(room.q[k].r), v3_neg(room.q[k].theta)};
        Gv[k] = (TmlRow){v3_neg(room.v[k].r), v3_neg(room.v[k].theta)};
    }
}

double tml_velocity_gamma_t(const TmlBinding *rate, const TmlElementIn *in)
{
    Room room;
    take_motion(in, false, &room);
    const TmlBindIn at = bind_in(in, room.e);
    return -tml_binding_dt(rate, &at); // (X4)
}
