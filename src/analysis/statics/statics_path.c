/* analysis/statics/statics_path.c - paths of equilibria by arc length.
 *
 * R(x, p) = 0 with p = from + scale pi, scale = |to - from|; displacements u of x in units of the
 * system, with the inner product <u, v> = sum u_k v_k / (unit_k^2 n).
 *
 *   (A1)  K y = scale R_p,  (t, tau) = +-(-y, 1) / sqrt(<y, y> + 1)             the tangent
 *
 *   (A2)  x + h t,  pi + h tau                                                 predictor
 *
 *   (A3)  K dx + scale R_p dpi = -R,  <t, dx> + tau dpi = 0                     corrector
 *
 *   (A4)  K x_new = M x,  mu = x . M x / x_new . M x             motion of least stiffness
 *
 * The sign in (A1) is that of the inner product with the tangent before. (A3) takes two solves with
 * the same factors: K y1 = R and K y2 = scale R_p give dpi = <t, y1> / (tau - <t, y2>) and
 * dx = -y1 - y2 dpi. Wherever the determinant of K changes its sign the count of unstable motions
 * grows by one if mu < 0 behind it, else shrinks.
 *
 * A limit point is a zero of tau, a branch point a change of sign of the determinant without one.
 * Both are found by the secant rule on steps of different length from the point before.
 */
#include "analysis/statics/statics_work.h"
#include "base/block.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

enum {
    ITERATIONS_MAX = 15,   // of a correction; more mean that the step was too long
    ITERATIONS_WANTED = 4, // steps grow and shrink towards it
    LOCATE_MAX = 30,       // tries for a limit or branch point
    STALLS_MAX = 3,        // corrections that rounding no longer lets shrink
    MODE_ITERATIONS = 12   // of (A4)
};

static const double tolerance = 1e-10; /* of positions and of pi */
static const double rounding = 1e-6;   /* shorter corrections may be those of rounding */
static const double turn_limit = 0.94; /* cosine between tangents of neighbours */
static const double move_limit = 0.1;  /* no component moves by more in a step */

typedef struct Place {
    TmlState s;
    double *t;      /* n: tangent of x */
    double tau;     /* of pi */
    double length;  /* along the path */
    double mu;      /* least stiffness, 1/s^2 */
    double balance; /* of forces */
    int sign;       /* of the determinant */
    int unstable;
} Place;

typedef struct Path {
    TmlSim *sim;
    TmlSystem *sys;
    TmlStaticsWork *w;
    TmlArena arena;
    TmlPathOptions o;
    TmlPathInfo info;
    TmlRowFn row;
    void *user;
    double scale, n; /* of p; of the inner product */
    double shift;    /* 1/s^2: a little inertia keeps free motions where they are */
    TmlState trial;
    Place at[3]; /* here, next, between; others point into it */
    Place *here, *next, *between;
    double *r, *y1, *y2, *rp, *mode, *Mx; /* n each */
    uint64_t seed;                        /* of what is mixed into the mode */
    bool hold_mode; /* near a branch point, where p->mode is that of the other path */
    int iterations; /* of the last correction */
} Path;

static double inner(const Path *p, const double *a, const double *b)
{
    const TmlDims *dim = tml_dims(p->sys);
    double sum = 0.0;
    for (int k = 0; k < dim->nu; ++k) {
        sum += a[k] * b[k] / (dim->unit[k] * dim->unit[k]);
    }
    return sum / p->n;
}

static double pi_of(const Path *p, const Place *at)
{
    return (at->s.t - p->o.from) / p->scale;
}

/* Sets p->rp = scale R_p at s. */
static void by_parameter(Path *p, TmlState *s)
{
    tml_system_by_time(p->sys, s, 1e-4 * p->scale, p->rp, p->Mx);
    for (int k = 0; k < tml_dims(p->sys)->n; ++k) {
        p->rp[k] *= p->scale;
    }
}

/* Computes R and the factors of K at s, and p->rp and p->y2 of (A1). It returns false when K is
 * singular or a number is not finite. */
