/* io/part/inp/inp.h - reader of Abaqus and CalculiX files: its state and its rooms.
 *
 * A file is a list of keywords, "*NAME, KEY=VALUE, ...", each with lines of data. Keywords that
 * describe the part are read, those known not to matter for a free part are passed over with a note,
 * all others are errors: what is not understood might change the result.
 */
#pragma once

#include "io/part/mesh_build.h"
#include "reduce/mesh/fe_stress.h"

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
    TML_INP_SPRING,
    TML_INP_ROTARY
} TmlInpSectionKind;
typedef struct TmlInpSection {
    char elset[TML_INP_WORD], material[TML_INP_WORD];
    int line;
    TmlInpSectionKind kind;
    TmlFeSection section; /* but of solids */
} TmlInpSection;

/* A set or a node by the text that names it: with its instance where there are several. */
typedef struct TmlInpName {
    char text[TML_INP_WORD]; /* "": none was given */
    int64_t
        id; /* number of a node or element of the mesh; 0: the text is a name, or a number of the assembly */
    bool in_assembly; /* what the assembly calls so comes first */
} TmlInpName;

/* A piece of a *SURFACE: nodes, or a face of elements. */
typedef struct TmlInpPiece {
    char surface[TML_INP_WORD], face[TML_INP_WORD];
    TmlInpName of;
    bool nodes;
} TmlInpPiece;

/* A *COUPLING or *RIGID BODY. */
typedef struct TmlInpCoupling {
    char keyword[TML_INP_WORD], name[TML_INP_WORD];
    TmlInpName ref, surface, nset, elset; /* what is tied: one of the last three */
    int line, dofs;     /* bits of the degrees of freedom that are given; 0: all */
    bool kind, average; /* kind: *KINEMATIC or *DISTRIBUTING was there */
} TmlInpCoupling;

/* A node of the assembly, or a member of a set of these. */
typedef struct TmlInpPoint {
    int64_t id, node; /* number in the assembly; of its node in the mesh, 0: it has none */
    TmlVec3 x;
    char set[TML_INP_WORD];
} TmlInpPoint;

/* A keyword that ties nodes, for messages. */
typedef struct TmlInpWho {
    const char *keyword;
    int line;
} TmlInpWho;

/* An *EQUATION, or a line of *MPC or *TIE, with what it names. */
typedef enum TmlInpTieKind {
    TML_INP_EQUATION,
    TML_INP_MPC_BEAM,
    TML_INP_MPC_TIE,
    TML_INP_MPC_PIN,
    TML_INP_MPC_LINK,
    TML_INP_MPC_LINEAR,
    TML_INP_MPC_QUADRATIC,
    TML_INP_TIE
} TmlInpTieKind;
typedef struct TmlInpTie {
    TmlInpTieKind kind;
    int line, first, n; /* in the list of named nodes */
    double tolerance;   /* of *TIE; 0: none is given */
    bool no_rotation;
} TmlInpTie;
typedef struct TmlInpTerm {
    TmlInpName of;
    int freedom; /* from 0; of *EQUATION */
    double factor;
} TmlInpTerm;

/* An element that is left out: its number and its nodes. Trusses are, unless they have a section. */
typedef struct TmlInpLeft {
    int64_t id;
    int first, n; /* in left_node */
    bool section; /* one names it */
    int line;     /* of a truss that may have a section; 0: it is left out in any case */
} TmlInpLeft;

/* The text of a *PART, which each of its instances reads. */
typedef struct TmlInpPart {
    char name[TML_INP_WORD];
    const char *file, *text;
    int line;
    bool used;
} TmlInpPart;

/* What is added to the numbers of an instance, so that those of several differ. */
typedef struct TmlInpInstance {
    char name[TML_INP_WORD];
    int64_t offset;
} TmlInpInstance;

/* The second half of a beam of three nodes. */
typedef struct TmlInpHalf {
    int64_t id, node[2]; /* of the element; its middle and its end */
    int line;
} TmlInpHalf;

