/* adams/translate/translate_nforce.c - NFORCE: linear forces between many markers.
 *
 *   (N1)  F = -K (z - z_0) - C z' + F_0
 *
 * z are the displacements and the angles of all I against J, in the axes of J; six of F act on each
 * I in the same axes, with the reaction on the part of J. Every component is a force of its own,
 * by an expression.
 */
#include <stdio.h>
#include <string.h>

#include "adams/dataset/dataset.h"

enum { MOST_MARKERS = 11 }; /* frames of one expression, less J */

typedef struct Network {
    int n;
    TmlAdmItem *i[MOST_MARKERS], *j;
    double *K, *C;  /* (6n)^2, SI; C NULL: ratio times K */
    double *z0, *F; /* 6n, SI; NULL: zero */
    double ratio;   /* s */
} Network;

/* SI value of a force or torque over a length or angle. */
static double unit_of(const TmlAdm *adm, int row, int col)
{
    return adm->force * (row % 6 < 3 ? 1.0 : adm->length) / (col % 6 < 3 ? adm->length : 1.0);
}

/* Numbers of the matrix that an argument names, of that size; *out NULL: not given. */
static bool read_matrix(TmlAdm *adm, TmlAdmItem *item, const char *name, int size, double **out)
{
    TmlAdmItem *matrix = tml_adm_ref(adm, item, name, "MATRIX");
    int rows, cols;
    *out = NULL;
    if (matrix == NULL) {
        return !item->failed;
    }
    *out = tml_adm_matrix(adm, matrix, &rows, &cols);
    if (*out != NULL && rows * cols != size) {
        tml_adm_error(adm, item, tml_adm_arg(item, name)->value,
                      "MATRIX/%s has %d x %d numbers, not %d", matrix->id, rows, cols, size);
    }
    item->failed |= *out == NULL;
    return !item->failed;
}

static bool read_markers(TmlAdm *adm, TmlAdmItem *item, Network *net)
{
    double id[MOST_MARKERS];
    net->j = tml_adm_need(adm, item, "J", "MARKER");
    net->n = tml_adm_reals(adm, item, "I", 1, MOST_MARKERS, id);
    if (net->n == 0 && !item->failed) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument I is missing");
    }
    for (int k = 0; k < net->n && !item->failed; ++k) {
        char text[32];
        snprintf(text, sizeof text, "%.0f", id[k]);
        net->i[k] = tml_adm_find(adm, "MARKER", text);
        if (net->i[k] == NULL) {
            tml_adm_error(adm, item, tml_adm_arg(item, "I")->value, "there is no MARKER/%s", text);
        }
    }
    return net->j != NULL && !item->failed;
}

static bool read_network(TmlAdm *adm, TmlAdmItem *item, Network *net)
{
    if (!read_markers(adm, item, net)) {
        return false;
    }
    const int n = 6 * net->n;
    if (tml_adm_need(adm, item, "KMATRIX", "MATRIX") == NULL ||
        !read_matrix(adm, item, "KMATRIX", n * n, &net->K) ||
        !read_matrix(adm, item, "CMATRIX", n * n, &net->C) ||
        !read_matrix(adm, item, "LENGTH", n, &net->z0) ||
        !read_matrix(adm, item, "FORCE", n, &net->F)) {
        return false;
    }
    net->ratio = tml_adm_real(adm, item, "CRATIO", 0.0) * adm->time;
    for (int k = 0; k < n * n; ++k) {
        net->K[k] *= unit_of(adm, k / n, k % n);
        if (net->C != NULL) {
            net->C[k] *= unit_of(adm, k / n, k % n) * adm->time;
        }
    }
    for (int k = 0; k < n; ++k) {
        if (net->z0 != NULL) {
            net->z0[k] *= k % 6 < 3 ? adm->length : 1.0;
        }
        if (net->F != NULL) {
            net->F[k] *= k % 6 < 3 ? adm->force : adm->force * adm->length;
        }
    }
    return !item->failed;
}

/* One component of (N1) as an expression. */
static const char *component(TmlAdm *adm, const Network *net, int row)
{
    static const char *const place[] = {"DX", "DY", "DZ", "AX", "AY", "AZ"}, *const rate[] = {
                                                                                 "VX", "VY", "VZ",
                                                                                 "WX", "WY", "WZ"};
    const char *j = net->j->path;
    const int n = 6 * net->n;
    TmlAdmText text = {0};
    tml_adm_write(&text, "%s", net->F != NULL ? tml_adm_digits(adm, net->F[row]) : "0");
    for (int c = 0; c < n; ++c) {
        const double k = net->K[row * n + c];
        const double d = net->C != NULL ? net->C[row * n + c] : net->ratio * k;
        const char *i = net->i[c / 6]->path;
        const bool angle = c % 6 > 2;
        if (k != 0.0) {
            tml_adm_write(&text, angle ? " - (%s)*(%s(%s, %s)" : " - (%s)*(%s(%s, %s, %s)",
                          tml_adm_digits(adm, k), place[c % 6], i, j, j);
            tml_adm_write(&text, " - (%s))",
                          tml_adm_digits(adm, net->z0 != NULL ? net->z0[c] : 0.0));
        }
        if (d != 0.0) {
            tml_adm_write(&text, angle ? " - (%s)*%s(%s, %s, %s)" : " - (%s)*%s(%s, %s, %s, %s)",
                          tml_adm_digits(adm, d), rate[c % 6], i, j, j, j);
        }
    }
    return tml_adm_take(adm, &text);
}

void tml_adm_nforce(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    Network net = {0};
    if (!read_network(adm, item, &net)) {
        return;
    }
    for (int k = 0; k < 2 * net.n && !adm->nomem; ++k) {
        const bool turns = k % 2 != 0;
        TmlAdmItem *i = net.i[k / 2];
        const char *name =
            tml_arena_printf(adm->arena, "%s_%s%s", item->name, turns ? "torque" : "force", i->id);
        TmlValue *v = tml_adm_map(adm, at);
        if (name == NULL) {
            adm->nomem = true;
            return;
        }
        tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, turns ? "torque" : "force"));
        tml_adm_set(adm, v, "frames", tml_adm_pair(adm, at, net.j->path, i->path));
        tml_adm_set(adm, v, "axes", tml_adm_scalar(adm, at, "first"));
        for (int c = 0; c < 3; ++c) {
            const char key[3] = {turns ? 't' : 'f', (char)('x' + c), '\0'};
            const char *text = component(adm, &net, 3 * k + c);
            tml_adm_set(adm, v, key, tml_adm_scalar(adm, at, text));
        }
        tml_adm_set(adm, adm->forces, name, v);
    }
    item->written = true;
}
