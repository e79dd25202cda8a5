/* model/read/contact/check_contacts.c - what only all shapes and entries of `contacts` together tell.
 *
 * Shapes of one type that the same entries name are of one kind: two kinds are looked at instead of all
 * their pairs.
 */
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/contact/contact.h"
#include "model/contact/touch_kinds.h"
#include "model/read/read.h"

#include <stdio.h>
#include <stdlib.h>

/* Pairs of kinds beyond this are not looked at: each shape has an entry of its own then. */
enum { MOST_PAIRS = 1 << 18 };

typedef struct Kind {
    uint64_t hash;
    int shape;     /* one of them */
    int low, high; /* smallest and largest number of their bodies */
} Kind;

static TmlEntry entry_of(TmlReader *r, const TmlContact *c)
{
    return (TmlEntry){.r = r, .kind = "contact", .name = c->name, .key = c->source};
}

/* --- entries that name nothing ------------------------------------------------------------------- */

/* Why the entry names no pair, in the order in which one tells more than another. */
typedef enum Reason { NO_PAIR, BODY_ITSELF, BOTH_GROUND, NEIGHBOURS, NAMES_PAIR } Reason;

static Reason reason_of(const TmlModel *m, const TmlContact *c, int a, int b)
{
    const int x = m->shapes.at[a].body, y = m->shapes.at[b].body;
    if (x == TML_GROUND && y == TML_GROUND) {
        return BOTH_GROUND;
    }
    if (x == y) {
        return BODY_ITSELF;
    }
    return !c->neighbours && tml_are_neighbours(m, x, y) ? NEIGHBOURS : NAMES_PAIR;
}

/* The best reason of all pairs; the shapes of it. */
static Reason best_reason(const TmlModel *m, const TmlContact *c, int pair[2])
{
    Reason best = NO_PAIR;
    for (int a = 0; a < m->shapes.n && best != NAMES_PAIR; ++a) {
        for (int b = 0; b < m->shapes.n && c->side[0][a] != 0 && best != NAMES_PAIR; ++b) {
            const Reason why = c->side[1][b] != 0 ? reason_of(m, c, a, b) : NO_PAIR;
            if (why > best) {
                best = why;
                pair[0] = a;
                pair[1] = b;
            }
        }
    }
    return best;
}

static void report_nothing(TmlReader *r, const TmlContact *c, Reason why, const int pair[2])
{
    const TmlModel *m = r->m;
    TmlEntry x = entry_of(r, c);
    const char *a = m->shapes.n > 0 ? m->shapes.at[pair[0]].name : "";
    const char *b = m->shapes.n > 0 ? m->shapes.at[pair[1]].name : "";
    switch (why) {
    case BODY_ITSELF:
        tml_entry_error(&x, c->source,
                        "between names no pair: its shapes belong to one body, '%s', which does "
                        "not touch itself",
                        m->bodies.at[m->shapes.at[pair[0]].body].name);
        break;
    case BOTH_GROUND:
        tml_entry_error(&x, c->source,
                        "between names no pair: its shapes belong to the ground ('%s', '%s')", a,
                        b);
        break;
    case NEIGHBOURS:
        tml_entry_error(&x, c->source,
                        "between names no pair: a joint connects '%s' and '%s'; write neighbours: "
                        "true if they should touch",
                        a, b);
        break;
    default:
        tml_entry_error(&x, c->source, "between names no pair of shapes");
        break;
    }
}

static void check_names(TmlReader *r)
{
    const TmlModel *m = r->m;
    for (int k = 0; k < m->contacts.n; ++k) {
        int pair[2] = {0, 0};
        const Reason why = best_reason(m, &m->contacts.at[k], pair);
        if (why != NAMES_PAIR && m->contacts.at[k].law.press != NULL) {
            report_nothing(r, &m->contacts.at[k], why, pair);
        }
    }
}

