/* analysis/linearize.c - eigenvalues and modes of a model about a state.
 *
 * State of the linear system: (y, z, X) with e = N y, p = N_v z + d, N and N_v bases of the motions
 * that the holonomic and all constraints allow, N^T M N = 1, d normal to the constraints:
 *
 *   (E1)  [M J^T; J 0] [d; mu] = [0; -J' e]                       d = (dq'/dv) of [001] in this
 * basis (E2)  y' = N^T M p,   z' = N_v^T M r,   r and X' from (L1)
 *
 * With independent coordinates v instead (`partition`), N and N_v have unit rows there, and
 *
 *   (E3)  d has zeros there,   y' = p_v,   z' = r_v                            J1, J2 of [001]
 *
 * Small systems: the matrix column by column, then LAPACK. Large ones: ARPACK on the inverse of the
 * matrix less the shift, one sparse solve (L7) for each product.
 */
#include "analysis/pencil.h"
#include "analysis/sim_internal.h"
#include "base/fail.h"
#include "math/eigen.h"
#include "math/vec3.h"
#include "sparse/arpack.h"
#include "system/partition.h"
#include "trammel/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DENSE_ORDER = 600,  /* up to here LAPACK takes about a second */
    STANDARD_MODES = 20 /* of a large system */
};

/* An eigenvalue with the place of its vector. */
typedef struct Eigen {
    double re, im, distance;
    int column; /* of the real part; the imaginary part follows */
} Eigen;

struct TmlLinear {
    TmlArena arena;
    const TmlSim *sim;
    TmlLinearInfo info;
    TmlMode *mode;  /* info.modes */
    double *shape;  /* info.modes * 2 * (nu + nx): real part, imaginary part */
    double *energy; /* info.modes * nb */
    double *matrix; /* order * order, NULL: sparse */
};

/* What is needed while the modes are computed. */
typedef struct Work {
    TmlSim *sim;
    TmlSystem *sys;
    TmlArena arena;
    TmlState s;
    TmlPencil p;
    TmlLinear *lin;
    double shift;
    bool partition;
    int np, nv, order, wanted; /* wanted: modes, 0: all */
    double *N, *MN, *Nv, *MNv; /* nu * np, nu * nv */
    const int *at, *at_v;      /* np, nv: independent coordinates; NULL: (E2) */
    TmlCsc shifted;
    TmlLu *lu;
    double *rhs, *h; /* of the shifted system; nu */
} Work;

/* --- dense ---------------------------------------------------------------------------------- */

/* Basis of the motions that the rows allow; all: Pfaffian rows too. */
static TmlStatus basis(Work *w, bool all, double **N, double **MN, int *k, TmlError *err)
{
    const TmlSystem *sys = w->sys;
    const TmlCsc *step = &w->p.step;
    const size_t nu = (size_t)sys->nu;
    double *Jt;
    int *place, m = 0;
    TML_NEW(&w->arena, place, sys->m);
    for (int i = 0; i < sys->m; ++i) {
        place[i] = all || !w->p.row_pfaffian[i] ? m++ : -1;
    }
    TML_NEW(&w->arena, Jt, nu * (size_t)m);
    for (int j = 0; j < sys->nu; ++j) {
        for (int q = step->start[j]; q < step->start[j + 1]; ++q) {
            const int i = step->row[q] - sys->nu;
            if (i >= 0 && i < sys->m && place[i] >= 0) {
                Jt[(size_t)place[i] * nu + (size_t)j] = step->x[q];
            }
        }
    }
    *k = sys->nu - m;
    TML_NEW(&w->arena, *N, nu * (size_t)*k);
    TML_NEW(&w->arena, *MN, nu * (size_t)*k);
    TML_TRY(tml_null_basis(sys->nu, m, Jt, *N, err));
    for (int j = 0; j < *k; ++j) {
        tml_pencil_mass(&w->p, *N + (size_t)j * nu, *MN + (size_t)j * nu);
    }
    return tml_basis_orthonormal(sys->nu, *k, *N, *MN, err);
}

/* y[k] = B^T x */
static void project(int n, int k, const double *B, const double *x, double *y)
{
    for (int j = 0; j < k; ++j) {
        y[j] = 0.0;
        for (int i = 0; i < n; ++i) {
            y[j] += B[(size_t)j * (size_t)n + (size_t)i] * x[i];
        }
    }
}

