/* analysis/statics/statics_judge.c - whether an equilibrium is stable.
 *
 * K = R' at the equilibrium, M the mass matrix, both along the motions that the joints allow.
 *
 *   (J1)  K x = mu M x                      mu < 0: stiffness is negative along x
 *   (J2)  Y = (K + c M)^-1 M Z,  H = Z^T M Y,  Z <- Y made orthonormal, Z^T M Z = 1
 *         the eigenvalues of H tend to 1 / (mu + c), those of least |mu + c| first
 *
 * (J2) is iteration of a subspace: it is exact at once when Z has a column for each degree of
 * freedom. In axes that stand still, without user states, an equilibrium is unstable along as many
 * motions as there are mu < 0. In a frame that turns Coriolis forces may hold it all the same, and
 * with user states or mu that are no real numbers (forces that have no potential) rates decide:
 * there the eigenvalues of the whole linear system are counted.
 */
#include "analysis/statics/balance.h"
#include "analysis/statics/statics_work.h"
#include "base/fail.h"
#include "math/array.h"
#include "math/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ALL_UP_TO = 64,  // degrees of freedom: all motions are looked at
    WIDTH = 16,      // columns of Z otherwise: those of least stiffness
    ROUNDS_MAX = 30, // of (J2)
    ROUNDS_SAME = 3, // rounds in which nothing changed that end it
    MODES = 12       // of the whole linear system when it is large
};

static const double ritz_change = 1e-3;     /* of the Ritz values from round to round */
static const double imaginary_limit = 1e-4; /* imaginary part of mu, relative: rounding of pairs */
static const double growth_limit = 1e-7;    /* real part of an eigenvalue, relative: rounding */

typedef struct Judge {
    TmlStaticsWork *w;
    TmlSystem *sys;
    TmlState *s;
    TmlArena arena;
    int width;
    double *Z, *Y, *MY;    /* nu * width each */
    double *x;             /* n */
    double *H, *vectors;   /* width * width, by columns */
    double *re, *im, *old; /* width: Ritz values, and those of the round before */
    double shift;          /* c of (J2), 1/s^2 */
} Judge;

/* Sets Z to Y made orthonormal in the sense of M; columns without a part of their own become
 * zero. */
static void orthonormal(Judge *j)
{
    const int nu = tml_dims(j->sys)->nu;
    for (int c = 0; c < j->width; ++c) {
        double *y = j->Y + (size_t)c * (size_t)nu, *My = j->MY + (size_t)c * (size_t)nu;
        tml_system_mass_mul(j->sys, j->s, y, My);
        const double before = vec_dot(nu, y, My);
        for (int pass = 0; pass < 2; ++pass) { // the second takes out what rounding left
            for (int i = 0; i < c; ++i) {
                const double part = vec_dot(nu, j->MY + (size_t)i * (size_t)nu, y);
                for (int k = 0; k < nu; ++k) {
                    y[k] -= part * j->Y[(size_t)i * (size_t)nu + (size_t)k];
                }
            }
        }
        tml_system_mass_mul(j->sys, j->s, y, My);
        const double size = vec_dot(nu, y, My);
        const double scale = size > 1e-20 * before && size > 0.0 ? 1.0 / sqrt(size) : 0.0;
        for (int k = 0; k < nu; ++k) {
            y[k] *= scale;
            My[k] *= scale;
        }
    }
    memcpy(j->Z, j->Y, (size_t)nu * (size_t)j->width * sizeof *j->Z);
}

/* Makes one round (J2), with the Ritz values in re and im. MY is M Z on entry. */
static TmlStatus iterate(Judge *j, TmlError *err)
{
    const TmlDims *dim = tml_dims(j->sys);
    const size_t nu = (size_t)dim->nu;
    for (int c = 0; c < j->width; ++c) {
        memset(j->x, 0, (size_t)dim->n * sizeof *j->x);
        memcpy(j->x, j->MY + (size_t)c * nu, nu * sizeof *j->x);
        tml_statics_solve(j->w, j->x);
        memcpy(j->Y + (size_t)c * nu, j->x, nu * sizeof *j->x);
        for (int i = 0; i < j->width; ++i) {
            j->H[c * j->width + i] = vec_dot((int)nu, j->MY + (size_t)i * nu, j->x);
            if (!isfinite(j->H[c * j->width + i])) {
                return tml_fail(err, TML_E_NONFINITE, "the stiffness is not finite");
            }
        }
    }
    memcpy(j->old, j->re, (size_t)j->width * sizeof *j->old);
    TML_TRY(tml_eigen_general(j->width, j->H, j->re, j->im, j->vectors, err));
    orthonormal(j);
    return TML_OK;
}

