/* analysis/driver/sim_facts.h - what writers of files ask of a run beside the public calls.
 *
 * The state of a run, to be written down and put back, is analysis/driver/image.h.
 */
#pragma once

#include "trammel/analysis.h"

/* sim.c: the options as the caller gave them, without texts; the tolerance, also where steps are fixed; processor
 * time of output rows, s. */
const TmlSimOptions *tml_sim_options(const TmlSim *sim);
double tml_sim_tolerance_used(const TmlSim *sim);
double tml_sim_cpu_output(const TmlSim *sim);

/* rows/row_read.c: whether there is a row, which belongs to the last kinematics. */
bool tml_sim_has_row(const TmlSim *sim);

/* rows/row_contact.c: how many shapes can touch; the number of an entry of `contacts` by its name, -1: none. */
int tml_sim_shape_count(const TmlSim *sim);
int tml_sim_contact_index(const TmlSim *sim, const char *name);

/* rows/row_path.c: whether rows are those of a path of equilibria, and how it was asked for. */
typedef struct TmlPathAsked {
    double from, to, step;
} TmlPathAsked;
bool tml_sim_path_asked(const TmlSim *sim, TmlPathAsked *out); /* out: may be NULL */

/* rows/row_flexible.c: strains and stresses at xi in an element of a flexible body, as many as it
 * has; there is a row. */
void tml_row_element_outputs(const TmlSim *sim, int flexible, int element, const double xi[3],
                             double *value);
