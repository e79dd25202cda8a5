/* io/part/gmsh.c - text files of Gmsh: sections of version 2.2, and what both versions share.
 *
 * A file is a list of sections $Name ... $EndName. Solids are read; points, lines and surfaces
 * beside them are counted, and give their nodes to the sets of their groups.
 */
#include "io/part/gmsh.h"

#include "base/input.h"
#include "io/part/mesh_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 200 * 1000 * 1000 }; /* nodes or elements that a file may announce */

TmlMshType tml_msh_type(int64_t number)
{
    static const TmlMshType types[] = {[1] = {2, 1, "line of 2 nodes"},
                                       [2] = {3, 2, "triangle of 3 nodes"},
                                       [3] = {4, 2, "quadrangle of 4 nodes"},
                                       [4] = {4, 3, "tetrahedron of 4 nodes"},
                                       [5] = {8, 3, "hexahedron of 8 nodes"},
                                       [6] = {6, 3, "prism of 6 nodes"},
                                       [7] = {5, 3, "pyramid of 5 nodes"},
                                       [8] = {3, 1, "line of 3 nodes"},
                                       [9] = {6, 2, "triangle of 6 nodes"},
                                       [10] = {9, 2, "quadrangle of 9 nodes"},
                                       [11] = {10, 3, "tetrahedron of 10 nodes"},
                                       [12] = {27, 3, "hexahedron of 27 nodes"},
                                       [13] = {18, 3, "prism of 18 nodes"},
                                       [14] = {14, 3, "pyramid of 14 nodes"},
                                       [15] = {1, 0, "point"},
                                       [16] = {8, 2, "quadrangle of 8 nodes"},
                                       [17] = {20, 3, "hexahedron of 20 nodes"},
                                       [18] = {15, 3, "prism of 15 nodes"},
                                       [19] = {13, 3, "pyramid of 13 nodes"},
                                       [21] = {10, 2, "triangle of 10 nodes"},
                                       [26] = {4, 1, "line of 4 nodes"},
                                       [29] = {20, 3, "tetrahedron of 20 nodes"}};
    const int n = sizeof types / sizeof types[0];
    return number > 0 && number < n ? types[number] : (TmlMshType){0, 0, NULL};
}

/* --- elements and groups ------------------------------------------------------------------- */

/* Name of a group: as given, or DIMENSION:NUMBER. */
static const char *group_name(const TmlMshReader *r, int dimension, int64_t number, char *space,
                              size_t size)
{
    snprintf(space, size, "%d:%" PRId64, dimension, number);
    const int k = tml_names_find(&r->names, space);
    return k >= 0 ? r->name[k] : space;
}

static void enter_groups(TmlMshReader *r, const TmlMshType *type, int place, int n_groups,
                         const int64_t *groups, const int64_t *node)
{
    TmlMeshBuild *b = &r->build;
    char space[40];
    for (int k = 0; k < n_groups; ++k) {
        const char *name = group_name(r, type->dimension, groups[k], space, sizeof space);
        TmlGrowingSet *nodes = tml_mesh_set(b, &b->nodes, name, r->scan.line);
        for (int i = 0; i < type->nodes; ++i) {
            tml_mesh_set_add(b, nodes, node[i]);
        }
        if (place >= 0) {
            TmlGrowingSet *elements = tml_mesh_set(b, &b->elements, name, r->scan.line);
            if (elements != NULL) {
                elements->by_place = true;
            }
            tml_mesh_set_add(b, elements, place);
        }
    }
}

static TmlStatus no_such_type(const TmlMshReader *r, int64_t id, int64_t number,
                              const TmlMshType *type, TmlError *err)
{
    if (type->nodes == 0) {
        return tml_scan_fail(&r->scan, err,
                             "element %" PRId64 ": its type %" PRId64 " is not known", id, number);
    }
    return tml_scan_fail(&r->scan, err,
                         "element %" PRId64 " is a %s (type %" PRId64
                         "): only tetrahedra of 4 and 10, hexahedra of 8 and 20 and prisms of 6 "
                         "and 15 nodes are read%s",
                         id, type->name, number,
                         number == 12 ? "; Mesh.SecondOrderIncomplete = 1 in Gmsh gives 20" : "");
}

