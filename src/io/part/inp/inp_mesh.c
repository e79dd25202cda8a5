/* io/part/inp/inp_mesh.c - nodes, elements and sets of Abaqus and CalculiX files. */
#include "io/part/inp/inp.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tml_inp_upper(const char *text, char *out)
{
    size_t k = 0;
    for (; text[k] != '\0' && k + 1 < TML_INP_WORD; ++k) {
        out[k] = (char)toupper((unsigned char)text[k]);
    }
    out[k] = '\0';
}

/* --- sets ---------------------------------------------------------------------------------- */

/* A set of an instance has the name of that before its own where there are several. */
static void scoped(const TmlInpReader *r, const char *name, char out[2 * TML_INP_WORD])
{
    const bool own = r->several && r->in_instance;
    snprintf(out, 2 * TML_INP_WORD, "%s%s%s", own ? r->instance_name : "", own ? "." : "", name);
}

/* A set by its name. One of an assembly that is called as one of the part gets a longer name. */
static TmlGrowingSet *set_named(TmlInpReader *r, TmlSets *sets, const char *name)
{
    char key[TML_INP_WORD], full[TML_INP_WORD + 16], own[2 * TML_INP_WORD];
    const int scope = r->in_assembly && !r->in_instance;
    scoped(r, name, own);
    tml_inp_upper(own, key);
    TmlGrowingSet *set = tml_mesh_set_keyed(&r->build, sets, key, own, tml_inp_line(r));
    if (set != NULL && set->n + set->n_spans == 0) {
        set->scope = scope;
    }
    if (set != NULL && set->scope != scope) {
        snprintf(full, sizeof full, "ASSEMBLY.%s", key);
        set = tml_mesh_set_keyed(&r->build, sets, full, full, tml_inp_line(r));
        if (set != NULL) {
            set->scope = scope;
        }
        tml_mesh_note(&r->build, "a set of the assembly and one of the part have one name: that of "
                                 "the assembly is called ASSEMBLY.NAME");
    }
    return set;
}

/* Members of another set. set may move when the other is found, so that it is given by its place. */
static TmlStatus add_other(TmlInpReader *r, TmlSets *sets, int place, const char *name,
                           TmlError *err)
{
    char key[TML_INP_WORD], own[2 * TML_INP_WORD];
    scoped(r, name, own);
    tml_inp_upper(own, key);
    const int other = tml_names_find(&sets->names, key);
    if (other < 0 || other == place) {
        return tml_inp_fail(r, err, "*%s: a member is neither a number nor a set that is known",
                            r->now.name);
    }
    const TmlGrowingSet from = sets->set[other];
    for (int k = 0; k < from.n && !r->build.nomem; ++k) {
        tml_mesh_set_add(&r->build, &sets->set[place], from.at[k]);
    }
    for (int k = 0; k < from.n_spans && !r->build.nomem; ++k) {
        tml_mesh_set_span(&r->build, &sets->set[place], from.span[k][0], from.span[k][1],
                          from.span[k][2]);
    }
    return TML_OK;
}

static TmlStatus generate(TmlInpReader *r, TmlGrowingSet *set, const TmlInpLine *line,
                          TmlError *err)
{
    int64_t first = 0, last = 0, step = 1;
    if (line->n < 2 || line->n > 3) {
        return tml_inp_fail(r, err, "*%s, GENERATE: a line has first, last and step", r->now.name);
    }
    TML_TRY(tml_inp_int(r, line->item[0], "the first number", &first, err));
    TML_TRY(tml_inp_int(r, line->item[1], "the last number", &last, err));
    if (line->n == 3 && line->item[2][0] != '\0') {
        TML_TRY(tml_inp_int(r, line->item[2], "the step", &step, err));
    }
    if (last < first) {
        return tml_inp_fail(r, err, "*%s, GENERATE: the last number is below the first",
                            r->now.name);
    }
    tml_mesh_set_span(&r->build, set, first + r->set_offset, last + r->set_offset, step);
    return TML_OK;
}

