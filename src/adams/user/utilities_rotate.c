/* adams/user/utilities_rotate.c - coordinates of places and orientations in other systems.
 *
 * An orientation goes by way of the matrix of direction cosines A, whose columns are the turned
 * axes. Body-fixed angles about axes i, j, k multiply the rotations in this order, space-fixed ones
 * in the opposite:
 *
 *   (R1)  A = R_i(a1) R_j(a2) R_k(a3)
 *
 * With j between: i = k has cos a2 = A_ii, else sin a2 = +-A_ik.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "math/vec3.h"
#include "trammel/adams_user.h"

static TmlMat33 turn(int axis, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return axis == 0   ? (TmlMat33){{1, 0, 0}, {0, c, s}, {0, -s, c}}
           : axis == 1 ? (TmlMat33){{c, 0, -s}, {0, 1, 0}, {s, 0, c}}
                       : (TmlMat33){{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

static double entry(const TmlMat33 *A, int row, int column)
{
    const TmlVec3 c = column == 0 ? A->cx : column == 1 ? A->cy : A->cz;
    return row == 0 ? c.x : row == 1 ? c.y : c.z;
}

/* A system of three angles by its name, B313 or S123; false: another. */
static bool sequence_of(const char *name, int axis[3], bool *space)
{
    const char *text = strcasecmp(name, "EULER") == 0    ? "B313"
                       : strcasecmp(name, "YPR") == 0    ? "B321"
                       : strcasecmp(name, "BRYANT") == 0 ? "B123"
                                                         : name;
    const char kind = (char)toupper((unsigned char)text[0]);
    *space = kind == 'S';
    if ((kind != 'B' && kind != 'S') || strlen(text) != 4) {
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        axis[k] = text[1 + k] - '1';
    }
    return axis[0] >= 0 && axis[0] < 3 && axis[1] >= 0 && axis[1] < 3 && axis[2] >= 0 &&
           axis[2] < 3 && axis[0] != axis[1] && axis[1] != axis[2];
}

/* (R1) */
static TmlMat33 from_angles(const int axis[3], bool space, const double *a)
{
    const int first = space ? 2 : 0, last = space ? 0 : 2;
    const TmlMat33 one = turn(axis[first], a[first]), two = turn(axis[1], a[1]);
    const TmlMat33 three = turn(axis[last], a[last]), half = m3_mul(&one, &two);
    return m3_mul(&half, &three);
}

/* Angles of (R1) about i, j, k; at a dead point the third is zero. */
static void to_angles(const TmlMat33 *A, int i, int j, int k, double *a)
{
    const int other = 3 - i - j;
    const double sign = (j - i + 3) % 3 == 1 ? 1.0 : -1.0; // i, j, other in cyclic order
    if (i == k) {
        const double s = hypot(entry(A, i, j), entry(A, i, other));
        a[1] = atan2(s, entry(A, i, i));
        a[0] = s > 1e-12 ? atan2(entry(A, j, i), -sign * entry(A, other, i)) : 0.0;
        a[2] = s > 1e-12 ? atan2(entry(A, i, j), sign * entry(A, i, other)) : 0.0;
    } else {
        const double c = hypot(entry(A, i, i), entry(A, i, j));
        a[1] = atan2(sign * entry(A, i, k), c);
        a[0] = c > 1e-12 ? atan2(-sign * entry(A, j, k), entry(A, k, k)) : 0.0;
        a[2] = c > 1e-12 ? atan2(-sign * entry(A, i, j), entry(A, i, i)) : 0.0;
    }
    const double edge = i == k ? fabs(sin(a[1])) : fabs(cos(a[1]));
    if (edge <= 1e-12) { // only a sum of the first and the third is there
        const TmlMat33 two = turn(j, a[1]);
        const TmlMat33 back = m3_transpose(&two), rest = m3_mul(A, &back);
        a[0] =
            atan2(entry(&rest, (i + 2) % 3, (i + 1) % 3), entry(&rest, (i + 1) % 3, (i + 1) % 3));
        a[2] = 0.0;
    }
}

static TmlMat33 from_parameters(const double *p)
{
    const double n = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    const double e0 = p[0] / n, e1 = p[1] / n, e2 = p[2] / n, e3 = p[3] / n;
    return (TmlMat33){
        {1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 + e0 * e3), 2 * (e1 * e3 - e0 * e2)},
        {2 * (e1 * e2 - e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 + e0 * e1)},
        {2 * (e1 * e3 + e0 * e2), 2 * (e2 * e3 - e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)}};
}