enum { TRIANGLE = 2, QUADRANGLE = 3 };

/* The nodes of flat elements have the order of shells. */
static const TmlFeElementType *type_of(const TmlMshReader *r, int64_t number)
{
    if (r->shells && (number == TRIANGLE || number == QUADRANGLE)) {
        return tml_fe_type_named(number == TRIANGLE ? "shell3" : "shell4");
    }
    return tml_fe_type_msh((int)number);
}

TmlStatus tml_msh_element(TmlMshReader *r, int64_t number, int64_t id, int n_groups,
                          const int64_t *groups, TmlError *err)
{
    const TmlMshType type = tml_msh_type(number);
    const TmlFeElementType *known = type_of(r, number);
    int64_t node[TML_FE_NODES], own[TML_FE_NODES];
    const int line = r->scan.line;
    int place = -1;
    if (type.nodes == 0 || (type.dimension == 3 && known == NULL)) {
        return no_such_type(r, id, number, &type, err);
    }
    for (int i = 0; i < type.nodes; ++i) {
        TML_TRY(tml_scan_int(&r->scan, 1, INT64_MAX, "the number of a node", &node[i], err));
    }
    if (known != NULL) {
        for (int i = 0; i < known->n_nodes; ++i) {
            own[i] = node[known->msh_order != NULL ? known->msh_order[i] : i];
        }
        place = tml_mesh_add_element(&r->build, known, id, own, line);
    } else {
        r->n_skipped++;
        r->has_faces = r->has_faces || number == TRIANGLE || number == QUADRANGLE;
    }
    enter_groups(r, &type, place, n_groups, groups, node);
    return TML_OK;
}

static TmlStatus read_names(TmlMshReader *r, TmlError *err)
{
    int64_t n = 0;
    TML_TRY(tml_scan_int(&r->scan, 0, MOST, "the number of groups", &n, err));
    for (int64_t k = 0; k < n; ++k) {
        int64_t dimension = 0, number = 0;
        TML_TRY(tml_scan_int(&r->scan, 0, 3, "the dimension of a group", &dimension, err));
        TML_TRY(tml_scan_int(&r->scan, 0, INT64_MAX, "the number of a group", &number, err));
        const char *begin = r->scan.at + strspn(r->scan.at, " \t");
        const char *end = *begin == '"' ? strpbrk(begin + 1, "\"\n") : NULL;
        if (end == NULL || *end != '"') {
            return tml_scan_fail(&r->scan, err,
                                 "$PhysicalNames: the name of a group in quotes is "
                                 "missing");
        }
        TmlArena *arena = &r->build.mesh->arena;
        const char *name = tml_arena_strndup(arena, begin + 1, (size_t)(end - begin - 1));
        const char *key = tml_arena_printf(arena, "%" PRId64 ":%" PRId64, dimension, number);
        if (name == NULL || key == NULL ||
            !tml_mem_grow((void **)&r->name, &r->cap_names, r->n_names + 1, sizeof *r->name) ||
            !tml_names_add(&r->names, key, r->n_names)) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for the groups of '%s'", r->scan.file);
        }
        r->name[r->n_names++] = name;
        r->scan.at = end + 1;
    }
    return TML_OK;
}

/* --- version 2.2 --------------------------------------------------------------------------- */

static TmlStatus read_nodes(TmlMshReader *r, TmlError *err)
{
    int64_t n = 0, id = 0;
    TML_TRY(tml_scan_int(&r->scan, 0, MOST, "the number of nodes", &n, err));
    for (int64_t k = 0; k < n && !r->build.nomem; ++k) {
        TmlVec3 x;
        TML_TRY(tml_scan_int(&r->scan, 1, INT64_MAX, "the number of a node", &id, err));
        const int line = r->scan.line;
        TML_TRY(tml_scan_real(&r->scan, "a coordinate", &x.x, err));
        TML_TRY(tml_scan_real(&r->scan, "a coordinate", &x.y, err));
        TML_TRY(tml_scan_real(&r->scan, "a coordinate", &x.z, err));
        tml_mesh_add_node(&r->build, id, x, line);
    }
    return TML_OK;
}

