/* io/report/scene_default.c - a shape for a body that has none, from mass, inertia and joint positions.
 *
 * Bars lead to the points where joints act; what has no such points away from its centre of mass is
 * the simple solid with the same inertia. J_k: principal moments, m: mass.
 *   (1)  ball       r^2 = 5 J / (2 m)
 *   (2)  cylinder   r^2 = 2 J_a / m about its axis a,  h^2 = 12 J_b / m - 3 r^2
 *   (3)  box        e_k^2 = 6 (J_i + J_j - J_k) / m
 *   (4)  rod        l^2 = 12 J / m
 */
#include "io/report/scene.h"

#include "math/principal.h"
#include "math/vec3.h"
#include "model/body/body.h"

#include <math.h>

enum { POINTS_MAX = 32 };

static const TmlQuat upright = {1, 0, 0, 0};

static void bar(TmlScene *s, TmlVec3 from, TmlVec3 to, double radius)
{
    tml_scene_shape(s, "link", v3(0, 0, 0), upright);
    tml_scene_vec(s, "from", from);
    tml_scene_vec(s, "to", to);
    tml_json_number(&s->json, "radius", radius);
    tml_json_string(&s->json, "color", NULL);
    tml_json_close(&s->json);
}

static void ball(TmlScene *s, double radius)
{
    tml_scene_shape(s, "sphere", v3(0, 0, 0), upright);
    tml_json_number(&s->json, "radius", radius);
    tml_json_string(&s->json, "color", NULL);
    tml_json_close(&s->json);
}

static void cylinder(TmlScene *s, double radius, double length, TmlVec3 axis)
{
    tml_scene_shape(s, "cylinder", v3(0, 0, 0), upright);
    tml_json_number(&s->json, "radius", radius);
    tml_json_number(&s->json, "length", length);
    tml_scene_vec(s, "axis", axis);
    tml_json_string(&s->json, "color", NULL);
    tml_json_close(&s->json);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 0.02 * fmax(fabs(a), fabs(b));
}

/* What the eye can still find and what does not hide the rest. */
static double visible(const TmlScene *s, double length)
{
    return fmin(fmax(length, 0.01 * s->size), s->size);
}

/* The simple solid with the same inertia. */
static void solid(TmlScene *s, double mass, const TmlMat33 *J)
{
    double w[3];
    TmlMat33 V;
    tml_principal(J, w, &V);
    const TmlVec3 axis[3] = {V.cx, V.cy, V.cz};
    const double sum = w[0] + w[1] + w[2];
    if (near(w[0], w[1]) && near(w[1], w[2])) {
        ball(s, visible(s, sqrt(2.5 * w[0] / mass))); // (1)
        return;
    }
    for (int a = 0; a < 3; ++a) {
        const double across = w[(a + 1) % 3];
        if (near(across, w[(a + 2) % 3])) { // (2)
            const double r2 = 2.0 * w[a] / mass, h2 = 12.0 * across / mass - 3.0 * r2;
            cylinder(s, visible(s, sqrt(r2)), visible(s, sqrt(fmax(h2, 0.04 * r2))), axis[a]);
            return;
        }
    }
    double edge[3];
    for (int k = 0; k < 3; ++k) {
        edge[k] = visible(s, sqrt(fmax(6.0 * (sum - 2.0 * w[k]) / mass, 0.0))); // (3)
    }
    tml_scene_shape(s, "box", v3(0, 0, 0), q4_from_matrix(&V));
    tml_scene_vec(s, "size", v3(edge[0], edge[1], edge[2]));
    tml_json_string(&s->json, "color", NULL);
    tml_json_close(&s->json);
}

/* Points away from the centre of mass, each once. */
static int distinct(const TmlScene *s, const TmlScenePoints *points, TmlVec3 out[POINTS_MAX])
{
    const double close = 1e-3 * s->size;
    int n = 0;
    for (int k = 0; k < points->n && n < POINTS_MAX; ++k) {
        bool known = v3_norm(points->at[k]) < close;
        for (int i = 0; i < n && !known; ++i) {
            known = v3_norm(v3_sub(points->at[k], out[i])) < close;
        }
        if (!known) {
            out[n++] = points->at[k];
        }
    }
    return n;
}

/* Is the mass spread like that of a rod from p to -p? (4) */
static bool is_rod(double mass, const TmlMat33 *J, TmlVec3 p)
{
    const TmlVec3 u = v3_unit(p), Ju = m3_mulv(J, u);
    const double along = v3_dot(u, Ju), trace = J->cx.x + J->cy.y + J->cz.z;
    const double across = 0.5 * (trace - along), length = sqrt(fmax(12.0 * across / mass, 0.0));
    return length > 1.4 * v3_norm(p) && length < 2.8 * v3_norm(p) && along < 0.5 * across;
}

static void bars(TmlScene *s, int n, const TmlVec3 *p, bool rod, double radius)
{
    if (n == 1) {
        bar(s, p[0], rod ? v3_neg(p[0]) : v3(0, 0, 0), radius);
        return;
    }
    const TmlVec3 d = v3_sub(p[1], p[0]);
    const double aside = v3_norm(v3_cross(d, p[0])) / v3_norm(d);
    if (n == 2 && aside < 0.1 * v3_norm(d)) {
        bar(s, p[0], p[1], radius);
        return;
    }
    for (int k = 0; k < n; ++k) {
        bar(s, v3(0, 0, 0), p[k], radius);
    }
}

void tml_scene_default(TmlScene *s, const TmlBody *body, const TmlScenePoints *points)
{
    TmlVec3 p[POINTS_MAX];
    const int n = distinct(s, points, p);
    double mass = 0.0;
    TmlMat33 J = {0};
    if (body->type->inertia != NULL) {
        body->type->inertia(body->data, &mass, &J);
    }
    const double trace = J.cx.x + J.cy.y + J.cz.z;
    const bool heavy = mass > 0.0 && trace > 0.0;
    double reach = 0.0;
    for (int k = 0; k < n; ++k) {
        reach = fmax(reach, v3_norm(p[k]));
    }
    const double radius = fmin(fmax(0.04 * reach, 0.004 * s->size), 0.02 * s->size);
    const bool rod = n == 1 && heavy && is_rod(mass, &J, p[0]);
    if (n > 0) {
        bars(s, n, p, rod, radius);
    }
    if (n == 0 && heavy) {
        solid(s, mass, &J);
    } else if ((n == 1 && !rod) || n == 0) {
        // a ball of aluminium, as far as that can be seen
        const double own = cbrt(3.0 * mass / (4.0 * M_PI * 2700.0));
        ball(s, fmin(fmax(own, 0.01 * s->size), 0.05 * s->size));
    } else if (n > 2) {
        ball(s, 1.5 * radius);
    }
}
