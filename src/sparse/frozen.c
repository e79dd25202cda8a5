/* sparse/frozen.c - factors as bytes, and back: what KLU holds of a factorisation, number by number.
 *
 * Factors could be computed anew from the matrix, but not by the same sequence of pivots and refactorisations: copies solve to
 * the same bits. KLU's structures are those of klu.h; arrays have the lengths with which klu_analyze and klu_factor make
 * them.
 */
#include "sparse/factors.h"

#include "base/block.h"

#include <string.h>

/* One array: its place in KLU's structure, and its bytes. */
typedef struct Array {
    void **at;
    size_t bytes;
} Array;

/* Of a number, and of the unit in which KLU counts the memory of its blocks. */
static size_t number_size(int width)
{
    return (size_t)width * sizeof(double);
}

enum { SYMBOLIC_ARRAYS = 4, NUMERIC_ARRAYS = 12 };

static int symbolic_arrays(klu_symbolic *s, Array a[SYMBOLIC_ARRAYS])
{
    const size_t n = (size_t)s->n;
    a[0] = (Array){(void **)&s->P, n * sizeof(int)};
    a[1] = (Array){(void **)&s->Q, n * sizeof(int)};
    a[2] = (Array){(void **)&s->R, (n + 1) * sizeof(int)};
    a[3] = (Array){(void **)&s->Lnz, n * sizeof(double)};
    return SYMBOLIC_ARRAYS;
}

/* All but Iwork, which lies in Work, and the blocks of LUbx. */
static int numeric_arrays(klu_numeric *s, int width, Array a[NUMERIC_ARRAYS])
{
    const size_t n = (size_t)s->n, off = (size_t)s->nzoff, number = number_size(width);
    a[0] = (Array){(void **)&s->Pnum, n * sizeof(int)};
    a[1] = (Array){(void **)&s->Pinv, n * sizeof(int)};
    a[2] = (Array){(void **)&s->Lip, n * sizeof(int)};
    a[3] = (Array){(void **)&s->Uip, n * sizeof(int)};
    a[4] = (Array){(void **)&s->Llen, n * sizeof(int)};
    a[5] = (Array){(void **)&s->Ulen, n * sizeof(int)};
    a[6] = (Array){(void **)&s->LUsize, (size_t)s->nblocks * sizeof(size_t)};
    a[7] = (Array){&s->Udiag, n * number};
    a[8] = (Array){(void **)&s->Rs, n * sizeof(double)};
    a[9] = (Array){(void **)&s->Offp, (n + 1) * sizeof(int)};
    a[10] = (Array){(void **)&s->Offi, (off + 1) * sizeof(int)};
    a[11] = (Array){&s->Offx, (off + 1) * number};
    return NUMERIC_ARRAYS;
}

static void put_arrays(int n, const Array *a, TmlBytes *out)
{
    for (int k = 0; k < n; ++k) {
        const bool there = *a[k].at != NULL;
        tml_bytes_put(out, &there, sizeof there);
        if (there) {
            tml_bytes_put(out, *a[k].at, a[k].bytes);
        }
    }
}

/* All pointers are NULL, or KLU's to free, whatever happens. */
static bool get_arrays(int n, const Array *a, klu_common *common, TmlBytes *in)
{
    for (int k = 0; k < n; ++k) {
        *a[k].at = NULL;
    }
    for (int k = 0; k < n; ++k) {
        bool there = false;
        if (!tml_bytes_get(in, &there, sizeof there)) {
            return false;
        }
        if (there) {
            if (a[k].bytes > in->n - in->read) {
                in->failed = true;
                return false;
            }
            *a[k].at = klu_malloc(a[k].bytes, 1, common);
            if (*a[k].at == NULL || !tml_bytes_get(in, *a[k].at, a[k].bytes)) {
                return false;
            }
        }
    }
    return true;
}

static bool get_symbolic(klu_symbolic **out, klu_common *common, TmlBytes *in)
{
    Array a[SYMBOLIC_ARRAYS];
    klu_symbolic *s = klu_malloc(sizeof *s, 1, common);
    if (s == NULL) {
        return false;
    }
    memset(s, 0, sizeof *s);
    *out = s;
    klu_symbolic read;
    if (!tml_bytes_get(in, &read, sizeof read) || read.n < 0) {
        return false;
    }
    *s = read;
    return get_arrays(symbolic_arrays(s, a), a, common, in);
}

static void put_numeric(klu_numeric *s, int width, TmlBytes *out)
{
    Array a[NUMERIC_ARRAYS];
    tml_bytes_put(out, s, sizeof *s);
    const uint64_t iwork = (uint64_t)((char *)s->Iwork - (char *)s->Work);
    tml_bytes_put(out, &iwork, sizeof iwork);
    put_arrays(numeric_arrays(s, width, a), a, out);
    for (int k = 0; k < s->nblocks;
         ++k) { // KLU does not set LUsize of blocks of one row, which have no factors
        const uint64_t bytes = s->LUbx[k] != NULL ? s->LUsize[k] * number_size(width) : 0;
        tml_bytes_put(out, &bytes, sizeof bytes);
        tml_bytes_put(out, s->LUbx[k], bytes);
    }
}

