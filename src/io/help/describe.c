/* io/help/describe.c - a model in words: what it consists of and how it can move (trammel check). */
#include "io/text/textbuf.h"

#include "base/fail.h"
#include "model/body/body.h"
#include "model/contact/contact.h"
#include "model/flexible/flexible.h"
#include "model/model.h"
#include "trammel/flexible.h"
#include "trammel/io.h"
#include "trammel/modal.h"

#include <string.h>

enum { SHOWN = 40, NAME_WIDTH = 24 }; // entries of a list, columns of a name

static int name_width(const char *name, int width)
{
    const int n = (int)strlen(name);
    return n > width && n <= NAME_WIDTH ? n : width;
}

static const char *body_name(const TmlModel *m, const TmlEnd *end)
{
    return m->bodies.at[end->body].name;
}

static void describe_rest(TmlTextBuf *b, int n)
{
    if (n > SHOWN) {
        tml_textbuf_add(b, "  ... and %d more\n", n - SHOWN);
    }
}

static void describe_bodies(TmlTextBuf *b, const TmlModel *m)
{
    const int n = tml_model_body_count(m);
    int width = 4;
    for (int k = 1; k < n && k <= SHOWN; ++k) {
        width = name_width(tml_model_body_name(m, k), width);
    }
    tml_textbuf_add(b, "bodies: %d\n", n - 1);
    for (int k = 1; k < n && k <= SHOWN; ++k) {
        const TmlBody *body = &m->bodies.at[tml_model_shown_body(m, k)];
        tml_textbuf_add(b, "  %-*s  %-6s  at (%.6g, %.6g, %.6g) m\n", width, body->name,
                        body->type->info.name, body->r0.x, body->r0.y, body->r0.z);
    }
    describe_rest(b, n - 1);
}

static void describe_flexible(TmlTextBuf *b, const TmlModel *m)
{
    const int n = tml_model_flexible_count(m);
    int width = 4, type = 6;
    for (int k = 0; k < n && k < SHOWN; ++k) {
        width = name_width(tml_model_flexible_name(m, k), width);
        type = name_width(tml_model_flexible(m, k).type, type);
    }
    if (n > 0) {
        tml_textbuf_add(b, "flexible bodies: %d\n", n);
    }
    for (int k = 0; k < n && k < SHOWN; ++k) {
        const TmlFlexibleInfo f = tml_model_flexible(m, k);
        tml_textbuf_add(b, "  %-*s  %-*s  %d element%s, %d nodes, %.6g kg, %d coordinates\n", width,
                        tml_model_flexible_name(m, k), type, f.type, (int)f.elements,
                        f.elements > 1 ? "s" : "", (int)f.nodes, f.mass, (int)f.degrees_of_freedom);
    }
    describe_rest(b, n);
}

/* "  arm  14 modes to 4.7 kHz, part arm.h5, 2.5 kg, stiffened by spin" */
static void describe_modal(TmlTextBuf *b, const TmlModel *m)
{
    const int n = tml_model_modal_count(m);
    int width = 4;
    for (int k = 0; k < n && k < SHOWN; ++k) {
        width = name_width(tml_model_modal_name(m, k), width);
    }
    if (n > 0) {
        tml_textbuf_add(b, "modal bodies: %d\n", n);
    }
    for (int k = 0; k < n && k < SHOWN; ++k) {
        const TmlModalInfo f = tml_model_modal(m, k);
        const char *slash = f.part != NULL ? strrchr(f.part, '/') : NULL;
        const char *file = slash != NULL ? slash + 1 : f.part != NULL ? f.part : "";
        const bool kilo = f.highest >= 1000.0;
        tml_textbuf_add(b, "  %-*s  ", width, tml_model_modal_name(m, k));
        if (f.modes > 0) {
            tml_textbuf_add(b, "%d mode%s to %.4g %s, ", (int)f.modes, f.modes > 1 ? "s" : "",
                            kilo ? f.highest / 1000.0 : f.highest, kilo ? "kHz" : "Hz");
        } else {
            tml_textbuf_put(b, "no modes, ");
        }
        if (f.static_modes > 0) {
            tml_textbuf_add(b, "%d of them held static, ", (int)f.static_modes);
        }
        tml_textbuf_add(b, "part %s, %.6g kg%s%s%s\n", file, f.mass,
                        f.stiffened ? ", stiffened by spin" : "",
                        f.loads == 0  ? ""
                        : f.stiffened ? " and load cases"
                                      : ", stiffened by load cases",
                        f.second_order ? "" : ", terms of first order");
    }
    describe_rest(b, n);
}

