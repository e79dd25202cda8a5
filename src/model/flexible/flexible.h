/* model/flexible/flexible.h - flexible bodies: meshes of elements in absolute nodal coordinates.
 *
 * The coordinates of an element are vectors x_i: positions of its nodes and gradients r_x, r_y, r_z
 * there. Inside, r(xi) = sum_i S_i(xi) x_i with scalar shape functions S_i, so that the mass matrix
 * is a constant matrix of numbers M_ij times the unit matrix, and gravity acts as weights w_i.
 *
 * Every x_i is a sum of terms. One term with the factor one and a body of its own (`tml_body_*`
 * below) is a free coordinate. Terms of a rigid body (a point of it, or a direction fixed to it),
 * of ground, or of the coordinates of another mesh are connections: they are eliminated here and
 * need no multiplier ([000], joints by linear connectivity).
 */
#pragma once

#include "base/arena.h"
#include "math/triad.h"
#include "model/model.h"
#include "trammel/element.h"

enum {
    TML_FLEX_MAX_NODES = 4,
    TML_FLEX_MAX_VECTORS = 16, /* of an element */
    TML_FLEX_MAX_N = 48,       /* numbers in them */
    TML_FLEX_MAX_OUTPUTS = 24, /* strains and stresses at a place */
};

/* Vectors of a node; they are also the weights of a point: r and its derivatives. */
typedef enum TmlFlexKind {
    TML_FLEX_R,
    TML_FLEX_RX,
    TML_FLEX_RY,
    TML_FLEX_RZ,
    TML_FLEX_KINDS
} TmlFlexKind;

typedef enum TmlFlexTopology { TML_FLEX_LINE, TML_FLEX_PATCH } TmlFlexTopology;

/* c times a vector of a body: its own for the bodies below; the point s_b, or the direction s_b in
 * body axes, for rigid bodies and ground. */
typedef struct TmlVectorTerm {
    int body;
    double c;
    TmlVec3 s_b;
    bool direction;
} TmlVectorTerm;

typedef struct TmlVector {
    int n;
    const TmlVectorTerm *term;
} TmlVector;

typedef enum TmlMaterialModel {
    TML_MATERIAL_ELASTIC,      /* St Venant-Kirchhoff, or linear in resultants */
    TML_MATERIAL_MOONEY_RIVLIN /* c10 (I1 - 3) + c01 (I2 - 3) + bulk/2 (J - 1)^2, isochoric I */
} TmlMaterialModel;

typedef struct TmlMaterial {
    TmlMaterialModel model;
    double E, nu, density; /* Pa, -, kg/m^3 */
    double mass_damping;   /* 1/s: force mass_damping M v against the motion */
    double slope_damping;  /* N s: force against the rate of the slope of a wire */
    double damping;        /* s: stress C (strain + damping strain') (Kelvin-Voigt) */
    double c10, c01, bulk; /* Pa */
    bool plane_stress;     /* of plane elements; else plane strain */
} TmlMaterial;

typedef enum TmlCrossKind {
    TML_CROSS_RECTANGLE, /* height along y, width along z */
    TML_CROSS_CIRCLE,    /* radius, inner */
    TML_CROSS_GENERAL,   /* area, Iy, Iz, J, shear_y, shear_z */
    TML_CROSS_PLATE      /* height is the thickness */
} TmlCrossKind;

enum { TML_RESULTANTS = 6 }; /* force along x, y, z; moment about x, y, z */

/* area ... shear_z are filled for all kinds. Iy: integral of z^2, Iz: of y^2, J: of torsion.
 * Those of the mass are other ones where not zero (sections that are not homogeneous). */
typedef struct TmlCrossSection {
    TmlCrossKind kind;
    double height, width, radius, inner;
    double area, Iy, Iz, J, shear_y, shear_z;
    double mass_area, mass_Iy, mass_Iz;
    double mass_centre[2];                            /* y, z of the centre of mass */
    bool matrix;                                      /* given by a stiffness matrix */
    double stiffness[TML_RESULTANTS][TML_RESULTANTS]; /* of it, else unused */
} TmlCrossSection;

