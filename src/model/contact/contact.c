/* model/contact/contact.c - which entry of `contacts` holds for two shapes. */
#include "model/contact/contact.h"

#include "base/fail.h"
#include "base/find.h"
#include "model/body/body.h"
#include "model/flexible/flexible.h"
#include "model/model.h"

#include <stdlib.h>

const TmlPressType *tml_contact_press_type(const TmlModel *m, const char *name)
{
    const TmlPressType *type = tml_find_press_type(name);
    TML_FIND_AMONG(type, m->user_presses, name)
    return type;
}

const TmlShapeType *tml_contact_shape_type(const TmlModel *m, const char *name)
{
    const TmlShapeType *type = tml_find_shape_type(name);
    TML_FIND_AMONG(type, m->user_shapes, name)
    return type;
}

const TmlSlipType *tml_contact_slip_type(const TmlModel *m, const char *name)
{
    const TmlSlipType *type = tml_find_slip_type(name);
    TML_FIND_AMONG(type, m->user_slips, name)
    return type;
}

static uint64_t body_pair(int a, int b)
{
    const uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    return low << 32 | high;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

bool tml_are_neighbours(const TmlModel *m, int a, int b)
{
    const uint64_t key = body_pair(a, b);
    return m->n_neighbours > 0 &&
           bsearch(&key, m->neighbours, (size_t)m->n_neighbours, sizeof key, by_value) != NULL;
}

int tml_contact_of(const TmlModel *m, int a, int b)
{
    const TmlBodyShape *x = &m->shapes.at[a], *y = &m->shapes.at[b];
    int best = -1;
    if (x->body == y->body) {
        return -1;
    }
    for (int k = 0; k < m->contacts.n; ++k) {
        const TmlContact *c = &m->contacts.at[k];
        const bool better = best < 0 || c->rank > m->contacts.at[best].rank;
        if (better && tml_contact_names(c, a, b) && tml_contact_fits(c, x, y) &&
            (c->neighbours || !tml_are_neighbours(m, x->body, y->body))) {
            best = k;
        }
    }
    return best >= 0 && m->contacts.at[best].law.press == NULL ? -1 : best;
}

/* by_material has a row and a column for shapes without a material, then one for each material. */
const TmlContactLaw *tml_contact_law(const TmlModel *m, int contact, int a, int b)
{
    const TmlContact *c = &m->contacts.at[contact];
    const int row = m->shapes.at[a].made_of + 1, column = m->shapes.at[b].made_of + 1;
    return c->by_material != NULL ? &c->by_material[row * (m->materials.n + 1) + column] : &c->law;
}

double tml_contact_acts(const TmlModel *m, int contact, int a, int b)
{
    const TmlContact *c = &m->contacts.at[contact];
    if (c->acts == TML_ACTS_MIDDLE) {
        return 0.0;
    }
    const bool as_said = c->side[0][a] != 0 && c->side[1][b] != 0;
    return as_said == (c->acts == TML_ACTS_FIRST) ? 1.0 : -1.0;
}

/* Bodies that nodes of a flexible body are points of. to: NULL: they are counted only. */
static size_t tied_bodies(const TmlModel *m, uint64_t *to)
{
    size_t n = 0;
    for (int k = 0; k < m->meshes.n; ++k) {
        const TmlMesh *mesh = &m->meshes.at[k];
        for (int i = 0; i < mesh->n_nodes * mesh->type->vectors; ++i) {
            for (int j = 0; j < mesh->vector[i].n; ++j) {
                const TmlVectorTerm *t = &mesh->vector[i].term[j];
                const TmlBody *body = &m->bodies.at[t->body];
                const int other = body->type->hidden ? body->owner : t->body;
                if (t->direction || other == mesh->body) {
                    continue;
                }
                if (to != NULL) {
                    to[n] = body_pair(mesh->body, other);
                }
                ++n;
            }
        }
    }
    return n;
}

/* Every two bodies of one joint, and flexible bodies with what they are tied to. */
static TmlStatus list_neighbours(TmlModel *m, TmlError *err)
{
    size_t n = 0;
    for (int k = 0; k < m->constraints.n; ++k) {
        const size_t ends = (size_t)m->constraints.at[k].n_ends;
        n += ends <= TML_MAX_ENDS ? ends * (ends - 1) / 2 : 0;
    }
    TML_NEW(&m->arena, m->neighbours, n + tied_bodies(m, NULL));
    for (int k = 0; k < m->constraints.n; ++k) {
        const TmlConstraint *c = &m->constraints.at[k];
        for (int i = 0; i < c->n_ends && c->n_ends <= TML_MAX_ENDS; ++i) {
            for (int j = 0; j < i; ++j) {
                m->neighbours[m->n_neighbours++] = body_pair(c->end[i].body, c->end[j].body);
            }
        }
    }
    m->n_neighbours += (int)tied_bodies(m, m->neighbours + m->n_neighbours);
    if (m->n_neighbours > 0) {
        qsort(m->neighbours, (size_t)m->n_neighbours, sizeof *m->neighbours, by_value);
    }
    return TML_OK;
}

/* Two bodies of an entry that share a joint while no others are left; false: there are others. */
static bool only_neighbours(const TmlModel *m, const TmlContact *c, int body[2])
{
    bool found = false;
    for (int a = 0; a < m->shapes.n; ++a) {
        for (int b = a + 1; b < m->shapes.n; ++b) {
            const int x = m->shapes.at[a].body, y = m->shapes.at[b].body;
            if (x == y || !tml_contact_names(c, a, b)) {
                continue;
            }
            if (!tml_are_neighbours(m, x, y)) {
                return false;
            }
            body[0] = x;
            body[1] = y;
            found = true;
        }
    }
    return found;
}

/* An entry all of whose pairs are left out would do nothing without a word. */
static TmlStatus refuse_neighbours(const TmlModel *m, TmlError *err)
{
    int body[2];
    for (int k = 0; k < m->contacts.n; ++k) {
        const TmlContact *c = &m->contacts.at[k];
        if (c->law.press == NULL || c->neighbours || !only_neighbours(m, c, body)) {
            continue;
        }
        const TmlStatus status =
            tml_fail(err, TML_E_MODEL,
                     "contact '%s': bodies of one joint do not touch unless that is asked for, and "
                     "it has no others; for '%s' and '%s' say 'neighbours: true'",
                     c->name, m->bodies.at[body[0]].name, m->bodies.at[body[1]].name);
        return c->source != NULL && c->source->line > 0
                   ? tml_fail_ctx(err, status, "%s:%d:%d", c->source->file, c->source->line,
                                  c->source->column)
                   : status;
    }
    return TML_OK;
}

TmlStatus tml_contacts_finish(TmlModel *m, TmlError *err)
{
    if (m->contacts.n == 0) {
        return TML_OK;
    }
    TML_TRY(list_neighbours(m, err));
    TML_TRY(refuse_neighbours(m, err));
    return tml_contacts_add_bristles(m, err);
}
