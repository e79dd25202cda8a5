/* adams/translate/translate_graphics.c - GRAPHICS as shapes of parts, for pictures and for CONTACT.
 *
 * A shape stands where its marker does, with the axes of the marker: a box has a corner there, a cylinder
 * and a frustum begin there and go along z, a half-space ends there. What only pictures show is
 * left out when it cannot be drawn; what a contact names is an error then.
 *
 * Solids of Parasolid files are not read. Adams writes all of them into one file and calls them by names:
 * a mesh NAME.stl or NAME.obj beside the dataset stands for one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adams/translate/shapes.h"
#include "base/input.h"
#include "math/vec3.h"

enum { SHAPES_MOST = 64 }; /* of one body, as models have it */

typedef TmlAdmShape Making;

TmlAdmSlice tml_adm_shape_place(const Making *s, const char *name)
{
    const TmlAdmArg *arg = tml_adm_arg(s->item, name);
    return arg != NULL ? arg->value : tml_adm_whole(s->item);
}

double tml_adm_shape_length(const Making *s, const char *name, bool is_signed)
{
    const double value = tml_adm_real(s->adm, s->item, name, 0.0);
    if (!s->item->failed && !tml_adm_has(s->item, name)) {
        tml_adm_error(s->adm, s->item, tml_adm_whole(s->item), "argument %s is missing", name);
    } else if (!s->item->failed && !(value > 0.0 || (is_signed && value < 0.0))) {
        tml_adm_error(s->adm, s->item, tml_adm_shape_place(s, name), "%s must %s", name,
                      is_signed ? "not be 0" : "be positive");
    }
    return value * s->adm->length;
}

void tml_adm_shape_number(const Making *s, const char *key, const char *argument, double value)
{
    tml_adm_set(s->adm, s->keys, key,
                tml_adm_number(s->adm, tml_adm_shape_place(s, argument), value));
}

void tml_adm_shape_position(const Making *s, TmlVec3 offset)
{
    const TmlVec3 r = v3_add(s->r, m3_mulv(&s->A, offset));
    if (v3_norm(r) > 0.0) {
        tml_adm_set(s->adm, s->keys, "position",
                    tml_adm_turned(s->adm, tml_adm_shape_place(s, s->marker), r));
    }
}

void tml_adm_shape_rotation(const Making *s)
{
    const TmlMat33 I = m3_identity();
    if (v3_norm(v3_sub(s->A.cx, I.cx)) > 0.0 || v3_norm(v3_sub(s->A.cz, I.cz)) > 0.0) {
        tml_adm_set(s->adm, s->keys, "rotation",
                    tml_adm_axes(s->adm, tml_adm_shape_place(s, s->marker), &s->A));
    }
}

static void set_axis(const Making *s, const char *key)
{
    tml_adm_set(s->adm, s->keys, key,
                tml_adm_turned(s->adm, tml_adm_shape_place(s, s->marker), s->A.cz));
}

/* --- kinds ------------------------------------------------------------------------------------- */

static const char *make_box(const Making *s)
{
    const TmlVec3 d = v3(tml_adm_shape_length(s, "X", true), tml_adm_shape_length(s, "Y", true),
                         tml_adm_shape_length(s, "Z", true));
    const double size[3] = {fabs(d.x), fabs(d.y), fabs(d.z)};
    tml_adm_set(s->adm, s->keys, "size",
                tml_adm_numbers(s->adm, tml_adm_shape_place(s, "X"), 3, size));
    tml_adm_shape_position(s, v3_scale(0.5, d));
    tml_adm_shape_rotation(s);
    return "box";
}

/* Scales are diameters. */
static const char *make_ellipsoid(const Making *s)
{
    const double a[3] = {0.5 * tml_adm_shape_length(s, "XSCALE", false),
                         0.5 * tml_adm_shape_length(s, "YSCALE", false),
                         0.5 * tml_adm_shape_length(s, "ZSCALE", false)};
    tml_adm_shape_position(s, v3(0, 0, 0));
    if (a[0] == a[1] && a[1] == a[2]) {
        tml_adm_shape_number(s, "radius", "XSCALE", a[0]);
        return "sphere";
    }
    tml_adm_set(s->adm, s->keys, "semi_axes",
                tml_adm_numbers(s->adm, tml_adm_shape_place(s, "XSCALE"), 3, a));
    tml_adm_shape_rotation(s);
    return "ellipsoid";
}