/* --- pairs of kinds ------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 1099511628211ULL; // Fowler, Noll, Vo
}

static uint64_t hash_of(const TmlModel *m, int s)
{
    const TmlBodyShape *shape = &m->shapes.at[s];
    uint64_t hash = 14695981039346656037ULL;
    for (const char *c = shape->shape.type->info.name; *c != '\0'; ++c) {
        hash = mix(hash, (uint64_t)*c);
    }
    hash = mix(hash, (uint64_t)shape->made_of);
    if (shape->element > 0) {
        hash = mix(hash, (uint64_t)(1 + shape->segment));
    }
    for (const TmlParam *p = shape->shape.type->info.params; p != NULL && p->name != NULL; ++p) {
        if (p->kind == TML_PARAM_CHOICE) { // it may tell how the shape touches
            hash =
                mix(hash, (uint64_t) * (const int *)((const char *)shape->shape.data + p->offset));
        }
    }
    for (int k = 0; k < m->contacts.n; ++k) {
        const TmlContact *c = &m->contacts.at[k];
        hash = mix(hash, (uint64_t)(2 * c->side[0][s] + c->side[1][s]));
    }
    return hash;
}

static int by_hash(const void *a, const void *b)
{
    const uint64_t x = ((const Kind *)a)->hash, y = ((const Kind *)b)->hash;
    return x < y ? -1 : x > y;
}

static int list_kinds(TmlReader *r, Kind *kind)
{
    const TmlModel *m = r->m;
    int n = 0;
    for (int s = 0; s < m->shapes.n; ++s) {
        const int body = m->shapes.at[s].body;
        kind[s] = (Kind){hash_of(m, s), s, body, body};
    }
    qsort(kind, (size_t)m->shapes.n, sizeof *kind, by_hash);
    for (int s = 0; s < m->shapes.n; ++s) {
        if (n == 0 || kind[n - 1].hash != kind[s].hash) {
            kind[n++] = kind[s];
        }
        Kind *to = &kind[n - 1];
        to->low = kind[s].low < to->low ? kind[s].low : to->low;
        to->high = kind[s].high > to->high ? kind[s].high : to->high;
    }
    return n;
}

static bool two_bodies(const Kind *a, const Kind *b)
{
    return a->low != a->high || b->low != b->high || a->low != b->low;
}

/* Two shapes of the kinds for which an entry holds; false: all are neighbours. */
static bool find_pair(const TmlModel *m, const Kind *a, const Kind *b, int pair[2])
{
    for (int s = 0; s < m->shapes.n; ++s) {
        for (int t = 0; t < m->shapes.n && hash_of(m, s) == a->hash; ++t) {
            if (hash_of(m, t) == b->hash && tml_contact_of(m, s, t) >= 0) {
                pair[0] = s;
                pair[1] = t;
                return true;
            }
        }
    }
    return false;
}

/* The entry that holds for the kinds, whatever neighbours do; another one that says as much is an error. */
static int contact_of_kinds(TmlReader *r, int a, int b)
{
    const TmlModel *m = r->m;
    int best = -1, rival = -1;
    for (int k = 0; k < m->contacts.n; ++k) {
        const TmlContact *c = &m->contacts.at[k];
        if (!tml_contact_names(c, a, b) ||
            !tml_contact_fits(c, &m->shapes.at[a], &m->shapes.at[b])) {
            continue;
        }
        if (best < 0 || c->rank > m->contacts.at[best].rank) {
            best = k;
            rival = -1;
        } else if (c->rank == m->contacts.at[best].rank) {
            rival = k;
        }
    }
    if (rival >= 0) {
        TmlEntry x = entry_of(r, &m->contacts.at[rival]);
        tml_entry_error(&x, x.key,
                        "it names '%s' and '%s' as precisely as the contact '%s' does: name the "
                        "bodies or shapes in one of them",
                        m->shapes.at[a].name, m->shapes.at[b].name, m->contacts.at[best].name);
        return -1;
    }
    return best >= 0 && m->contacts.at[best].law.press == NULL ? -1 : best;
}

/* Whether another curvature, or another speed with which the point closed, makes another force of the law. */
static bool force_differs(const TmlContactLaw *law, double curvature, double entry)
{
    const TmlPressIn in = {
        .data = law->press_data, .depth = 1e-3, .rate = 0.5, .curvature = {1.0, 1.0}, .entry = 1.0};
    TmlPressIn to = in;
    TmlPress one, other;
    to.curvature[0] = to.curvature[1] = curvature;
    to.entry = entry;
    law->press->press(&in, &one);
    law->press->press(&to, &other);
    return one.force != other.force;
}

