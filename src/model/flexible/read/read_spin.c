/* model/flexible/read/read_spin.c - joints that need more of a cable than its elements have.
 *
 * Points of elements without r_y follow the tangent but have no spin about it. A joint that holds
 * their rotation, or a point beside the axis, is an error: its rows at the initial state say so.
 */
#include "math/vec3.h"
#include "model/flexible/flexible.h"
#include "model/read/read.h"

static bool has_spin(const TmlModel *m, const TmlEnd *end)
{
    return end->point == 0 || m->points.at[end->point - 1].axes != TML_TRIAD_LEAST;
}

/* Whether a row turns with the end, or pulls beside its axis; rows are of order one. */
static bool row_needs_spin(const TmlRow *row, const TmlEnd *end)
{
    const double tiny = 1e-9; // offsets are rounding when the joint lies on the axis
    return v3_norm(row->theta) > tiny || (v3_norm(row->r) > tiny && v3_norm(end->s_b) > tiny);
}

/* What to do instead depends on why there is no rotation. */
static void tell(TmlEntry *x, const TmlModel *m, const TmlConstraint *c, const TmlEnd *end)
{
    const TmlFlexPoint *p = &m->points.at[end->point - 1];
    if (p->flex < 0) {
        tml_entry_error(x, x->key,
                        "(%s) holds the rotation of '%s', or a point beside it, at a frame that is "
                        "a single node of a solid; "
                        "give the part an interface there (tie: rigid or average)",
                        c->type->info.name, m->bodies.at[end->body].name);
        return;
    }
    tml_entry_error(x, x->key,
                    "(%s) holds the rotation of '%s', or a point beside its axis; its "
                    "elements have no spin about their axis. Join points on the axis "
                    "(spherical, distance, point_on_line), clamp its end to a body "
                    "(start or end: {clamp: ...}) and join that, or use the type beam",
                    c->type->info.name, m->bodies.at[end->body].name);
}

void tml_check_spin(TmlElement *element)
{
    TmlEntry *x = &element->x;
    const TmlModel *m = x->r->m;
    const TmlConstraint *c = &m->constraints.at[element->index];
    TmlFrameKin e[TML_MAX_ENDS];
    TmlRow J[TML_MAX_ROWS * TML_MAX_ENDS];
    bool all_spin = true;
    if (c->n_ends > TML_MAX_ENDS) {
        return; // a point on a curve, which holds no rotation
    }
    for (int k = 0; k < c->n_ends; ++k) {
        all_spin = all_spin && has_spin(m, &c->end[k]);
        e[k] = tml_model_initial_kin(m, &c->end[k]);
    }
    if (all_spin) {
        return;
    }
    const size_t work = c->type->work != NULL ? c->type->work(c->data) : 0;
    double *scratch = tml_reader_alloc(x->r, work + 1, sizeof *scratch);
    double *memory = tml_reader_alloc(x->r, (size_t)c->type->n_memory + 1, sizeof *memory);
    if (scratch == NULL || memory == NULL) {
        return;
    }
    const TmlElementIn in = {
        .data = c->data, .e = e, .n_ends = c->n_ends, .memory = memory, .work = scratch};
    c->type->jacobian(&in, J);
    for (int k = 0; k < c->type->rows * c->n_ends; ++k) {
        const TmlEnd *end = &c->end[k % c->n_ends];
        if (!has_spin(m, end) && row_needs_spin(&J[k], end)) {
            tell(x, m, c, end);
            return;
        }
    }
}