static bool tangent_system(Path *p, TmlState *s)
{
    const size_t n = (size_t)tml_dims(p->sys)->n;
    by_parameter(p, s);
    if (!tml_statics_residual(p->w, s, p->r) || tml_statics_factor(p->w, s, p->shift) >= 0) {
        return false;
    }
    p->info.iterations++;
    memcpy(p->y2, p->rp, n * sizeof *p->y2);
    tml_statics_solve(p->w, p->y2);
    return isfinite(tml_statics_size(p->w, p->y2));
}

/* --- one point ------------------------------------------------------------------------------ */

/* Makes one iteration (A4) on p->mode with the present factors. It returns false when it leads
 * nowhere. */
static bool iterate_mode(Path *p, const TmlState *s, double *mu)
{
    TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    double *x = p->mode, old = 0.0, new = 0.0;
    memset(p->Mx, 0, (size_t)dim->n * sizeof *p->Mx);
    tml_system_mass_mul(sys, s, x, p->Mx);
    memcpy(p->y1, p->Mx, (size_t)dim->n * sizeof *p->y1);
    tml_statics_solve(p->w, p->y1);
    for (int k = 0; k < dim->nu; ++k) {
        old += x[k] * p->Mx[k];
        new += p->y1[k] * p->Mx[k];
    }
    const double size = tml_statics_size(p->w, p->y1);
    if (!(size > 0.0) || !isfinite(size) || new == 0.0) {
        return false;
    }
    for (int k = 0; k < dim->n; ++k) {
        x[k] = k < dim->nu ? p->y1[k] / size : 0.0;
    }
    *mu = old / new; // of the matrix that the determinant belongs to
    return true;
}

/* Iterates by (A4) from the mode of the point before, with a little of everything: another mode may
 * have become the weakest one. */
static double least_stiffness(Path *p, const TmlState *s)
{
    const TmlDims *dim = tml_dims(p->sys);
    double mu = 0.0;
    for (int k = 0; k < dim->nu; ++k) {
        p->seed = p->seed * 6364136223846793005u + 1442695040888963407u;
        p->mode[k] += 0.1 * (double)(int64_t)p->seed * 0x1.0p-63 * dim->unit[k];
    }
    for (int it = 0; it < MODE_ITERATIONS; ++it) {
        const double before = mu;
        if (!iterate_mode(p, s, &mu) || fabs(mu - before) <= 1e-6 * fabs(mu)) {
            break;
        }
    }
    return mu;
}

/* Sets (A1) at a converged place, turned as (t, tau) is, with sign and stiffness. */
static bool finish_place(Path *p, Place *at, const double *t, double tau)
{
    tml_flex_forget(p->sys);
    if (!tangent_system(p, &at->s)) {
        return false;
    }
    at->balance = tml_statics_balance(p->w);
    const double size = sqrt(inner(p, p->y2, p->y2) + 1.0);
    const double turn = tau - inner(p, p->y2, t) >= 0.0 ? 1.0 : -1.0;
    at->tau = turn / size;
    for (int k = 0; k < tml_dims(p->sys)->n; ++k) {
        at->t[k] = -turn * p->y2[k] / size;
    }
    at->sign = tml_statics_sign(p->w);
    at->mu = least_stiffness(p, &at->s);
    return true;
}

/* Takes the weakest motion out of a correction: at a branch point it leads to the other path. */
static void leave_mode_out(Path *p, const TmlState *s, double *dx)
{
    const TmlDims *dim = tml_dims(p->sys);
    double along = 0.0, size = 0.0;
    memset(p->Mx, 0, (size_t)dim->n * sizeof *p->Mx);
    tml_system_mass_mul(p->sys, s, p->mode, p->Mx);
    for (int k = 0; k < dim->nu; ++k) {
        along += dx[k] * p->Mx[k];
        size += p->mode[k] * p->Mx[k];
    }
    for (int k = 0; k < dim->nu && size > 0.0; ++k) {
        dx[k] -= along / size * p->mode[k];
    }
}

typedef struct Course {
    double before; /* length of the last correction */
    int stalls;    /* corrections since it halved */
    double sum;    /* of all of them, in the norm of the path */
} Course;

