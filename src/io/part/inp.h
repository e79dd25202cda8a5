/* io/part/inp.h - reader of Abaqus and CalculiX files: its state and its rooms.
 *
 * A file is a list of keywords, "*NAME, KEY=VALUE, ...", each with lines of data. Keywords that
 * describe the part are read, those known not to matter for a free part are passed over with a note,
 * all others are errors: what is not understood might change the result.
 */
#pragma once

#include "io/part/mesh_build.h"

enum { TML_INP_KEYS = 16, TML_INP_ITEMS = 32, TML_INP_WORD = 128, TML_INP_DEPTH = 8 };

/* A keyword with its parameters, in upper case but for names of files. */
typedef struct TmlInpKeyword {
    char name[TML_INP_WORD];
    int n;
    char key[TML_INP_KEYS][TML_INP_WORD], value[TML_INP_KEYS][TML_INP_WORD];
} TmlInpKeyword;

/* A line of data: texts between commas, without blanks around them. */
typedef struct TmlInpLine {
    int n;
    char item[TML_INP_ITEMS][TML_INP_WORD];
} TmlInpLine;

/* A *SOLID SECTION or the like: who has what. */
typedef enum TmlInpSectionKind {
    TML_INP_SOLID, /* and trusses */
    TML_INP_BEAM,
    TML_INP_SHELL,
    TML_INP_MASS,
    TML_INP_SPRING
} TmlInpSectionKind;
typedef struct TmlInpSection {
    char elset[TML_INP_WORD], material[TML_INP_WORD];
    int line;
    TmlInpSectionKind kind;
    TmlFeSection section; /* but of solids */
} TmlInpSection;

/* A piece of a *SURFACE: nodes, or a face of elements. */
typedef struct TmlInpPiece {
    char surface[TML_INP_WORD], of[TML_INP_WORD], face[TML_INP_WORD];
    bool nodes, in_assembly;
} TmlInpPiece;

/* A *COUPLING or *RIGID BODY. */
typedef struct TmlInpCoupling {
    char keyword[TML_INP_WORD], name[TML_INP_WORD], ref[TML_INP_WORD];
    char surface[TML_INP_WORD], nset[TML_INP_WORD],
        elset[TML_INP_WORD];         /* what is tied: one of these */
    int line, dofs;                  /* bits of the degrees of freedom that are given; 0: all */
    bool kind, average, in_assembly; /* kind: *KINEMATIC or *DISTRIBUTING was there */
} TmlInpCoupling;

/* A node of the assembly, or a member of a set of these. */
typedef struct TmlInpPoint {
    int64_t id;
    TmlVec3 x;
    char set[TML_INP_WORD];
} TmlInpPoint;

/* An element that is left out: its number and its nodes. Trusses are, unless they have a section. */
typedef struct TmlInpLeft {
    int64_t id;
    int first, n; /* in left_node */
    bool section; /* one names it */
    int line;     /* of a truss that may have a section; 0: it is left out in any case */
} TmlInpLeft;

typedef struct TmlInpSource {
    const char *file;
    char *text, *at;
    int line;
} TmlInpSource;

typedef struct TmlInpReader {
    TmlMeshBuild build;
    TmlArena scratch;
    TmlInpSource source[TML_INP_DEPTH]; /* a file, and those that include each other */
    int depth;
    int n_files;
    size_t bytes; /* of all files */
    TmlInpKeyword now;
    bool in_step, in_part, in_assembly, in_instance;
    int n_parts, n_instances; /* parts with a mesh, instances */
    int mesh_part;            /* the part or instance that has the mesh */
    int n_materials, cap_materials;
    TmlFeMaterial *material;
    int n_sections, cap_sections;
    TmlInpSection *section;
    int lines; /* of data of the present keyword */
    /* the element that is being read */
    const TmlFeElementType *type; /* NULL: left out */
    int n_wanted, n_read;
    int64_t number[64];
    int element_line;
    TmlGrowingSet *to_nodes, *to_elements; /* sets that what is read belongs to */
    /* elements that are left out: their nodes, which sets of these elements stand for */
    int n_left, cap_left, n_left_nodes, cap_left_nodes;
    TmlInpLeft *left;
    int64_t *left_node;
    /* inp_coupling.c */
    char surface_name[TML_INP_WORD]; /* that is being read */
    char point_set[TML_INP_WORD];    /* of the assembly, that is being read */
    bool surface_nodes;
    int n_pieces, cap_pieces, n_couplings, cap_couplings, n_points, cap_points;
    TmlInpPiece *piece;
    TmlInpCoupling *coupling;
    TmlInpPoint *point;
    bool generate, skip;               /* GENERATE; lines of data do not matter */
    TmlVec3 shift, turn_from, turn_to; /* of the instance */
    double turn;                       /* rad */
} TmlInpReader;

