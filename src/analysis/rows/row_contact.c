/* analysis/rows/row_contact.c - contacts at the row: names, points, forces. */
#include "analysis/driver/sim_internal.h"
#include "trammel/analysis.h"

#include <string.h>

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

int tml_sim_shape_count(const TmlSim *sim)
{
    return sim->model->shapes.n;
}

int tml_sim_contact_index(const TmlSim *sim, const char *name)
{
    int k = tml_sim_contact_count(sim) - 1;
    while (k >= 0 && strcmp(tml_sim_contact_name(sim, k), name) != 0) {
        --k;
    }
    return k;
}
