/* io/report/scene.c - what a picture of a model needs, as JSON. */
#include "io/report/scene.h"

#include "math/vec3.h"
#include "model/body/body.h"
#include "model/flexible/flexible.h"
#include "model/flexible/mesh.h"
#include "model/modal/modal.h"
#include "trammel/flexible.h"

#include <math.h>
#include <string.h>

/* --- where joints and forces act ------------------------------------------------------------ */

typedef void (*VisitEnd)(void *user, const TmlEnd *end);

static void visit_ends(const TmlModel *m, VisitEnd visit, void *user)
{
    for (int k = 0; k < m->constraints.n; ++k) {
        for (int e = 0; e < m->constraints.at[k].n_ends; ++e) {
            const TmlEnd end = tml_modal_undeformed(m, &m->constraints.at[k].end[e]);
            visit(user, &end);
        }
    }
    for (int k = 0; k < m->forces.n; ++k) {
        for (int e = 0; e < m->forces.at[k].n_ends; ++e) {
            const TmlEnd end = tml_modal_undeformed(m, &m->forces.at[k].end[e]);
            visit(user, &end);
        }
    }
}

static void count_point(void *user, const TmlEnd *end)
{
    TmlScenePoints *points = user;
    points[end->body].n += end->point == 0;
}

typedef struct Fill {
    TmlScenePoints *points;
    TmlVec3 **at;
} Fill;

static void fill_point(void *user, const TmlEnd *end)
{
    const Fill *f = user;
    if (end->point == 0) {
        f->at[end->body][f->points[end->body].n++] = end->s_b;
    }
}

static TmlStatus gather_points(TmlScene *s, TmlError *err)
{
    const int n = s->model->bodies.n;
    Fill fill;
    TML_NEW(&s->arena, s->points, n);
    TML_NEW(&s->arena, fill.at, n);
    visit_ends(s->model, count_point, s->points);
    for (int k = 0; k < n; ++k) {
        TML_NEW(&s->arena, fill.at[k], s->points[k].n);
        s->points[k] = (TmlScenePoints){0, fill.at[k]};
    }
    fill.points = s->points;
    visit_ends(s->model, fill_point, &fill);
    return TML_OK;
}

/* --- size ---------------------------------------------------------------------------------- */

typedef struct Box {
    const TmlModel *model;
    TmlVec3 low, high;
} Box;

static void box_add(Box *b, TmlVec3 x, double reach)
{
    b->low =
        v3(fmin(b->low.x, x.x - reach), fmin(b->low.y, x.y - reach), fmin(b->low.z, x.z - reach));
    b->high = v3(fmax(b->high.x, x.x + reach), fmax(b->high.y, x.y + reach),
                 fmax(b->high.z, x.z + reach));
}

static void box_end(void *user, const TmlEnd *end)
{
    Box *b = user;
    box_add(b, tml_model_initial_kin(b->model, end).r, 0.0);
}

/* Diagonal of the box that holds everything at the start; 1 m when that is a point. */
static double scene_size(const TmlModel *m)
{
    const double far = HUGE_VAL;
    Box b = {m, v3(far, far, far), v3(-far, -far, -far)};
    for (int k = 1; k < m->n_shown; ++k) {
        const TmlBody *body = &m->bodies.at[m->shown[k]];
        box_add(&b, body->r0, tml_scene_reach(m, body));
    }
    for (int k = 0; k < m->meshes.n; ++k) {
        const TmlMesh *mesh = &m->meshes.at[k];
        for (int i = 0; i < mesh->n_nodes; ++i) {
            TmlVec3 x, rate;
            tml_flex_initial_vector(m, &mesh->vector[i * mesh->type->vectors], &x, &rate);
            box_add(&b, x, 0.0);
        }
    }
    visit_ends(m, box_end, &b);
    const double size = v3_norm(v3_sub(b.high, b.low));
    return isfinite(size) && size > 0.0 ? size : 1.0;
}