static const char *make_sphere(const Making *s)
{
    tml_adm_shape_number(s, "radius", "RADIUS", tml_adm_shape_length(s, "RADIUS", false));
    tml_adm_shape_position(s, v3(0, 0, 0));
    return "sphere";
}

static const char *make_cylinder(const Making *s)
{
    const double length = tml_adm_shape_length(s, "LENGTH", true);
    tml_adm_shape_number(s, "radius", "RADIUS", tml_adm_shape_length(s, "RADIUS", false));
    tml_adm_shape_number(s, "length", "LENGTH", fabs(length));
    set_axis(s, "axis");
    tml_adm_shape_position(s, v3(0, 0, 0.5 * length));
    return "cylinder";
}

/* BOTTOM is the radius at the marker. */
static const char *make_frustum(const Making *s)
{
    const double length = tml_adm_shape_length(s, "LENGTH", true);
    double end[2] = {tml_adm_real(s->adm, s->item, "BOTTOM", 0.0) * s->adm->length,
                     tml_adm_real(s->adm, s->item, "TOP", 0.0) * s->adm->length};
    if (!s->item->failed && (!(end[0] >= 0.0) || !(end[1] >= 0.0) || !(end[0] + end[1] > 0.0))) {
        tml_adm_error(s->adm, s->item, tml_adm_shape_place(s, "BOTTOM"),
                      "BOTTOM and TOP must not be negative, and one of them must be positive");
    }
    const bool cylinder = end[0] == end[1];
    const bool turned = end[0] < end[1]; // our cones begin with the larger radius
    const TmlVec3 z = v3_scale((length < 0.0) != turned ? -1.0 : 1.0, s->A.cz);
    tml_adm_shape_number(s, "radius", turned ? "TOP" : "BOTTOM", end[turned]);
    if (!cylinder && end[!turned] > 0.0) {
        tml_adm_shape_number(s, "top_radius", turned ? "BOTTOM" : "TOP", end[!turned]);
    }
    tml_adm_shape_number(s, "length", "LENGTH", fabs(length));
    tml_adm_set(s->adm, s->keys, "axis",
                tml_adm_turned(s->adm, tml_adm_shape_place(s, s->marker), z));
    tml_adm_shape_position(s, v3(0, 0, 0.5 * length));
    return cylinder ? "cylinder" : "cone";
}

static const char *make_torus(const Making *s)
{
    tml_adm_shape_number(s, "radius", "MAJOR_RADIUS",
                         tml_adm_shape_length(s, "MAJOR_RADIUS", false));
    tml_adm_shape_number(s, "tube_radius", "MINOR_RADIUS",
                         tml_adm_shape_length(s, "MINOR_RADIUS", false));
    set_axis(s, "axis");
    tml_adm_shape_position(s, v3(0, 0, 0));
    return "torus";
}

/* The rim of a thin disc; for what touches it in its plane all that is within, as balls are, or the wall around it. */
static const char *make_circle(const Making *s)
{
    const double R = tml_adm_shape_length(s, "RADIUS", false);
    if (s->item->inside_out) {
        tml_adm_shape_number(s, "radius", "RADIUS", R);
        tml_adm_shape_number(s, "length", "RADIUS", 4.0 * R);
        set_axis(s, "axis");
        tml_adm_shape_position(s, v3(0, 0, 0));
        return "bore";
    }
    if (s->item->in_plane) {
        tml_adm_shape_number(s, "radius", "RADIUS", R);
        tml_adm_shape_position(s, v3(0, 0, 0));
        return "sphere";
    }
    tml_adm_shape_number(s, "radius", "RADIUS", tml_adm_shape_length(s, "RADIUS", false));
    set_axis(s, "axis");
    tml_adm_shape_position(s, v3(0, 0, 0));
    return "torus";
}