/* Makes one correction (A3), or one at a fixed parameter (t NULL). It returns 1 when converged, 0
 * to go on, -1 when lost. */
static int correct_once(Path *p, const double *t, double tau, Place *to, Course *c)
{
    TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    double dpi = 0.0;
    if (!tangent_system(p, &to->s)) {
        return -1;
    }
    memcpy(p->y1, p->r, (size_t)dim->n * sizeof *p->y1);
    tml_statics_solve(p->w, p->y1);
    if (t != NULL) {
        dpi = inner(p, t, p->y1) / (tau - inner(p, t, p->y2));
    }
    for (int k = 0; k < dim->n; ++k) {
        p->y1[k] += p->y2[k] * dpi;
    }
    if (p->hold_mode) {
        leave_mode_out(p, &to->s, p->y1);
    }
    const double size = fmax(tml_statics_size(p->w, p->y1), fabs(dpi));
    c->sum += sqrt(inner(p, p->y1, p->y1) + dpi * dpi);
    if (!(size <= move_limit)) {
        return -1;
    }
    tml_flex_note(sys);
    tml_statics_move(p->w, &to->s, p->y1, &p->trial);
    tml_state_copy(sys, &p->trial, &to->s);
    to->s.t += p->scale * dpi;
    tml_system_kinematics(sys, &to->s, false);
    tml_flex_take_noted(sys);
    c->stalls = size < 0.5 * c->before || size > rounding ? 0 : c->stalls + 1;
    c->before = fmin(c->before, size);
    return size <= tolerance || c->stalls >= STALLS_MAX ? 1 : 0;
}

/* Sets `to` to the equilibrium at h along the tangent of `from`, or (fixed) at its parameter.
 * Corrections that sum up to more than half of the step have met another path. */
static bool correct(Path *p, const Place *from, double h, bool fixed, Place *to)
{
    Course c = {.before = HUGE_VAL};
    for (int k = 0; k < tml_dims(p->sys)->n; ++k) {
        p->y1[k] = -h * from->t[k];
    }
    tml_flex_forget(p->sys);
    tml_system_kinematics(p->sys, &from->s, false);
    tml_flex_note(p->sys);
    tml_statics_move(p->w, &from->s, p->y1, &to->s);
    to->s.t = from->s.t + h * from->tau * p->scale;
    tml_system_kinematics(p->sys, &to->s, false);
    tml_flex_take_noted(p->sys);
    to->length = from->length + h;
    to->unstable = from->unstable;
    for (p->iterations = 1; p->iterations <= ITERATIONS_MAX; ++p->iterations) {
        const int state = correct_once(p, fixed ? NULL : from->t, from->tau, to, &c);
        if (state != 0 || c.sum > 0.5 * fabs(h)) {
            return state > 0 && c.sum <= 0.5 * fabs(h) && finish_place(p, to, from->t, from->tau);
        }
    }
    return false;
}

/* --- rows ----------------------------------------------------------------------------------- */

static TmlStatus emit(Path *p, const Place *at, TmlPathKind kind, TmlError *err)
{
    TmlSim *sim = p->sim;
    TML_TRY(tml_statics_settle(p->w, &at->s, err));
    const TmlPathPoint point = {.length = at->length,
                                .parameter = at->s.t,
                                .slope = at->tau,
                                .stiffness = at->mu,
                                .residual = at->balance,
                                .unstable = at->unstable,
                                .kind = (int32_t)kind,
                                .iterations = p->iterations};
    tml_sim_path_point(sim, &point);
    p->info.points++;
    p->info.limits += kind == TML_PATH_LIMIT;
    p->info.branches += kind == TML_PATH_BRANCH;
    p->info.length = at->length;
    return p->row != NULL ? p->row(p->user, sim, err) : TML_OK;
}

/* --- limit and branch points ---------------------------------------------------------------- */

/* Returns a number that is zero at the point that is looked for; its sign tells the two sides. */
static double distance(const Place *at, TmlPathKind kind)
{
    return kind == TML_PATH_LIMIT ? at->tau : at->sign * fabs(at->mu);
}

