/* io/study/sobol.c - Sobol's sequence: points that fill a cube evenly.
 *
 * A dimension has a primitive polynomial over the field of two elements, x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1, and
 * odd numbers m_i < 2^i. With the direction numbers v_i = m_i / 2^i
 *
 *   (Q1)  m_i = 2 a_1 m_(i-1) ^ 4 a_2 m_(i-2) ^ ... ^ 2^s m_(i-s) ^ m_(i-s)          i > s
 *   (Q2)  x_n = g_1 v_1 ^ g_2 v_2 ^ ...,   g: the bits of n ^ n/2 (Gray's code)
 *
 * Polynomials and first numbers are those of S. Joe and F. Y. Kuo, Constructing Sobol sequences with better
 * two-dimensional projections, SIAM J. Sci. Comput. 30 (2008), file new-joe-kuo-6. The first dimension is van der
 * Corput's: m_i = 1.
 */
#include "io/study/study.h"

enum { BITS = 32, DEGREE_MAX = 7 };

typedef struct Polynomial {
    int degree;
    uint32_t coefficients; /* a_1 ... a_(s-1) as bits, a_1 the highest */
    uint32_t m[DEGREE_MAX];
} Polynomial;

static const Polynomial polynomials[TML_SOBOL_MAX - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

const uint32_t *tml_sobol_numbers(int dimension, int *degree, uint32_t *coefficients)
{
    const Polynomial *p = &polynomials[dimension - 1];
    *degree = p->degree;
    *coefficients = p->coefficients;
    return p->m;
}

/* The numbers m_i of a dimension, i from 1. */
static void numbers(int dimension, uint32_t m[BITS + 1])
{
    for (int i = 1; i <= BITS; ++i) {
        if (dimension == 0) {
            m[i] = 1;
            continue;
        }
        const Polynomial *p = &polynomials[dimension - 1];
        const int s = p->degree;
        if (i <= s) {
            m[i] = p->m[i - 1];
            continue;
        }
        m[i] = m[i - s] ^ (uint32_t)((uint64_t)m[i - s] << s); // (Q1)
        for (int k = 1; k < s; ++k) {
            if ((p->coefficients >> (s - 1 - k) & 1) != 0) {
                m[i] ^= (uint32_t)((uint64_t)m[i - k] << k);
            }
        }
    }
}

double tml_sobol(int dimension, uint32_t index, uint32_t shift)
{
    uint32_t m[BITS + 1], x = shift;
    numbers(dimension, m);
    const uint32_t gray = index ^ index >> 1;
    for (int i = 1; i <= BITS; ++i) { // (Q2)
        if ((gray >> (i - 1) & 1) != 0) {
            x ^= m[i] << (BITS - i);
        }
    }
    return x * 0x1p-32;
}
