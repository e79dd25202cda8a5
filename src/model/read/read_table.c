/* model/read/read_table.c - fills the data of an element from its parameter table. */
#include <math.h>
#include <string.h>

#include "model/measure/binding.h"
#include "model/read/read.h"

typedef struct Slot {
    TmlEntry *x;
    const TmlParam *p;
    const TmlValue *v;
    unsigned allowed;
    char *at;               /* where the value belongs */
    const TmlParam *params; /* the whole table */
    const char *data;
} Slot;

/* --- standard values ------------------------------------------------------------------------- */

/* Tree of a standard value "as written in a model file": a scalar or a list, possibly nested. */
static TmlValue *parse_standard(TmlReader *r, const char **text)
{
    enum { MAX_ITEMS = 36 };
    TmlArena *arena = &r->m->arena;
    *text += strspn(*text, " ");
    TmlValue *v = NULL;
    if (**text == '[') {
        TmlValue *item[MAX_ITEMS];
        int n = 0;
        ++*text;
        while (**text != ']' && **text != '\0' && n < MAX_ITEMS) {
            item[n++] = parse_standard(r, text);
            *text += strspn(*text, ", ");
        }
        *text += **text == ']';
        v = tml_value_list(arena, n, item);
    } else {
        const size_t length = strcspn(*text, ",]");
        char *word = tml_arena_strndup(arena, *text, length);
        v = word != NULL ? tml_value_scalar(arena, word) : NULL;
        *text += length;
    }
    r->nomem |= v == NULL;
    return v;
}

static void fill_coordinate(const Slot *s);

static void set_absent(const Slot *s)
{
    // memory is zero: NULL, 0 and empty lists are there already
    if (s->p->kind == TML_PARAM_JOINT) {
        *(int *)s->at = -1;
    } else if (s->p->kind == TML_PARAM_REAL) {
        *(double *)s->at = (double)NAN;
    } else if (s->p->kind == TML_PARAM_COORDINATE) {
        fill_coordinate(s);
    }
}

/* --- kinds ----------------------------------------------------------------------------------- */

static void fill_real(const Slot *s)
{
    tml_read_ranged(s->x, s->v, s->p->name, s->p->range, s->p->unit, (double *)s->at);
}

static void fill_int(const Slot *s)
{
    double value;
    if (tml_read_ranged(s->x, s->v, s->p->name, s->p->range, s->p->unit, &value)) {
        tml_read_int(s->x, s->v, s->p->name, (int *)s->at);
    }
}

static void fill_bool(const Slot *s)
{
    tml_read_bool(s->x, s->v, s->p->name, (bool *)s->at);
}

static void fill_vec3(const Slot *s)
{
    tml_read_vec3(s->x, s->v, s->p->name, (TmlVec3 *)s->at);
}

static void fill_choice(const Slot *s)
{
    tml_read_choice(s->x, s->v, s->p->name, s->p->choices, (int *)s->at);
}

static void fill_reals(const Slot *s)
{
    if (!tml_read_reals(s->x, s->v, s->p->name, (TmlReals *)s->at)) {
        return;
    }
    for (int k = 0; k < s->v->n; ++k) {
        double value;
        tml_read_ranged(s->x, s->v->item[k], s->p->name, s->p->range, s->p->unit, &value);
    }
}

/* [[x, y], [x, y], ...], all of one length, or the numbers alone. */
static void fill_points(const Slot *s)
{
    const TmlValue *v = s->v;
    const bool nested = v->kind == TML_VALUE_LIST && v->n > 0 && v->item[0]->kind == TML_VALUE_LIST;
    const int each = nested ? v->item[0]->n : 1;
    if (!nested) {
        fill_reals(s);
        return;
    }
    double *value = tml_reader_alloc(s->x->r, (size_t)v->n * (size_t)each + 1, sizeof *value);
    for (int k = 0; value != NULL && k < v->n; ++k) {
        if (v->item[k]->kind != TML_VALUE_LIST || v->item[k]->n != each) {
            tml_entry_expected(s->x, v->item[k], s->p->name, "points with as many numbers each");
            return;
        }
        if (!tml_read_numbers(s->x, v->item[k], s->p->name, each, "a list of numbers",
                              value + (size_t)k * (size_t)each)) {
            return;
        }
    }
    *(TmlReals *)s->at = (TmlReals){v->n * each, value};
}

