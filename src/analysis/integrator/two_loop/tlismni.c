/* analysis/integrator/two_loop/tlismni.c - two-loop implicit sparse matrix numerical integration [000].
 *
 * The loops are those of two_loop.h, the formulas those of low_order.h; here is what ties them to a
 * step:
 *
 *   (T9)  local error: C h^2 (a - a_n) on independent coordinates, spread by the tangent of the
 *         constraints, without modes stiffer than the step where the preconditioner is in use
 *   (T10) iteration=auto: simple at first; corrections -P^-1 F when it contracts by less than a
 *         half; Krylov vectors when these do not contract with new factors either; simple again
 *         when P^-1 has made no difference for ten steps                                     own
 *   (T11) next step by the error; not more than the formula bears, nor than the simple iteration,
 *         whose rate goes with h^2
 */
#include "analysis/integrator/two_loop/two_loop.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum { CALM_STEPS = 10 };

static const double bias = 6.0;         // of the driver's step law
static const double raw_share = 0.1;    // of the error across the constraints, see implicit.c
static const double simple_rate = 0.25; // that the next step should have

typedef enum Iteration { AUTO, SIMPLE, ARNOLDI, IOM } Iteration;
typedef enum Coordinates { PARTITIONED, RECURSIVE } Coordinates;
typedef enum Precondition { PRE_AUTO, PRE_YES, PRE_NO } Precondition;

typedef struct Options {
    double alpha, newton;
    int iteration, depth, krylov, preconditioner, coordinates, max_iterations;
    bool filter;
} Options;

typedef struct Work {
    TmlTwoLoop loop;
    bool choose; /* independent coordinates must be chosen before the next step */
    bool stiff;  /* with auto: preconditioned from the first pass on */
} Work;

/* The passes that the options allow, in the order in which they are tried. */
static int plan(const TmlIntegrator *it, TmlPass *pass)
{
    const Options *o = it->opts;
    const Work *w = it->work;
    const bool krylov = o->iteration == ARNOLDI || o->iteration == IOM;
    int n = 0;
    if (o->iteration != AUTO) {
        const bool p = o->preconditioner == PRE_YES || (krylov && o->preconditioner == PRE_AUTO);
        pass[n++] = (TmlPass){.precondition = p, .krylov = krylov};
        if (p) {
            pass[n++] = (TmlPass){.precondition = true, .fresh = true, .krylov = krylov};
        }
        return n;
    }
    if (o->preconditioner == PRE_NO) {
        pass[n++] = (TmlPass){.krylov = false};
        pass[n++] = (TmlPass){.krylov = true};
        return n;
    }
    pass[n++] = (TmlPass){.precondition = w->stiff || o->preconditioner == PRE_YES};
    pass[n++] = (TmlPass){.precondition = true, .fresh = true};
    pass[n++] = (TmlPass){.precondition = true, .krylov = true};
    return n;
}

/* (T9) */
static double local_error(TmlIntegrator *it, TmlTwoLoop *l, int *at)
{
    const Options *o = it->opts;
    const TmlSystem *sys = it->sys;
    int at_raw = -1, at_x = -1;
    tml_two_loop_error(it, l);
    const double raw = raw_share * tml_norm_u(sys, &it->norm, l->raw, &at_raw);
    if (o->filter && l->preconditioned) {
        tml_two_loop_filter(it, l);
    }
    const double u = tml_norm_u(sys, &it->norm, l->du, at);
    *at = raw > u ? at_raw : *at;
    const double x = tml_norm_x(sys, &it->norm, l->dX, &at_x);
    *at = x > fmax(u, raw) ? at_x : *at;
    return fmax(x, fmax(u, raw));
}

/* (T11) */
static double proposal(const TmlIntegrator *it, const TmlTwoLoop *l, double error)
{
    const Options *o = it->opts;
    double factor = pow(bias * fmax(error, 1e-10), -1.0 / 3.0);
    factor = fmin(tml_low_order_growth(&l->formula), fmax(0.2, factor));
    if (o->iteration == SIMPLE && !l->preconditioned && l->rate > 0.0) {
        factor = fmin(factor, fmax(0.5, sqrt(simple_rate / l->rate)));
    }
    return factor * l->formula.h;
}

