/* io/part/inp/inp_section.c - materials and sections of Abaqus and CalculiX files. */
#include "io/part/inp/inp.h"

#include "math/vec3.h"
#include "reduce/mesh/beam_section.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- materials ----------------------------------------------------------------------------- */

TmlStatus tml_inp_material(TmlInpReader *r, TmlError *err)
{
    const char *name = tml_inp_value(r, "NAME");
    if (name == NULL || name[0] == '\0') {
        return tml_inp_fail(r, err, "*MATERIAL has no NAME");
    }
    for (int k = 0; k < r->n_materials; ++k) {
        if (strcasecmp(r->material[k].name, name) == 0) {
            return tml_inp_fail(r, err, "*MATERIAL: '%s' is there already", name);
        }
    }
    char *own = tml_arena_strdup(&r->build.mesh->arena, name);
    if (own == NULL || !tml_mem_grow((void **)&r->material, &r->cap_materials, r->n_materials + 1,
                                     sizeof *r->material)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for materials");
    }
    r->material[r->n_materials++] = (TmlFeMaterial){own, (double)NAN, (double)NAN, (double)NAN};
    r->skip = true;
    return TML_OK;
}

static TmlStatus of_material(TmlInpReader *r, TmlError *err)
{
    return r->n_materials > 0
               ? TML_OK
               : tml_inp_fail(r, err, "*%s stands before any *MATERIAL", r->now.name);
}

TmlStatus tml_inp_elastic(TmlInpReader *r, TmlError *err)
{
    const char *type = tml_inp_value(r, "TYPE");
    TML_TRY(of_material(r, err));
    if (type != NULL && strncasecmp(type, "ISO", 3) != 0) {
        return tml_inp_fail(r, err, "*ELASTIC: only TYPE=ISOTROPIC is read");
    }
    return TML_OK;
}

/* A second line would be for another temperature. */
static TmlStatus one_line(const TmlInpReader *r, TmlError *err)
{
    return r->lines == 1
               ? TML_OK
               : tml_inp_fail(r, err, "*%s depends on temperature: give the line that holds",
                              r->now.name);
}

TmlStatus tml_inp_elastic_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    TmlFeMaterial *m = &r->material[r->n_materials - 1];
    TML_TRY(one_line(r, err));
    if (line->n < 2) {
        return tml_inp_fail(r, err, "*ELASTIC: a line has the modulus and Poisson's ratio");
    }
    TML_TRY(tml_inp_real(r, line->item[0], "the modulus", &m->young, err));
    return tml_inp_real(r, line->item[1], "Poisson's ratio", &m->poisson, err);
}

TmlStatus tml_inp_density(TmlInpReader *r, TmlError *err)
{
    return of_material(r, err);
}

TmlStatus tml_inp_density_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    TML_TRY(one_line(r, err));
    return tml_inp_real(r, line->item[0], "the density", &r->material[r->n_materials - 1].density,
                        err);
}

/* --- sections ------------------------------------------------------------------------------ */

static TmlStatus new_section(TmlInpReader *r, TmlInpSectionKind kind, TmlError *err)
{
    const char *set = tml_inp_value(r, "ELSET"), *material = tml_inp_value(r, "MATERIAL");
    if (set == NULL || material == NULL) {
        return tml_inp_fail(r, err, "*%s needs ELSET and MATERIAL", r->now.name);
    }
    if (!tml_mem_grow((void **)&r->section, &r->cap_sections, r->n_sections + 1,
                      sizeof *r->section)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for sections");
    }
    TmlInpSection *s = &r->section[r->n_sections++];
    *s = (TmlInpSection){.line = r->source[r->depth - 1].line, .kind = kind};
    TmlInpName name;
    tml_inp_name(r, set, &name);
    memcpy(s->elset, name.text, sizeof s->elset);
    snprintf(s->material, sizeof s->material, "%s", material);
    return TML_OK;
}

TmlStatus tml_inp_solid_section(TmlInpReader *r, TmlError *err)
{
    if (tml_inp_value(r, "COMPOSITE") != NULL) {
        return tml_inp_fail(r, err, "*SOLID SECTION, COMPOSITE is not read");
    }
    return new_section(r, TML_INP_SOLID, err);
}

/* The area of trusses; the thickness of plane elements, which are left out. */
TmlStatus tml_inp_solid_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    if (r->lines > 1 || line->n == 0 || line->item[0][0] == '\0') {
        return TML_OK;
    }
    return tml_inp_real(r, line->item[0], "the area", &r->section[r->n_sections - 1].section.area,
                        err);
}

