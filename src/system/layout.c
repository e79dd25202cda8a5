/* system/layout.c - where every coordinate, row, end and memory value lives. */
#include "system/consistent/row_motion.h"
#include "system/contact/touching.h"
#include "system/flexible/flex.h"
#include "system/modal/modal_bodies.h"
#include "system/redundancy/share.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "model/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Sets the offsets of bodies, rows and force unknowns. */
static TmlStatus layout_count(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    sys->dim.nb = m->bodies.n;
    TmlBodySpan *span;
    TML_NEW(&sys->arena, span, sys->dim.nb + 1);
    sys->dim.span = span;
    for (int b = 0; b < sys->dim.nb; ++b) {
        const TmlBodyType *type = m->bodies.at[b].type;
        span[b] = (TmlBodySpan){
            .q0 = sys->dim.nq,
            .nq = type->nq,
            .u0 = sys->dim.nu,
            .nu = type->nu,
            .lengths = type->lengths,
            .scalars = type->scalars,
            .owner = type->hidden ? m->bodies.at[b].owner : b,
        };
        sys->dim.nq += type->nq;
        sys->dim.nu += type->nu;
    }
    span[sys->dim.nb] = (TmlBodySpan){.q0 = sys->dim.nq, .u0 = sys->dim.nu};
    TML_NEW(&sys->arena, sys->constraint, m->constraints.n);
    TML_NEW(&sys->arena, sys->force, m->forces.n);
    TML_NEW(&sys->arena, sys->pfaffian, m->constraints.n);
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        sys->constraint[c] = (TmlSlot){sys->n_ends, sys->dim.m_all, sys->n_memory};
        sys->pfaffian[c] = con->type->pfaffian_rows != NULL ? con->type->pfaffian_rows(con->data)
                                                            : con->type->pfaffian;
        sys->n_ends += con->n_ends;
        sys->dim.m_all += con->type->rows;
        sys->n_memory += con->type->n_memory;
    }
    for (int f = 0; f < m->forces.n; ++f) {
        const TmlForce *force = &m->forces.at[f];
        sys->force[f] = (TmlSlot){sys->n_ends, sys->dim.nf, sys->n_memory};
        sys->n_ends += force->n_ends;
        sys->dim.nf += force->n_f;
        sys->n_memory += force->type->n_memory;
    }
    TML_TRY(tml_touching_setup(sys, err));
    sys->dim.nx = m->states.n;
    sys->dim.nv = m->variables.n;
    sys->dim.m = sys->dim.m_all;
    return TML_OK;
}

/* Returns the place of an unknown in TmlState.data, or -1 - k for the k-th of model->places
 * and, behind these, of model->contact_values, and of the rates of bristles. */
static int unknown_offset(const TmlSystem *sys, const TmlUnknown *u)
{
    const int lambda0 = 3 * sys->dim.nq, x0 = lambda0 + sys->dim.m_all, v0 = x0 + 2 * sys->dim.nx;
    switch (u->kind) {
    case TML_UNKNOWN_LAMBDA:
        return lambda0 + sys->constraint[u->index].row0 + u->row;
    case TML_UNKNOWN_X:
        return x0 + u->index;
    case TML_UNKNOWN_XDOT:
        return x0 + sys->dim.nx + u->index;
    case TML_UNKNOWN_V:
        return v0 + u->index;
    case TML_UNKNOWN_PLACE:
        return -1 - u->index;
    case TML_UNKNOWN_CONTACT:
        return -1 - sys->model->places.n - u->index;
    case TML_UNKNOWN_BRISTLE:
        return -1 - sys->model->places.n - sys->model->contact_values.n - u->index;
    case TML_UNKNOWN_F:
    default:
        return v0 + sys->dim.nv + sys->force[u->index].row0 + u->row;
    }
}

