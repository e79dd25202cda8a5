/* adams/translate/orient.c - orientations as expressions of cosines.
 *
 * Systems of ORIENT: 3 to 14 body-fixed sequences of axes, 15 to 26 the same fixed in space, 27
 * Euler parameters, 28 Rodrigues parameters e_k / e_0, 29 cosines row by row. A space-fixed
 * sequence is the body-fixed one backwards.
 */
#include <stdio.h>

#include "adams/dataset/dataset.h"

/* Euler parameters from the cosines R_ab = a_J . b_I, by the largest of 4 e_k^2, which is >= 1. */
static void write_euler_parameter(TmlAdmText *out, int k, const char *i, const char *j)
{
    static const char sign[4][4] = {"+++", "+--", "-+-", "--+"};
    static const char *const pair[4][4] = {{NULL, "ZY-YZ", "XZ-ZX", "YX-XY"},
                                           {"ZY-YZ", NULL, "XY+YX", "XZ+ZX"},
                                           {"XZ-ZX", "XY+YX", NULL, "YZ+ZY"},
                                           {"YX-XY", "XZ+ZX", "YZ+ZY", NULL}};
    char xx[3][320], size[4][1024];
    for (int a = 0; a < 3; ++a) {
        snprintf(xx[a], sizeof xx[a], "C%c%c(%.140s, %.140s)", "XYZ"[a], "XYZ"[a], i, j);
    }
    for (int b = 0; b < 4; ++b) {
        snprintf(size[b], sizeof size[b], "1 %c %s %c %s %c %s", sign[b][0], xx[0], sign[b][1],
                 xx[1], sign[b][2], xx[2]);
    }
    for (int b = 0; b < 4; ++b) {
        if (b < 3) {
            tml_adm_write(out, "if(%s >= max(%s, %s, %s), ", size[b], size[(b + 1) % 4],
                          size[(b + 2) % 4], size[(b + 3) % 4]);
        }
        if (b == k) {
            tml_adm_write(out, "sqrt(max(1, %s))/2", size[b]);
        } else {
            const char *p = pair[b][k];
            tml_adm_write(out, "(C%c%c(%s, %s) %c C%c%c(%s, %s))/(2*sqrt(max(1, %s)))", p[0], p[1],
                          i, j, p[2], p[3], p[4], i, j, size[b]);
        }
        tml_adm_write(out, b < 3 ? ", " : ")))");
    }
}

/* One angle of a body-fixed sequence a-b-c of axes, from R_ab = a_J . b_I. With s = 1 when a-b is a
 * step of 1-2-3-1, else -1:
 *
 *   (O1)  a, b, c different:  atan2(-s R_bc, R_cc),  asin(s R_ac),  atan2(-s R_ab, R_aa)
 *   (O2)  a-b-a, d the third: atan2(R_ba, -s R_da),  acos(R_aa),    atan2(R_ab, s R_ad) */
static void write_free_angle(TmlAdmText *out, const int q[3], int k, const char *i, const char *j)
{
    const int a = q[0], b = q[1], third = 3 - a - b;
    const char x[] = "XYZ", *s = b == (a + 1) % 3 ? "" : "-", *minus = b == (a + 1) % 3 ? "-" : "";
    const bool repeats = q[2] == a;
    if (k == 1) {
        tml_adm_write(out, repeats ? "acos(%.0sC%c%c(%s, %s))" : "asin(%sC%c%c(%s, %s))", s, x[a],
                      x[repeats ? a : third], i, j);
    } else if (!repeats) {
        const int c = third, r = k == 0 ? b : a, col = k == 0 ? c : b, d = k == 0 ? c : a;
        tml_adm_write(out, "atan2(%sC%c%c(%s, %s), C%c%c(%s, %s))", minus, x[r], x[col], i, j, x[d],
                      x[d], i, j);
    } else if (k == 0) {
        tml_adm_write(out, "atan2(C%c%c(%s, %s), %sC%c%c(%s, %s))", x[b], x[a], i, j, minus,
                      x[third], x[a], i, j);
    } else {
        tml_adm_write(out, "atan2(C%c%c(%s, %s), %sC%c%c(%s, %s))", x[a], x[b], i, j, s, x[a],
                      x[third], i, j);
    }
}

/* The same where the first and the third axis are parallel too: the third angle is zero then.
 *
 *   (O3)  atan2(s R_db, R_bb),  0      d: other than a and b */
static void write_angle(TmlAdmText *out, const int q[3], int k, const char *i, const char *j)
{
    const int a = q[0], b = q[1], d = 3 - a - b;
    const char x[] = "XYZ", *s = b == (a + 1) % 3 ? "" : "-";
    if (k == 1) {
        write_free_angle(out, q, k, i, j);
        return;
    }
    tml_adm_write(out, "if(abs(C%c%c(%s, %s)) + abs(C%c%c(%s, %s)) < 1e-8, ", x[b], x[q[2]], i, j,
                  x[d], x[q[2]], i, j);
    if (k == 0) {
        tml_adm_write(out, "atan2(%sC%c%c(%s, %s), C%c%c(%s, %s))", s, x[d], x[b], i, j, x[b], x[b],
                      i, j);
    } else {
        tml_adm_write(out, "0");
    }
    tml_adm_write(out, ", ");
    write_free_angle(out, q, k, i, j);
    tml_adm_write(out, ")");
}

bool tml_adm_orient(TmlAdmText *out, int system, int k, const char *i, const char *j)
{
    enum { SEQUENCES = 12, BODY = 3, SPACE = BODY + SEQUENCES, EULER = 27, RODRIGUES, COSINES };
    static const int sequences[SEQUENCES][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1},
                                                {1, 0, 2}, {2, 1, 0}, {0, 1, 0}, {0, 2, 0},
                                                {1, 0, 1}, {1, 2, 1}, {2, 0, 2}, {2, 1, 2}};
    if (system >= BODY && system < SPACE && k >= 1 && k <= 3) {
        write_angle(out, sequences[system - BODY], k - 1, i, j);
    } else if (system >= SPACE && system < EULER && k >= 1 && k <= 3) {
        const int *q = sequences[system - SPACE];
        write_angle(out, (const int[3]){q[2], q[1], q[0]}, 3 - k, i, j);
    } else if (system == EULER && k >= 1 && k <= 4) {
        write_euler_parameter(out, k - 1, i, j);
    } else if (system == RODRIGUES && k >= 1 && k <= 3) {
        tml_adm_write(out, "(");
        write_euler_parameter(out, k, i, j);
        tml_adm_write(out, "/");
        write_euler_parameter(out, 0, i, j);
        tml_adm_write(out, ")");
    } else if (system == COSINES && k >= 1 && k <= 9) {
        tml_adm_write(out, "C%c%c(%s, %s)", "XYZ"[(k - 1) / 3], "XYZ"[(k - 1) % 3], i, j);
    } else {
        return false;
    }
    return true;
}
