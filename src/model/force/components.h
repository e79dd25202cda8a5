/* model/force/components.h - up to three components by expressions, in the axes of a frame.
 *
 *   (C1)  y = sum_k F_k c_k,  F_k the unknowns, c_k axes of the chosen frame
 *   (C2)  dy = -y~ dtheta of that frame
 */
#pragma once

#include "math/vec3.h"
#include "trammel/element.h"

/* The whole data of a type that uses these functions in its table. */
typedef struct ComponentsData {
    struct TmlBinding *component[3]; /* NULL: zero, and no unknown */
    int axes;                        /* ground, first, second */
} ComponentsData;

enum { AXES_GROUND, AXES_FIRST, AXES_SECOND };

#define AXES_CHOICES "ground|first|second"

/* Which of the three components the k-th unknown is. */
static inline int components_which(const ComponentsData *p, int k)
{
    int c = 0;
    for (int seen = -1; c < 2; ++c) {
        seen += p->component[c] != NULL;
        if (seen == k) {
            break;
        }
    }
    return c;
}

static inline int components_n_f(const void *data)
{
    const ComponentsData *p = data;
    return (p->component[0] != NULL) + (p->component[1] != NULL) + (p->component[2] != NULL);
}

static inline const struct TmlBinding *components_f_binding(const void *data, int k)
{
    const ComponentsData *p = data;
    return p->component[components_which(p, k)];
}

/* c_k in global axes. */
static inline TmlVec3 components_direction(const TmlElementIn *in, int k)
{
    const ComponentsData *p = in->data;
    const int c = components_which(p, k);
    const TmlMat33 A = p->axes == AXES_GROUND ? m3_identity() : in->e[p->axes == AXES_SECOND].A;
    return c == 0 ? A.cx : c == 1 ? A.cy : A.cz;
}

static inline TmlVec3 components_vector(const TmlElementIn *in)
{
    TmlVec3 y = v3(0, 0, 0);
    for (int k = 0; k < components_n_f(in->data); ++k) {
        y = v3_axpy(in->f[k], components_direction(in, k), y); // (C1)
    }
    return y;
}