static int unknown_column(const TmlSystem *sys, const TmlUnknown *u)
{
    const int x0 = sys->dim.nu + sys->dim.m, v0 = x0 + sys->dim.nx;
    switch (u->kind) {
    case TML_UNKNOWN_LAMBDA: {
        const int k = sys->row_unknown[sys->constraint[u->index].row0 + u->row];
        return k >= 0 ? sys->dim.nu + k : -1;
    }
    case TML_UNKNOWN_X:
    case TML_UNKNOWN_XDOT:
        return x0 + u->index;
    case TML_UNKNOWN_V:
        return v0 + u->index;
    case TML_UNKNOWN_PLACE:
    case TML_UNKNOWN_CONTACT:
    case TML_UNKNOWN_BRISTLE:
        return -1;
    case TML_UNKNOWN_F:
    default:
        return v0 + sys->dim.nv + sys->force[u->index].row0 + u->row;
    }
}

static TmlStatus equation_init(TmlSystem *sys, const TmlBinding *b, TmlEquation *eq, TmlError *err)
{
    *eq = (TmlEquation){.binding = b, .end0 = sys->n_ends, .memory0 = sys->n_memory};
    TML_NEW(&sys->arena, eq->offset, b->n_unknowns);
    TML_NEW(&sys->arena, eq->column, b->n_unknowns);
    TML_NEW(&sys->arena, eq->is_state, b->n_unknowns);
    for (int k = 0; k < b->n_unknowns; ++k) {
        eq->offset[k] = unknown_offset(sys, &b->unknown[k]);
        eq->is_state[k] = b->unknown[k].kind == TML_UNKNOWN_X;
    }
    sys->n_ends += b->n_ends;
    sys->n_memory += b->n_memory;
    return TML_OK;
}

/* Lists states, variables and forces in this order, then output channels. */
static TmlStatus layout_equations(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    TmlEquation *eq;
    TML_NEW(&sys->arena, sys->equation, sys->dim.nx + sys->dim.nv + sys->dim.nf);
    TML_NEW(&sys->arena, sys->channel, m->channels.n + m->probes.n);
    eq = sys->equation;
    for (int k = 0; k < sys->dim.nx; ++k) {
        TML_TRY(equation_init(sys, m->states.at[k].binding, eq++, err));
    }
    TML_NEW(&sys->arena, sys->held, sys->dim.nv);
    for (int k = 0; k < sys->dim.nv; ++k) {
        TML_TRY(equation_init(sys, m->variables.at[k].binding, eq++, err));
    }
    for (int f = 0; f < m->forces.n; ++f) {
        for (int k = 0; k < m->forces.at[f].n_f; ++k) {
            TML_TRY(equation_init(sys, m->forces.at[f].f[k], eq++, err));
        }
    }
    sys->n_ends_loop = sys->n_ends;
    for (int k = 0; k < m->channels.n; ++k) {
        TML_TRY(equation_init(sys, m->channels.at[k].binding, &sys->channel[k], err));
    }
    for (int k = 0; k < m->probes.n; ++k) {
        TmlEquation *probe = &sys->channel[m->channels.n + k];
        TML_TRY(equation_init(sys, m->probes.at[k].binding, probe, err));
    }
    return TML_OK;
}

static void ends_fill(TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        for (int k = 0; k < con->n_ends; ++k) {
            sys->end[sys->constraint[c].end0 + k] = con->end[k];
        }
    }
    for (int f = 0; f < m->forces.n; ++f) {
        const TmlForce *force = &m->forces.at[f];
        for (int k = 0; k < force->n_ends; ++k) {
            sys->end[sys->force[f].end0 + k] = force->end[k];
        }
    }
    tml_touching_fill_ends(sys);
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf + m->channels.n + m->probes.n;
         ++k) {
        const int n_loop = sys->dim.nx + sys->dim.nv + sys->dim.nf;
        const TmlEquation *eq = k < n_loop ? &sys->equation[k] : &sys->channel[k - n_loop];
        for (int e = 0; e < eq->binding->n_ends; ++e) {
            sys->end[eq->end0 + e] = eq->binding->end[e];
        }
    }
}

