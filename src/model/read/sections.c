/* model/read/sections.c - sections of a model file and their keys. */
#include "model/read/sections.h"

#include <string.h>

const TmlKey tml_keys_body[] = {
    {"type", TML_KEY_CHOICE, "", "rigid", "kind of body", "rigid|point"},
    {"mass", TML_KEY_NUMBER, "kg", NULL, "mass, not negative", NULL},
    {"inertia", TML_KEY_NUMBERS, "kg m^2", "",
     "Ixx, Iyy, Izz, or these and the matrix entries Ixy, Ixz, Iyz; required for a rigid body",
     NULL},
    {"inertia_about", TML_KEY_CHOICE, "", "cm", "point that the inertia is about", "cm|origin"},
    {"inertia_axes", TML_KEY_ROTATION, "", "", "axes of the inertia, seen from the body's", NULL},
    {"solid", TML_KEY_BOOL, "", "true", "false: accept moments of inertia that no solid can have",
     NULL},
    {"cm", TML_KEY_VEC3, "m", "[0, 0, 0]", "centre of mass from the origin, body axes", NULL},
    {"position", TML_KEY_VEC3, "m", "[0, 0, 0]", "of the body's origin, global", NULL},
    {"rotation", TML_KEY_ROTATION, "", "", "orientation of the body's axes", NULL},
    {"velocity", TML_KEY_VEC3, "m/s", "[0, 0, 0]", "of the body's origin, global", NULL},
    {"angular_velocity", TML_KEY_VEC3, "rad/s", "[0, 0, 0]", "initial angular velocity", NULL},
    {"angular_velocity_axes", TML_KEY_CHOICE, "", "global", "axes of the angular velocity",
     "global|body"},
    {"locked", TML_KEY_LOCKED, "", "",
     "true, or a list of x, y, z, rotation, position, vx, vy, vz, omega, velocity, wx, wy, wz: "
     "initial values that assembly must not change; held: assembly moves other bodies first",
     NULL},
    {"frames", TML_KEY_FRAME_MAP, "", "", "named frames of the body, referred to as body.frame",
     NULL},
    {"shape", TML_KEY_SHAPE, "", "",
     "shape of the body, for pictures and contacts; one shape or a list", NULL},
    {0},
};

const TmlKey tml_keys_frame[] = {
    {"position", TML_KEY_VEC3, "m", "[0, 0, 0]", "from the body's origin, body axes", NULL},
    {"rotation", TML_KEY_ROTATION, "", "", "of the frame's axes, seen from the body's", NULL},
    {0},
};

const TmlKey tml_keys_top_frame[] = {
    {"body", TML_KEY_BODY, "", "ground", "body that carries the frame", NULL},
    {"position", TML_KEY_VEC3, "m", "[0, 0, 0]", "from the body's origin, body axes", NULL},
    {"rotation", TML_KEY_ROTATION, "", "", "of the frame's axes, seen from the body's", NULL},
    {0},
};

const TmlKey tml_keys_flexible[] = {
    {"type", TML_KEY_TEXT, "", NULL, "kind of elements", NULL},
    {"line", TML_KEY_POINTS, "m", "", "the two ends of the axis, global", NULL},
    {"arc", TML_KEY_ARC, "", "", "instead of line: part of a circle", NULL},
    {"polyline", TML_KEY_POINTS, "m", "", "instead of line: points with straight pieces between",
     NULL},
    {"smooth", TML_KEY_BOOL, "", "false", "of a polyline: a smooth curve through the points", NULL},
    {"nodes", TML_KEY_NODES, "", "",
     "instead of line: nodes with their axes, with one element between two nodes", NULL},
    {"plane", TML_KEY_CHOICE, "", "", "of a line in space: it stays in a plane parallel to this",
     "xy|yz|zx"},
    {"patch", TML_KEY_PATCH, "", "", "of plates: the middle surface", NULL},
    {"y_axis", TML_KEY_VEC3, "", "", "direction of the section's y axis at the start, global",
     NULL},
    {"twist", TML_KEY_ELEMENTS, "rad", "0",
     "angle of the section about the axis at the end, growing uniformly; or an expression of s",
     NULL},
    {"elements", TML_KEY_ELEMENTS, "", "",
     "number of elements; a list for the pieces of a polyline; [along x, along y] for a patch",
     NULL},
    {"rest", TML_KEY_REST, "", "",
     "stress-free shape: that of the start (default), straight, flat (patches), or a curve", NULL},
    {"stretch", TML_KEY_ELEMENTS, "", "1", "length at the start divided by the stress-free length",
     NULL},
    {"transport", TML_KEY_NUMBER, "m/s", "0",
     "of a cable: stress-free length of wire that runs through its shape by time, from the start "
     "to the end",
     NULL},
    {"material", TML_KEY_MATERIAL, "", NULL, "material of the body", NULL},
    {"section", TML_KEY_CROSS, "", NULL, "cross-section; or a list with one for each element",
     NULL},
    {"formulation", TML_KEY_CHOICE, "", "",
     "how stresses follow from the shape; default: the type's", "continuum|elastic_line|enhanced"},
    {"start", TML_KEY_ATTACH, "", "", "connection of the first end", NULL},
    {"end", TML_KEY_ATTACH, "", "", "connection of the other end", NULL},
    {"edges", TML_KEY_EDGES, "", "", "connections of the edges of a patch", NULL},
    {"attach", TML_KEY_ATTACH_LIST, "", "", "connections of other nodes", NULL},
    {"load", TML_KEY_LOAD, "", "", "distributed force", NULL},
    {"contact", TML_KEY_STATIONS, "", "",
     "how it touches if an entry of contacts names it, or all; none: never", NULL},
    {"displacement", TML_KEY_VEC3, "m", "[0, 0, 0]",
     "of a line: initial displacement from there, global; expressions of s", NULL},
    {"velocity", TML_KEY_VEC3, "m/s", "[0, 0, 0]",
     "velocity of the first end, global; for a line also expressions of s", NULL},
    {"angular_velocity", TML_KEY_VEC3, "rad/s", "[0, 0, 0]", "initial angular velocity, as rigid",
     NULL},
    {"frames", TML_KEY_FLEX_FRAMES, "", "", "named places, referred to as body.frame", NULL},
    {0},
};

