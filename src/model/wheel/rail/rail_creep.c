/* model/wheel/rail/rail_creep.c - creep forces of a wheel that a constraint holds on its rail.
 *
 * It is the wheel of rail_wheel.c with the load (R6) of rail_force.c. That load is the reaction of the joint rail_contact, read by
 * three algebraic unknowns, so that creep forces and their derivatives by the multiplier are exact.
 */
#include "base/fail.h"
#include "model/model.h"
#include "model/read/read.h"
#include "model/registry.h"
#include "model/wheel/rail/rail_wheel.h"

static int rail_creep_n_f(const void *data)
{
    (void)data;
    return 3;
}

/* F is the force of the constraint on the wheel, in the axes of the joint's first frame. */
static int rail_creep_f(TmlLaw *law, const void *data, int k)
{
    static const char *const members[] = {"fx", "fy", "fz"};
    (void)data;
    return tml_law_call(law, "reaction", members[k], 2, law->joint, tml_law_frame(law, "first"));
}

/* Wheel, rail and track are those of the joint. */
static TmlStatus rail_creep_from_joint(void *data, const TmlConstraint *joint, TmlError *err)
{
    TmlRailWheel *p = data;
    if (joint->type->reading == NULL || !joint->type->reading->on_rail) {
        return tml_fail(err, TML_E_MODEL,
                        "joint '%s' is of type %s; creep forces need a rail_contact", joint->name,
                        joint->type->info.name);
    }
    const TmlRailWheel *seat = joint->data;
    p->track = seat->track;
    p->side = seat->side;
    p->profile = seat->profile;
    p->rail = seat->rail;
    p->radius = seat->radius;
    p->bound = true;
    return TML_OK;
}

static const TmlForceLaw rail_creep_law = {.stops = tml_rail_wheel_stops,
                                           .on_rail = true,
                                           .from_joint = rail_creep_from_joint,
                                           .f = rail_creep_f};

static const TmlParam rail_creep_params[] = {
    {"joint", TML_PARAM_JOINT, TML_ANY, "", offsetof(TmlRailWheel, joint), NULL,
     "the rail_contact whose wheel creeps", NULL},
    RAIL_CREEP_PARAMS,
    RAIL_SLOW_PARAMS,
    {0},
};

TML_FORCE_TYPE(rail_creep) = {
    .info = {.name = "rail_creep",
             .text = "Creep forces of a wheel that a joint `rail_contact` holds on its rail.",
             .example = "joint: on_rail, friction: 0.3",
             .data_size = sizeof(TmlRailWheel),
             .params = rail_creep_params,
             .outputs = tml_rail_wheel_outputs},
    .ends = TML_ENDS_JOINT,
    .n_memory = 1,
    .n_f = rail_creep_n_f,
    .law = &rail_creep_law,
    .check = tml_rail_wheel_check,
    .prepare = tml_rail_wheel_prepare,
    .commit = tml_rail_commit,
    .wrench = tml_rail_wheel_wrench,
    .tangent = tml_rail_wheel_tangent,
    .f_map = tml_rail_wheel_f_map,
    .output = tml_rail_wheel_output,
    .output_tangent = tml_rail_wheel_output_tangent,
};
