/* model/contact/bristle_states.c - states of the bristles between shapes.
 *
 * Which pairs will touch is not known, so that every pair whose friction has bristles gets the states of its points: one
 * where a sphere meets a smooth or convex shape, some where it may meet several teeth or triangles or where neither is a
 * sphere. A point beyond these has the damper of its law alone: of two boxes 22 points were counted, and with bristles for
 * all of them, some of no weight, a run took ten times the steps. The rate of a state is a value that the system supplies.
 */
#include "model/contact/bristle_states.h"

#include "base/fail.h"
#include "expr/builder.h"
#include "model/body/body.h"
#include "model/measure/measure.h"
#include "model/measure/measure_names.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* Sizes of a bristle by its reach: error control asks for parts of this many reaches. */
static const double reaches = 4.0;

static TmlStatus bind_rate(TmlModel *m, int k, const char *where, TmlBinding **out, TmlError *err)
{
    TmlLeafList list;
    TmlBuilder build = {0};
    TmlExprSymbol symbol = {0};
    TmlExpr *expr = NULL;
    int trouble;
    TML_TRY(tml_leaves_init(&list, m, where, TML_ALLOW_ALL, err));
    TmlStatus status =
        tml_leaves_read(&list, (TmlUnknown){TML_UNKNOWN_BRISTLE, k, 0}, &symbol, err);
    status = status == TML_OK ? tml_build_init(&build, err) : status;
    if (status == TML_OK) {
        const int root = tml_build_leaf(&build, symbol.leaf);
        status = tml_build_finish(&build, root, where, &m->arena, &expr, &trouble, err);
    }
    status = status == TML_OK ? tml_binding_make(&list, expr, where, where, out, err) : status;
    tml_build_free(&build);
    tml_leaves_free(&list);
    return status;
}

/* The weight of a body at the start, N; 0: it has none. */
static double weight_of(const TmlModel *m, int body)
{
    const TmlBody *b = &m->bodies.at[body];
    double q[TML_BODY_MAX_NQ], v[TML_BODY_MAX_NQ], M[TML_BODY_MAX_NU * TML_BODY_MAX_NU];
    TmlBodyKin kin;
    if (b->type->nu == 0) {
        return 0.0;
    }
    b->type->initial(b, q, v);
    const TmlBodyIn in = {.data = b->data, .q = q, .v = v};
    b->type->kin(&in, &kin);
    b->type->mass(&in, &kin, M);
    return M[0] * sqrt(m->gravity.x * m->gravity.x + m->gravity.y * m->gravity.y +
                       m->gravity.z * m->gravity.z);
}

/* What the errors of a bristle are relative to, m; 0: its values tell. */
static double scale_of(const TmlModel *m, const TmlBristlePair *p, const TmlContact *c)
{
    const double a = weight_of(m, m->shapes.at[p->shape[0]].body);
    const double b = weight_of(m, m->shapes.at[p->shape[1]].body);
    const double load = a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b);
    return c->law.slip->reach != NULL && load > 0.0
               ? reaches * c->law.slip->reach(c->law.slip_data, load)
               : 0.0;
}

static TmlStatus add_states(TmlModel *m, const TmlBristlePair *p, const TmlContact *c,
                            TmlError *err)
{
    const double scale = scale_of(m, p, c);
    for (int k = 0; k < 3 * p->n; ++k) {
        bool ok = true;
        TmlUserState state = {.scale = scale, .source = c->source};
        TmlBinding *rate = NULL;
        state.name =
            tml_arena_printf(&m->arena, "%s(%s, %s).%d%c", c->name, m->shapes.at[p->shape[0]].name,
                             m->shapes.at[p->shape[1]].name, k / 3 + 1, "xyz"[k % 3]);
        if (state.name == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
        TML_TRY(bind_rate(m, 3 * p->first + k, state.name, &rate, err));
        state.binding = rate;
        TML_LIST_ADD(m->states, state, &ok);
        if (!ok) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    return TML_OK;
}

static bool is_sphere(const TmlModel *m, int shape)
{
    return strcmp(m->shapes.at[shape].shape.type->info.name, "sphere") == 0;
}

/* How many points of two shapes get a bristle. */
static int points_of(const TmlModel *m, int a, int b)
{
    enum { AT_TEETH = 8 };
    if (is_sphere(m, a) || is_sphere(m, b)) {
        const TmlShapeType *other = m->shapes.at[is_sphere(m, a) ? b : a].shape.type;
        return other->support == NULL && (other->surface & TML_SURFACE_EDGES) != 0 ? AT_TEETH : 1;
    }
    return TML_BRISTLES_A_PAIR;
}

static TmlStatus add_pair(TmlModel *m, int a, int b, const TmlContact *c, int *total, TmlError *err)
{
    TmlBristlePair p = {.shape = {a, b}, .first = *total, .state0 = m->states.n};
    bool ok = true;
    p.n = points_of(m, a, b);
    *total += p.n;
    if (*total > TML_BRISTLES_MOST) {
        return tml_fail(err, TML_E_MODEL,
                        "contact '%s': more than %d points with bristles; name fewer pairs under "
                        "'between', or use friction 'coulomb'",
                        c->name, (int)TML_BRISTLES_MOST);
    }
    TML_TRY(add_states(m, &p, c, err));
    TML_LIST_ADD(m->bristles, p, &ok);
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

static bool moves_shape(const TmlModel *m, int shape)
{
    const TmlBodyShape *s = &m->shapes.at[shape];
    return s->element > 0 || m->bodies.at[s->body].type->nu > 0;
}

TmlStatus tml_contacts_add_bristles(TmlModel *m, TmlError *err)
{
    bool any = false;
    int total = 0;
    for (int k = 0; k < m->contacts.n; ++k) {
        const TmlSlipType *slip = m->contacts.at[k].law.slip;
        any = any || (slip != NULL && slip->bristles);
    }
    for (int a = 0; a < m->shapes.n && any; ++a) {
        for (int b = a + 1; b < m->shapes.n; ++b) {
            const int k = tml_contact_of(m, a, b);
            const TmlSlipType *slip = k >= 0 ? m->contacts.at[k].law.slip : NULL;
            const bool moves = moves_shape(m, a) || moves_shape(m, b);
            if (slip != NULL && slip->bristles && moves) {
                TML_TRY(add_pair(m, a, b, &m->contacts.at[k], &total, err));
            }
        }
    }
    if (any) {
        tml_model_forget_names(m);
        tml_model_find_variable(m, ""); // the tables of a finished model are complete
        tml_model_find_state(m, "");
    }
    return TML_OK;
}