/* The bodies of an element: the first two ends tell it for joints; couplers have more. */
static void describe_ends(TmlTextBuf *b, const TmlModel *m, const TmlEnd *end, int n)
{
    enum { ENDS = 4 };
    for (int k = 0; k < n && k < ENDS; ++k) {
        tml_textbuf_add(b, "%s%s", k > 0 ? " - " : "", body_name(m, &end[k]));
    }
    tml_textbuf_put(b, n > ENDS ? " - ...\n" : "\n");
}

static void describe_joints(TmlTextBuf *b, const TmlModel *m)
{
    int width = 4, type = 8;
    for (int k = 0; k < m->constraints.n && k < SHOWN; ++k) {
        width = name_width(m->constraints.at[k].name, width);
        type = name_width(m->constraints.at[k].type->info.name, type);
    }
    tml_textbuf_add(b, "joints: %d\n", m->constraints.n);
    for (int k = 0; k < m->constraints.n && k < SHOWN; ++k) {
        const TmlConstraint *c = &m->constraints.at[k];
        tml_textbuf_add(b, "  %-*s  %-*s  %d row%s  ", width, c->name, type, c->type->info.name,
                        c->type->rows, c->type->rows > 1 ? "s" : " ");
        describe_ends(b, m, c->end, c->n_ends);
    }
    describe_rest(b, m->constraints.n);
}

static void describe_forces(TmlTextBuf *b, const TmlModel *m)
{
    int width = 4, type = 8;
    for (int k = 0; k < m->forces.n && k < SHOWN; ++k) {
        width = name_width(m->forces.at[k].name, width);
        type = name_width(m->forces.at[k].type->info.name, type);
    }
    tml_textbuf_add(b, "forces: %d\n", m->forces.n);
    for (int k = 0; k < m->forces.n && k < SHOWN; ++k) {
        const TmlForce *f = &m->forces.at[k];
        tml_textbuf_add(b, "  %-*s  %-*s  ", width, f->name, type, f->type->info.name);
        describe_ends(b, m, f->end, f->n_ends);
    }
    describe_rest(b, m->forces.n);
}

/* One past the last shape that is counted with shape a: all of a flexible body are one. */
static int last_of(const TmlModel *m, int a)
{
    int end = a + 1;
    while (m->shapes.at[a].element > 0 && end < m->shapes.n && m->shapes.at[end].element > 0 &&
           m->shapes.at[end].body == m->shapes.at[a].body) {
        ++end;
    }
    return end;
}

static bool some_touch(const TmlModel *m, int contact, int a, int b)
{
    for (int i = a; i < last_of(m, a); ++i) {
        for (int j = b; j < last_of(m, b); ++j) {
            if (tml_contact_names(&m->contacts.at[contact], i, j) &&
                tml_contact_of(m, i, j) == contact) {
                return true;
            }
        }
    }
    return false;
}

static long count_pairs(const TmlModel *m, int contact)
{
    long n = 0;
    for (int a = 0; a < m->shapes.n; a = last_of(m, a)) {
        for (int b = 0; b < a; b = last_of(m, b)) {
            const bool still =
                m->shapes.at[a].body == TML_GROUND && m->shapes.at[b].body == TML_GROUND;
            n += !still && some_touch(m, contact, a, b);
        }
    }
    return n;
}

