/* analysis/linear/linearize.c - eigenvalues and modes of a model about a state: the state itself, and what
 * is read of the result. Small systems are solved by linear_dense.c, large ones by linear_sparse.c.
 */
#include "analysis/linear/linear_work.h"

#include "analysis/statics/balance.h"
#include "base/fail.h"
#include "math/array.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    DENSE_ORDER = 600,  /* up to here LAPACK takes about a second */
    STANDARD_MODES = 20 /* of a large system */
};

/* Sets the largest speed and acceleration relative to the frame, at the last kinematics. */
static TmlStatus relative_motion(LinearWork *w, TmlError *err)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlLinearInfo *info = &w->lin->info;
    double *v, *a;
    TML_NEW(&w->arena, v, dim->nu);
    TML_NEW(&w->arena, a, dim->nu);
    tml_spin_motion(sys, &info->spin, w->s.q, false, v);
    tml_spin_motion(sys, &info->spin, w->s.q, true, a);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlFrameKin *k = tml_body_motion(sys, b);
        const double kv[6] = {k->v.x, k->v.y, k->v.z, k->omega.x, k->omega.y, k->omega.z};
        const double ka[6] = {k->a.x, k->a.y, k->a.z, k->alpha.x, k->alpha.y, k->alpha.z};
        // rates of gradients count like rates of rotation
        const bool gradient = dim->span[b].owner != b && dim->span[b].lengths == 0;
        const double unit = gradient ? dim->length : 1.0;
        for (int part = 0; part < 2; ++part) {
            const TmlTriple t = tml_triple(sys, b, part == 1);
            double speed = 0.0, acceleration = 0.0;
            for (int i = 0; i < t.n; ++i) {
                speed = hypot(speed, kv[3 * part + i] - v[t.first + i]);
                acceleration = hypot(acceleration, ka[3 * part + i] - a[t.first + i]);
            }
            info->speed = fmax(info->speed, (part == 0 ? unit : dim->length) * speed);
            info->acceleration =
                fmax(info->acceleration, (part == 0 ? unit : dim->length) * acceleration);
        }
    }
    return TML_OK;
}

/* Returns the forces that rounding of positions makes at the stiffest coordinate, in N. */
static double rounding_force(const LinearWork *w)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    double most = 0.0;
    for (int j = 0; j < dim->nu; ++j) {
        const int at = tml_csc_find(&w->p.q, j, j);
        const double k = at >= 0 ? fabs(w->p.q.x[at]) : 0.0;
        most = fmax(most, k * dim->unit[j] * dim->unit[j] / dim->length);
    }
    return 64.0 * DBL_EPSILON * most; // some terms each
}

/* Computes the inertia forces relative to the frame, beyond rounding, over the largest force in
 * play: loads, springs, joints, and the inertia of the whole motion. */
static TmlStatus imbalance(LinearWork *w, TmlError *err)
{
    TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlLinearInfo *info = &w->lin->info;
    double *a, *f, *r;
    TML_NEW(&w->arena, a, dim->nu);
    TML_NEW(&w->arena, f, dim->nu);
    TML_NEW(&w->arena, r, dim->n);
    tml_system_residual(sys, &w->s, TML_LEVEL_POSITION, r);
    double largest = tml_system_largest_force(sys);
    for (int b = 1; b < dim->nb; ++b) {
        const TmlFrameKin *k = tml_body_motion(sys, b);
        const double whole[6] = {k->a.x, k->a.y, k->a.z, k->alpha.x, k->alpha.y, k->alpha.z};
        memcpy(a + dim->span[b].u0, whole, (size_t)dim->span[b].nu * sizeof *a);
    }
    tml_pencil_mass(&w->p, a, f);
    largest = fmax(largest, tml_balance_size(sys, f));
    tml_spin_motion(sys, &info->spin, w->s.q, true, r);
    for (int k = 0; k < dim->nu; ++k) {
        a[k] -= r[k];
    }
    tml_pencil_mass(&w->p, a, f);
    const double open = tml_balance_size(sys, f) - rounding_force(w);
    info->imbalance = open > 0.0 && largest > 0.0 ? open / largest : 0.0;
    return TML_OK;
}

/* Moves the state of the sim onto the constraints and solves for its accelerations. */
static TmlStatus base_state(LinearWork *w, TmlError *err)
{
    TmlSystem *sys = w->sys;
    TML_TRY(tml_state_create_in(sys, &w->arena, &w->s, err));
    tml_state_copy(sys, &w->sim->it.now, &w->s);
    w->s.alone = true; // laws as they are
    tml_system_retract(sys, w->s.q);
    tml_system_retract_velocity(sys, w->s.q, w->s.v);
    if (!tml_system_project(sys, &w->s)) {
        return tml_fail(err, TML_E_SINGULAR,
                        "cannot linearise: the mechanism is at a singular position");
    }
    TML_TRY(tml_system_accelerations(sys, &w->s, err));
    tml_system_kinematics(sys, &w->s, false);
    w->lin->info.time = w->s.t;
    TML_TRY(tml_state_create_in(sys, &w->lin->arena, &w->lin->base, err));
    tml_state_copy(sys, &w->s, &w->lin->base);
    return relative_motion(w, err);
}