typedef enum TmlFormulation {
    TML_FORM_CONTINUUM,
    TML_FORM_ELASTIC_LINE,
    TML_FORM_ENHANCED /* continuum, Poisson's effect on the axis only */
} TmlFormulation;

struct TmlFlexData {
    TmlMaterial material;
    TmlCrossSection section;
    TmlFormulation formulation;
    double transport; /* of cables, m/s: stress-free length that runs through the shape */
};

enum { TML_LOAD_GAUSS = 4 }; /* points a load is taken at, along an element */

/* Force per length of a line, per area of a patch: expressions of time, in global axes, or along
 * the section's axes as they turn. One set of three for the whole body, or one a Gauss point of
 * every element of a line. */
struct TmlFlexLoad {
    int sets;           /* 1, or TML_LOAD_GAUSS n_x */
    TmlBinding **force; /* 3 sets, N/m or N/m^2 */
    bool follower;
};

/* The stress-free shape of one element. */
typedef struct TmlFlexReference {
    const double *x; /* vectors * dim numbers */
    double size[2];  /* m: length along x, and along y for patches */
} TmlFlexReference;

/* Values for one evaluation: vectors * dim numbers, node by node, in the order of `kind`. */
typedef struct TmlFlexIn {
    const TmlFlexData *data; /* of the mesh */
    const void *table;       /* what prepare made for this element */
    const double *x, *v;
    /* For static solutions; NULL: none. What x was moved by in the last iteration. `tangent` may
     * then take the stresses of its geometric part from strains that are linear in that move: a
     * slender body is stretched by what is of second order in a rotation, which the iteration
     * undoes at once, and the tension would hold it back meanwhile. */
    const double *moved;
} TmlFlexIn;

struct TmlFlexType {
    TmlTypeInfo info; /* outputs: strains and stresses of `strain` */
    TmlFlexTopology topology;
    int dim;            /* 3; 2: motion in the plane z = 0 */
    int nodes, vectors; /* of an element; of a node */
    TmlFlexKind kind[TML_FLEX_KINDS];
    TmlFormulation standard; /* of elastic materials, where the model says nothing */
    bool slope_damping;      /* it damps `slope_damping` of the material */
    bool transports;         /* its material may run through its shape */
    bool couples;            /* elastic_line takes stiffness matrices that are not diagonal */

    /* Reject materials, sections and formulations that the element cannot have. */
    TmlStatus (*check)(const TmlFlexData *data, TmlError *err);

    /* Tables of one element, from the arena. Elements of equal shape may share them: `last` is the
     * table of the element before, or NULL. */
    TmlStatus (*prepare)(const TmlFlexData *data, const TmlFlexReference *ref, TmlArena *arena,
                         const void *last, const void **table, TmlError *err);

    /* Places of M[n * n] and w[n] in the table, n = nodes * vectors: integrals of rho S_i S_j and
     * of rho S_i. */
    size_t mass, weight;

    /* f[N] = forces of stresses, elastic and viscous, N = n * dim. */
    void (*force)(const TmlFlexIn *in, double *f);

    /* K[N * N] = c_q df/dx + c_v df/dv; row major. */
    void (*tangent)(const TmlFlexIn *in, double c_q, double c_v, double *K);

    double (*energy)(const TmlFlexIn *in); /* J, elastic */

    /* s[n]: S_i at xi for TML_FLEX_R, else its derivative by the material coordinate. xi[0] from 0
     * to 1 along the element (patches: xi[1] too), others in m from the middle. */
    void (*shape)(const TmlFlexData *data, const void *table, const double xi[3], TmlFlexKind what,
                  double *s);

    /* Smallest volume ratio det(J)/det(J_0) over the quadrature points; not above zero: inverted.
     */
    double (*volume)(const TmlFlexIn *in);

