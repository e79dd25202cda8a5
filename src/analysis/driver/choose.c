/* analysis/driver/choose.c - `auto`: which method suits a model, why, and which takes over from it.
 *
 * The rates of the model and of its motion are compared at the start (linear/rates.c).
 *
 * An explicit method needs steps of about 1 / fast whatever the tolerance; an implicit one of about
 * tolerance^(1/p) / slow, and its step costs about as much as one of dop853. So radau wins from a few
 * times the rate of the motion on. Where the motion is as fast as the model, evaluations decide: from a few bodies on
 * bdf-i3, whose iterations keep their factors, is the cheapest at equal error. It controls positions only, so that its
 * errors are some hundred times those of the others at the same tolerance: it gets a hundredth. In joint coordinates, where
 * the model allows them, evaluations are so cheap that dop853 wins at all tolerances. Forces with few derivatives (contact, friction, switches) make order
 * above two useless, and a method of high order steps over a contact that it did not see coming.
 * Tyres have kinks as well; order two pays for them with a hundred times the steps of one-step methods of high order.
 * Kinks of absolute values, tables and limits hide nothing, and radau is the best there at all tolerances; kinks of friction
 * count at tight tolerances as little, which order two reaches by very many steps only.
 * The estimate holds at the start only. Hence the choice is not final: where the method proves
 * wrong, another goes on from the last accepted state. docs/decisions/0009-auto.md has the
 * measurements.
 */
#include "analysis/driver/memory.h"
#include "analysis/integrator/explicit/explicit_problem.h"
#include "analysis/integrator/joint_steps.h"
#include "analysis/linear/rates.h"

#include "base/available.h"
#include "base/fail.h"
#include "base/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGE = 300, HEAP = 40 }; /* bodies; the second: that touch */

/* Fastest rate over that of the motion: beyond the first explicit steps are bound by stability, beyond the second they are no
 * longer worth it. */
static const double stiff_ratio = 50.0, implicit_ratio = 3.0;
/* The first at tolerances below kink_tolerance in joint coordinates: the steps of dop853 are short for the tolerance there, not for stability. */
static const double tight_ratio = 20.0;
/* The same for cars, whose rates grow when they slow down. */
static const double tyre_ratio = 10.0;
/* Oscillations without damping have to be followed at tight tolerances, which dop853 does best. */
static const double undamped_ratio = 10.0;
/* From the first tolerance up, cheap steps of order 2 win where a step is dear; below the second,
 * the user asks for what hht would damp or blur. */
static const double loose_tolerance = 1e-5;
static const double tight_tolerance = 1e-8;
/* Kinks of friction do not speak for order two below the first. From the second up bdf-i3 has the cheapest steps for few bodies,
 * too, unless functions of time shake the model. */
static const double kink_tolerance = 1e-6, coarse_tolerance = 1e-4;
/* Loops may pass singular positions. Below this tolerance explicit steps stop there, or creep (ten four-bars in a row at 1e-10); radau in joint
 * coordinates passes at 1e-12, and so does adams in coordinates of bodies. */
static const double passing_tolerance = 1e-9;
static const double share_of_bdf = 0.01; /* of the tolerance */
enum { SEVERAL = 3 };                    /* bodies */

const TmlTypeInfo tml_auto_info = {
    .name = "auto",
    .text = "The default: a method chosen by the model's structure and time scales, and replaced "
            "where it fails.",
};

/* --- structure ------------------------------------------------------------------------------- */

/* Tells why high order is of no use, or returns NULL when nothing speaks against it. */
static const char *roughness(const TmlSim *sim)
{
    const bool tight = tml_sim_tolerance_asked(sim) < kink_tolerance;
    const TmlKinks kinks = tight ? TML_KINKS_HIDDEN : TML_KINKS_OF_FRICTION;
    if (tml_system_is_rough(sim->sys, kinks)) {
        return "a force is not smooth (contact, friction or a switch)";
    }
    return sim->model->user_forces.n > 0 ? "nothing is known of the smoothness of a user's force"
                                         : NULL;
}

/* Tells whether a force has kinks, at a tolerance where those in which nothing sets in do not speak for order two. */
static bool has_kinks(const TmlSim *sim)
{
    return tml_system_is_rough(sim->sys, TML_KINKS_ALL);
}

/* --- the choice ------------------------------------------------------------------------------ */