const TmlKey tml_keys_material[] = {
    {"model", TML_KEY_CHOICE, "", "elastic", "law of the material", "elastic|mooney_rivlin"},
    {"E", TML_KEY_NUMBER, "Pa", "", "Young's modulus", NULL},
    {"nu", TML_KEY_NUMBER, "", "0.3", "Poisson's ratio", NULL},
    {"density", TML_KEY_NUMBER, "kg/m^3", NULL, "mass per volume", NULL},
    {"damping", TML_KEY_NUMBER, "s", "0",
     "damping time: stresses follow from strain + damping * strain rate", NULL},
    {"mass_damping", TML_KEY_NUMBER, "1/s", "0", "damping force = mass_damping * mass * velocity",
     NULL},
    {"slope_damping", TML_KEY_NUMBER, "N s", "0",
     "of cables: damping force = slope_damping * rate of the tangent, between neighbouring pieces; "
     "a time multiplied by the tension damps a wire as a time of damping does a rod",
     NULL},
    {"plane", TML_KEY_CHOICE, "", "strain",
     "of plane elements: which component normal to the plane is zero", "strain|stress"},
    {"c10", TML_KEY_NUMBER, "Pa", "", "first constant of Mooney and Rivlin", NULL},
    {"c01", TML_KEY_NUMBER, "Pa", "0", "second constant of Mooney and Rivlin", NULL},
    {"bulk", TML_KEY_NUMBER, "Pa", "", "bulk modulus, with c10", NULL},
    {0},
};

const TmlKey tml_keys_cross[] = {
    {"height", TML_KEY_NUMBER, "m", "", "of a rectangle, along y", NULL},
    {"width", TML_KEY_NUMBER, "m", "", "of a rectangle, along z", NULL},
    {"radius", TML_KEY_NUMBER, "m", "", "of a circle", NULL},
    {"inner_radius", TML_KEY_NUMBER, "m", "0", "of a tube", NULL},
    {"thickness", TML_KEY_NUMBER, "m", "", "of a plate", NULL},
    {"area", TML_KEY_NUMBER, "m^2", "", "of any section, with Iy and Iz", NULL},
    {"Iy", TML_KEY_NUMBER, "m^4", "", "integral of z^2", NULL},
    {"Iz", TML_KEY_NUMBER, "m^4", "", "integral of y^2", NULL},
    {"J", TML_KEY_NUMBER, "m^4", "", "torsion constant; default: that of the shape, or Iy + Iz",
     NULL},
    {"shear_y", TML_KEY_NUMBER, "", "",
     "shear factor along y; 5/6 of rectangles, 0.9 of circles, 1", NULL},
    {"shear_z", TML_KEY_NUMBER, "", "", "shear factor along z, as shear_y", NULL},
    {"mass_area", TML_KEY_NUMBER, "m^2", "", "mass per length over density; default: the area",
     NULL},
    {"mass_Iy", TML_KEY_NUMBER, "m^4", "", "rotary inertia over density; default: Iy", NULL},
    {"mass_Iz", TML_KEY_NUMBER, "m^4", "", "rotary inertia over density; default: Iz", NULL},
    {"mass_centre", TML_KEY_NUMBERS, "m", "[0, 0]",
     "y and z of the centre of mass, about which mass_Iy and mass_Iz are", NULL},
    {"stiffness", TML_KEY_MATRIX, "", "",
     "instead of E and shapes: six rows of forces and moments over strains, along and about x, y, "
     "z",
     NULL},
    {0},
};

const TmlKey tml_keys_attach[] = {
    {"clamp", TML_KEY_BODY, "", "", "rigid body that holds position and section", NULL},
    {"pin", TML_KEY_PLACE, "", "", "rigid body or node that holds the position", NULL},
    {"slide", TML_KEY_BODY, "", "", "rigid body on whose line the position stays", NULL},
    {"hinge", TML_KEY_PLACE, "", "", "rigid body or node; both turn about `axis`", NULL},
    {"axis", TML_KEY_VEC3, "", "", "direction of the line of slide or hinge, global", NULL},
    {"join", TML_KEY_PLACE, "", "", "node to weld to: NAME.end, NAME.n3 or {mesh, at}", NULL},
    {0},
};

