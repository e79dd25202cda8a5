/* io/report/scene_rail.c - wheels of revolution and rails along their tracks, as triangles.
 *
 * A wheel is its profile turned about the axle, with a web and a hub behind it. A rail is its profile, closed below, along the
 * curve of the track with its irregularities; sleepers lie under both rails.
 */
#include "io/report/scene.h"

#include "math/vec3.h"
#include "model/wheel/rail/rail_wheel.h"

#include <math.h>
#include <string.h>

enum { AROUND = 48, TREAD = 40, WEB = 10, HEAD = 16, MOST_STATIONS = 1500 };

/* Of the wheel, parts of its radius: underside of the rim, web, hub, bore. */
static const double rim = 0.86, web_out = 0.8, web_in = 0.3, hub = 0.26, bore = 0.16;
static const double web_half = 0.012, hub_half = 0.07; // m
static const double foot = 0.06, foot_half = 0.03;     // m: of a rail, below its top
static const double sleeper[3] = {0.24, 2.5, 0.14};    // m
static const double sleeper_step = 0.6, rail_step = 0.5,
                    beyond = 2.0; // m; half of the model's size more on both ends

static TmlStatus make(TmlTriangles *t, int vertices, int triangles, TmlError *err)
{
    *t = (TmlTriangles){.n_vertices = vertices, .n_triangles = triangles};
    t->vertex = tml_mem_zalloc((size_t)vertices + 1, 3 * sizeof *t->vertex);
    t->triangle = tml_mem_zalloc((size_t)triangles + 1, 3 * sizeof *t->triangle);
    return t->vertex != NULL && t->triangle != NULL
               ? TML_OK
               : tml_fail(err, TML_E_NOMEM, "out of memory for the picture of wheels and rails");
}

static void put_vertex(TmlTriangles *t, int k, TmlVec3 x)
{
    t->vertex[3 * k] = (float)x.x;
    t->vertex[3 * k + 1] = (float)x.y;
    t->vertex[3 * k + 2] = (float)x.z;
}

/* Both triangles of a cell between the rings a and b, seen from the side where a, a_next, b_next go round to the left; turned: from the other. */
static void put_cell(TmlTriangles *t, int *at, bool turned, int a, int a_next, int b, int b_next)
{
    const int32_t six[6] = {a, turned ? b_next : a_next, turned ? a_next : b_next,
                            a, turned ? b : b_next,      turned ? b_next : b};
    memcpy(t->triangle + 3 * *at, six, sizeof six);
    *at += 2;
}

/* A number of the mesh, in an own slot or in that of an equal one. */
static TmlStatus keep(TmlScene *s, TmlTriangles *made, int *number, TmlError *err)
{
    for (*number = 0; *number < s->n_meshes; ++*number) {
        const TmlTriangles *a = &s->mesh[*number].triangles;
        if (s->mesh[*number].file[0] == '\0' && a->n_vertices == made->n_vertices &&
            a->n_triangles == made->n_triangles &&
            memcmp(a->vertex, made->vertex, 3 * (size_t)a->n_vertices * sizeof *a->vertex) == 0) {
            tml_triangles_free(made);
            return TML_OK;
        }
    }
    if (!tml_mem_grow((void **)&s->mesh, &s->cap_meshes, s->n_meshes + 1, sizeof *s->mesh)) {
        tml_triangles_free(made);
        return tml_fail(err, TML_E_NOMEM, "out of memory for the meshes");
    }
    s->mesh[s->n_meshes++] = (TmlSceneMesh){.file = "", .scale = 1.0, .triangles = *made};
    return TML_OK;
}

static void put_shape(TmlScene *s, TmlVec3 position, TmlQuat orientation, int number,
                      const char *color)
{
    tml_scene_shape(s, "mesh", position, orientation);
    tml_json_string(&s->json, "file", NULL);
    tml_json_int(&s->json, "mesh", number);
    tml_json_string(&s->json, "color", color);
    tml_json_close(&s->json);
}

/* --- wheels ------------------------------------------------------------------------------------- */

/* The closed outline of a wheel: along the axle, outward for a left wheel, and radius. */
static int outline(const TmlRailWheel *w, double at[TREAD + WEB][2])
{
    const double out = w->side == 0 ? 1.0 : -1.0, r = w->radius;
    const double length = tml_rail_profile_length(w->profile);
    double d[3][2];
    for (int k = 0; k < TREAD; ++k) {
        tml_rail_profile_at(w->profile, length * k / (TREAD - 1), d);
        at[k][0] = d[0][0];
        at[k][1] = r - d[0][1];
    }
    const double a = at[0][0], b = at[TREAD - 1][0], m = 0.5 * (a + b);
    const double behind[WEB][2] = {{b, rim * r},
                                   {m + web_half, web_out * r},
                                   {m + web_half, web_in * r},
                                   {m + hub_half, hub * r},
                                   {m + hub_half, bore * r},
                                   {m - hub_half, bore * r},
                                   {m - hub_half, hub * r},
                                   {m - web_half, web_in * r},
                                   {m - web_half, web_out * r},
                                   {a, rim * r}};
    memcpy(at[TREAD], behind, sizeof behind);
    for (int k = 0; k < TREAD + WEB; ++k) {
        at[k][0] *= out;
    }
    return TREAD + WEB;
}