/* A ball so small that its radius is less than any depth: a nanometre. */
static const char *make_point(const Making *s)
{
    tml_adm_shape_number(s, "radius", "RM", 1e-9);
    tml_adm_shape_position(s, v3(0, 0, 0));
    return "sphere";
}

/* XMIN and its like bound the picture. */
static const char *make_plane(const Making *s)
{
    set_axis(s, "normal");
    tml_adm_shape_position(s, v3(0, 0, 0));
    return "half_space";
}

/* The mesh that stands for a solid of a file; NULL: there is none. */
static const char *mesh_of(TmlAdm *adm, const TmlAdmItem *item)
{
    static const char *const suffix[] = {"stl", "obj", "STL", "OBJ"};
    const TmlAdmArg *arg = tml_adm_arg(item, "ELEMENT");
    const char *name = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : NULL;
    if (name == NULL || name[0] == '\0' || strpbrk(name, "/\\:") != NULL) {
        adm->nomem |= arg != NULL && name == NULL;
        return NULL;
    }
    for (size_t k = 0; k < sizeof suffix / sizeof *suffix; ++k) {
        const char *file = tml_arena_printf(adm->arena, "%s.%s", name, suffix[k]);
        const char *path = file != NULL ? tml_input_beside(adm->arena, adm->file, file) : NULL;
        FILE *stream;
        adm->nomem |= path == NULL;
        if (path != NULL && tml_input_open(path, &stream, NULL) == TML_OK) {
            fclose(stream);
            return file;
        }
    }
    return NULL;
}

static const char *make_external(const Making *s)
{
    const char *file = s->item->mesh != NULL ? s->item->mesh : mesh_of(s->adm, s->item);
    if (file == NULL) {
        const char *type = tml_adm_substitute(s->adm, s->item, s->keys);
        s->item->absent = type == NULL;
        return type;
    }
    tml_adm_set(s->adm, s->keys, "file",
                tml_adm_scalar(s->adm, tml_adm_shape_place(s, "ELEMENT"), file));
    if (s->adm->length != 1.0) {
        tml_adm_shape_number(s, "scale", "ELEMENT", s->adm->length);
    }
    tml_adm_shape_position(s, v3(0, 0, 0));
    tml_adm_shape_rotation(s);
    return "mesh";
}

/* make NULL: a picture that is not drawn, and why it touches nothing. */
typedef struct Kind {
    const char *flag, *marker;
    const char *(*make)(const Making *s);
    const char *why;
} Kind;

static const Kind kinds[] = {
    {"BOX", "CORNER", make_box, NULL},
    {"CYLINDER", "CM", make_cylinder, NULL},
    {"ELLIPSOID", "CM", make_ellipsoid, NULL},
    {"SPHERE", "CM", make_sphere, NULL},
    {"FRUSTUM", "CM", make_frustum, NULL},
    {"TORUS", "CM", make_torus, NULL},
    {"EXTERNAL", "RM", make_external, NULL},
    {"CIRCLE", "CM", make_circle, NULL},
    {"PLANE", "RM", make_plane, NULL},
    {"ARC", "CM", tml_adm_make_arc, NULL},
    {"CURVE", "CRM", tml_adm_make_curve, NULL},
    {"OUTLINE", NULL, NULL,
     "a line through markers, which only pictures have; a CURVE with ORDER = 2 is the same line"},
    {"POINT", "RM", make_point, NULL},
    {"EXTRUSION", "RM", tml_adm_make_extrusion, NULL},
    {"REVOLUTION", "RM", tml_adm_make_revolution, NULL},
    {"FORCE", NULL, NULL, "an arrow, which touches nothing"},
    {"SPDP", NULL, NULL, "a spring, which touches nothing"},
    {"VTORQUE", NULL, NULL, "an arrow, which touches nothing"},
};

static const Kind *kind_of(const TmlAdmItem *item)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        if (tml_adm_has(item, kinds[k].flag)) {
            return &kinds[k];
        }
    }
    return NULL;
}

const char *tml_adm_shape_kind(const TmlAdmItem *item)
{
    const Kind *kind = kind_of(item);
    return kind != NULL ? kind->flag : "GRAPHICS";
}

