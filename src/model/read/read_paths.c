/* model/read/read_paths.c - paths, and the ends of joints along them.
 *
 * The place on a path is a body of one number. At the start it is where the path is nearest to the
 * point; its rate is the velocity of the point along the path, seen from there.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "math/vec3.h"
#include "model/flexible/flexible.h"
#include "model/path/on_path.h"

/* Points of a list of [x, y, z]; NULL: reported. */
static TmlVec3 *read_points(TmlEntry *x, const TmlValue *map, const TmlValue *points,
                            const char *key)
{
    if (points == NULL || points->kind != TML_VALUE_LIST) {
        tml_entry_expected(x, points != NULL ? points : map, key, "a list of [x, y, z]");
        return NULL;
    }
    TmlVec3 *r = tml_reader_alloc(x->r, (size_t)points->n, sizeof *r);
    for (int k = 0; r != NULL && k < points->n; ++k) {
        double p[3];
        if (!tml_read_numbers(x, points->item[k], key, 3, "[x, y, z]", p)) {
            return NULL;
        }
        r[k] = v3(p[0], p[1], p[2]);
    }
    return r;
}

/* {functions: [x, y, z], range: [from, to], closed} */
static TmlPath *read_functions(TmlEntry *x, const TmlValue *map, bool closes)
{
    const TmlValue *names = tml_value_find(map, "functions"), *range = tml_value_find(map, "range");
    const TmlUserFunction *f[3];
    double ends[2] = {0.0, 1.0};
    if (names->kind != TML_VALUE_LIST || names->n != 3) {
        tml_entry_expected(x, names, "functions", "names of three functions, of x, y and z");
        return NULL;
    }
    for (int k = 0; k < 3; ++k) {
        const char *name = tml_read_text(x, names->item[k], "functions");
        f[k] = name != NULL ? tml_model_find_function(x->r->m, name) : NULL;
        if (name != NULL && (f[k] == NULL || f[k]->n_args != 1 || f[k]->order < 3)) {
            tml_entry_error(x, names->item[k],
                            "'%s' is no registered function of one argument with three derivatives",
                            name);
        }
        if (f[k] == NULL || x->bad) {
            return NULL;
        }
    }
    if (range != NULL && !tml_read_numbers(x, range, "range", 2, "[from, to]", ends)) {
        return NULL;
    }
    if (!(ends[0] < ends[1])) {
        tml_entry_expected(x, range, "range", "[from, to], increasing");
        return NULL;
    }
    TmlPath *path = NULL;
    TmlError err = {0};
    const TmlStatus status =
        tml_path_create_function(f, ends[0], ends[1], closes, &x->r->m->arena, &path, &err);
    x->r->nomem |= status == TML_E_NOMEM;
    if (status == TML_E_MODEL) {
        tml_entry_error(x, map, "%s", err.message);
    }
    return path;
}

static TmlPath *read_path_map(TmlEntry *x, const TmlValue *map)
{
    if (!tml_read_is_map(x, map, NULL)) {
        return NULL;
    }
    const TmlValue *points = tml_value_find(map, "points"), *closed = tml_value_find(map, "closed");
    const TmlValue *control = tml_value_find(map, "control_points");
    const TmlValue *order = tml_value_find(map, "order");
    TmlPathPoints given = {.order = TML_PATH_ORDER, .control = points == NULL && control != NULL};
    tml_read_keys(x, map, tml_keys_path, NULL, NULL);
    if ((closed != NULL && !tml_read_bool(x, closed, "closed", &given.closed)) ||
        (order != NULL && !tml_read_int(x, order, "order", &given.order))) {
        return NULL;
    }
    if (tml_value_find(map, "functions") != NULL && points == NULL && control == NULL) {
        return read_functions(x, map, given.closed);
    }
    if (points != NULL && control != NULL) {
        tml_entry_error(x, control, "either points or control_points, not both");
        return NULL;
    }
    points = given.control ? control : points;
    given.point = read_points(x, map, points, given.control ? "control_points" : "points");
    if (given.point == NULL) {
        return NULL;
    }
    given.n = points->n;
    TmlPath *path = NULL;
    TmlError err = {0};
    const TmlStatus status = tml_path_create(&given, &x->r->m->arena, &path, &err);
    if (status == TML_E_NOMEM) {
        x->r->nomem = true;
    } else if (status != TML_OK) {
        tml_entry_error(x, map, "%s", err.message);
    }
    return path;
}