/* A set of the nodes of elements, which are known at the end of the file. */
typedef struct TmlInpNodesOf {
    int set, line; /* place of the set of nodes */
    TmlInpName of;
} TmlInpNodesOf;

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
    int n_parts;   /* with a mesh in the file itself */
    int mesh_part; /* the part or instance that has the mesh */
    /* inp_instance.c */
    bool deferred,
        several; /* the file has instances: parts are read there; it has more than one: names have theirs */
    int n_texts, cap_texts, n_instances, cap_instances;
    TmlInpPart *text;
    TmlInpInstance *instance;
    int first_node;          /* of the present instance */
    int64_t offset, most;    /* of the present instance; the largest number so far */
    int64_t assembly_offset; /* 0: the assembly has no node in the mesh */
    char instance_name[TML_INP_WORD];
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
    bool halves; /* the present elements have three nodes along a beam */
    int n_halves, cap_halves;
    TmlInpHalf *half;
    int n_wanted_sets, cap_wanted;
    TmlInpNodesOf *wanted;
    int64_t set_offset;                    /* added to the members of the present set */
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
    /* inp_relation.c, inp_tie.c */
    int n_ties, cap_ties, n_terms, cap_terms, terms_left;
    TmlInpTie *tie;
    TmlInpTerm *term;
    int cap_relations, cap_fe_terms; /* of the mesh, as they grow */
    TmlFeRelation *relation;
    TmlFeTerm *fe_term;
    int *by_id;          /* places of nodes in the order of their numbers; NULL so far */
    bool transformed;    /* a *TRANSFORM turns the axes of some nodes */
    bool generate, skip; /* GENERATE; lines of data do not matter */
    TmlVec3 shift, turn_from, turn_to; /* of the present instance */
    double turn;                       /* rad */
} TmlInpReader;

/* The next line, its end cut off; NULL: all files are at their ends. Then its texts between commas. */
char *tml_inp_next_line(TmlInpReader *r);
TML_NODISCARD TmlStatus tml_inp_split(const TmlInpReader *r, const char *line, TmlInpLine *out,
                                      TmlError *err);
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
/* Second halves of beams of three nodes become elements, in all sets of the first ones. */
TML_NODISCARD TmlStatus tml_inp_take_halves(TmlInpReader *r, TmlError *err);
/* Nodes of the elements that *NSET, ELSET names. */
TML_NODISCARD TmlStatus tml_inp_nodes_of_elements(TmlInpReader *r, TmlError *err);

/* inp_instance.c */
TmlInpBegin tml_inp_part, tml_inp_end_part, tml_inp_assembly, tml_inp_end_assembly;
TmlInpBegin tml_inp_instance, tml_inp_end_instance;
TmlInpData tml_inp_instance_data;
/* Whether the file has instances, before its first line is read. */
void tml_inp_look_for_instances(TmlInpReader *r);
/* At the end: a part without an instance is read as it stands. *more: there is something to read. */
TML_NODISCARD TmlStatus tml_inp_parts_left(TmlInpReader *r, bool *more, TmlError *err);
/* What is added to numbers of an instance; -1: it is not known. */
int64_t tml_inp_offset(const TmlInpReader *r, const char *instance, size_t length);
/* A number that the mesh has, and where the next round one begins. */
void tml_inp_count(TmlInpReader *r, int64_t id);
int64_t tml_inp_next_offset(const TmlInpReader *r);

/* inp_names.c: what a text names; of the mesh when it is whole. */
/* A name or number as it stands in the present part, instance or assembly. */
void tml_inp_name(const TmlInpReader *r, const char *text, TmlInpName *out);
TmlStatus tml_inp_who_fail(const TmlInpReader *r, TmlInpWho who, TmlError *err, const char *what,
                           const char *name);
/* NULL: there is none. */
const TmlFeSet *tml_inp_set_of(int n, const TmlFeSet *sets, const TmlInpName *name);
int tml_inp_node_numbered(const TmlInpReader *r, int64_t id); /* -1: there is none */
/* A node of the assembly, and a member of a set of such nodes. */
void tml_inp_point(TmlInpReader *r, int64_t id, TmlVec3 x);
void tml_inp_point_set(TmlInpReader *r, const char *name, int64_t id);
/* The number in the mesh of a node of the assembly, which gets one. */
TML_NODISCARD TmlStatus tml_inp_point_node(TmlInpReader *r, int64_t id, int64_t *out,
                                           TmlError *err);
