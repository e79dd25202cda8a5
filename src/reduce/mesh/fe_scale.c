/* reduce/mesh/fe_scale.c - a mesh in other units of length.
 *
 * Files have no units. What they hold is consistent when forces are in N and times in s: with a unit of
 * length of s metres
 *
 *   (FS1)  x s,  thickness s,  area s^2,  second moments s^4,  Young's modulus / s^2,  density / s^4
 *
 * so that 210000 N/mm^2 and 7.85e-9 t/mm^3 become 210e9 Pa and 7850 kg/m^3.
 */
#include "reduce/mesh/assemble.h"

void tml_fe_scale(TmlFeMesh *mesh, double s)
{
    const double s2 = s * s, s4 = s2 * s2;
    for (int k = 0; k < mesh->n_nodes; ++k) { // (FS1)
        mesh->x[k] = (TmlVec3){s * mesh->x[k].x, s * mesh->x[k].y, s * mesh->x[k].z};
    }
    for (int k = 0; k < mesh->n_couplings; ++k) {
        TmlVec3 *at = &mesh->coupling[k].at;
        *at = (TmlVec3){s * at->x, s * at->y, s * at->z};
    }
    for (int k = 0; k < mesh->n_terms; ++k) { // against displacements, which are lengths
        mesh->term[k].factor *= mesh->term[k].freedom < 3 ? 1.0 : s;
    }
    for (int k = 0; k < mesh->n_sections; ++k) {
        TmlFeSection *c = &mesh->section[k];
        c->area *= s2;
        c->Iy *= s4;
        c->Iz *= s4;
        c->J *= s4;
        c->reach_y *= s;
        c->reach_z *= s;
        c->twist.corner /= s * s2;
        c->twist.y /= s * s2;
        c->twist.z /= s * s2;
        c->thickness *= s;
        c->mass /= s; // N s^2 and N by that unit
        c->rate /= s;
        for (int i = 0; i < 3; ++i) {
            c->inertia[i] *= s; // of a mass by that unit, times its square
        }
    }
    for (int k = 0; k < mesh->n_materials; ++k) {
        mesh->material[k].young /= s2;
        mesh->material[k].density /= s4;
    }
}