/* Returns how much scratch elements need: the most that any element or expression asks for. */
static size_t work_size(const TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    size_t size = 64;
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        size = larger(size, con->type->work != NULL ? con->type->work(con->data) : 0);
    }
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        size = larger(size, sys->equation[k].binding->work);
    }
    for (int k = 0; k < m->channels.n; ++k) {
        size = larger(size, m->channels.at[k].binding->work);
    }
    for (int k = 0; k < m->probes.n; ++k) {
        size = larger(size, m->probes.at[k].binding->work);
    }
    for (int k = 0; k < m->meshes.n; ++k) {
        const TmlFlexLoad *load = m->meshes.at[k].load;
        for (int i = 0; load != NULL && i < 3 * load->sets; ++i) {
            size = larger(size, load->force[i]->work);
        }
    }
    for (int k = 0; k < 3; ++k) {
        size = larger(size, m->gravity_at[k] != NULL ? m->gravity_at[k]->work : 0);
    }
    return size;
}

/* Room for whatever has a value for each column of an end. */
static TmlStatus ends_room_setup(TmlSystem *sys, TmlError *err)
{
    const size_t stride = (size_t)sys->stride;
    for (int k = 0; k < 2; ++k) {
        TML_NEW(&sys->arena, sys->room.map[k].P, 6 * stride);
        TML_NEW(&sys->arena, sys->room.map[k].W, 6 * stride);
        TML_NEW(&sys->arena, sys->room.map[k].B, 6 * stride);
        TML_NEW(&sys->arena, sys->room.row[k], stride);
    }
    TML_NEW(&sys->arena, sys->room.X, 6 * stride);
    TML_NEW(&sys->arena, sys->room.block, stride * stride);
    TML_NEW(&sys->arena, sys->room.rows, TML_MAX_ROWS * stride);
    return sys->touching != NULL ? tml_touching_room(sys, err) : TML_OK;
}

/* Makes room for the constraint with the most rows times ends. */
static TmlStatus room_setup(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    size_t most = 1;
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        most = larger(most, (size_t)con->type->rows * (size_t)con->n_ends);
    }
    TML_NEW(&sys->arena, sys->room.J, most);
    TML_NEW(&sys->arena, sys->room.D, most);
    TML_NEW(&sys->arena, sys->room.Gm, most);
    TML_NEW(&sys->arena, sys->room.Gv, most);
    TML_NEW(&sys->arena, sys->room.Ju, most * (size_t)sys->stride);
    return ends_room_setup(sys, err);
}

/* Returns the largest distance of a node from the first of its flexible body. */
static double flexible_length(const TmlModel *m)
{
    double length = 0.0;
    for (int k = 0; k < m->meshes.n; ++k) {
        const TmlMesh *mesh = &m->meshes.at[k];
        TmlVec3 first, r, rate;
        tml_flex_initial_vector(m, &mesh->vector[0], &first, &rate);
        for (int i = 1; i < mesh->n_nodes; ++i) {
            tml_flex_initial_vector(m, &mesh->vector[i * mesh->type->vectors], &r, &rate);
            length = fmax(length, v3_norm(v3_sub(r, first)));
        }
    }
    return length;
}

/* Tells whether an end lies somewhere in space: the place along a path is one number, and gradients
 * of nodes have no unit, so that distances from them would depend on origin and units. */
static bool in_space(const TmlModel *m, const TmlEnd *end)
{
    const TmlBodyType *type = m->bodies.at[end->body].type;
    return !type->hidden || type->lengths > 1;
}

/* Returns the distance of two places; 0 when it is no more than their rounding, which is no size of anything. */
static double distance(TmlVec3 a, TmlVec3 b)
{
    const double d = v3_norm(v3_sub(b, a));
    return d > 1e-14 * (v3_norm(a) + v3_norm(b)) ? d : 0.0;
}

/* Returns the largest distance from the first end in space to others. */
static double ends_length(const TmlModel *m, const TmlEnd *end, int n)
{
    double length = 0.0;
    int first = 0;
    while (first < n && !in_space(m, &end[first])) {
        ++first;
    }
    for (int k = first + 1; k < n; ++k) {
        if (in_space(m, &end[k])) {
            const TmlFrameKin a = tml_model_initial_kin(m, &end[first]);
            const TmlFrameKin b = tml_model_initial_kin(m, &end[k]);
            length = fmax(length, distance(a.r, b.r));
        }
    }
    return length;
}

