/* tests/mechanisms/bennett.h - Bennett's linkage as a model, with whatever stands beside it.
 */
#pragma once

#include "math/vec3.h"

#include <stdio.h>

/* Bennett's linkage, twists 0.6 and 1.2 rad. In 3 s it swings through positions in which the rows
 * that are kept at the start are dependent and it is not singular. `bodies` goes among the bodies, `rest` before the outputs,
 * `outputs` behind angle and load. */
static inline void bennett(const char *bodies, const char *rest, const char *outputs, char *text,
                           size_t size)
{
    const double twist[2] = {0.6, 1.2}, a = 0.5, theta = 1.3;
    const double length[2] = {a, a * sin(1.2) / sin(0.6)};
    const double phi = 2.0 * atan(sin(0.9) / sin(0.3) / tan(theta / 2.0));
    const double angle[4] = {theta, phi, -theta, -phi};
    static const char *const body[4] = {"ground", "b1", "b2", "b3"};
    TmlMat33 pose = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; // columns
    TmlVec3 at[4], axis[4], origin = {0, 0, 0};
    for (int k = 0; k < 4; ++k) {
        at[k] = origin;
        axis[k] = pose.cz;
        const double c = cos(angle[k]), s = sin(angle[k]);
        const double ct = cos(twist[k % 2]), st = sin(twist[k % 2]);
        const TmlMat33 turn = {{c, s, 0}, {-s * ct, c * ct, st}, {s * st, -c * st, ct}};
        pose = m3_mul(&pose, &turn);
        origin = v3_axpy(length[k % 2], pose.cx, origin);
    }
    size_t n =
        (size_t)snprintf(text, size, "trammel: 1\ngravity: [1, -9.81, 2]\nbodies:\n%s", bodies);
    for (int k = 1; k < 4; ++k) {
        const TmlVec3 m = v3_scale(0.5, v3_add(at[k], at[(k + 1) % 4]));
        n += (size_t)snprintf(text + n, size - n,
                              "  %s: {mass: 1, inertia: [0.05, 0.06, 0.07], position: [%.17g, "
                              "%.17g, %.17g]}\n",
                              body[k], m.x, m.y, m.z);
    }
    n += (size_t)snprintf(text + n, size - n, "joints:\n");
    for (int k = 0; k < 4; ++k) {
        n += (size_t)snprintf(text + n, size - n,
                              "  p%d: {type: revolute, bodies: [%s, %s], at: [%.17g, %.17g, "
                              "%.17g], axis: [%.17g, %.17g, %.17g]}\n",
                              k, body[(k + 3) % 4], body[k], at[k].x, at[k].y, at[k].z, axis[k].x,
                              axis[k].y, axis[k].z);
    }
    snprintf(text + n, size - n, "%soutputs: {angle: angle(p1), load: reaction(p0).fm%s}\n", rest,
             outputs);
}