static bool knows_options(const TmlSim *sim, const TmlIntegratorType *type)
{
    for (int k = 0; k < sim->n_options; ++k) {
        if (!tml_option_known(&type->info, sim->option_key[k])) {
            return false;
        }
    }
    return true;
}

/* Sets sim->type to the method by name, or to the first that has the options that were given. */
static const char *settle(TmlSim *sim, const char *name, const char *why)
{
    sim->type = tml_find_integrator(name);
    if (knows_options(sim, sim->type)) {
        return why;
    }
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        if (knows_options(sim, tml_integrator_types[k])) {
            sim->type = tml_integrator_types[k];
            return "it has the options that were given";
        }
    }
    return NULL;
}

static TmlStatus options_of_none(const TmlSim *sim, TmlError *err)
{
    enum { MAX = 128 };
    const char *names[MAX], *near = NULL;
    int n = 0;
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        const TmlParam *p = tml_integrator_types[k]->info.params;
        for (; p != NULL && p->name != NULL && n < MAX; ++p) {
            names[n++] = p->name;
        }
    }
    const char *key = sim->option_key[sim->n_options - 1];
    for (int k = 0; k < sim->n_options && near == NULL; ++k) {
        key = sim->option_key[k];
        near = tml_nearest(key, names, n);
        near = near != NULL && strcmp(near, key) != 0 ? near : NULL;
    }
    return tml_fail(err, TML_E_ARGUMENT, "no integrator has the option '%s'%s%s%s%s", key,
                    sim->n_options > 1 ? " and the others given" : "",
                    near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "; name the integrator, and 'trammel help' it");
}

/* Chooses the method for a smooth model that is faster than its motion. At a
 * singular position that a mechanism starts at and stays at, positions alone do not hold it: hht
 * drifts along what has lost its hold, and radau keeps velocities on their constraints too. */
static const char *settle_stiff(TmlSim *sim)
{
    if (tml_system_singular_start(sim->sys) != NULL) {
        return settle(sim, "radau", "the model is stiff and starts at a singular position");
    }
    if (tml_system_has_meshes(sim->sys)) {
        return settle(sim, "radau",
                      tml_sim_tolerance_asked(sim) < tight_tolerance
                          ? "flexible bodies are stiff"
                          : "flexible bodies are stiff, their fast waves are damped");
    }
    if (tml_dims(sim->sys)->nb > LARGE && tml_sim_tolerance_asked(sim) >= loose_tolerance) {
        return settle(sim, "hht",
                      "the model is large and stiff, the tolerance loose: cheapest steps");
    }
    return settle(sim, "radau", "the model is smooth and stiff");
}

/* Takes bdf-i3 at its share of the tolerance. */
static const char *settle_bdf(TmlSim *sim)
{
    const char *why = settle(
        sim, "bdf-i3",
        "the model is smooth and not stiff, its iterations are the cheapest; a hundredth of the "
        "tolerance, as it controls positions only");
    sim->chooser.share = strcmp(sim->type->info.name, "bdf-i3") == 0 ? share_of_bdf : 0.0;
    return why;
}

/* Chooses the method for a smooth model whose motion is about as fast as the model. */
static const char *settle_smooth(TmlSim *sim)
{
    const double tolerance = tml_sim_tolerance_asked(sim);
    const bool shaken = tml_system_is_rheonomic(sim->sys);
    if (tml_explicit_fits_joints(sim->sys, &sim->it.now,
                                 tolerance)) { // steps cost next to nothing there
        return settle(sim, "dop853", "the model is smooth and not stiff");
    }
    if (shaken && tolerance >= coarse_tolerance) {
        return settle(sim, "radau",
                      "the model is smooth, moved by functions of time, the tolerance coarse");
    }
    const bool several = tml_dims(sim->sys)->nb - 1 >= SEVERAL && tolerance >= tight_tolerance;
    if (!shaken && (several || tolerance >= coarse_tolerance)) {
        return settle_bdf(sim);
    }
    if (tolerance < passing_tolerance && tml_explicit_fits_joints(sim->sys, &sim->it.now, 1.0)) {
        return settle(
            sim, tml_joint_steps_fit(sim->sys, &sim->it.now) ? "radau" : "adams",
            "the model is smooth and not stiff, its tolerance too tight for dop853 on loops");
    }
    return settle(sim, "dop853", "the model is smooth and not stiff");
}

