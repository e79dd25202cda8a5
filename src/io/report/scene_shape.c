/* io/report/scene_shape.c - shapes as the model has them, from the centre of mass of their body. */
#include "io/report/scene.h"

#include "base/input.h"
#include "io/report/shape_triangles.h"
#include "math/vec3.h"
#include "model/contact/contact.h"
#include "model/modal/modal.h"

#include <math.h>
#include <string.h>

void tml_scene_vec(TmlScene *s, const char *key, TmlVec3 x)
{
    tml_json_reals(&s->json, key, 3, (const double[]){x.x, x.y, x.z});
}

void tml_scene_shape(TmlScene *s, const char *kind, TmlVec3 position, TmlQuat orientation)
{
    tml_json_open(&s->json, NULL, '{');
    tml_json_string(&s->json, "kind", kind);
    tml_scene_vec(s, "position", position);
    tml_json_reals(&s->json, "orientation", 4,
                   (const double[]){orientation.w, orientation.x, orientation.y, orientation.z});
}

/* --- meshes -------------------------------------------------------------------------------- */

static TmlStatus add_mesh(TmlScene *s, const char *file, double scale, TmlSceneMesh **out,
                          TmlError *err)
{
    if (!tml_mem_grow((void **)&s->mesh, &s->cap_meshes, s->n_meshes + 1, sizeof *s->mesh)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the meshes");
    }
    *out = &s->mesh[s->n_meshes++];
    **out = (TmlSceneMesh){.file = file, .scale = scale};
    return TML_OK;
}

/* The number of the mesh of a file, read once however many bodies show it. */
static TmlStatus mesh_of_file(TmlScene *s, const TmlBodyShape *shape, const char *file,
                              double scale, int *out, TmlError *err)
{
    const TmlValue *at = shape->source;
    const char *path = tml_input_beside(&s->arena, at->file, file);
    TmlSceneMesh *mesh = NULL;
    if (path == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the meshes");
    }
    for (*out = 0; *out < s->n_meshes; ++*out) {
        mesh = &s->mesh[*out];
        if (mesh->scale == scale && strcmp(mesh->file, path) == 0) {
            return TML_OK;
        }
    }
    TML_TRY(add_mesh(s, path, scale, &mesh, err));
    const TmlStatus status = tml_triangles_read(path, scale, &mesh->triangles, err);
    if (status == TML_OK || status == TML_E_NOMEM) {
        return status;
    }
    tml_fail_ctx(err, status, "body '%s': shape", s->model->bodies.at[shape->body].name);
    return at->line > 0 ? tml_fail_ctx(err, status, "%s:%d:%d", at->file, at->line, at->column)
                        : status;
}

static bool same_triangles(const TmlTriangles *a, const TmlTriangles *b)
{
    return a->n_vertices == b->n_vertices && a->n_triangles == b->n_triangles &&
           memcmp(a->vertex, b->vertex, 3 * (size_t)a->n_vertices * sizeof *a->vertex) == 0 &&
           memcmp(a->triangle, b->triangle, 3 * (size_t)a->n_triangles * sizeof *a->triangle) == 0;
}

/* The number of the mesh of a surface; shapes that look the same share one. */
static TmlStatus mesh_of_surface(TmlScene *s, const TmlShape *shape, int *out, TmlError *err)
{
    TmlTriangles made = {0};
    TmlSceneMesh *mesh = NULL;
    TML_TRY(tml_surface_triangles(shape, &made, err));
    for (*out = 0; *out < s->n_meshes; ++*out) {
        if (s->mesh[*out].file[0] == '\0' && same_triangles(&s->mesh[*out].triangles, &made)) {
            tml_triangles_free(&made);
            return TML_OK;
        }
    }
    const TmlStatus status = add_mesh(s, "", 1.0, &mesh, err);
    if (status != TML_OK) {
        tml_triangles_free(&made);
        return status;
    }
    mesh->triangles = made;
    return TML_OK;
}

/* --- shapes -------------------------------------------------------------------------------- */