/* The same for all that a name of the assembly stands for, if it stands for any. */
TML_NODISCARD TmlStatus tml_inp_point_nodes(TmlInpReader *r, const TmlInpName *name, TmlError *err);
const TmlInpPoint *tml_inp_point_of(const TmlInpReader *r, const TmlInpName *name);
/* Nodes by a set or a number, n of them; *out from the scratch arena. */
TML_NODISCARD TmlStatus tml_inp_nodes_of(TmlInpReader *r, TmlInpWho who, const TmlInpName *name,
                                         int *n, const int **out, TmlError *err);

/* inp_surface.c */
TmlInpBegin tml_inp_surface;
TmlInpData tml_inp_surface_data;
/* Marks the nodes of a surface, or of a list of them. */
TML_NODISCARD TmlStatus tml_inp_surface_nodes(const TmlInpReader *r, TmlInpWho who,
                                              const TmlInpName *name, bool *in, TmlError *err);
TML_NODISCARD TmlStatus tml_inp_set_nodes(const TmlInpReader *r, TmlInpWho who,
                                          const TmlInpName *name, bool *in, TmlError *err);
/* Faces of a surface, from the arena. */
TML_NODISCARD TmlStatus tml_inp_surface_faces(const TmlInpReader *r, TmlInpWho who,
                                              const TmlInpName *name, TmlArena *arena, int *n,
                                              TmlFeFace **out, TmlError *err);

/* inp_coupling.c */
TmlInpBegin tml_inp_coupling, tml_inp_rigid_body, tml_inp_kinematic, tml_inp_distributing;
TmlInpBegin tml_inp_kinematic_coupling;
TmlInpData tml_inp_coupling_data, tml_inp_kinematic_coupling_data;
/* Reference points of couplings of some freedoms become nodes of the mesh. */
TML_NODISCARD TmlStatus tml_inp_coupling_points(TmlInpReader *r, TmlError *err);
/* Couplings of the mesh, which is whole. */
TML_NODISCARD TmlStatus tml_inp_couplings(TmlInpReader *r, TmlError *err);

/* inp_relation.c */
TmlInpBegin tml_inp_equation, tml_inp_equation_end, tml_inp_mpc;
TmlInpData tml_inp_equation_data, tml_inp_mpc_data;
TML_NODISCARD TmlStatus tml_inp_add_term(TmlInpReader *r, const TmlInpTerm *term, TmlError *err);
TML_NODISCARD TmlStatus tml_inp_add_tie(TmlInpReader *r, const TmlInpTie *tie, TmlError *err);
/* A relation of the mesh and its terms. */
TML_NODISCARD TmlStatus tml_inp_begin_relation(TmlInpReader *r, TmlInpWho who, TmlError *err);
TML_NODISCARD TmlStatus tml_inp_relation_term(TmlInpReader *r, int node, int freedom, double factor,
                                              TmlError *err);
/* Freedom i of node a follows node b, which turns: u_a = u_b + t_b x r, t_a = t_b. */
TML_NODISCARD TmlStatus tml_inp_follow(TmlInpReader *r, TmlInpWho who, int a, int b, int i,
                                       TmlError *err);
/* Nodes to which an element gives rotations. */
void tml_inp_turning(const TmlFeMesh *mesh, bool *turns);
/* What *EQUATION, *MPC and *TIE say of the mesh, which is whole. */
TML_NODISCARD TmlStatus tml_inp_relations(TmlInpReader *r, TmlError *err);

/* inp_tie.c */
TmlInpBegin tml_inp_tie;
TmlInpData tml_inp_tie_data;
/* turns: nodes with rotations. tied: nodes that follow from others, kept up. */
TML_NODISCARD TmlStatus tml_inp_resolve_tie(TmlInpReader *r, const TmlInpTie *tie,
                                            const bool *turns, bool *tied, TmlError *err);

/* inp_section.c */
TmlInpBegin tml_inp_material, tml_inp_elastic, tml_inp_density, tml_inp_solid_section;
TmlInpBegin tml_inp_beam_section, tml_inp_shell_section, tml_inp_mass, tml_inp_spring;
TmlInpBegin tml_inp_rotary;
TmlInpData tml_inp_rotary_data;
TmlInpData tml_inp_elastic_data, tml_inp_density_data, tml_inp_solid_data, tml_inp_beam_data;
TmlInpData tml_inp_shell_data, tml_inp_mass_data, tml_inp_spring_data;
/* Gives materials and sections to the elements of the mesh, which is whole. */
TML_NODISCARD TmlStatus tml_inp_assign(TmlInpReader *r, TmlError *err);
