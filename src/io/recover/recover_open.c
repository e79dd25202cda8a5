/* io/recover/recover_open.c - opens a result file and the parts of its modal bodies. */
#include "io/recover/recover.h"

#include "io/results/hdf5_driver.h"
#include "io/results/part_mark.h"
#include "model/modal/modal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A part that was reduced anew since the run has other modes: its stresses would be wrong without a word. */
static TmlStatus check_part(const TmlResultModal *m, const char *path, const TmlPart *part,
                            TmlError *err)
{
    if (m->m != part->m) {
        return tml_fail(err, TML_E_IO, "'%s' has %d modes, the run of '%s' had %d", path, part->m,
                        m->name, m->m);
    }
    for (int j = 0; j < m->m; ++j) {
        // the numbers come from the same file, or from another reduction
        if (!(fabs(m->hertz[j] - part->hertz[j]) <= 1e-12 * fabs(m->hertz[j]))) {
            return tml_fail(err, TML_E_IO,
                            "'%s' is not the part of the run: mode %d of '%s' had %.9g Hz, here it "
                            "has %.9g",
                            path, j + 1, m->name, m->hertz[j], part->hertz[j]);
        }
        double size = 0.0;
        const double mark = tml_part_mark(part, j, &size);
        if (!(fabs(mark - m->mark[j]) <= 1e-12 * size)) {
            return tml_fail(err, TML_E_IO,
                            "'%s' is not the part of the run: mode %d of '%s' has another shape or "
                            "sign",
                            path, j + 1, m->name);
        }
    }
    return TML_OK;
}

/* Is mode i of the part mode j of the run? */
static bool is_mode(const TmlResultModal *m, int j, const TmlPart *part, int i)
{
    double size = 0.0;
    const double mark = tml_part_mark(part, i, &size);
    return fabs(m->hertz[j] - part->hertz[i]) <= 1e-12 * fabs(m->hertz[j]) &&
           fabs(mark - m->mark[j]) <= 1e-12 * size;
}

/* A body may have kept some of the modes (`modes`), in their order: these are taken. What does not fit stays as it is, and
 * is told by check_part. */
static TmlStatus take_kept(const TmlResultModal *m, TmlArena *arena, TmlPart *part, TmlError *err)
{
    const TmlPart whole = *part;
    int *mode, n = 0;
    TML_NEW(arena, mode, m->m + 1);
    for (int i = 0; i < whole.m && n < m->m; ++i) {
        if (is_mode(m, n, &whole, i)) {
            mode[n++] = i;
        }
    }
    return n == m->m && n < whole.m ? tml_part_pick(&whole, n, mode, arena, part, err) : TML_OK;
}

TmlStatus tml_recover_part_load(const TmlResultModal *m, const char *path, TmlArena *arena,
                                TmlPart *out, TmlError *err)
{
    TML_TRY(tml_part_take(path, arena, out, err));
    TML_TRY(take_kept(m, arena, out, err));
    return check_part(m, path, out, err);
}