/* --- masses and springs --------------------------------------------------------------------- */

/* A section that has no material. */
static TmlStatus bare_section(TmlInpReader *r, TmlInpSectionKind kind, TmlError *err)
{
    const char *set = tml_inp_value(r, "ELSET");
    for (int k = 0; k < r->now.n; ++k) {
        if (strcmp(r->now.key[k], "ELSET") != 0) {
            return tml_inp_fail(r, err, "*%s: %.30s is not read", r->now.name, r->now.key[k]);
        }
    }
    if (set == NULL) {
        return tml_inp_fail(r, err, "*%s needs ELSET", r->now.name);
    }
    if (!tml_mem_grow((void **)&r->section, &r->cap_sections, r->n_sections + 1,
                      sizeof *r->section)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for sections");
    }
    TmlInpSection *s = &r->section[r->n_sections++];
    *s = (TmlInpSection){.line = r->source[r->depth - 1].line, .kind = kind};
    TmlInpName name;
    tml_inp_name(r, set, &name);
    memcpy(s->elset, name.text, sizeof s->elset);
    return TML_OK;
}

TmlStatus tml_inp_mass(TmlInpReader *r, TmlError *err)
{
    return bare_section(r, TML_INP_MASS, err);
}

TmlStatus tml_inp_spring(TmlInpReader *r, TmlError *err)
{
    return bare_section(r, TML_INP_SPRING, err);
}

TmlStatus tml_inp_rotary(TmlInpReader *r, TmlError *err)
{
    return bare_section(r, TML_INP_ROTARY, err);
}

/* About x, y, z; then three products, whose sign is not the same everywhere. */
TmlStatus tml_inp_rotary_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    TmlFeSection *s = &r->section[r->n_sections - 1].section;
    if (line->n < 3 || r->lines > 1) {
        return tml_inp_fail(r, err, "*ROTARY INERTIA has one line: three moments of inertia");
    }
    for (int k = 0; k < line->n && k < 6; ++k) {
        double x = 0.0;
        if (line->item[k][0] != '\0') {
            TML_TRY(tml_inp_real(r, line->item[k], "a moment of inertia", &x, err));
        }
        if (k > 2 && x != 0.0) {
            return tml_inp_fail(r, err, "*ROTARY INERTIA: products of inertia are not read");
        }
        if (k < 3) {
            s->inertia[k] = x;
        }
    }
    return TML_OK;
}

static TmlStatus one_number(TmlInpReader *r, const TmlInpLine *line, const char *what, double *out,
                            TmlError *err)
{
    TML_TRY(one_line(r, err));
    TML_TRY(tml_inp_real(r, line->item[0], what, out, err));
    return *out > 0.0 ? TML_OK
                      : tml_inp_fail(r, err, "*%s: %s must be positive", r->now.name, what);
}

TmlStatus tml_inp_mass_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    return one_number(r, line, "the mass", &r->section[r->n_sections - 1].section.mass, err);
}

/* The line for degrees of freedom is empty for springs along a line. */
TmlStatus tml_inp_spring_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    if (line->n == 0 || (r->lines == 1 && line->item[0][0] == '\0')) {
        r->lines = 0;
        return TML_OK;
    }
    return one_number(r, line, "the rate", &r->section[r->n_sections - 1].section.rate, err);
}

/* --- beams ---------------------------------------------------------------------------------- */

/* Dimensions that a kind of section has, and what it is called. */
static const struct {
    const char *name;
    int n;
} kinds[] = {{"RECT", 2}, {"CIRC", 1}, {"PIPE", 2}, {"BOX", 6}};

static int section_kind(const char *name)
{
    for (int k = 0; k < 4; ++k) {
        if (name != NULL && strcasecmp(name, kinds[k].name) == 0) {
            return k;
        }
    }
    return -1;
}

TmlStatus tml_inp_beam_section(TmlInpReader *r, TmlError *err)
{
    if (section_kind(tml_inp_value(r, "SECTION")) < 0) {
        return tml_inp_fail(r, err, "*BEAM SECTION: SECTION is one of RECT, CIRC, PIPE, BOX");
    }
    if (tml_inp_value(r, "OFFSET1") != NULL || tml_inp_value(r, "OFFSET2") != NULL) {
        return tml_inp_fail(r, err, "*BEAM SECTION: offsets are not read");
    }
    tml_mesh_note(&r->build,
                  "beams B31 are exact for loads at nodes, with shear and rotary inertia; "
                  "those of Abaqus and CalculiX converge to them");
    TML_TRY(new_section(r, TML_INP_BEAM, err));
    r->section[r->n_sections - 1].section.up = v3(0, 0, -1); // what holds without a second line
    return TML_OK;
}

