/* model/read/read_ends.c - the frames that an element connects.
 *
 *   (N1)  s_b = A^T (r - r_cm),  A_b = A^T A_f      a frame at a global place, on a body
 */
#include <math.h>

#include "math/vec3.h"
#include "model/body/body.h"
#include "model/flexible/mesh.h"
#include "model/modal/modal.h"
#include "model/read/read.h"

/* On a flexible body: the closest point of its axis or middle surface, with an offset from there.
 */
static TmlEnd flexible_end(TmlModel *m, int mesh, TmlVec3 r, const TmlMat33 *A_f)
{
    double xi[3];
    const int point = tml_flex_add_point(m, tml_mesh_closest(m, mesh, r, xi), xi);
    TmlEnd end = {m->meshes.at[mesh].body, {0, 0, 0}, m3_identity(), point + 1};
    if (point >= 0) {
        const TmlFrameKin k = tml_flex_initial_point(m, point);
        const TmlVec3 s = m3_tmulv(&k.A, v3_sub(r, k.r));
        // a place on the axis, to rounding, is on the axis
        end.s_b = v3_norm(s) > 1e-12 * (1.0 + v3_norm(r)) ? s : v3(0, 0, 0);
        end.A_b = m3_tmul(&k.A, A_f);
    }
    return end;
}

TmlEnd tml_end_at(TmlModel *m, int body, TmlVec3 r, const TmlMat33 *A_f)
{
    const int mesh = m->bodies.at[body].type->mesh ? tml_mesh_of_body(m, body) : -1;
    if (mesh >= 0) {
        return flexible_end(m, mesh, r, A_f);
    }
    const int modal = tml_modal_of_body(m, body);
    if (modal >= 0) {
        return tml_modal_end(m, modal, r, A_f);
    }
    const TmlMat33 A = q4_matrix(m->bodies.at[body].p0);
    return tml_body_end(body, m3_tmulv(&A, v3_sub(r, m->bodies.at[body].r0)),
                        m3_tmul(&A, A_f)); // (N1)
}

static bool make_ends(TmlEntry *x, int n, TmlEnd **end, int *n_ends)
{
    *end = tml_reader_alloc(x->r, (size_t)n, sizeof **end);
    *n_ends = *end != NULL ? n : 0;
    for (int k = 0; k < *n_ends; ++k) {
        (*end)[k] = tml_body_end(TML_GROUND, v3(0, 0, 0), m3_identity());
    }
    return *end != NULL;
}

/* Axes of a joint frame from axis and x_axis. */
static bool read_axes(TmlEntry *x, TmlMat33 *A)
{
    const TmlValue *axis = tml_value_find(x->value, "axis");
    const TmlValue *x_axis = tml_value_find(x->value, "x_axis");
    TmlVec3 z = v3(0, 0, 1), hint = {0};
    bool ok = axis == NULL || tml_read_direction(x, axis, "axis", &z);
    ok &= x_axis == NULL || tml_read_direction(x, x_axis, "x_axis", &hint);
    if (!ok) {
        return false;
    }
    if (x_axis != NULL && v3_norm(v3_cross(z, hint)) <= 1e-9) { // sine of the angle between them
        tml_entry_error(x, x_axis, "x_axis is parallel to axis");
        return false;
    }
    // without a hint the global axes are taken where they fit, so that z gives global x and y
    *A = m3_from_z(z, x_axis != NULL ? hint : fabs(z.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0));
    return true;
}

/* axes: [a1, a2]: x of the first frame, y of the second. */
static bool read_cross(TmlEntry *x, const TmlValue *v, TmlMat33 *A)
{
    TmlVec3 a1, a2;
    if (v->kind != TML_VALUE_LIST || v->n != 2) {
        tml_entry_expected(x, v, "axes", "a list of two vectors");
        return false;
    }
    const bool ok = tml_read_direction(x, v->item[0], "axes", &a1);
    if (!tml_read_direction(x, v->item[1], "axes", &a2) || !ok) {
        return false;
    }
    // 1e-9: what a rotation written with full digits leaves
    if (fabs(v3_dot(a1, a2)) > 1e-9) {
        tml_entry_error(x, v, "the axes must be perpendicular; they are at %.6g deg",
                        acos(fmax(-1.0, fmin(1.0, v3_dot(a1, a2)))) * (180.0 / 3.14159265358979));
        return false;
    }
    *A = (TmlMat33){a1, a2, v3_cross(a1, a2)};
    return true;
}

static void refuse(TmlEntry *x, const char *key, const char *with)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v != NULL) {
        tml_entry_error(x, v, "'%s' does not go with '%s'", key, with);
    }
}

