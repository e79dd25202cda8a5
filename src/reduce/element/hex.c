/* reduce/element/hex.c - corners, edges, faces and shape functions of hexahedra.
 *
 * With c the natural coordinates of a node, each of them -1, 0 or 1:
 *
 *   (B1)  8 nodes   N = prod_i (1 + c_i x_i) / 8
 *   (B2)  20 nodes  corners  N = prod_i (1 + c_i x_i) (sum_i c_i x_i - 2) / 8
 *                   edges    N = (1 - x_k^2) prod_{i != k} (1 + c_i x_i) / 4,  c_k = 0
 */
#include "reduce/element/hex.h"

const double tml_hex_node_at[20][3] = {
    {-1, -1, -1}, {1, -1, -1}, {1, 1, -1},  {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1},
    {-1, 1, 1},   {0, -1, -1}, {1, 0, -1},  {0, 1, -1},  {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},
    {0, 1, 1},    {-1, 0, 1},  {-1, -1, 0}, {1, -1, 0},  {1, 1, 0},   {-1, 1, 0}};
const int tml_hex_edge[12][2] = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {4, 5}, {5, 6},
                                 {6, 7}, {4, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
const int tml_hex8_face[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                 {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
const int tml_hex20_face[6][8] = {{0, 3, 2, 1, 11, 10, 9, 8},   {4, 5, 6, 7, 12, 13, 14, 15},
                                  {0, 1, 5, 4, 8, 17, 12, 16},  {1, 2, 6, 5, 9, 18, 13, 17},
                                  {2, 3, 7, 6, 10, 19, 14, 18}, {3, 0, 4, 7, 11, 16, 15, 19}};
const int tml_hex20_msh[20] = {0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                               13, 9, 16, 18, 19, 17, 10, 12, 14, 15};

void tml_hex8_shape(const double at[3], double *N, double (*dN)[3])
{
    for (int a = 0; a < 8; ++a) { // (B1)
        const double *c = tml_hex_node_at[a];
        const double f[3] = {1.0 + c[0] * at[0], 1.0 + c[1] * at[1], 1.0 + c[2] * at[2]};
        N[a] = 0.125 * f[0] * f[1] * f[2];
        dN[a][0] = 0.125 * c[0] * f[1] * f[2];
        dN[a][1] = 0.125 * c[1] * f[2] * f[0];
        dN[a][2] = 0.125 * c[2] * f[0] * f[1];
    }
}

static void corner_shape(const double *c, const double at[3], double *N, double *dN)
{
    const double f[3] = {1.0 + c[0] * at[0], 1.0 + c[1] * at[1], 1.0 + c[2] * at[2]};
    const double sum = c[0] * at[0] + c[1] * at[1] + c[2] * at[2] - 2.0;
    *N = 0.125 * f[0] * f[1] * f[2] * sum; // (B2)
    for (int i = 0; i < 3; ++i) {
        dN[i] = 0.125 * c[i] * f[(i + 1) % 3] * f[(i + 2) % 3] * (sum + f[i]);
    }
}

static void edge_shape(const double *c, const double at[3], double *N, double *dN)
{
    const int k = c[0] == 0.0 ? 0 : c[1] == 0.0 ? 1 : 2, i = (k + 1) % 3, j = (k + 2) % 3;
    const double p = 1.0 - at[k] * at[k], fi = 1.0 + c[i] * at[i], fj = 1.0 + c[j] * at[j];
    *N = 0.25 * p * fi * fj; // (B2)
    dN[k] = -0.5 * at[k] * fi * fj;
    dN[i] = 0.25 * p * c[i] * fj;
    dN[j] = 0.25 * p * c[j] * fi;
}

void tml_hex20_shape(const double at[3], double *N, double (*dN)[3])
{
    for (int a = 0; a < 8; ++a) {
        corner_shape(tml_hex_node_at[a], at, &N[a], dN[a]);
    }
    for (int a = 8; a < 20; ++a) {
        edge_shape(tml_hex_node_at[a], at, &N[a], dN[a]);
    }
}
