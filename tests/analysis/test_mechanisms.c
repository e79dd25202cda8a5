/* tests/analysis/test_mechanisms.c - the texts of mechanisms.h. */
#include "mechanisms.h"

const char pendulum[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0.5, 0, 0], angular_velocity: [0, 0, 1]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}\n";

const char ball_pendulum[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  bar: {mass: 2, inertia: [0.05, 0.2, 0.22], cm: [0.5, 0, 0], angular_velocity: [1, 0.5, 3]}\n"
    "joints:\n"
    "  ball: {type: spherical, bodies: [ground, bar], at: [0, 0, 0]}\n";

/* Fast spin about an axis of its own: what is first order when M(q) stands at another time. */
const char top[] = "trammel: 1\n"
                   "gravity: [0, 0, -9.81]\n"
                   "bodies:\n"
                   "  top: {mass: 2, inertia: [0.02, 0.02, 0.03], cm: [0, 0, 0.3],\n"
                   "        rotation: {axis: x, angle: 0.7}, angular_velocity: [0.5, -15, 20]}\n"
                   "joints:\n"
                   "  tip: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}\n";

const char four_bar[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 0.5, inertia: [0.001, 0.01, 0.01], cm: [0.15, 0, 0],\n"
    "          rotation: {axis: z, angle: 1.2}, angular_velocity: [0, 0, 5]}\n"
    "  rod: {mass: 1, inertia: [0.001, 0.1, 0.1], position: [0.35, 0.5, 0],\n"
    "        rotation: {axis: z, angle: 0.5}}\n"
    "  rocker: {mass: 0.8, inertia: [0.001, 0.05, 0.05], cm: [0.3, 0, 0], position: [0.9, 0, 0],\n"
    "           rotation: {axis: z, angle: 1.7}}\n"
    "joints:\n"
    "  A: {type: revolute, frames: [ground, crank]}\n"
    "  B: {type: revolute, frames: [{body: crank, position: [0.3, 0, 0]},\n"
    "                               {body: rod, position: [-0.45, 0, 0]}]}\n"
    "  C: {type: revolute, frames: [{body: rod, position: [0.45, 0, 0]},\n"
    "                               {body: rocker, position: [0.6, 0, 0]}]}\n"
    "  D: {type: revolute, frames: [{body: ground, position: [0.9, 0, 0]}, rocker]}\n";

const char double_pendulum[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod1: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0]}\n"
    "  rod2: {mass: 0.3, inertia: [0.01, 0.2, 0.2], position: [2.8, -0.5, 0],\n"
    "         rotation: {axis: z, angle: -0.6}, cm: [0.2, 0, 0], angular_velocity: [0, 0, 2]}\n"
    "joints:\n"
    "  pin1: {type: revolute, bodies: [ground, rod1], at: [0, 0, 0], axis: z}\n"
    "  pin2: {type: revolute, bodies: [rod1, rod2], at: [2, 0, 0], axis: z}\n"
    "forces:\n"
    "  turn: {type: rotational_spring, joint: pin1, stiffness: 40, damping: 3}\n"
    "  bend: {type: rotational_spring, joint: pin2, stiffness: 10, damping: 0.2}\n"
    "  pull: {type: spring, frames: [{body: ground, position: [1, 2, 0.5]}, rod2],\n"
    "         stiffness: 20, damping: 1, free_length: 1}\n";
