/* analysis/integrator/two_loop/coordinates_recursive.c - joint coordinates of a tree, see system/coordinates/tree.h. An open chain
 * has nothing to close; loops are closed by joint coordinates, see system/coordinates/cut.h. */
#include "analysis/integrator/two_loop/coordinates.h"

#include "base/fail.h"

#include <string.h>

static TmlStatus recursive_setup(TmlCoordinates *c, TmlIntegrator *it, TmlError *err)
{
    TML_TRY(tml_tree_create(it->sys, &c->tree, err));
    TML_TRY(tml_cut_create(c->tree, &it->now, &c->cut, err));
    c->nq = c->n = c->tree->n;
    for (int k = 0; k < 2; ++k) {
        TML_NEW(it->arena, c->y[k], 3 * (size_t)c->n + 1);
    }
    return TML_OK;
}

static void recursive_teardown(TmlCoordinates *c)
{
    tml_cut_free(c->cut);
    tml_tree_free(c->tree);
    c->cut = NULL;
    c->tree = NULL;
}

static TmlPoint recursive_point(TmlCoordinates *c, TmlState *s, int slot)
{
    double *y = c->y[slot];
    return (TmlPoint){s->t, y, y + c->n, y + 2 * (size_t)c->n, s->X, s->Xd};
}

static void recursive_read(TmlCoordinates *c, TmlState *s, TmlPoint *y)
{
    memset(y->q, 0, (size_t)c->n * sizeof *y->q);
    tml_tree_begin(c->tree, s);
    tml_tree_read_rates(c->tree, s, y->q, y->v);
    tml_tree_read_second(c->tree, s, y->q, y->v, y->a);
}

static TmlStatus recursive_choose(TmlCoordinates *c, const TmlState *s, const TmlPoint *y,
                                  TmlState *scratch, TmlError *err)
{
    tml_state_copy(c->sys, s, scratch);
    scratch->t = s->t;
    return tml_cut_choose(c->cut, y->q, scratch, err);
}

static int recursive_count(const TmlCoordinates *c)
{
    return tml_cut_count(c->cut);
}

static const int *recursive_index(const TmlCoordinates *c)
{
    return tml_cut_index(c->cut);
}

static bool recursive_worn(const TmlCoordinates *c)
{
    return tml_cut_worn(c->cut);
}

static double recursive_unit(const TmlCoordinates *c, int k)
{
    return c->tree->length[k] ? tml_dims(c->sys)->length : 1.0;
}

static const double *recursive_close_positions(TmlCoordinates *c, TmlState *s, TmlPoint *y)
{
    return tml_cut_positions(c->cut, y->q, s) ? tml_cut_moved(c->cut) : NULL;
}

static bool recursive_close_velocities(TmlCoordinates *c, TmlState *s, TmlPoint *y)
{
    return tml_cut_velocities(c->cut, y->v, s);
}

static void recursive_accelerations(TmlCoordinates *c, TmlState *s, TmlPoint *y)
{
    tml_tree_read_second(c->tree, s, y->q, y->v, y->a);
}

static void recursive_guess(TmlCoordinates *c, TmlState *s, const TmlPoint *y, const double *a)
{
    tml_tree_accelerations(c->tree, y->q, y->v, a, s);
}

static void recursive_reduce(const TmlCoordinates *c, const TmlPoint *y, const double *dq,
                             double *du)
{
    (void)y;
    memcpy(du, dq, (size_t)c->n * sizeof *du);
}

static void recursive_expand(const TmlCoordinates *c, const TmlPoint *y, const double *du,
                             double *dq)
{
    (void)y;
    memcpy(dq, du, (size_t)c->n * sizeof *dq);
}

static void recursive_retract(const TmlCoordinates *c, TmlPoint *y)
{
    (void)c; // every value of a joint coordinate is a position
    (void)y;
}

static void recursive_tangent(TmlCoordinates *c, double *du)
{
    tml_cut_tangent(c->cut, du);
}

static void recursive_to_bodies(TmlCoordinates *c, const TmlState *s, const double *du,
                                double *body)
{
    tml_tree_spread(c->tree, s, du, body);
}

static void recursive_from_bodies(TmlCoordinates *c, const TmlState *s, const TmlPoint *y,
                                  const double *body, double *du)
{
    tml_tree_gather(c->tree, s, y->q, body, du);
}

/* Rotation vectors count from the newest point when they have grown long; all points follow. */
static void recursive_settle(TmlCoordinates *c, TmlLowOrder *f)
{
    TmlVec3 base;
    int k = -1;
    while ((k = tml_tree_rebase(c->tree, f->history.past[0], k, &base)) >= 0) {
        const TmlTreeJoint *t = &c->tree->joint[k];
        const int x = t->x0 + t->n_along;
        for (int i = 0; i < f->history.points; ++i) {
            const TmlPoint p = tml_low_order_past(f, i);
            tml_tree_rotate(base, p.q + x, p.v + x, p.a + x);
        }
    }
}

const TmlCoordinatesType tml_coordinates_recursive = {
    .setup = recursive_setup,
    .teardown = recursive_teardown,
    .point = recursive_point,
    .read = recursive_read,
    .choose = recursive_choose,
    .count = recursive_count,
    .index = recursive_index,
    .worn = recursive_worn,
    .unit = recursive_unit,
    .close_positions = recursive_close_positions,
    .close_velocities = recursive_close_velocities,
    .accelerations = recursive_accelerations,
    .guess = recursive_guess,
    .reduce = recursive_reduce,
    .expand = recursive_expand,
    .retract = recursive_retract,
    .tangent = recursive_tangent,
    .to_bodies = recursive_to_bodies,
    .from_bodies = recursive_from_bodies,
    .settle = recursive_settle,
};