const TmlKey tml_keys_attach_at[] = {
    {"at", TML_KEY_ELEMENTS, "", NULL, "place of the node, from 0 to 1 ([u, v] of a patch)", NULL},
    {"clamp", TML_KEY_BODY, "", "", "rigid body that holds position and section", NULL},
    {"pin", TML_KEY_PLACE, "", "", "rigid body or node that holds the position", NULL},
    {"slide", TML_KEY_BODY, "", "", "rigid body on whose line the position stays", NULL},
    {"hinge", TML_KEY_PLACE, "", "", "rigid body or node; both turn about `axis`", NULL},
    {"axis", TML_KEY_VEC3, "", "", "direction of the line of slide or hinge, global", NULL},
    {"join", TML_KEY_PLACE, "", "", "node to weld to: NAME.end, NAME.n3 or {mesh, at}", NULL},
    {0},
};

const TmlKey tml_keys_mesh_place[] = {
    {"mesh", TML_KEY_TEXT, "", NULL, "flexible body", NULL},
    {"at", TML_KEY_ELEMENTS, "", NULL, "place of the node, from 0 to 1 ([u, v] of a patch)", NULL},
    {0},
};

const TmlKey tml_keys_edges[] = {
    {"left", TML_KEY_ATTACH, "", "", "where u = 0", NULL},
    {"right", TML_KEY_ATTACH, "", "", "where u = 1", NULL},
    {"bottom", TML_KEY_ATTACH, "", "", "where v = 0", NULL},
    {"top", TML_KEY_ATTACH, "", "", "where v = 1", NULL},
    {0},
};

const TmlKey tml_keys_load[] = {
    {"force", TML_KEY_NUMBERS, "N/m, N/m^2", NULL,
     "three expressions of time, and of s along a line: per length of it, per area of a patch",
     NULL},
    {"follower", TML_KEY_BOOL, "", "false",
     "in the axes of the section, which rotate, not in global axes", NULL},
    {0},
};

const TmlKey tml_keys_arc[] = {
    {"start", TML_KEY_VEC3, "m", NULL, "first point, global", NULL},
    {"centre", TML_KEY_VEC3, "m", "", "of the circle, or any point of its axis", NULL},
    {"axis", TML_KEY_VEC3, "", "z", "axis of the arc, in the positive sense", NULL},
    {"angle", TML_KEY_NUMBER, "rad", "", "angle of the arc", NULL},
    {"through", TML_KEY_VEC3, "m", "", "instead of centre and angle: a point between", NULL},
    {"end", TML_KEY_VEC3, "m", "", "with through: the last point", NULL},
    {0},
};

const TmlKey tml_keys_stations[] = {
    {"stations", TML_KEY_NUMBER, "", "4",
     "contact points per element (of a patch: in each direction), 1 to 8", NULL},
    {"radius", TML_KEY_NUMBER, "m", "",
     "distance from the middle line or surface to the outside; default: from the section", NULL},
    {"group", TML_KEY_TEXT, "", "", "name of a group that contacts may use", NULL},
    {"material", TML_KEY_TEXT, "", "", "one of materials", NULL},
    {0},
};

const TmlKey tml_keys_rest[] = {
    {"line", TML_KEY_POINTS, "m", "", "the two ends", NULL},
    {"arc", TML_KEY_ARC, "", "", "part of a circle", NULL},
    {"polyline", TML_KEY_POINTS, "m", "", "points", NULL},
    {"smooth", TML_KEY_BOOL, "", "false", "of a polyline: a smooth curve", NULL},
    {"curvature", TML_KEY_ELEMENTS, "1/m", "",
     "of the same length: constant curvature about the section's z, or [twist, about y, about z]",
     NULL},
    {0},
};

const TmlKey tml_keys_patch[] = {
    {"origin", TML_KEY_VEC3, "m", "", "first corner; of a cylinder a point of its axis", NULL},
    {"x", TML_KEY_VEC3, "m", "", "side from the first corner along x", NULL},
    {"y", TML_KEY_VEC3, "m", "", "side from the first corner along y", NULL},
    {"corners", TML_KEY_POINTS, "m", "", "four corners, going round", NULL},
    {"start", TML_KEY_VEC3, "m", "", "of a cylinder: the first corner", NULL},
    {"axis", TML_KEY_VEC3, "", "z", "of a cylinder: y of the patch", NULL},
    {"angle", TML_KEY_NUMBER, "rad", "", "of a cylinder: angle along x", NULL},
    {"length", TML_KEY_NUMBER, "m", "", "of a cylinder: along the axis", NULL},
    {0},
};

const TmlKey tml_keys_node[] = {
    {"position", TML_KEY_VEC3, "m", NULL, "on the axis, global", NULL},
    {"rotation", TML_KEY_ROTATION, "", "",
     "of its axes: x along the axis of the body, y and z of the section", NULL},
    {0},
};

const TmlKey tml_keys_flex_frame[] = {
    {"at", TML_KEY_ELEMENTS, "", "", "place, from 0 to 1 along the body ([u, v] of a patch)", NULL},
    {"node", TML_KEY_NUMBER, "", "",
     "instead of at: number of a node in `nodes`, from 1; 2.5 is half way between the second and "
     "the third",
     NULL},
    {"position", TML_KEY_VEC3, "m", "[0, 0, 0]", "from there, in the body's axes there", NULL},
    {"rotation", TML_KEY_ROTATION, "", "", "of the frame's axes, seen from the body's there", NULL},
    {0},
};