/* Finds how the linear equations answer when the whole model is turned about the axis of the frame:
 * not at all if nothing is fixed in space. */
static TmlStatus steadiness(LinearWork *w, TmlError *err)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlSpin *spin = &w->lin->info.spin;
    const double rate = v3_norm(spin->rate);
    double *e, *r;
    if (!tml_spins(spin)) {
        return TML_OK;
    }
    TML_NEW(&w->arena, e, dim->nu);
    TML_NEW(&w->arena, r, dim->n);
    tml_spin_motion(sys, spin, w->s.q, false, e);
    tml_pencil_apply(&w->p, e, NULL, NULL, r);
    tml_lu_solve(w->p.inertia_lu, r);
    for (int k = 0; k < dim->nu; ++k) {
        const double off = fabs(r[k]) / (dim->unit[k] * rate * rate * rate);
        w->lin->info.unsteady = fmax(w->lin->info.unsteady, off);
    }
    return TML_OK;
}

static TmlStatus linear_fill(LinearWork *w, const TmlLinearOptions *o, TmlError *err)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlLinearInfo *info = &w->lin->info;
    info->spin = tml_spin_choose(tml_system_model(sys), &o->spin, o->fixed);
    TML_TRY(base_state(w, err));
    TML_TRY(tml_pencil_create(w->sys, &w->s, &info->spin, &w->arena, &w->p, err));
    TML_TRY(imbalance(w, err));
    TML_TRY(steadiness(w, err));
    info->degrees_of_freedom = dim->nu - dim->m;
    info->order = w->order = 2 * (dim->nu - dim->m) + w->p.n_pfaffian + dim->nx;
    info->shift = o->shift;
    info->length = dim->length;
    const bool large = w->order > DENSE_ORDER;
    w->wanted = o->modes > 0 ? o->modes : large ? STANDARD_MODES : 0;
    info->sparse = (large || o->sparse) && w->wanted > 0 && 2 * w->wanted + 4 < w->order;
    w->partition = o->partition;
    if (o->partition && info->sparse) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "%d states: independent coordinates are for small systems only", w->order);
    }
    if (w->order == 0) {
        return TML_OK;
    }
    return info->sparse ? tml_linear_sparse(w, err) : tml_linear_dense(w, err);
}

TmlLinearOptions tml_linear_options_default(void)
{
    return (TmlLinearOptions){.size = sizeof(TmlLinearOptions)};
}

TmlStatus tml_sim_linearize(TmlSim *sim, const TmlLinearOptions *options, TmlLinear **out,
                            TmlError *err)
{
    const TmlLinearOptions o = options != NULL ? *options : tml_linear_options_default();
    *out = NULL;
    if (o.size != sizeof o || o.modes < 0 || !isfinite(o.shift) || !v3_finite(o.spin.rate) ||
        !v3_finite(o.spin.at)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "%d modes nearest %g: the number must not be negative, the shift and the "
                        "frame finite; start from tml_linear_options_default",
                        (int)o.modes, o.shift);
    }
    TML_TRY(tml_sim_delays_none(sim, err));
    TmlLinear *lin = tml_mem_zalloc(1, sizeof *lin);
    if (lin == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    lin->sim = sim;
    LinearWork w = {.sim = sim, .sys = sim->sys, .lin = lin};
    const TmlSystemStats before = tml_system_stats(sim->sys);
    const TmlStatus status = linear_fill(&w, &o, err);
    tml_system_set_stats(sim->sys, before); // the run alone is counted
    tml_lu_free(w.lu);
    tml_pencil_free(&w.p);
    tml_arena_free(&w.arena);
    if (status != TML_OK) {
        tml_linear_free(lin);
        return status;
    }
    *out = lin;
    return TML_OK;
}

void tml_linear_free(TmlLinear *lin)
{
    if (lin != NULL) {
        tml_arena_free(&lin->arena);
        tml_mem_free(lin);
    }
}

/* --- reading -------------------------------------------------------------------------------- */

TmlLinearInfo tml_linear_info(const TmlLinear *lin)
{
    return lin->info;
}

TmlMode tml_linear_mode(const TmlLinear *lin, int mode)
{
    return mode >= 0 && mode < lin->info.modes ? lin->mode[mode] : (TmlMode){0};
}

