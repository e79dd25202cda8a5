/* adams/translate/acting.c - which forces and constraints name a marker.
 *
 * Looked for once, when it is first asked: columns of forces between markers would else look at all
 * statements, each of them.
 */
#include <string.h>

#include "adams/dataset/dataset.h"

typedef struct Index {
    TmlAdm *adm;
    int *count; /* n + 1: of a marker, later the place of its next entry */
    int *last;  /* n: the last element that was entered under a marker, and 1 */
    int *list;  /* NULL: only count */
} Index;

static void enter(Index *x, const TmlAdmItem *marker, int element)
{
    const ptrdiff_t k = marker != NULL ? marker - x->adm->item : -1;
    if (k < 0 || x->last[k] == element + 1) {
        return; // not there, or named twice
    }
    x->last[k] = element + 1;
    if (x->list != NULL) {
        x->list[x->count[k]] = element;
    }
    x->count[k]++;
}

/* Markers of one argument. An expression of a constraint names markers among other numbers. */
static void enter_argument(Index *x, const TmlAdmArg *arg, int element)
{
    TmlAdmItem *marker;
    for (int at = 0; tml_adm_next_ref(x->adm, arg, "MARKER", &at, &marker);) {
        enter(x, marker, element);
    }
}

static void enter_element(Index *x, int element)
{
    static const char *const names[] = {"I", "J", "IFLOAT", "JFLOAT"};
    TmlAdmItem *e = &x->adm->item[element], *i = NULL, *j = NULL;
    const char *keyword = e->syntax->name;
    if (strcmp(keyword, "REQUEST") == 0 || e->syntax->use != TML_ADM_USED) {
        return;
    }
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        const TmlAdmArg *arg = tml_adm_arg(e, names[k]);
        if (arg != NULL) {
            enter_argument(x, arg, element);
        }
    }
    const TmlAdmArg *function = tml_adm_arg(e, "FUNCTION");
    if (strcmp(keyword, "GCON") == 0 && function != NULL) {
        enter_argument(x, function, element);
    }
    if (strcmp(keyword, "MOTION") == 0 && tml_adm_ends(x->adm, e, &i, &j)) { // of its joint
        enter(x, i, element);
        enter(x, j, element);
    }
}

static void enter_all(Index *x)
{
    memset(x->last, 0, (size_t)x->adm->n * sizeof *x->last);
    for (int k = 0; k < x->adm->n; ++k) {
        enter_element(x, k);
    }
}

/* Counts become the places where the lists begin. */
static int begin_lists(int *count, int n)
{
    int sum = 0;
    for (int k = 0; k <= n; ++k) {
        const int own = k < n ? count[k] : 0;
        count[k] = sum;
        sum += own;
    }
    return sum;
}

static void make_index(TmlAdm *adm)
{
    const size_t n = (size_t)adm->n;
    Index x = {adm, tml_arena_alloc(adm->arena, n + 1, sizeof *x.count),
               tml_arena_alloc(adm->arena, n, sizeof *x.last), NULL};
    int *start = tml_arena_alloc(adm->arena, n + 1, sizeof *start);
    if (x.count == NULL || x.last == NULL || start == NULL) {
        adm->nomem = true;
        return;
    }
    enter_all(&x);
    const int total = begin_lists(x.count, adm->n);
    memcpy(start, x.count, (n + 1) * sizeof *start);
    x.list = tml_arena_alloc(adm->arena, (size_t)total, sizeof *x.list);
    if (x.list == NULL) {
        adm->nomem = true;
        return;
    }
    enter_all(&x);
    adm->acting_start = start;
    adm->acting = x.list;
}

int tml_adm_acting(TmlAdm *adm, const TmlAdmItem *marker, const int **list)
{
    *list = NULL;
    if (adm->acting == NULL && !adm->nomem) {
        make_index(adm);
    }
    if (adm->acting == NULL) {
        return 0;
    }
    const ptrdiff_t k = marker - adm->item;
    *list = adm->acting + adm->acting_start[k];
    return adm->acting_start[k + 1] - adm->acting_start[k];
}
