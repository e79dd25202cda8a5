/* model/read/contact/check_stations.c - flexible bodies that entries name: whether, and how well, they can touch. */
#include "math/vec3.h"
#include "model/contact/contact.h"
#include "model/flexible/mesh.h"
#include "model/read/read.h"

#include <math.h>
#include <string.h>

/* A shape may sink in between two stations by this part of the radius of the section. */
static const double sag_allowed = 0.1;

/* The entry that names two shapes most precisely, whatever they are; -1: none. */
static int best_entry(const TmlModel *m, int a, int b)
{
    int best = -1;
    for (int k = 0; k < m->contacts.n; ++k) {
        if (tml_contact_names(&m->contacts.at[k], a, b) &&
            (best < 0 || m->contacts.at[k].rank > m->contacts.at[best].rank)) {
            best = k;
        }
    }
    return best;
}

/* Whether some shape of one body may touch some shape of the other. */
static bool some_fit(const TmlModel *m, const TmlContact *c, int x, int y)
{
    for (int a = 0; a < m->shapes.n; ++a) {
        for (int b = 0; m->shapes.at[a].body == x && b < m->shapes.n; ++b) {
            if (m->shapes.at[b].body == y &&
                tml_contact_fits(c, &m->shapes.at[a], &m->shapes.at[b])) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the flexible body of a station is one that points travel over, a face or a flat beam. */
static bool has_sheet(const TmlModel *m, int body)
{
    bool any = false;
    for (int k = 0; k < m->shapes.n; ++k) {
        any = any || (m->shapes.at[k].body == body && m->shapes.at[k].sheet != TML_SHEET_NONE);
    }
    return any;
}

/* A shape that is curved everywhere, and outwards, has one point that is closest to a face. */
static bool is_round(const TmlShapeType *type)
{
    return type->surface == TML_SURFACE_ROUND && type->support != NULL;
}

static void report_unfit(TmlReader *r, const TmlContact *c, int a, int b)
{
    const TmlModel *m = r->m;
    TmlEntry x = {.r = r, .kind = "contact", .name = c->name, .key = c->source};
    const bool both = m->shapes.at[a].element > 0 && m->shapes.at[b].element > 0;
    const char *why =
        !both ? "the closest point is one of elements with slopes at their nodes (cable, beam, "
                "beam2d, plate, shell); take flexible: spread"
        : c->closest
            ? "two flexible bodies touch at their closest points where both are lines with a "
              "smooth axis and a round section (cable, beam, beam2d); take flexible: spread"
            : "of two flexible bodies one has to have slopes at its nodes (cable, beam, beam2d, "
              "plate, shell), so that it has no corners where elements meet";
    tml_entry_error(&x, c->source, "'%s' and '%s' cannot touch: %s", m->shapes.at[a].name,
                    m->shapes.at[b].name, why);
}

/* What lies flat on a face, or along it, has no point that is the closest one. */
static void check_round(TmlReader *r, const TmlContact *c, const TmlBodyShape *rigid,
                        const TmlBodyShape *station)
{
    TmlEntry x = {.r = r, .kind = "contact", .name = c->name, .key = c->source};
    if (c->closest && has_sheet(r->m, station->body) && !is_round(rigid->shape.type)) {
        tml_entry_error(&x, c->source,
                        "'%s' (%s) and '%s' cannot touch: only a round shape, a sphere or an "
                        "ellipsoid, has a single closest point to a face; use flexible: spread",
                        rigid->name, rigid->shape.type->info.name, station->name);
    }
}

/* Half of the middle one of a shape's extents: the radius of balls, drums and rods; infinite for planes. */
static double smallness(const TmlShape *s)
{
    TmlVec3 low, high;
    s->type->bounds(s->data, &low, &high);
    const double x = high.x - low.x, y = high.y - low.y, z = high.z - low.z;
    const double middle = fmax(fmin(x, y), fmin(fmax(x, y), z));
    return isfinite(middle) ? 0.5 * middle : HUGE_VAL;
}

/* The distance of stations along the element of one. */
static double spacing_of(const TmlModel *m, const TmlBodyShape *s)
{
    int n = 0;
    for (int k = 0; k < m->shapes.n; ++k) {
        n += m->shapes.at[k].element == s->element && !m->shapes.at[k].segment;
    }
    const TmlFlex *flex = &m->flexes.at[s->element - 1];
    const bool patch = m->meshes.at[flex->mesh].type->topology == TML_FLEX_PATCH;
    return patch ? sqrt(flex->size[0] * flex->size[1] / n) : flex->size[0] / n;
}

/* A shape that is small against the distance of stations falls in between. */
static void warn_small(TmlReader *r, const TmlContact *c, const TmlBodyShape *rigid,
                       const TmlBodyShape *station)
{
    TmlEntry x = {.r = r, .kind = "contact", .name = c->name, .key = c->source};
    const double radius = smallness(&station->shape), small = smallness(&rigid->shape);
    const double spacing = spacing_of(r->m, station);
    const double sag = spacing * spacing / (8.0 * (small + radius));
    if (!c->closest && sag > sag_allowed * radius) {
        tml_entry_warning(&x, c->source,
                          "'%s' touches '%s' at stations %.3g m apart, and '%s' (%s) may sink in "
                          "between by %.3g m; take more elements or stations%s",
                          rigid->name, station->name, spacing, rigid->name,
                          rigid->shape.type->info.name, sag,
                          station->mutual ? ", or flexible: closest" : "");
    }
}

void tml_check_stations(TmlReader *r)
{
    const TmlModel *m = r->m;
    for (int a = 0; a < m->shapes.n; ++a) {
        const TmlBodyShape *x = &m->shapes.at[a];
        const bool first = x->element > 0 && x->station == 0;
        for (int b = 0; first && b < m->shapes.n; ++b) {
            const TmlBodyShape *y = &m->shapes.at[b];
            const bool once = y->element > 0 ? y->station == 0 && y->body < x->body : true;
            const int k = once && y->body != x->body ? best_entry(m, a, b) : -1;
            if (k < 0 || m->contacts.at[k].law.press == NULL) {
                continue;
            }
            if (!some_fit(m, &m->contacts.at[k], x->body, y->body)) {
                report_unfit(r, &m->contacts.at[k], b, a);
            } else if (y->element == 0) {
                check_round(r, &m->contacts.at[k], y, x);
                warn_small(r, &m->contacts.at[k], y, x);
            }
        }
    }
}