/* Chooses by the time scales at the start and tells them. */
static const char *settle_by_rates(TmlSim *sim, size_t room, char *told)
{
    const TmlRates r = tml_rates_at(sim->sys, &sim->it.now, sim->end);
    const double fast = tml_rates_fastest(&r);
    sim->chooser.explicit_fits = !(fast > stiff_ratio * r.motion);
    snprintf(told, room, " (fastest rate %.3g 1/s, motion %.3g 1/s)", fast, r.motion);
    if (!sim->chooser.explicit_fits) {
        return settle_stiff(sim);
    }
    const bool waves = r.oscillation > undamped_ratio * fmax(r.damping, r.states);
    const bool resolved = waves && !(tml_sim_tolerance_asked(sim) >= kink_tolerance);
    const bool tight =
        tml_sim_tolerance_asked(sim) < kink_tolerance && fast <= tight_ratio * r.motion;
    const bool few =
        tight && tml_explicit_fits_joints(sim->sys, &sim->it.now, tml_sim_tolerance_asked(sim));
    if (tml_system_has_meshes(sim->sys) ||
        (fast > implicit_ratio * r.motion && !resolved && !few)) {
        return settle(sim, "radau", "the model is smooth and somewhat stiff");
    }
    return settle_smooth(sim);
}

/* Whether points of contact have bristles, whose rates ask for a method of high order. */
static bool has_bristles(const TmlSystem *sys)
{
    bool any = false;
    for (int k = 0; k < tml_dims(sys)->nx && !any; ++k) {
        any = tml_system_is_bristle(sys, k);
    }
    return any;
}

/* Chooses for shapes that touch. Steps end on the onsets, so that a high order holds between them, and
 * what is in contact is stiff. In a heap some contact is always about to change, so that steps are short for any method, and
 * the one whose steps cost least wins: from about 40 bodies on. */
static const char *settle_contact(TmlSim *sim)
{
    if (tml_dims(sim->sys)->nb > LARGE) {
        return settle(sim, "hht", "shapes touch and the model is large: cheapest steps");
    }
    const bool tight = tml_sim_tolerance_asked(sim) < tight_tolerance;
    if (tml_dims(sim->sys)->nb - 1 >= HEAP && !tight && !has_bristles(sim->sys)) {
        return settle(sim, "hht", "shapes of many bodies touch: cheapest steps");
    }
    if (tml_system_has_meshes(sim->sys) && !tight) {
        return settle(sim, "hht",
                      "flexible bodies that touch ring, and their fast modes are damped");
    }
    return settle(sim, "radau",
                  tml_system_locates(sim->sys)
                      ? "shapes touch, onsets and releases are located: a high order holds"
                      : "shapes touch: stiff, and steps end where they do");
}

/* Chooses for tyres. Their kinks are where they touch and slide, few for a step, so that methods with a past pay for each of them. At speed
 * a car is not stiff, at rest it is; the watch on explicit steps sees it stop. */
static const char *settle_tyres(TmlSim *sim, size_t room, char *told)
{
    const TmlRates r = tml_rates_at(sim->sys, &sim->it.now, sim->end);
    const double fast = tml_rates_fastest(&r);
    sim->chooser.explicit_fits = !(fast > tyre_ratio * r.motion);
    snprintf(told, room, " (fastest rate %.3g 1/s, motion %.3g 1/s)", fast, r.motion);
    return sim->chooser.explicit_fits
               ? settle(sim, "dop853", "tyres roll, and the model is not stiff")
               : settle(sim, "radau", "tyres roll, and the model is stiff");
}

/* Falls back on hht, which takes least, where there is no memory for the method that suits; options
 * that were given belong to that one. */
static void settle_for_memory(TmlSim *sim)
{
    if (sim->n_options == 0 && !tml_sim_memory_suffices(sim, sim->type)) {
        sim->type = tml_find_integrator("hht");
        sim->chooser.share = 0.0;
    }
}