const TmlKey tml_keys_spline[] = {
    {"type", TML_KEY_CHOICE, "", "cubic", "rule of interpolation", "cubic|akima|linear"},
    {"x", TML_KEY_NUMBERS, "", "", "increasing abscissas, with y", NULL},
    {"y", TML_KEY_NUMBERS, "", "", "values at x", NULL},
    {"points", TML_KEY_POINTS, "", "", "list of [x, y], instead of x and y", NULL},
    {"file", TML_KEY_TEXT, "", "",
     "file with two columns of numbers, relative to the model; instead of x and y", NULL},
    {"extrapolate", TML_KEY_CHOICE, "", "tangent",
     "beyond the ends: the tangent, the parabola through the last three points, the last value",
     "tangent|parabola|constant"},
    {0},
};

const TmlKey tml_keys_joint[] = {
    {"type", TML_KEY_TEXT, "", NULL, "kind of joint", NULL},
    {"turns", TML_KEY_INT, "", "0", "whole turns added to the initial angle", NULL},
    {0},
};

const TmlKey tml_keys_force[] = {
    {"type", TML_KEY_TEXT, "", NULL, "kind of force", NULL},
    {0},
};

const TmlKey tml_keys_variable[] = {
    {"value", TML_KEY_EXPR, "", "", "expression that the variable equals", NULL},
    {"adjust", TML_KEY_EXPR, "", "",
     "instead of value: the variable is a constant, and statics finds the one for which this "
     "expression is zero at rest",
     NULL},
    {"initial", TML_KEY_NUMBER, "", "0",
     "first guess of the value; with adjust: the value if no statics are done", NULL},
    {0},
};

const TmlKey tml_keys_state[] = {
    {"rate", TML_KEY_EXPR, "", "", "expression of the rate of change", NULL},
    {"implicit", TML_KEY_EXPR, "", "",
     "instead of rate: expression that is zero, with rate(name) for the rate", NULL},
    {"initial", TML_KEY_NUMBER, "", "0", "value at the start", NULL},
    {"initial_rate", TML_KEY_NUMBER, "", "0", "first guess of the rate", NULL},
    {"scale", TML_KEY_NUMBER, "", "0", "size of the values, for error control; 0: chosen", NULL},
    {0},
};

const TmlKey tml_keys_delay[] = {
    {"value", TML_KEY_EXPR, "", NULL, "expression that is delayed", NULL},
    {"time", TML_KEY_EXPR, "s", NULL, "the delay: a number or an expression, not negative", NULL},
    {"history", TML_KEY_EXPR, "", "",
     "expression of time, for times before the start; by default the value at the start", NULL},
    {0},
};

const TmlKey tml_keys_event[] = {
    {"when", TML_KEY_EXPR, "", NULL, "expression to monitor", NULL},
    {"condition", TML_KEY_CHOICE, "", "equal",
     "whether it happens when the expression is equal to the value, above or below",
     "equal|above|below"},
    {"value", TML_KEY_NUMBER, "", "0", "value to compare with", NULL},
    {"error", TML_KEY_NUMBER, "", "1e-6", "how close to the value a step ends", NULL},
    {"angle", TML_KEY_BOOL, "", "false", "whether the expression is an angle without its turns",
     NULL},
    {"stop", TML_KEY_BOOL, "", "false", "end the run", NULL},
    {"halt", TML_KEY_BOOL, "", "false", "end the run, and the rest of a command file", NULL},
    {"restart", TML_KEY_BOOL, "", "false", "restart the integration method", NULL},
    {"row", TML_KEY_BOOL, "", "false", "write an additional output row", NULL},
    {"step", TML_KEY_NUMBER, "s", "", "length of the next step", NULL},
    {"output_step", TML_KEY_NUMBER, "s", "", "distance of output rows from then on", NULL},
    {"set", TML_KEY_OPTIONS, "", "", "new values of states, by expressions", NULL},
    {"at_start", TML_KEY_BOOL, "", "false",
     "whether the event also happens at the start if the expression is above or below the value "
     "there",
     NULL},
    {"silent", TML_KEY_BOOL, "", "false", "whether the event prints no note", NULL},
    {0},
};

const TmlKey tml_keys_path[] = {
    {"points", TML_KEY_MATRIX, "m", "", "points [x, y, z] that it goes through, smoothly", NULL},
    {"control_points", TML_KEY_MATRIX, "m", "",
     "instead of points: control points of a B-spline with equal knots", NULL},
    {"functions", TML_KEY_EXPRS, "", "",
     "instead of points: registered functions of one argument that give x, y and z", NULL},
    {"range", TML_KEY_NUMBERS, "", "[0, 1]", "first and last argument of the functions", NULL},
    {"closed", TML_KEY_BOOL, "", "false",
     "whether the curve closes from the last point to the first", NULL},
    {"order", TML_KEY_INT, "", "4",
     "degree of its polynomials and 1, up to 10: 2 is a polygon, 4 has continuous curvature", NULL},
    {0},
};

const TmlKey tml_keys_output[] = {
    {"value", TML_KEY_EXPR, "", NULL, "expression of the channel", NULL},
    {"unit", TML_KEY_TEXT, "", "", "unit shown with the channel", NULL},
    {0},
};

const TmlKey tml_keys_simulate[] = {
    {"end", TML_KEY_NUMBER, "s", "", "time at which the run ends", NULL},
    {"output_step", TML_KEY_NUMBER, "s", "", "time between output rows", NULL},
    {"integrator", TML_KEY_TEXT, "", "auto", "name of the method", NULL},
    {"tolerance", TML_KEY_NUMBER, "", "", "local error allowed per step, relative to size", NULL},
    {"first_step", TML_KEY_NUMBER, "s", "", "first step", NULL},
    {"min_step", TML_KEY_NUMBER, "s", "", "smallest step", NULL},
    {"max_step", TML_KEY_NUMBER, "s", "", "largest step", NULL},
    {"length_scale", TML_KEY_NUMBER, "m", "", "size of the mechanism, for error control", NULL},
    {"time_scale", TML_KEY_NUMBER, "s", "", "time that the mechanism needs to move", NULL},
    {"start", TML_KEY_CHOICE, "", "given",
     "where the run starts: at the positions that are given, or at the static equilibrium beside "
     "them, with the velocities that are given",
     "given|equilibrium"},
    {"options", TML_KEY_OPTIONS, "", "", "options of the integrator", NULL},
    {0},
};

