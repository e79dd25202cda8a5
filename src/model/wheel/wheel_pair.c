/* model/wheel/wheel_pair.c - forces between a wheel and what carries it, by few numbers; see wheel_pair.h. */
#include "model/wheel/wheel_pair.h"

#include "model/force/pair.h"

/* (W1) in global axes, and the axes of the surface. */
typedef struct View {
    TmlMat33 A;
    TmlVec3 d, z, v, w, o, omega0;
} View;

typedef enum Group { GROUP_NONE, GROUP_PLACE, GROUP_MOTION, GROUP_OWN } Group;

static View view_of(const TmlWheelModel *model, const TmlElementIn *in)
{
    const TmlFrameKin *a = &in->e[0], *b = &in->e[1];
    TmlMat33 R;
    View view;
    model->place(in->data, &R, &view.o);
    view.A = m3_mul(&a->A, &R);
    view.d = v3_sub(b->r, a->r);
    view.z = b->A.cz;
    view.omega0 = a->omega;
    view.v = v3_sub(v3_sub(b->v, a->v), v3_cross(a->omega, view.d));
    view.w = v3_sub(b->omega, a->omega);
    return view;
}

static DualVec seeded(TmlVec3 value, int first)
{
    DualVec out = d6v(value);
    if (first >= 0) {
        out.x.g[first] = out.y.g[first + 1] = out.z.g[first + 2] = 1.0;
    }
    return out;
}

/* Values with the derivatives by one group. */
static void evaluate(const TmlWheelModel *model, const TmlElementIn *in, const View *view,
                     Group group, Dual out[WHEEL_OUT])
{
    const bool place = group == GROUP_PLACE, motion = group == GROUP_MOTION;
    TmlWheelIn x = {.c = seeded(v3_sub(m3_tmulv(&view->A, view->d), view->o), place ? 0 : -1),
                    .s = seeded(m3_tmulv(&view->A, view->z), place ? 3 : -1),
                    .v = seeded(m3_tmulv(&view->A, view->v), motion ? 0 : -1),
                    .w = seeded(m3_tmulv(&view->A, view->w), motion ? 3 : -1),
                    .memory = in->memory};
    for (int k = 0; k < model->n_own; ++k) {
        x.u[k] = d6(in->f[k]);
        x.u[k].g[k] = group == GROUP_OWN ? 1.0 : 0.0;
    }
    model->eval(in->data, &x, group != GROUP_NONE, out);
}

static TmlVec3 first_three(const double g[6])
{
    return v3(g[0], g[1], g[2]);
}

static TmlVec3 last_three(const double g[6])
{
    return v3(g[3], g[4], g[5]);
}

/* Rows of one value by the positions and by the twists of both ends: (W2), (W3). */
static void value_rows(const View *view, const Dual *place, const Dual *motion, TmlRow q[2],
                       TmlRow v[2])
{
    const TmlVec3 c = m3_mulv(&view->A, first_three(place->g));
    const TmlVec3 s = m3_mulv(&view->A, last_three(place->g));
    const TmlVec3 V = m3_mulv(&view->A, first_three(motion->g));
    const TmlVec3 W = m3_mulv(&view->A, last_three(motion->g));
    const TmlVec3 turned = v3_cross(view->z, s);
    q[1].r = v3_add(c, v3_cross(view->omega0, V));
    q[1].theta = turned;
    q[0].r = v3_neg(q[1].r);
    q[0].theta = v3_neg(v3_add(v3_add(v3_cross(view->d, c), turned),
                               v3_add(v3_cross(view->v, V), v3_cross(view->w, W))));
    v[1] = (TmlRow){.r = V, .theta = W};
    v[0] = (TmlRow){.r = v3_neg(V), .theta = v3_neg(v3_add(v3_cross(view->d, V), W))};
}

void tml_wheel_wrench(const TmlWheelModel *model, const TmlElementIn *in, TmlRow *w)
{
    const View view = view_of(model, in);
    Dual out[WHEEL_OUT];
    evaluate(model, in, &view, GROUP_NONE, out);
    w[1].r = m3_mulv(&view.A, v3(out[0].x, out[1].x, out[2].x)); // (W4)
    w[1].theta = m3_mulv(&view.A, v3(out[3].x, out[4].x, out[5].x));
    w[0].r = v3_neg(w[1].r);
    w[0].theta = v3_neg(v3_add(w[1].theta, v3_cross(view.d, w[1].r)));
}

/* Component j of 12 of two rows. */
static double component(const TmlRow rows[2], int j)
{
    const TmlVec3 *at = j % 6 < 3 ? &rows[j / 6].r : &rows[j / 6].theta;
    return j % 3 == 0 ? at->x : j % 3 == 1 ? at->y : at->z;
}

