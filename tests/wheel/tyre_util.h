/* tests/wheel/tyre_util.h - a wheel over a road with one tyre, tyres to choose from, and a check of all derivatives. */
#pragma once

#include "csv_util.h"
#include "model/model.h"
#include "model/registry.h"
#include "model/wheel/tyre/tyre.h"
#include "trammel/io.h"
#include "trammel/sim.h"

#include "../model/element_util.h"

enum { SIZE = 12, OUTPUTS = TYRE_OUT - 6 };

/* A wheel over a road, with one tyre; the text of the tyre behind its ends. */
static inline TmlModel *model_of(TestCtx *t, const char *road, const char *tyre, const char *folder)
{
    char text[8192], name[1100];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(name, sizeof name, "%s/tyre.yaml", folder != NULL ? folder : ".");
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "gravity: [0, 0, -9.81]\n"
             "roads: {track: {%s}}\n"
             "bodies:\n"
             "  post: {mass: 5, inertia: [1, 1, 1], position: [0.3, 0.2, -0.4]}\n"
             "  wheel: {mass: 20, inertia: [0.8, 1.2, 0.8], position: [1, 0, 0.33]}\n"
             "forces:\n"
             "  tyre: {bodies: [post, wheel], at: [1, 0, 0.33], axis: y, road: track, %s}\n",
             road, tyre);
    CHECK_OK(t, tml_load_text(text, name, 0, NULL, NULL, &m, &err), &err);
    return m;
}

#define VERTICAL "radius: 0.35, stiffness: 2e5, damping: 800"
#define FIALA                                                                                      \
    "type: fiala_tyre, " VERTICAL ", mu_static: 0.9835, mu_sliding: 0.5568, "                      \
    "longitudinal: 193929, lateral: 50000, width: 0.318"
#define TMEASY                                                                                     \
    "type: tmeasy_tyre, " VERTICAL ", load: 3000, longitudinal: [90000, 3300, 0.11, 3200, 0.5], "  \
    "lateral: [65000, 3200, 0.18, 3150, 0.6], trail: 0.03"
/* Chrono's HMMWV_Pac89Tire.json */
#define PAC89                                                                                      \
    "type: pac89_tyre, " VERTICAL ", "                                                             \
    "a: [1.49975356208205, -4.84987524731462, 812.449795340733, 2613.92367840654, "                \
    "48.857910109076, 0, -0.00879541881020228, 0.376999015041155], "                               \
    "b: [1.50018802672136, -15.7761466722458, 1022.11238546683, -2.55317715303733, "               \
    "208.777316195246, 0.0073134908964823, -0.00376410345674027, 0.156330736057758, "              \
    "-1.15310023217878], "                                                                         \
    "c: [2.34, 0.990427, 2.96848, -0.277098, -0.944859, 0, 0.0027699, -0.0001151, 0.1, -1.3329]"
#define LINEAR                                                                                     \
    "type: linear_tyre, " VERTICAL ", longitudinal: 90000, lateral: 70000, mu: 0.9, "              \
    "camber_stiffness: -4000, trail: 0.04, resistance: 0.005"

/* A file of the format with all groups of coefficients, of our own making. */
static const char *const tir_text =
    "[UNITS]\nLENGTH='meter'\nFORCE='newton'\nANGLE='radian'\nMASS='kg'\nTIME='second'\n"
    "[MODEL]\nPROPERTY_FILE_FORMAT='PAC2002' $ comment\nTYRESIDE='LEFT'\n"
    "[VERTICAL]\nUNLOADED_RADIUS=0.35\nVERTICAL_STIFFNESS=2e5\nVERTICAL_DAMPING=800\nFNOMIN=4000\n"
    "BREFF=8\nDREFF=0.25\nFREFF=0.01\nKPUMIN=-1.5\nKPUMAX=1.5\nFZMIN=200\nFZMAX=15000\n"
    "PCX1=1.65\nPDX1=1.1\nPDX2=-0.08\nPDX3=0.3\nPEX1=0.1\nPEX2=0.05\nPEX4=0.01\n"
    "PKX1=22\nPKX2=0.5\nPKX3=0.2\nPHX1=-1e-3\nPVX1=1e-5\n"
    "RBX1=12\nRBX2=-10\nRCX1=1.05\nRHX1=0.005\nREX1=-0.1\n"
    "PTX1=2\nPTX2=0.3\nPTX3=-0.3\n"
    "PCY1=1.35\nPDY1=1\nPDY2=-0.15\nPDY3=0.8\nPEY1=-1\nPEY2=-0.2\nPEY3=0.1\nPEY4=-2\n"
    "PKY1=-18\nPKY2=1.8\nPKY3=0.3\nPHY1=3e-3\nPHY3=0.03\nPVY1=0.02\nPVY3=-0.3\n"
    "RBY1=7\nRBY2=2.5\nRBY3=1e-3\nRCY1=1.05\nRHY1=0.01\nRVY1=0.01\nRVY2=0.1\nRVY3=-0.3\nRVY4=10\n"
    "RVY5=1.9\nRVY6=-20\nPTY1=2\nPTY2=2\nQSX1=0.01\nQSX2=0.4\nQSX3=0.02\nQSY1=0.01\nQSY3=1e-3\n"
    "QBZ1=10\nQBZ2=-1\nQBZ4=0.2\nQBZ5=-0.2\nQBZ9=10\nQCZ1=1.15\nQDZ1=0.12\nQDZ2=-0.02\nQDZ3=0.1\n"
    "QDZ4=-3\nQDZ6=-1e-3\nQDZ8=-0.1\nQEZ1=-1.5\nQEZ4=0.2\nQEZ5=-0.5\nQHZ1=5e-3\nQHZ3=0.1\n"
    "SSZ1=0.02\nSSZ2=0.01\nSSZ3=0.3\n";

