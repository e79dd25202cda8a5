/* model/flexible/read/read_along.c - what may change along a flexible body: section, material, load, twist.
 *
 * Expressions there may use s, from 0 at the first end to 1 at the other by length. They are read
 * anew with another value of s: sections and materials once an element, for its middle; loads once
 * a Gauss point of system/flexible/flex_load.h; twist, displacement and velocity once a node. With u(s) and
 * v(s) of these, and L the length without stress,
 *
 *   (U1)  r += u,  r_x += u'/L,  r_y and r_z turned by the least rotation from the old r_x
 *   (U2)  r' += v,  r_x' += v'/L,  r_y' and r_z' as the tangent turns
 *
 * ' of u and v by differences of second order.
 */
#include <string.h>

#include "expr/lexer.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/flexible/curve.h"
#include "model/flexible/read/read_mesh.h"
#include "model/measure/binding.h"

static bool text_mentions(const char *text, const char *name)
{
    const int length = (int)strlen(name);
    bool after_number = false; // a name there is a unit: 2 s
    for (int at = 0;;) {
        TmlToken token;
        if (tml_lex(text, at, &token, NULL) != TML_OK || token.kind == TML_TOK_END) {
            return false; // what cannot be read is reported when it is compiled
        }
        if (token.kind == TML_TOK_NAME && !after_number && token.length == length &&
            strncmp(text + token.name, name, (size_t)length) == 0) {
            return true;
        }
        after_number = token.kind == TML_TOK_NUMBER;
        at = token.end;
    }
}

static bool mentions(const TmlValue *v, const char *name)
{
    if (v == NULL || v->kind == TML_VALUE_SCALAR) {
        return v != NULL && text_mentions(v->text, name);
    }
    bool found = false;
    for (int k = 0; k < v->n; ++k) {
        found = found || mentions(v->item[k], name);
    }
    return found;
}

/* Tells whether a parameter or the variable of a `for` is named s, too. */
static bool is_taken(const TmlMeshDraft *d)
{
    const TmlScope *scope = d->x.scope;
    while (scope != NULL && strcmp(scope->name, "s") != 0) {
        scope = scope->outer;
    }
    return scope != NULL || tml_reader_has_parameter(d->x.r, "s");
}

/* Tells whether v uses s. Which s that is must be clear: a parameter of that name would be passed
 * over without a word. */
static bool varies(TmlMeshDraft *d, const TmlValue *v)
{
    const bool found = mentions(v, "s");
    if (found && is_taken(d)) {
        tml_entry_error(&d->x, v,
                        "'s' is the place along the body here, from 0 to 1, and the model has a "
                        "parameter or loop variable 's'; give that another name");
    }
    return found;
}

/* The entry with a value of s; from the arena, as expressions are compiled later. */
static TmlEntry at_place(const TmlMeshDraft *d, double s)
{
    TmlEntry x = d->x;
    TmlScope *scope = tml_reader_alloc(x.r, 1, sizeof *scope);
    if (scope != NULL) {
        *scope = (TmlScope){.outer = d->x.scope, .name = "s", .value = s};
        x.scope = scope;
    }
    return x;
}

/* Place x from 0 to 1 of element e. */
static double place_in(const TmlMeshDraft *d, int e, double x)
{
    const double *xi = d->mesh.xi + d->first[e];
    return xi[0] + x * (xi[d->mesh.type->nodes - 1] - xi[0]);
}

/* section: [...]: the map of the body with the section of element e. */
static bool with_section(const TmlMeshDraft *d, int e, TmlValue *map, TmlEntry *x)
{
    const TmlValue *from = d->x.value;
    *map = *from;
    map->item = tml_reader_alloc(d->x.r, (size_t)from->n, sizeof(TmlValue *));
    for (int k = 0; map->item != NULL && k < from->n; ++k) {
        const bool section = strcmp(from->key[k]->text, "section") == 0;
        map->item[k] = section ? from->item[k]->item[e] : from->item[k];
    }
    *x = at_place(d, place_in(d, e, 0.5));
    x->value = map;
    return map->item != NULL;
}

static bool read_listed_sections(TmlMeshDraft *d, const TmlValue *list)
{
    if (d->mesh.type->topology != TML_FLEX_LINE || list->n != d->mesh.n_x) {
        tml_entry_error(&d->x, list, "section: a list has one an element of a line: %d, got %d",
                        d->mesh.n_x, list->n);
        return false;
    }
    bool ok = true;
    d->data = tml_reader_alloc(d->x.r, (size_t)d->mesh.n_x, sizeof *d->data);
    for (int e = 0; e < d->mesh.n_x && ok && d->data != NULL; ++e) {
        TmlValue map;
        TmlEntry x;
        ok = with_section(d, e, &map, &x) && tml_read_flex_data(&x, d->mesh.type, &d->data[e]);
        d->x.bad |= x.bad;
    }
    if (ok && d->data != NULL) {
        *d->mesh.data = d->data[d->mesh.n_x / 2];
    }
    return ok && d->data != NULL;
}

