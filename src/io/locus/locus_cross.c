/* io/locus/locus_cross.c - where branches of eigenvalues cross the imaginary axis.
 *
 * The real part of a branch changes its sign between two values: the zero is found by regula falsi (Illinois). At each new value the
 * mode is the one nearest to the straight line between the ends.
 */
#include "io/locus/locus.h"

#include <math.h>
#include <stdlib.h>

/* A crossing is found when it moves by no more than this part of the value and of the range. */
static const double narrow = 1e-11;
enum { MOST_TRIES = 60 };

typedef struct End {
    double value;
    TmlMode mode;
} End;

static TmlStatus mode_at(TmlLocus *w, const End *a, const End *b, double value, End *out,
                         TmlError *err)
{
    TmlLocusPoint p;
    TML_TRY(tml_locus_evaluate(w, value, &p, err));
    const double u = (value - a->value) / (b->value - a->value);
    const double re = a->mode.real + u * (b->mode.real - a->mode.real);
    const double im = a->mode.imag + u * (b->mode.imag - a->mode.imag);
    double best = HUGE_VAL;
    *out = (End){.value = value};
    for (int k = 0; k < p.n; ++k) {
        const double d = hypot(p.mode[k].real - re, p.mode[k].imag - im);
        if (d < best) {
            best = d;
            out->mode = p.mode[k];
        }
    }
    return TML_OK;
}

static TmlStatus add_crossing(TmlLocus *w, End a, End b, int branch, TmlError *err)
{
    const bool grows = b.mode.real > 0.0;
    const double slope = (b.mode.real - a.mode.real) / (b.value - a.value);
    const double wide = narrow * fmax(fabs(a.value), fabs(w->options.to - w->options.from));
    double fa = a.mode.real, fb = b.mode.real;
    End c = a;
    double step = fabs(b.value - a.value);
    int kept = 0; // the end that has not moved (Illinois)
    for (int k = 0; k < MOST_TRIES && step > wide; ++k) {
        const double x = (a.value * fb - b.value * fa) / (fb - fa);
        step = fabs(x - c.value);
        TML_TRY(mode_at(w, &a, &b, x, &c, err));
        if (c.mode.real == 0.0) {
            break;
        }
        if ((c.mode.real > 0.0) == grows) {
            b = c, fb = c.mode.real;
            fa *= kept == 1 ? 0.5 : 1.0;
            kept = 1;
        } else {
            a = c, fa = c.mode.real;
            fb *= kept == -1 ? 0.5 : 1.0;
            kept = -1;
        }
    }
    if (!tml_mem_grow((void **)&w->crossing, &w->cap_crossings, w->n_crossings + 1,
                      sizeof *w->crossing)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    w->crossing[w->n_crossings++] = (TmlCrossing){.value = c.value,
                                                  .frequency = c.mode.imag / (2.0 * M_PI),
                                                  .slope = slope,
                                                  .doubt = step,
                                                  .branch = branch,
                                                  .unstable = grows};
    return TML_OK;
}

/* The sign changes of one branch, between values where it is not zero to rounding. */
static TmlStatus follow(TmlLocus *w, int branch, TmlError *err)
{
    End last = {0};
    bool any = false;
    const int n = w->n; // the crossings do not add points
    for (int k = 0; k < n; ++k) {
        const TmlLocusPoint *p = &w->point[k];
        for (int i = 0; i < p->n; ++i) {
            if (p->branch[i] != branch || fabs(p->mode[i].real) <= p->noise) {
                continue;
            }
            const End now = {p->value, p->mode[i]};
            if (any && (last.mode.real > 0.0) != (now.mode.real > 0.0)) {
                TML_TRY(add_crossing(w, last, now, branch, err));
            }
            last = now;
            any = true;
        }
    }
    return TML_OK;
}

static int by_value(const void *a, const void *b)
{
    const double x = ((const TmlCrossing *)a)->value, y = ((const TmlCrossing *)b)->value;
    return (x > y) - (x < y);
}

TmlStatus tml_locus_cross(TmlLocus *w, TmlError *err)
{
    for (int k = 0; k < w->branches; ++k) {
        TML_TRY(follow(w, k, err));
    }
    if (w->n_crossings > 1) {
        qsort(w->crossing, (size_t)w->n_crossings, sizeof *w->crossing, by_value);
    }
    return TML_OK;
}