/* INSTANCE.NUMBER or INSTANCE.SET, where there is one instance without it. */
static TmlStatus set_member(TmlInpReader *r, TmlSets *sets, int place, const char *item,
                            TmlError *err)
{
    const char *dot = strrchr(item, '.'), *text = dot != NULL ? dot + 1 : item;
    int64_t id = 0, offset = r->set_offset;
    if (!isdigit((unsigned char)text[0]) && text[0] != '-') {
        return add_other(r, sets, place, r->several ? item : text, err);
    }
    if (dot != NULL && r->several) {
        offset = tml_inp_offset(r, item, (size_t)(dot - item));
        if (offset < 0) {
            return tml_inp_fail(r, err, "*%s: there is no instance of '%.60s'", r->now.name, item);
        }
    }
    TML_TRY(tml_inp_int(r, text, "a member", &id, err));
    tml_mesh_set_add(&r->build, &sets->set[place], id + offset);
    return TML_OK;
}

static TmlStatus set_data(TmlInpReader *r, TmlSets *sets, TmlGrowingSet *set,
                          const TmlInpLine *line, TmlError *err)
{
    if (r->generate) {
        return generate(r, set, line, err);
    }
    const int place = (int)(set - sets->set);
    for (int k = 0; k < line->n; ++k) {
        if (line->item[k][0] != '\0' || line->n == 1) {
            TML_TRY(set_member(r, sets, place, line->item[k], err));
        }
    }
    return TML_OK;
}

/* A set of the assembly without an instance has points of the assembly, which are left out. */
static bool of_the_assembly(TmlInpReader *r)
{
    if (r->in_assembly && !r->in_instance && tml_inp_value(r, "INSTANCE") == NULL) {
        tml_mesh_note(&r->build, "nodes and sets of the assembly itself are left out, but those "
                                 "that couplings, masses and ties name");
        r->skip = true;
        return true;
    }
    return false;
}

static TmlStatus begin_set(TmlInpReader *r, TmlSets *sets, const char *key, TmlGrowingSet **out,
                           TmlError *err)
{
    const char *name = tml_inp_value(r, key);
    if (name == NULL || name[0] == '\0') {
        return tml_inp_fail(r, err, "*%s has no name: %s=NAME", r->now.name, key);
    }
    if (of_the_assembly(r)) {
        r->skip = sets != &r->build.nodes || tml_inp_value(r, "GENERATE") != NULL;
        snprintf(r->point_set, sizeof r->point_set, "%s", name);
        return TML_OK;
    }
    const char *of = tml_inp_value(r, "INSTANCE");
    r->set_offset = of != NULL && r->several ? tml_inp_offset(r, of, strlen(of)) : r->offset;
    if (r->set_offset < 0) {
        return tml_inp_fail(r, err, "*%s: there is no instance '%.60s'", r->now.name, of);
    }
    r->generate = tml_inp_value(r, "GENERATE") != NULL;
    *out = set_named(r, sets, name);
    return *out != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory for sets");
}

TmlStatus tml_inp_nset(TmlInpReader *r, TmlError *err)
{
    const char *elements = tml_inp_value(r, "ELSET");
    TML_TRY(begin_set(r, &r->build.nodes, "NSET", &r->to_nodes, err));
    if (elements == NULL || r->to_nodes == NULL) {
        return TML_OK;
    }
    if (!tml_mem_grow((void **)&r->wanted, &r->cap_wanted, r->n_wanted_sets + 1,
                      sizeof *r->wanted)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for sets");
    }
    TmlInpNodesOf *w = &r->wanted[r->n_wanted_sets++];
    *w = (TmlInpNodesOf){.set = (int)(r->to_nodes - r->build.nodes.set),
                         .line = r->source[r->depth - 1].line};
    tml_inp_name(r, elements, &w->of);
    return TML_OK;
}

