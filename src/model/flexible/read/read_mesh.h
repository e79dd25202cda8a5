/* model/flexible/read/read_mesh.h - reading flexible bodies; internal to the reader.
 *
 * Three rounds, so that order in the file does not matter: drafts of all meshes with their nodes,
 * ties between them, then elements, frames and joints.
 */
#pragma once

#include "model/flexible/mesh.h"
#include "model/read/read.h"

typedef struct TmlMeshDraft TmlMeshDraft;

typedef enum TmlTieKind {
    TML_TIE_NONE,
    TML_TIE_PIN,   /* position */
    TML_TIE_HINGE, /* position and the gradient along the axis */
    TML_TIE_CLAMP, /* position and gradients, of a beam on a body those of its section */
    TML_TIE_SLIDE, /* position on a line of a body */
} TmlTieKind;

/* What a node is tied to: a rigid body or ground, or a node of a mesh. */
typedef struct TmlTie {
    TmlTieKind kind;
    int body;           /* -1: a node */
    TmlMeshDraft *mesh; /* whose node */
    int node;
    bool corner;    /* of a polyline */
    unsigned free;  /* bits 1 << TmlFlexKind: gradients that a clamp leaves to stretch and shear */
    unsigned along; /* the same: gradients along an edge, held with its points */
    bool busy, done;
    bool turned;  /* a joint keeps its directions, which do not follow from those of the node */
    TmlVec3 axis; /* of a slide or a hinge, global */
    const TmlValue *at;       /* for messages */
    const char *where, *name; /* "start"; "start", "attach 2": what its joint is called */
} TmlTie;

struct TmlMeshDraft {
    TmlMeshDraft *next;
    TmlEntry x;
    TmlMesh mesh;
    TmlMeshNode *start, *rest; /* n_nodes */
    double *size;              /* 2 n_x n_y */
    TmlFlexData *data;         /* n_x: where it changes along the body; else NULL */
    int *first;                /* n_x of a line */
    TmlTie *tie;               /* n_nodes */
    double length;             /* of the whole */
    bool ok;
};

/* has_matrix: the section's stiffness stands for E. */
bool tml_read_material(TmlEntry *x, const TmlValue *map, bool has_matrix, TmlMaterial *m);
bool tml_read_section(TmlEntry *x, const TmlValue *map, TmlCrossSection *s);
/* E of the material, and shear factors, from the section's stiffness matrix. */
void tml_section_from_matrix(TmlMaterial *m, TmlCrossSection *s);
/* Material, section and formulation. */
bool tml_read_flex_data(TmlEntry *x, const TmlFlexType *type, TmlFlexData *data);

/* The same where they change along the body; load; twist of the section. The nodes are known. */
bool tml_read_along_data(TmlMeshDraft *d);
bool tml_read_load(TmlMeshDraft *d);
bool tml_read_twist(TmlMeshDraft *d);
/* Where nodes start, and how they move besides `angular_velocity`. */
bool tml_read_displacement(TmlMeshDraft *d);
bool tml_read_velocity(TmlMeshDraft *d);

/* Nodes of lines and patches: fills n_x, n_y, n_nodes, xi, start, rest, size, first, length, and
 * the ties of corners. */
bool tml_read_line_nodes(TmlMeshDraft *d);
bool tml_read_patch_nodes(TmlMeshDraft *d);
/* The same of lines with the key `nodes`; the plane that a line is kept in. */
bool tml_read_listed_nodes(TmlMeshDraft *d);
bool tml_read_plane(TmlMeshDraft *d);
/* Memory for n_nodes nodes and n_x n_y elements. */
bool tml_mesh_draft_alloc(TmlMeshDraft *d);
/* A count of elements. */
bool tml_read_count(TmlEntry *x, const TmlValue *v, const char *what, int *out);

/* start, end, edges, attach: into the ties of the nodes. all: every draft. */
void tml_read_ties(TmlMeshDraft *d, TmlMeshDraft *all);
/* A clamp holds the points of the end section or, of plates, of the edge (along x or y): not the
 * gradient across it, which is left to stretch and shear, unless nothing else holds the angle. */
unsigned tml_clamp_free(const TmlFlexType *type, bool along_x);
/* Turn ties into vectors. */
void tml_resolve_ties(TmlMeshDraft *d);
/* The joints of slides, when the mesh is built; index: of the mesh. */
void tml_add_slides(TmlMeshDraft *d, int index);
/* The joints of nodes that are `turned`, when all meshes are built. */
void tml_add_turned(TmlMeshDraft *d);
/* A node of a line with its tangent and an axis across, both of length one. */
void tml_mesh_put_node(TmlMeshNode *node, TmlVec3 r, TmlVec3 t, TmlVec3 y);
