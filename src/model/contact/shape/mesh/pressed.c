/* model/contact/shape/mesh/pressed.c - pressure over triangles of meshes, summed over flat patches.
 *
 * With the depth d of points of a triangle below the surface of the other solid, linear over a polygon, the pressure is k d.
 * Of a whole patch, triangles of one plane, these sums are kept, u being places in it:
 *
 *   (M2)  V = int d dA,  int d u dA,  int d u u^T dA,  E = int d^2 / 2 dA
 *
 * V is the overlap of (P4), and k V the force along the normal of the patch. It is shown as four pieces of V/4 at the places
 * of (D1) with the moments of the pressure, which thus resists tilting and spinning. The depth of all is
 * E/V: half of how deep two faces are in each other. The product of three linear functions over a triangle of area A, by
 * their values at its corners:
 *
 *   (M3)  int f g h = A/60 (F G H + F (gh) + G (fh) + H (fg) + 2 (fgh)),  F = sum of f, (gh) = sum of g h
 *
 * More patches than there is room for go to the one with the nearest normal: the force stays, the moment does not.
 */
#include "model/contact/shape/mesh/pressed.h"

/* --- sheets ----------------------------------------------------------------------------------- */

static DualVec placed(const TmlDualPose *at, TmlVec3 x)
{
    return at != NULL ? tml_dual_out(at, d6v(x)) : d6v(x);
}

static DualVec turned(const TmlDualPose *at, TmlVec3 x)
{
    return at != NULL ? d6v_sum(at->axis, d6v(x)) : d6v(x);
}

void tml_sheet(const TmlMeshSolid *m, int triangle, const TmlDualPose *at, TmlSheet *out,
               TmlCutPolygon *polygon)
{
    const TmlVec3 n = m->normal[triangle];
    const TmlVec3 u = v3_unit(v3_cross(n, fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0)));
    const TmlVec3 v = v3_cross(n, u), a = m->t.corner[m->t.triangle[triangle][0]];
    *out = (TmlSheet){.origin = placed(at, a),
                      .across = {turned(at, u), turned(at, v)},
                      .normal = turned(at, n),
                      .patch = m->patch[triangle],
                      .second = at != NULL};
    polygon->n = 3;
    for (int i = 0; i < 3; ++i) {
        const TmlVec3 d = v3_sub(m->t.corner[m->t.triangle[triangle][i]], a);
        polygon->x[i] = (TmlCutPoint){d6(v3_dot(d, u)), d6(v3_dot(d, v))};
    }
}

void tml_sheet_linear(const TmlSheet *s, DualVec n, Dual c, Dual g[3])
{
    g[0] = d6_add(d6v_dot(n, s->origin), c);
    g[1] = d6v_dot(n, s->across[0]);
    g[2] = d6v_dot(n, s->across[1]);
}

/* --- sums ------------------------------------------------------------------------------------- */

static Dual sum3(const Dual a[3])
{
    return d6_add(a[0], d6_add(a[1], a[2]));
}

static Dual sum_of_products(const Dual a[3], const Dual b[3])
{
    return d6_add(d6_mul(a[0], b[0]), d6_add(d6_mul(a[1], b[1]), d6_mul(a[2], b[2])));
}

/* (M3) over A. */
static Dual triple(const Dual f[3], const Dual g[3], const Dual h[3])
{
    const Dual F = sum3(f), G = sum3(g), H = sum3(h);
    Dual fgh = d6(0.0);
    for (int i = 0; i < 3; ++i) {
        fgh = d6_add(fgh, d6_mul(f[i], d6_mul(g[i], h[i])));
    }
    const Dual pairs =
        d6_add(d6_mul(F, sum_of_products(g, h)),
               d6_add(d6_mul(G, sum_of_products(f, h)), d6_mul(H, sum_of_products(f, g))));
    return d6_scale(1.0 / 60.0, d6_add(d6_mul(F, d6_mul(G, H)), d6_add(pairs, d6_scale(2.0, fgh))));
}

static Dual twofold(const Dual f[3], const Dual g[3])
{
    return d6_scale(1.0 / 12.0, d6_add(d6_mul(sum3(f), sum3(g)), sum_of_products(f, g)));
}

static void add_to(Dual *to, Dual weight, Dual x)
{
    *to = d6_add(*to, d6_mul(weight, x));
}

/* A triangle of a polygon; shift: from the place of the part to that of the sheet. */
static void add_triangle(TmlPressed *p, const TmlCutPoint *const x[3], const Dual g[3],
                         const Dual shift[2], Dual weight)
{
    Dual d[3], u[3], v[3];
    for (int i = 0; i < 3; ++i) {
        d[i] = tml_cut_value(g, x[i]);
        u[i] = d6_add(x[i]->u, shift[0]);
        v[i] = d6_add(x[i]->v, shift[1]);
    }
    const Dual cross = d6_sub(d6_mul(d6_sub(u[1], u[0]), d6_sub(v[2], v[0])),
                              d6_mul(d6_sub(v[1], v[0]), d6_sub(u[2], u[0])));
    const Dual area = d6_mul(weight, d6_scale(0.5, cross));
    add_to(&p->force, area, d6_scale(1.0 / 3.0, sum3(d))); // (M2)
    add_to(&p->first[0], area, twofold(d, u));
    add_to(&p->first[1], area, twofold(d, v));
    add_to(&p->second[0], area, triple(d, u, u));
    add_to(&p->second[1], area, triple(d, u, v));
    add_to(&p->second[2], area, triple(d, v, v));
    add_to(&p->energy, area, d6_scale(0.5, twofold(d, d)));
}