/* Returns the largest distance within a body or an element at the initial state, which is the size
 * that tolerances are relative to. The ends of a joint on the curve of a flexible body (`arrow`)
 * are no places: they are vectors of its nodes, and directions of what these are clamped to; the
 * body itself counts. */
static double model_length(const TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    double length = 0.0;
    for (int k = 0, c = 0; k < sys->n_ends_loop; ++k) {
        const TmlEnd *end = &sys->end[k];
        while (c < m->constraints.n && k >= sys->constraint[c].end0 + m->constraints.at[c].n_ends) {
            ++c;
        }
        const bool curve = c < m->constraints.n && k >= sys->constraint[c].end0 &&
                           m->constraints.at[c].type->arrow;
        if (end->body != TML_GROUND && !curve) {
            length = fmax(length, v3_norm(end->s_b));
        }
    }
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        if (!con->type->arrow) {
            length = fmax(length, ends_length(m, con->end, con->n_ends));
        }
    }
    for (int f = 0; f < m->forces.n && length == 0.0; ++f) {
        length = ends_length(m, m->forces.at[f].end, m->forces.at[f].n_ends);
    }
    for (int k = 0; k < m->modals.n; ++k) {
        length = fmax(length, m->modals.at[k].part->size);
    }
    return fmax(length, flexible_length(m));
}

void tml_system_set_length(TmlSystem *sys, double length)
{
    sys->dim.length = length;
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int lengths = sys->dim.span[b].lengths;
        for (int k = sys->dim.span[b].u0; k < sys->dim.span[b + 1].u0; ++k) {
            sys->unit[k] = k - sys->dim.span[b].u0 < lengths ? length : 1.0;
        }
        for (int k = sys->dim.span[b].q0; k < sys->dim.span[b + 1].q0; ++k) {
            sys->unit_q[k] = k - sys->dim.span[b].q0 < lengths ? length : 1.0;
        }
    }
}

/* Sets the radius of gyration of the heaviest body, for models without joints, and the mean mass of
 * the bodies. */
static void model_scales(TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    double q[TML_BODY_MAX_NQ], v[TML_BODY_MAX_NQ], M[TML_BODY_MAX_NU * TML_BODY_MAX_NU];
    double mass = 0.0, radius = 0.0;
    for (int b = 1; b < sys->dim.nb; ++b) {
        const TmlBody *body = &m->bodies.at[b];
        const int nu = body->type->nu;
        TmlBodyKin kin;
        if (nu == 0) {
            continue; // stands for a flexible body
        }
        body->type->initial(body, q, v);
        const TmlBodyIn in = {.data = body->data, .q = q, .v = v};
        body->type->kin(&in, &kin);
        body->type->mass(&in, &kin, M);
        mass += M[0];
        if (nu == 6 && M[0] > 0.0) {
            radius = fmax(radius, sqrt((M[21] + M[28] + M[35]) / (3.0 * M[0])));
        }
    }
    int bodies = 0;
    for (int b = 1; b < sys->dim.nb; ++b) {
        bodies += m->bodies.at[b].type->hidden ? 0 : 1;
    }
    if (sys->flex != NULL) {
        tml_flex_mass_diagonal(sys, sys->scratch, &mass);
    }
    if (sys->modal != NULL) {
        tml_modal_mass_diagonal(sys, sys->scratch, &mass);
    }
    sys->dim.mass = mass > 0.0 ? mass / fmax(1.0, bodies) : 1.0;
    const double length = model_length(sys);
    tml_system_set_length(sys, length > 0.0 ? length : radius > 0.0 ? radius : 1.0);
}

static void columns_fill(TmlSystem *sys)
{
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        TmlEquation *eq = &sys->equation[k];
        for (int u = 0; u < eq->binding->n_unknowns; ++u) {
            eq->column[u] = unknown_column(sys, &eq->binding->unknown[u]);
        }
    }
}