TmlStatus tml_sim_choose(TmlSim *sim, TmlError *err)
{
    const char *rough = roughness(sim), *why;
    char rates[96] = "";
    const bool rigid = !tml_system_touches(sim->sys) && !tml_system_has_meshes(sim->sys);
    if (tml_system_has_tyres(sim->sys) && rigid && tml_dims(sim->sys)->nb <= LARGE) {
        why = settle_tyres(sim, sizeof rates, rates);
    } else if (rough != NULL) {
        why = settle(sim, "hht", rough);
    } else if (tml_system_touches(sim->sys)) {
        why = settle_contact(sim);
    } else if (has_kinks(sim)) {
        why = settle(sim, "radau", "forces have kinks, in which nothing sets in");
    } else {
        why = settle_by_rates(sim, sizeof rates, rates);
    }
    if (why == NULL) {
        return options_of_none(sim, err);
    }
    sim->chooser.automatic = true;
    const TmlIntegratorType *suits = sim->type;
    settle_for_memory(sim);
    sim->chooser.methods[sim->chooser.n_methods++] = sim->type;
    snprintf(sim->chooser.choice, sizeof sim->chooser.choice, "%s: %s%s", sim->type->info.name, why,
             rates);
    if (sim->type != suits) {
        snprintf(sim->chooser.choice, sizeof sim->chooser.choice,
                 "%s: too little memory for '%s', which would take about %s (%s%s)",
                 sim->type->info.name, suits->info.name,
                 tml_bytes_text(tml_sim_memory_needed(sim, suits)).text, why, rates);
    }
    return TML_OK;
}

double tml_sim_tolerance_share(const TmlSim *sim)
{
    return sim->chooser.share > 0.0 ? sim->chooser.share : 1.0;
}

const char *tml_sim_choice(const TmlSim *sim)
{
    return sim->chooser.automatic ? sim->chooser.choice : NULL;
}

/* --- another takes over ---------------------------------------------------------------------- */

/* Failed iterations are counted over about the first number of steps; from the second number on,
 * another method takes over. */
static const double remembered_steps = 50.0, failure_limit = 70.0;

bool tml_sim_is_succeeded(const TmlSim *sim)
{
    return sim->chooser.successor != NULL;
}

static bool had_its_turn(const TmlSim *sim, const TmlIntegratorType *type)
{
    for (int k = 0; k < sim->chooser.n_methods; ++k) {
        if (sim->chooser.methods[k] == type) {
            return true;
        }
    }
    return false;
}

/* Names the method to take over, or hht when that one has had its turn. hht is the last, unless no
 * step has been taken at all: then nothing speaks for it, and the others are tried before the run
 * fails. A start at a singular position speaks against it (settle_stiff). */
static void name_successor(TmlSim *sim, const char *name, const char *why)
{
    const bool singular = tml_system_singular_start(sim->sys) != NULL;
    const char *const order[] = {singular && strcmp(name, "hht") == 0 ? "radau" : name,
                                 singular ? "radau" : "hht", singular ? "hht" : "radau",
                                 sim->chooser.explicit_fits ? "dop853" : "hht"};
    const bool last = strcmp(sim->type->info.name, "hht") == 0;
    if (!sim->chooser.automatic || (last && sim->stats.steps > 0) ||
        sim->chooser.successor != NULL) {
        return;
    }
    const int n = sim->stats.steps > 0 ? 2 : (int)(sizeof order / sizeof order[0]);
    for (int k = 0; k < n && sim->chooser.successor == NULL; ++k) {
        const TmlIntegratorType *type = tml_find_integrator(order[k]);
        sim->chooser.successor = had_its_turn(sim, type) ? NULL : type;
    }
    sim->chooser.why = why;
}

/* Where iterations fail, or nothing goes any more, a method without iterations takes over if its
 * steps are stable. */
static const char *without_iterations(const TmlSim *sim)
{
    return sim->chooser.explicit_fits ? "dop853" : "hht";
}

/* Tells whether what bounds explicit steps at the present state is undamped, so that no implicit method would follow it with
 * longer ones. */
static bool is_wavy(TmlSim *sim)
{
    const TmlRates r = tml_rates_at(sim->sys, &sim->it.now, sim->end);
    return r.oscillation > fmax(r.damping, r.states);
}

/* Tells whether a car whose explicit steps were right at speed stands: its tyres are stiff then, while nothing moves that would show how short
 * the steps are. It is looked at now and then. */
static bool tyres_stand(TmlSim *sim)
{
    enum { OFTEN = 200 }; // steps
    if (!sim->chooser.automatic || sim->stats.steps % OFTEN != 0 || !sim->chooser.explicit_fits ||
        !tml_system_has_tyres(sim->sys)) {
        return false;
    }
    const TmlRates r = tml_rates_at(sim->sys, &sim->it.now, sim->end);
    return tml_rates_fastest(&r) > stiff_ratio * r.motion;
}