const TmlKey tml_keys_rotating_frame[] = {
    {"speed", TML_KEY_NUMBER, "rad/s", NULL, "how fast the frame turns about its axis", NULL},
    {"axis", TML_KEY_VEC3, "", "z", "direction of the axis, global", NULL},
    {"at", TML_KEY_VEC3, "m", "[0, 0, 0]", "a point of the axis, global", NULL},
    {0},
};

const TmlKey tml_keys_rotation[] = {
    {"axis", TML_KEY_VEC3, "", "", "with angle: axis of the rotation", NULL},
    {"angle", TML_KEY_NUMBER, "rad", "", "with axis: angle about it", NULL},
    {"euler_parameters", TML_KEY_NUMBERS, "", "", "e0, e1, e2, e3; a unit quaternion", NULL},
    {"euler", TML_KEY_TEXT, "", "", "sequence of three axes such as 313 or xyz, with angles", NULL},
    {"angles", TML_KEY_NUMBERS, "rad", "", "with euler: the three angles", NULL},
    {"fixed", TML_KEY_BOOL, "", "false", "with euler: about the axes of the parent", NULL},
    {"x", TML_KEY_VEC3, "", "", "x axis; two of x, y, z are given, the first is exact", NULL},
    {"y", TML_KEY_VEC3, "", "", "y axis", NULL},
    {"z", TML_KEY_VEC3, "", "", "z axis", NULL},
    {"matrix", TML_KEY_NUMBERS, "", "", "three rows of the rotation matrix", NULL},
    {0},
};

const TmlKey tml_keys_term[] = {
    {"joint", TML_KEY_TEXT, "", NULL, "name of the joint", NULL},
    {"coordinate", TML_KEY_CHOICE, "", "", "which coordinate, when the joint has both",
     "angle|displacement"},
    {"coefficient", TML_KEY_NUMBER, "", "1", "factor of the coordinate", NULL},
    {0},
};

/* --- ends ------------------------------------------------------------------------------------ */

#define FRAMES_KEYS                                                                                \
    {"bodies", TML_KEY_BODIES, "", "", "first and second body", NULL},                             \
        {"at", TML_KEY_VEC3, "m", "", "with bodies: the point, global, at the start", NULL},       \
        {"axis", TML_KEY_VEC3, "", "z", "with bodies: the z axis of both frames, global", NULL},   \
        {"x_axis", TML_KEY_VEC3, "", "", "with bodies: direction of the x axis, global", NULL},    \
        {"axes",                                                                                   \
         TML_KEY_AXES,                                                                             \
         "",                                                                                       \
         "",                                                                                       \
         "instead of axis: x of the first frame and y of the second, perpendicular",               \
         NULL},                                                                                    \
    {                                                                                              \
        "frames", TML_KEY_FRAMES, "", "", "instead of bodies: first and second frame", NULL        \
    }

static const TmlKey frames_keys[] = {FRAMES_KEYS, {0}};

static const TmlKey points_keys[] = {
    {"bodies", TML_KEY_BODIES, "", "", "first and second body", NULL},
    {"points", TML_KEY_POINTS, "m", "", "with bodies: a point of each, global, at the start", NULL},
    {"axis", TML_KEY_VEC3, "", "z", "with bodies: the z axis of both frames, global", NULL},
    {"x_axis", TML_KEY_VEC3, "", "", "with bodies: direction of the x axis, global", NULL},
    {"frames", TML_KEY_FRAMES, "", "", "instead of bodies: first and second frame", NULL},
    {0},
};

static const TmlKey one_keys[] = {
    {"body", TML_KEY_BODY, "", "", "the body that it acts on", NULL},
    {"at", TML_KEY_VEC3, "m", "", "with body: the point, global, at the start; else its origin",
     NULL},
    {"axis", TML_KEY_VEC3, "", "z", "with body: the z axis of the frame, global", NULL},
    {"x_axis", TML_KEY_VEC3, "", "", "with body: direction of the x axis, global", NULL},
    {"frame", TML_KEY_FRAME, "", "", "instead of body: the frame", NULL},
    {"bodies", TML_KEY_BODIES, "", "",
     "instead of body: the body that takes the reaction, and the body that it acts on", NULL},
    {"frames", TML_KEY_FRAMES, "", "", "the same, as frames", NULL},
    {0},
};

static const TmlKey no_keys[] = {{0}};

const TmlKey *tml_keys_ends(TmlEndsKind kind)
{
    switch (kind) {
    case TML_ENDS_FRAMES:
    case TML_ENDS_JOINT:
        return frames_keys;
    case TML_ENDS_POINTS:
        return points_keys;
    case TML_ENDS_ONE:
        return one_keys;
    case TML_ENDS_TERMS:
    case TML_ENDS_EXPR:
    case TML_ENDS_MODAL:
        break;
    }
    return no_keys;
}

