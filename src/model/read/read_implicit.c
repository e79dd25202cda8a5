/* model/read/read_implicit.c - implicit states that are algebraic; rates of variables.
 *
 * An implicit state whose equation holds no rate, 0 = g(x, ...), is no state: it becomes a variable
 * that is solved for like all others. Which ones do follows from the structure of all implicit
 * equations together (structure.h); an equation holds what it reads itself, and what variables,
 * forces and rates of explicit states read that it reads.
 *
 *   (I1)  rate(x) of a variable x = v(...) or 0 = g(x, ...) is a variable of its own, the solution
 *         of x' = dv/dt or 0 = dg/dt                                            binding_rate.c
 */
#include <string.h>

#include "model/measure/binding.h"
#include "model/read/read.h"
#include "model/read/structure.h"

/* --- what an equation holds ------------------------------------------------------------------- */

typedef struct Search {
    TmlReader *r;
    TmlArena *arena;
    TmlStructure s;
    int *state;           /* s.n: numbers of the implicit states */
    int *place;           /* all states: number among them, or -1 */
    int *seen_v, *seen_x; /* variables, states: the last equation that looked into them, from 1 */
    int *seen_f;          /* the same of forces */
    int equation;
    bool through; /* the equation reads accelerations or reactions */
} Search;

static void look_into(Search *w, const TmlBinding *b);

static void hold(Search *w, int state, int entry)
{
    short *e = &w->s.entry[w->equation * w->s.n + w->place[state]];
    *e = (short)(entry > *e ? entry : *e);
}

static void look_at(Search *w, const TmlUnknown *u)
{
    const TmlModel *m = w->r->m;
    const int mark = w->equation + 1;
    switch (u->kind) {
    case TML_UNKNOWN_X:
    case TML_UNKNOWN_XDOT:
        if (w->place[u->index] >= 0) {
            hold(w, u->index, u->kind == TML_UNKNOWN_X ? TML_BY_VALUE : TML_BY_RATE);
        } else if (u->kind == TML_UNKNOWN_XDOT && w->seen_x[u->index] != mark) {
            w->seen_x[u->index] = mark;
            look_into(w, m->states.at[u->index].binding);
        }
        break;
    case TML_UNKNOWN_V:
    case TML_UNKNOWN_VDOT:
        if (w->seen_v[u->index] != mark && !m->variables.at[u->index].adjusted) {
            w->seen_v[u->index] = mark;
            look_into(w, m->variables.at[u->index].binding);
        }
        break;
    case TML_UNKNOWN_F:
        if (w->seen_f[u->index] != mark) {
            const TmlForce *f = &m->forces.at[u->index];
            w->seen_f[u->index] = mark;
            for (int k = 0; f->f != NULL && k < f->n_f; ++k) {
                look_into(w, f->f[k]);
            }
        }
        break;
    case TML_UNKNOWN_LAMBDA:
        w->through = true;
        break;
    case TML_UNKNOWN_PLACE:
    case TML_UNKNOWN_CONTACT:
    case TML_UNKNOWN_BRISTLE:
        break;
    }
}

static void look_into(Search *w, const TmlBinding *b)
{
    if (b == NULL) {
        return;
    }
    w->through |= b->uses_acceleration;
    for (int k = 0; k < b->n_unknowns; ++k) {
        if (tml_binding_reads(b, k)) {
            look_at(w, &b->unknown[k]);
        }
    }
}

static TmlStatus search_create(Search *w, TmlReader *r, TmlArena *arena, TmlError *err)
{
    const TmlModel *m = r->m;
    int n = 0;
    *w = (Search){.r = r, .arena = arena};
    TML_NEW(arena, w->state, m->states.n);
    TML_NEW(arena, w->place, m->states.n);
    TML_NEW(arena, w->seen_x, m->states.n);
    TML_NEW(arena, w->seen_v, m->variables.n);
    TML_NEW(arena, w->seen_f, m->forces.n);
    for (int k = 0; k < m->states.n; ++k) {
        w->place[k] = m->states.at[k].implicit ? n : -1;
        if (m->states.at[k].implicit) {
            w->state[n++] = k;
        }
    }
    return tml_structure_create(n, arena, &w->s, err);
}