/* Local 1 of the file is z of ours, local 2 is -y. */
static TmlStatus beam_shape(TmlInpReader *r, int kind, const double *x, TmlFeSection *s,
                            TmlError *err)
{
    const double poisson = 0.3; // factors of Abaqus: 0.85, 0.89, 0.53
    bool ok = true;
    switch (kind) {
    case 0:
        tml_section_rectangle(x[1], x[0], poisson, s);
        break;
    case 1:
        tml_section_tube(x[0], 0.0, poisson, s);
        break;
    case 2:
        ok = x[1] > 0.0 && x[1] <= x[0];
        tml_section_tube(x[0], x[0] - x[1], poisson, s);
        break;
    default:
        ok = x[2] > 0.0 && x[2] == x[3] && x[2] == x[4] && x[2] == x[5] && 2.0 * x[2] < x[0] &&
             2.0 * x[2] < x[1];
        tml_section_box(x[1], x[0], x[2], s);
    }
    for (int k = 0; k < kinds[kind].n; ++k) {
        ok = ok && x[k] > 0.0;
    }
    return ok ? TML_OK
              : tml_inp_fail(r, err,
                             "*BEAM SECTION: dimensions must be positive, walls thinner than the "
                             "section, those of a BOX alike");
}

/* Abaqus gives a circle by its radius, CalculiX by two diameters. */
static TmlStatus circle_of_diameters(TmlInpReader *r, int kind, const TmlInpLine *line, double *x,
                                     TmlError *err)
{
    double second = 0.0;
    if (kind != 1 || line->n < 2 || line->item[1][0] == '\0') {
        return TML_OK;
    }
    TML_TRY(tml_inp_real(r, line->item[1], "a dimension", &second, err));
    if (second != x[0]) {
        return tml_inp_fail(r, err, "*BEAM SECTION: ellipses are not read");
    }
    tml_mesh_note(&r->build,
                  "a circle by two numbers: they are its diameters, as CalculiX has them");
    x[0] *= 0.5;
    return TML_OK;
}

TmlStatus tml_inp_beam_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    const int kind = section_kind(tml_inp_value(r, "SECTION"));
    TmlFeSection *s = &r->section[r->n_sections - 1].section;
    double x[8] = {0};
    const int n = r->lines == 1 ? kinds[kind].n : 3;
    if (line->n < n || r->lines > 2) {
        return r->lines > 2 ? TML_OK // points of integration
                            : tml_inp_fail(r, err, "*BEAM SECTION: a line has %d numbers", n);
    }
    for (int k = 0; k < n; ++k) {
        TML_TRY(tml_inp_real(r, line->item[k], "a dimension", &x[k], err));
    }
    if (r->lines == 1) {
        TML_TRY(circle_of_diameters(r, kind, line, x, err));
        return beam_shape(r, kind, x, s, err);
    }
    s->up = v3(x[0], x[1], x[2]);
    return TML_OK;
}

TmlStatus tml_inp_shell_section(TmlInpReader *r, TmlError *err)
{
    static const char *const refused[] = {"COMPOSITE", "OFFSET", "NODAL THICKNESS", "LAYUP"};
    for (int k = 0; k < 4; ++k) {
        if (tml_inp_value(r, refused[k]) != NULL) {
            return tml_inp_fail(r, err, "*SHELL SECTION, %s is not read", refused[k]);
        }
    }
    tml_mesh_note(&r->build,
                  "shells S3, S3R, S4, S4R are flat, with shear that does not lock; those of "
                  "Abaqus and CalculiX converge to them");
    return new_section(r, TML_INP_SHELL, err);
}

TmlStatus tml_inp_shell_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    TmlFeSection *s = &r->section[r->n_sections - 1].section;
    if (r->lines > 1) {
        return tml_inp_fail(r, err, "*SHELL SECTION has one line: the thickness");
    }
    TML_TRY(tml_inp_real(r, line->item[0], "the thickness", &s->thickness, err));
    return s->thickness > 0.0
               ? TML_OK
               : tml_inp_fail(r, err, "*SHELL SECTION: the thickness must be positive");
}

/* --- who has what -------------------------------------------------------------------------- */