    /* value[info.outputs] at xi. */
    void (*strain)(const TmlFlexIn *in, const double xi[3], double *value);

    /* Forces and moments of the section, value[TML_RESULTANTS]; NULL: none. Of elastic_line. */
    const TmlOutput *resultants;
    void (*resultant)(const TmlFlexIn *in, double xi, double *value);
};

static inline const double *tml_flex_mass(const TmlFlexType *type, const void *table)
{
    return (const double *)(const void *)((const char *)table + type->mass);
}

static inline const double *tml_flex_weight(const TmlFlexType *type, const void *table)
{
    return (const double *)(const void *)((const char *)table + type->weight);
}

/* A frame inside an element. Its axes follow two gradients a, b (math/triad.h): those that bending
 * works on, so that a torque on the frame bends the body. On others it would be held by the shear
 * stiffness of one element only, which is the less the smaller the element. Beams bend by the
 * gradients across: r_y and r_z, or r_y and r_x in the plane. So do plates by r_z, and r_x tells
 * how they turn about it; shells have r_x and r_y, cables r_x alone. */
typedef struct TmlFlexPoint {
    int flex;         /* -1: a frame of a modal body */
    int modal, frame; /* of TmlModel.modals, and of its part, then */
    double xi[3];
    TmlSheetKind sheet; /* it lies on that, else on the element itself */
    TmlTriadKind axes;  /* of lines with r_y and r_z even: torsion works on both alike */
    TmlMat33 start;     /* of TML_TRIAD_LEAST and _SPINLESS: axes at the start */
    TmlMat33 turn;      /* axes of the frame in those of the triad */
    double s[3][TML_FLEX_MAX_VECTORS]; /* weights of r, a, b */
} TmlFlexPoint;

/* Where an expression reads an output of a flexible body. */
typedef struct TmlFlexPlace {
    int element, output; /* of info.outputs, then of the resultants */
    double xi[3];
} TmlFlexPlace;

/* Coordinates that belong to flexible bodies; no bodies to the user. */
extern const TmlBodyType tml_body_position2, tml_body_gradient2, tml_body_position3,
    tml_body_gradient3;
/* The same of what is kept in a plane of space; that of xy is the first two. */
extern const TmlBodyType tml_body_position_yz, tml_body_gradient_yz, tml_body_position_zx,
    tml_body_gradient_zx;
/* One number: the place of something that slides along a flexible body. */
extern const TmlBodyType tml_body_place;
/* One to three coordinates of a modal body. */
extern const TmlBodyType *const tml_body_modes[3];
/* Stands for a whole mesh: has its name and no coordinates. */
extern const TmlBodyType tml_body_flexible;

/* Triad of gradients a = r_x, b = r_y: x along a, z along a x b. */
TmlMat33 tml_flex_triad(TmlVec3 a, TmlVec3 b);

/* Add a point of an element to the model; -1: out of memory. A station is a point with something round about it: where
 * the section has no axes, it does not spin. */
int tml_flex_add_point(TmlModel *m, int flex, const double xi[3]);
int tml_flex_add_station(TmlModel *m, int flex, const double xi[3], TmlSheetKind sheet);

/* Move a station within its element. */
void tml_flex_point_move(const TmlModel *m, TmlFlexPoint *p, const double xi[3]);

/* Value and rate of a vector at the model's initial state. */
void tml_flex_initial_vector(const TmlModel *m, const TmlVector *v, TmlVec3 *x, TmlVec3 *rate);

/* Motion at a point of the mesh at the initial state, without the end's own offset. */
TmlFrameKin tml_flex_initial_point(const TmlModel *m, int point);

/* T by columns = J^-1 R for gradients J by columns and the axes R of tml_flex_triad of those on the
 * middle surface or the axis; returns det J, T is left alone where that is not above zero. */
double tml_flex_axes(const double *J, const double *J_middle, double *T);
