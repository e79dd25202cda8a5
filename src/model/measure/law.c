/* model/measure/law.c - values of a law that name things of the model. */
#include "model/measure/law.h"

#include <stdarg.h>

#include "base/fail.h"
#include "model/measure/measure.h"

static int symbol_value(TmlLaw *law, TmlStatus status, const TmlExprSymbol *symbol)
{
    if (status != TML_OK) {
        law->status = status;
        return 0;
    }
    return symbol->constant ? tml_build_const(&law->build, symbol->value)
                            : tml_build_leaf(&law->build, symbol->leaf);
}

int tml_law_call(TmlLaw *law, const char *function, const char *member, int n, ...)
{
    enum { MOST = 4 };
    TmlExprArg args[MOST] = {0};
    TmlExprSymbol symbol = {0};
    va_list names;
    if (law->status != TML_OK) {
        return 0;
    }
    va_start(names, n);
    for (int k = 0; k < n && k < MOST; ++k) {
        args[k].name = va_arg(names, const char *);
    }
    va_end(names);
    const TmlExprResolver *r = law->resolver;
    return symbol_value(law, r->call(r->user, function, args, n, member, &symbol, law->err),
                        &symbol);
}

/* Names that are put together; "": out of memory. */
static const char *keep_name(TmlLaw *law, const char *name)
{
    if (name == NULL && law->status == TML_OK) {
        law->status = tml_fail(law->err, TML_E_NOMEM, "out of memory");
    }
    return name != NULL ? name : "";
}

int tml_law_state(TmlLaw *law, int k)
{
    TmlExprSymbol symbol = {0};
    const char *name = keep_name(law, tml_arena_printf(&law->scratch, "%s.x%d", law->self, k + 1));
    if (law->status != TML_OK) {
        return 0;
    }
    const TmlExprResolver *r = law->resolver;
    return symbol_value(law, r->name(r->user, name, &symbol, law->err), &symbol);
}

const char *tml_law_frame(TmlLaw *law, const char *which)
{
    return keep_name(law, tml_arena_printf(&law->scratch, "%s.%s", law->joint, which));
}

void tml_law_fail(TmlLaw *law, const char *message)
{
    if (law->status == TML_OK) {
        law->status = tml_fail(law->err, TML_E_MODEL, "%s", message);
    }
}

static TmlStatus compile(TmlLaw *law, const TmlForceLaw *type, bool rate, const void *data, int k,
                         const char *text, TmlArena *arena, TmlExpr **out)
{
    int trouble;
    TML_TRY(tml_build_init(&law->build, law->err));
    const int root = rate ? type->x(law, data, k) : type->f(law, data, k);
    TML_TRY(law->status);
    TML_TRY(tml_build_finish(&law->build, root, text, arena, out, &trouble, law->err));
    return trouble == 0
               ? TML_OK
               : tml_fail(law->err, TML_E_MODEL, "a constant part of its law is not finite");
}

TmlStatus tml_law_bind(TmlModel *model, const TmlForceLaw *type, bool rate, const void *data, int k,
                       const char *self, const char *joint, TmlBinding **out, TmlError *err)
{
    *out = NULL;
    const char *where = tml_arena_printf(&model->arena, "force '%s'", self);
    const char *text = tml_arena_printf(&model->arena, "%s %d of force '%s'",
                                        rate ? "rate of state" : "unknown", k + 1, self);
    if (where == NULL || text == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TmlLeafList list;
    TML_TRY(tml_leaves_init(&list, model, where, TML_ALLOW_ALL, err));
    const TmlExprResolver resolver = tml_leaves_resolver(&list);
    TmlLaw law = {.self = self, .joint = joint, .resolver = &resolver, .err = err};
    TmlExpr *expr = NULL;
    TmlStatus status = compile(&law, type, rate, data, k, text, &model->arena, &expr);
    status = status == TML_OK ? tml_binding_make(&list, expr, text, where, out, err) : status;
    if (*out != NULL) {
        (*out)->steady = type->steady;
    }
    tml_build_free(&law.build);
    tml_arena_free(&law.scratch);
    tml_leaves_free(&list);
    return status;
}