static TmlStatus tlismni_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    Work *w = it->work;
    TmlTwoLoop *l = &w->loop;
    const Options *o = it->opts;
    TmlPass pass[3];
    *out = (TmlAttempt){.order = 2, .worst = -1};
    if (w->choose) {
        const TmlStatus status = tml_two_loop_choose(it, l, err);
        out->cause = TML_CAUSE_SINGULAR;
        if (status != TML_OK) {
            return status == TML_E_SINGULAR ? TML_OK : status;
        }
        w->choose = false;
    }
    tml_two_loop_begin(it, l, h);
    const int n = plan(it, pass);
    pass[n - 1].last = true;
    for (int k = 0; k < n && !out->converged; ++k) {
        tml_two_loop_pass(it, l, &pass[k], out);
    }
    out->converged =
        out->converged ? tml_two_loop_settle(it, l, out) : tml_two_loop_least(it, l, out);
    if (!out->converged) {
        return TML_OK;
    }
    if (o->iteration == AUTO && o->preconditioner == PRE_AUTO) {
        w->stiff = l->preconditioned ? l->calm < CALM_STEPS : l->rate > 0.3; // (T10)
    }
    out->cause = TML_CAUSE_NONE;
    out->error = local_error(it, l, &out->worst);
    out->proposal = out->error <= 1.0 ? proposal(it, l, out->error) : 0.0;
    return TML_OK;
}

static void tlismni_restart(TmlIntegrator *it)
{
    Work *w = it->work;
    tml_two_loop_restart(it, &w->loop);
    w->choose = true;
}

static TmlStatus tlismni_accept(TmlIntegrator *it, double h, TmlError *err)
{
    Work *w = it->work;
    (void)h;
    (void)err;
    const TmlCoordinates *c = &w->loop.coordinates;
    tml_two_loop_accept(it, &w->loop);
    w->choose = w->choose || c->type->worn(c);
    return TML_OK;
}

static void tlismni_reject(TmlIntegrator *it)
{
    Work *w = it->work;
    tml_low_order_reject(&w->loop.formula);
}

static void tlismni_teardown(TmlIntegrator *it)
{
    Work *w = it->work;
    if (w != NULL) {
        tml_two_loop_free(&w->loop);
    }
}

static TmlStatus setup(TmlIntegrator *it, TmlFormula formula, TmlError *err)
{
    const Options *o = it->opts;
    Work *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    w->loop.newton = o->newton;
    w->loop.max_iterations = o->max_iterations;
    w->loop.formula.formula = formula;
    w->loop.formula.alpha = o->alpha;
    const TmlCoordinatesType *type =
        o->coordinates == RECURSIVE ? &tml_coordinates_recursive : &tml_coordinates_partitioned;
    return tml_two_loop_setup(it, &w->loop, type, o->krylov, o->iteration == IOM ? o->depth : 0,
                              err);
}

static TmlStatus setup_park(TmlIntegrator *it, TmlError *err)
{
    return setup(it, TML_FORMULA_PARK, err);
}

static TmlStatus setup_bdf2(TmlIntegrator *it, TmlError *err)
{
    return setup(it, TML_FORMULA_BDF2, err);
}

static TmlStatus setup_trapezoidal(TmlIntegrator *it, TmlError *err)
{
    return setup(it, TML_FORMULA_TRAPEZOIDAL, err);
}

static TmlStatus setup_hht(TmlIntegrator *it, TmlError *err)
{
    return setup(it, TML_FORMULA_HHT, err);
}

static TmlStatus tlismni_check(const void *opts, TmlError *err)
{
    const Options *o = opts;
    if (!(o->alpha >= -1.0 / 3.0 && o->alpha <= 0.0)) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'alpha' is %g; it must be from -1/3 to 0",
                        o->alpha);
    }
    TML_TRY(tml_option_at_least("iterations", o->max_iterations, 2, err));
    return TML_OK;
}