/* --- joints and forces ---------------------------------------------------------------------- */

/* Number of a body as users count them, ground 0; -1: part of a flexible body. */
static int shown_number(const TmlModel *m, int body)
{
    int low = 0, high = m->n_shown - 1; // shown is in the order of the bodies
    while (low <= high) {
        const int k = (low + high) / 2;
        if (m->shown[k] == body) {
            return k;
        }
        *(m->shown[k] < body ? &low : &high) = m->shown[k] < body ? k + 1 : k - 1;
    }
    return -1;
}

static void write_frame(TmlScene *s, const TmlEnd *end)
{
    const TmlQuat p = q4_from_matrix(&end->A_b);
    const double value[] = {end->s_b.x, end->s_b.y, end->s_b.z, p.w, p.x, p.y, p.z};
    tml_json_reals(&s->json, NULL, 7, value);
}

/* A place of a flexible body: its position is the sum of weights times vectors of nodes. */
static void write_place(TmlScene *s, const TmlEnd *end)
{
    const TmlModel *m = s->model;
    if (end->point == 0) {
        tml_json_raw(&s->json, NULL, NULL);
        return;
    }
    const TmlFlexPoint *point = &m->points.at[end->point - 1];
    const TmlFlex *flex = &m->flexes.at[point->flex];
    const TmlFlexType *type = m->meshes.at[flex->mesh].type;
    tml_json_open(&s->json, NULL, '{');
    tml_json_int(&s->json, "flexible", flex->mesh);
    tml_json_open(&s->json, "nodes", '[');
    for (int k = 0; k < type->nodes; ++k) {
        tml_json_int(&s->json, NULL, flex->node[k]);
    }
    tml_json_close(&s->json);
    tml_json_reals(&s->json, "weights", type->nodes * type->vectors, point->s[0]);
    tml_json_close(&s->json);
}

static void write_element(TmlScene *s, const char *name, const TmlTypeInfo *type, int n,
                          const TmlEnd *end)
{
    bool places = false;
    tml_json_open(&s->json, NULL, '{');
    tml_json_string(&s->json, "name", name);
    tml_json_string(&s->json, "type", type->name);
    tml_json_open(&s->json, "bodies", '[');
    for (int k = 0; k < n; ++k) {
        tml_json_int(&s->json, NULL, shown_number(s->model, end[k].body));
        places = places || tml_modal_undeformed(s->model, &end[k]).point > 0;
    }
    tml_json_close(&s->json);
    tml_json_open(&s->json, "frames", '[');
    for (int k = 0; k < n; ++k) {
        const TmlEnd at = tml_modal_undeformed(s->model, &end[k]);
        write_frame(s, &at);
    }
    tml_json_close(&s->json);
    if (places) {
        tml_json_open(&s->json, "places", '[');
        for (int k = 0; k < n; ++k) {
            const TmlEnd at = tml_modal_undeformed(s->model, &end[k]);
            write_place(s, &at);
        }
        tml_json_close(&s->json);
    }
}

static void write_joints(TmlScene *s)
{
    const TmlModel *m = s->model;
    tml_json_open(&s->json, "joints", '[');
    for (int k = 0; k < m->constraints.n; ++k) {
        const TmlConstraint *c = &m->constraints.at[k];
        write_element(s, c->name, &c->type->info, c->n_ends, c->end);
        tml_json_close(&s->json);
    }
    tml_json_close(&s->json);
    tml_json_open(&s->json, "forces", '[');
    for (int k = 0; k < m->forces.n; ++k) {
        const TmlForce *f = &m->forces.at[k];
        write_element(s, f->name, &f->type->info, f->n_ends, f->end);
        tml_json_string(&s->json, "label", f->type->info.text);
        tml_json_close(&s->json);
    }
    tml_json_close(&s->json);
}

/* --- bodies and the whole ------------------------------------------------------------------- */