static bool get_blocks_of(klu_numeric *s, int width, klu_common *common, TmlBytes *in)
{
    s->LUbx = klu_malloc((size_t)s->nblocks, sizeof(void *), common);
    if (s->LUbx == NULL) {
        return false;
    }
    memset(s->LUbx, 0, (size_t)s->nblocks * sizeof(void *));
    for (int k = 0; k < s->nblocks; ++k) {
        uint64_t bytes = 0;
        if (!tml_bytes_get(in, &bytes, sizeof bytes) || bytes > in->n - in->read ||
            (bytes > 0 && bytes != s->LUsize[k] * number_size(width))) {
            in->failed = true;
            return false;
        }
        if (bytes > 0) {
            s->LUbx[k] = klu_malloc(bytes, 1, common);
            if (s->LUbx[k] == NULL || !tml_bytes_get(in, s->LUbx[k], bytes)) {
                return false;
            }
        }
    }
    return true;
}

static bool get_numeric(klu_numeric **out, int width, klu_common *common, TmlBytes *in)
{
    Array a[NUMERIC_ARRAYS];
    klu_numeric *s = klu_malloc(sizeof *s, 1, common), read;
    if (s == NULL) {
        return false;
    }
    memset(s, 0, sizeof *s);
    *out = s;
    uint64_t iwork = 0;
    if (!tml_bytes_get(in, &read, sizeof read) || !tml_bytes_get(in, &iwork, sizeof iwork) ||
        read.n < 0 || read.nblocks < 0 || read.nzoff < 0 || iwork > read.worksize) {
        in->failed = true;
        return false;
    }
    *s = read;
    s->LUbx = NULL;
    s->Work = s->Xwork = NULL;
    s->Iwork = NULL;
    const int nblocks = s->nblocks;
    s->nblocks = 0; // nothing to free while the lengths are not there
    if (!get_arrays(numeric_arrays(&read, width, a), a, common, in)) {
        read.LUbx = NULL, read.Work = read.Xwork = NULL, read.Iwork = NULL, read.nblocks = 0;
        *s = read;
        return false;
    }
    read.LUbx = NULL;
    read.Work = read.Xwork = NULL;
    *s = read;
    s->nblocks = nblocks;
    s->Work = klu_malloc(s->worksize, 1, common);
    if (s->Work == NULL) {
        return false;
    }
    memset(s->Work, 0, s->worksize); // KLU finds zeros here, and leaves them
    s->Xwork = s->Work;
    s->Iwork = (int *)((char *)s->Work + iwork);
    return get_blocks_of(s, width, common, in);
}

static void freeze(const void *block, TmlBytes *out)
{
    const TmlLuFactors *f = block;
    for (int k = 0; k < TML_FACTOR_PLANS; ++k) {
        klu_symbolic *s = f->plan[k].symbolic;
        const bool there = s != NULL;
        tml_bytes_put(out, &there, sizeof there);
        if (there) {
            Array a[SYMBOLIC_ARRAYS];
            tml_bytes_put(out, s, sizeof *s);
            put_arrays(symbolic_arrays(s, a), a, out);
        }
    }
    const bool there = f->numeric != NULL;
    tml_bytes_put(out, &there, sizeof there);
    if (there) {
        put_numeric(f->numeric, f->klu->width, out);
    }
}

static bool thaw(void *block, TmlBytes *in)
{
    TmlLuFactors *f = block;
    f->numeric = NULL;
    for (int k = 0; k < TML_FACTOR_PLANS; ++k) {
        f->plan[k].symbolic = NULL;
    }
    bool there = false;
    for (int k = 0; k < TML_FACTOR_PLANS; ++k) {
        if (!tml_bytes_get(in, &there, sizeof there) ||
            (there && !get_symbolic(&f->plan[k].symbolic, &f->plan[k].common, in))) {
            return false;
        }
    }
    if (!tml_bytes_get(in, &there, sizeof there)) {
        return false;
    }
    const bool known = f->chosen >= 0 && f->chosen < TML_FACTOR_PLANS;
    return !there ||
           (known && get_numeric(&f->numeric, f->klu->width, &f->plan[f->chosen].common, in));
}

static void drop(void *block)
{
    TmlLuFactors *f = block;
    if (f->numeric != NULL) {
        f->klu->free_numeric(&f->numeric, &f->plan[f->chosen].common);
    }
    for (int k = 0; k < TML_FACTOR_PLANS; ++k) {
        if (f->plan[k].symbolic != NULL) {
            klu_free_symbolic(&f->plan[k].symbolic, &f->plan[k].common);
        }
    }
}

const TmlBlockKind tml_lu_factors_kind = {freeze, thaw, drop};