/* 6 numbers are the diagonal; else 36 as one list or as six rows. */
static void fill_mat66(const Slot *s)
{
    static const char *const expected = "6 numbers (the diagonal), 36 numbers, or 6 rows of 6";
    const TmlValue *v = s->v;
    double *K = (double *)s->at, row[36];
    const bool list = v->kind == TML_VALUE_LIST;
    if (list && v->n == 6 && v->item[0]->kind == TML_VALUE_LIST) {
        for (int i = 0; i < 6; ++i) {
            tml_read_numbers(s->x, v->item[i], s->p->name, 6, "a row of 6 numbers", &K[6 * i]);
        }
    } else if (list && v->n == 36) {
        tml_read_numbers(s->x, v, s->p->name, 36, expected, K);
    } else if (tml_read_numbers(s->x, v, s->p->name, 6, expected, row)) {
        for (int i = 0; i < 6; ++i) {
            K[7 * i] = row[i];
        }
    }
    for (int i = 0; i < 6 && s->p->range == TML_USUALLY_NONNEGATIVE; ++i) {
        if (K[7 * i] < 0.0) {
            tml_entry_warning(s->x, v,
                              "%s: entry %d of the diagonal is negative, %.9g: it feeds "
                              "energy in",
                              s->p->name, i + 1, K[7 * i]);
        }
    }
}

/* The units of an expression; without any in the table those of the coordinate that the element has, or of its rates. */
static const char *unit_of(const Slot *s)
{
    static const char *const units[] = {
        [TML_COORD_ANGLE] = "rad, rad/s, rad/s^2", [TML_COORD_DISPLACEMENT] = "m, m/s, m/s^2"};
    const char *unit = s->p->unit;
    for (const TmlParam *p = s->params; p->name != NULL && (unit == NULL || unit[0] == '\0'); ++p) {
        if (p->kind == TML_PARAM_COORDINATE) {
            unit = units[*(const int *)(const void *)(s->data + p->offset)];
        }
    }
    return unit;
}

static void fill_expr(const Slot *s)
{
    tml_read_expression(s->x, s->v, s->p->name,
                        (TmlPending){.slot = (TmlBinding **)s->at,
                                     .allowed = s->allowed,
                                     .what = s->p->name,
                                     .unit = unit_of(s)});
}

static void fill_exprs3(const Slot *s)
{
    if (s->v->kind != TML_VALUE_LIST || s->v->n > 3) {
        tml_entry_expected(s->x, s->v, s->p->name, "a list of up to three expressions");
        return;
    }
    for (int k = 0; k < s->v->n; ++k) {
        if (s->v->item[k]->kind != TML_VALUE_NULL) {
            tml_read_expression(s->x, s->v->item[k], s->p->name,
                                (TmlPending){.slot = (TmlBinding **)s->at + k,
                                             .allowed = s->allowed,
                                             .what = s->p->name,
                                             .unit = s->p->unit});
        }
    }
}

static void fill_spline(const Slot *s)
{
    tml_read_spline_ref(s->x, s->v, s->p->name, (const TmlSpline **)s->at);
}

static void fill_path(const Slot *s)
{
    tml_read_path_ref(s->x, s->v, s->p->name, (const TmlPath **)s->at);
}

static void fill_road(const Slot *s)
{
    tml_read_road_ref(s->x, s->v, s->p->name, (const struct TmlRoad **)s->at);
}

static void fill_tir(const Slot *s)
{
    tml_read_tir_ref(s->x, s->v, s->p->name, (const struct TmlTir **)s->at);
}

static void fill_profile(const Slot *s)
{
    tml_read_profile_ref(s->x, s->v, s->p->name, (const struct TmlRailProfile **)s->at);
}

static void fill_track(const Slot *s)
{
    tml_read_track_ref(s->x, s->v, s->p->name, (const struct TmlTrack **)s->at);
}

static bool read_joint(TmlEntry *x, const TmlValue *v, const char *what, int *out)
{
    const TmlModel *m = x->r->m;
    const char *name = tml_read_text(x, v, what);
    *out = name != NULL ? tml_model_find_constraint(m, name) : -1;
    if (name != NULL && *out < 0) {
        tml_entry_unknown_name(x, v, "joint", name, m->constraints.at, m->constraints.n,
                               sizeof *m->constraints.at);
    }
    return *out >= 0;
}

