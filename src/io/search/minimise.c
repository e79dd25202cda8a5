/* io/search/minimise.c - the methods of NLopt [S. G. Johnson, The NLopt nonlinear-optimization package].
 *
 *   slsqp    sequential quadratic programming [Kraft, DFVLR-FB 88-28 (1988)]
 *   mma      method of moving asymptotes [Svanberg, SIAM J. Optim. 12 (2002)]
 *   bobyqa   quadratic models in a trust region, bounds only [Powell, DAMTP 2009/NA06]
 *   cobyla   linear models in a trust region [Powell, 1994]
 *   direct   division of the cube, with a bias to local search [Gablonsky, Kelley, J. Global Optim. 21 (2001)]
 *   isres    evolution strategy with ranked constraints [Runarsson, Yao, IEEE Trans. SMC C 35 (2005)]
 */
#include "io/search/minimise.h"

#include "base/arena.h"
#include "base/fail.h"

#include <nlopt.h>

#include <math.h>
#include <string.h>

typedef struct Method {
    const char *name;
    nlopt_algorithm free, bounded; /* without and with constraints */
    bool slopes, global, below, equal;
} Method;

static const Method methods[] = {
    {"slsqp", NLOPT_LD_SLSQP, NLOPT_LD_SLSQP, true, false, true, true},
    {"mma", NLOPT_LD_MMA, NLOPT_LD_MMA, true, false, true, false},
    {"bobyqa", NLOPT_LN_BOBYQA, NLOPT_LN_BOBYQA, false, false, false, false},
    {"cobyla", NLOPT_LN_COBYLA, NLOPT_LN_COBYLA, false, false, true, true},
    {"direct", NLOPT_GN_DIRECT_L, NLOPT_GN_ORIG_DIRECT_L, false, true, true, false},
    {"isres", NLOPT_GN_ISRES, NLOPT_GN_ISRES, false, true, true, true},
};

static const Method *method_of(const char *name)
{
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; ++k) {
        if (strcmp(methods[k].name, name) == 0) {
            return &methods[k];
        }
    }
    return NULL;
}

bool tml_method_has_slopes(const char *method)
{
    const Method *m = method_of(method);
    return m != NULL && m->slopes;
}

bool tml_method_is_global(const char *method)
{
    const Method *m = method_of(method);
    return m != NULL && m->global;
}

const char *tml_method_lacks(const char *method, int n_below, int n_equal)
{
    const Method *m = method_of(method);
    return m == NULL                  ? "is unknown"
           : n_equal > 0 && !m->equal ? "cannot keep a response at a value ('equals'); slsqp, "
                                        "cobyla and isres can"
           : n_below > 0 && !m->below ? "cannot keep constraints; cobyla is like it and can"
                                      : NULL;
}

/* The point that was asked for last, as NLopt asks for the objective and for constraints one after the other. */
typedef struct Last {
    const TmlProgram *p;
    nlopt_opt opt;
    bool there, slopes;
    double f;
    double *u, *c, *df, *dc;
} Last;

static void look(Last *z, const double *u)
{
    const TmlProgram *p = z->p;
    if (z->there && memcmp(u, z->u, (size_t)p->n * sizeof *u) == 0) {
        return;
    }
    memcpy(z->u, u, (size_t)p->n * sizeof *u);
    z->there = true;
    if (!p->value(p->user, u, &z->f, z->c, z->slopes ? z->df : NULL, z->slopes ? z->dc : NULL)) {
        nlopt_force_stop(z->opt);
    }
}

static double objective(unsigned n, const double *u, double *grad, void *user)
{
    Last *z = user;
    look(z, u);
    if (grad != NULL) {
        memcpy(grad, z->df, n * sizeof *grad);
    }
    return z->f;
}

static void constraints(unsigned m, double *out, unsigned n, const double *u, double *grad, Last *z,
                        unsigned first)
{
    look(z, u);
    memcpy(out, z->c + first, m * sizeof *out);
    if (grad != NULL) {
        memcpy(grad, z->dc + (size_t)first * n, (size_t)m * n * sizeof *grad);
    }
}