/* Tells whether all Ritz values stand as they did a round before: unsorted, as LAPACK leaves their
 * order. */
static bool unchanged(const Judge *j)
{
    double sum = 0.0, old = 0.0, size = 0.0;
    for (int k = 0; k < j->width; ++k) {
        sum += fabs(j->re[k]);
        old += fabs(j->old[k]);
        size = fmax(size, fabs(j->re[k]));
    }
    return fabs(sum - old) <= ritz_change * size;
}

static int count_negative(const Judge *j)
{
    int n = 0;
    for (int k = 0; k < j->width; ++k) {
        n += j->re[k] < 0.0;
    }
    return n;
}

/* Repeats (J2) until Ritz values stay and no negative one has come up for some rounds. */
static TmlStatus ritz_values(Judge *j, TmlError *err)
{
    uint64_t seed = 7;
    int negative = -1, calm = 0;
    for (size_t k = 0; k < (size_t)tml_dims(j->sys)->nu * (size_t)j->width; ++k) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        j->Y[k] = (double)(int64_t)seed * 0x1.0p-63;
    }
    orthonormal(j);
    for (int round = 0; round < ROUNDS_MAX && calm < ROUNDS_SAME; ++round) {
        TML_TRY(iterate(j, err));
        const int now = count_negative(j);
        calm = now == negative && unchanged(j) ? calm + 1 : 0;
        negative = now;
    }
    return TML_OK;
}

/* Counts (J1) from the Ritz values; *complex tells that some mu are no real numbers. */
static void read_values(const Judge *j, double neutral, TmlStability *out, bool *complex)
{
    double least = 0.0;
    *complex = false;
    for (int k = 0; k < j->width; ++k) {
        const double size2 = j->re[k] * j->re[k] + j->im[k] * j->im[k];
        const double mu = size2 > 0.0 ? j->re[k] / size2 - j->shift : HUGE_VAL;
        const double side = size2 > 0.0 ? -j->im[k] / size2 : 0.0;
        if (fabs(side) > fmax(neutral, imaginary_limit * fabs(mu))) {
            *complex = true;
        } else if (mu < -neutral) {
            out->negative++;
            least = fmin(least, mu);
        }
    }
    out->unstable = out->negative;
    out->diverges = out->negative > 0;
    out->growth = sqrt(-least);
}

/* Compares with the sign of the determinant, which knows the number of all negative mu, odd or
 * even: one may lie beyond those that were looked at. */
static void compare_sign(const Judge *j, TmlStability *out)
{
    const TmlDims *dim = tml_dims(j->sys);
    const int even = dim->m % 2 == 0 ? 1 : -1;
    const int sign = tml_statics_sign(j->w) * even;
    if (dim->nx == 0 && sign != (out->negative % 2 == 0 ? 1 : -1)) {
        out->negative++;
        out->unstable++;
        out->diverges = true;
    }
}

/* Counts eigenvalues of the whole linear system that grow; those of motions without resistance are
 * zero but for rounding. Where they are not to be had (delays, no inertia) what (J1) says stays; in a frame that turns
 * a negative stiffness proves nothing, and stability is not known then. */