static void search_all(Search *w)
{
    const int n = w->s.n;
    for (int i = 0; i < n; ++i) {
        w->equation = i;
        w->through = false;
        look_into(w, w->r->m->states.at[w->state[i]].binding);
        short *own = &w->s.entry[i * n + i];
        *own = *own == TML_ABSENT && w->through ? TML_THROUGH : *own;
    }
}

/* --- messages --------------------------------------------------------------------------------- */

static void complain(Search *w, TmlStructureResult result)
{
    const TmlModel *m = w->r->m;
    const TmlUserState *equation = &m->states.at[w->state[w->s.bad_equation]];
    const TmlUserState *unknown = &m->states.at[w->state[w->s.bad_unknown]];
    TmlEntry x = {.r = w->r, .kind = "state", .name = equation->name, .value = equation->source};
    const bool own = equation == unknown;
    if (result == TML_STRUCTURE_SINGULAR && own) {
        tml_entry_error(&x, NULL,
                        "its equation holds neither it nor its rate, and no other equation "
                        "determines it");
    } else if (result == TML_STRUCTURE_SINGULAR) {
        tml_entry_error(&x, NULL,
                        "the implicit equations do not determine state '%s': this one does not "
                        "hold it, and the others are needed for other states",
                        unknown->name);
    } else {
        tml_entry_error(&x, NULL,
                        "its equation would have to be differentiated more than once by time to "
                        "find the rate of state '%s' (a higher index); give an equation that holds "
                        "a rate instead",
                        unknown->name);
    }
}

/* --- from states to variables ----------------------------------------------------------------- */

/* Where states of before are now; variables follow the others at `first`. */
typedef struct Moves {
    int *state, *variable; /* -1: it is the other */
} Moves;

static void move_unknowns(const TmlReader *r, const Moves *moves)
{
    for (int k = 0; k < r->bound.n; ++k) {
        TmlBinding *b = r->bound.at[k];
        for (int i = 0; i < b->n_unknowns; ++i) {
            TmlUnknown *u = &b->unknown[i];
            if (u->kind != TML_UNKNOWN_X && u->kind != TML_UNKNOWN_XDOT) {
                continue;
            }
            const bool algebraic = moves->state[u->index] < 0, rate = u->kind == TML_UNKNOWN_XDOT;
            u->kind = !algebraic ? u->kind : rate ? TML_UNKNOWN_VDOT : TML_UNKNOWN_V;
            u->index = algebraic ? moves->variable[u->index] : moves->state[u->index];
        }
    }
}

static void move_events(TmlReader *r, const Moves *moves)
{
    for (int k = 0; k < r->m->events.n; ++k) {
        TmlEvent *event = &r->m->events.at[k];
        for (int i = 0; i < event->n_sets; ++i) {
            const int state = event->set[i].state;
            if (moves->state[state] < 0) {
                TmlEntry x = {.r = r, .kind = "event", .name = event->name, .value = event->source};
                tml_entry_error(&x, NULL, "set: '%s' follows from its equation and cannot be set",
                                r->m->variables.at[moves->variable[state]].name);
            } else {
                event->set[i].state = moves->state[state];
            }
        }
    }
}