/* (E1) for the position e: saddle[nu + m] = (d, mu). */
static void normal_rate(Work *w, const double *e, double *saddle)
{
    const TmlSystem *sys = w->sys;
    const size_t nu = (size_t)sys->nu;
    tml_pencil_rate(&w->p, e, saddle + nu);
    for (int k = 0; k < sys->m; ++k) {
        saddle[nu + (size_t)k] *= -1.0;
    }
    tml_lu_solve(w->p.saddle_lu, saddle);
    for (int j = 0; j < w->nv && w->at_v != NULL; ++j) { // (E3): columns have unit rows there
        const double x = saddle[w->at_v[j]];
        for (size_t i = 0; i < nu; ++i) {
            saddle[i] -= x * w->Nv[(size_t)j * nu + i];
        }
    }
}

/* y' from p. */
static void position_rates(const Work *w, const double *p, double *out)
{
    for (int k = 0; k < w->np && w->at != NULL; ++k) {
        out[k] = p[w->at[k]]; // (E3)
    }
    if (w->at == NULL) {
        project(w->sys->nu, w->np, w->MN, p, out); // (E2)
    }
}

/* z' from r, and from (d, mu) when positions change; turning: nu, scratch. */
static void velocity_rates(Work *w, const double *r, const double *saddle, double *turning,
                           double *out)
{
    const TmlSystem *sys = w->sys;
    const size_t nu = (size_t)sys->nu;
    for (int k = 0; k < w->nv && w->at_v != NULL; ++k) {
        out[k] = r[w->at_v[k]]; // (E3)
    }
    if (w->at_v != NULL) {
        return;
    }
    project(sys->nu, w->nv, w->MNv, r, out); // (E2)
    if (saddle != NULL) {
        tml_pencil_turning(&w->p, saddle, saddle + nu, turning);
        for (int k = 0; k < w->nv; ++k) {
            double more;
            project(sys->nu, 1, w->Nv + (size_t)k * nu, turning, &more);
            out[k] += more;
        }
    }
}

/* Column j of the matrix. saddle: nu + m, r: n, turning: nu. */
static void column(Work *w, int j, double *saddle, double *r, double *turning, double *out)
{
    const TmlSystem *sys = w->sys;
    const size_t nu = (size_t)sys->nu;
    const double *e = NULL, *p = NULL;
    memset(r, 0, (size_t)sys->n * sizeof *r);
    memset(saddle, 0, (nu + (size_t)sys->m) * sizeof *saddle);
    if (j < w->np) {
        e = w->N + (size_t)j * nu;
        normal_rate(w, e, saddle);
        p = saddle;
    } else if (j < w->np + w->nv) {
        p = w->Nv + (size_t)(j - w->np) * nu;
    } else {
        double *x = w->p.z;
        memset(x, 0, (size_t)sys->n * sizeof *x);
        x[sys->nu + sys->m + j - w->np - w->nv] = 1.0;
        tml_csc_mul(&w->p.x, x, r);
    }
    if (p != NULL) {
        tml_pencil_apply(&w->p, e, p, NULL, r);
        position_rates(w, p, out);
    }
    for (int k = 0; k < sys->n; ++k) {
        r[k] = -r[k];
    }
    tml_lu_solve(w->p.inertia_lu, r);
    velocity_rates(w, r, e != NULL ? saddle : NULL, turning, out + w->np);
    memcpy(out + w->np + w->nv, r + sys->nu + sys->m, (size_t)sys->nx * sizeof *out);
}

