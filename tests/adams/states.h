/* tests/adams/states.h - tables of Adams results, and models in their states.
 *
 * Columns are `<part>_XFORM.X` and so on: pose of the frame of the part (body-fixed 3-1-3), its
 * velocity and acceleration in global axes.
 */
#pragma once

#include "math/rotation.h"
#include "math/vec3.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_COLUMNS = 340, STATES_ROWS = 401 };

typedef struct States {
    int columns, rows;
    char name[STATES_COLUMNS][48];
    double value[STATES_ROWS][STATES_COLUMNS];
} States;

static const char *const
    states_at[] = {"X", "Y", "Z"},
    *const states_angles[] = {"PSI", "THETA", "PHI"}, *const states_speed[] = {"VX", "VY", "VZ"},
    *const states_turn[] = {"WX", "WY", "WZ"}, *const states_pull[] = {"ACCX", "ACCY", "ACCZ"},
    *const states_twist[] = {"WDX", "WDY", "WDZ"}, *const states_push[] = {"FX", "FY", "FZ"},
    *const states_torque[] = {"TX", "TY", "TZ"};

static inline bool states_read(const char *path, States *csv)
{
    static char line[1 << 15];
    FILE *file = fopen(path, "r");
    bool ok = file != NULL && fgets(line, sizeof line, file) != NULL;
    csv->columns = csv->rows = 0;
    for (char *c = line; ok && *c != '\0' && *c != '\n' && csv->columns < STATES_COLUMNS;) {
        const size_t n = strcspn(c, ",\r\n");
        snprintf(csv->name[csv->columns++], sizeof csv->name[0], "%.*s", (int)n, c);
        c += n + (c[n] != '\0' ? 1 : 0);
    }
    while (ok && csv->rows < STATES_ROWS && fgets(line, sizeof line, file) != NULL) {
        char *c = line;
        for (int k = 0; k < csv->columns; ++k) {
            csv->value[csv->rows][k] = strtod(c, &c);
            c += *c == ',' ? 1 : 0;
        }
        csv->rows++;
    }
    if (file != NULL) {
        fclose(file);
    }
    return ok;
}

/* Three columns `entity` + `.X`, ...; NAN where the table has none. */
static inline TmlVec3 states_entry(const States *csv, int row, const char *entity,
                                   const char *const what[3])
{
    double x[3];
    for (int k = 0; k < 3; ++k) {
        char name[80];
        snprintf(name, sizeof name, "%s.%s", entity, what[k]);
        int c = 0;
        while (c < csv->columns && strcmp(csv->name[c], name) != 0) {
            ++c;
        }
        x[k] = c < csv->columns ? csv->value[row][c] : (double)NAN;
    }
    return v3(x[0], x[1], x[2]);
}

static inline TmlVec3 states_part(const States *csv, int row, const TmlBody *body,
                                  const char *const what[3])
{
    char entity[64];
    snprintf(entity, sizeof entity, "%.40s_XFORM", body->name);
    return states_entry(csv, row, entity, what);
}

static inline TmlQuat states_orientation(TmlVec3 angle)
{
    const TmlQuat psi = q4_exp(v3(0, 0, angle.x)), theta = q4_exp(v3(angle.y, 0, 0));
    return q4_mul(q4_mul(psi, theta), q4_exp(v3(0, 0, angle.z)));
}

/* All parts to where the table has them; its frames are those of the parts, ours of their cm.
 * Parts that it does not have stay. */
static inline void states_set(TmlModel *m, const States *csv, int row)
{
    for (int b = 1; b < tml_model_body_count(m); ++b) {
        TmlBody *body = &m->bodies.at[b];
        if (isnan(states_part(csv, row, body, states_at).x)) {
            continue;
        }
        body->p0 = states_orientation(states_part(csv, row, body, states_angles));
        const TmlMat33 A = q4_matrix(body->p0);
        const TmlVec3 d = m3_mulv(&A, body->cm);
        body->omega0 = states_part(csv, row, body, states_turn);
        body->r0 = v3_add(states_part(csv, row, body, states_at), d);
        body->v0 = v3_add(states_part(csv, row, body, states_speed), v3_cross(body->omega0, d));
    }
}

/* The larger of a length so far and the next. */
static inline double states_larger(double a, TmlVec3 d)
{
    const double n = v3_norm(d);
    return n <= a ? a : n; // and not a number where d is not
}