void tml_system_number_rows(TmlSystem *sys, const bool *active)
{
    sys->dim.m = 0;
    for (int k = 0; k < sys->dim.m_all; ++k) {
        sys->row_unknown[k] = active == NULL || active[k] ? sys->dim.m++ : -1;
    }
    sys->dim.n = sys->dim.nu + sys->dim.m + sys->dim.nx + sys->dim.nv + sys->dim.nf;
    columns_fill(sys);
}

static TmlStatus system_fill(TmlSystem *sys, TmlError *err)
{
    TML_TRY(layout_count(sys, err));
    TML_TRY(layout_equations(sys, err));
    TML_NEW(&sys->arena, sys->end, sys->n_ends);
    TML_NEW(&sys->arena, sys->kin, sys->n_ends);
    TML_NEW(&sys->arena, sys->wrench, sys->n_ends_loop);
    TML_NEW(&sys->arena, sys->body, sys->dim.nb);
    TML_NEW(&sys->arena, sys->memory, sys->n_memory);
    TML_NEW(&sys->arena, sys->inverse_mass, sys->dim.nu);
    TML_NEW(&sys->arena, sys->unit, sys->dim.nu);
    TML_NEW(&sys->arena, sys->unit_q, sys->dim.nq);
    sys->dim.unit = sys->unit;
    sys->dim.unit_q = sys->unit_q;
    TML_NEW(&sys->arena, sys->row_unknown, sys->dim.m_all);
    TML_NEW(&sys->arena, sys->row_owner, sys->dim.m_all);
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        for (int k = 0; k < sys->model->constraints.at[c].type->rows; ++k) {
            sys->row_owner[sys->constraint[c].row0 + k] = c;
        }
    }
    TML_NEW(&sys->arena, sys->work, work_size(sys));
    sys->dim.size = 3 * sys->dim.nq + sys->dim.m_all + 2 * sys->dim.nx + sys->dim.nv + sys->dim.nf;
    TML_NEW(&sys->arena, sys->scratch,
            sys->dim.size + sys->dim.nu + sys->dim.m_all + sys->dim.nx + sys->dim.nv + sys->dim.nf);
    tml_system_set_span(sys, -HUGE_VAL, HUGE_VAL);
    sys->regularisation = TML_REGULARISATION;
    sys->linear_unknowns = sys->dim.nx + sys->dim.nv + sys->dim.nf == 0;
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        sys->reads_acceleration |= sys->equation[k].binding->uses_acceleration;
    }
    ends_fill(sys);
    TML_TRY(tml_ends_setup(sys, err));
    TML_TRY(tml_row_motion_setup(sys, err));
    TML_TRY(room_setup(sys, err));
    model_scales(sys);
    tml_system_number_rows(sys, NULL);
    return tml_system_settle_setup(sys, err);
}

