/* model/constraint/constant_velocity.c - two shafts that turn at the same speed.
 *
 *   (1)  d . e_k = 0                     global axes; the origins coincide
 *   (2)  2 p_3 = 0                       no turn about z when the shafts are in line
 *
 * p are the Euler parameters of A_i^T A_j. (2) says that the axes of j come from those of i by a turn
 * about an axis across z, in the plane that halves the angle between the shafts. The product
 * 4 p_0 p_3 = y_i . x_j - x_i . y_j would not need a root, but vanishes for p_0 = 0 as well, so that a
 * second branch crosses where the shafts fold back by half a turn.
 *
 * With w = A_i^T (dtheta_j - dtheta_i), dp = (0, w) p / 2. Hence, with delta = dtheta_j - dtheta_i,
 *
 *   (3)  2 dp_3 = b . delta,  b = p_0 z_i + p_2 x_i - p_1 y_i      halves the angle of the shafts
 *   (4)  db = (dtheta_i + dtheta_j) x b / 2 - p_3 delta / 2
 *   (5)  gamma = -s,  s = b . c - p_3 u . u / 2,  c = w_j x w_i,  u = w_j - w_i
 *   (6)  s_theta_i = (b x c + p_3 c + (u . u) b / 2) / 2,   s_theta_j = (b x c - p_3 c - (u . u) b / 2) / 2
 *        s_w_i = b x w_j + p_3 u,                           s_w_j = w_i x b - p_3 u
 *
 * p and -p are the same rotation. The one nearer to p of the last accepted state is taken, which is
 * the memory, so that the reaction does not change its sign under way.                       own
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#constant_velocity
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

#include "math/vec3.h"

static const TmlPrim origins[] = {
    {TML_PRIM_COORD, .axis_i = 0}, {TML_PRIM_COORD, .axis_i = 1}, {TML_PRIM_COORD, .axis_i = 2}};

enum { POINT = TML_PRIM_COUNT(origins), ROWS = POINT + 1, MEMORY = 4 };
enum { NK = 12, TI = 3, TJ = 9 }; // the matrix of `curvature` and the places of both rotations

static const char *const constant_velocity_rows[] = {
    "translation along global x", "translation along global y", "translation along global z",
    "rotation along the shafts"};

/* p on the side of the last accepted state. */
static TmlQuat relative(const TmlElementIn *in)
{
    const TmlMat33 A = m3_tmul(&in->e[0].A, &in->e[1].A);
    const TmlQuat p = q4_from_matrix(&A);
    const TmlQuat last = {in->memory[0], in->memory[1], in->memory[2], in->memory[3]};
    return q4_dot(p, last) < 0.0 ? (TmlQuat){-p.w, -p.x, -p.y, -p.z} : p;
}

static TmlVec3 halving(const TmlMat33 *A, TmlQuat p)
{
    return v3_axpy(p.w, A->cz, v3_axpy(p.y, A->cx, v3_scale(-p.x, A->cy))); // (3)
}

static void constant_velocity_residual(const TmlElementIn *in, double *phi)
{
    tml_prims_residual(origins, POINT, in, phi);
    phi[POINT] = 2.0 * relative(in).z; // (2)
}

static void constant_velocity_jacobian(const TmlElementIn *in, TmlRow *J)
{
    tml_prims_jacobian(origins, POINT, in, J);
    const TmlVec3 b = halving(&in->e[0].A, relative(in));
    J[2 * POINT] = (TmlRow){.theta = v3_neg(b)}; // (3)
    J[2 * POINT + 1] = (TmlRow){.theta = b};
}

static void constant_velocity_gamma(const TmlElementIn *in, double *gamma)
{
    const TmlVec3 wi = in->e[0].omega, wj = in->e[1].omega, u = v3_sub(wj, wi);
    const TmlQuat p = relative(in);
    tml_prims_gamma(origins, POINT, in, gamma);
    gamma[POINT] =
        0.5 * p.z * v3_dot(u, u) - v3_dot(halving(&in->e[0].A, p), v3_cross(wj, wi)); // (5)
}

/* K[row.., col..] += along skew(b) + across I */
static void block_add(double *K, int row, int col, double along, TmlVec3 b, double across)
{
    const TmlMat33 S = m3_skew(b);
    const TmlVec3 column[3] = {S.cx, S.cy, S.cz};
    for (int k = 0; k < 3; ++k) {
        double *at = K + row * NK + col + k;
        at[0] += along * column[k].x;
        at[NK] += along * column[k].y;
        at[2 * NK] += along * column[k].z;
        at[k * NK] += across;
    }
}

static void constant_velocity_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    const TmlQuat p = relative(in);
    const TmlVec3 b = halving(&in->e[0].A, p);
    const double half = 0.5 * lambda[POINT], twist = half * p.z;
    block_add(K, TI, TI, half, b, -twist); // (4); theta x b = -skew(b) theta
    block_add(K, TI, TJ, half, b, twist);
    block_add(K, TJ, TI, -half, b, twist);
    block_add(K, TJ, TJ, -half, b, -twist);
}

static void constant_velocity_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    const TmlVec3 wi = in->e[0].omega, wj = in->e[1].omega, u = v3_sub(wj, wi);
    const TmlVec3 c = v3_cross(wj, wi);
    const TmlQuat p = relative(in);
    const TmlVec3 b = halving(&in->e[0].A, p);
    const TmlVec3 same = v3_scale(-0.5, v3_cross(b, c));
    const TmlVec3 opposite = v3_axpy(0.5 * p.z, c, v3_scale(0.25 * v3_dot(u, u), b));
    tml_prims_gamma_tangent(origins, POINT, in, Gm, Gv);
    Gm[2 * POINT] = (TmlRow){.theta = v3_sub(same, opposite)}; // (6)
    Gm[2 * POINT + 1] = (TmlRow){.theta = v3_add(same, opposite)};
    Gv[2 * POINT] = (TmlRow){.theta = v3_axpy(-p.z, u, v3_cross(wj, b))};
    Gv[2 * POINT + 1] = (TmlRow){.theta = v3_axpy(p.z, u, v3_cross(b, wi))};
}

static void constant_velocity_commit(const TmlElementIn *in, double *memory)
{
    const TmlQuat p = relative(in);
    memory[0] = p.w;
    memory[1] = p.x;
    memory[2] = p.y;
    memory[3] = p.z;
}

TML_CONSTRAINT_TYPE(constant_velocity) = {
    .info = {.name = "constant_velocity",
             .text = "Two shafts along z of their frames meet at a point and turn at the same "
                     "speed, whatever the angle between them."},
    .ends = TML_ENDS_FRAMES,
    .rows = ROWS,
    .n_memory = MEMORY,
    .row_names = constant_velocity_rows,
    .turns_only = true,
    .residual = constant_velocity_residual,
    .jacobian = constant_velocity_jacobian,
    .gamma = constant_velocity_gamma,
    .curvature = constant_velocity_curvature,
    .gamma_tangent = constant_velocity_gamma_tangent,
    .commit = constant_velocity_commit,
};