/* Independent coordinates in place of the basis. */
static TmlStatus coordinates(Work *w, TmlError *err)
{
    TmlPartition *part = NULL;
    int *at = NULL, *at_v = NULL;
    TML_TRY(tml_partition_create(w->sys, &part, err));
    TmlStatus status = tml_partition_choose(part, &w->s, err);
    if (status == TML_OK) {
        at = tml_arena_alloc(&w->arena, (size_t)w->np, sizeof *at);
        at_v = tml_arena_alloc(&w->arena, (size_t)w->nv, sizeof *at_v);
        status = at != NULL && at_v != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    if (status == TML_OK) {
        TML_ASSERT(tml_partition_count(part) == w->np && tml_partition_rate_count(part) == w->nv);
        memcpy(at, tml_partition_index(part), (size_t)w->np * sizeof *at);
        memcpy(at_v, tml_partition_rate_index(part), (size_t)w->nv * sizeof *at_v);
        w->at = at;
        w->at_v = at_v;
    }
    tml_partition_free(part);
    TML_TRY(status);
    TML_TRY(tml_basis_unit_rows(w->sys->nu, w->np, w->at, w->N, err));
    return tml_basis_unit_rows(w->sys->nu, w->nv, w->at_v, w->Nv, err);
}

static TmlStatus dense_matrix(Work *w, TmlError *err)
{
    const size_t n = (size_t)w->order;
    double *saddle, *r, *turning;
    TML_TRY(basis(w, false, &w->N, &w->MN, &w->np, err));
    TML_TRY(basis(w, true, &w->Nv, &w->MNv, &w->nv, err));
    if (w->partition) {
        TML_TRY(coordinates(w, err));
    }
    TML_NEW(&w->arena, saddle, w->sys->nu + w->sys->m);
    TML_NEW(&w->arena, turning, w->sys->nu);
    TML_NEW(&w->arena, r, w->sys->n);
    TML_NEW(&w->lin->arena, w->lin->matrix, n * n);
    for (int j = 0; j < w->order; ++j) {
        column(w, j, saddle, r, turning, w->lin->matrix + (size_t)j * n);
    }
    for (size_t k = 0; k < n * n; ++k) {
        if (!isfinite(w->lin->matrix[k])) {
            return tml_fail(err, TML_E_NONFINITE, "a derivative of the equations is not finite");
        }
    }
    return TML_OK;
}

/* --- sparse --------------------------------------------------------------------------------- */

/* (e, h, X) <- (A - shift)^-1 (e, h, X): (L7) */
static void shift_invert(void *user, const double *b, double *y)
{
    Work *w = user;
    const TmlSystem *sys = w->sys;
    const int nu = sys->nu, x0 = nu + sys->m;
    double *rhs = w->rhs, *z = w->p.z;
    memset(rhs, 0, (size_t)w->shifted.cols * sizeof *rhs);
    for (int k = 0; k < nu; ++k) {
        w->h[k] = w->shift * b[k] + b[nu + k];
    }
    tml_pencil_apply(&w->p, NULL, b, w->h, rhs);
    memset(z, 0, (size_t)sys->n * sizeof *z);
    memcpy(z + x0, b + 2 * nu, (size_t)sys->nx * sizeof *z);
    tml_csc_mul(&w->p.rest, z, rhs);
    for (int k = 0; k < sys->n; ++k) {
        rhs[k] = -rhs[k];
    }
    tml_lu_solve(w->lu, rhs);
    for (int k = 0; k < nu; ++k) {
        y[nu + k] = w->shift * rhs[k] + b[k];
        y[k] = rhs[k];
    }
    memcpy(y + 2 * nu, rhs + x0, (size_t)sys->nx * sizeof *y);
}

/* Factor at the shift; on an eigenvalue (free motions, shift 0) a little beside it. */
static TmlStatus shift_factor(Work *w, TmlError *err)
{
    double stiffness = 0.0, mass = 0.0;
    for (int k = 0; k < w->p.q.start[w->sys->nu]; ++k) {
        const bool motion = w->p.q.row[k] < w->sys->nu;
        stiffness = motion ? fmax(stiffness, fabs(w->p.q.x[k])) : stiffness;
        mass = motion ? fmax(mass, fabs(w->p.a.x[k])) : mass;
    }
    const double unit = mass > 0.0 && stiffness > 0.0 ? sqrt(stiffness / mass) : 1.0;
    static const double aside[] = {0.0, 1e-5, 1e-4, 1e-3, 1e-2};
    for (size_t k = 0; k < sizeof aside / sizeof aside[0]; ++k) {
        w->shift = w->lin->info.shift + aside[k] * unit;
        TML_TRY(tml_pencil_shifted(&w->p, w->shift, &w->shifted, err));
        TML_TRY(tml_lu_create(&w->shifted, &w->lu, err));
        if (tml_lu_factor(w->lu, &w->shifted) < 0) {
            w->lin->info.shift = w->shift;
            return TML_OK;
        }
        tml_lu_free(w->lu);
        w->lu = NULL;
    }
    return tml_fail(err, TML_E_SINGULAR, "the equations are singular at the shift %g; try another",
                    w->lin->info.shift);
}

static TmlStatus sparse_eigen(Work *w, double **re, double **im, double **vectors, int *found,
                              TmlError *err)
{
    const TmlSystem *sys = w->sys;
    const int n = 2 * sys->nu + sys->nx;
    // of complex pairs both count; some more make sure of the nearest
    const int k = 2 * w->wanted + 2 < w->order - 2 ? 2 * w->wanted + 2 : w->order - 2;
    const TmlOperator op = {n, w, shift_invert};
    double *start, *random;
    uint64_t seed = 11;
    TML_TRY(shift_factor(w, err));
    TML_NEW(&w->arena, w->rhs, w->shifted.cols);
    TML_NEW(&w->arena, w->h, sys->nu);
    TML_NEW(&w->arena, start, n);
    TML_NEW(&w->arena, random, n);
    TML_NEW(&w->arena, *re, k + 1);
    TML_NEW(&w->arena, *im, k + 1);
    TML_NEW(&w->arena, *vectors, (size_t)n * (size_t)(k + 1));
    for (int i = 0; i < n; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        random[i] = (double)(int64_t)seed * 0x1.0p-63;
    }
    // twice: onto the constraints
    shift_invert(w, random, start);
    shift_invert(w, start, random);
    TML_TRY(tml_arpack_largest(&op, w->order, k, random, *re, *im, *vectors, found, err));
    for (int i = 0; i < *found; ++i) { // shift + 1 / theta
        const double size2 = (*re)[i] * (*re)[i] + (*im)[i] * (*im)[i];
        (*re)[i] = w->shift + (*re)[i] / size2;
        (*im)[i] = -(*im)[i] / size2;
    }
    return TML_OK;
}

/* --- modes ---------------------------------------------------------------------------------- */

static int nearer(const void *a, const void *b)
{
    const Eigen *x = a, *y = b;
    return x->distance < y->distance ? -1 : x->distance > y->distance ? 1 : x->column - y->column;
}

static TmlMode mode_of(double re, double im)
{
    const double pi = 3.14159265358979323846, size = hypot(re, im);
    return (TmlMode){
        .real = re,
        .imag = im,
        .frequency = im / (2.0 * pi),
        .natural_frequency = size / (2.0 * pi),
        .damping_ratio = size > 0.0 ? -re / size : 0.0,
        .time_constant = re != 0.0 ? -1.0 / re : (double)INFINITY,
    };
}

/* Displacement of bodies and states from a vector of the linear system. */
static void shape_of(const Work *w, const double *vector, double *shape)
{
    const TmlSystem *sys = w->sys;
    const size_t nu = (size_t)sys->nu, nx = (size_t)sys->nx;
    if (w->lu != NULL) { // sparse: (e, h, X)
        memcpy(shape, vector, nu * sizeof *shape);
        memcpy(shape + nu, vector + 2 * nu, nx * sizeof *shape);
        return;
    }
    memset(shape, 0, nu * sizeof *shape);
    for (int j = 0; j < w->np; ++j) {
        for (size_t i = 0; i < nu; ++i) {
            shape[i] += w->N[(size_t)j * nu + i] * vector[j];
        }
    }
    memcpy(shape + nu, vector + w->np + w->nv, nx * sizeof *shape);
}

/* Turn and scale a complex shape so that its largest part is 1. */
static void shape_scale(const Work *w, double *re, double *im)
{
    const TmlSystem *sys = w->sys;
    double big = 0.0, c = 1.0, s = 0.0;
    for (int pass = 0; pass < 2 && big == 0.0; ++pass) { // bodies, else states
        for (int k = pass == 0 ? 0 : sys->nu; k < (pass == 0 ? sys->nu : sys->nu + sys->nx); ++k) {
            const double unit = pass == 0 ? sys->unit[k] : 1.0;
            const double size = hypot(re[k], im[k]) / unit;
            if (size > big * (1.0 + 1e-9)) {
                big = size;
                c = re[k] / (size * size * unit);
                s = -im[k] / (size * size * unit);
            }
        }
    }
    for (int k = 0; k < sys->nu + sys->nx && big > 0.0; ++k) {
        const double x = re[k], y = im[k];
        re[k] = c * x - s * y;
        im[k] = s * x + c * y;
    }
}

/* Shares of the kinetic energy: those of the velocities s e are those of e. */
static void energies(const Work *w, const double *re, const double *im, double *Me, double *share)
{
    const TmlSystem *sys = w->sys;
    double total = 0.0;
    for (int b = 0; b < sys->nb; ++b) {
        share[b] = 0.0;
    }
    for (int part = 0; part < 2; ++part) {
        const double *e = part == 0 ? re : im;
        tml_pencil_mass(&w->p, e, Me);
        for (int k = 0; k < sys->nu; ++k) {
            share[w->p.body[k]] += e[k] * Me[k];
            total += e[k] * Me[k];
        }
    }
    for (int b = 0; b < sys->nb && total > 0.0; ++b) {
        share[b] /= total;
    }
}

static TmlStatus modes_fill(Work *w, int n, const double *re, const double *im,
                            const double *vectors, size_t length, TmlError *err)
{
    const TmlSystem *sys = w->sys;
    TmlLinear *lin = w->lin;
    const size_t size = (size_t)sys->nu + (size_t)sys->nx;
    Eigen *list;
    double *Me;
    int found = 0;
    TML_NEW(&w->arena, list, n);
    TML_NEW(&w->arena, Me, sys->nu);
    for (int k = 0; k < n; ++k) {
        // of a pair the one with positive imaginary part; its vector is the first or the conjugate
        list[found++] = (Eigen){re[k], fabs(im[k]), hypot(re[k] - lin->info.shift, im[k]), k};
        k += im[k] != 0.0;
    }
    qsort(list, (size_t)found, sizeof *list, nearer);
    found = w->wanted > 0 && found > w->wanted ? w->wanted : found;
    TML_NEW(&lin->arena, lin->mode, found);
    TML_NEW(&lin->arena, lin->shape, (size_t)found * 2 * size);
    TML_NEW(&lin->arena, lin->energy, (size_t)found * (size_t)sys->nb);
    for (int k = 0; k < found; ++k) {
        const int c = list[k].column;
        double *x = lin->shape + (size_t)k * 2 * size, *y = x + size;
        lin->mode[k] = mode_of(list[k].re, list[k].im);
        shape_of(w, vectors + (size_t)c * length, x);
        if (list[k].im != 0.0) {
            shape_of(w, vectors + (size_t)(c + 1) * length, y);
            for (size_t i = 0; i < size && im[c] < 0.0; ++i) {
                y[i] = -y[i];
            }
        }
        shape_scale(w, x, y);
        energies(w, x, y, Me, lin->energy + (size_t)k * (size_t)sys->nb);
    }
    lin->info.modes = found;
    return TML_OK;
}

static TmlStatus dense_modes(Work *w, TmlError *err)
{
    const size_t n = (size_t)w->order;
    double *A, *re, *im, *vectors;
    TML_TRY(dense_matrix(w, err));
    TML_NEW(&w->arena, A, n * n);
    TML_NEW(&w->arena, re, n);
    TML_NEW(&w->arena, im, n);
    TML_NEW(&w->arena, vectors, n * n);
    memcpy(A, w->lin->matrix, n * n * sizeof *A);
    TML_TRY(tml_eigen_general(w->order, A, re, im, vectors, err));
    return modes_fill(w, w->order, re, im, vectors, n, err);
}

static TmlStatus sparse_modes(Work *w, TmlError *err)
{
    double *re = NULL, *im = NULL, *vectors = NULL;
    int found = 0;
    if (w->p.n_pfaffian > 0) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "%d states and rolling constraints: modes near a shift are not available "
                        "for rolling constraints",
                        w->order);
    }
    TML_TRY(sparse_eigen(w, &re, &im, &vectors, &found, err));
    const size_t size = 2 * (size_t)w->sys->nu + (size_t)w->sys->nx;
    return modes_fill(w, found, re, im, vectors, size, err);
}

