/* model/force/modal_force.c - a load case of a part, scaled by an expression, as a force on a modal body.
 *
 * The load keeps its direction in the axes of the floating frame. With its scale s, an unknown, the virtual work of
 * s (f_k, n_k) on the displacements (MO1) is that of
 *
 *   (ML2)  s A F and s A (T_0 + sum_j T_j eta_j) on the floating frame, about its origin, and s q_j on mode j
 *
 * of (ML1) in part.h. The modes are reached through two points of the body, which stand for the load:
 *
 *   (ML3)  push: c = sum_j q_j eta_j e_x / u,   turn: c = sum_j T_j eta_j / u      u: `load_unit`, so that c is a length
 *
 * A force s u A e_x on `push` and its opposite on the frame are in one line: they do work on the modes alone. `turn` is read only:
 * the torque is s (A T_0 + u (r_turn - r)).
 *
 * Text: docs/theory/modal.md#loads
 */
#include "math/vec3.h"
#include "model/modal/modal.h"
#include "model/read/read.h"
#include "model/registry.h"

#include <string.h>

enum { REACTION, PUSH, TURN, FRAME, ENDS, SIZE = 6 * ENDS };

typedef struct ModalForce {
    struct TmlBinding *scale;
    const char *body, *load, *reaction; /* reaction NULL: on the ground */
    TmlVec3 force, torque;              /* F, T_0, in the axes of the frame */
    double unit;
} ModalForce;

/* --- equations -------------------------------------------------------------------------------- */

/* What the load is made of, all times s. */
typedef struct Parts {
    TmlVec3 force, torque, arm; /* global; arm: the torque of the deformation */
    TmlVec3 push, d;            /* d: from the reaction to the frame */
} Parts;

static Parts parts_of(const TmlElementIn *in, double s)
{
    const ModalForce *p = in->data;
    const TmlFrameKin *frame = &in->e[FRAME];
    return (Parts){.force = v3_scale(s, m3_mulv(&frame->A, p->force)),
                   .torque = v3_scale(s, m3_mulv(&frame->A, p->torque)),
                   .arm = v3_scale(s * p->unit, v3_sub(in->e[TURN].r, frame->r)),
                   .push = v3_scale(s * p->unit, frame->A.cx),
                   .d = v3_sub(frame->r, in->e[REACTION].r)};
}

static void put_wrench(const TmlElementIn *in, double s, TmlRow *w)
{
    const Parts x = parts_of(in, s);
    const TmlVec3 torque = v3_add(x.torque, x.arm), none = v3(0, 0, 0);
    w[REACTION] = (TmlRow){v3_neg(x.force), v3_neg(v3_add(torque, v3_cross(x.d, x.force)))};
    w[PUSH] = (TmlRow){x.push, none};
    w[TURN] = (TmlRow){none, none};
    w[FRAME] = (TmlRow){v3_sub(x.force, x.push), torque}; // (ML2)
}

static void modal_force_wrench(const TmlElementIn *in, TmlRow *w)
{
    put_wrench(in, in->f[0], w);
}

/* K += s B at rows and columns of two ends; shift 3: their rotations. */
static void add(double *K, int row, int col, double s, const TmlMat33 *B)
{
    const TmlVec3 cols[3] = {B->cx, B->cy, B->cz};
    for (int c = 0; c < 3; ++c) {
        double *at = K + row * SIZE + col + c;
        at[0] += s * cols[c].x;
        at[SIZE] += s * cols[c].y;
        at[2 * SIZE] += s * cols[c].z;
    }
}

static int place(int end)
{
    return 6 * end;
}

static int turn(int end)
{
    return 6 * end + 3;
}

/* dF = -F~ dtheta of the frame, and so are all vectors that turn with it; d(arm) = s u (dr_turn - dr_frame). */
static void modal_force_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    const ModalForce *p = in->data;
    const Parts x = parts_of(in, in->f[0]);
    const TmlMat33 force = m3_skew(x.force), push = m3_skew(x.push), torque = m3_skew(x.torque);
    const TmlMat33 over = m3_skew_skew(x.d, x.force);
    const double u = in->f[0] * p->unit;
    const TmlMat33 arm = m3_diag(u, u, u);
    (void)Kv;
    add(Kq, place(PUSH), turn(FRAME), -1.0, &push);
    add(Kq, place(FRAME), turn(FRAME), 1.0, &push);
    add(Kq, place(FRAME), turn(FRAME), -1.0, &force);
    add(Kq, turn(FRAME), turn(FRAME), -1.0, &torque);
    add(Kq, turn(FRAME), place(TURN), 1.0, &arm);
    add(Kq, turn(FRAME), place(FRAME), -1.0, &arm);
    add(Kq, place(REACTION), turn(FRAME), 1.0, &force);
    add(Kq, turn(REACTION), turn(FRAME), 1.0, &torque);
    add(Kq, turn(REACTION), place(TURN), -1.0, &arm);
    add(Kq, turn(REACTION), place(FRAME), 1.0, &arm);
    add(Kq, turn(REACTION), turn(FRAME), 1.0, &over); // -d x dF
    add(Kq, turn(REACTION), place(FRAME), 1.0, &force);
    add(Kq, turn(REACTION), place(REACTION), -1.0, &force);
}