static TmlStatus count_growing(TmlSim *sim, const TmlSpin *spin, double neutral, TmlStability *out,
                               TmlError *err)
{
    TmlLinearOptions o = tml_linear_options_default();
    TmlLinear *lin = NULL;
    TmlError reason = {0};
    o.modes = MODES;
    o.sparse = true;
    o.spin = *spin;
    o.fixed = spin->rate.x == 0.0 && spin->rate.y == 0.0 && spin->rate.z == 0.0;
    TmlStatus status = tml_sim_linearize(sim, &o, &lin, &reason);
    const TmlDims *dim = tml_dims(sim->sys);
    const bool small = dim->nu - dim->m <=
                       ALL_UP_TO; // modes near zero may be lost in rounding beside very fast ones
    if (status == TML_E_ARGUMENT || (status != TML_OK && status != TML_E_NOMEM && small)) {
        // rolling: all of a small system, or none
        o.modes = 0;
        o.sparse = false;
        status = tml_sim_linearize(sim, &o, &lin, &reason);
    }
    if (status != TML_OK) {
        *err = reason;
        out->known = out->known && (o.fixed || out->negative == 0);
        return status == TML_E_NOMEM ? status : TML_OK;
    }
    out->unstable = 0;
    out->diverges = false;
    out->growth = 0.0;
    for (int k = 0; k < tml_linear_info(lin).modes; ++k) {
        const TmlMode m = tml_linear_mode(lin, k);
        const double size = hypot(m.real, m.imag);
        if (m.real > growth_limit * size && size * size > neutral) {
            out->unstable++; // a pair is one motion
            out->diverges = out->diverges || m.imag == 0.0;
            out->growth = fmax(out->growth, m.real);
        }
    }
    tml_linear_free(lin);
    return TML_OK;
}

static TmlStatus judge(Judge *j, TmlSim *sim, const TmlSpin *spin, double neutral,
                       TmlStability *out, TmlError *err)
{
    TmlSystem *sys = j->sys;
    const TmlDims *dim = tml_dims(sys);
    const size_t size = (size_t)dim->nu * (size_t)j->width;
    bool complex = false;
    TML_NEW(&j->arena, j->Z, size);
    TML_NEW(&j->arena, j->Y, size);
    TML_NEW(&j->arena, j->MY, size);
    TML_NEW(&j->arena, j->x, dim->n);
    TML_NEW(&j->arena, j->H, (size_t)j->width * (size_t)j->width);
    TML_NEW(&j->arena, j->vectors, (size_t)j->width * (size_t)j->width);
    TML_NEW(&j->arena, j->re, j->width);
    TML_NEW(&j->arena, j->im, j->width);
    TML_NEW(&j->arena, j->old, j->width);
    tml_flex_forget(sys);
    if (!tml_statics_residual(j->w, j->s, j->x)) {
        return TML_OK;
    }
    // rounding of the stiffest motions hides the stiffness of others below this
    neutral = fmax(neutral, 16.0 * DBL_EPSILON * tml_balance_stiffest(sys, j->s, j->x));
    j->shift = neutral;
    if (!tml_statics_residual(j->w, j->s, j->x) || tml_statics_factor(j->w, j->s, j->shift) >= 0) {
        return TML_OK;
    }
    out->known = true;
    TML_TRY(ritz_values(j, err));
    read_values(j, neutral, out, &complex);
    compare_sign(j, out);
    const bool turns = spin->rate.x != 0.0 || spin->rate.y != 0.0 || spin->rate.z != 0.0;
    return turns || complex || dim->nx > 0 ? count_growing(sim, spin, neutral, out, err) : TML_OK;
}

TmlStatus tml_statics_judge(TmlStaticsWork *w, TmlSim *sim, TmlState *s, const TmlSpin *spin,
                            double neutral, TmlStability *out, TmlError *err)
{
    const TmlDims *dim = tml_dims(sim->sys);
    const int freedom = dim->nu - dim->m;
    Judge j = {.w = w, .sys = sim->sys, .s = s, .width = freedom <= ALL_UP_TO ? freedom : WIDTH};
    *out = (TmlStability){.known = freedom <= 0};
    if (freedom <= 0) {
        return dim->nx > 0 ? count_growing(sim, spin, neutral, out, err) : TML_OK;
    }
    const TmlStatus status = judge(&j, sim, spin, neutral, out, err);
    tml_arena_free(&j.arena);
    return status;
}
