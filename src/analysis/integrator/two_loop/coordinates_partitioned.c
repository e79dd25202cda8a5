/* analysis/integrator/two_loop/coordinates_partitioned.c - coordinates of the bodies, see system/coordinates/partition.h. */
#include "analysis/integrator/two_loop/coordinates.h"

#include <string.h>

static TmlStatus partitioned_setup(TmlCoordinates *c, TmlIntegrator *it, TmlError *err)
{
    const TmlDims *dim = tml_dims(it->sys);
    c->nq = dim->nq;
    c->n = dim->nu;
    return tml_partition_create(it->sys, &c->partition, err);
}

static void partitioned_teardown(TmlCoordinates *c)
{
    tml_partition_free(c->partition);
    c->partition = NULL;
}

static TmlPoint partitioned_point(TmlCoordinates *c, TmlState *s, int slot)
{
    (void)c;
    (void)slot;
    return (TmlPoint){s->t, s->q, s->v, s->a, s->X, s->Xd};
}

static void partitioned_read(TmlCoordinates *c, TmlState *s, TmlPoint *y)
{
    (void)c; // the point is the state
    (void)s;
    (void)y;
}

static TmlStatus partitioned_choose(TmlCoordinates *c, const TmlState *s, const TmlPoint *y,
                                    TmlState *scratch, TmlError *err)
{
    (void)y;
    (void)scratch;
    return tml_partition_choose(c->partition, s, err);
}

static int partitioned_count(const TmlCoordinates *c)
{
    return tml_partition_count(c->partition);
}

static const int *partitioned_index(const TmlCoordinates *c)
{
    return tml_partition_index(c->partition);
}

static bool partitioned_worn(const TmlCoordinates *c)
{
    return tml_partition_worn(c->partition);
}

static double partitioned_unit(const TmlCoordinates *c, int k)
{
    return tml_dims(c->sys)->unit[k];
}

static const double *partitioned_close_positions(TmlCoordinates *c, TmlState *s, TmlPoint *y)
{
    (void)y;
    return tml_partition_close_positions(c->partition, s) ? tml_partition_moved(c->partition)
                                                          : NULL;
}

static bool partitioned_close_velocities(TmlCoordinates *c, TmlState *s, TmlPoint *y)
{
    (void)y;
    return tml_partition_close_velocities(c->partition, s);
}

static void partitioned_accelerations(TmlCoordinates *c, TmlState *s, TmlPoint *y)
{
    (void)c;
    (void)s;
    (void)y;
}

static void partitioned_guess(TmlCoordinates *c, TmlState *s, const TmlPoint *y, const double *a)
{
    (void)y;
    memcpy(s->a, a, (size_t)c->nq * sizeof *a);
}

static void partitioned_reduce(const TmlCoordinates *c, const TmlPoint *y, const double *dq,
                               double *du)
{
    tml_system_reduce(c->sys, y->q, dq, du);
}

static void partitioned_expand(const TmlCoordinates *c, const TmlPoint *y, const double *du,
                               double *dq)
{
    tml_system_expand(c->sys, y->q, du, dq);
}

static void partitioned_retract(const TmlCoordinates *c, TmlPoint *y)
{
    tml_system_retract(c->sys, y->q);
}

static void partitioned_tangent(TmlCoordinates *c, double *du)
{
    tml_partition_tangent(c->partition, du);
}

static void partitioned_to_bodies(TmlCoordinates *c, const TmlState *s, const double *du,
                                  double *body)
{
    (void)s;
    memcpy(body, du, (size_t)c->n * sizeof *body);
}

static void partitioned_from_bodies(TmlCoordinates *c, const TmlState *s, const TmlPoint *y,
                                    const double *body, double *du)
{
    (void)s;
    (void)y;
    memcpy(du, body, (size_t)c->n * sizeof *du);
}

const TmlCoordinatesType tml_coordinates_partitioned = {
    .of_bodies = true,
    .setup = partitioned_setup,
    .teardown = partitioned_teardown,
    .point = partitioned_point,
    .read = partitioned_read,
    .choose = partitioned_choose,
    .count = partitioned_count,
    .index = partitioned_index,
    .worn = partitioned_worn,
    .unit = partitioned_unit,
    .close_positions = partitioned_close_positions,
    .close_velocities = partitioned_close_velocities,
    .accelerations = partitioned_accelerations,
    .guess = partitioned_guess,
    .reduce = partitioned_reduce,
    .expand = partitioned_expand,
    .retract = partitioned_retract,
    .tangent = partitioned_tangent,
    .to_bodies = partitioned_to_bodies,
    .from_bodies = partitioned_from_bodies,
};