static TmlPressed *part_of(TmlPressedSum *sum, const TmlSheet *sheet)
{
    int best = 0;
    for (int k = 0; k < sum->n; ++k) {
        const TmlSheet *s = &sum->part[k].sheet;
        if (s->patch == sheet->patch && s->second == sheet->second) {
            return &sum->part[k];
        }
    }
    if (sum->n < TML_PRESSED) {
        sum->part[sum->n] = (TmlPressed){.sheet = *sheet};
        return &sum->part[sum->n++];
    }
    double nearest = -HUGE_VAL;
    for (int k = 0; k < sum->n; ++k) {
        const TmlSheet *s = &sum->part[k].sheet;
        const double along = d6v_dot(s->normal, sheet->normal).x;
        if (s->second == sheet->second && along > nearest) {
            nearest = along;
            best = k;
        }
    }
    return &sum->part[best];
}

void tml_press_add(TmlPressedSum *sum, const TmlSheet *sheet, const TmlCutPolygon *polygon,
                   const Dual g[3], Dual weight)
{
    if (polygon->n < 3) {
        return;
    }
    TmlPressed *p = part_of(sum, sheet);
    const DualVec d = d6v_sub(sheet->origin, p->sheet.origin);
    const Dual shift[2] = {d6v_dot(d, p->sheet.across[0]), d6v_dot(d, p->sheet.across[1])};
    for (int k = 2; k < polygon->n; ++k) {
        const TmlCutPoint *const x[3] = {&polygon->x[0], &polygon->x[k - 1], &polygon->x[k]};
        add_triangle(p, x, g, shift, weight);
    }
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* Centroid of the pressure and the root of its second moments (D2). False: rounding is all there is. */
static bool feet_of(const TmlPressed *p, Dual centre[2], Dual root[3])
{
    const Dual u = d6_div(p->first[0], p->force), v = d6_div(p->first[1], p->force);
    const Dual xx = d6_sub(d6_div(p->second[0], p->force), d6_mul(u, u));
    const Dual xy = d6_sub(d6_div(p->second[1], p->force), d6_mul(u, v));
    const Dual yy = d6_sub(d6_div(p->second[2], p->force), d6_mul(v, v));
    const Dual trace = d6_add(xx, yy);
    const Dual det = d6_sub(d6_mul(xx, yy), d6_mul(xy, xy));
    centre[0] = u;
    centre[1] = v;
    if (!(trace.x > 0.0) || !(det.x > 1e-20 * trace.x * trace.x)) {
        return false;
    }
    const Dual D = d6_sqrt(det), size = d6_sqrt(d6_add(trace, d6_scale(2.0, D)));
    const Dual f = d6_div(d6(sqrt(2.0)), size);
    root[0] = d6_mul(f, d6_add(xx, D));
    root[1] = d6_mul(f, xy);
    root[2] = d6_mul(f, d6_add(yy, D));
    return true;
}

static void write_piece(const TmlPressed *p, const Dual at[2], int parts, int k, int n,
                        TmlTouch *touch, TmlTouchRate *rate)
{
    const TmlSheet *s = &p->sheet;
    const DualVec x = d6v_axpy(at[0], s->across[0], d6v_axpy(at[1], s->across[1], s->origin));
    const Dual depth = d6_div(p->energy, p->force);
    TmlDualTouch o = {.n = d6v_times(s->second ? -1.0 : 1.0, s->normal),
                      .depth = depth,
                      .size = d6_scale(1.0 / parts, p->force)};
    o.p = d6v_axpy(d6_neg(depth), s->normal, x); // midway: into the mesh
    o.id = ((uint64_t)s->second << 50) | ((uint64_t)(s->patch + 1) << 8) | (uint64_t)k;
    tml_touch_write(&o, n, touch, rate);
}

int tml_press_write(const TmlPressedSum *sum, TmlTouch *touch, TmlTouchRate *rate)
{
    const int feet = 4 * sum->n <= TML_TOUCH_MAX ? 4 : 1;
    double all = 0.0;
    int n = 0;
    for (int k = 0; k < sum->n; ++k) {
        all += sum->part[k].force.x;
    }
    for (int k = 0; k < sum->n; ++k) {
        const TmlPressed *p = &sum->part[k];
        Dual centre[2], root[3];
        if (!(p->force.x > 1e-13 * all) || !(p->energy.x > 0.0)) {
            continue; // rounding
        }
        if (!feet_of(p, centre, root) || feet == 1) {
            write_piece(p, centre, 1, 0, n++, touch, rate);
            continue;
        }
        for (int i = 0; i < 4; ++i) { // (D1)
            const double sign = i % 2 == 0 ? 1.0 : -1.0;
            const Dual at[2] = {d6_add(centre[0], d6_scale(sign, root[i / 2])),
                                d6_add(centre[1], d6_scale(sign, root[1 + i / 2]))};
            write_piece(p, at, 4, i, n++, touch, rate);
        }
    }
    return n;
}