bool tml_read_along_data(TmlMeshDraft *d)
{
    const TmlValue *map = d->x.value, *section = tml_value_find(map, "section");
    if (section != NULL && section->kind == TML_VALUE_LIST) {
        return read_listed_sections(d, section);
    }
    const bool line = d->mesh.type->topology == TML_FLEX_LINE;
    const bool along = line && (varies(d, tml_value_find(map, "section")) ||
                                varies(d, tml_value_find(map, "material")));
    if (!along) {
        return tml_read_flex_data(&d->x, d->mesh.type, d->mesh.data);
    }
    TmlEntry middle = at_place(d, 0.5);
    bool ok = tml_read_flex_data(&middle, d->mesh.type, d->mesh.data);
    d->data = tml_reader_alloc(d->x.r, (size_t)d->mesh.n_x, sizeof *d->data);
    for (int e = 0; e < d->mesh.n_x && ok && d->data != NULL; ++e) {
        TmlEntry x = at_place(d, place_in(d, e, 0.5));
        ok = tml_read_flex_data(&x, d->mesh.type, &d->data[e]);
        d->x.bad |= x.bad;
    }
    d->x.bad |= middle.bad;
    return ok && d->data != NULL;
}

/* --- twist ----------------------------------------------------------------------------------- */

bool tml_read_twist(TmlMeshDraft *d)
{
    const TmlValue *v = tml_value_find(d->x.value, "twist");
    if (v == NULL) {
        return true;
    }
    if (!tml_mesh_has_section(d->mesh.type) || d->mesh.type->dim == 2) {
        tml_entry_error(&d->x, v, "twist: the section of type '%s' cannot turn about the axis",
                        d->mesh.type->info.name);
        return false;
    }
    const bool along = varies(d, v);
    for (int k = 0; k < d->mesh.n_nodes; ++k) {
        TmlEntry x = at_place(d, d->mesh.xi[k]);
        TmlMeshNode *node = &d->start[k];
        double angle = 0.0;
        if (!tml_read_number(&x, v, "twist", &angle)) {
            d->x.bad = true;
            return false;
        }
        angle *= along ? 1.0 : d->mesh.xi[k];
        const TmlVec3 t = node->x[TML_FLEX_RX];
        const TmlMat33 A = q4_matrix(q4_exp(v3_scale(angle, t)));
        node->x[TML_FLEX_RY] = m3_mulv(&A, node->x[TML_FLEX_RY]);
        node->x[TML_FLEX_RZ] = v3_cross(t, node->x[TML_FLEX_RY]);
    }
    return true;
}

/* --- displacement and velocity --------------------------------------------------------------- */

/* A vector of expressions at s. */
static bool field_value(TmlMeshDraft *d, const TmlValue *v, const char *what, double s,
                        TmlVec3 *out)
{
    TmlEntry x = at_place(d, s);
    const bool ok = tml_read_vec3(&x, v, what, out);
    d->x.bad |= x.bad;
    return ok;
}

static double rest_length(const TmlMeshDraft *d)
{
    double length = 0.0;
    for (int e = 0; e < d->mesh.n_x; ++e) {
        length += d->size[2 * e];
    }
    return length;
}

/* The same with its derivative by the length without stress, of which there is `length`. */
static bool field_at(TmlMeshDraft *d, const TmlValue *v, const char *what, double s, double length,
                     TmlVec3 *out, TmlVec3 *slope)
{
    // squares of h and 1e-16 / h below 1e-8; at the ends three values on one side
    const double h = 1e-4, side = s < h ? h : s > 1.0 - h ? -h : 0.0;
    TmlVec3 a, b;
    if (!field_value(d, v, what, s, out) ||
        !field_value(d, v, what, side != 0.0 ? s + side : s - h, &a) ||
        !field_value(d, v, what, side != 0.0 ? s + 2.0 * side : s + h, &b)) {
        return false;
    }
    const TmlVec3 ends = v3_sub(v3_axpy(4.0, a, v3_scale(-3.0, *out)), b);
    *slope = side != 0.0 ? v3_scale(0.5 / (side * length), ends)
                         : v3_scale(0.5 / (h * length), v3_sub(b, a));
    return true;
}