/* Returns the length of the step from here to the point of that kind before next, by regula falsi
 * (Illinois), or 0 when none was found. */
static double locate(Path *p, TmlPathKind kind)
{
    double a = 0.0, b = p->next->length - p->here->length, best = 0.0, least = HUGE_VAL;
    double fa = distance(p->here, kind), fb = distance(p->next, kind);
    const double close = kind == TML_PATH_LIMIT ? 1e-7 : 1e-5;
    const double size = fmax(fabs(fa), fabs(fb)), small = close * size, whole = b;
    int side = 0; // of the last try
    for (int k = 0; k < LOCATE_MAX && b - a > 1e-9 * whole && least > small; ++k) {
        const double margin = 1e-3 * (b - a);
        double h = fmin(fmax(a + (b - a) * fa / (fa - fb), a + margin), b - margin);
        if (!correct(p, p->here, h, false, p->between)) {
            h += h + margin < b ? margin : -margin; // just there K has no pivot
            if (!correct(p, p->here, h, false, p->between)) {
                break;
            }
        }
        const double f = distance(p->between, kind);
        best = fabs(f) < least ? h : best;
        least = fmin(least, fabs(f));
        p->hold_mode = kind == TML_PATH_BRANCH && fabs(f) < 0.1 * size;
        if (f * fa > 0.0) {
            a = h;
            fa = f;
            fb *= side > 0 ? 0.5 : 1.0;
            side = 1;
        } else {
            b = h;
            fb = f;
            fa *= side < 0 ? 0.5 : 1.0;
            side = -1;
        }
    }
    return best;
}

/* Sets p->between to the place that locate found. At a branch point (A3) is singular, and rounding
 * leads away along the other path: near it the motion that does is left out. */
static bool go_between(Path *p, TmlPathKind kind)
{
    const double h = locate(p, kind);
    if (h == 0.0) {
        return false;
    }
    p->hold_mode = kind == TML_PATH_BRANCH;
    const bool found = correct(p, p->here, h, false, p->between);
    p->hold_mode = false;
    return found || correct(p, p->here, h, false, p->between);
}

/* What lies between here and next; both kinds in one step are told apart by shorter steps. */
typedef struct Crossing {
    bool limit, branch;
} Crossing;

static Crossing crossing(const Path *p)
{
    const bool limit = p->here->tau * p->next->tau < 0.0;
    const bool passed = p->here->sign != p->next->sign;
    return (Crossing){.limit = limit, .branch = limit != passed};
}

/* Tells whether the motion that is free at the point between is unstable at next. */
static bool becomes_unstable(Path *p)
{
    double mu = p->next->mu;
    tml_flex_forget(p->sys);
    if (tangent_system(p, &p->next->s)) {
        (void)iterate_mode(p, &p->next->s, &mu);
    }
    return mu < 0.0;
}

static TmlStatus emit_crossing(Path *p, TmlError *err)
{
    const Crossing c = crossing(p);
    const TmlPathKind kind = c.limit ? TML_PATH_LIMIT : TML_PATH_BRANCH;
    const int before = p->here->unstable, iterations = p->iterations;
    if (!c.limit && !c.branch) {
        return TML_OK;
    }
    const bool found = go_between(p, kind);
    if (p->here->sign != p->next->sign) {
        const bool worse = found ? becomes_unstable(p) : p->next->mu < 0.0;
        p->next->unstable = worse ? before + 1 : before > 0 ? before - 1 : 0;
    }
    p->between->unstable = before;
    TML_TRY(found ? emit(p, p->between, kind, err) : TML_OK);
    p->iterations = iterations;
    return TML_OK;
}

/* --- along the path ------------------------------------------------------------------------- */