/* Is it one place of one body? Frames there cannot move against each other. */
static bool same_place(const TmlModel *m, const TmlEnd *end)
{
    if (end[0].body != end[1].body || end[0].point == 0 || end[1].point == 0) {
        return end[0].body == end[1].body && end[0].point == end[1].point;
    }
    const TmlFlexPoint *p = &m->points.at[end[0].point - 1], *q = &m->points.at[end[1].point - 1];
    return p->flex == q->flex && p->modal == q->modal && p->frame == q->frame &&
           p->xi[0] == q->xi[0] && p->xi[1] == q->xi[1] && p->xi[2] == q->xi[2];
}

/* False: reported at v. */
static bool check_apart(TmlEntry *x, const TmlValue *v, const TmlEnd *end)
{
    if (!same_place(x->r->m, end)) {
        return true;
    }
    tml_entry_error(x, v, "connects %s '%s' to itself",
                    end[0].point > 0 ? "a place of flexible body" : "body",
                    x->r->m->bodies.at[end[0].body].name);
    return false;
}

/* Names the frames of a part, for messages. */
static const char *frames_of(TmlEntry *x, const TmlPart *part)
{
    const char *list = "";
    for (int f = 0; f < part->n_frames && list != NULL; ++f) {
        list = tml_reader_printf(x->r, "%s%s%s", list, f > 0 ? ", " : "", part->frame[f].name);
    }
    return list != NULL ? list : "";
}

/* What holds a modal body holds a frame of its part: the floating frame is no point of it, and between frames it bends. False:
 * reported at v. */
static bool check_modal(TmlEntry *x, const TmlValue *v, const TmlEnd *end, bool by_place)
{
    const TmlModel *m = x->r->m;
    const int modal = tml_modal_of_body(m, end->body);
    const TmlPart *part = modal >= 0 ? m->modals.at[modal].part : NULL;
    if (part == NULL || (end->point == 0 && part->m == 0)) {
        return true;
    }
    if (end->point == 0) {
        tml_entry_warning(x, v,
                          "'%s' alone is the floating frame of a modal body, no point of it: what "
                          "holds it holds a mean of its motion. Name "
                          "a frame of its part, '%s.NAME': %s",
                          m->bodies.at[end->body].name, m->bodies.at[end->body].name,
                          frames_of(x, part));
        return true;
    }
    const double off = v3_norm(end->s_b);
    if (by_place && off > 1e-6 * part->size) {
        const char *near = part->frame[m->points.at[end->point - 1].frame].name;
        tml_entry_error(x, v,
                        "modal body '%s' has no frame there; '%s' is nearest, %.3g m off. Add an "
                        "interface to the part, or say "
                        "frames: [...] with a frame of the body that '%s' carries",
                        m->bodies.at[end->body].name, near, off, near);
        return false;
    }
    return true;
}

/* The same body twice is possible where it is flexible and two points are given. */
static bool read_two_bodies(TmlEntry *x, const TmlValue *v, TmlEndsKind kind, int body[2])
{
    if (v->kind != TML_VALUE_LIST || v->n != 2) {
        tml_entry_expected(x, v, "bodies", "a list of two bodies");
        return false;
    }
    bool ok = tml_read_body_ref(x, v->item[0], "bodies", &body[0]);
    ok &= tml_read_body_ref(x, v->item[1], "bodies", &body[1]);
    const TmlBody *first = &x->r->m->bodies.at[body[0]];
    const bool bends = ok && first->type->mesh && kind == TML_ENDS_POINTS;
    if (ok && body[0] == body[1] && !bends) {
        tml_entry_error(x, v, "connects body '%s' to itself", first->name);
        return false;
    }
    return ok;
}

static bool read_two_frames(TmlEntry *x, const TmlValue *v, TmlEndsKind kind, TmlEnd *end)
{
    static const char *const others[] = {"bodies", "at", "axis", "x_axis", "points"};
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
        refuse(x, others[k], "frames");
    }
    if (kind != TML_ENDS_ONE) {
        refuse(x, "axes", "frames");
    }
    if (v->kind != TML_VALUE_LIST || v->n != 2) {
        tml_entry_expected(x, v, "frames", "a list of two frames");
        return false;
    }
    bool ok = tml_read_frame_ref(x, v->item[0], "frames", &end[0]);
    ok &= tml_read_frame_ref(x, v->item[1], "frames", &end[1]);
    return ok && check_modal(x, v->item[0], &end[0], false) &&
           check_modal(x, v->item[1], &end[1], false) && check_apart(x, v, end);
}

static bool read_points(TmlEntry *x, const TmlValue *v, TmlVec3 r[2])
{
    if (v == NULL) {
        tml_entry_error(x, x->key, "missing key 'points': a point of each body, global");
        return false;
    }
    if (v->kind != TML_VALUE_LIST || v->n != 2) {
        tml_entry_expected(x, v, "points", "a list of two points");
        return false;
    }
    const bool ok = tml_read_vec3(x, v->item[0], "points", &r[0]);
    return tml_read_vec3(x, v->item[1], "points", &r[1]) && ok;
}

