/* reduce/element/element.h - what a type of finite element is: one file and one line of
 * fe_elements.def a type.
 *
 * Nodes have the order of Abaqus and CalculiX; what other files have is told by the table. Freedoms
 * of an element are those of its nodes, one after the other: ux uy uz, and rx ry rz where nodes
 * turn. Matrices of an element are square, of all its freedoms, both triangles filled. Stresses are
 * xx yy zz xy yz zx.
 */
#pragma once

#include "reduce/finite.h"

enum {
    TML_FE_NODES = 20,    /* of an element, at most */
    TML_FE_POINTS = 27,   /* of a rule of integration, at most */
    TML_FE_FREEDOMS = 60, /* of an element, at most */
    TML_FE_MASSES = 16,   /* points that stand for the mass of a beam or shell, at most */
    TML_FE_TURNING = 24,  /* freedoms of an element whose nodes turn, at most */
    TML_FE_SIDES = 16     /* places of stress at a node of an element, at most */
};

/* Exact is the default. Points of the stiffness are what CalculiX has: such a mass is singular for
 * elements of second order, and for comparison only. */
typedef enum TmlFeMassRule { TML_FE_MASS_EXACT, TML_FE_MASS_CCX } TmlFeMassRule;

/* Cross section of beams, thickness of shells. Axes y and z of a section are principal and at its
 * centroid; z is along `up` as far as the beam's axis allows. */
typedef struct TmlFeSection {
    const char *name;
    double area, Iy, Iz, J;  /* m^2, m^4: about y, about z, torsion */
    double shear_y, shear_z; /* factor on the area for forces along y, z; INFINITY: no shear */
    TmlVec3 up;              /* zero: any direction, for sections that are round */
    double reach_y, reach_z; /* m: distance of the outer fibres, for stresses; 0: not known */
    bool round;              /* the outer fibres lie on a circle, else on a rectangle */
    /* 1/m^3: shear stress by a unit of torque at the corners, and in the middle of the sides across y and z;
     * at all fibres that of `corner` where the section is round. */
    struct {
        double corner, y, z;
    } twist;
    double thickness;  /* m, of shells */
    double mass, rate; /* kg, N/m: of masses and springs */
    double inertia[3]; /* kg m^2: of rotary inertia, about x, y and z */
} TmlFeSection;

/* One element with all that its functions want. */
typedef struct TmlFeOne {
    const TmlFeElement *element;
    const TmlFeElementType *type;
    TmlVec3 x[TML_FE_NODES];
    int64_t id[TML_FE_NODES]; /* numbers of the nodes in the file */
    TmlFeMaterial material;
    TmlFeSection section; /* all zero: none */
    TmlFeMassRule rule;
} TmlFeOne;

/* A point of integration: natural coordinates, weight. */
typedef struct TmlFePoint {
    double at[3], weight;
} TmlFePoint;

/* Mass at a point that moves as N times the freedoms of the element. */
typedef struct TmlFeMassPoint {
    double mass;
    TmlVec3 x;
    double N[3][TML_FE_TURNING];
} TmlFeMassPoint;

struct TmlFeElementType {
    const char *name;       /* in messages and in a part's description */
    const char *text;       /* one sentence for help and reference */
    const char *const *inp; /* names in .inp files; ends with NULL */
    int msh;                /* number in .msh files; 0: none is read as this type */
    const int *msh_order;   /* node k is number msh_order[k] there; NULL: the same order */
    int n_nodes, n_corners; /* nodes behind the corners lie on edges */
    int n_freedoms;         /* of a node: 3, or 6 with rotations */
    bool bare;              /* has no material: its section says all */
    const int (*edge)[2];   /* n_nodes - n_corners: ends of the edge of each node there */
    int n_faces, n_around;  /* faces, and nodes of each, corners first, seen from outside */
    const int *face;        /* n_faces * n_around; -1 behind the nodes of a face that has fewer */

    /* Solids: natural coordinates of the nodes, shape functions and their derivatives there, points
     * of integration. NULL: not a solid. */
    const double (*node_at)[3];
    void (*shape)(const double at[3], double *N, double (*dN)[3]);
    int (*stiffness_points)(TmlFePoint *out);
    int (*mass_points)(TmlFePoint *out);
    const struct TmlShellKind *shell; /* what a flat shell is made of (shell_flat.h); else NULL */

    /* What is wrong with the shape or the data of an element; names node or value. */
    TmlStatus (*check)(const TmlFeOne *e, TmlError *err);
    void (*stiffness)(const TmlFeOne *e, double *K);
    void (*mass)(const TmlFeOne *e, double *M);
    /* Scalar mass, n_nodes square, where nodes do not turn. Beams and shells have `masses` alone, solids the points of
     * `mass_points`, others both. */
    void (*scalar_mass)(const TmlFeOne *e, double *S);
    int (*masses)(const TmlFeOne *e, TmlFeMassPoint *out);

    int n_stress; /* points where stress is computed; those of the stiffness in solids */
    /* out[6 n_stress] from the displacements u of all freedoms. Of beams: normal force, shear
     * forces along y and z, torque, moments about y and z, in axes of the section. Of shells: at
     * each point on the side of the normal, then on the other. */
    void (*stress)(const TmlFeOne *e, const double *u, double *out);
    /* out[6 n_nodes sides]: stress continued from the points to the nodes, all places of a node one after the other.
     * NULL: there is none. */
    void (*to_nodes)(const TmlFeOne *e, const double *stress, double *out);
    /* Places of stress at each node: both faces of a shell, outer fibres of a beam. NULL: one. */
    int (*sides)(const TmlFeOne *e);
    /* From the second face of a shell to the first. NULL: not a shell. */
    TmlVec3 (*normal)(const TmlFeOne *e);
    bool
        ends; /* each end has stresses of its own, which are not averaged with those of the neighbours */
    /* Geometric stiffness of the stress at the points. */
    void (*geometric)(const TmlFeOne *e, const double *stress, double *K);
};

/* All types, NULL at the end; by the name of a .inp file (upper or lower case), by the number of a
 * .msh file; NULL: unknown. */
extern const TmlFeElementType *const tml_fe_types[];
const TmlFeElementType *tml_fe_type_inp(const char *name);
const TmlFeElementType *tml_fe_type_msh(int number);
const TmlFeElementType *tml_fe_type_named(const char *name);

#define TML_FE_TYPE(id)                                                                            \
    extern const TmlFeElementType tml_fe_##id;                                                     \
    const TmlFeElementType tml_fe_##id

/* Takes elements of one type as another with the same nodes, such as hex8 as hex8i; the names are
 * those of the types. *count: how many. */
TML_NODISCARD TmlStatus tml_fe_retype(TmlFeMesh *mesh, const char *from, const char *to, int *count,
                                      TmlError *err);

/* Element k of a mesh. */
void tml_fe_one(const TmlFeMesh *mesh, int k, TmlFeMassRule rule, TmlFeOne *out);