/* The lists of the model: algebraic states to the end of the variables. */
static TmlStatus move_states(Search *w, Moves *moves, TmlError *err)
{
    TmlModel *m = w->r->m;
    const TmlBinding **binding;
    const int n = m->states.n;
    int kept = 0;
    bool ok = true;
    TML_NEW(w->arena, binding, n);
    TML_NEW(w->arena, moves->state, n);
    TML_NEW(w->arena, moves->variable, n);
    for (int k = 0; k < n; ++k) {
        const int j = w->place[k];
        binding[k] = m->states.at[j >= 0 ? w->state[w->s.equation[j]] : k].binding;
    }
    for (int k = 0; k < n; ++k) {
        const TmlUserState state = m->states.at[k];
        const int j = w->place[k];
        const bool algebraic = j >= 0 && w->s.algebraic[j];
        moves->state[k] = algebraic ? -1 : kept;
        moves->variable[k] = algebraic ? m->variables.n : -1;
        if (algebraic) {
            const TmlVariable v = {.name = state.name,
                                   .binding = binding[k],
                                   .implicit = true,
                                   .initial = state.initial,
                                   .source = state.source};
            TML_LIST_ADD(m->variables, v, &ok);
        } else {
            m->states.at[kept] = state;
            m->states.at[kept++].binding = binding[k];
        }
    }
    for (int k = 0; k < m->forces.n; ++k) {
        TmlForce *f = &m->forces.at[k];
        f->state0 = f->state0 < n ? moves->state[f->state0] : kept;
    }
    m->states.n = kept;
    tml_model_forget_names(m);
    return ok ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

static TmlStatus settle_states(TmlReader *r, TmlArena *arena, TmlError *err)
{
    Search w;
    Moves moves = {0};
    TmlStructureResult result;
    bool any = false;
    TML_TRY(search_create(&w, r, arena, err));
    search_all(&w);
    TML_TRY(tml_structure_solve(&w.s, arena, &result, err));
    if (result != TML_STRUCTURE_FOUND) {
        complain(&w, result);
        return TML_OK;
    }
    for (int j = 0; j < w.s.n; ++j) {
        any |= w.s.algebraic[j];
    }
    if (any) {
        TML_TRY(move_states(&w, &moves, err));
        move_unknowns(r, &moves);
        move_events(r, &moves);
    }
    return TML_OK;
}

/* --- rates of variables ----------------------------------------------------------------------- */

/* (I1): the variable that is the rate of another, -1: reported. */
static int add_rate(TmlReader *r, int of, const TmlBinding *asks)
{
    TmlModel *m = r->m;
    const TmlVariable base = m->variables.at[of];
    TmlError err = {0};
    TmlBinding *binding = NULL;
    TmlVariable v = {.name = tml_reader_printf(r, "rate(%s)", base.name),
                     .implicit = base.implicit,
                     .source = base.source};
    const char *where = tml_reader_printf(r, "rate of variable '%s'", base.name);
    if (where == NULL || v.name == NULL || base.binding == NULL) {
        return -1;
    }
    if (base.adjusted) {
        TmlEntry x = {.r = r, .kind = "variable", .name = base.name, .value = base.source};
        tml_entry_error(&x, NULL, "%s asks for its rate, but it is a constant that statics finds",
                        asks->where);
        return -1;
    }
    const TmlStatus status = tml_binding_rate_create(m, base.binding, where, &binding, &err);
    if (status == TML_E_NOMEM) {
        r->nomem = true;
        return -1;
    }
    if (status != TML_OK) {
        TmlEntry x = {.r = r, .kind = "variable", .name = base.name, .value = base.source};
        tml_entry_error(&x, NULL, "%s asks for its rate, which is not there: %s", asks->where,
                        err.message);
        return -1;
    }
    bool ok = true;
    v.binding = binding;
    TML_LIST_ADD(m->variables, v, &ok);
    TML_LIST_ADD(r->bound, binding, &ok);
    r->nomem |= !ok;
    return ok ? m->variables.n - 1 : -1;
}

static TmlStatus settle_rates(TmlReader *r, TmlArena *arena, TmlError *err)
{
    int *rate, n = r->m->variables.n;
    TML_NEW(arena, rate, n);
    for (int k = 0; k < n; ++k) {
        rate[k] = -1;
    }
    for (int k = 0; k < r->bound.n; ++k) { // grows on the way
        TmlBinding *b = r->bound.at[k];
        for (int i = 0; i < b->n_unknowns; ++i) {
            TmlUnknown *u = &b->unknown[i];
            if (u->kind != TML_UNKNOWN_VDOT) {
                continue;
            }
            if (u->index >= n) { // of a variable that is a rate itself
                TmlEntry x = {.r = r, .kind = b->where};
                tml_entry_error(&x, r->m->variables.at[u->index].source,
                                "needs the second derivative of '%s', which is not known",
                                r->m->variables.at[u->index].name);
                return TML_OK;
            }
            if (rate[u->index] < 0) {
                rate[u->index] = add_rate(r, u->index, b);
            }
            if (rate[u->index] < 0) {
                return TML_OK;
            }
            *u = (TmlUnknown){.kind = TML_UNKNOWN_V, .index = rate[u->index]};
        }
    }
    return TML_OK;
}

void tml_read_implicit(TmlReader *r)
{
    TmlArena arena = {0};
    TmlError err = {0};
    TmlStatus status = settle_states(r, &arena, &err);
    if (status == TML_OK && r->report.n == 0) {
        status = settle_rates(r, &arena, &err);
    }
    r->nomem |= status == TML_E_NOMEM;
    tml_arena_free(&arena);
}