static bool read_at(TmlEntry *x, const TmlValue *v, TmlVec3 r[2])
{
    if (v == NULL) {
        tml_entry_error(x, x->key, "missing key 'at': the point, global, at the start");
        return false;
    }
    const bool ok = tml_read_vec3(x, v, "at", &r[0]);
    r[1] = r[0];
    return ok;
}

/* Two ends: `frames`, or `bodies` with a place. */
static bool read_pair(TmlEntry *x, TmlEndsKind kind, TmlEnd *end)
{
    const TmlValue *frames = tml_value_find(x->value, "frames");
    const TmlValue *bodies = tml_value_find(x->value, "bodies");
    // for one end `axes` is a parameter of the element
    const TmlValue *cross = kind != TML_ENDS_ONE ? tml_value_find(x->value, "axes") : NULL;
    if (frames != NULL) {
        return read_two_frames(x, frames, kind, end);
    }
    if (bodies == NULL) {
        tml_entry_error(x, x->key,
                        "missing key 'bodies' or 'frames': the bodies or frames that it connects");
        return false;
    }
    int body[2] = {TML_GROUND, TML_GROUND};
    TmlVec3 r[2];
    TmlMat33 A = m3_identity();
    bool ok = read_two_bodies(x, bodies, kind, body);
    ok &= kind == TML_ENDS_POINTS ? read_points(x, tml_value_find(x->value, "points"), r)
                                  : read_at(x, tml_value_find(x->value, "at"), r);
    if (cross != NULL) {
        refuse(x, "axis", "axes");
        refuse(x, "x_axis", "axes");
        ok &= read_cross(x, cross, &A);
    } else {
        ok &= read_axes(x, &A);
    }
    for (int k = 0; k < 2 && ok; ++k) {
        end[k] = tml_end_at(x->r->m, body[k], r[k], &A);
        ok = check_modal(x, bodies->item[k], &end[k], true);
    }
    return ok && check_apart(x, bodies, end);
}

/* One body; the first end is the ground where the second stands at the start. */
static bool read_single(TmlEntry *x, TmlEnd *end)
{
    TmlModel *m = x->r->m;
    const TmlValue *frame = tml_value_find(x->value, "frame");
    const TmlValue *owner = tml_value_find(x->value, "body");
    const TmlValue *at = tml_value_find(x->value, "at");
    bool ok = true;
    if (frame != NULL) {
        static const char *const others[] = {"body", "at", "axis", "x_axis"};
        for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
            refuse(x, others[k], "frame");
        }
        ok = tml_read_frame_ref(x, frame, "frame", &end[1]);
    } else if (owner != NULL) {
        int body = TML_GROUND;
        TmlMat33 A = m3_identity();
        ok = tml_read_body_ref(x, owner, "body", &body);
        const TmlEnd origin = tml_body_end(body, v3_neg(m->bodies.at[body].cm), m3_identity());
        TmlVec3 r = tml_model_initial_kin(m, &origin).r;
        ok &= at == NULL || tml_read_vec3(x, at, "at", &r);
        ok &= read_axes(x, &A);
        end[1] = tml_end_at(m, body, r, &A);
    } else {
        tml_entry_error(x, x->key,
                        "missing key 'body' or 'frame': the body or frame that it acts on");
        return false;
    }
    if (ok && end[1].body == TML_GROUND) {
        tml_entry_error(x, frame != NULL ? frame : owner, "acts on the ground only");
        return false;
    }
    if (!ok || !check_modal(x, frame != NULL ? frame : owner, &end[1], frame == NULL)) {
        return false;
    }
    const TmlFrameKin kin = tml_model_initial_kin(m, &end[1]);
    end[0] = tml_end_at(m, TML_GROUND, kin.r, &kin.A);
    return true;
}

bool tml_read_ends(TmlEntry *x, TmlEndsKind kind, TmlEnd **end, int *n_ends)
{
    if (!make_ends(x, 2, end, n_ends)) {
        return false;
    }
    switch (kind) {
    case TML_ENDS_FRAMES:
    case TML_ENDS_JOINT:
    case TML_ENDS_POINTS:
        return read_pair(x, kind, *end);
    case TML_ENDS_ONE:
        return tml_value_find(x->value, "bodies") != NULL ||
                       tml_value_find(x->value, "frames") != NULL
                   ? read_pair(x, kind, *end)
                   : read_single(x, *end);
    case TML_ENDS_TERMS:
    case TML_ENDS_EXPR:
    case TML_ENDS_MODAL:
        break;
    }
    *n_ends = 0;
    return true;
}