/* --- the state ------------------------------------------------------------------------------ */

/* The sim's state moved onto the constraints, with its accelerations. */
static TmlStatus base_state(Work *w, TmlError *err)
{
    TmlSystem *sys = w->sys;
    TML_TRY(tml_state_create_in(sys, &w->arena, &w->s, err));
    tml_state_copy(sys, &w->sim->it.now, &w->s);
    tml_system_retract(sys, w->s.q);
    tml_system_retract_velocity(sys, w->s.q, w->s.v);
    if (!tml_system_project(sys, &w->s)) {
        return tml_fail(err, TML_E_SINGULAR,
                        "cannot linearise: the mechanism is at a singular position");
    }
    TML_TRY(tml_system_accelerations(sys, &w->s, err));
    TmlLinearInfo *info = &w->lin->info;
    tml_system_kinematics(sys, &w->s, false);
    for (int b = 1; b < sys->nb; ++b) {
        const TmlFrameKin *k = &sys->body[b].k;
        info->speed = fmax(info->speed, fmax(v3_norm(k->v), sys->length * v3_norm(k->omega)));
        info->acceleration =
            fmax(info->acceleration, fmax(v3_norm(k->a), sys->length * v3_norm(k->alpha)));
    }
    info->time = w->s.t;
    return TML_OK;
}