/* "hertz, coulomb": what the entry says, and what materials add to it. */
static void describe_laws(TmlTextBuf *b, const TmlModel *m, const TmlContact *c)
{
    const int n = c->by_material != NULL ? (m->materials.n + 1) * (m->materials.n + 1) : 1;
    const TmlSlipType *slip = c->law.slip;
    const TmlRollType *roll = c->law.roll;
    for (int k = 0; k < n && c->by_material != NULL; ++k) {
        slip = slip == NULL ? c->by_material[k].slip : slip;
        roll = roll == NULL ? c->by_material[k].roll : roll;
    }
    tml_textbuf_add(b, "%s%s%s%s%s", c->law.press->info.name, slip != NULL ? ", " : "",
                    slip != NULL ? slip->info.name : "", roll != NULL ? ", " : "",
                    roll != NULL ? roll->info.name : "");
}

static void describe_contacts(TmlTextBuf *b, const TmlModel *m)
{
    int width = 4;
    for (int k = 0; k < m->contacts.n && k < SHOWN; ++k) {
        width = name_width(m->contacts.at[k].name, width);
    }
    if (m->contacts.n > SHOWN) { // those that are not listed count, too
        long all = 0;
        for (int k = 0; k < m->contacts.n; ++k) {
            all += m->contacts.at[k].law.press != NULL ? count_pairs(m, k) : 0;
        }
        tml_textbuf_add(b, "contacts: %d, %ld pairs\n", m->contacts.n, all);
    } else if (m->contacts.n > 0) {
        tml_textbuf_add(b, "contacts: %d\n", m->contacts.n);
    }
    for (int k = 0; k < m->contacts.n && k < SHOWN; ++k) {
        const TmlContact *c = &m->contacts.at[k];
        const long pairs = c->law.press != NULL ? count_pairs(m, k) : 0;
        tml_textbuf_add(b, "  %-*s  ", width, c->name);
        if (c->law.press == NULL) {
            tml_textbuf_put(b, "none: these never touch\n");
            continue;
        }
        describe_laws(b, m, c);
        tml_textbuf_add(b, "  %ld pair%s\n", pairs, pairs == 1 ? "" : "s");
    }
    describe_rest(b, m->contacts.n);
}

static void describe_rest_of_model(TmlTextBuf *b, const TmlModel *m)
{
    const struct {
        const char *what;
        int n;
    } list[] = {{"variables", m->variables.n},
                {"states", m->states.n},
                {"delays", m->delays.n},
                {"outputs", m->channels.n},
                {"splines", m->splines.n}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; ++k) {
        if (list[k].n > 0) {
            tml_textbuf_add(b, "%s: %d\n", list[k].what, list[k].n);
        }
    }
}

/* Clamped and pinned ends hold both bodies; bodies that share nodes hold each other. */
static void touch_attached(const TmlModel *m, bool *touched)
{
    for (int k = 0; k < m->meshes.n; ++k) {
        const TmlMesh *mesh = &m->meshes.at[k];
        for (int i = 0; i < mesh->n_nodes * mesh->type->vectors; ++i) {
            for (int t = 0; t < mesh->vector[i].n; ++t) {
                const TmlBody *body = &m->bodies.at[mesh->vector[i].term[t].body];
                const int holder = body->type->hidden ? body->owner : mesh->vector[i].term[t].body;
                if (holder != mesh->body) {
                    touched[mesh->body] = touched[holder] = true;
                }
            }
        }
    }
}

/* What connects two places of one flexible body, as its corners do, holds it to nothing. */
static void touch_ends(const TmlEnd *end, int n, bool *touched)
{
    bool within = n > 1;
    for (int e = 1; e < n; ++e) {
        within = within && end[e].body == end[0].body;
    }
    for (int e = 0; e < n && !within; ++e) {
        touched[end[e].body] = true;
    }
}

/* Bodies that a contact speaks of may be held by it. */
static void touch_shapes(const TmlModel *m, bool *touched)
{
    for (int c = 0; c < m->contacts.n; ++c) {
        for (int k = 0; k < m->shapes.n; ++k) {
            touched[m->shapes.at[k].body] |=
                m->contacts.at[c].side[0][k] != 0 || m->contacts.at[c].side[1][k] != 0;
        }
    }
}