bool tml_adm_shape_global(TmlAdm *adm, TmlAdmItem *item, TmlVec3 *r, TmlMat33 *A)
{
    const Kind *kind = kind_of(item);
    const TmlAdmArg *arg =
        kind != NULL && kind->marker != NULL ? tml_adm_arg(item, kind->marker) : NULL;
    TmlAdmItem *marker =
        arg != NULL ? tml_adm_find(adm, "MARKER", tml_adm_id(adm, arg->value)) : NULL;
    return marker != NULL && tml_adm_global(adm, marker, r, A);
}

/* --- making ------------------------------------------------------------------------------------ */

/* The part and the place of the marker; false: reported. */
static bool stand(Making *s)
{
    TmlAdm *adm = s->adm;
    TmlAdmItem *item = s->item, *marker = tml_adm_need(adm, item, s->marker, "MARKER");
    TmlAdmItem *part = marker != NULL ? tml_adm_owner(adm, marker) : NULL;
    if (part == NULL || strcmp(part->syntax->name, "PART") != 0 ||
        tml_adm_has(marker, "FLOATING")) {
        const bool left_out =
            adm->solids != TML_ADM_SOLIDS_REFUSED && tml_adm_has(item, "EXTERNAL");
        item->absent = part != NULL && left_out;
        if (marker != NULL && !item->absent) {
            tml_adm_error(adm, item, tml_adm_shape_place(s, s->marker),
                          "not supported yet: a shape on %s/%s (%s); only those of parts touch",
                          part != NULL ? part->syntax->name : "MARKER",
                          part != NULL ? part->id : marker->id, s->marker);
        }
        return false;
    }
    item->carrier = part;
    return tml_adm_frame(adm, marker, &s->r, &s->A);
}

void tml_adm_shape_as(TmlAdm *adm, TmlAdmItem *item, const char *type)
{
    TmlValue *keys = item->value->item[0];
    item->value = tml_adm_map(adm, tml_adm_whole(item));
    item->shape = type;
    tml_adm_set(adm, item->value, type, keys);
}

void tml_adm_shape_points(TmlAdm *adm, TmlAdmItem *item, const char *which)
{
    TmlValue *keys = item->value->item[0];
    if (tml_value_find(keys, "points") == NULL) {
        tml_adm_set(adm, keys, "points", tml_adm_scalar(adm, tml_adm_whole(item), which));
    }
}

bool tml_adm_shape(TmlAdm *adm, TmlAdmItem *item)
{
    const Kind *kind = kind_of(item);
    const TmlAdmSlice whole = tml_adm_whole(item);
    Making s = {.adm = adm, .item = item, .keys = tml_adm_map(adm, whole)};
    tml_adm_partners(adm);
    if (item->value != NULL || item->failed || item->absent) {
        return item->value != NULL;
    }
    if (kind == NULL || kind->make == NULL) {
        tml_adm_error(adm, item, whole, "not supported yet in contact: %s%s%s",
                      kind != NULL ? kind->flag : "this kind of shape", kind != NULL ? ", " : "",
                      kind != NULL ? kind->why : "");
        return false;
    }
    s.marker = kind->marker;
    tml_adm_set(adm, s.keys, "name", tml_adm_scalar(adm, whole, item->name));
    const char *type = stand(&s) ? kind->make(&s) : NULL;
    if (type == NULL || item->failed || adm->nomem) {
        return false;
    }
    item->value = tml_adm_map(adm, whole);
    item->shape = type;
    tml_adm_set(adm, item->value, type, s.keys);
    return true;
}

/* --- all of them ------------------------------------------------------------------------------- */

/* What only pictures show: without a word where it cannot be drawn. */
static void make_pictures(TmlAdm *adm)
{
    TmlReport unused = {.arena = adm->arena}, *report = adm->report, *notes = adm->notes;
    adm->report = adm->notes = &unused;
    for (int k = 0; k < adm->n && !adm->nomem; ++k) {
        TmlAdmItem *item = &adm->item[k];
        // a picture of a plane would fill the scene
        if (strcmp(item->syntax->name, "GRAPHICS") == 0 && !tml_adm_has(item, "PLANE") &&
            !tml_adm_shape(adm, item)) {
            item->failed = false;
        }
    }
    adm->report = report;
    adm->notes = notes;
}