static void read_path(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    (void)arg;
    for (int k = 0; k < m->paths.n; ++k) {
        if (strcmp(m->paths.at[k].name, x->name) == 0) {
            tml_entry_error(x, x->key, "there is already a path of this name");
            return;
        }
    }
    // the name stays known when the path is wrong
    TmlNamedPath named = {.name = x->name, .path = read_path_map(x, x->value)};
    for (int k = 0; k < 3 * TML_TRACK_VECTORS && named.path != NULL; ++k) {
        TmlSpline *part =
            tml_path_coordinate(named.path, (TmlTrackVector)(k / 3), k % 3, &m->arena);
        named.part[k / 3][k % 3] = part;
        x->r->nomem |= part == NULL;
    }
    bool ok = true;
    TML_LIST_ADD(m->paths, named, &ok);
    x->r->nomem |= !ok;
}

void tml_read_paths(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "path", NULL, read_path, NULL);
}

bool tml_read_path_ref(TmlEntry *x, const TmlValue *v, const char *what, const TmlPath **out)
{
    const TmlModel *m = x->r->m;
    if (v->kind == TML_VALUE_MAP) {
        *out = read_path_map(x, v);
        return *out != NULL;
    }
    const char *name = tml_read_text(x, v, what);
    for (int k = 0; name != NULL && k < m->paths.n; ++k) {
        if (strcmp(m->paths.at[k].name, name) == 0) {
            *out = m->paths.at[k].path;
            x->bad |= *out == NULL; // its own error is told already
            return *out != NULL;
        }
    }
    if (name != NULL) {
        tml_entry_unknown_name(x, v, "path", name, m->paths.at, m->paths.n, sizeof *m->paths.at);
    }
    return false;
}

/* --- joints ----------------------------------------------------------------------------------- */

/* The coordinate s as a body of one number, with a frame of its name. */
static TmlEnd add_place(TmlEntry *x, const char *what, int owner, double s, double rate,
                        unsigned locked)
{
    TmlModel *m = x->r->m;
    const char *name = tml_reader_printf(x->r, "%s.%s", x->name, what);
    const TmlBody body = {.name = name,
                          .type = &tml_body_place,
                          .owner = owner,
                          .r0 = {s, 0, 0},
                          .v0 = {rate, 0, 0},
                          .p0 = {1, 0, 0, 0},
                          .locked = locked,
                          .source = x->key};
    const TmlEnd end = tml_body_end(m->bodies.n, v3(0, 0, 0), m3_identity());
    const TmlNamedFrame frame = {name, end};
    bool ok = name != NULL;
    TML_LIST_ADD(m->bodies, body, &ok);
    TML_LIST_ADD(m->frames, frame, &ok);
    x->r->nomem |= !ok;
    return end;
}

/* Rate of s of a point with velocity v: along the path, seen from the frame that carries it. */
static double start_rate(const TmlPath *path, double s, const TmlFrameKin *k, TmlVec3 v)
{
    TmlVec3 d[TML_PATH_DERIVATIVES + 1];
    tml_path_at(path, s, d);
    const TmlVec3 t = m3_mulv(&k->A, d[1]), w = m3_mulv(&k->A, d[0]);
    const TmlVec3 own = v3_add(k->v, v3_cross(k->omega, w));
    return v3_dot(v3_sub(v, own), t) / v3_dot(t, t);
}

/* Speed along a path as the rate of s; `otherwise` when it is not given. */
static double rate_of(const TmlPath *path, double s, double speed, double otherwise)
{
    TmlVec3 d[TML_PATH_DERIVATIVES + 1];
    tml_path_at(path, s, d);
    return isnan(speed) ? otherwise : speed / v3_norm(d[1]);
}

static unsigned locks(const TmlOnPath *d, bool place, double speed)
{
    const unsigned bits = (place ? TML_LOCK_X : 0u) | (isnan(speed) ? 0u : TML_LOCK_VX);
    return d->keep ? bits : 0u;
}

/* Where two paths are nearest to each other; in the axes of their frames. */
static void nearest_pair(const TmlOnPath *d, const TmlFrameKin *one, const TmlFrameKin *two,
                         double *s1, double *s2)
{
    double least = HUGE_VAL;
    for (int k = 0; k < 4 * d->other->n; ++k) {
        TmlVec3 c[TML_PATH_DERIVATIVES + 1];
        const int piece = k / 4;
        const double h = d->other->knot[piece + 1] - d->other->knot[piece];
        const double s = d->other->knot[piece] + h * (k % 4) / 4.0;
        tml_path_at(d->other, s, c);
        const TmlVec3 r = v3_add(two->r, m3_mulv(&two->A, c[0]));
        const TmlVec3 seen = m3_tmulv(&one->A, v3_sub(r, one->r));
        const double a = tml_path_nearest(d->path, seen);
        tml_path_at(d->path, a, c);
        const double off = v3_norm(v3_sub(c[0], seen));
        if (off < least) {
            least = off;
            *s1 = a;
            *s2 = s;
        }
    }
}