static TmlStatus part_open(TmlRecovery *r, TmlResultModal *m, const char *other, TmlRecoverPart *b,
                           TmlError *err)
{
    *b = (TmlRecoverPart){.result = m};
    b->path = tml_arena_strdup(&r->arena, other != NULL ? other : m->part);
    b->item = tml_result_item(&r->file.set[TML_RESULT_BODIES], m->name);
    if (b->path == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    if (b->item < 0) {
        return tml_fail(err, TML_E_IO, "damaged: no body '%s'", m->name);
    }
    const TmlStatus status = tml_recover_part_load(m, b->path, &r->arena, &b->part, err);
    return status == TML_OK
               ? TML_OK
               : tml_fail_ctx(err, status, "part of '%s' (--part %s=PART.h5 names another file)",
                              m->name, m->name);
}

static const char *other_path(const char *of, int n, const char *const *name,
                              const char *const *path)
{
    for (int k = n - 1; k >= 0; --k) {
        if (strcmp(of, name[k]) == 0) {
            return path[k];
        }
    }
    return NULL;
}

static TmlStatus check_names(const TmlRecovery *r, int n, const char *const *name, TmlError *err)
{
    for (int k = 0; k < n; ++k) {
        bool found = false;
        for (int i = 0; i < r->n_modal; ++i) {
            found |= strcmp(r->modal[i].name, name[k]) == 0;
        }
        if (!found) {
            return tml_fail(err, TML_E_ARGUMENT, "there is no modal body '%s'", name[k]);
        }
    }
    return TML_OK;
}

static TmlStatus open_all(TmlRecovery *r, int n, const char *const *name, const char *const *path,
                          TmlError *err)
{
    const TmlResultSet *bodies = &r->file.set[TML_RESULT_BODIES];
    TML_TRY(tml_result_modal(&r->file, &r->n_modal, &r->modal, err));
    if (r->n_modal == 0) {
        return tml_fail(err, TML_E_ARGUMENT, "there is no modal body in it");
    }
    TML_TRY(check_names(r, n, name, err));
    r->position = tml_result_field(bodies, "position");
    r->orientation = tml_result_field(bodies, "orientation");
    if (r->position < 0 || r->orientation < 0 || bodies->field[r->position].width != 3 ||
        bodies->field[r->orientation].width != 4) {
        return tml_fail(err, TML_E_IO, "damaged: bodies without position or orientation");
    }
    TML_NEW(&r->arena, r->at, r->n_modal);
    for (int k = 0; k < r->n_modal; ++k) {
        TmlResultModal *m = &r->modal[k];
        if (m->m > 0) { // a rigid part has no stress
            TML_TRY(part_open(r, m, other_path(m->name, n, name, path), &r->at[r->n++], err));
        }
    }
    (void)tml_recovery_window(r, (double)NAN, (double)NAN);
    return TML_OK;
}

TmlStatus tml_recovery_open(const char *results, int n, const char *const *name,
                            const char *const *path, TmlRecovery **out, TmlError *err)
{
    *out = NULL;
    TmlRecovery *r = tml_mem_zalloc(1, sizeof *r);
    if (r == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TmlStatus status = tml_result_open(results, &r->file, err);
    if (status == TML_OK) {
        status = tml_h5_reads_check(open_all(r, n, name, path, err), err);
        status = status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", results);
    }
    if (status != TML_OK) {
        tml_recovery_free(r);
        return status;
    }
    *out = r;
    return TML_OK;
}

void tml_recovery_free(TmlRecovery *r)
{
    if (r == NULL) {
        return;
    }
    tml_result_modal_close(r->n_modal, r->modal);
    tml_result_close(&r->file);
    tml_arena_free(&r->arena);
    tml_mem_free(r);
}

int tml_recovery_count(const TmlRecovery *r)
{
    return r->n;
}

TmlRecoverBody tml_recovery_body(const TmlRecovery *r, int body)
{
    if (body < 0 || body >= r->n) {
        return (TmlRecoverBody){0};
    }
    const TmlPart *p = &r->at[body].part;
    return (TmlRecoverBody){.name = r->at[body].result->name,
                            .part = r->at[body].path,
                            .modes = p->m,
                            .nodes = p->n_nodes,
                            .triangles = p->n_triangles,
                            .shapes = p->shape != NULL,
                            .stresses = p->stress != NULL,
                            .strains = p->stress != NULL && p->elastic != NULL};
}

int tml_recovery_node(const TmlRecovery *r, int body, int64_t node)
{
    const TmlPart *p = body >= 0 && body < r->n ? &r->at[body].part : NULL;
    for (int k = 0; p != NULL && p->id != NULL && k < p->n_nodes; ++k) {
        if (p->id[k] == node) {
            return k;
        }
    }
    return -1;
}

int64_t tml_recovery_place(const TmlRecovery *r, int body, int index, char text[TML_PLACE_MAX])
{
    const TmlPart *p = body >= 0 && body < r->n ? &r->at[body].part : NULL;
    text[0] = '\0';
    if (p == NULL || index < 0 || index >= p->n_nodes) {
        return -1;
    }
    const long long id = p->id != NULL ? (long long)p->id[index] : index + 1;
    const long long element = p->element != NULL ? (long long)p->element[index] : 0;
    const int side = p->side != NULL ? (int)p->side[index] : TML_PART_NODE;
    char of_element[32] = "", of_side[16] = "";
    if (element != 0) {
        snprintf(of_element, sizeof of_element, ".e%lld", element);
    }
    if (side >= TML_PART_FIBRE) {
        snprintf(of_side, sizeof of_side, ".f%d", side - TML_PART_FIBRE + 1);
    } else if (side != TML_PART_NODE) {
        snprintf(of_side, sizeof of_side, "%s", side == TML_PART_TOP ? ".top" : ".bottom");
    }
    snprintf(text, TML_PLACE_MAX, "%lld%s%s", id, of_element, of_side);
    return id;
}

int64_t tml_recovery_window(TmlRecovery *r, double from, double until)
{
    int64_t last = r->file.rows;
    r->first = 0;
    while (!isnan(from) && r->first < last && r->file.time[r->first] < from) {
        r->first++;
    }
    while (!isnan(until) && last > r->first && r->file.time[last - 1] > until) {
        last--;
    }
    r->rows = last - r->first;
    return r->rows;
}