/* Euler parameters, the largest of which is positive. */
static void to_parameters(const TmlMat33 *A, double *p)
{
    const double trace = A->cx.x + A->cy.y + A->cz.z;
    const double square[4] = {1 + trace, 1 - trace + 2 * A->cx.x, 1 - trace + 2 * A->cy.y,
                              1 - trace + 2 * A->cz.z};
    int most = 0;
    for (int k = 1; k < 4; ++k) {
        most = square[k] > square[most] ? k : most;
    }
    // products 4 e_i e_j from sums and differences of entries
    const double p01 = A->cy.z - A->cz.y, p02 = A->cz.x - A->cx.z, p03 = A->cx.y - A->cy.x;
    const double p12 = A->cx.y + A->cy.x, p13 = A->cx.z + A->cz.x, p23 = A->cy.z + A->cz.y;
    const double table[4][4] = {{square[0], p01, p02, p03},
                                {p01, square[1], p12, p13},
                                {p02, p12, square[2], p23},
                                {p03, p13, p23, square[3]}};
    for (int k = 0; k < 4; ++k) {
        p[k] = table[most][k] / (2.0 * sqrt(square[most]));
    }
}

static bool read_orientation(const char *system, const double *x, TmlMat33 *A)
{
    int axis[3];
    bool space;
    if (sequence_of(system, axis, &space)) {
        const double pitch[3] = {x[0], strcasecmp(system, "YPR") == 0 ? -x[1] : x[1], x[2]};
        *A = from_angles(axis, space, pitch);
    } else if (strcasecmp(system, "EULPAR") == 0) {
        *A = from_parameters(x);
    } else if (strcasecmp(system, "RODPAR") == 0) {
        *A = from_parameters((const double[4]){1.0, x[0], x[1], x[2]});
    } else if (strcasecmp(system, "COSINES") == 0) { // column by column
        *A = (TmlMat33){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]}};
    } else {
        return false;
    }
    return true;
}

static bool write_orientation(const char *system, const TmlMat33 *A, double *x)
{
    int axis[3];
    bool space;
    double p[4];
    if (sequence_of(system, axis, &space)) {
        double a[3];
        to_angles(A, axis[space ? 2 : 0], axis[1], axis[space ? 0 : 2], a);
        x[0] = a[space ? 2 : 0];
        x[1] = strcasecmp(system, "YPR") == 0 ? -a[1] : a[1];
        x[2] = a[space ? 0 : 2];
    } else if (strcasecmp(system, "EULPAR") == 0) {
        to_parameters(A, x);
    } else if (strcasecmp(system, "RODPAR") == 0) {
        to_parameters(A, p);
        for (int k = 0; k < 3; ++k) {
            x[k] = p[1 + k] / p[0];
        }
    } else if (strcasecmp(system, "COSINES") == 0) {
        for (int k = 0; k < 9; ++k) {
            x[k] = entry(A, k % 3, k / 3);
        }
    } else {
        return false;
    }
    return true;
}

void c_rcnvrt(const char *sys1, const double *coord1, const char *sys2, double *coord2, int *istat)
{
    TmlMat33 A;
    *istat = !read_orientation(sys1, coord1, &A)    ? -1
             : !write_orientation(sys2, &A, coord2) ? -2
                                                    : 0;
}

/* CARTESIAN x, y, z; CYLINDRICAL r, theta, z; SPHERICAL rho, phi (from z), theta. */
void c_tcnvrt(const char *sys1, const double *coord1, const char *sys2, double *coord2, int *istat)
{
    const double a = coord1[0], b = coord1[1], c = coord1[2];
    double x = a, y = b, z = c;
    *istat = 0;
    if (strcasecmp(sys1, "CYLINDRICAL") == 0) {
        x = a * cos(b);
        y = a * sin(b);
    } else if (strcasecmp(sys1, "SPHERICAL") == 0) {
        x = a * sin(b) * cos(c);
        y = a * sin(b) * sin(c);
        z = a * cos(b);
    } else if (strcasecmp(sys1, "CARTESIAN") != 0) {
        *istat = -1;
    }
    if (strcasecmp(sys2, "CYLINDRICAL") == 0) {
        coord2[0] = hypot(x, y);
        coord2[1] = atan2(y, x);
        coord2[2] = z;
    } else if (strcasecmp(sys2, "SPHERICAL") == 0) {
        coord2[0] = sqrt(x * x + y * y + z * z);
        coord2[1] = atan2(hypot(x, y), z);
        coord2[2] = atan2(y, x);
    } else if (strcasecmp(sys2, "CARTESIAN") == 0) {
        coord2[0] = x;
        coord2[1] = y;
        coord2[2] = z;
    } else {
        *istat = -2;
    }
}