static void fill_joint(const Slot *s)
{
    read_joint(s->x, s->v, s->p->name, (int *)s->at);
}

/* Whether the equations of the joint hold the coordinate, as far as its table says. */
static bool holds(const TmlConstraintType *joint, int coordinate)
{
    if (joint->free_rotation == TML_FREE_UNKNOWN) {
        return false;
    }
    return coordinate == TML_COORD_ANGLE ? joint->free_rotation == TML_FREE_NONE
                                         : (joint->free_along & TML_ALONG_Z) == 0;
}

/* The joint that another parameter of the element names, or NULL. */
static const TmlConstraint *named_joint(const Slot *s)
{
    for (const TmlParam *p = s->params; p->name != NULL; ++p) {
        if (p->kind == TML_PARAM_JOINT && tml_value_find(s->x->value, p->name) != NULL) {
            const int k = *(const int *)(s->data + p->offset);
            return k >= 0 ? &s->x->r->m->constraints.at[k] : NULL;
        }
    }
    return NULL;
}

/* The joint does not say by itself what is driven. */
static void fail_choice(const Slot *s, const TmlConstraint *joint)
{
    const bool angle = !holds(joint->type, TML_COORD_ANGLE);
    const bool displacement = !holds(joint->type, TML_COORD_DISPLACEMENT);
    const char *type = joint->type->info.name;
    if (!angle && !displacement) {
        tml_entry_error(s->x, s->x->key, "joint '%s' (%s) leaves no angle or displacement to drive",
                        joint->name, type);
        return;
    }
    tml_entry_error(s->x, s->x->key, "joint '%s' (%s) has %s of its own: write %s%s%s", joint->name,
                    type, joint->type->has_angle ? "an angle and a displacement" : "no coordinate",
                    angle ? "coordinate: angle (about z of the first frame)" : "",
                    angle && displacement ? ", or " : "",
                    displacement ? "coordinate: displacement (along z of the first frame)" : "");
}

/* A coordinate of the joint that the element names. Left out, it is the only one of the joint; one
 * that the joint holds still can do nothing and is an error. */
static void fill_coordinate(const Slot *s)
{
    static const char *const words[] = {"angle", "displacement"};
    const TmlConstraint *joint = named_joint(s);
    int *out = (int *)s->at;
    *out = TML_COORD_ANGLE;
    if (s->v != NULL && !tml_read_choice(s->x, s->v, s->p->name, s->p->choices, out)) {
        return;
    }
    if (s->v != NULL && joint != NULL && holds(joint->type, *out)) {
        tml_entry_error(s->x, s->v, "joint '%s' (%s) holds the %s: it cannot be driven",
                        joint->name, joint->type->info.name, words[*out]);
    }
    if (s->v != NULL || joint == NULL || tml_names_find(&s->x->r->broken, joint->name) >= 0) {
        return;
    }
    const bool angle = joint->type->has_angle, displacement = joint->type->has_displacement;
    *out = angle ? TML_COORD_ANGLE : TML_COORD_DISPLACEMENT;
    const TmlEndsKind ends = joint->type->ends; // others have no frames, which is told elsewhere
    const bool frames = ends == TML_ENDS_FRAMES || ends == TML_ENDS_POINTS || ends == TML_ENDS_ONE;
    if (angle == displacement && frames) {
        fail_choice(s, joint);
    }
}

/* Which coordinate of the joint is meant; one that it does not have is an error. */
static bool read_coordinate(TmlEntry *x, const TmlValue *map, const TmlConstraint *joint,
                            TmlCoordinate *out)
{
    const TmlValue *v = tml_value_find(map, "coordinate");
    const bool has[] = {joint->type->has_angle, joint->type->has_displacement};
    static const char *const words[] = {"angle", "displacement"};
    int k = has[0] ? 0 : 1;
    if (v != NULL && !tml_read_choice(x, v, "coordinate", "angle|displacement", &k)) {
        return false;
    }
    if (v == NULL && has[0] && has[1]) {
        tml_entry_error(x, map, "joint '%s' has an angle and a displacement: coordinate is needed",
                        joint->name);
        return false;
    }
    if (!has[k]) {
        tml_entry_error(x, v != NULL ? v : map, "joint '%s' (%s) has no %s", joint->name,
                        joint->type->info.name, words[k]);
        return false;
    }
    *out = k == 0 ? TML_COORD_ANGLE : TML_COORD_DISPLACEMENT;
    return true;
}