TmlStatus tml_inp_elset(TmlInpReader *r, TmlError *err)
{
    return begin_set(r, &r->build.elements, "ELSET", &r->to_elements, err);
}

static TmlStatus point_set_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    int64_t id = 0;
    for (int k = 0; k < line->n; ++k) {
        if (isdigit((unsigned char)line->item[k][0])) {
            TML_TRY(tml_inp_int(r, line->item[k], "a member", &id, err));
            tml_inp_point_set(r, r->point_set, id);
        }
    }
    return TML_OK;
}

TmlStatus tml_inp_nset_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    if (r->point_set[0] != '\0') {
        return point_set_data(r, line, err);
    }
    return set_data(r, &r->build.nodes, r->to_nodes, line, err);
}

TmlStatus tml_inp_elset_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    return set_data(r, &r->build.elements, r->to_elements, line, err);
}

/* --- nodes --------------------------------------------------------------------------------- */

/* All of the mesh is in one part or instance, or outside of any. */
static TmlStatus mesh_here(TmlInpReader *r, TmlError *err)
{
    if (r->several && r->in_instance) {
        return TML_OK;
    }
    const int here = r->in_instance ? -1 - r->n_instances : r->in_part ? r->n_parts : 0;
    if (r->mesh_part == -1) {
        r->mesh_part = here;
    }
    return here == r->mesh_part || (r->mesh_part == 0 && here == 0)
               ? TML_OK
               : tml_inp_fail(r, err,
                              "a second part has a mesh: write each part to a separate file");
}

TmlStatus tml_inp_node(TmlInpReader *r, TmlError *err)
{
    const char *system = tml_inp_value(r, "SYSTEM"), *set = tml_inp_value(r, "NSET");
    if (r->in_assembly && !r->in_instance) {
        (void)of_the_assembly(r);
        r->skip = false; // couplings may name them
        snprintf(r->point_set, sizeof r->point_set, "%s", set != NULL ? set : " ");
        return TML_OK;
    }
    TML_TRY(mesh_here(r, err));
    if ((system != NULL && toupper((unsigned char)system[0]) != 'R') ||
        tml_inp_value(r, "INPUT") != NULL) {
        return tml_inp_fail(r, err, "*NODE: %s is not read", system != NULL ? "SYSTEM" : "INPUT");
    }
    r->to_nodes = set != NULL ? set_named(r, &r->build.nodes, set) : NULL;
    return TML_OK;
}

TmlStatus tml_inp_node_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    int64_t id = 0;
    double x[3] = {0};
    if (line->n < 1) {
        return tml_inp_fail(r, err, "*NODE: a line has a number and three coordinates");
    }
    TML_TRY(tml_inp_int(r, line->item[0], "the number of a node", &id, err));
    for (int k = 0; k < 3 && k + 1 < line->n; ++k) { // what is left out is zero
        if (line->item[k + 1][0] != '\0') {
            TML_TRY(tml_inp_real(r, line->item[k + 1], "a coordinate", &x[k], err));
        }
    }
    if (r->point_set[0] != '\0') {
        tml_inp_point(r, id, (TmlVec3){x[0], x[1], x[2]});
        if (r->point_set[0] != ' ') {
            tml_inp_point_set(r, r->point_set, id);
        }
        return TML_OK;
    }
    tml_inp_count(r, id + r->offset);
    tml_mesh_add_node(&r->build, id + r->offset, (TmlVec3){x[0], x[1], x[2]}, tml_inp_line(r));
    if (r->to_nodes != NULL) {
        tml_mesh_set_add(&r->build, r->to_nodes, id + r->offset);
    }
    return TML_OK;
}

/* --- elements ------------------------------------------------------------------------------ */

/* Nodes of a plane element or truss, which programs write beside solids; 0: it is none. */
static int flat_nodes(const char *type)
{
    static const char *const plane[] = {"CPS", "CPE", "CAX", "T2D", "T3D3"};
    for (size_t k = 0; k < sizeof plane / sizeof plane[0]; ++k) {
        if (strncmp(type, plane[k], strlen(plane[k])) == 0) {
            const int n = atoi(type + 3);
            return n >= 2 && n <= 9 ? n : 0;
        }
    }
    return 0;
}