/* Kinds that the page draws from their numbers; all others come as triangles. */
static bool is_known(const char *kind)
{
    static const char *const kinds[] = {"box",        "sphere",     "cylinder",     "capsule",
                                        "half_space", "ellipsoid",  "cone",         "torus",
                                        "extrusion",  "revolution", "height_field", "bore"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        if (strcmp(kinds[k], kind) == 0) {
            return true;
        }
    }
    return false;
}

/* The parameters as the table has them. */
static void write_numbers(TmlScene *s, const TmlShape *shape)
{
    for (const TmlParam *p = shape->type->info.params; p != NULL && p->name != NULL; ++p) {
        const char *at = (const char *)shape->data + p->offset;
        if (p->kind == TML_PARAM_REAL) {
            tml_json_number(&s->json, p->name, *(const double *)at);
        } else if (p->kind == TML_PARAM_INT) {
            tml_json_int(&s->json, p->name, *(const int *)at);
        } else if (p->kind == TML_PARAM_VEC3) {
            tml_scene_vec(s, p->name, *(const TmlVec3 *)at);
        } else if (p->kind == TML_PARAM_REALS || p->kind == TML_PARAM_POINTS) {
            const TmlReals *list = (const TmlReals *)at;
            tml_json_reals(&s->json, p->name, list->n, list->value);
        }
    }
}

static const void *param_of(const TmlShape *shape, const char *name)
{
    for (const TmlParam *p = shape->type->info.params; p != NULL && p->name != NULL; ++p) {
        if (strcmp(p->name, name) == 0) {
            return (const char *)shape->data + p->offset;
        }
    }
    return NULL;
}

static TmlStatus write_shape(TmlScene *s, const TmlBodyShape *shape, TmlError *err)
{
    const TmlShapeType *type = shape->shape.type;
    const char *const *file = param_of(&shape->shape, "file");
    const double *scale = param_of(&shape->shape, "scale");
    const bool known = is_known(type->info.name);
    int number = -1;
    if (!known && !shape->finished && file != NULL && *file != NULL) {
        TML_TRY(mesh_of_file(s, shape, *file, scale != NULL ? *scale : 1.0, &number, err));
    } else if (!known) {
        TML_TRY(mesh_of_surface(s, &shape->shape, &number, err));
    }
    // a frame of a modal body carries it: it is shown where that is without deformation
    const TmlEnd node = {.body = shape->body, .A_b = m3_identity(), .point = shape->point};
    const TmlVec3 at = tml_modal_undeformed(s->model, &node).s_b;
    tml_scene_shape(s, known ? type->info.name : "mesh", v3_add(at, shape->place.r),
                    q4_from_matrix(&shape->place.A));
    if (known) {
        write_numbers(s, &shape->shape);
    } else {
        tml_json_string(&s->json, "file", file != NULL ? *file : NULL);
        tml_json_int(&s->json, "mesh", number);
    }
    if (type->axis != TML_SHAPE_NO_AXIS) {
        tml_scene_vec(s, "axis", v3(0, 0, 1)); // the orientation has it
    }
    tml_json_string(&s->json, "color", shape->color);
    tml_json_close(&s->json);
    return TML_OK;
}

TmlStatus tml_scene_shapes(TmlScene *s, const TmlBody *body, TmlError *err)
{
    for (int k = 0; k < body->n_shapes; ++k) {
        TML_TRY(write_shape(s, &s->model->looks.at[body->shape0 + k], err));
    }
    return TML_OK;
}

/* Planes have no size of their own, and of what is not finished only the place is known. */
double tml_scene_reach(const TmlModel *m, const TmlBody *body)
{
    double reach = 0.0;
    for (int k = 0; k < body->n_shapes; ++k) {
        const TmlBodyShape *shape = &m->looks.at[body->shape0 + k];
        TmlVec3 low = v3(0, 0, 0), high = v3(0, 0, 0);
        if (shape->finished) {
            shape->shape.type->bounds(shape->shape.data, &low, &high);
        }
        const double own = 0.5 * v3_norm(v3_sub(high, low));
        const TmlVec3 middle = m3_mulv(&shape->place.A, v3_scale(0.5, v3_add(low, high)));
        if (isfinite(own)) {
            reach = fmax(reach, v3_norm(v3_add(shape->place.r, middle)) + own);
        }
    }
    return reach;
}