static TmlStatus wheel_mesh(const TmlRailWheel *w, TmlTriangles *t, TmlError *err)
{
    double at[TREAD + WEB][2];
    const int n = outline(w, at);
    int cells = 0;
    TML_TRY(make(t, n * AROUND, 2 * n * AROUND, err));
    for (int i = 0; i < AROUND; ++i) {
        const double turn = 2.0 * M_PI * i / AROUND;
        const int next = (i + 1) % AROUND;
        for (int k = 0; k < n; ++k) {
            const int after = (k + 1) % n;
            put_vertex(t, i * n + k, v3(at[k][1] * cos(turn), at[k][1] * sin(turn), at[k][0]));
            put_cell(t, &cells, w->side == 0, i * n + k, i * n + after, next * n + k,
                     next * n + after);
        }
    }
    return TML_OK;
}

TmlStatus tml_scene_wheels(TmlScene *s, int body, int *n, TmlError *err)
{
    TmlVec3 end[2];
    *n = 0;
    for (int k = 0; k < s->model->forces.n; ++k) {
        const TmlForce *force = &s->model->forces.at[k];
        const TmlRailWheel *w = tml_rail_wheel_of(force);
        if (w == NULL || force->end[1].body != body || force->end[1].point != 0) {
            continue;
        }
        TmlTriangles made = {0};
        int number;
        const TmlStatus status = wheel_mesh(w, &made, err);
        if (status != TML_OK) {
            tml_triangles_free(&made);
            return status;
        }
        TML_TRY(keep(s, &made, &number, err));
        put_shape(s, force->end[1].s_b, q4_from_matrix(&force->end[1].A_b), number, NULL);
        end[*n < 2 ? *n : 1] = force->end[1].s_b;
        ++*n;
    }
    if (*n >= 2 && s->model->bodies.at[body].n_shapes == 0) { // the axle
        tml_scene_shape(s, "link", v3(0, 0, 0), (TmlQuat){1, 0, 0, 0});
        tml_scene_vec(s, "from", end[0]);
        tml_scene_vec(s, "to", end[1]);
        tml_json_number(&s->json, "radius", 0.08);
        tml_json_string(&s->json, "color", NULL);
        tml_json_close(&s->json);
    }
    return TML_OK;
}

/* --- rails -------------------------------------------------------------------------------------- */

/* Where a track is drawn: all of it, or as far as the wheel gets at the speed of its start. */
typedef struct Reach {
    const TmlTrack *track;
    const TmlRailWheel *wheel;
    double from, to;
} Reach;

/* From one station of the track to another in steps of this size at least. */
static int steps_of(const Reach *r, double step)
{
    return (int)fmin(ceil((r->to - r->from) / step), MOST_STATIONS);
}

static void rail_outline(const TmlRailWheel *w, const TmlRailProfile *p, double at[HEAD + 2][2])
{
    const double length = tml_rail_profile_length(p);
    double top = -HUGE_VAL;
    for (int k = 0; k < HEAD; ++k) {
        double d[3][2];
        tml_rail_profile_at(p, length * k / (HEAD - 1), d);
        at[k][0] = d[0][0] + w->rail_y;
        at[k][1] = d[0][1] + w->rail_z;
        top = fmax(top, at[k][1]);
    }
    const double middle = 0.5 * (at[0][0] + at[HEAD - 1][0]);
    at[HEAD][0] = middle + foot_half;
    at[HEAD + 1][0] = middle - foot_half;
    at[HEAD][1] = at[HEAD + 1][1] = top - foot;
}

static TmlVec3 global(const TmlTrack *track, const TmlTrackPoint *p, TmlVec3 x)
{
    return v3_add(track->position, m3_mulv(&track->rotation, v3_add(p->r, m3_mulv(&p->A, x))));
}

static TmlStatus rail_mesh(const Reach *r, int side, TmlTriangles *t, TmlError *err)
{
    const TmlTrack *track = r->track;
    const TmlRailProfile *profile = r->wheel->rail != NULL ? r->wheel->rail : track->rail;
    const int n = steps_of(r, rail_step), ring = HEAD + 2;
    const double out = side == 0 ? 1.0 : -1.0;
    double at[HEAD + 2][2];
    int cells = 0;
    rail_outline(r->wheel, profile, at);
    TML_TRY(make(t, (n + 1) * ring, 2 * n * ring, err));
    for (int i = 0; i <= n; ++i) {
        const double s = r->from + (r->to - r->from) * i / n;
        double y[3], z[3];
        TmlTrackPoint p;
        tml_track_at(track, s, &p);
        tml_track_fault(track, side, s, y, z);
        for (int k = 0; k < ring; ++k) {
            put_vertex(t, i * ring + k,
                       global(track, &p, v3(0.0, out * at[k][0] + y[0], at[k][1] + z[0])));
            if (i < n) {
                const int after = (k + 1) % ring;
                put_cell(t, &cells, side == 0, i * ring + k, i * ring + after, (i + 1) * ring + k,
                         (i + 1) * ring + after);
            }
        }
    }
    return TML_OK;
}