TmlStatus tml_system_create(const TmlModel *model, int threads, TmlSystem **out, TmlError *err)
{
    *out = NULL;
    TmlSystem *sys = tml_mem_zalloc(1, sizeof *sys);
    if (sys == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    sys->model = model;
    sys->threads = threads;
    sys->solver[TML_FACTORS_STEP] = sys->solver[TML_FACTORS_STAGE] = TML_SOLVER_DIRECT;
    const TmlStatus status = system_fill(sys, err);
    if (status != TML_OK) {
        tml_system_free(sys);
        return status;
    }
    *out = sys;
    return TML_OK;
}

void tml_system_free(TmlSystem *sys)
{
    if (sys != NULL) {
        tml_flex_free(sys);
        tml_touching_free(sys);
        tml_share_free(sys);
        tml_closure_free(sys);
        tml_system_past_free(sys);
        tml_system_free_matrices(sys);
        tml_arena_free(&sys->arena);
        tml_mem_free(sys);
    }
}

TmlStatus tml_state_create(TmlSystem *sys, TmlState *out, TmlError *err)
{
    return tml_state_create_in(sys, &sys->arena, out, err);
}

TmlStatus tml_state_create_in(const TmlSystem *sys, TmlArena *arena, TmlState *out, TmlError *err)
{
    double *p;
    TML_NEW(arena, p, sys->dim.size);
    *out = (TmlState){.data = p};
    out->q = p;
    out->v = out->q + sys->dim.nq;
    out->a = out->v + sys->dim.nq;
    out->lambda = out->a + sys->dim.nq;
    out->X = out->lambda + sys->dim.m_all;
    out->Xd = out->X + sys->dim.nx;
    out->V = out->Xd + sys->dim.nx;
    out->F = out->V + sys->dim.nv;
    return TML_OK;
}

void tml_state_copy(const TmlSystem *sys, const TmlState *from, TmlState *to)
{
    to->t = from->t;
    to->still = from->still;
    to->adjusts = from->adjusts;
    to->alone = from->alone;
    memcpy(to->data, from->data, (size_t)sys->dim.size * sizeof *to->data);
}

void tml_system_initial(const TmlSystem *sys, TmlState *s)
{
    const TmlModel *m = sys->model;
    s->t = 0.0;
    s->still = s->adjusts = s->alone = false;
    for (int b = 0; b < sys->dim.nb; ++b) {
        const TmlBody *body = &m->bodies.at[b];
        body->type->initial(body, s->q + sys->dim.span[b].q0, s->v + sys->dim.span[b].q0);
    }
    for (int k = 0; k < sys->dim.nx; ++k) {
        s->X[k] = m->states.at[k].initial;
        s->Xd[k] = m->states.at[k].initial_rate;
    }
    for (int k = 0; k < sys->dim.nv; ++k) {
        s->V[k] = m->variables.at[k].initial;
    }
}

void tml_system_hold_constants(TmlSystem *sys, const TmlState *s)
{
    for (int k = 0; k < sys->dim.nv; ++k) {
        sys->held[k] = s->V[k];
    }
}

/* --- names for messages -------------------------------------------------------------------- */

void tml_system_row_name(const TmlSystem *sys, int row, char *text, size_t size)
{
    const TmlModel *m = sys->model;
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        const int k = row - sys->constraint[c].row0;
        if (k >= 0 && k < con->type->rows) {
            snprintf(text, size, "joint '%s' (%s): %s", con->name, con->type->info.name,
                     con->type->row_names != NULL ? con->type->row_names[k] : "its equation");
            return;
        }
    }
    snprintf(text, size, "constraint row %d", row);
}

static void acceleration_name(const TmlSystem *sys, int k, char *text, size_t size)
{
    static const char *const what[] = {"translation along x", "translation along y",
                                       "translation along z", "rotation about x",
                                       "rotation about y",    "rotation about z"};
    int b = 0;
    while (b + 1 < sys->dim.nb && sys->dim.span[b + 1].u0 <= k) {
        ++b;
    }
    const int i = k - sys->dim.span[b].u0;
    if (tml_modal_coordinate_name(sys, b, i, text, size) ||
        tml_flex_coordinate_name(sys, b, i, text, size)) {
        return;
    }
    snprintf(text, size, "body '%s': %s", sys->model->bodies.at[b].name,
             i < 6 ? what[i] : "a coordinate");
}

void tml_system_unknown_name(const TmlSystem *sys, int k, char *text, size_t size)
{
    const TmlModel *m = sys->model;
    if (k < sys->dim.nu) {
        acceleration_name(sys, k, text, size);
        return;
    }
    k -= sys->dim.nu;
    if (k < sys->dim.m) {
        for (int row = 0; row < sys->dim.m_all; ++row) {
            if (sys->row_unknown[row] == k) {
                tml_system_row_name(sys, row, text, size);
                return;
            }
        }
    }
    k -= sys->dim.m;
    if (k < sys->dim.nx) {
        snprintf(text, size, "state '%s'", m->states.at[k].name);
    } else if (k < sys->dim.nx + sys->dim.nv) {
        snprintf(text, size, "variable '%s'", m->variables.at[k - sys->dim.nx].name);
    } else {
        const int f = k - sys->dim.nx - sys->dim.nv;
        for (int i = 0; i < m->forces.n; ++i) {
            if (f >= sys->force[i].row0 && f < sys->force[i].row0 + m->forces.at[i].n_f) {
                snprintf(text, size, "force '%s'", m->forces.at[i].name);
                return;
            }
        }
        snprintf(text, size, "unknown %d", k);
    }
}
