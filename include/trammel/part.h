/* trammel/part.h - parts from finite elements, reduced to modes.
 *
 * A description (PART.yaml) gives a mesh or matrices, interfaces, and the number of modes. The reduction writes
 * the part to a file (PART.h5), which modal bodies of models use.
 */
#pragma once

#include "trammel/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlReducedPart TmlReducedPart;

/* Read a description and reduce the part. n parameters of the description get other values, given as texts:
 * numbers with or without units, or expressions. On failure *out is NULL.
 *   TML_E_MODEL  the description, the mesh or the matrices are wrong: lines "file:line:column: text"
 *   TML_E_IO     a file cannot be read         TML_E_NOMEM */
TML_API TML_NODISCARD TmlStatus tml_part_reduce(const char *path, int n, const char *const *names,
                                                const char *const *values, TmlReducedPart **out,
                                                TmlError *err);

/* Read a reduced part from its file, and write it. An earlier file is replaced only when the new one is complete. */
TML_API TML_NODISCARD TmlStatus tml_part_read(const char *path, TmlReducedPart **out,
                                              TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_part_write(const TmlReducedPart *part, const char *path,
                                               TmlError *err);
TML_API void tml_part_free(TmlReducedPart *part); /* NULL is fine */

/* Properties of a part. Those of the mesh are NAN or 0 when the part was read from its file. */
typedef struct TmlPartInfo {
    const char *name; /* lives as long as the part */
    int modes;        /* modes of the reduced part */
    int fixed_modes;  /* modes with fixed interfaces, or free modes, in its basis */
    int attachments;  /* attachment modes in its basis: static shapes of unit loads */
    int frames;       /* interfaces and nodes that models can name */
    int nodes;        /* nodes kept for pictures and recovery */
    int load_cases;   /* load cases whose geometric stiffness is kept */
    int loads;        /* load cases that forces of models scale */
    bool centrifugal, stresses, damped; /* kept: stiffening by spin, stress modes, damping */
    double mass, size;                  /* kg; m: diagonal of the box around the part */
    TmlVec3 origin;                     /* origin of its frame, in the coordinates of the mesh */
    TmlVec3 centre;                     /* centre of mass, in the coordinates of the mesh */
    TmlMat33 inertia;                   /* about the centre of mass, kg m^2 */
    int mesh_nodes, mesh_freedoms;
    double mesh_mass;
    TmlVec3 mesh_centre;
    TmlMat33 mesh_inertia;
    double seconds;      /* time that the reduction took */
    double factor_bytes; /* memory of the factors of the stiffness */
} TmlPartInfo;
TML_API TmlPartInfo tml_part_info(const TmlReducedPart *part);

typedef struct TmlPartMode {
    double hertz;
    double ratio;   /* damping ratio */
    bool physical;  /* half as many modes give the same frequency within 1 % */
    double largest; /* m: displacement of a node at eta = 1 */
    double turning; /* rad: rotation of a frame at eta = 1 */
} TmlPartMode;
TML_API TmlPartMode tml_part_mode(const TmlReducedPart *part, int mode);

/* A mode with fixed interfaces: its frequency, its effective masses along x, y, z, and its effective moments of
 * inertia about them, as shares of those of the part. */
typedef struct TmlPartFixedMode {
    double hertz;
    double effective[6];
} TmlPartFixedMode;
TML_API TmlPartFixedMode tml_part_fixed_mode(const TmlReducedPart *part, int mode);

typedef struct TmlPartFrameInfo {
    const char *name;
    TmlVec3 at;   /* place in the coordinates of the mesh */
    bool turns;   /* it has a rotation, so that any joint can be attached to it */
    int64_t node; /* number of its node, which NODE_ID of Adams datasets gives; 0: it has none */
} TmlPartFrameInfo;
TML_API TmlPartFrameInfo tml_part_frame(const TmlReducedPart *part, int frame);

/* A load case that forces of models scale: its resultant in the axes of the mesh. */
typedef struct TmlPartLoadInfo {
    const char *name; /* NULL past the end */
    TmlVec3 force;    /* N */
    TmlVec3 torque;   /* about the origin of the mesh, of the part that is not deformed, N m */
} TmlPartLoadInfo;
TML_API TmlPartLoadInfo tml_part_load_case(const TmlReducedPart *part, int load);

/* Notes on what was left out or assumed; NULL past the end. */
TML_API const char *tml_part_note(const TmlReducedPart *part, int index);

/* Files that a part was reduced from: its description, meshes, matrices. NULL past the end, and for a part that
 * was read from its file. Do not overwrite any of them. */
TML_API const char *tml_part_input(const TmlReducedPart *part, int index);

#ifdef __cplusplus
}
#endif