static int find_material(const TmlInpReader *r, const char *name)
{
    for (int k = 0; k < r->n_materials; ++k) {
        if (strcasecmp(r->material[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static int find_elset(const TmlInpReader *r, const char *name)
{
    for (int k = 0; k < r->build.elements.n; ++k) { // sets keep their order in the mesh
        if (strcasecmp(r->build.elements.set[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static TmlStatus section_fail(const TmlInpReader *r, const TmlInpSection *s, TmlError *err,
                              const char *what, const char *name)
{
    static const char *const names[] = {"SOLID SECTION", "BEAM SECTION", "SHELL SECTION",
                                        "MASS",          "SPRING",       "ROTARY INERTIA"};
    return tml_fail(err, TML_E_MODEL, "%s:%d: *%s: %s '%s'", r->build.mesh->file, s->line,
                    names[s->kind], what, name);
}

/* Beams have no face, shells one, solids several; trusses have none, and do not turn. */
static TmlInpSectionKind kind_of(const TmlFeElementType *type)
{
    if (type->bare) {
        return type->n_nodes == 2      ? TML_INP_SPRING
               : type->n_freedoms == 6 ? TML_INP_ROTARY
                                       : TML_INP_MASS;
    }
    if (type->n_faces == 0) {
        return type->n_freedoms == 6 ? TML_INP_BEAM : TML_INP_SOLID;
    }
    return type->n_faces == 1 ? TML_INP_SHELL : TML_INP_SOLID;
}

static bool has_dimensions(const TmlFeSection *s)
{
    return s->area > 0.0 || s->thickness > 0.0 || s->mass > 0.0 || s->rate > 0.0 ||
           s->inertia[0] + s->inertia[1] + s->inertia[2] > 0.0;
}

/* Gives section s, material m, to the elements of a set. */
static TmlStatus give(TmlInpReader *r, const TmlInpSection *s, int material, const TmlFeSet *set,
                      TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    for (int k = 0; k < set->n; ++k) {
        TmlFeElement *e = &mesh->element[set->at[k]];
        if (s->kind != kind_of(e->type)) {
            return section_fail(r, s, err, "is not for the elements of set", s->elset);
        }
        if (e->material >= 0 || e->section >= 0) {
            return tml_fail(err, TML_E_MODEL, "%s:%d: element %" PRId64 " has a section already",
                            mesh->file, s->line, e->id);
        }
        e->material = material;
        e->section = s->kind != TML_INP_SOLID || e->type->n_faces == 0 ? mesh->n_sections - 1 : -1;
    }
    return TML_OK;
}

static int by_size(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

/* Elements that are left out would be missing in the part if they have a section. */
static bool names_left_out(const TmlInpReader *r, const TmlGrowingSet *set)
{
    const TmlMeshBuild *b = &r->build; // `left` is in order since the mesh is whole
    for (int k = 0; k < set->n && b->n_left > 0; ++k) {
        if (bsearch(&set->at[k], b->left, (size_t)b->n_left, sizeof *b->left, by_size) != NULL) {
            return true;
        }
    }
    return false;
}

static TmlStatus assign_section(TmlInpReader *r, const TmlInpSection *s, TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    const bool bare = s->kind >= TML_INP_MASS;
    const int material = bare ? -1 : find_material(r, s->material), set = find_elset(r, s->elset);
    if (material < 0 && !bare) {
        return section_fail(r, s, err, "there is no material", s->material);
    }
    if (set < 0) {
        return section_fail(r, s, err, "there is no set of elements", s->elset);
    }
    if (names_left_out(r, &r->build.elements.set[set])) {
        return section_fail(r, s, err, "elements that are left out are in set", s->elset);
    }
    if (s->kind != TML_INP_SOLID && !has_dimensions(&s->section)) {
        return section_fail(r, s, err, "dimensions are missing for set", s->elset);
    }
    if (has_dimensions(&s->section)) {
        mesh->section[mesh->n_sections] = s->section;
        mesh->section[mesh->n_sections].name = mesh->element_set[set].name;
        mesh->n_sections++;
    }
    return give(r, s, material, &mesh->element_set[set], err);
}

TmlStatus tml_inp_assign(TmlInpReader *r, TmlError *err)
{
    TmlFeMesh *mesh = r->build.mesh;
    TML_NEW(&mesh->arena, mesh->material, r->n_materials);
    TML_NEW(&mesh->arena, mesh->section, r->n_sections);
    if (r->n_materials > 0) {
        memcpy(mesh->material, r->material, (size_t)r->n_materials * sizeof *r->material);
    }
    mesh->n_materials = r->n_materials;
    for (int k = 0; k < r->n_sections; ++k) {
        TML_TRY(assign_section(r, &r->section[k], err));
    }
    return TML_OK;
}