static TmlStatus sleeper_mesh(const Reach *r, TmlTriangles *t, TmlError *err)
{
    const int n = steps_of(r, sleeper_step);
    int cells = 0;
    TML_TRY(make(t, 8 * n, 10 * n, err));
    for (int i = 0; i < n; ++i) {
        TmlTrackPoint p;
        tml_track_at(r->track, r->from + (r->to - r->from) * (i + 0.5) / n, &p);
        for (int k = 0; k < 8; ++k) { // four corners of the top, then of the bottom
            const double x = (k % 4 == 0 || k % 4 == 3 ? -0.5 : 0.5) * sleeper[0];
            const double y = (k % 4 < 2 ? -0.5 : 0.5) * sleeper[1];
            const double z = -1.3 * foot - (k < 4 ? 0.0 : sleeper[2]);
            put_vertex(t, 8 * i + k, global(r->track, &p, v3(x, y, z)));
        }
        for (int k = 0; k < 4; ++k) {
            const int next = (k + 1) % 4;
            put_cell(t, &cells, true, 8 * i + k, 8 * i + next, 8 * i + k + 4, 8 * i + next + 4);
        }
        put_cell(t, &cells, false, 8 * i, 8 * i + 1, 8 * i + 3, 8 * i + 2);
    }
    return TML_OK;
}

static double speed_along(const TmlModel *m, const TmlForce *force, double *station)
{
    const TmlRailWheel *w = tml_rail_wheel_of(force);
    const TmlFrameKin at = tml_model_initial_kin(m, &force->end[1]);
    TmlTrackPoint p;
    *station = tml_track_station(w->track,
                                 m3_tmulv(&w->track->rotation, v3_sub(at.r, w->track->position)));
    tml_track_at(w->track, *station, &p);
    return v3_dot(m3_mulv(&w->track->rotation, p.A.cx), at.v);
}

/* The range of stations of a track over all its wheels. */
static Reach reach_of(const TmlModel *m, const TmlForce *first, double time, double margin)
{
    const TmlRailWheel *w = tml_rail_wheel_of(first);
    Reach r = {.track = w->track, .wheel = w, .from = HUGE_VAL, .to = -HUGE_VAL};
    for (int k = 0; k < m->forces.n; ++k) {
        const TmlRailWheel *other = tml_rail_wheel_of(&m->forces.at[k]);
        if (other != NULL && other->track == w->track) {
            double station;
            const double way = time * speed_along(m, &m->forces.at[k], &station);
            r.from = fmin(r.from, fmin(station, station + way) - margin);
            r.to = fmax(r.to, fmax(station, station + way) + margin);
        }
    }
    if (w->track->ends) {
        r.from = fmax(r.from, 0.0);
        r.to = fmin(r.to, w->track->length);
    }
    return r;
}

/* What of a track is drawn with the body that carries it. */
static TmlStatus put_track(TmlScene *s, const TmlForce *force, double time, TmlError *err)
{
    const Reach r = reach_of(s->model, force, time, beyond + 0.5 * s->size);
    const TmlEnd *end = &force->end[0];
    const TmlFrameKin base =
        tml_model_initial_kin(s->model, &(TmlEnd){.body = end->body, .A_b = m3_identity()});
    const TmlQuat back = q4_from_matrix(&(TmlMat33){v3(base.A.cx.x, base.A.cy.x, base.A.cz.x),
                                                    v3(base.A.cx.y, base.A.cy.y, base.A.cz.y),
                                                    v3(base.A.cx.z, base.A.cy.z, base.A.cz.z)});
    const TmlVec3 origin = v3_neg(m3_tmulv(&base.A, base.r));
    if (!(r.to - r.from > 0.0) || !isfinite(r.to - r.from)) {
        return TML_OK;
    }
    for (int part = 0; part < 3; ++part) {
        TmlTriangles made = {0};
        int number;
        const TmlStatus status =
            part < 2 ? rail_mesh(&r, part, &made, err) : sleeper_mesh(&r, &made, err);
        if (status != TML_OK) {
            tml_triangles_free(&made);
            return status;
        }
        TML_TRY(keep(s, &made, &number, err));
        put_shape(s, origin, back, number, part < 2 ? "#8a8d93" : "#b9aa94");
    }
    return TML_OK;
}

TmlStatus tml_scene_tracks(TmlScene *s, int body, double time, TmlError *err)
{
    const TmlModel *m = s->model;
    for (int k = 0; k < m->forces.n; ++k) {
        const TmlRailWheel *w = tml_rail_wheel_of(&m->forces.at[k]);
        bool first = w != NULL && m->forces.at[k].end[0].body == body;
        for (int i = 0; i < k && first; ++i) {
            const TmlRailWheel *other = tml_rail_wheel_of(&m->forces.at[i]);
            first = other == NULL || other->track != w->track;
        }
        if (first) {
            TML_TRY(put_track(s, &m->forces.at[k], time, err));
        }
    }
    return TML_OK;
}
