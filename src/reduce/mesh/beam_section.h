/* reduce/mesh/beam_section.h - area and moments of common cross sections of beams. */
#pragma once

#include "reduce/element/element.h"

/* Each fills area, moments, shear factors (Cowper's, by Poisson's ratio) and reach; name and direction are
 * left as they are. y and z as in TmlFeSection. */
void tml_section_rectangle(double along_y, double along_z, double poisson, TmlFeSection *s);
/* inner_radius 0: a full circle. */
void tml_section_tube(double radius, double inner_radius, double poisson, TmlFeSection *s);
/* A rectangular tube; its wall is thin. */
void tml_section_box(double along_y, double along_z, double wall, TmlFeSection *s);