/* Of so many steps with this share of failed iterations, which took less than this part of the run, none leads anywhere: a method
 * whose steps fail as soon as they grow. */
static const int64_t crept_steps = 500;
static const double crept_share = 0.1, crept_part = 1e-5;

static bool creeps(TmlSim *sim, int failures)
{
    TmlChooser *c = &sim->chooser;
    c->looked_failures += failures;
    if (sim->stats.steps - c->looked_steps < crept_steps) {
        return false;
    }
    const bool stuck = sim->it.now.t - c->looked_t < crept_part * sim->end;
    const bool crept = stuck && c->looked_failures > crept_share * (double)crept_steps;
    c->looked_steps = sim->stats.steps;
    c->looked_failures = 0;
    c->looked_t = sim->it.now.t;
    return crept;
}

void tml_sim_watch(TmlSim *sim, int failures, const char *stiff)
{
    if (stiff == NULL && tyres_stand(sim)) {
        stiff = "tyres stand";
    }
    sim->chooser.struggle = sim->chooser.struggle * (1.0 - 1.0 / remembered_steps) + failures;
    if (stiff != NULL && sim->chooser.automatic && strcmp(sim->type->info.name, "adams") == 0 &&
        is_wavy(sim)) { // the limit of dop853 is ten times as far
        name_successor(sim, "dop853", "undamped waves bound its steps");
    } else if (stiff != NULL) {
        sim->chooser.explicit_fits = false;
        name_successor(sim, "radau", "the model has become stiff");
    } else if (creeps(sim, failures)) {
        name_successor(sim, without_iterations(sim), "its steps fail as soon as they grow");
    } else if (sim->chooser.struggle > failure_limit) {
        name_successor(sim, without_iterations(sim), "most iterations failed");
    }
}

bool tml_sim_has_successor(TmlSim *sim, TmlStatus failure)
{
    const bool failed = failure != TML_OK && failure != TML_E_CANCELLED;
    if (failed && (failure == TML_E_NOMEM || tml_system_out_of_memory(sim->sys))) {
        const TmlIntegratorType *hht = tml_find_integrator("hht");
        if (!had_its_turn(sim, hht) && hht->matrices < sim->type->matrices) {
            name_successor(sim, "hht", "memory ran out");
        }
        return sim->chooser.successor != NULL;
    }
    // what no state can satisfy no method can
    if (failed && failure != TML_E_ASSEMBLY && !tml_sim_ran_away(sim)) {
        name_successor(sim, without_iterations(sim), "it could not go on");
        return sim->chooser.successor != NULL;
    }
    return false;
}

TmlStatus tml_sim_hand_over(TmlSim *sim, TmlError *err)
{
    const char *from = sim->type->info.name, *to = sim->chooser.successor->info.name;
    const double t = sim->it.now.t;
    const size_t used = strlen(sim->chooser.choice);
    tml_sim_drop_method(sim);
    tml_system_memory_again(sim->sys);
    sim->type = sim->chooser.successor;
    sim->chooser.methods[sim->chooser.n_methods++] = sim->type;
    sim->chooser.successor = NULL;
    sim->chooser.struggle = sim->chooser.share = 0.0;
    sim->n_options = 0; // these were the counts of the other
    TML_TRY(tml_sim_setup_method(sim, err));
    tml_step_forget(&sim->control);
    // sizes that the other came down to say nothing; the restart picks a first step
    sim->control.h = sim->options.step > 0.0 ? sim->options.step
                     : sim->stats.steps > 0  ? sim->control.h_max
                                             : 0.0;
    sim->restart_pending = true;
    snprintf(sim->chooser.choice + used, sizeof sim->chooser.choice - used,
             "; from t = %.6g s %s: %s", t, to, sim->chooser.why);
    tml_notes_add(&sim->notes, "integrator '%s' takes over from '%s' at t = %.6g s: %s", to, from,
                  t, sim->chooser.why);
    const TmlHooks *hooks = &sim->options.hooks;
    if (hooks->log != NULL && sim->notes.n > 0) {
        hooks->log(hooks->user, TML_LOG_INFO, sim->notes.text[sim->notes.n - 1]);
    }
    return TML_OK;
}
