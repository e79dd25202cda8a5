/* system/matrix/inverse.c - see inverse.h. */
#include "system/matrix/inverse.h"

#include <math.h>

/* A multiplication of a factorisation takes as long as so many of a product, which runs through memory in order. */
static const double factor_cost = 2.0;
/* The one in use stays until the other takes this part of it. */
static const double clearly = 0.7;
/* Products a right side as long as none was seen; and what is noted of one that did not converge. */
static const double products_unseen = 8.0, products_failed = 400.0;
/* What a pattern takes is looked at again when it has so many times as many entries as when that was done, or as few. Heaps get denser by
 * a few contacts at a time, and fill grows faster than entries. */
static const double other_pattern = 1.1;
/* A new value has this part in the averages. */
static const double fresh = 0.25;

bool tml_inverse_iterates(const TmlInverseWork *w, double cq, bool now)
{
    double products = products_unseen;
    if (w->products > 0.0) {
        products =
            w->products_cq > 0.0 ? w->products * sqrt(fmax(cq, 0.0) / w->products_cq) : w->products;
    }
    const double direct = factor_cost * w->factor + w->solves * w->solve;
    const double iterative = w->take + w->solves * fmax(products, 1.0) * w->product;
    return now ? clearly * iterative <= direct : iterative < clearly * direct;
}

/* What a pattern takes, once: an analysis without a factorisation. */
static void look(TmlInverse *l, const TmlCsc *A, TmlInverseStats *stats)
{
    if (!l->known) {
        const int64_t analysed = tml_lu_info(l->lu)->analyses;
        tml_lu_predict(l->lu, A, &l->work.factor, &l->work.solve);
        stats->analyses += tml_lu_info(l->lu)->analyses - analysed;
        l->work.take = tml_iterative_take_work(l->iterative);
        l->work.product = tml_iterative_product_work(l->iterative);
        l->work.solves = fmax(l->work.solves, 1.0);
        l->known = true;
        l->entries = A->start[A->cols];
    }
}

void tml_inverse_inherit(TmlInverse *l, const TmlInverse *before, double entries)
{
    l->work = before->work;
    l->entries = before->entries;
    l->known = before->known && entries < other_pattern * l->entries &&
               other_pattern * entries > l->entries;
    l->iterates = before->iterates;
    l->solves = before->solves;
}

static int factor(TmlInverse *l, const TmlCsc *A, TmlInverseStats *stats)
{
    const TmlLuInfo *lu = tml_lu_info(l->lu);
    const int64_t pivoted = lu->factors, repeated = lu->refactors, analysed = lu->analyses;
    const int column = tml_lu_refactor(l->lu, A);
    stats->factors += lu->factors - pivoted;
    stats->refactors += lu->refactors - repeated;
    stats->analyses += lu->analyses - analysed;
    l->iterates = false;
    return column;
}

int tml_inverse_take(TmlInverse *l, const TmlCsc *A, TmlSolver solver, double cq,
                     TmlInverseStats *stats)
{
    if (l->iterative == NULL || solver == TML_SOLVER_DIRECT) {
        return factor(l, A, stats);
    }
    if (l->solves > 0) {
        l->work.solves += fresh * ((double)l->solves - l->work.solves);
    }
    l->solves = 0;
    l->cq = cq;
    bool iterates = solver == TML_SOLVER_ITERATIVE;
    if (!iterates) {
        look(l, A, stats);
        iterates = tml_inverse_iterates(&l->work, cq, l->iterates);
    }
    if (!iterates) {
        return factor(l, A, stats);
    }
    const int column = tml_iterative_take(l->iterative, A);
    l->iterates = column < 0;
    return column < 0 ? -1 : factor(l, A, stats); // a block may be singular where the matrix is not
}

static void note_products(TmlInverse *l, double products)
{
    TmlInverseWork *w = &l->work;
    // what was seen for another c_q first becomes what it would have been for this one
    const bool seen = w->products > 0.0 && w->products_cq > 0.0 && l->cq > 0.0;
    const double before = seen ? w->products * sqrt(l->cq / w->products_cq) : products;
    w->products = before + fresh * (products - before);
    w->products_cq = l->cq;
}

void tml_inverse_solve(TmlInverse *l, double accuracy, double *x, TmlInverseStats *stats)
{
    l->solves++;
    if (!l->iterates) {
        tml_lu_solve(l->lu, x);
        return;
    }
    const int products = tml_iterative_solve(l->iterative, accuracy, x);
    if (products >= 0) {
        stats->iterated++;
        stats->products += products;
        note_products(l, products);
        return;
    }
    const TmlCsc A = tml_iterative_matrix(l->iterative);
    l->work.products = products_failed;
    l->work.products_cq = l->cq;
    if (factor(l, &A, stats) < 0) {
        tml_lu_solve(l->lu, x);
        return;
    }
    for (int k = 0; k < A.cols; ++k) {
        x[k] = (double)NAN;
    }
}

void tml_inverse_free(TmlInverse *l)
{
    tml_lu_free(l->lu);
    tml_iterative_free(l->iterative);
    l->lu = NULL;
    l->iterative = NULL;
}