static TmlVec3 unit_of(int k)
{
    return v3(k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0);
}

static void put_column(double *K, int row, int j, TmlVec3 x)
{
    K[row * PAIR_SIZE + j] += x.x;
    K[(row + 1) * PAIR_SIZE + j] += x.y;
    K[(row + 2) * PAIR_SIZE + j] += x.z;
}

/* Column j of a tangent: dF and dT in global axes are given but for the turning of the axes. positions: of Kq. */
static void add_columns(const View *view, TmlVec3 F, TmlVec3 T, TmlRow rows[6][2], bool positions,
                        double *K)
{
    for (int j = 0; j < PAIR_SIZE; ++j) {
        double f[6];
        for (int k = 0; k < 6; ++k) {
            f[k] = component(rows[k], j);
        }
        TmlVec3 dF = m3_mulv(&view->A, first_three(f)), dT = m3_mulv(&view->A, last_three(f));
        TmlVec3 dd = v3(0, 0, 0);
        if (positions && j >= PAIR_T0 && j < PAIR_R1) { // the axes turn with the first end
            dF = v3_add(dF, v3_cross(unit_of(j - PAIR_T0), F));
            dT = v3_add(dT, v3_cross(unit_of(j - PAIR_T0), T));
        }
        if (positions && (j < PAIR_T0 || (j >= PAIR_R1 && j < PAIR_T1))) {
            dd = j < PAIR_T0 ? v3_neg(unit_of(j)) : unit_of(j - PAIR_R1);
        }
        const TmlVec3 arm = v3_add(v3_cross(dd, F), v3_cross(view->d, dF));
        put_column(K, PAIR_R1, j, dF);
        put_column(K, PAIR_T1, j, dT);
        put_column(K, PAIR_R0, j, v3_neg(dF));
        put_column(K, PAIR_T0, j, v3_neg(v3_add(dT, arm))); // (W4)
    }
}

void tml_wheel_tangent(const TmlWheelModel *model, const TmlElementIn *in, double *Kq, double *Kv)
{
    const View view = view_of(model, in);
    Dual place[WHEEL_OUT], motion[WHEEL_OUT];
    TmlRow q[6][2], v[6][2];
    evaluate(model, in, &view, GROUP_PLACE, place);
    evaluate(model, in, &view, GROUP_MOTION, motion);
    for (int k = 0; k < 6; ++k) {
        value_rows(&view, &place[k], &motion[k], q[k], v[k]);
    }
    const TmlVec3 F = m3_mulv(&view.A, v3(place[0].x, place[1].x, place[2].x));
    const TmlVec3 T = m3_mulv(&view.A, v3(place[3].x, place[4].x, place[5].x));
    add_columns(&view, F, T, q, true, Kq);
    add_columns(&view, F, T, v, false, Kv);
}

void tml_wheel_f_map(const TmlWheelModel *model, const TmlElementIn *in, TmlRow *P)
{
    const View view = view_of(model, in);
    Dual out[WHEEL_OUT];
    evaluate(model, in, &view, GROUP_OWN, out);
    for (int k = 0; k < model->n_own; ++k) {
        TmlRow *w = &P[2 * k];
        w[1].r = m3_mulv(&view.A, v3(out[0].g[k], out[1].g[k], out[2].g[k]));
        w[1].theta = m3_mulv(&view.A, v3(out[3].g[k], out[4].g[k], out[5].g[k]));
        w[0].r = v3_neg(w[1].r);
        w[0].theta = v3_neg(v3_add(w[1].theta, v3_cross(view.d, w[1].r)));
    }
}

void tml_wheel_output(const TmlWheelModel *model, const TmlElementIn *in, double *value)
{
    const View view = view_of(model, in);
    Dual out[WHEEL_OUT];
    evaluate(model, in, &view, GROUP_NONE, out);
    for (int k = 6; k < model->n_out; ++k) {
        value[k - 6] = out[k].x;
    }
}

void tml_wheel_output_tangent(const TmlWheelModel *model, const TmlElementIn *in, TmlRow *Oq,
                              TmlRow *Ov, double *Of)
{
    const View view = view_of(model, in);
    Dual place[WHEEL_OUT], motion[WHEEL_OUT], own[WHEEL_OUT];
    evaluate(model, in, &view, GROUP_PLACE, place);
    evaluate(model, in, &view, GROUP_MOTION, motion);
    evaluate(model, in, &view, GROUP_OWN, own);
    for (int k = 6; k < model->n_out; ++k) {
        const int row = k - 6;
        value_rows(&view, &place[k], &motion[k], &Oq[2 * row], &Ov[2 * row]);
        for (int j = 0; j < model->n_own; ++j) {
            Of[row * model->n_own + j] = own[k].g[j];
        }
    }
}