/* The normal of the plane of both paths; false: reported. */
static bool find_plane(TmlEntry *x, TmlOnPath *d, const TmlFrameKin *one, const TmlFrameKin *two)
{
    d->normal = d->path->normal;
    if (v3_norm(d->normal) == 0.0) { // a straight line lies in the plane of the other
        const TmlVec3 n = m3_mulv(&two->A, d->other->normal);
        d->normal = m3_tmulv(&one->A, n);
    }
    if (v3_norm(d->normal) == 0.0) {
        tml_entry_error(x, x->key, "two straight lines do not touch at a point");
        return false;
    }
    return true;
}

static TmlVec3 point_of(TmlReals p)
{
    return p.n == 3 ? v3(p.value[0], p.value[1], p.value[2]) : v3(0, 0, 0);
}

static void contact_ends(TmlEntry *x, TmlConstraint *c, TmlOnPath *d)
{
    const TmlModel *m = x->r->m;
    const TmlVec3 near_by = point_of(d->near_by), second = point_of(d->second_near);
    const bool has_first = d->near_by.n == 3, has_second = d->second_near.n == 3;
    const TmlEnd carrier[2] = {c->end[0], c->end[1]};
    const TmlFrameKin one = tml_model_initial_kin(m, &carrier[0]);
    const TmlFrameKin two = tml_model_initial_kin(m, &carrier[1]);
    TmlEnd *end = tml_reader_alloc(x->r, 4, sizeof *end);
    double s1 = 0.0, s2 = 0.0;
    if (end == NULL || !find_plane(x, d, &one, &two)) {
        return;
    }
    if (has_first || has_second) { // what one gives, the other takes from there
        const TmlVec3 r1 = v3_add(one.r, m3_mulv(&one.A, near_by));
        const TmlVec3 r2 = v3_add(two.r, m3_mulv(&two.A, second));
        const TmlVec3 seen = m3_tmulv(&one.A, v3_sub(r2, one.r));
        const TmlVec3 back = m3_tmulv(&two.A, v3_sub(r1, two.r));
        s1 = tml_path_nearest(d->path, has_first ? near_by : seen);
        s2 = tml_path_nearest(d->other, has_second ? second : back);
    } else {
        nearest_pair(d, &one, &two, &s1, &s2);
    }
    end[0] = add_place(x, "s2", carrier[1].body, s2, rate_of(d->other, s2, d->second_rate, 0.0),
                       locks(d, has_second, d->second_rate));
    end[1] = carrier[1];
    end[2] = add_place(x, "s", carrier[0].body, s1, rate_of(d->path, s1, d->rate, 0.0),
                       locks(d, has_first, d->rate));
    end[3] = carrier[0];
    c->end = end;
    c->n_ends = 4;
}

static void point_ends(TmlEntry *x, TmlConstraint *c, const TmlOnPath *d)
{
    const TmlModel *m = x->r->m;
    const TmlEnd first = c->end[0], second = c->end[1];
    const TmlFrameKin one = tml_model_initial_kin(m, &first);
    const TmlFrameKin two = tml_model_initial_kin(m, &second);
    TmlEnd *end = tml_reader_alloc(x->r, 3, sizeof *end);
    if (end == NULL) {
        return;
    }
    const TmlVec3 seen = m3_tmulv(&one.A, v3_sub(two.r, one.r));
    const bool given = d->near_by.n == 3;
    const double s = tml_path_nearest(d->path, given ? point_of(d->near_by) : seen);
    const double rate = rate_of(d->path, s, d->rate, start_rate(d->path, s, &one, two.v));
    end[0] = add_place(x, "s", first.body, s, rate, locks(d, given, d->rate));
    end[1] = second;
    end[2] = first;
    c->end = end;
    c->n_ends = 3;
}

void tml_read_on_path(TmlEntry *x, TmlConstraint *c)
{
    TmlOnPath *d = c->data;
    if (x->bad || c->n_ends != 2 || d->path == NULL) {
        return;
    }
    const TmlReals *const points[2] = {&d->near_by, &d->second_near};
    static const char *const keys[2] = {"near", "second_near"};
    for (int k = 0; k < 2; ++k) {
        if (points[k]->n != 0 && points[k]->n != 3) {
            tml_entry_expected(x, tml_value_find(x->value, keys[k]), keys[k], "[x, y, z]");
            return;
        }
    }
    if (d->other != NULL) {
        contact_ends(x, c, d);
    } else {
        d->second_rate = (double)NAN;
        point_ends(x, c, d);
    }
}
