/* analysis/kinematic/freedoms.c - what a model without integration must not have: free motions and states.
 *
 * Free motions are the vectors x with Phi_q x = 0. Random ones, made so by (P2) of system/consistent/project.c, are brought to
 * echelon form with pivots among all unknowns, so that each moves as few bodies as the joints allow; these are named.
 */
#include "analysis/kinematic/kinematics.h"
#include "analysis/linear/motion_name.h"

#include "base/fail.h"
#include "model/model.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VECTORS = 12, NAMED = 4, TEXT = 2000 };

/* Fills x[n] vectors of free motions, in lengths of the model and radians. False: there is no memory, or the position is
 * singular. */
static bool free_motions(TmlSystem *sys, const TmlState *s, int n, double **x)
{
    const TmlDims *dim = tml_dims(sys);
    uint64_t seed = 3;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < dim->nu; ++k) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            x[i][k] = (double)(int64_t)seed * 0x1.0p-63 * dim->unit[k];
        }
    }
    if (!tml_system_tangent(sys, s, true, n, x)) {
        return false;
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < dim->nu; ++k) {
            x[i][k] /= dim->unit[k];
        }
    }
    return true;
}

/* Brings the vectors to echelon form, each with a largest entry of one at its pivot. */
static void echelon(int n, int nu, double *const *x)
{
    for (int i = 0; i < n; ++i) {
        int at = 0;
        for (int k = 1; k < nu; ++k) {
            at = fabs(x[i][k]) > fabs(x[i][at]) ? k : at;
        }
        const double pivot = x[i][at];
        for (int k = 0; k < nu && pivot != 0.0; ++k) {
            x[i][k] /= pivot;
        }
        for (int j = 0; j < n && pivot != 0.0; ++j) {
            const double f = x[j][at];
            for (int k = 0; k < nu && j != i; ++k) {
                x[j][k] -= f * x[i][k];
            }
        }
    }
}

static double largest(int n, const double *x)
{
    double big = 0.0;
    for (int k = 0; k < n; ++k) {
        big = fmax(big, fabs(x[k]));
    }
    return big;
}

/* Writes the names of up to NAMED of the free motions. */
static void name_all(TmlSystem *sys, const TmlState *s, int freedoms, TmlArena *arena, char *text)
{
    const TmlDims *dim = tml_dims(sys);
    const int n = freedoms < MOST_VECTORS ? freedoms : MOST_VECTORS;
    double *x[MOST_VECTORS];
    TmlState moving;
    for (int i = 0; i < n; ++i) {
        x[i] = tml_arena_alloc(arena, (size_t)dim->nu + 1, sizeof *x[i]);
        if (x[i] == NULL) {
            return;
        }
    }
    if (tml_state_create_in(sys, arena, &moving, NULL) != TML_OK || !free_motions(sys, s, n, x)) {
        return;
    }
    echelon(n, dim->nu, x);
    for (int i = 0; i < n && i < NAMED; ++i) {
        char name[400];
        const size_t used = strlen(text);
        const double size = largest(dim->nu, x[i]);
        for (int k = 0; k < dim->nu; ++k) {
            x[i][k] *= dim->unit[k] / size;
        }
        tml_state_copy(sys, s, &moving);
        tml_motion_name(sys, &moving, x[i], name, sizeof name);
        snprintf(text + used, TEXT - used, "%s%s", i > 0 ? "; " : ": ", name);
    }
    if (freedoms > NAMED) {
        const size_t used = strlen(text);
        snprintf(text + used, TEXT - used, "; and %d more", freedoms - NAMED);
    }
}

static TmlStatus check_freedoms(TmlSystem *sys, const TmlState *s, TmlError *err)
{
    const TmlDims *dim = tml_dims(sys);
    const int freedoms = dim->nu - dim->m;
    char text[TEXT] = "";
    if (freedoms <= 0) {
        return TML_OK;
    }
    TmlArena arena = {0};
    name_all(sys, s, freedoms, &arena, text);
    tml_arena_free(&arena);
    return tml_fail(err, TML_E_MODEL,
                    "%d degree%s of freedom %s not driven%s. Drive %s by a joint of type 'motion', "
                    "or by --motion "
                    "JOINT=FUNCTION; 'trammel run' integrates what is free",
                    freedoms, freedoms > 1 ? "s" : "", freedoms > 1 ? "are" : "is", text,
                    freedoms > 1 ? "them" : "it");
}

/* An input is a state that nobody but the caller changes. */
static bool is_input(const TmlModel *m, int state)
{
    for (int k = 0; k < m->signals.n; ++k) {
        if (m->signals.at[k].state == state) {
            return true;
        }
    }
    return false;
}

TmlStatus tml_kinematics_check(TmlSystem *sys, const TmlState *s, TmlError *err)
{
    const TmlModel *m = tml_system_model(sys);
    TML_TRY(check_freedoms(sys, s, err));
    for (int k = 0; k < tml_dims(sys)->nx; ++k) {
        if (!is_input(m, k)) {
            return tml_fail(err, TML_E_MODEL,
                            "state '%s' has to be integrated, which is not done here: 'trammel "
                            "run' gives the same "
                            "motion with it",
                            m->states.at[k].name);
        }
    }
    return tml_system_is_delayed(sys)
               ? tml_fail(err, TML_E_MODEL,
                          "the model has delays, which need the past of a run: use 'trammel run'")
               : TML_OK;
}