/* Makes a step of at most *h; *h becomes the length of the next one. */
static TmlStatus advance(Path *p, double *h, TmlError *err)
{
    const double least = 1e-7 * p->o.step;
    for (; *h >= least; *h *= 0.5) {
        const double size = tml_statics_size(p->w, p->here->t);
        *h = size * *h > move_limit ? move_limit / size : *h;
        if (!correct(p, p->here, *h, false, p->next)) {
            continue;
        }
        const double turned = inner(p, p->here->t, p->next->t) + p->here->tau * p->next->tau;
        const Crossing c = crossing(p);
        const bool both = c.limit && c.branch && *h > 1e-3 * p->o.step;
        if (turned >= turn_limit && !both) {
            const double factor = sqrt((double)ITERATIONS_WANTED / p->iterations);
            *h = fmin(p->o.step, *h * fmin(2.0, fmax(0.5, factor)));
            return TML_OK;
        }
    }
    const char *name = p->sim->model->followed;
    return tml_fail(
        err, TML_E_STEP,
        "the path ends at %s = %.9g after %d points: no equilibrium was found next to the last one",
        name != NULL ? name : "time", p->here->s.t, (int)p->info.points);
}

/* Finds the place where the parameter is `to`, beside next. */
static TmlStatus arrive(Path *p, TmlError *err)
{
    const double h = (p->o.to - p->next->s.t) / (p->scale * p->next->tau);
    const bool found = correct(p, p->next, h, true, p->between);
    const Place *last = found ? p->between : p->next;
    p->info.reached = true;
    return emit(p, last, TML_PATH_POINT, err);
}

static TmlStatus follow(Path *p, TmlError *err)
{
    const double way = p->o.to > p->o.from ? 1.0 : -1.0;
    double h = 0.1 * p->o.step;
    TML_TRY(emit(p, p->here, TML_PATH_POINT, err));
    while (p->info.points < p->o.max_points) {
        TML_TRY(advance(p, &h, err));
        TML_TRY(emit_crossing(p, err));
        if (way * pi_of(p, p->next) >= 1.0) {
            return arrive(p, err);
        }
        TML_TRY(emit(p, p->next, TML_PATH_POINT, err));
        if (way * pi_of(p, p->next) <= -1.0) {
            break;
        }
        Place *next = p->here;
        p->here = p->next;
        p->next = next;
    }
    return TML_OK;
}

/* --- the start ------------------------------------------------------------------------------ */

/* Returns a ten-billionth of what the whole load accelerates. */
static double small_inertia(Path *p)
{
    TmlState *s = &p->next->s;
    TmlError ignored;
    tml_state_copy(p->sys, &p->here->s, s);
    s->t = p->o.to;
    if (tml_system_accelerations(p->sys, s, &ignored) != TML_OK) {
        return 0.0;
    }
    tml_system_reduce(p->sys, s->q, s->a, p->y1);
    const double size = tml_statics_size(p->w, p->y1);
    return isfinite(size) ? 1e-10 * size : 0.0;
}

/* Tells whether the parameter enters the residual here, or a little farther. */
static bool parameter_acts(Path *p, TmlState *s)
{
    double most = 0.0;
    const double t = s->t;
    for (int k = 0; k < 2; ++k) {
        s->t = t + 0.01 * k * p->scale;
        by_parameter(p, s);
        for (int i = 0; i < tml_dims(p->sys)->n; ++i) {
            most = fmax(most, fabs(p->rp[i]));
        }
    }
    s->t = t;
    return most > 0.0;
}

static TmlStatus make_place(Path *p, Place *at, TmlError *err)
{
    TML_TRY(tml_state_create_in(p->sys, &p->arena, &at->s, err));
    TML_NEW(&p->arena, at->t, tml_dims(p->sys)->n);
    return TML_OK;
}

static TmlStatus path_setup(Path *p, TmlError *err)
{
    TmlSystem *sys = p->sys;
    double **const vectors[] = {&p->r, &p->y1, &p->y2, &p->rp, &p->mode, &p->Mx};
    TML_TRY(tml_state_create_in(sys, &p->arena, &p->trial, err));
    for (int k = 0; k < 3; ++k) {
        TML_TRY(make_place(p, &p->at[k], err));
    }
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; ++k) {
        TML_NEW(&p->arena, *vectors[k], tml_dims(sys)->n);
    }
    p->here = &p->at[0];
    p->next = &p->at[1];
    p->between = &p->at[2];
    p->seed = 5;
    return TML_OK;
}

