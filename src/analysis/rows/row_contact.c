/* analysis/rows/row_contact.c - contacts at the row: names, points, forces. */
#include "analysis/driver/sim_internal.h"
#include "trammel/analysis.h"

int tml_sim_contact_count(const TmlSim *sim)
{
    return tml_system_contact_count(sim->sys);
}

const char *tml_sim_contact_name(const TmlSim *sim, int contact)
{
    return tml_system_contact_name(sim->sys, contact);
}

int tml_row_contacts(const TmlSim *sim, TmlRowContact *out, int cap)
{
    return tml_row_exists(sim, __func__) ? tml_system_touch_points(sim->sys, out, cap) : 0;
}