/* Whether the law damps a point, or with size a piece of a patch. */
static bool damps(const TmlContactLaw *law, double size)
{
    TmlPressIn in = {.data = law->press_data,
                     .depth = 1e-3,
                     .size = size,
                     .curvature = {1.0, 1.0},
                     .entry = 1.0};
    TmlPress still, closing;
    law->press->press(&in, &still);
    in.rate = 0.5;
    law->press->press(&in, &closing);
    return closing.force != still.force;
}

/* Points and faces have coefficients of damping of their own in some laws: whether one that does nothing here is all that is
 * given. */
static bool is_undamped(const TmlContactLaw *law, unsigned touches, bool *faces)
{
    const bool points = damps(law, 0.0), patches = damps(law, 1.0);
    *faces = (touches & TML_TOUCH_PATCHES) != 0 && points && !patches;
    return *faces || ((touches & ~(unsigned)TML_TOUCH_PATCHES) != 0 && patches && !points);
}

static void warn_undamped(TmlEntry *at, const TmlContact *c, bool faces, const char *first,
                          const char *second)
{
    if (faces) {
        tml_entry_warning(
            at, c->source,
            "'%s' and '%s' press over areas, where 'damping' does nothing: it is that "
            "of single points; give 'foundation_damping' (N s/m^3)",
            first, second);
    } else {
        tml_entry_warning(at, c->source,
                          "'%s' and '%s' touch at points, where 'foundation_damping' does nothing: "
                          "it is that of faces; give 'damping' (N s/m)",
                          first, second);
    }
}

/* What stations and travelling points cannot do. travels: it does, or what it touches: of another element the point is another
 * one, which knows nothing of what was. */
static bool law_fits(TmlEntry *at, const TmlContact *c, const TmlContactLaw *law, bool travels,
                     const char *name)
{
    const char *what = c->closest ? "its points travel (flexible: closest)"
                                  : "its points travel over the other flexible body";
    const char *advice = c->closest ? ", or flexible: spread" : "";
    if (force_differs(law, 100.0, 1.0)) {
        tml_entry_error(
            at, c->source,
            "'%s' is flexible: the law '%s' wants curvatures, which its stations do not "
            "have; give a stiffness by another law",
            name, law->press->info.name);
        return false;
    }
    if (travels && force_differs(law, 1.0, 100.0)) {
        tml_entry_error(at, c->source,
                        "'%s' is flexible: %s, and the law '%s' remembers the speed with which a "
                        "point closed; take hunt_crossley with damping%s",
                        name, what, law->press->info.name, advice);
        return false;
    }
    if (travels && law->slip != NULL && law->slip->bristles) {
        tml_entry_error(at, c->source,
                        "'%s' is flexible: %s and have no bristles; take friction coulomb%s", name,
                        what, advice);
        return false;
    }
    return true;
}

/* Whether a frame of a modal body carries the shape. */
static bool is_carried(const TmlModel *m, int shape)
{
    return m->shapes.at[shape].point > 0 && m->shapes.at[shape].element == 0;
}