#define SHARED_PARAMS                                                                              \
    TML_PARAM_ROW(                                                                                 \
        "iteration", TML_PARAM_CHOICE, TML_ANY, "", offsetof(Options, iteration), "auto",          \
        "outer loop: simple, Newton with Arnoldi's method or its incomplete form, or by the "      \
        "measured rate",                                                                           \
        "auto|simple|arnoldi|iom"),                                                                \
        TML_PARAM_ROW(                                                                             \
            "preconditioner", TML_PARAM_CHOICE, TML_ANY, "", offsetof(Options, preconditioner),    \
            "auto",                                                                                \
            "correct through the factors of an earlier step matrix; auto: where it saves time",    \
            "auto|true|false"),                                                                    \
        TML_PARAM_ROW("krylov", TML_PARAM_INT, TML_POSITIVE, "", offsetof(Options, krylov), "20",  \
                      "largest dimension of the Krylov subspace", NULL),                           \
        TML_PARAM_ROW("depth", TML_PARAM_INT, TML_POSITIVE, "", offsetof(Options, depth), "5",     \
                      "vectors that iom makes a new one orthogonal to", NULL),                     \
        TML_PARAM_ROW("newton", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(Options, newton),       \
                      "1e-4", "share of the tolerance that the outer loop may leave", NULL),       \
        TML_PARAM_ROW("iterations", TML_PARAM_INT, TML_POSITIVE, "",                               \
                      offsetof(Options, max_iterations), "10", "corrections before a step is cut", \
                      NULL),                                                                       \
        TML_PARAM_ROW(                                                                             \
            "filter", TML_PARAM_BOOL, TML_ANY, "", offsetof(Options, filter), "true",              \
            "judge the error without modes stiffer than the step, where the preconditioner is in " \
            "use",                                                                                 \
            NULL),                                                                                 \
        TML_PARAM_ROW("coordinates", TML_PARAM_CHOICE, TML_ANY, "",                                \
                      offsetof(Options, coordinates), "partitioned",                               \
                      "integrate coordinates of the bodies, of which some are independent, or "    \
                      "those of the joints of a tree",                                             \
                      "partitioned|recursive")

static const TmlParam params[] = {SHARED_PARAMS, {0}};

static const TmlParam hht_params[] = {
    {"alpha", TML_PARAM_REAL, TML_ANY, "", offsetof(Options, alpha), "-0.2",
     "numerical damping, from -1/3 (most) to 0 (none)", NULL},
    SHARED_PARAMS,
    {0},
};

#define TLISMNI(id, standard, words, table)                                                        \
    TML_INTEGRATOR_TYPE(tlismni_##id) = {                                                          \
        .info = {.name = "tlismni-" #id,                                                           \
                 .text = words,                                                                    \
                 .data_size = sizeof(Options),                                                     \
                 .params = table},                                                                 \
        .tolerance = standard,                                                                     \
        .matrices = 2.6,                                                                           \
        .order = 2,                                                                                \
        .check = tlismni_check,                                                                    \
        .setup = setup_##id,                                                                       \
        .restart = tlismni_restart,                                                                \
        .attempt = tlismni_attempt,                                                                \
        .accept = tlismni_accept,                                                                  \
        .reject = tlismni_reject,                                                                  \
        .teardown = tlismni_teardown,                                                              \
    }

// Standard tolerances: those at which the revolute-spherical case, the hardest of the single-joint
// ones for these methods, meets its limits.
TLISMNI(park, 2e-10, "TLISMNI with Park's formula: implicit, order 2, constraints held exactly.",
        params);
TLISMNI(bdf2, 2e-10, "TLISMNI with BDF of order 2: implicit, constraints held exactly.", params);
TLISMNI(trapezoidal, 5e-10,
        "TLISMNI with the trapezoidal rule: order 2, no damping, constraints exact.", params);
TLISMNI(hht, 2e-10, "TLISMNI with HHT: order 2, numerical damping, constraints held exactly.",
        hht_params);