/* Bodies that no joint and no force touches are more often an oversight than a wish. */
static void describe_loose(TmlTextBuf *b, const TmlModel *m, bool *touched)
{
    for (int k = 0; k < m->constraints.n; ++k) {
        touch_ends(m->constraints.at[k].end, m->constraints.at[k].n_ends, touched);
    }
    for (int k = 0; k < m->forces.n; ++k) {
        touch_ends(m->forces.at[k].end, m->forces.at[k].n_ends, touched);
    }
    touch_attached(m, touched);
    touch_shapes(m, touched);
    int loose = 0;
    for (int k = 1; k < m->bodies.n; ++k) {
        const TmlBody *body = &m->bodies.at[k];
        if (!touched[k] && !body->type->hidden && loose++ < SHOWN) {
            tml_textbuf_add(b, "warning: no joint and no force holds %sbody '%s'\n",
                            tml_body_is_shown(body) ? "" : "flexible ", body->name);
        }
    }
    describe_rest(b, loose);
}

/* Gruebler: motions of all bodies less rows of all joints. */
static void count_motions(TmlTextBuf *b, const TmlModel *m)
{
    int motions = 0, flexible = 0, rows = 0;
    for (int k = 1; k < m->bodies.n; ++k) {
        const TmlBodyType *type = m->bodies.at[k].type;
        *(type->hidden ? &flexible : &motions) += type->nu;
    }
    for (int k = 0; k < m->constraints.n; ++k) {
        rows += m->constraints.at[k].type->rows;
    }
    tml_textbuf_add(b, "degrees of freedom by count: %d motions of bodies", motions);
    if (flexible > 0) {
        tml_textbuf_add(b, " + %d coordinates of flexible bodies", flexible);
    }
    tml_textbuf_add(b, " - %d rows of joints = %d\n", rows, motions + flexible - rows);
}

static void describe_sim(TmlTextBuf *b, const TmlSim *sim)
{
    const TmlSimStats s = tml_sim_stats(sim);
    tml_textbuf_add(b, "degrees of freedom: %d", s.degrees_of_freedom);
    if (s.n_redundant > 0) {
        tml_textbuf_add(b, " (%d of the rows %s redundant)\n", s.n_redundant,
                        s.n_redundant > 1 ? "are" : "is");
    } else {
        tml_textbuf_put(b, " (no row is redundant)\n");
    }
    tml_textbuf_add(b, "system: %d unknowns, %d entries\n", s.n_unknowns, s.matrix_entries);
    if (tml_sim_choice(sim) != NULL) {
        tml_textbuf_add(b, "integrator: %s\n", tml_sim_choice(sim));
    }
    if (tml_sim_coordinates(sim) != NULL) {
        tml_textbuf_add(b, "coordinates: %s\n", tml_sim_coordinates(sim));
    }
    for (int k = 0; k < tml_sim_note_count(sim); ++k) {
        tml_textbuf_add(b, "note: %s\n", tml_sim_note(sim, k));
    }
}

TmlStatus tml_describe(const TmlModel *model, const TmlSim *sim, char **out, TmlError *err)
{
    *out = NULL;
    TmlTextBuf b = {0};
    bool *touched = tml_mem_zalloc((size_t)model->bodies.n, sizeof *touched);
    if (touched == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a description");
    }
    if (model->title != NULL && model->title[0] != '\0') {
        tml_textbuf_add(&b, "%s\n", model->title);
    }
    describe_bodies(&b, model);
    describe_flexible(&b, model);
    describe_modal(&b, model);
    describe_joints(&b, model);
    describe_forces(&b, model);
    describe_contacts(&b, model);
    describe_rest_of_model(&b, model);
    count_motions(&b, model);
    if (sim != NULL) {
        describe_sim(&b, sim);
    }
    describe_loose(&b, model, touched);
    tml_mem_free(touched);
    return tml_textbuf_take(&b, out, err);
}
