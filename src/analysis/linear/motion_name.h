/* analysis/linear/motion_name.h - a motion of the bodies in words. */
#pragma once

#include "system/system.h"

/* "body 'a' along (0, -1, 0), body 'b' turning about (0, 0, 1) (in joint 'pin')" for the largest
 * parts of the motion x[nu] from the positions of s, and the joints in which bodies move against
 * each other. The size of x is 1 (translation over the model's length, rotation). Makes x the
 * velocity of s and leaves the system's kinematics there. */
void tml_motion_name(TmlSystem *sys, TmlState *s, const double *x, char *text, size_t size);