static TmlStatus read_elements(TmlMshReader *r, TmlError *err)
{
    int64_t n = 0, id = 0, type = 0, tags = 0;
    TML_TRY(tml_scan_int(&r->scan, 0, MOST, "the number of elements", &n, err));
    for (int64_t k = 0; k < n && !r->build.nomem; ++k) {
        int64_t tag, group = 0;
        TML_TRY(tml_scan_int(&r->scan, 1, INT64_MAX, "the number of an element", &id, err));
        TML_TRY(tml_scan_int(&r->scan, 1, 1000, "the type of an element", &type, err));
        TML_TRY(tml_scan_int(&r->scan, 0, 1000, "the number of tags", &tags, err));
        for (int64_t i = 0; i < tags; ++i) {
            TML_TRY(tml_scan_int(&r->scan, -INT32_MAX, INT32_MAX, "a tag", &tag, err));
            group = i == 0 ? (tag < 0 ? -tag : tag) : group; // negative: turned round
        }
        TML_TRY(tml_msh_element(r, type, id, group != 0, &group, err));
    }
    return TML_OK;
}

/* --- sections ------------------------------------------------------------------------------ */

/* 2 or 4. */
static TmlStatus read_format(TmlMshReader *r, int *version, TmlError *err)
{
    double number = 0;
    int64_t binary = 0, size = 0;
    r->scan.section = "$MeshFormat";
    TML_TRY(tml_scan_real(&r->scan, "the version", &number, err));
    TML_TRY(tml_scan_int(&r->scan, 0, 1, "the kind of file (0: text, 1: binary)", &binary, err));
    TML_TRY(tml_scan_int(&r->scan, 0, 1000, "the size of a number", &size, err));
    if (number != 2.2 && number != 4.1) {
        return tml_scan_fail(&r->scan, err,
                             "version %g of Gmsh's format is not read: write 4.1 or 2.2 "
                             "(Mesh.MshFileVersion)",
                             number);
    }
    if (binary != 0) {
        return tml_scan_fail(&r->scan, err,
                             "the file is binary: write it as text (Mesh.Binary = 0)");
    }
    *version = number == 2.2 ? 2 : 4;
    return TML_OK;
}

/* Past the end of a section that does not matter here. */
static TmlStatus skip_section(TmlMshReader *r, const char *name, TmlError *err)
{
    const int line = r->scan.line;
    char end[80];
    snprintf(end, sizeof end, "$End%s", name + 1);
    const size_t n = strlen(end);
    while (tml_scan_blank(&r->scan)) {
        if (strncmp(r->scan.at, end, n) == 0) {
            return TML_OK;
        }
        tml_scan_next_line(&r->scan);
    }
    return tml_scan_fail(&r->scan, err, "the file ends within section %s of line %d", name, line);
}

static TmlStatus read_section(TmlMshReader *r, int version, const char *name, TmlArena *scratch,
                              TmlMshEntities **entities, TmlError *err)
{
    r->scan.section = name;
    if (strcmp(name, "$PhysicalNames") == 0) {
        return read_names(r, err);
    }
    if (strcmp(name, "$Nodes") == 0) {
        return version == 2 ? read_nodes(r, err) : tml_msh4_nodes(r, err);
    }
    if (strcmp(name, "$Elements") == 0) {
        return version == 2 ? read_elements(r, err) : tml_msh4_elements(r, *entities, err);
    }
    if (strcmp(name, "$Entities") == 0 && version == 4) {
        return tml_msh4_entities(r, scratch, entities, err);
    }
    if (strcmp(name, "$PartitionedEntities") == 0 || strcmp(name, "$Periodic") == 0 ||
        strcmp(name, "$ParametricNodes") == 0) {
        return strcmp(name, "$Periodic") != 0
                   ? tml_scan_fail(&r->scan, err, "section %s is not read", name)
                   : skip_section(r, name, err);
    }
    return TML_OK; // comments, parameters, results: skipped
}

/* The name of the section that begins here. */
static TmlStatus section_name(TmlMshReader *r, char *name, size_t size, TmlError *err)
{
    size_t n = strcspn(r->scan.at, " \t\r\n");
    if (*r->scan.at != '$' || n >= size) {
        return tml_scan_fail(&r->scan, err, "a section that begins with $ should be here");
    }
    memcpy(name, r->scan.at, n);
    name[n] = '\0';
    r->scan.at += n;
    return TML_OK;
}