/* told: of each entry, whether it was warned of. */
static void check_kinds(TmlReader *r, const Kind *a, const Kind *b, bool *told)
{
    const TmlModel *m = r->m;
    TmlError err = {0};
    const int k = two_bodies(a, b) ? contact_of_kinds(r, a->shape, b->shape) : -1;
    int pair[2];
    if (k < 0) {
        return;
    }
    const TmlContact *c = &m->contacts.at[k];
    const TmlShape *x = &m->shapes.at[a->shape].shape, *y = &m->shapes.at[b->shape].shape;
    TmlEntry at = entry_of(r, c);
    if (!tml_can_touch(x->type, y->type)) {
        if (find_pair(m, a, b, pair)) {
            tml_entry_error(&at, c->source,
                            "a %s ('%s') and a %s ('%s') cannot touch; take other shapes, or leave "
                            "the pair out with an entry {between: [%s, %s], law: none}",
                            x->type->info.name, m->shapes.at[pair[0]].name, y->type->info.name,
                            m->shapes.at[pair[1]].name, m->shapes.at[pair[0]].name,
                            m->shapes.at[pair[1]].name);
        }
        return;
    }
    const TmlContactLaw *law = tml_contact_law(m, k, a->shape, b->shape);
    if (c->closest && (is_carried(m, a->shape) || is_carried(m, b->shape))) {
        tml_entry_error(
            &at, c->source,
            "'%s' and '%s': points that travel (flexible: closest) do not touch modal bodies; "
            "take flexible: spread",
            m->shapes.at[a->shape].name, m->shapes.at[b->shape].name);
        return;
    }
    const bool soft = m->shapes.at[a->shape].element > 0 || m->shapes.at[b->shape].element > 0;
    const bool travels = m->shapes.at[a->shape].segment || m->shapes.at[b->shape].segment;
    if (soft &&
        !law_fits(&at, c, law, travels,
                  m->shapes.at[m->shapes.at[b->shape].element > 0 ? b->shape : a->shape].name)) {
        return;
    }
    const unsigned touches = law->press->suits != NULL ? tml_touch_kinds(x, y) : 0;
    const bool suits = touches == 0 || law->press->suits(law->press_data, touches, &err) == TML_OK;
    bool faces = false;
    const bool undamped = suits && !told[k] && touches != 0 && is_undamped(law, touches, &faces);
    if ((suits && !undamped) || !find_pair(m, a, b, pair)) {
        return;
    }
    const char *first = m->shapes.at[pair[0]].name, *second = m->shapes.at[pair[1]].name;
    if (undamped) {
        told[k] = true;
        warn_undamped(&at, c, faces, first, second);
    } else {
        tml_entry_error(&at, c->source, "'%s' (%s) and '%s' (%s): %s", first, x->type->info.name,
                        second, y->type->info.name, err.message);
    }
}

static void check_pairs(TmlReader *r)
{
    const int n = r->m->shapes.n;
    Kind *kind = tml_mem_zalloc((size_t)n + 1, sizeof *kind);
    bool *told = tml_mem_zalloc((size_t)r->m->contacts.n, sizeof *told);
    r->nomem |= kind == NULL || told == NULL;
    const int kinds = kind != NULL && told != NULL ? list_kinds(r, kind) : 0;
    for (int a = 0; a < kinds && (long)kinds * kinds <= MOST_PAIRS; ++a) {
        for (int b = 0; b <= a; ++b) {
            check_kinds(r, &kind[a], &kind[b], told);
        }
    }
    tml_mem_free(told);
    tml_mem_free(kind);
}

/* --- bodies ----------------------------------------------------------------------------------------- */

/* Has a shape that might be meant to roll, and is a point; *next: the shape after its own. */
static bool point_with_shape(const TmlModel *m, int s, int *next)
{
    const int body = m->shapes.at[s].body;
    const TmlBodyType *type = m->bodies.at[body].type;
    const bool is_point = type->nu > 0 && !type->turns && !type->hidden && !type->mesh;
    bool slides = true;
    for (*next = s; *next < m->shapes.n && m->shapes.at[*next].body == body; ++*next) {
        slides = slides && m->shapes.at[*next].slides;
    }
    return !slides && is_point;
}

/* A point never turns: neither do its shapes, and friction does not roll them. One warning speaks of all: a belt of
 * points would fill the screen. */
static void check_points(TmlReader *r)
{
    const TmlModel *m = r->m;
    const TmlBodyShape *first = NULL;
    int n = 0;
    for (int s = 0, next = 0; s < m->shapes.n; s = next) {
        if (point_with_shape(m, s, &next)) {
            first = first != NULL ? first : &m->shapes.at[s];
            ++n;
        }
    }
    if (first == NULL) {
        return;
    }
    char others[48] = "";
    if (n > 1) {
        snprintf(others, sizeof others, "; the same holds for %d more %s", n - 1,
                 n > 2 ? "bodies" : "body");
    }
    TmlEntry x = {
        .r = r, .kind = "body", .name = m->bodies.at[first->body].name, .key = first->source};
    tml_entry_warning(
        &x, first->source,
        "a point body never rotates, and neither does its shape (%s): friction does not "
        "make it roll; give the body an inertia if it should rotate, or its shape `rolls: false` "
        "if this is meant%s",
        first->shape.type->info.name, others);
}

void tml_check_contacts(TmlReader *r)
{
    if (r->m->contacts.n > 0) {
        check_names(r);
        check_pairs(r);
        check_points(r);
    }
}