static void fill_terms(const Slot *s)
{
    TmlEntry *x = s->x;
    if (s->v->kind != TML_VALUE_LIST) {
        tml_entry_expected(x, s->v, s->p->name, "a list of {joint, coordinate, coefficient}");
        return;
    }
    const int most = TML_MAX_ENDS / 2;
    if (s->v->n > most) {
        tml_entry_error(x, s->v, "%s: at most %d terms, got %d", s->p->name, most, s->v->n);
        return;
    }
    TmlTerm *term = tml_reader_alloc(x->r, (size_t)s->v->n, sizeof *term);
    for (int k = 0; k < s->v->n && term != NULL; ++k) {
        const TmlValue *map = s->v->item[k];
        if (!tml_read_is_map(x, map, s->p->name)) {
            continue;
        }
        tml_read_keys(x, map, tml_keys_term, NULL, NULL);
        const TmlValue *joint = tml_value_find(map, "joint");
        const TmlValue *factor = tml_value_find(map, "coefficient");
        term[k].coefficient = 1.0;
        if (joint == NULL) {
            tml_entry_error(x, map, "%s: missing key 'joint'", s->p->name);
        } else if (read_joint(x, joint, "joint", &term[k].joint)) {
            read_coordinate(x, map, &x->r->m->constraints.at[term[k].joint], &term[k].coordinate);
        }
        if (factor != NULL) {
            tml_read_number(x, factor, "coefficient", &term[k].coefficient);
        }
    }
    *(TmlTerms *)s->at = (TmlTerms){s->v->n, term};
}

static void fill_string(const Slot *s)
{
    *(const char **)s->at = tml_read_text(s->x, s->v, s->p->name);
}

static void (*const fill[])(const Slot *s) = {
    [TML_PARAM_REAL] = fill_real,       [TML_PARAM_INT] = fill_int,
    [TML_PARAM_BOOL] = fill_bool,       [TML_PARAM_VEC3] = fill_vec3,
    [TML_PARAM_CHOICE] = fill_choice,   [TML_PARAM_REALS] = fill_reals,
    [TML_PARAM_POINTS] = fill_points,   [TML_PARAM_MAT66] = fill_mat66,
    [TML_PARAM_EXPR] = fill_expr,       [TML_PARAM_EXPRS3] = fill_exprs3,
    [TML_PARAM_SPLINE] = fill_spline,   [TML_PARAM_JOINT] = fill_joint,
    [TML_PARAM_TERMS] = fill_terms,     [TML_PARAM_STRING] = fill_string,
    [TML_PARAM_PATH] = fill_path,       [TML_PARAM_COORDINATE] = fill_coordinate,
    [TML_PARAM_ROAD] = fill_road,       [TML_PARAM_TIR] = fill_tir,
    [TML_PARAM_PROFILE] = fill_profile, [TML_PARAM_TRACK] = fill_track,
};

void tml_read_table(TmlEntry *x, const TmlParam *params, unsigned allowed, void *data)
{
    for (const TmlParam *p = params; p != NULL && p->name != NULL && !x->r->nomem; ++p) {
        Slot slot = {.x = x,
                     .p = p,
                     .v = tml_value_find(x->value, p->name),
                     .allowed = allowed,
                     .at = (char *)data + p->offset,
                     .params = params,
                     .data = data};
        if (slot.v == NULL && p->standard == NULL) {
            const bool unit = p->unit != NULL && p->unit[0] != '\0';
            tml_entry_error(x, x->key, "missing key '%s'%s%s%s: %s", p->name, unit ? " (" : "",
                            unit ? p->unit : "", unit ? ")" : "", p->text);
            set_absent(&slot);
            continue;
        }
        if (slot.v == NULL && p->standard[0] == '\0') {
            set_absent(&slot);
            continue;
        }
        if (slot.v == NULL) {
            const char *text = p->standard;
            slot.v = parse_standard(x->r, &text);
        }
        if (slot.v != NULL) {
            fill[p->kind](&slot);
        }
    }
}