static inline void write_tir(TestCtx *t, const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(t, f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static inline const char *own_tir(TestCtx *t)
{
    static char line[1200];
    char path[1024];
    snprintf(path, sizeof path, "%s/own_tyre.tir", TRAMMEL_BINARY_DIR);
    write_tir(t, path, tir_text);
    snprintf(line, sizeof line, "type: pac2002_tyre, mounted: right, file: %s", path);
    return line;
}

/* --- derivatives ----------------------------------------------------------------------------- */

typedef struct Sample {
    const TmlForceType *type;
    TmlFrameKin e[2];
    double f[2];
    TmlElementIn in;
} Sample;

static inline void random_sample(TestCtx *t, const TmlModel *m, Sample *s)
{
    const TmlForce *force = &m->forces.at[0];
    *s = (Sample){.type = force->type};
    const TmlVec3 place[2] = {v3(0.3, 0.2, -0.4), v3(1, 0, 0.33)};
    for (int k = 0; k < 2; ++k) {
        s->e[k] = tml_model_initial_kin(m, &force->end[k]);
        (void)place;
        for (int c = 0; c < 6; ++c) {
            s->e[k] = kin_moved(&s->e[k], c, test_random(t, -0.008, 0.008));
            s->e[k] = kin_moved(&s->e[k], MOVE_TWIST + c, test_random(t, -0.4, 0.4));
        }
    }
    s->e[1].v = v3_add(s->e[1].v, v3(test_random(t, 1.0, 12.0), 0, 0));
    s->e[1].omega = v3_add(s->e[1].omega, v3(0, test_random(t, 0.0, 35.0), 0));
    s->f[0] = test_random(t, -0.01, 0.01);
    s->f[1] = test_random(t, -0.01, 0.01);
    s->in = (TmlElementIn){.data = force->data, .e = s->e, .n_ends = 2, .f = s->f};
}

static inline void wrench_and_outputs(const Sample *s, const TmlFrameKin *e, const double *f,
                                      double *v)
{
    TmlElementIn in = s->in;
    TmlRow w[2];
    in.e = e;
    in.f = f;
    s->type->wrench(&in, w);
    for (int r = 0; r < SIZE; ++r) {
        v[r] = row_entry(&w[r / 6], r % 6);
    }
    s->type->output(&in, v + SIZE);
}

static inline void difference(const Sample *s, int end, int move, double h, double *d)
{
    for (int r = 0; r < SIZE + OUTPUTS; ++r) {
        d[r] = 0.0;
    }
    for (int p = 0; p < STENCIL; ++p) {
        TmlFrameKin e[2] = {s->e[0], s->e[1]};
        double v[SIZE + OUTPUTS];
        e[end] = kin_moved(&e[end], move, stencil_at[p] * h);
        wrench_and_outputs(s, e, s->f, v);
        for (int r = 0; r < SIZE + OUTPUTS; ++r) {
            d[r] += stencil_weight[p] / h * v[r];
        }
    }
}

static inline bool close(double a, double b)
{
    return fabs(a - b) <= 2e-3 + 2e-5 * fabs(b);
}

/* Checks one derivative. Curves have corners, at a bound of friction for example: where two steps of different size disagree there is one
 * between them, and nothing can be said. */
static inline void check_one(TestCtx *t, double exact, double coarse, double fine, int *corners)
{
    if (!close(exact, coarse) && !close(coarse, fine)) {
        ++*corners;
        return;
    }
    CHECK(t, close(exact, coarse));
}

/* A difference is off by the rounding of forces of 1e4 N over the step, 1e-12 1e4 / 2e-5 = 5e-4 N, and by truncation where
 * curves bend within 1e-2: (2e-5/1e-2)^6, nothing. Secants near zero slip are straight pieces, 1e-5 of their slope. */
static inline void derivatives(TestCtx *t, const TmlModel *m, const char *name)
{
    int corners = 0;
    t->name = name;
    for (int k = 0; k < 40; ++k) {
        Sample s;
        double Kq[SIZE * SIZE] = {0}, Kv[SIZE * SIZE] = {0}, Of[OUTPUTS * 2] = {0};
        TmlRow Oq[OUTPUTS * 2], Ov[OUTPUTS * 2];
        memset(Oq, 0, sizeof Oq);
        memset(Ov, 0, sizeof Ov);
        random_sample(t, m, &s);
        s.type->tangent(&s.in, Kq, Kv);
        s.type->output_tangent(&s.in, Oq, Ov, Of);
        for (int c = 0; c < SIZE; ++c) {
            double dq[SIZE + OUTPUTS], dv[SIZE + OUTPUTS], fq[SIZE + OUTPUTS], fv[SIZE + OUTPUTS];
            difference(&s, c / 6, MOVE_MOTION + c % 6, 2e-5, dq);
            difference(&s, c / 6, MOVE_TWIST + c % 6, 2e-5, dv);
            difference(&s, c / 6, MOVE_MOTION + c % 6, 5e-6, fq);
            difference(&s, c / 6, MOVE_TWIST + c % 6, 5e-6, fv);
            for (int r = 0; r < SIZE + OUTPUTS; ++r) {
                const double q =
                    r < SIZE ? Kq[r * SIZE + c] : row_entry(&Oq[(r - SIZE) * 2 + c / 6], c % 6);
                const double v =
                    r < SIZE ? Kv[r * SIZE + c] : row_entry(&Ov[(r - SIZE) * 2 + c / 6], c % 6);
                check_one(t, q, dq[r], fq[r], &corners);
                check_one(t, v, dv[r], fv[r], &corners);
            }
        }
    }
    CHECK(t, corners < 200); // of 27,000: two samples of 40 at most meet one
}