static void modal_force_f_map(const TmlElementIn *in, TmlRow *P)
{
    put_wrench(in, 1.0, P);
}

static int modal_force_n_f(const void *data)
{
    (void)data;
    return 1;
}

static const struct TmlBinding *modal_force_f_binding(const void *data, int k)
{
    const ModalForce *p = data;
    (void)k;
    return p->scale;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* The modal body; NULL: reported. */
static const TmlModal *find_body(TmlEntry *x, const char *name)
{
    const TmlModel *m = x->r->m;
    const TmlValue *v = tml_value_find(x->value, "body");
    for (int k = 0; k < m->modals.n; ++k) {
        if (strcmp(m->modals.at[k].name, name) == 0) {
            return &m->modals.at[k];
        }
    }
    if (tml_model_find_frame(m, name) >= 0) {
        tml_entry_error(
            x, v, "'%s' is no modal body: load cases belong to parts of the section 'modal'", name);
    } else {
        tml_entry_unknown_name(x, v, "modal body", name, m->modals.at, m->modals.n,
                               sizeof *m->modals.at);
    }
    return NULL;
}

/* -1: reported. */
static int find_load(TmlEntry *x, const TmlPart *part, const char *name)
{
    const TmlValue *v = tml_value_find(x->value, "load");
    for (int l = 0; l < part->n_loads; ++l) {
        if (strcmp(part->load[l].name, name) == 0) {
            return l;
        }
    }
    if (part->n_loads == 0) {
        tml_entry_error(x, v,
                        "part '%s' has no load cases: add 'loads: {%s: ...}' to its description, "
                        "and reduce it again",
                        part->name, name);
    } else {
        tml_entry_unknown_name(x, v, "load case of the part", name, part->load, part->n_loads,
                               sizeof *part->load);
    }
    return -1;
}

/* Who takes the reaction; false: reported. */
static bool read_reaction(TmlEntry *x, const TmlModal *b, TmlEnd *end)
{
    const TmlValue *v = tml_value_find(x->value, "reaction");
    *end = tml_body_end(TML_GROUND, v3(0, 0, 0), m3_identity());
    if (v == NULL) {
        return true;
    }
    if (!tml_read_frame_ref(x, v, "reaction", end)) {
        return false;
    }
    if (end->body == b->body) {
        tml_entry_error(x, v, "reaction: the body itself cannot take it; name another body");
        return false;
    }
    return true;
}

static void modal_force_ends(TmlEntry *x, TmlForce *f)
{
    ModalForce *p = f->data;
    if (x->bad || p == NULL || p->body == NULL || p->load == NULL) {
        return;
    }
    const TmlModal *b = find_body(x, p->body);
    const int l = b != NULL ? find_load(x, b->part, p->load) : -1;
    TmlEnd *end = tml_reader_alloc(x->r, ENDS, sizeof *end);
    if (l < 0 || end == NULL || !read_reaction(x, b, &end[REACTION])) {
        return;
    }
    end[FRAME] = tml_body_end(b->body, v3(0, 0, 0), m3_identity());
    for (int k = PUSH; k <= TURN; ++k) {
        end[k] = end[FRAME];
        end[k].point = b->point0 + tml_modal_load_point(b, l) + (k - PUSH) + 1;
    }
    p->force = b->part->load[l].force;
    p->torque = b->part->load[l].torque;
    p->unit = b->load_unit[l];
    f->end = end;
    f->n_ends = ENDS;
}

static const TmlForceReading modal_force_reading = {.ends = modal_force_ends};

static const TmlParam modal_force_params[] = {
    {"body", TML_PARAM_STRING, TML_ANY, "", offsetof(ModalForce, body), NULL, "the modal body",
     NULL},
    {"load", TML_PARAM_STRING, TML_ANY, "", offsetof(ModalForce, load), NULL,
     "load case of its part, by name", NULL},
    {"scale", TML_PARAM_EXPR, TML_ANY, "", offsetof(ModalForce, scale), "1",
     "factor of the load case as an expression of the state", NULL},
    {"reaction", TML_PARAM_STRING, TML_ANY, "", offsetof(ModalForce, reaction), "",
     "body or frame that takes the reaction; default: the ground", NULL},
    {0},
};

TML_FORCE_TYPE(modal_force) = {
    .info = {.name = "modal_force",
             .text = "Load case of the part of a modal body, times an expression.",
             .data_size = sizeof(ModalForce),
             .params = modal_force_params,
             .example = "body: rod, load: gas, scale: 2e5*sin(10*time)"},
    .ends = TML_ENDS_MODAL,
    .n_f = modal_force_n_f,
    .f_binding = modal_force_f_binding,
    .reading = &modal_force_reading,
    .wrench = modal_force_wrench,
    .tangent = modal_force_tangent,
    .f_map = modal_force_f_map,
};