/* Scales the inner product so that what moves most at the start counts once. */
static void choose_norm(Path *p)
{
    p->n = 1.0;
    const double size = tml_statics_size(p->w, p->y2);
    p->n = size > 0.0 ? inner(p, p->y2, p->y2) / (size * size) : tml_dims(p->sys)->nu;
}

static TmlStatus path_start(Path *p, TmlError *err)
{
    const TmlDims *dim = tml_dims(p->sys);
    Place *here = p->here;
    const char *name = p->sim->model->followed;
    tml_state_copy(p->sys, &p->sim->it.now, &here->s);
    memset(here->s.a, 0, (size_t)dim->nq * sizeof *here->s.a);
    if (!parameter_acts(p, &here->s)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "%s acts on nothing: no force, load or motion depends on it",
                        name != NULL ? name : "time");
    }
    p->shift = small_inertia(p);
    tml_flex_forget(p->sys);
    if (!tangent_system(p, &here->s)) {
        return tml_fail(err, TML_E_SINGULAR,
                        "the equilibrium at %s = %g is singular: a path cannot start there",
                        name != NULL ? name : "time", p->o.from);
    }
    choose_norm(p);
    memset(here->t, 0, (size_t)dim->n * sizeof *here->t);
    if (!finish_place(p, here, here->t, p->o.to > p->o.from ? 1.0 : -1.0)) {
        return tml_fail(err, TML_E_SINGULAR, "no path starts at %g", p->o.from);
    }
    if (fabs(here->tau) < 1e-7) {
        return tml_fail(err, TML_E_SINGULAR,
                        "nothing resists the load of %s at %g: no path starts there; hold the "
                        "loaded body with a joint or a spring",
                        name != NULL ? name : "time", p->o.from);
    }
    here->unstable = tml_statics_negative(p->w);
    return follow(p, err);
}

/* --- the call ------------------------------------------------------------------------------- */

TmlPathOptions tml_path_options_default(void)
{
    return (TmlPathOptions){.size = sizeof(TmlPathOptions),
                            .max_points = 1000,
                            .from = 0.0,
                            .to = (double)NAN,
                            .step = 0.05};
}

static TmlStatus check_options(const TmlPathOptions *o, TmlError *err)
{
    if (o->size != sizeof *o) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "options of another version: start from tml_path_options_default");
    }
    if (!isfinite(o->from) || !isfinite(o->to) || o->from == o->to) {
        return tml_fail(err, TML_E_ARGUMENT, "a path from %g to %g: give two different numbers",
                        o->from, o->to);
    }
    if (!(o->step > 0.0) || !isfinite(o->step) || o->max_points < 2) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "a path of %d points in steps of %g: give 2 or more, and a step above 0",
                        (int)o->max_points, o->step);
    }
    return TML_OK;
}

TmlStatus tml_sim_path(TmlSim *sim, const TmlPathOptions *options, TmlRowFn row, void *user,
                       TmlPathInfo *out, TmlError *err)
{
    *out = (TmlPathInfo){0};
    TML_TRY(check_options(options, err));
    Path p = {.sim = sim, .sys = sim->sys, .o = *options, .row = row, .user = user};
    const TmlSystemStats before = tml_system_stats(sim->sys);
    p.scale = fabs(p.o.to - p.o.from);
    sim->it.now.t = p.o.from;
    const uint64_t former = tml_blocks_enter(sim->owner);
    TmlStatus status = tml_statics_open(sim, p.o.statics, &p.w, err);
    status = status == TML_OK ? path_setup(&p, err) : status;
    tml_sim_path_end(sim);
    if (status == TML_OK) {
        tml_sim_path_begin(sim, (TmlPathAsked){p.o.from, p.o.to, p.o.step});
        status = path_start(&p, err);
    }
    *out = p.info;
    tml_statics_close(p.w);
    tml_arena_free(&p.arena);
    tml_blocks_enter(former);
    tml_system_set_stats(sim->sys, before); // runs alone are counted
    return status;
}
