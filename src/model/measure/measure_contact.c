/* model/measure/measure_contact.c - contact_force(floor), contact_fx(ball, wall) and others of their kind.
 *
 * They are read like unknowns: an expression knows the motion of frames, and the points of two shapes move by rules
 * of their own. The system has their derivatives (system/contact/value_rates.c).
 */
#include "model/measure/measure_names.h"

#include "base/fail.h"
#include "model/contact/contact.h"

#include <string.h>

static int find_contact(const TmlModel *m, const char *name)
{
    for (int k = 0; k < m->contacts.n; ++k) {
        if (strcmp(m->contacts.at[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static TmlStatus fail_name(const TmlModel *m, bool contacts, const char *name, TmlError *err)
{
    TmlWords words = {0};
    for (int k = 0; contacts && k < m->contacts.n; ++k) {
        tml_words_add(&words, m->contacts.at[k].name);
    }
    for (int k = 0; k < m->bodies.n; ++k) {
        tml_words_add(&words, m->bodies.at[k].name);
    }
    return tml_words_fail(&words, contacts ? "contact or body" : "body", name, err);
}

/* A body that has shapes, of the entry if there is one. */
static TmlStatus find_body(const TmlModel *m, const char *name, int contact, int *out,
                           TmlError *err)
{
    const int body = tml_model_find_body(m, name);
    bool has = false;
    if (body < 0) {
        return fail_name(m, false, name, err);
    }
    for (int k = 0; k < m->shapes.n && !has; ++k) {
        const bool named = contact < 0 || m->contacts.at[contact].side[0][k] != 0 ||
                           m->contacts.at[contact].side[1][k] != 0;
        has = m->shapes.at[k].body == body && named;
    }
    if (!has && contact < 0) {
        return tml_fail(err, TML_E_MODEL, "body '%s' has no shape that can touch", name);
    }
    if (!has) {
        return tml_fail(err, TML_E_MODEL, "contact '%s' does not speak of body '%s'",
                        m->contacts.at[contact].name, name);
    }
    *out = body;
    return TML_OK;
}

/* The one body on the first side of an entry, which the forces of the entry act on. */
static TmlStatus first_body(const TmlModel *m, const TmlModelFunction *f, int contact, int *out,
                            TmlError *err)
{
    const TmlContact *c = &m->contacts.at[contact];
    int body = -1;
    for (int k = 0; k < m->shapes.n; ++k) {
        if (c->side[0][k] != 0 && body >= 0 && body != m->shapes.at[k].body) {
            return tml_fail(err, TML_E_MODEL,
                            "contact '%s' begins with more than one body: say whose force is "
                            "meant, %s(%s, %s)",
                            c->name, f->name, c->name, m->bodies.at[body].name);
        }
        body = c->side[0][k] != 0 ? m->shapes.at[k].body : body;
    }
    *out = body;
    return TML_OK;
}

/* Torques are about the centre of mass, which a flexible body does not carry with it. */
static TmlStatus check_torque(const TmlModel *m, const TmlModelFunction *f,
                              const TmlContactValue *value, TmlError *err)
{
    for (int k = 0; f->axis >= TML_CONTACT_TX && f->axis <= TML_CONTACT_TZ && k < m->meshes.n;
         ++k) {
        if (m->meshes.at[k].body == value->body[0]) {
            return tml_fail(err, TML_E_MODEL, "%s is not there for flexible bodies such as '%s'",
                            f->name, m->meshes.at[k].name);
        }
    }
    return TML_OK;
}

static TmlStatus read_value(const TmlModel *m, const TmlModelFunction *f, const TmlExprArg *args,
                            int n, TmlContactValue *out, TmlError *err)
{
    const bool component = f->axis >= TML_CONTACT_FX && f->axis <= TML_CONTACT_TZ;
    for (int k = 0; k < n; ++k) {
        if (args[k].name == NULL) {
            return tml_fail(err, TML_E_MODEL, "expected a name, found the number %.9g: %s",
                            args[k].value, f->signature);
        }
    }
    *out = (TmlContactValue){(TmlContactAsked)f->axis, find_contact(m, args[0].name), {-1, -1}};
    int at = 0;
    if (out->contact < 0) {
        if (tml_model_find_body(m, args[0].name) < 0) {
            return fail_name(m, true, args[0].name, err);
        }
        TML_TRY(find_body(m, args[0].name, -1, &out->body[at++], err));
    }
    if (n > 1) {
        TML_TRY(find_body(m, args[1].name, out->contact, &out->body[at], err));
    } else if (out->contact >= 0 && component) {
        TML_TRY(first_body(m, f, out->contact, &out->body[0], err));
    }
    return check_torque(m, f, out, err);
}

TmlStatus tml_leaves_contact(TmlLeafList *list, const TmlModelFunction *f, const TmlExprArg *args,
                             int n, TmlExprSymbol *out, TmlError *err)
{
    TmlModel *m = list->model;
    TmlContactValue value;
    bool ok = true;
    TML_TRY(read_value(m, f, args, n, &value, err));
    for (int k = 0; k < m->contact_values.n; ++k) {
        if (memcmp(&m->contact_values.at[k], &value, sizeof value) == 0) {
            return tml_leaves_read(list, (TmlUnknown){TML_UNKNOWN_CONTACT, k, 0}, out, err);
        }
    }
    TML_LIST_ADD(m->contact_values, value, &ok);
    if (!ok) {
        return tml_fail(err, TML_E_NOMEM, "out of memory (values of contacts)");
    }
    const TmlUnknown u = {TML_UNKNOWN_CONTACT, m->contact_values.n - 1, 0};
    return tml_leaves_read(list, u, out, err);
}