/* A failure at the present line. */
TmlStatus tml_inp_fail(const TmlInpReader *r, TmlError *err, const char *fmt, ...) TML_PRINTF(3, 4);
/* Value of a parameter, "" when it has none, NULL when it is not there. */
const char *tml_inp_value(const TmlInpReader *r, const char *key);
/* Line of the main file; 0 in files that it includes. */
int tml_inp_line(const TmlInpReader *r);

TML_NODISCARD TmlStatus tml_inp_int(const TmlInpReader *r, const char *text, const char *what,
                                    int64_t *out, TmlError *err);
TML_NODISCARD TmlStatus tml_inp_real(const TmlInpReader *r, const char *text, const char *what,
                                     double *out, TmlError *err);

/* What begins with a keyword, and what its lines of data are; one pair a keyword. */
typedef TmlStatus TmlInpBegin(TmlInpReader *r, TmlError *err);
typedef TmlStatus TmlInpData(TmlInpReader *r, const TmlInpLine *line, TmlError *err);

/* A name in upper case; out: TML_INP_WORD. */
void tml_inp_upper(const char *text, char *out);

/* inp_mesh.c */
TmlInpBegin tml_inp_node, tml_inp_element, tml_inp_nset, tml_inp_elset;
TmlInpData tml_inp_node_data, tml_inp_element_data, tml_inp_nset_data, tml_inp_elset_data;
TmlInpBegin tml_inp_element_end; /* the last element is whole */
/* inp_left.c; line: of a truss that may have a section, 0: none may. */
void tml_inp_leave_out(TmlInpReader *r, int64_t id, const int64_t *node, int line);
/* Trusses with a section become elements of the mesh. Sets of elements that are left out become sets of their nodes, where
 * no set of nodes has that name. */
void tml_inp_left_sets(TmlInpReader *r);
TmlInpBegin tml_inp_part, tml_inp_end_part, tml_inp_assembly, tml_inp_end_assembly;
TmlInpBegin tml_inp_instance, tml_inp_end_instance;
TmlInpData tml_inp_instance_data;

/* inp_coupling.c */
TmlInpBegin tml_inp_surface, tml_inp_coupling, tml_inp_rigid_body, tml_inp_kinematic;
TmlInpBegin tml_inp_distributing;
TmlInpData tml_inp_surface_data, tml_inp_coupling_data;
/* A node of the assembly, and a member of a set of such nodes. */
void tml_inp_point(TmlInpReader *r, int64_t id, TmlVec3 x);
void tml_inp_point_set(TmlInpReader *r, const char *name, int64_t id);
/* Couplings of the mesh, which is whole. */
TML_NODISCARD TmlStatus tml_inp_couplings(TmlInpReader *r, TmlError *err);

/* inp_section.c */
TmlInpBegin tml_inp_material, tml_inp_elastic, tml_inp_density, tml_inp_solid_section;
TmlInpBegin tml_inp_beam_section, tml_inp_shell_section, tml_inp_mass, tml_inp_spring;
TmlInpData tml_inp_elastic_data, tml_inp_density_data, tml_inp_solid_data, tml_inp_beam_data;
TmlInpData tml_inp_shell_data, tml_inp_mass_data, tml_inp_spring_data;
/* Gives materials and sections to the elements of the mesh, which is whole. */
TML_NODISCARD TmlStatus tml_inp_assign(TmlInpReader *r, TmlError *err);