static TmlStatus linear_fill(Work *w, const TmlLinearOptions *o, TmlError *err)
{
    const TmlSystem *sys = w->sys;
    TmlLinearInfo *info = &w->lin->info;
    TML_TRY(base_state(w, err));
    TML_TRY(tml_pencil_create(w->sys, &w->s, &w->arena, &w->p, err));
    info->degrees_of_freedom = sys->nu - sys->m;
    info->order = w->order = 2 * (sys->nu - sys->m) + w->p.n_pfaffian + sys->nx;
    info->shift = o->shift;
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
    return info->sparse ? sparse_modes(w, err) : dense_modes(w, err);
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
    if (o.size != sizeof o || o.modes < 0 || !isfinite(o.shift)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "%d modes nearest %g: the number must not be negative, the shift finite; "
                        "start from tml_linear_options_default",
                        (int)o.modes, o.shift);
    }
    TmlLinear *lin = tml_mem_zalloc(1, sizeof *lin);
    if (lin == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    lin->sim = sim;
    Work w = {.sim = sim, .sys = sim->sys, .lin = lin};
    const TmlSystemStats before = sim->sys->stats;
    const TmlStatus status = linear_fill(&w, &o, err);
    sim->sys->stats = before; // counts are those of the run
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

static TmlVec3 vec_at(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

TmlModeBody tml_linear_body(const TmlLinear *lin, int mode, int body)
{
    const TmlSystem *sys = lin->sim->sys;
    TmlModeBody out = {0};
    if (mode < 0 || mode >= lin->info.modes || body <= 0 || body >= sys->nb) {
        return out;
    }
    const size_t size = (size_t)sys->nu + (size_t)sys->nx;
    const double *re = lin->shape + (size_t)mode * 2 * size + sys->u0[body], *im = re + size;
    const bool turns = sys->u0[body + 1] - sys->u0[body] == 6;
    out.translation = vec_at(re);
    out.translation_imag = vec_at(im);
    out.rotation = turns ? vec_at(re + 3) : v3(0, 0, 0);
    out.rotation_imag = turns ? vec_at(im + 3) : v3(0, 0, 0);
    out.energy = lin->energy[(size_t)mode * (size_t)sys->nb + (size_t)body];
    return out;
}

void tml_linear_state(const TmlLinear *lin, int mode, int state, double *real, double *imag)
{
    const TmlSystem *sys = lin->sim->sys;
    const size_t size = (size_t)sys->nu + (size_t)sys->nx;
    const bool known = mode >= 0 && mode < lin->info.modes && state >= 0 && state < sys->nx;
    const double *re =
        lin->shape + (known ? (size_t)mode * 2 * size + (size_t)(sys->nu + state) : 0);
    *real = known ? re[0] : 0.0;
    *imag = known ? re[size] : 0.0;
}

const double *tml_linear_matrix(const TmlLinear *lin)
{
    return lin->matrix;
}