/* What to do instead of elements that are not read; by the beginning of their names. */
static const char *way_round(const char *type)
{
    static const char *const ways[][2] = {
        {"SPRING1", "a spring to ground belongs into the model, at a frame of the part"},
        {"SPRING2", "write a spring along its line as SPRINGA, or put a bushing between two frames "
                    "of the part into the model"},
        {"S8", "write it as S4R by its corners on a finer mesh, or mesh the plate with C3D20R"},
        {"S6", "write it as elements S3"},
        {"STRI", "write it as elements S3"},
        {"M3D", "write it as shells S3 or S4R, which bend a little"},
        {"C3D5", "mesh the transition with wedges or tetrahedra"},
        {"C3D13", "mesh the transition with wedges or tetrahedra"},
        {"C3D27", "leave out the nodes on its faces and at its centre: C3D20"},
        {"DCOUP", "use *COUPLING with *DISTRIBUTING"},
        {"B33", "write it as B31"},
    };
    for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
        if (strncmp(type, ways[k][0], strlen(ways[k][0])) == 0) {
            return ways[k][1];
        }
    }
    return NULL;
}

static TmlStatus unknown_type(const TmlInpReader *r, const char *type, TmlError *err)
{
    char known[300] = "";
    size_t n = 0;
    for (const TmlFeElementType *const *t = tml_fe_types; *t != NULL; ++t) {
        for (const char *const *name = (*t)->inp; *name != NULL && n < sizeof known; ++name) {
            const int more =
                snprintf(known + n, sizeof known - n, "%s%s", n > 0 ? ", " : "", *name);
            n += (size_t)more;
        }
    }
    const char *instead = way_round(type);
    if (instead != NULL) {
        return tml_inp_fail(r, err, "*ELEMENT: elements of type %.20s are not read: %s", type,
                            instead);
    }
    return tml_inp_fail(r, err, "*ELEMENT: elements of type %.20s are not read; known are %s", type,
                        known);
}

/* Elements whose formulation is not that of the program that the file was written for. */
static void tell_other_element(TmlInpReader *r, const char *type)
{
    if (strcmp(type, "C3D8") == 0) {
        tml_mesh_note(&r->build,
                      "C3D8 are taken with full integration, as CalculiX has them; those of "
                      "Abaqus are hex8b; both are too stiff in bending, hex8i is not");
    } else if (strcmp(type, "C3D8R") == 0) {
        tml_mesh_note(&r->build,
                      "C3D8R are taken as hex8i, with incompatible modes, which bend as they "
                      "should; their one point of integration with control of hourglass modes is "
                      "not there");
    } else if (strcmp(type, "C3D10M") == 0 || strcmp(type, "C3D10I") == 0) {
        tml_mesh_note(&r->build, "%s are taken as tetrahedra of ten nodes like C3D10", type);
    }
}

TmlStatus tml_inp_element(TmlInpReader *r, TmlError *err)
{
    char type[TML_INP_WORD];
    const char *given = tml_inp_value(r, "TYPE"), *set = tml_inp_value(r, "ELSET");
    if (given == NULL) {
        return tml_inp_fail(r, err, "*ELEMENT has no TYPE");
    }
    const bool assembly = r->in_assembly && !r->in_instance;
    if (tml_inp_value(r, "INPUT") != NULL) {
        return tml_inp_fail(r, err, "*ELEMENT: INPUT is not read");
    }
    if (!assembly) {
        TML_TRY(mesh_here(r, err));
    }
    tml_inp_upper(given, type);
    r->halves = strcmp(type, "B32") == 0 || strcmp(type, "B32R") == 0;
    r->type = tml_fe_type_inp(r->halves ? "B31" : type);
    r->n_wanted = r->halves ? 3 : r->type != NULL ? r->type->n_nodes : flat_nodes(type);
    if (r->n_wanted == 0) {
        return unknown_type(r, type, err);
    }
    if (r->type == NULL) {
        tml_mesh_note(&r->build,
                      "elements of type %s are left out; their sets are sets of their nodes", type);
        r->to_nodes = set != NULL ? set_named(r, &r->build.nodes, set) : NULL;
    }
    tell_other_element(r, type);
    r->to_elements = set != NULL ? set_named(r, &r->build.elements, set) : NULL;
    return TML_OK;
}

