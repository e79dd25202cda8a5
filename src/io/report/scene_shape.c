/* io/report/scene_shape.c - shapes as the model gives them, moved to the centre of mass.
 *
 *   (1)  p = p_o - c         from the user's origin to the centre of mass, body axes
 */
#include "io/report/scene.h"

#include "base/input.h"
#include "base/real.h"
#include "math/vec3.h"
#include "model/body/body.h"

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

/* Numbers of a resolved key; absent ones keep what is there. */
static void numbers(const TmlValue *keys, const char *key, int n, double *out)
{
    const TmlValue *v = tml_value_find(keys, key);
    for (int k = 0; v != NULL && k < n; ++k) {
        const TmlValue *item = v->kind == TML_VALUE_LIST ? k < v->n ? v->item[k] : NULL : v;
        out[k] = item != NULL ? tml_real_read(item->text, NULL) : out[k];
    }
}

static TmlVec3 vector(const TmlValue *keys, const char *key, TmlVec3 standard)
{
    double x[3] = {standard.x, standard.y, standard.z};
    numbers(keys, key, 3, x);
    return v3(x[0], x[1], x[2]);
}

static double real(const TmlValue *keys, const char *key, double standard)
{
    numbers(keys, key, 1, &standard);
    return standard;
}

/* --- meshes -------------------------------------------------------------------------------- */

/* The number of the mesh, read once however many bodies show it. */
static TmlStatus mesh_number(TmlScene *s, const TmlBody *body, const TmlValue *keys, int *out,
                             TmlError *err)
{
    const TmlValue *file = tml_value_find(keys, "file");
    const double scale = real(keys, "scale", 1.0);
    const char *path = tml_input_beside(&s->arena, file->file, file->text);
    if (path == NULL ||
        !tml_mem_grow((void **)&s->mesh, &s->cap_meshes, s->n_meshes + 1, sizeof *s->mesh)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the meshes");
    }
    for (*out = 0; *out < s->n_meshes; ++*out) {
        if (s->mesh[*out].scale == scale && strcmp(s->mesh[*out].file, path) == 0) {
            return TML_OK;
        }
    }
    TmlSceneMesh *mesh = &s->mesh[s->n_meshes++];
    *mesh = (TmlSceneMesh){.file = path, .scale = scale};
    const TmlStatus status = tml_triangles_read(path, scale, &mesh->triangles, err);
    if (status == TML_OK || status == TML_E_NOMEM) {
        return status;
    }
    tml_fail_ctx(err, status, "body '%s': shape", body->name);
    return file->line > 0
               ? tml_fail_ctx(err, status, "%s:%d:%d", file->file, file->line, file->column)
               : status;
}

/* --- shapes -------------------------------------------------------------------------------- */

/* The numbers of a shape besides its place. */
static TmlStatus shape_numbers(TmlScene *s, const TmlBody *body, const char *kind,
                               const TmlValue *keys, TmlError *err)
{
    if (strcmp(kind, "mesh") == 0) {
        int number = 0;
        TML_TRY(mesh_number(s, body, keys, &number, err));
        tml_json_string(&s->json, "file", tml_value_find(keys, "file")->text);
        tml_json_int(&s->json, "mesh", number);
        return TML_OK;
    }
    if (strcmp(kind, "box") == 0) {
        tml_scene_vec(s, "size", vector(keys, "size", v3(1, 1, 1)));
        return TML_OK;
    }
    if (strcmp(kind, "link") == 0) {
        tml_scene_vec(s, "from", vector(keys, "from", v3(0, 0, 0)));
        tml_scene_vec(s, "to", vector(keys, "to", v3(0, 0, 0)));
    } else if (strcmp(kind, "sphere") != 0) {
        tml_json_number(&s->json, "length", real(keys, "length", 1.0));
        tml_scene_vec(s, "axis", vector(keys, "axis", v3(1, 0, 0)));
    }
    tml_json_number(&s->json, "radius", real(keys, "radius", 1.0));
    return TML_OK;
}

static TmlStatus shape(TmlScene *s, const TmlBody *body, const char *kind, const TmlValue *keys,
                       TmlError *err)
{
    double q[4] = {1, 0, 0, 0};
    const TmlVec3 place = vector(keys, "position", v3(0, 0, 0));
    const TmlValue *color = tml_value_find(keys, "color");
    numbers(keys, "rotation", 4, q);
    tml_scene_shape(s, kind, v3_sub(place, body->cm), // (1)
                    (TmlQuat){q[0], q[1], q[2], q[3]});
    TML_TRY(shape_numbers(s, body, kind, keys, err));
    tml_json_string(&s->json, "color", color != NULL ? color->text : NULL);
    tml_json_close(&s->json);
    return TML_OK;
}

TmlStatus tml_scene_shapes(TmlScene *s, const TmlBody *body, TmlError *err)
{
    for (int k = 0; k < body->shape->n; ++k) {
        const TmlValue *one = body->shape->item[k];
        TML_TRY(shape(s, body, one->key[0]->text, one->item[0], err));
    }
    return TML_OK;
}

double tml_scene_reach(const TmlBody *body)
{
    double reach = 0.0;
    for (int k = 0; body->shape != NULL && k < body->shape->n; ++k) {
        const TmlValue *keys = body->shape->item[k]->item[0];
        const TmlVec3 none = v3(0, 0, 0), place = vector(keys, "position", none);
        const double from = v3_norm(vector(keys, "from", none));
        const double to = v3_norm(vector(keys, "to", none));
        const double own = 0.5 * v3_norm(vector(keys, "size", none)) + real(keys, "radius", 0.0) +
                           0.5 * real(keys, "length", 0.0) + fmax(from, to);
        reach = fmax(reach, v3_norm(v3_sub(place, body->cm)) + own);
    }
    return reach;
}