static TmlStatus write_bodies(TmlScene *s, double time, TmlError *err)
{
    const TmlModel *m = s->model;
    TmlStatus status = TML_OK;
    tml_json_open(&s->json, "bodies", '[');
    for (int k = 0; k < m->n_shown && status == TML_OK; ++k) {
        const TmlBody *body = &m->bodies.at[m->shown[k]];
        bool own = body->n_shapes > 0;
        int wheels = 0;
        tml_json_open(&s->json, NULL, '{');
        tml_json_string(&s->json, "name", body->name);
        tml_json_open(&s->json, "shapes", '[');
        status = tml_scene_wheels(s, m->shown[k], &wheels, err);
        status = status == TML_OK ? tml_scene_tracks(s, m->shown[k], time, err) : status;
        if (own && status == TML_OK) {
            status = tml_scene_shapes(s, body, err);
        }
        own = own || wheels > 0;
        if (!own && k > 0) {
            tml_scene_default(s, body, &s->points[m->shown[k]]);
        }
        tml_json_close(&s->json);
        if (!own && k > 0) {
            tml_json_bool(&s->json, "default", true);
        }
        tml_json_close(&s->json);
    }
    tml_json_close(&s->json);
    return status;
}

static bool tells_redundancy(const char *note)
{
    return strstr(note, "redundant") != NULL;
}

static void write_notes(TmlScene *s, const TmlSim *sim, const char *key, bool redundant)
{
    tml_json_open(&s->json, key, '[');
    for (int k = 0; k < tml_sim_note_count(sim); ++k) {
        if (tells_redundancy(tml_sim_note(sim, k)) == redundant) {
            tml_json_string(&s->json, NULL, tml_sim_note(sim, k));
        }
    }
    for (int k = 0; !redundant && tml_model_note(s->model, k) != NULL; ++k) {
        tml_json_string(&s->json, NULL, tml_model_note(s->model, k));
    }
    tml_json_close(&s->json);
}

static void write_counts(TmlScene *s, const TmlSim *sim)
{
    const TmlSimStats st = tml_sim_stats(sim);
    tml_json_open(&s->json, "counts", '{');
    tml_json_int(&s->json, "bodies", s->model->n_shown - 1);
    tml_json_int(&s->json, "joints", s->model->constraints.n);
    tml_json_int(&s->json, "forces", s->model->forces.n);
    tml_json_int(&s->json, "flexible", s->model->meshes.n);
    tml_json_int(&s->json, "coordinates", st.n_coordinates);
    tml_json_int(&s->json, "dof", st.degrees_of_freedom);
    write_notes(s, sim, "redundant", true);
    write_notes(s, sim, "warnings", false);
    tml_json_close(&s->json);
}

TmlStatus tml_scene_build(TmlScene *s, const TmlSim *sim, TmlError *err)
{
    *s = (TmlScene){.model = tml_sim_model(sim)};
    s->json = (TmlJson){.text = &s->text, .compact = true};
    TML_TRY(gather_points(s, err));
    s->size = scene_size(s->model);
    const TmlVec3 g = s->model->gravity;
    tml_json_open(&s->json, NULL, '{');
    write_counts(s, sim);
    tml_json_open(&s->json, "scene", '{');
    tml_scene_vec(s, "up", v3_norm(g) > 0.0 ? v3_unit(v3_neg(g)) : v3(0, 0, 1));
    tml_scene_vec(s, "gravity", g);
    tml_json_number(&s->json, "size", s->size);
    TML_TRY(write_bodies(s, tml_sim_end_time(sim), err));
    write_joints(s);
    tml_json_close(&s->json);
    tml_json_close(&s->json);
    return s->text.failed ? tml_fail(err, TML_E_NOMEM, "out of memory for the scene") : TML_OK;
}

void tml_scene_free(TmlScene *s)
{
    for (int k = 0; k < s->n_meshes; ++k) {
        tml_triangles_free(&s->mesh[k].triangles);
    }
    tml_mem_free(s->mesh);
    tml_textbuf_free(&s->text);
    tml_arena_free(&s->arena);
}