/* Numbers of an element and its nodes as the mesh has them. */
static TmlStatus element_number(TmlInpReader *r, const char *item, int64_t *out, TmlError *err)
{
    const char *dot = strrchr(item, '.');
    const bool node = r->n_read > 0;
    int64_t offset = r->offset;
    TML_TRY(tml_inp_int(r, dot != NULL ? dot + 1 : item,
                        node ? "the number of a node" : "the number of an element", out, err));
    if (r->in_assembly && !r->in_instance) {
        if (node && dot == NULL) {
            return tml_inp_point_node(r, *out, out, err);
        }
        if (!node && r->assembly_offset == 0) {
            r->assembly_offset = tml_inp_next_offset(r);
        }
        offset = !node        ? r->assembly_offset
                 : r->several ? tml_inp_offset(r, item, (size_t)(dot - item))
                              : 0;
        if (offset < 0) {
            return tml_inp_fail(r, err, "*ELEMENT: there is no instance of '%.60s'", item);
        }
    }
    *out += offset;
    tml_inp_count(r, *out);
    return TML_OK;
}

/* From the middle to the end of a beam of three nodes. */
static void take_half(TmlInpReader *r, int64_t id, const int64_t *node)
{
    if (!r->halves) {
        return;
    }
    if (!tml_mem_grow((void **)&r->half, &r->cap_halves, r->n_halves + 1, sizeof *r->half)) {
        r->build.nomem = true;
        return;
    }
    r->half[r->n_halves++] =
        (TmlInpHalf){.id = id, .node = {node[1], node[2]}, .line = r->element_line};
}

static void take_element(TmlInpReader *r)
{
    const int64_t id = r->number[0], *node = r->number + 1;
    if (r->type == tml_fe_type_named("truss2")) {
        tml_inp_leave_out(r, id, node, r->element_line > 0 ? r->element_line : -1);
    } else if (r->type != NULL) {
        (void)tml_mesh_add_element(&r->build, r->type, id, node, r->element_line);
        take_half(r, id, node);
    } else {
        tml_inp_leave_out(r, id, node, 0);
        for (int k = 0; k < r->n_wanted && r->to_nodes != NULL; ++k) {
            tml_mesh_set_add(&r->build, r->to_nodes, node[k]);
        }
    }
    if (r->to_elements != NULL) {
        tml_mesh_set_add(&r->build, r->to_elements, id);
    }
    r->n_read = 0;
}

/* An element of many nodes goes over several lines. */
TmlStatus tml_inp_element_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    for (int k = 0; k < line->n; ++k) {
        if (r->n_read == 0) {
            r->element_line = tml_inp_line(r);
        }
        TML_TRY(element_number(r, line->item[k], &r->number[r->n_read], err));
        r->n_read++;
        if (r->n_read == r->n_wanted + 1) {
            take_element(r);
            if (k + 1 < line->n) {
                return tml_inp_fail(r, err, "*ELEMENT: element %" PRId64 " has more than %d nodes",
                                    r->number[0], r->n_wanted);
            }
        }
    }
    return TML_OK;
}

TmlStatus tml_inp_element_end(TmlInpReader *r, TmlError *err)
{
    return r->n_read == 0 ? TML_OK
                          : tml_inp_fail(r, err, "element %" PRId64 " has %d of %d nodes",
                                         r->number[0], r->n_read - 1, r->n_wanted);
}
