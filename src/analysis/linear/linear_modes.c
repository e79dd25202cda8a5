/* analysis/linear/linear_modes.c - modes of bodies from the eigenvectors of the linear system. */
#include "analysis/linear/linear_work.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An eigenvalue with the place of its vector. */
typedef struct Eigen {
    double re, im, distance;
    int column; /* of the real part; the imaginary part follows */
} Eigen;

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

/* Sets the displacement of bodies and states from a vector of the linear system. */
static void shape_of(const LinearWork *w, const double *vector, double *shape)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    const size_t nu = (size_t)dim->nu, nx = (size_t)dim->nx;
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

/* Turns and scales a complex shape so that its largest part is 1. */
static void shape_scale(const LinearWork *w, double *re, double *im)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    double big = 0.0, c = 1.0, s = 0.0;
    for (int pass = 0; pass < 2 && big == 0.0; ++pass) { // bodies, else states
        for (int k = pass == 0 ? 0 : dim->nu; k < (pass == 0 ? dim->nu : dim->nu + dim->nx); ++k) {
            const double unit = pass == 0 ? dim->unit[k] : 1.0;
            const double size = hypot(re[k], im[k]) / unit;
            if (size > big * (1.0 + 1e-9)) {
                big = size;
                c = re[k] / (size * size * unit);
                s = -im[k] / (size * size * unit);
            }
        }
    }
    for (int k = 0; k < dim->nu + dim->nx && big > 0.0; ++k) {
        const double x = re[k], y = im[k];
        re[k] = c * x - s * y;
        im[k] = s * x + c * y;
    }
}

/* Sets the shares of the kinetic energy: those of the velocities s e are those of e. */
static void energies(const LinearWork *w, const double *re, const double *im, double *Me,
                     double *share)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    double total = 0.0;
    for (int b = 0; b < dim->nb; ++b) {
        share[b] = 0.0;
    }
    for (int part = 0; part < 2; ++part) {
        const double *e = part == 0 ? re : im;
        tml_pencil_mass(&w->p, e, Me);
        for (int k = 0; k < dim->nu; ++k) {
            share[dim->span[w->p.body[k]].owner] += e[k] * Me[k];
            total += e[k] * Me[k];
        }
    }
    for (int b = 0; b < dim->nb && total > 0.0; ++b) {
        share[b] /= total;
    }
}

/* Sets the changes of the vectors of all nodes of flexible bodies. */
static TmlStatus node_shapes(LinearWork *w, TmlError *err)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlLinear *lin = w->lin;
    const size_t size = (size_t)dim->nu + (size_t)dim->nx;
    lin->vectors = 0;
    for (int f = 0; f < tml_flex_count(sys); ++f) {
        lin->vectors += tml_flex_nodes(sys, f) * tml_flex_vectors(sys, f);
    }
    TML_NEW(&lin->arena, lin->node, 2 * (size_t)lin->info.modes * (size_t)lin->vectors);
    tml_system_kinematics(w->sys, &w->s, false);
    for (int mode = 0; mode < lin->info.modes; ++mode) {
        const double *x = lin->shape + (size_t)mode * 2 * size;
        TmlVec3 *to = lin->node + 2 * (size_t)mode * (size_t)lin->vectors;
        for (int f = 0; f < tml_flex_count(sys); ++f) {
            const int n = tml_flex_nodes(sys, f) * tml_flex_vectors(sys, f);
            for (int k = 0; k < n; ++k, to += 2) {
                to[0] = tml_flex_vector_change(sys, f, k, x);
                to[1] = tml_flex_vector_change(sys, f, k, x + size);
            }
        }
    }
    return TML_OK;
}

TmlStatus tml_linear_modes(LinearWork *w, int n, const double *re, const double *im,
                           const double *vectors, size_t length, TmlError *err)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlLinear *lin = w->lin;
    const size_t size = (size_t)dim->nu + (size_t)dim->nx;
    Eigen *list;
    double *Me;
    int found = 0;
    TML_NEW(&w->arena, list, n);
    TML_NEW(&w->arena, Me, dim->nu);
    for (int k = 0; k < n; ++k) {
        // of a pair the one with positive imaginary part counts; its vector is the first or the
        // conjugate
        list[found++] = (Eigen){re[k], fabs(im[k]), hypot(re[k] - lin->info.shift, im[k]), k};
        k += im[k] != 0.0;
    }
    qsort(list, (size_t)found, sizeof *list, nearer);
    found = w->wanted > 0 && found > w->wanted ? w->wanted : found;
    TML_NEW(&lin->arena, lin->mode, found);
    TML_NEW(&lin->arena, lin->shape, (size_t)found * 2 * size);
    TML_NEW(&lin->arena, lin->energy, (size_t)found * (size_t)dim->nb);
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
        energies(w, x, y, Me, lin->energy + (size_t)k * (size_t)dim->nb);
    }
    lin->info.modes = found;
    return node_shapes(w, err);
}