TmlModeBody tml_linear_body(const TmlLinear *lin, int mode, int index)
{
    const TmlSystem *sys = lin->sim->sys;
    const TmlDims *dim = tml_dims(sys);
    const int body = tml_model_shown_body(tml_system_model(sys), index);
    TmlModeBody out = {0};
    if (mode < 0 || mode >= lin->info.modes || body <= 0) {
        return out;
    }
    const size_t size = (size_t)dim->nu + (size_t)dim->nx;
    const double *re = lin->shape + (size_t)mode * 2 * size, *im = re + size;
    const TmlTriple place = tml_triple(sys, body, false), turn = tml_triple(sys, body, true);
    out.translation = v3_at(re + place.first);
    out.translation_imag = v3_at(im + place.first);
    out.rotation = turn.n == 3 ? v3_at(re + turn.first) : v3(0, 0, 0);
    out.rotation_imag = turn.n == 3 ? v3_at(im + turn.first) : v3(0, 0, 0);
    out.energy = lin->energy[(size_t)mode * (size_t)dim->nb + (size_t)body];
    return out;
}

double tml_linear_flexible(const TmlLinear *lin, int mode, int flexible)
{
    const TmlSystem *sys = lin->sim->sys;
    if (mode < 0 || mode >= lin->info.modes || flexible < 0 || flexible >= tml_flex_count(sys)) {
        return 0.0;
    }
    const int body = tml_flex_body(sys, flexible);
    return lin->energy[(size_t)mode * (size_t)tml_dims(sys)->nb + (size_t)body];
}

void tml_linear_node(const TmlLinear *lin, int mode, int flexible, int node, TmlVec3 *real,
                     TmlVec3 *imag)
{
    tml_linear_vector(lin, mode, flexible, node, 0, real, imag);
}

void tml_linear_vector(const TmlLinear *lin, int mode, int flexible, int node, int vector,
                       TmlVec3 *real, TmlVec3 *imag)
{
    const TmlSystem *sys = lin->sim->sys;
    *real = *imag = v3(0, 0, 0);
    if (mode < 0 || mode >= lin->info.modes || flexible < 0 || flexible >= tml_flex_count(sys) ||
        node < 0 || node >= tml_flex_nodes(sys, flexible) || vector < 0 ||
        vector >= tml_flex_vectors(sys, flexible)) {
        return;
    }
    size_t at = (size_t)mode * (size_t)lin->vectors +
                (size_t)(node * tml_flex_vectors(sys, flexible) + vector);
    for (int f = 0; f < flexible; ++f) {
        at += (size_t)(tml_flex_nodes(sys, f) * tml_flex_vectors(sys, f));
    }
    *real = lin->node[2 * at];
    *imag = lin->node[2 * at + 1];
}

void tml_linear_modal(const TmlLinear *lin, int mode, int modal, int coordinate, double *real,
                      double *imag)
{
    const TmlSystem *sys = lin->sim->sys;
    const TmlDims *dim = tml_dims(sys);
    const size_t size = (size_t)dim->nu + (size_t)dim->nx;
    *real = *imag = 0.0;
    if (mode >= 0 && mode < lin->info.modes && coordinate >= 0 &&
        coordinate < tml_model_modal(tml_system_model(sys), modal).modes) {
        const double *x = lin->shape + (size_t)mode * 2 * size;
        *real = tml_modal_change(sys, modal, coordinate, x);
        *imag = tml_modal_change(sys, modal, coordinate, x + size);
    }
}

void tml_linear_state(const TmlLinear *lin, int mode, int state, double *real, double *imag)
{
    const TmlSystem *sys = lin->sim->sys;
    const TmlDims *dim = tml_dims(sys);
    const size_t size = (size_t)dim->nu + (size_t)dim->nx;
    const bool known = mode >= 0 && mode < lin->info.modes && state >= 0 && state < dim->nx;
    const double *re =
        lin->shape + (known ? (size_t)mode * 2 * size + (size_t)(dim->nu + state) : 0);
    *real = known ? re[0] : 0.0;
    *imag = known ? re[size] : 0.0;
}

TmlStatus tml_linear_row(const TmlLinear *lin, TmlSim *sim, TmlError *err)
{
    TmlSystem *sys = sim->sys;
    if (sim != lin->sim) {
        return tml_fail(err, TML_E_ARGUMENT, "the linearisation is that of another sim");
    }
    tml_state_copy(sys, &lin->base, &sim->row);
    TML_TRY(tml_system_min_norm_lambda(sys, &sim->row, err));
    tml_sim_path_end(sim);
    tml_sim_row_given(sim);
    return TML_OK;
}

const double *tml_linear_matrix(const TmlLinear *lin)
{
    return lin->matrix;
}