/* Reads a section, then looks for its end: what the file announced is all there is. */
static TmlStatus whole_section(TmlMshReader *r, int version, TmlArena *scratch,
                               TmlMshEntities **entities, TmlError *err)
{
    char name[64], end[80];
    TML_TRY(section_name(r, name, sizeof name, err));
    TML_TRY(read_section(r, version, name, scratch, entities, err));
    TML_TRY(tml_mesh_memory(&r->build, err));
    snprintf(end, sizeof end, "$End%s", name + 1);
    const bool read = strcmp(name, "$Nodes") == 0 || strcmp(name, "$Elements") == 0 ||
                      strcmp(name, "$PhysicalNames") == 0;
    if (read && (!tml_scan_blank(&r->scan) || strncmp(r->scan.at, end, strlen(end)) != 0)) {
        return tml_scan_fail(&r->scan, err,
                             "%s should end here by %s: the file has more or less "
                             "of it than announced",
                             name, end);
    }
    TML_TRY(skip_section(r, name, err));
    tml_scan_next_line(&r->scan);
    return TML_OK;
}

static TmlStatus read_sections(TmlMshReader *r, TmlArena *scratch, TmlError *err)
{
    TmlMshEntities *entities = NULL;
    int version = 0;
    char name[64];
    if (!tml_scan_blank(&r->scan)) {
        return tml_scan_fail(&r->scan, err, "the file is empty");
    }
    TML_TRY(section_name(r, name, sizeof name, err));
    if (strcmp(name, "$MeshFormat") != 0) {
        return tml_scan_fail(&r->scan, err,
                             "the file does not begin with $MeshFormat: it is not of Gmsh 2.2 or "
                             "4.1");
    }
    TML_TRY(read_format(r, &version, err));
    TML_TRY(skip_section(r, name, err));
    tml_scan_next_line(&r->scan);
    while (tml_scan_blank(&r->scan)) {
        TML_TRY(whole_section(r, version, scratch, &entities, err));
    }
    if (r->build.n_nodes == 0) {
        return tml_scan_fail(&r->scan, err, "the file has no nodes");
    }
    if (r->n_skipped > 0) {
        tml_mesh_note(&r->build,
                      "%d points, lines and surfaces are left out; their groups are sets of nodes",
                      r->n_skipped);
    }
    return tml_mesh_finish(&r->build, err);
}

/* One reading of the text; *faces: it has no elements but for triangles and quadrangles, which were left out. */
static TmlStatus read_text(const char *path, const char *text, bool shells, TmlFeMesh *out,
                           bool *faces, TmlError *err)
{
    TmlMshReader r = {.shells = shells};
    TmlArena scratch = {0};
    *out = (TmlFeMesh){0};
    out->file = tml_arena_strdup(&out->arena, path);
    if (out->file == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path);
    }
    tml_mesh_build_init(&r.build, out);
    r.build.same_once = true; // an element stands once in each of its groups
    r.scan = (TmlScan){.file = out->file, .at = text, .line = 1};
    const TmlStatus status = read_sections(&r, &scratch, err);
    *faces = status == TML_OK && out->n_elements == 0 && r.has_faces;
    tml_mesh_build_free(&r.build);
    tml_names_free(&r.names);
    tml_mem_free(r.name);
    tml_arena_free(&scratch);
    return status;
}

TmlStatus tml_msh_read(const char *path, TmlFeMesh *out, TmlError *err)
{
    char *text = NULL;
    size_t length = 0;
    bool faces = false;
    *out = (TmlFeMesh){0};
    TML_TRY(tml_input_read(path, &text, &length, err));
    TmlStatus status = strlen(text) == length
                           ? read_text(path, text, false, out, &faces, err)
                           : tml_fail(err, TML_E_MODEL, "%s: is no text file", path);
    if (faces) { // a mesh of surfaces alone is one of shells
        tml_arena_free(&out->arena);
        status = read_text(path, text, true, out, &faces, err);
    }
    tml_mem_free(text);
    return status;
}
