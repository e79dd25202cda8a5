/* trammel/part.h - parts from finite elements, reduced to modes.
 *
 * A description (PART.yaml) names a mesh or matrices, interfaces and how many modes; what is made of
 * it is kept in a file (PART.h5) that modal bodies are made of.
 */
#pragma once

#include "trammel/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlReducedPart TmlReducedPart;

/* Read a description and reduce the part. n parameters of the description are given other values, as
 * texts: numbers, with units or without, or expressions. On failure *out is NULL.
 *   TML_E_MODEL  the description, the mesh or the matrices are wrong; "file:line:column: text" lines
 *   TML_E_IO     a file cannot be read         TML_E_NOMEM */
TML_API TML_NODISCARD TmlStatus tml_part_reduce(const char *path, int n, const char *const *names,
                                                const char *const *values, TmlReducedPart **out,
                                                TmlError *err);

/* Read a reduced part from its file, and write it. What stands under the name is replaced at the end.
 */
TML_API TML_NODISCARD TmlStatus tml_part_read(const char *path, TmlReducedPart **out,
                                              TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_part_write(const TmlReducedPart *part, const char *path,
                                               TmlError *err);
TML_API void tml_part_free(TmlReducedPart *part); /* NULL is fine */

/* Facts of a part. Those of the mesh are NAN or 0 when the part was read from its file. */
typedef struct TmlPartInfo {
    const char *name; /* lives as long as the part */
    int modes;        /* of the reduced part */
    int fixed_modes;  /* with all interfaces held, or free ones, that it was made of */
    int attachments;  /* static shapes of loads that it was made of besides */
    int frames;       /* interfaces and nodes that models can name */
    int nodes;        /* kept for pictures and recovery */
    int load_cases;   /* of stiffening */
    bool centrifugal, stresses, damped;
    double mass, size; /* kg; m: diagonal of the box around it */
    TmlVec3 origin;    /* of its frame, in the coordinates of the mesh */
    TmlVec3 centre;    /* of mass, in the coordinates of the mesh */
    TmlMat33 inertia;  /* about the centre of mass, kg m^2 */
    int mesh_nodes, mesh_freedoms;
    double mesh_mass;
    TmlVec3 mesh_centre;
    TmlMat33 mesh_inertia;
    double seconds;      /* that the reduction took */
    double factor_bytes; /* memory of the factors of the stiffness */
} TmlPartInfo;
TML_API TmlPartInfo tml_part_info(const TmlReducedPart *part);

typedef struct TmlPartMode {
    double hertz;
    double ratio;   /* of critical damping */
    bool physical;  /* half the modes give its frequency to 1 % */
    double largest; /* m: displacement of a node at eta = 1 */
    double turning; /* rad: rotation of a frame at eta = 1 */
} TmlPartMode;
TML_API TmlPartMode tml_part_mode(const TmlReducedPart *part, int mode);

/* A mode with all interfaces held: frequency, and shares of mass along x, y, z and of moments of
 * inertia about them that go with it. */
typedef struct TmlPartFixedMode {
    double hertz;
    double effective[6];
} TmlPartFixedMode;
TML_API TmlPartFixedMode tml_part_fixed_mode(const TmlReducedPart *part, int mode);

typedef struct TmlPartFrameInfo {
    const char *name;
    TmlVec3 at;   /* in the coordinates of the mesh */
    bool turns;   /* it has a rotation, so that any joint can hold it */
    int64_t node; /* its number, as NODE_ID of Adams datasets names it; 0: it has none */
} TmlPartFrameInfo;
TML_API TmlPartFrameInfo tml_part_frame(const TmlReducedPart *part, int frame);

/* What was left out or taken for granted; NULL past the end. */
TML_API const char *tml_part_note(const TmlReducedPart *part, int index);

/* Files that a part was reduced from: its description, meshes, matrices; NULL past the end, and of a part
 * that was read from its file. None of them should be written over. */
TML_API const char *tml_part_input(const TmlReducedPart *part, int index);

#ifdef __cplusplus
}
#endif