/* --- contacts -------------------------------------------------------------------------------- */

const TmlKey tml_keys_surface[] = {
    {"young", TML_KEY_NUMBER, "N/m^2", "", "Young's modulus, for hertz", NULL},
    {"poisson", TML_KEY_NUMBER, "", "0.3", "Poisson's ratio, with young", NULL},
    {"foundation", TML_KEY_NUMBER, "N/m^3", "", "pressure per depth, for faces", NULL},
    {"restitution", TML_KEY_NUMBER, "", "", "speed after a collision over that before it", NULL},
    {"friction", TML_KEY_NUMBER, "", "", "coefficient of friction in sliding", NULL},
    {"static_friction", TML_KEY_NUMBER, "", "", "coefficient where sliding begins", NULL},
    {"rolling", TML_KEY_NUMBER, "m", "", "lever arm of the resistance to rolling", NULL},
    {"spinning", TML_KEY_NUMBER, "m", "", "lever arm of the resistance to spinning", NULL},
    {0},
};

const TmlKey tml_keys_ground[] = {
    {"shape", TML_KEY_SHAPE, "", "", "shape of the ground; one shape or a list", NULL},
    {0},
};

const TmlKey tml_keys_contact[] = {
    {"between", TML_KEY_BETWEEN, "", NULL,
     "all, or two bodies, shapes (body.name) or groups; each may be a list", NULL},
    {"law", TML_KEY_TEXT, "", NULL, "law of the normal force; none: these never touch", NULL},
    {"friction", TML_KEY_FRICTION, "", "",
     "law of friction with its parameters, or none; default: coulomb with the coefficients of the "
     "materials",
     NULL},
    {"rolling", TML_KEY_FRICTION, "", "",
     "resistance to rolling and spinning, or none; default: that of the materials", NULL},
    {"mixing", TML_KEY_CHOICE, "", "smaller",
     "rule that combines the coefficients of two materials (restitution, friction, rolling)",
     "smaller|larger|mean|geometric"},
    {"neighbours", TML_KEY_BOOL, "", "false", "also between bodies that share a joint", NULL},
    {"events", TML_KEY_CHOICE, "", "jumps",
     "locate: steps end exactly on onsets and releases, for methods of high order; jumps: near "
     "onsets, exactly where the "
     "force of single points jumps; foresee: near onsets",
     "foresee|jumps|locate"},
    {"flexible", TML_KEY_CHOICE, "", "spread",
     "contact of flexible bodies: spread along them, with a stiffness per metre or square metre; "
     "or at the closest point, of a line, or of a face to a round shape",
     "spread|closest"},
    {"acts", TML_KEY_CHOICE, "", "middle",
     "where forces act: midway between the two surfaces, or on that of the first or the second of "
     "'between'",
     "middle|first|second"},
    {0},
};

const TmlKey tml_keys_friction[] = {
    {"law", TML_KEY_TEXT, "", "coulomb", "how the force follows from the slip", NULL},
    {0},
};

/* --- shapes ---------------------------------------------------------------------------------- */

const TmlKey tml_keys_shape[] = {
    {"position", TML_KEY_VEC3, "m", "[0, 0, 0]", "from the body's origin, body axes", NULL},
    {"rotation", TML_KEY_ROTATION, "", "", "seen from the body's axes", NULL},
    {"color", TML_KEY_TEXT, "", "", "a colour such as #3a7bd5 or steelblue", NULL},
    {"name", TML_KEY_TEXT, "", "", "name of the shape: body.name in contacts", NULL},
    {"group", TML_KEY_TEXT, "", "", "contacts may name all shapes of a group", NULL},
    {"rolls", TML_KEY_BOOL, "", "true",
     "false: of a point body, which never rotates, on purpose; no warning", NULL},
    {"material", TML_KEY_TEXT, "", "", "an entry of `materials` with the values for contacts",
     NULL},
    {0},
};

const TmlKey *tml_keys_shape_axis(TmlShapeAxis axis)
{
    static const TmlKey along_x[] = {
        {"axis", TML_KEY_VEC3, "", "x", "direction of the axis, body axes", NULL}, {0}};
    static const TmlKey along_z[] = {
        {"axis", TML_KEY_VEC3, "", "z", "direction of the axis, body axes", NULL}, {0}};
    static const TmlKey normal[] = {
        {"normal", TML_KEY_VEC3, "", "z", "direction out of the material, body axes", NULL}, {0}};
    switch (axis) {
    case TML_SHAPE_NO_AXIS:
        break;
    case TML_SHAPE_AXIS_X:
        return along_x;
    case TML_SHAPE_AXIS_Z:
        return along_z;
    case TML_SHAPE_NORMAL:
        return normal;
    }
    return no_keys;
}

/* --- sections -------------------------------------------------------------------------------- */