static void below(unsigned m, double *out, unsigned n, const double *u, double *grad, void *user)
{
    constraints(m, out, n, u, grad, user, 0);
}

static void equal(unsigned m, double *out, unsigned n, const double *u, double *grad, void *user)
{
    Last *z = user;
    constraints(m, out, n, u, grad, z, (unsigned)z->p->n_below);
}

static nlopt_result set_up(Last *z, const double *tolerance)
{
    const TmlProgram *p = z->p;
    nlopt_result r = nlopt_set_min_objective(z->opt, objective, z);
    r = r > 0 ? nlopt_set_lower_bounds1(z->opt, 0.0) : r;
    r = r > 0 ? nlopt_set_upper_bounds1(z->opt, 1.0) : r;
    if (p->n_below > 0 && r > 0) {
        r = nlopt_add_inequality_mconstraint(z->opt, (unsigned)p->n_below, below, z, tolerance);
    }
    if (p->n_equal > 0 && r > 0) {
        r = nlopt_add_equality_mconstraint(z->opt, (unsigned)p->n_equal, equal, z, tolerance);
    }
    r = r > 0 ? nlopt_set_xtol_abs1(z->opt, p->accuracy) : r;
    if (z->slopes &&
        r > 0) { // those without compare values of points that violate constraints, too, and would stop there
        r = nlopt_set_ftol_abs(z->opt, 0.01 * p->accuracy);
    }
    r = r > 0 ? nlopt_set_maxeval(z->opt, p->evaluations) : r;
    return r > 0 && !z->slopes ? nlopt_set_initial_step1(z->opt, p->step) : r;
}

static const char *words_of(nlopt_result r, bool *converged)
{
    *converged = r == NLOPT_SUCCESS || r == NLOPT_STOPVAL_REACHED || r == NLOPT_FTOL_REACHED ||
                 r == NLOPT_XTOL_REACHED;
    return *converged                    ? "converged"
           : r == NLOPT_MAXEVAL_REACHED  ? "not converged: as many evaluations as are allowed"
           : r == NLOPT_ROUNDOFF_LIMITED ? "not converged: rounding and errors of runs hide what "
                                           "is better"
           : r == NLOPT_FORCED_STOP      ? "stopped; this is the best so far"
                                         : "not converged: the method found no better point";
}

TmlStatus tml_minimise(const TmlProgram *p, double *u, bool *converged, const char **why,
                       TmlError *err)
{
    const Method *m = method_of(p->method);
    const size_t n = (size_t)p->n, rows = (size_t)(p->n_below + p->n_equal);
    const size_t size = 2 * n + 2 * rows + rows * n + 2;
    double *buffer = tml_mem_zalloc(size, sizeof *buffer);
    if (m == NULL) {
        tml_mem_free(buffer);
        return tml_fail(err, TML_E_ARGUMENT, "unknown method '%s'", p->method);
    }
    Last z = {.p = p, .slopes = m->slopes};
    z.opt = nlopt_create(rows > 0 ? m->bounded : m->free, (unsigned)p->n);
    nlopt_result r = NLOPT_OUT_OF_MEMORY;
    if (z.opt != NULL && buffer != NULL) {
        double f, *tolerance = buffer + 2 * n + rows + rows * n;
        z.u = buffer;
        z.df = z.u + n;
        z.c = z.df + n;
        z.dc = z.c + rows;
        for (size_t k = 0; k < rows; ++k) {
            tolerance[k] = p->feasible;
        }
        nlopt_srand(p->seed);
        r = set_up(&z, tolerance);
        r = r > 0 ? nlopt_optimize(z.opt, u, &f) : r;
    }
    nlopt_destroy(z.opt);
    tml_mem_free(buffer);
    if (r == NLOPT_OUT_OF_MEMORY) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    *why = words_of(r, converged);
    return TML_OK;
}
