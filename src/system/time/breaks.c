/* system/time/breaks.c - times at which expressions have kinks or jumps, and the sides of these.
 *
 * A step that ends on a jump at t_b must see the values from before it, and the next one those from
 * behind. Both evaluate at t = t_b. Expressions are therefore shown a time inside of the span
 * between two breaks:
 *
 *   (K1)  from + d <= t <= until - d,   d = a few units in the last place of the time
 *
 * which is the limit from that side but for d times the rate of the value, its rounding. d covers
 * the rounding of expressions such as (10*time - 5)/3 that decide on which side they are.
 */
#include "model/flexible/flexible.h"
#include "system/system_internal.h"

#include <math.h>
#include <string.h>

/* Finds the next break of the expressions in the data of a constraint. */
static double constraint_break(const TmlConstraint *con, double t, double slack)
{
    double next = HUGE_VAL;
    for (const TmlParam *p = con->type->info.params; p != NULL && p->name != NULL; ++p) {
        const TmlBinding *b = NULL;
        if (p->kind == TML_PARAM_EXPR) {
            memcpy(&b, (const char *)con->data + p->offset, sizeof b);
        }
        next = b != NULL ? fmin(next, tml_expr_next_break(b->expr, t, slack)) : next;
    }
    return next;
}

double tml_system_next_break(const TmlSystem *sys, double t, double slack)
{
    const TmlModel *m = sys->model;
    double next = HUGE_VAL;
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        next = fmin(next, tml_expr_next_break(sys->equation[k].binding->expr, t, slack));
    }
    for (int c = 0; c < m->constraints.n; ++c) {
        next = fmin(next, constraint_break(&m->constraints.at[c], t, slack));
    }
    for (int k = 0; k < m->meshes.n; ++k) {
        const TmlFlexLoad *load = m->meshes.at[k].load;
        for (int i = 0; load != NULL && i < 3 * load->sets; ++i) {
            next = fmin(next, tml_expr_next_break(load->force[i]->expr, t, slack));
        }
    }
    for (int k = 0; k < 3 && m->gravity_at[0] != NULL; ++k) {
        next = fmin(next, tml_expr_next_break(m->gravity_at[k]->expr, t, slack));
    }
    return next;
}

void tml_system_set_span(TmlSystem *sys, double earliest, double latest)
{
    sys->earliest = earliest;
    sys->latest = fmax(earliest, latest); // breaks may be closer to each other than d
}
