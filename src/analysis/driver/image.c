/* analysis/driver/image.c - a sim is put at the last accepted state of another run of the same model.
 *
 * The sim was made as that of the other run: the same rows of constraints are left out, and the
 * same memory is there. What the image holds then takes the place of the start: positions,
 * velocities, accelerations, multipliers, states and their scales, variables, memory of elements,
 * events, the past of delays. The method starts afresh, and the account of the energy begins anew.
 */
#include "analysis/driver/image.h"

#include "analysis/driver/sim_internal.h"
#include "base/fail.h"

#include <string.h>

static TmlStatus same_length(const char *what, int has, int wants, TmlError *err)
{
    return has == wants ? TML_OK
                        : tml_fail(err, TML_E_ARGUMENT,
                                   "the state has %d %s, the model has %d: it is another model",
                                   has, what, wants);
}

static int count_pasts(const TmlSim *sim)
{
    return tml_system_is_delayed(sim->sys) ? sim->model->delays.n : 0;
}

static TmlStatus check_lengths(const TmlSim *sim, const TmlImage *i, TmlError *err)
{
    const TmlSystem *sys = sim->sys;
    const TmlDims *dim = tml_dims(sys);
    TML_TRY(same_length("coordinates", i->nq, dim->nq, err));
    TML_TRY(same_length("constraints", i->m_all, dim->m_all, err));
    TML_TRY(same_length("user states", i->nx, dim->nx, err));
    TML_TRY(same_length("variables", i->nv, dim->nv, err));
    TML_TRY(same_length("components of forces", i->nf, dim->nf, err));
    int n_memory;
    (void)tml_system_memory(sys, &n_memory);
    TML_TRY(same_length("values of memory", i->n_memory, n_memory, err));
    int n_scales;
    (void)tml_sim_scales_kept(sim, &n_scales);
    if (i->n_scales > 0) {
        TML_TRY(same_length("scales of states", i->n_scales, n_scales, err));
    }
    TML_TRY(same_length("events", i->n_events, sim->model->events.n, err));
    return same_length("delays", i->n_pasts, count_pasts(sim), err);
}

static void copy(double *to, const double *from, int n)
{
    if (n > 0) {
        memcpy(to, from, (size_t)n * sizeof *to);
    }
}

static TmlStatus restore_past(TmlPast *past, const TmlImagePast *from, TmlError *err)
{
    past->n = past->dropped = 0;
    for (int k = 0; k < from->n_pieces; ++k) {
        if (!tml_past_add(past, &from->piece[k])) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for the past of a delay");
        }
    }
    past->begun = from->begun;
    past->next = from->next;
    past->origin = from->origin;
    past->start = from->start;
    past->first = from->first;
    past->now = from->now;
    past->largest = from->largest;
    past->longest = from->longest;
    past->thinned = from->thinned;
    past->n_mesh = from->n_mesh;
    copy(past->mesh_t, from->mesh_t, TML_PAST_MESH);
    copy(past->mesh_y, from->mesh_y, TML_PAST_MESH);
    return TML_OK;
}

static void restore_state(TmlSystem *sys, const TmlImage *i, TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    s->t = i->t;
    copy(s->q, i->q, dim->nq);
    copy(s->v, i->v, dim->nq);
    copy(s->a, i->a, dim->nq);
    copy(s->lambda, i->lambda, dim->m_all);
    copy(s->X, i->X, dim->nx);
    copy(s->Xd, i->Xd, dim->nx);
    copy(s->V, i->V, dim->nv);
    copy(s->F, i->F, dim->nf);
    tml_system_set_memory(sys, i->memory);
    tml_system_hold_constants(sys, s);
}

TmlImage tml_sim_image(const TmlSim *sim)
{
    const TmlDims *dim = tml_dims(sim->sys);
    const TmlState *s = &sim->it.now;
    TmlImage i = {
        .t = s->t,
        .nq = dim->nq,
        .m_all = dim->m_all,
        .nx = dim->nx,
        .nv = dim->nv,
        .nf = dim->nf,
        .n_events = sim->model->events.n,
        .n_pasts = count_pasts(sim),
        .q = s->q,
        .v = s->v,
        .a = s->a,
        .lambda = s->lambda,
        .X = s->X,
        .Xd = s->Xd,
        .V = s->V,
        .F = s->F,
        .event = tml_sim_events_state(sim),
    };
    i.memory = tml_system_memory(sim->sys, &i.n_memory);
    i.scale = tml_sim_scales_kept(sim, &i.n_scales);
    i.acceleration = tml_sim_scales_acceleration(sim);
    i.n_kinks = tml_sim_delays_kinks(sim, &i.kink, &i.landed);
    return i;
}

TmlImagePast tml_sim_image_past(const TmlSim *sim, int k)
{
    const TmlPast *p = tml_system_past(sim->sys, k);
    TmlImagePast i = {
        .begun = p->begun,
        .next = p->next,
        .origin = p->origin,
        .start = p->start,
        .first = p->first,
        .now = p->now,
        .largest = p->largest,
        .longest = p->longest,
        .thinned = p->thinned,
        .n_mesh = p->n_mesh,
        .n_pieces = p->n - p->dropped,
        .piece = p->n > p->dropped ? p->piece + p->dropped : NULL,
    };
    copy(i.mesh_t, p->mesh_t, TML_PAST_MESH);
    copy(i.mesh_y, p->mesh_y, TML_PAST_MESH);
    return i;
}

TmlStatus tml_sim_restore(TmlSim *sim, const TmlImage *image, TmlError *err)
{
    TML_TRY(check_lengths(sim, image, err));
    if (!(image->t >= 0.0 && image->t < sim->end)) {
        return tml_fail(err, TML_E_ARGUMENT, "the state is at t = %.9g s, the run ends at %.9g s",
                        image->t, sim->end);
    }
    restore_state(sim->sys, image, &sim->it.now);
    for (int k = 0; k < image->n_pasts; ++k) {
        TML_TRY(restore_past(tml_system_past(sim->sys, k), &image->past[k], err));
    }
    tml_sim_events_restore(sim, image->n_events, image->event);
    TML_TRY(tml_sim_delays_restore(sim, image->n_kinks, image->kink, image->landed, err));
    sim->start = image->t;
    sim->goes_on = true;
    tml_sim_rows_begin(sim);
    if (image->n_scales > 0) {
        tml_sim_scales_restore(sim, image->scale, image->acceleration);
    } else {
        tml_sim_scales_start(sim);
    }
    return TML_OK;
}