const TmlSection tml_sections[] = {
    {.name = "trammel",
     .self = {"trammel", TML_KEY_INT, "", NULL, "version of the format: 1", NULL},
     .text = "Version of the model format, 1. Every model file has it.",
     .example = "trammel: 1\n"},
    {.name = "title",
     .self = {"title", TML_KEY_TEXT, "", "", "one line that names the model", NULL},
     .text = "One line that names the model in reports.",
     .example = "title: Stiff double pendulum\n"},
    {.name = "include",
     .self = {"include", TML_KEY_FILES, "", "", "files whose sections are merged", NULL},
     .text = "A file or a list of files, relative to this one, whose sections are merged with "
             "those of this file. Parameters, gravity, title and settings of this file take "
             "precedence.",
     .example = "include: [suspension.yaml, tyres.yaml]\n"},
    {.name = "parameters",
     .text = "Names with numbers. Any number of the model may be an expression of them; they may "
             "use each other in any order. Numbers may carry a unit: 30 deg, 5 mm, 2 kN.",
     .example = "parameters: {L: 1.5, m: 3, k: \"4*m/L^2\", alpha: 30 deg}\n"},
    {.name = "gravity",
     .self = {"gravity", TML_KEY_VEC3, "m/s^2", "[0, 0, 0]",
              "acceleration of gravity; a direction such as -z means 9.80665 in that direction",
              NULL},
     .text = "Acceleration of gravity in global axes; none by default. A direction alone (x, y, z, "
             "-x, -y, -z) means standard gravity, 9.80665 m/s^2, in that direction.",
     .example = "gravity: [0, 0, -9.81]   # or: -z\n"},
    {.name = "rotating_frame",
     .keys = tml_keys_rotating_frame,
     .text = "A frame that rotates at a constant speed. Statics finds the equilibrium in which "
             "everything rotates with it, linearize finds the modes seen from it: for blades, "
             "rotors and shafts with centrifugal and Coriolis forces. Runs are not affected: "
             "rotating bodies still need their own velocities and motions.",
     .example = "rotating_frame: {speed: 750 rpm, axis: z, at: [0, 0, 0]}\n"},
    {.name = "bodies",
     .named = true,
     .entry = "body",
     .keys = tml_keys_body,
     .text = "The bodies of the mechanism. The body 'ground' always exists. The name of a body "
             "alone is the frame at its origin, body.cm is the frame at its centre of mass.",
     .example =
         "bodies:\n"
         "  rod: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0],\n"
         "        rotation: {axis: z, angle: 30 deg}, frames: {tip: {position: [1, 0, 0]}}}\n"
         "  ball: {type: point, mass: 0.2, position: [0, 1, 0]}\n"},
    {.name = "ground",
     .keys = tml_keys_ground,
     .text = "Shapes of the ground, for pictures and contacts.",
     .example = "ground: {shape: {half_space: {normal: z}}}\n"},
    {.name = "modal",
     .named = true,
     .entry = "modal body",
     .keys = tml_keys_modal,
     .text =
         "Bodies from finite elements, reduced to modes: a floating frame and modal coordinates. "
         "Frames of the part are body.frame; joints and forces can use them like other frames.",
     .example = "modal:\n"
                "  arm: {part: arm.h5, position: [0, 0, 1], rotation: {axis: z, angle: 30 deg},\n"
                "        damping: 0.01, frames: {tool: {at: tip, position: [0.02, 0, 0]}}}\n"},
    {.name = "flexible",
     .named = true,
     .entry = "flexible body",
     .keys = tml_keys_flexible,
     .text = "Flexible bodies: meshes of elements in absolute nodal coordinates. name.start and "
             "name.end are frames at the ends; joints and forces can use them like other frames.",
     .example = "flexible:\n"
                "  arm: {type: beam2d, line: [[0, 0, 0], [0.4, 0, 0]], elements: 4,\n"
                "        material: {E: 2e9, nu: 0.3, density: 7800},\n"
                "        section: {height: 0.04, width: 0.04}, start: {pin: ground},\n"
                "        frames: {middle: {at: 0.5}}}\n"},
    {.name = "frames",
     .named = true,
     .entry = "frame",
     .keys = tml_keys_top_frame,
     .text = "Named frames of ground or of a body.",
     .example = "frames:\n  pivot: {position: [0, 0, 1.2], rotation: {z: y, x: x}}\n"},
    {.name = "splines",
     .named = true,
     .entry = "spline",
     .keys = tml_keys_spline,
     .text = "Tables for cubspl, akispl and spline in expressions.",
     .example = "splines:\n  torque: {type: akima, x: [0, 1, 2, 4], y: [0, 3, 4, 4]}\n"},
    {.name = "paths",
     .named = true,
     .entry = "path",
     .keys = tml_keys_path,
     .text = "Smooth curves through points, for joints along them.",
     .example = "paths: {ring: {points: [[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], closed: "
                "true}}\n"},
    {.name = "roads",
     .named = true,
     .entry = "road",
     .keys = tml_keys_road,
     .text =
         "Surfaces that tyres roll on. A road moves with the first body of the tyre: ground, or "
         "the post of a test rig.",
     .example = "roads:\n"
                "  track: {type: bumps, shape: half_cylinder, at: [2], height: 0.05}\n"
                "  rough: {type: iso8608, class: B, seed: 3}\n"},
    {.name = "profiles",
     .named = true,
     .entry = "profile",
     .keys = tml_keys_profile,
     .text =
         "Cross sections of wheels and rails. y points outward from the middle of the track and "
         "z up.",
     .example = "profiles:\n"
                "  UIC60: {file: rail.csv, unit: mm, z: down}\n"
                "  cone: {points: [[-0.06, -0.003], [0.06, 0.003]]}\n"},
    {.name = "tracks",
     .named = true,
     .entry = "track",
     .keys = tml_keys_track,
     .text = "Tracks: curves in space with two rails. A track moves with the first body of the "
             "wheels on it, usually ground.",
     .example = "tracks:\n"
                "  line: {rail: UIC60, gauge: 1435 mm, segments: [{straight: 50}, {transition: "
                "30},\n"
                "         {arc: 100, radius: 300, cant: 0.1}]}\n"},
    {.name = "catenaries",
     .named = true,
     .entry = "catenary",
     .keys = tml_keys_catenary,
     .text = "Overhead lines of a railway: contact wire, messenger wire, droppers, supports and "
             "steady arms. The shape at "
             "rest has the given tensions and heights; it is found when the model is read. The "
             "wires are the flexible "
             "bodies NAME_contact and NAME_messenger, with frames sK at support K and dK_J at "
             "dropper J of span K; the "
             "frame NAME_sK of ground is where the contact wire rests at support K.",
     .example =
         "catenaries:\n"
         "  line: {spans: 3, span: 60, sag: 0.03,\n"
         "         contact_wire: {tension: 20e3, mass: 1.35, EA: 1.8e7, EI: 195},\n"
         "         messenger: {tension: 16e3, mass: 1.07, EA: 1.3e7, EI: 131.7, height: 1.2},\n"
         "         droppers: {at: [5, 17, 30, 43, 55], stiffness: 1e5}, arms: {stiffness: 300}}\n"},
    {.name = "joints",
     .named = true,
     .entry = "joint",
     .keys = tml_keys_joint,
     .text =
         "Constraints between bodies. Angle and displacement of a joint are those of its second "
         "body relative to its first, about and along z of the first frame.",
     .example = "joints:\n"
                "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}\n"
                "  weld: {type: fixed, frames: [rod.tip, ball]}\n"},
    {.name = "forces",
     .named = true,
     .entry = "force",
     .keys = tml_keys_force,
     .text = "Springs, dampers, friction and forces given by expressions.",
     .example =
         "forces:\n  s: {type: rotational_spring, joint: pin, stiffness: 400, damping: 15}\n"},
    {.name = "materials",
     .named = true,
     .entry = "material",
     .keys = tml_keys_surface,
     .text = "Materials of surfaces. Shapes name one with `material`. Values that an entry of "
             "contacts does not give come from the two materials.",
     .example = "materials:\n"
                "  steel: {young: 210 GPa, poisson: 0.3, restitution: 0.9, friction: 0.15}\n"
                "  rubber: {young: 10 MPa, poisson: 0.49, restitution: 0.7, friction: 0.8}\n"},
    {.name = "contacts",
     .named = true,
     .entry = "contact",
     .keys = tml_keys_contact,
     .text = "Which shapes touch, and by which law. If several entries apply to a pair, the most "
             "specific one is used: shape, then body, group, all.",
     .example = "contacts:\n"
                "  floor: {between: [ball, ground], law: hunt_crossley, stiffness: 1e6,\n"
                "          exponent: 1.5, damping: 0.3}\n"},
    {.name = "variables",
     .named = true,
     .entry = "variable",
     .keys = tml_keys_variable,
     .text = "Names for expressions of the state: an expression, or a map with these keys.",
     .example = "variables: {stretch: \"DM(rod.tip, pivot) - 0.3\"}\n"},
    {.name = "states",
     .named = true,
     .entry = "state",
     .keys = tml_keys_state,
     .text = "Differential equations of the user: controllers, hydraulics, heat.",
     .example = "states:\n  i: {rate: \"(12 - 0.4*i - 0.05*angular_velocity(pin))/0.002\"}\n"},
    {.name = "inputs",
     .named = true,
     .entry = "input",
     .keys = tml_keys_input,
     .text = "Values from outside, by name in expressions: numbers that programs set, or tables.",
     .example = "inputs: {throttle: 0.3, road: {points: [[0, 0], [1, 0.02], [2, 0]]}}\n"
                "forces:\n"
                "  drive: {type: torque, body: rod, tz: 40*throttle}\n"},
    {.name = "delays",
     .named = true,
     .entry = "delay",
     .keys = tml_keys_delay,
     .text = "Values at an earlier time: delay(NAME) in expressions.",
     .example = "delays:\n"
                "  seen: {value: angle(pin), time: 20 ms}\n"
                "forces:\n"
                "  drive: {type: torque, body: rod, tz: -40*delay(seen)}\n"},
    {.name = "systems",
     .named = true,
     .entry = "system",
     .keys = tml_keys_system,
     .text = "Linear systems with inputs and outputs: matrices, or a transfer function.",
     .example = "systems:\n"
                "  lag: {inputs: angle(pin), numerator: [1], denominator: [1, 0.02]}\n"},
    {.name = "events",
     .named = true,
     .entry = "event",
     .keys = tml_keys_event,
     .text = "Events happen when an expression reaches a value: they end the run or change states.",
     .example =
         "events: {done: {when: angle(pin), condition: above, value: 90 deg, stop: true}}\n"},
    {.name = "outputs",
     .named = true,
     .entry = "output",
     .keys = tml_keys_output,
     .text = "Channels of the run: an expression, or a map with these keys.",
     .example = "outputs: {theta: angle(pin), load: {value: reaction(pin).fm, unit: N}}\n"},
    {.name = "simulate",
     .keys = tml_keys_simulate,
     .text = "Settings of the run; the command line takes precedence.",
     .example = "simulate: {end: 2, output_step: 0.01, integrator: auto, tolerance: 1e-5}\n"},
    {.name = NULL},
};

const TmlSection *tml_section_find(const char *name)
{
    for (const TmlSection *s = tml_sections; s->name != NULL; ++s) {
        if (strcmp(s->name, name) == 0) {
            return s;
        }
    }
    return NULL;
}
