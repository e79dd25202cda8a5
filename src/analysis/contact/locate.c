/* analysis/contact/locate.c - steps that end exactly on onsets and releases (`events: locate`), and on jumps of forces.
 *
 * In such a step points keep the side that they start on, and laws are continued (model/contact/pair_sides.c), so that a try
 * that passes an onset or a release is a smooth one. It is made again, shorter, until a value f that is positive
 * before and negative behind is zero to its rounding, or to a millionth of the allowed error:
 *
 *   (L1)  by (K1) of driver/bracket.h; f_0 is zero where a contact that has just closed opens within the step
 *   (L2)  h_1 - h_0 <= max(smallest step, the rounding of time) ends it as well, behind
 *
 * The next step starts with the sides behind, accelerations solved for anew. Every try starts from the last
 * accepted state, so that all methods have it.
 */
#include "analysis/contact/step_contacts.h"

#include "analysis/driver/bracket.h"
#include "analysis/driver/sim_internal.h"

#include <math.h>

/* Parts of the allowed error by which a step may miss an onset or release: where values of each side are asked for, and where
 * a force jumps. Missing a jump shifts the surface by as much: the force sets in as if it lay there. */
static const double part_located = 1e-6, part_of_jumps = 0.01;

TmlMiss tml_sim_contacts_miss(const TmlSim *sim)
{
    const double allowed = sim->control.fixed > 0.0 ? 0.0 : sim->it.norm.translation;
    return (TmlMiss){.located = part_located * allowed, .jumps = part_of_jumps * allowed};
}

void tml_sim_contacts_ready(TmlSim *sim)
{
    sim->it.now.alone = sim->row.alone = false;
    tml_system_keep_sides(sim->sys, !(sim->control.fixed > 0.0));
}

bool tml_sim_contacts_cross(TmlSim *sim)
{
    return tml_system_cross_sides(sim->sys, &sim->it.now, tml_sim_contacts_miss(sim));
}

bool tml_sim_contacts_take_row(TmlSim *sim)
{
    const bool wanted = sim->contacts.row;
    sim->contacts.row = false;
    sim->contacts.behind |= wanted;
    return wanted;
}

bool tml_sim_contacts_take_row_behind(TmlSim *sim)
{
    const bool wanted = sim->contacts.behind;
    sim->contacts.behind = false;
    return wanted;
}

/* Makes the step *h, which has passed p, again and again until it ends there. */
static TmlStatus land_on(TmlSim *sim, TmlPassed *p, double *h, TmlAttempt *a, bool *good,
                         TmlError *err)
{
    enum { MOST = 200, QUIET = 8 };
    const double limit = fmax(sim->control.h_min, tml_sim_slack(sim, sim->it.now.t + *h));
    const double start = p->first > p->slack ? p->first : 0.0;
    TmlBracket b = {.d0 = start, .h1 = *h, .d1 = p->last, .of = *h};
    for (int tries = 0; tries < MOST && b.h1 - b.h0 > limit; ++tries) {
        *h = tml_bracket_next(&b);
        TML_TRY(tml_sim_try_again(sim, *h, a, good, err));
        if (!*good) {
            return TML_OK;
        }
        const double f =
            tml_system_turn_value(sim->sys, &sim->it.next, p, tml_sim_contacts_miss(sim));
        if (fabs(f) <= p->slack && b.d0 > 0.0) {
            return TML_OK;
        }
        tml_bracket_narrow(&b, *h, f);
        if (tries > QUIET) {
            TML_TRY(tml_sim_cancelled(sim, err));
        }
    }
    *h = b.h1; // (L2)
    return tml_sim_try_again(sim, *h, a, good, err);
}

TmlStatus tml_sim_contacts_land(TmlSim *sim, double *h, TmlAttempt *a, bool *good, bool *shorter,
                                TmlError *err)
{
    enum { MOST_TURNS = 32 };
    TmlPassed last = {.pair = -1};
    *good = true;
    *shorter = false;
    for (int k = 0; k < MOST_TURNS && *good; ++k) {
        TmlPassed p = tml_system_first_passed(sim->sys, &sim->it.now, &sim->it.next,
                                              tml_sim_contacts_miss(sim));
        if (p.pair < 0 || (p.pair == last.pair && p.turn == last.turn)) {
            break; // none, or one that (L2) has ended behind
        }
        TML_TRY(land_on(sim, &p, h, a, good, err));
        sim->contacts.landing = *shorter = true;
        sim->contacts.located |= p.located;
        sim->contacts.released = tml_turn_is_release(&p);
        last = p;
    }
    return TML_OK;
}
