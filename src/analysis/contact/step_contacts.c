/* analysis/contact/step_contacts.c - steps and contacts.
 *
 * A step that begins in the air and ends in the floor fails: forces set in that its formulas know nothing
 * of. Where an onset lies is known beforehand, from gaps, their rates and accelerations
 * (system/contact/onset.c). Steps end there, the method starts afresh, and its first step is one whose error
 * in the force that sets in is allowed.
 */
#include "analysis/contact/step_contacts.h"

#include "analysis/driver/sim_internal.h"

#include <math.h>

/* Onsets nearer than this part of a step are passed, not landed on; those beyond its end by less are too. */
static const double sliver = 1e-3;
/* Bodies may move by this part of their size at least before near pairs are looked for again. */
static const double part_of_size = 0.02;
/* Steps that land on an onset aim at this part of the allowed error behind it: a force that jumps there is in
 * the accelerations with which the method starts afresh. */
static const double depth = 0.01;
/* The first step in contact aims at this part of the allowed error, as other steps do. */
static const double aim = 6.0;
/* Parts of the time to a release that steps take before it, of methods that remember earlier steps and of others. */
static const double part_remembering = 0.25, part_alone = 0.875;

static TmlStatus renew(TmlSim *sim, double h, bool *anew, TmlError *err)
{
    TML_TRY(tml_system_touching_renew(sim->sys, h, part_of_size, anew, err));
    if (!*anew) {
        return TML_OK;
    }
    const TmlSystemStats stats = tml_system_stats(sim->sys);
    TML_TRY(tml_system_renew_pattern(sim->sys, err));
    tml_system_set_stats(sim->sys, stats); // building does not count
    if (sim->type->other_matrices != NULL) {
        sim->type->other_matrices(&sim->it);
        tml_system_kinematics(sim->sys, &sim->it.now, false); // building was elsewhere
        *anew = false;
        return TML_OK;
    }
    if (sim->type->teardown != NULL) {
        sim->type->teardown(&sim->it);
    }
    return tml_sim_setup_method(sim, err);
}

/* Velocities of methods of order two are off by more than their tolerance anyway. What a method remembers of a force as d^n must not
 * come from where that was smooth. */
static TmlOnsetBounds bounds(const TmlSim *sim, double h)
{
    const TmlNorm *norm = &sim->it.norm;
    return (TmlOnsetBounds){
        .to = depth * norm->translation,
        .allowed = norm->translation / aim,
        .swift = sim->type->order > 2 ? norm->translation * norm->rate / aim : HUGE_VAL,
        .part = sim->type->remembers ? part_remembering : part_alone,
        .horizon = h * (1.0 + sliver),
    };
}

TmlStatus tml_sim_contacts_fit(TmlSim *sim, double *h, bool *anew, TmlError *err)
{
    *anew = false;
    sim->contacts.landing = sim->contacts.located = sim->contacts.released = false;
    sim->contacts.beyond = sim->contacts.parting = false;
    if (!tml_system_touches(sim->sys)) {
        return TML_OK;
    }
    tml_system_kinematics(sim->sys, &sim->it.now, false);
    tml_system_open_sides(sim->sys, tml_sim_contacts_miss(sim));
    if (!tml_system_touching_holds(sim->sys, *h)) {
        TML_TRY(renew(sim, *h, anew, err));
        if (*anew) {
            return TML_OK;
        }
    }
    if (sim->control.fixed > 0.0) {
        return TML_OK;
    }
    double release;
    const TmlOnsetBounds b = bounds(sim, *h);
    const double onset = tml_system_next_onset(sim->sys, &b, &release);
    if (onset > sliver * *h && onset < *h * (1.0 + sliver)) {
        sim->contacts.landing = true;
        *h = fmax(onset, sim->control.h_min);
    }
    if (release > sliver * *h && release < *h) {
        sim->contacts.landing = false;
        sim->contacts.parting = true;
        *h = fmax(release, sim->control.h_min);
    }
    return TML_OK;
}

bool tml_sim_contacts_bear(TmlSim *sim)
{
    if (!tml_system_touches(sim->sys)) {
        return true;
    }
    tml_system_kinematics(sim->sys, &sim->it.next, false);
    sim->contacts.beyond = !tml_system_touching_holds(sim->sys, 0.0);
    return !sim->contacts.beyond;
}

bool tml_sim_contacts_landed(TmlSim *sim)
{
    sim->contacts.landed = sim->contacts.landing;
    sim->contacts.row |= sim->contacts.located;
    sim->contacts.onsets += sim->contacts.landing && !sim->contacts.released;
    sim->contacts.releases += sim->contacts.landing && sim->contacts.released;
    sim->contacts.landing = false;
    return sim->contacts.landed;
}

double tml_sim_contacts_first(TmlSim *sim, double h)
{
    if (!sim->contacts.landed) {
        return h;
    }
    sim->contacts.landed = false;
    tml_system_kinematics(sim->sys, &sim->it.now, false);
    const double first = tml_system_onset_step(sim->sys, sim->it.norm.translation / aim, h);
    return fmax(first, sim->control.h_min);
}

/* Depths of rounding are those of things that just touch. */
static const double rounding = 1e-12; /* m, of lengths of a metre */

TmlStatus tml_sim_contacts_start(TmlSim *sim, TmlError *err)
{
    const int n = tml_system_touch_points(sim->sys, NULL, 0);
    const TmlRowContact *deepest = NULL;
    int deep = 0;
    if (n == 0) {
        return TML_OK;
    }
    TmlRowContact *all = tml_mem_zalloc((size_t)n, sizeof *all);
    if (all == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d points of contact", n);
    }
    tml_system_touch_points(sim->sys, all, n);
    for (int k = 0; k < n; ++k) {
        deep += all[k].depth > rounding;
        if (all[k].depth > rounding && (deepest == NULL || all[k].depth > deepest->depth)) {
            deepest = &all[k];
        }
    }
    if (deepest != NULL) {
        tml_notes_add(
            &sim->notes,
            "shapes overlap at the start, at %d point%s; '%s' and '%s' are the deepest, by "
            "%.3g m (contact '%s', a force of %.3g N)",
            deep, deep > 1 ? "s" : "", deepest->shape[0], deepest->shape[1], deepest->depth,
            deepest->contact, deepest->force);
    }
    tml_mem_free(all);
    return TML_OK;
}
