/* base/nearest.c - edit distance with swaps of neighbours.
 *
 *   (N1)  D(i, j) = min of D(i-1, j) + 1, D(i, j-1) + 1, D(i-1, j-1) + [a_i != b_j] and, where
 *         a_i a_{i-1} = b_{j-1} b_j, D(i-2, j-2) + 1                                       own
 */
#include "base/nearest.h"

#include <stdlib.h>
#include <string.h>

/* Longer words are names made by programs; suggestions do not help there. */
enum { WORD_MAX = 64 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Distances of `limit` and more all count the same: a word is left at the first two rows without
 * anything smaller, since later rows of (N1) follow from these and never fall. */
static int distance(const char *a, int n_a, const char *b, int n_b, int limit)
{
    if (abs(n_a - n_b) >= limit) {
        return limit;
    }
    int row[3][WORD_MAX + 1]; // rows i - 2, i - 1 and i of (N1)
    int *older = row[0], *old = row[1], *now = row[2];
    for (int j = 0; j <= n_b; ++j) {
        older[j] = 0;
        old[j] = j;
    }
    int least_old = 0;
    for (int i = 1; i <= n_a; ++i) {
        now[0] = i;
        int least_now = i;
        for (int j = 1; j <= n_b; ++j) {
            const char ca = lower(a[i - 1]), cb = lower(b[j - 1]);
            int d = least(least(old[j], now[j - 1]) + 1, old[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == lower(b[j - 2]) && cb == lower(a[i - 2])) {
                d = least(d, older[j - 2] + 1);
            }
            now[j] = d; // (N1)
            least_now = least(least_now, d);
        }
        if (least(least_old, least_now) >= limit) {
            return limit;
        }
        least_old = least_now;
        int *free_row = older;
        older = old;
        old = now;
        now = free_row;
    }
    return old[n_b];
}

/* Allowed mistakes: about one in three letters, so that short words match only near relatives. */
static int allowance(int length)
{
    return length < 2 ? 0 : length < 6 ? 1 : length < 10 ? 2 : 3;
}

const char *tml_nearest(const char *word, const char *const *candidates, int n)
{
    const size_t length = strlen(word);
    if (length == 0 || length > WORD_MAX) {
        return NULL;
    }
    const char *best = NULL;
    int best_distance = allowance((int)length) + 1;
    for (int k = 0; k < n; ++k) {
        const size_t other = strlen(candidates[k]);
        if (other == 0 || other > WORD_MAX) {
            continue;
        }
        const int d = distance(word, (int)length, candidates[k], (int)other, best_distance);
        if (d < best_distance) {
            best = candidates[k];
            best_distance = d;
        }
    }
    return best;
}
