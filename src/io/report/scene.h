/* io/report/scene.h - what a picture of a model needs, as JSON: shapes, joints, forces, counts.
 *
 * The text is {"counts":{...},"scene":{...}} as docs/develop/report_format.md describes, without
 * line breaks. A mesh shape has the key "mesh", the number of its triangles in the list below.
 */
#pragma once

#include "io/text/json.h"
#include "model/model.h"
#include "model/read/mesh_file.h"
#include "trammel/sim.h"

typedef struct TmlSceneMesh {
    const char *file; /* empty: made from a shape */
    double scale;
    TmlTriangles triangles;
} TmlSceneMesh;

/* Points of a body in its own axes, from its centre of mass, where joints and forces act. */
typedef struct TmlScenePoints {
    int n;
    const TmlVec3 *at;
} TmlScenePoints;

typedef struct TmlScene {
    TmlArena arena;
    const TmlModel *model;
    TmlTextBuf text;
    TmlJson json;
    double size;            /* m, of the whole */
    TmlScenePoints *points; /* of each body of the model */
    int n_meshes, cap_meshes;
    TmlSceneMesh *mesh;
} TmlScene;

/* Build the text; bad mesh files are errors with their place in the model. Free it in any case. */
TML_NODISCARD TmlStatus tml_scene_build(TmlScene *s, const TmlSim *sim, TmlError *err);
void tml_scene_free(TmlScene *s);

/* scene_shape.c: one JSON object for each shape of a body, into the list that is open. */
TML_NODISCARD TmlStatus tml_scene_shapes(TmlScene *s, const TmlBody *body, TmlError *err);
/* Half the size of what the shapes cover, from the body's centre of mass; 0: no shapes. */
double tml_scene_reach(const TmlModel *m, const TmlBody *body);

/* scene_rail.c: wheels of a body that roll on rails, *n of them, with an axle where the body has no shapes; tracks that a body carries, as
 * far as they are used in this time. */
TML_NODISCARD TmlStatus tml_scene_wheels(TmlScene *s, int body, int *n, TmlError *err);
TML_NODISCARD TmlStatus tml_scene_tracks(TmlScene *s, int body, double time, TmlError *err);

/* scene_default.c: shapes made up from mass, inertia and points. */
void tml_scene_default(TmlScene *s, const TmlBody *body, const TmlScenePoints *points);

/* An object with kind, position and orientation; the caller adds numbers and closes it. */
void tml_scene_shape(TmlScene *s, const char *kind, TmlVec3 position, TmlQuat orientation);
void tml_scene_vec(TmlScene *s, const char *key, TmlVec3 x);