bool tml_read_displacement(TmlMeshDraft *d)
{
    const TmlValue *v = tml_value_find(d->x.value, "displacement");
    const double length = rest_length(d);
    (void)varies(d, v); // told once, not at every node
    for (int k = 0; k < d->mesh.n_nodes && v != NULL; ++k) {
        TmlMeshNode *node = &d->start[k];
        TmlVec3 u, slope;
        if (!field_at(d, v, "displacement", d->mesh.xi[k], length, &u, &slope)) {
            return false;
        }
        const TmlVec3 from = v3_unit(node->x[TML_FLEX_RX]);
        node->x[TML_FLEX_R] = v3_add(node->x[TML_FLEX_R], u); // (U1)
        node->x[TML_FLEX_RX] = v3_add(node->x[TML_FLEX_RX], slope);
        const TmlVec3 to = v3_unit(node->x[TML_FLEX_RX]);
        node->x[TML_FLEX_RY] = tml_curve_carry(node->x[TML_FLEX_RY], from, to);
        node->x[TML_FLEX_RZ] = tml_curve_carry(node->x[TML_FLEX_RZ], from, to);
    }
    return true;
}

bool tml_read_velocity(TmlMeshDraft *d)
{
    const TmlValue *v = tml_value_find(d->x.value, "velocity");
    const bool along = d->mesh.type->topology == TML_FLEX_LINE && v != NULL && varies(d, v);
    const double length = rest_length(d);
    TmlVec3 rate = {0}, slope = {0};
    if (v != NULL && !along && !tml_read_vec3(&d->x, v, "velocity", &rate)) {
        return false;
    }
    for (int k = 0; k < d->mesh.n_nodes; ++k) {
        TmlMeshNode *node = &d->start[k];
        if (along && !field_at(d, v, "velocity", d->mesh.xi[k], length, &rate, &slope)) {
            return false;
        }
        node->v[TML_FLEX_R] = v3_add(node->v[TML_FLEX_R], rate); // (U2)
        if (along) {
            const TmlVec3 a = node->x[TML_FLEX_RX];
            const TmlVec3 w = v3_scale(1.0 / v3_dot(a, a), v3_cross(a, slope));
            node->v[TML_FLEX_RX] = v3_add(node->v[TML_FLEX_RX], slope);
            node->v[TML_FLEX_RY] = v3_add(node->v[TML_FLEX_RY], v3_cross(w, node->x[TML_FLEX_RY]));
            node->v[TML_FLEX_RZ] = v3_add(node->v[TML_FLEX_RZ], v3_cross(w, node->x[TML_FLEX_RZ]));
        }
    }
    return true;
}

/* --- loads ----------------------------------------------------------------------------------- */

static void read_force(TmlEntry *x, const TmlValue *force, TmlBinding **slot)
{
    for (int k = 0; k < 3; ++k) {
        tml_read_expression(x, force->item[k], "force",
                            (TmlPending){.target = TML_TARGET_SLOT,
                                         .slot = &slot[k],
                                         .allowed = TML_ALLOW_TIME_ONLY});
    }
}

/* Expressions of the load, one set or one a Gauss point. */
static bool read_sets(TmlMeshDraft *d, const TmlValue *force, TmlFlexLoad *load)
{
    const bool along = d->mesh.type->topology == TML_FLEX_LINE && varies(d, force);
    double at[TML_LOAD_GAUSS], w[TML_LOAD_GAUSS];
    load->sets = along ? TML_LOAD_GAUSS * d->mesh.n_x : 1;
    load->force = tml_reader_alloc(d->x.r, 3 * (size_t)load->sets, sizeof(TmlBinding *));
    if (load->force == NULL) {
        return false;
    }
    if (!along) {
        read_force(&d->x, force, load->force);
        return !d->x.bad;
    }
    tml_gauss(TML_LOAD_GAUSS, at, w);
    for (int i = 0; i < load->sets && !d->x.bad; ++i) {
        TmlEntry x = at_place(d, place_in(d, i / TML_LOAD_GAUSS, at[i % TML_LOAD_GAUSS]));
        read_force(&x, force, &load->force[3 * (size_t)i]);
        d->x.bad = x.bad;
    }
    return !d->x.bad;
}

/* load: {force: [fx, fy, fz], follower: true} */
bool tml_read_load(TmlMeshDraft *d)
{
    TmlEntry *x = &d->x;
    const TmlValue *v = tml_value_find(x->value, "load");
    if (v == NULL) {
        return true;
    }
    TmlFlexLoad *load = tml_reader_alloc(x->r, 1, sizeof *load);
    if (load == NULL || !tml_read_is_map(x, v, "load")) {
        return false;
    }
    tml_read_keys(x, v, tml_keys_load, NULL, NULL);
    const TmlValue *force = tml_value_find(v, "force"), *follow = tml_value_find(v, "follower");
    if (force == NULL || force->kind != TML_VALUE_LIST || force->n != 3) {
        tml_entry_expected(x, force != NULL ? force : v, "force", "a list of three expressions");
        return false;
    }
    if (follow != NULL && !tml_read_bool(x, follow, "follower", &load->follower)) {
        return false;
    }
    if (load->follower && !tml_mesh_has_section(d->mesh.type)) {
        tml_entry_error(x, follow, "follower: the section of type '%s' has no axes to follow",
                        d->mesh.type->info.name);
        return false;
    }
    d->mesh.load = load;
    return read_sets(d, force, load);
}
