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
typedef enum TmlInpSectionKind { TML_INP_SOLID, TML_INP_BEAM, TML_INP_SHELL } TmlInpSectionKind;
typedef struct TmlInpSection {
    char elset[TML_INP_WORD], material[TML_INP_WORD];
    int line;
    TmlInpSectionKind kind;
    TmlFeSection section; /* of beams and shells */
} TmlInpSection;

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
    bool generate, skip;                   /* GENERATE; lines of data do not matter */
    TmlVec3 shift, turn_from, turn_to;     /* of the instance */
    double turn;                           /* rad */
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

/* inp_mesh.c */
TmlInpBegin tml_inp_node, tml_inp_element, tml_inp_nset, tml_inp_elset;
TmlInpData tml_inp_node_data, tml_inp_element_data, tml_inp_nset_data, tml_inp_elset_data;
TmlInpBegin tml_inp_element_end; /* the last element is whole */
TmlInpBegin tml_inp_part, tml_inp_end_part, tml_inp_assembly, tml_inp_end_assembly;
TmlInpBegin tml_inp_instance, tml_inp_end_instance;
TmlInpData tml_inp_instance_data;

/* inp_section.c */
TmlInpBegin tml_inp_material, tml_inp_elastic, tml_inp_density, tml_inp_solid_section;
TmlInpBegin tml_inp_beam_section, tml_inp_shell_section;
TmlInpData tml_inp_elastic_data, tml_inp_density_data, tml_inp_solid_data, tml_inp_beam_data;
TmlInpData tml_inp_shell_data;
/* Gives materials and sections to the elements of the mesh, which is whole. */
TML_NODISCARD TmlStatus tml_inp_assign(TmlInpReader *r, TmlError *err);