static void set_shapes(TmlAdm *adm, TmlAdmItem *part, int n, TmlValue *const *shape)
{
    const TmlAdmSlice at = tml_adm_whole(part);
    TmlValue *list = n == 1 ? shape[0] : tml_adm_list(adm, at, n, shape);
    if (tml_adm_is_ground(part)) {
        TmlValue *ground = tml_adm_map(adm, at);
        tml_adm_set(adm, ground, "shape", list);
        tml_adm_set(adm, adm->root, "ground", ground);
    } else if (part->value != NULL) {
        tml_adm_set(adm, part->value, "shape", list);
    }
}

/* Those that touch come first: a body shows no more than it may have. */
static void collect(TmlAdm *adm, TmlAdmItem *part)
{
    TmlValue *shape[SHAPES_MOST];
    int n = 0;
    for (int touching = 1; touching >= 0; --touching) {
        for (int k = 0; k < adm->n && n < SHAPES_MOST; ++k) {
            TmlAdmItem *item = &adm->item[k];
            if (item->carrier == part && item->value != NULL && item->written == (touching == 1)) {
                shape[n++] = item->value;
                item->listed = true;
            }
        }
    }
    if (n > 0) {
        set_shapes(adm, part, n, shape);
    }
}

/* One error for all solids that contacts need and that are not read. */
static void tell_absent(TmlAdm *adm)
{
    TmlAdmText more = {0};
    const TmlAdmItem *first = NULL;
    int n = 0;
    enum { LISTED = 200 };
    for (int k = 0; adm->absent_in != NULL && k < adm->n; ++k) {
        const TmlAdmItem *item = &adm->item[k];
        const TmlAdmArg *element = item->absent ? tml_adm_arg(item, "ELEMENT") : NULL;
        if (!item->absent) {
            continue;
        }
        const char *name = element != NULL ? tml_adm_copy(adm->arena, element->value) : "a solid";
        if (first == NULL) {
            const TmlAdmArg *file = tml_adm_arg(item, "FILE"), *rm = tml_adm_arg(item, "RM");
            first = item;
            tml_adm_write(&more,
                          "GRAPHICS/%s is %s of the file %s, Parasolid geometry, which is "
                          "not read; a mesh %s.stl or %s.obj beside the dataset, in its "
                          "units and the axes of MARKER/%s, stands for it, or one that --solid "
                          "%s=FILE names; --solids none, ellipsoid or box runs without the "
                          "geometry",
                          item->id, name,
                          file != NULL ? tml_adm_copy(adm->arena, file->value) : "?", name, name,
                          rm != NULL ? tml_adm_id(adm, rm->value) : "?", item->id);
        } else if (n++ < LISTED) {
            tml_adm_write(&more, "%s%s (GRAPHICS/%s)", n == 1 ? "; the same holds for " : ", ",
                          name, item->id);
        }
    }
    if (n > LISTED) {
        tml_adm_write(&more, " and %d more", n - LISTED);
    }
    const char *text = tml_adm_take(adm, &more);
    if (first != NULL) {
        tml_adm_error(adm, adm->absent_in, tml_adm_whole(adm->absent_in), "%s", text);
    }
}

void tml_adm_shapes(TmlAdm *adm)
{
    tell_absent(adm);
    for (int k = 0; k < adm->n; ++k) { // so far only contacts have asked for shapes
        TmlAdmItem *item = &adm->item[k];
        item->written |= strcmp(item->syntax->name, "GRAPHICS") == 0 && item->value != NULL;
    }
    make_pictures(adm);
    for (int k = 0; k < adm->n && !adm->nomem; ++k) {
        if (strcmp(adm->item[k].syntax->name, "PART") == 0) {
            collect(adm, &adm->item[k]);
        }
    }
    for (int k = 0; k < adm->n; ++k) {
        TmlAdmItem *item = &adm->item[k];
        item->written |= strcmp(item->syntax->name, "GRAPHICS") == 0 && item->listed;
    }
}
