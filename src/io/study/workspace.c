/* io/study/workspace.c - positions of a model over a grid of driven coordinates.
 *
 * Points are visited row by row, forwards and backwards in turn, so that each has a neighbour that was reached. From there the
 * drives move to it along
 *
 *   (K4)  s(x) = a + (b - a) x^3 (10 - 15 x + 6 x^2),   x = time from 0 to 1 s
 *
 * which starts and ends at rest without acceleration: forces at its end are those that hold the position. What a pass does not
 * reach is tried again from the other side. A parameter is set at once; joints then close from the neighbour's position. own
 */
#include "base/arena.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "io/export/csv.h"
#include "io/file/draft.h"
#include "io/text/textbuf.h"
#include "model/model.h"
#include "trammel/kinematics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AXES_MAX = 8, POINTS_MAX = 10000000, KEPT_MAX = 2000, PASSES = 4, NAME_TEXT = 48 };

struct TmlWorkspace {
    TmlArena arena;
    TmlModel *model;
    int n, points, columns, reached;
    TmlWorkspaceAxis axis[AXES_MAX];
    char from[AXES_MAX][NAME_TEXT], to[AXES_MAX][NAME_TEXT]; /* parameters of (K4) */
    bool joint[AXES_MAX];
    double *value; /* points x columns; NULL: columns are not known yet */
    bool *is_reached;
    const char **why, **name, **unit;
};

/* Sims of the points that were visited last, for neighbours to start from. */
typedef struct Kept {
    TmlSim **sim;
    TmlModel **model;
    int *point; /* cap: -1 nothing */
    int cap;
} Kept;

/* --- points ------------------------------------------------------------------------------------------------ */

static int index_of(const TmlWorkspace *w, int point, int axis)
{
    for (int k = w->n - 1; k > axis; --k) {
        point /= w->axis[k].count;
    }
    return point % w->axis[axis].count;
}

double tml_workspace_at(const TmlWorkspace *w, int point, int axis)
{
    if (point < 0 || point >= w->points || axis < 0 || axis >= w->n) {
        return (double)NAN;
    }
    const TmlWorkspaceAxis *a = &w->axis[axis];
    const int k = index_of(w, point, axis);
    return a->count > 1 ? a->from + (a->to - a->from) * k / (a->count - 1) : a->from;
}

/* The k-th point on the way that changes one index by one at a time. */
static int serpentine(const TmlWorkspace *w, int k)
{
    int point = 0, left = k, size = w->points;
    bool back = false;
    for (int a = 0; a < w->n; ++a) {
        const int count = w->axis[a].count;
        size /= count;
        const int at = left / size, here = back ? count - 1 - at : at;
        left %= size;
        point = point * count + here;
        back = here % 2 != 0 ? !back : back;
    }
    return point;
}

static bool beside(const TmlWorkspace *w, int a, int b)
{
    int apart = 0;
    for (int k = 0; k < w->n; ++k) {
        const int d = index_of(w, a, k) - index_of(w, b, k);
        apart += d < 0 ? -d : d;
    }
    return apart == 1;
}

/* --- one point ---------------------------------------------------------------------------------------------- */

static TmlStatus model_between(const TmlWorkspace *w, int from, int to, TmlModel **out,
                               TmlError *err)
{
    const char *names[2 * AXES_MAX];
    double values[2 * AXES_MAX];
    int n = 0;
    for (int k = 0; k < w->n; ++k) {
        if (w->joint[k]) {
            names[n] = w->from[k];
            values[n++] = tml_workspace_at(w, from, k);
        }
        names[n] = w->joint[k] ? w->to[k] : w->axis[k].name;
        values[n++] = tml_workspace_at(w, to, k);
    }
    return tml_model_with(w->model, n, names, values, out, err);
}

static TmlStatus make_columns(TmlWorkspace *w, const TmlSim *sim, TmlError *err)
{
    const int n = tml_row_channel_count(sim) + 1;
    TML_NEW(&w->arena, w->name, n);
    TML_NEW(&w->arena, w->unit, n);
    TML_NEW(&w->arena, w->value, (size_t)n * (size_t)w->points);
    w->columns = n;
    w->name[0] = "hold";
    w->unit[0] = "";
    for (int k = 1; k < n; ++k) {
        w->name[k] = tml_arena_strdup(&w->arena, tml_row_channel_name(sim, k - 1));
        w->unit[k] = tml_arena_strdup(&w->arena, tml_row_channel_unit(sim, k - 1));
        if (w->name[k] == NULL || w->unit[k] == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    for (size_t k = 0; k < (size_t)n * (size_t)w->points; ++k) {
        w->value[k] = (double)NAN;
    }
    return TML_OK;
}

static TmlStatus note_row(TmlWorkspace *w, TmlSim *sim, int point, TmlError *err)
{
    TML_TRY(tml_sim_row_at(sim, tml_sim_time(sim), err));
    if (w->value == NULL) {
        TML_TRY(make_columns(w, sim, err));
    }
    double *to = w->value + (size_t)point * (size_t)w->columns;
    for (int k = 1; k < w->columns; ++k) {
        to[k] = tml_row_channel(sim, k - 1);
    }
    to[0] = tml_row_hold(sim);
    w->is_reached[point] = true;
    w->reached++;
    return TML_OK;
}

/* Whether the rest of the points may still be reached after this. */
static bool is_local(TmlStatus status)
{
    return status == TML_E_STEP || status == TML_E_ASSEMBLY || status == TML_E_SINGULAR ||
           status == TML_E_NONFINITE || status == TML_E_MODEL;
}

/* Moves from the sim of a neighbour (NULL: from the model's own positions) to the point. */
static TmlStatus reach(TmlWorkspace *w, int from, const TmlSim *start, int point, TmlModel **model,
                       TmlSim **sim, TmlError *err)
{
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "kinematics";
    o.drive_channels = true;
    o.end_time = 1.0;
    o.output_step = 1.0;
    o.record_solver = false;
    o.from = start;
    o.start_time = start != NULL ? 0.0 : (double)NAN;
    TML_TRY(model_between(w, start != NULL ? from : point, point, model, err));
    TML_TRY(tml_sim_create(*model, &o, sim, err));
    bool moves = false;
    for (int k = 0; k < w->n; ++k) {
        moves |= w->joint[k] && tml_workspace_at(w, from, k) != tml_workspace_at(w, point, k);
    }
    if (start != NULL && moves) {
        TML_TRY(tml_sim_run(*sim, NULL, NULL, err));
    }
    return note_row(w, *sim, point, err);
}

/* --- all points --------------------------------------------------------------------------------------------- */

static void keep(Kept *kept, int k, int point, TmlModel *model, TmlSim *sim)
{
    const int at = k % kept->cap;
    tml_sim_free(kept->sim[at]);
    tml_model_free(kept->model[at]);
    kept->sim[at] = sim;
    kept->model[at] = model;
    kept->point[at] = sim != NULL ? point : -1;
}

/* Tries a point from the neighbours that are kept; without any from the model's own positions. */
static TmlStatus try_point(TmlWorkspace *w, Kept *kept, int k, int point, TmlError *err)
{
    TmlStatus status = TML_E_STEP;
    TmlError own = {0};
    bool tried = false;
    for (int i = 0; i <= kept->cap && status != TML_OK; ++i) {
        const bool last = i == kept->cap;
        TmlModel *model = NULL;
        TmlSim *sim = NULL;
        if (last ? tried && w->reached > 0
                 : kept->point[i] < 0 || !beside(w, kept->point[i], point)) {
            continue;
        }
        tried = true;
        status = reach(w, last ? point : kept->point[i], last ? NULL : kept->sim[i], point, &model,
                       &sim, &own);
        if (status == TML_OK) {
            keep(kept, k, point, model, sim);
            return TML_OK;
        }
        tml_sim_free(sim);
        tml_model_free(model);
        if (!is_local(status) || (status == TML_E_MODEL && w->value == NULL)) {
            return tml_fail(err, status, "%s", own.message); // the axes make no sense
        }
    }
    w->why[point] = tml_arena_strdup(&w->arena, own.message);
    keep(kept, k, point, NULL, NULL);
    return TML_OK;
}

static TmlStatus visit_all(TmlWorkspace *w, Kept *kept, bool (*progress)(void *, int, int),
                           void *user, TmlError *err)
{
    int before = -1;
    for (int pass = 0; pass < PASSES && w->reached < w->points && w->reached > before; ++pass) {
        before = w->reached;
        for (int k = 0; k < w->points; ++k) {
            const int point = serpentine(w, pass % 2 == 0 ? k : w->points - 1 - k);
            if (w->is_reached[point] && pass == 0) {
                continue;
            }
            if (progress != NULL && !progress(user, pass == 0 ? k : w->reached, w->points)) {
                return tml_fail(err, TML_E_CANCELLED, "cancelled at point %d of %d", k, w->points);
            }
            if (!w->is_reached[point]) {
                TML_TRY(try_point(w, kept, k, point, err));
            }
        }
    }
    return w->reached > 0 ? TML_OK
                          : tml_fail(err, TML_E_ASSEMBLY,
                                     "no point of the grid can be reached; the first: %.900s",
                                     w->why[0] != NULL ? w->why[0] : "");
}

static TmlStatus visit(TmlWorkspace *w, bool (*progress)(void *, int, int), void *user,
                       TmlError *err)
{
    const int layer = w->points / w->axis[0].count;
    Kept kept = {.cap = 2 * layer + 1 < KEPT_MAX ? 2 * layer + 1 : KEPT_MAX};
    kept.sim = tml_mem_zalloc((size_t)kept.cap, sizeof *kept.sim);
    kept.model = tml_mem_zalloc((size_t)kept.cap, sizeof *kept.model);
    kept.point = tml_mem_zalloc((size_t)kept.cap, sizeof *kept.point);
    TmlStatus status = TML_E_NOMEM;
    if (kept.sim != NULL && kept.model != NULL && kept.point != NULL) {
        for (int k = 0; k < kept.cap; ++k) {
            kept.point[k] = -1;
        }
        status = visit_all(w, &kept, progress, user, err);
        for (int k = 0; k < kept.cap; ++k) {
            tml_sim_free(kept.sim[k]);
            tml_model_free(kept.model[k]);
        }
    } else {
        status = tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    tml_mem_free(kept.sim);
    tml_mem_free(kept.model);
    tml_mem_free(kept.point);
    return status;
}

/* --- setup --------------------------------------------------------------------------------------------------- */

static TmlStatus check_axes(TmlWorkspace *w, int n, const TmlWorkspaceAxis *axis, TmlError *err)
{
    double points = 1.0;
    if (n < 1 || n > AXES_MAX) {
        return tml_fail(err, TML_E_ARGUMENT, "a workspace has 1 to %d axes, not %d", AXES_MAX, n);
    }
    for (int k = 0; k < n; ++k) {
        if (!isfinite(axis[k].from) || !isfinite(axis[k].to) || axis[k].count < 1) {
            return tml_fail(err, TML_E_ARGUMENT,
                            "axis '%s' needs finite ends and one value at least", axis[k].name);
        }
        points *= axis[k].count;
        w->axis[k] = axis[k];
        w->axis[k].name = tml_arena_strdup(&w->arena, axis[k].name);
        if (w->axis[k].name == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
        snprintf(w->from[k], NAME_TEXT, "workspace_from_%d", k + 1);
        snprintf(w->to[k], NAME_TEXT, "workspace_to_%d", k + 1);
    }
    w->n = n;
    if (points > POINTS_MAX) {
        return tml_fail(err, TML_E_ARGUMENT, "the grid has %.3g points; at most %d are made",
                        points, POINTS_MAX);
    }
    w->points = (int)points;
    TML_NEW(&w->arena, w->is_reached, w->points);
    TML_NEW(&w->arena, w->why, w->points);
    return TML_OK;
}

/* (K4) for the joints among the axes. */
static TmlStatus motions(const TmlWorkspace *w, const char *more, char **out, TmlError *err)
{
    TmlTextBuf text = {0};
    char number[TML_NUMBER_MAX];
    if (more != NULL) {
        return tml_fail(err, TML_E_ARGUMENT, "a workspace cannot have other added sections");
    }
    tml_textbuf_put(&text, "parameters: {");
    for (int k = 0; k < w->n; ++k) {
        tml_number_text(w->axis[k].from, number);
        tml_textbuf_add(&text, "%s: %s, %s: %s, ", w->from[k], number, w->to[k], number);
    }
    tml_textbuf_put(&text, "}\njoints:\n");
    for (int k = 0; k < w->n; ++k) {
        if (w->joint[k]) {
            tml_textbuf_add(&text,
                            "  \"%s_motion\": {type: motion, joint: \"%s\", function: \"%s + (%s - "
                            "%s)*time^3*(10 - "
                            "15*time + 6*time^2)\"}\n",
                            w->axis[k].name, w->axis[k].name, w->from[k], w->to[k], w->from[k]);
        }
    }
    const TmlStatus status = tml_textbuf_take(&text, out, err);
    tml_textbuf_free(&text);
    return status;
}

/* Tells which axes are joints; the others must be parameters. */
static TmlStatus sort_axes(TmlWorkspace *w, const TmlModel *plain, TmlError *err)
{
    for (int k = 0; k < w->n; ++k) {
        const char *name = w->axis[k].name;
        w->joint[k] = tml_model_joint_find(plain, name) >= 0;
        if (!w->joint[k]) {
            TmlModel *other = NULL;
            TmlError own = {0};
            const TmlStatus status =
                tml_model_with(plain, 1, &name, &w->axis[k].from, &other, &own);
            tml_model_free(other);
            if (status != TML_OK) {
                return tml_fail(err, TML_E_ARGUMENT, "axis '%s' is no joint; as a parameter: %s",
                                name, own.message);
            }
        }
    }
    return TML_OK;
}

static TmlStatus load_driven(TmlWorkspace *w, const char *path, const TmlLoadOptions *load,
                             TmlError *err)
{
    TmlLoadOptions o = load != NULL ? *load : tml_load_options_default();
    TmlModel *plain = NULL;
    char *more = NULL;
    TML_TRY(tml_load_with(path, &o, &plain, err));
    TmlStatus status = sort_axes(w, plain, err);
    tml_model_free(plain);
    status = status == TML_OK ? motions(w, o.more, &more, err) : status;
    o.more = more;
    status = status == TML_OK ? tml_load_with(path, &o, &w->model, err) : status;
    tml_text_free(more);
    return status;
}

TmlStatus tml_workspace_create(const char *path, const TmlLoadOptions *load, int n,
                               const TmlWorkspaceAxis *axis,
                               bool (*progress)(void *user, int done, int all), void *user,
                               TmlWorkspace **out, TmlError *err)
{
    TmlWorkspace *w = tml_mem_zalloc(1, sizeof *w);
    *out = NULL;
    if (w == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TmlStatus status = check_axes(w, n, axis, err);
    status = status == TML_OK ? load_driven(w, path, load, err) : status;
    status = status == TML_OK ? visit(w, progress, user, err) : status;
    if (status != TML_OK) {
        tml_workspace_free(w);
        return status;
    }
    *out = w;
    return TML_OK;
}

void tml_workspace_free(TmlWorkspace *w)
{
    if (w != NULL) {
        tml_model_free(w->model);
        tml_arena_free(&w->arena);
        tml_mem_free(w);
    }
}

/* --- results --------------------------------------------------------------------------------------------------- */

int tml_workspace_points(const TmlWorkspace *w)
{
    return w->points;
}

int tml_workspace_reached(const TmlWorkspace *w)
{
    return w->reached;
}

int tml_workspace_axes(const TmlWorkspace *w)
{
    return w->n;
}

int tml_workspace_columns(const TmlWorkspace *w)
{
    return w->columns;
}

const char *tml_workspace_column(const TmlWorkspace *w, int column)
{
    return column >= 0 && column < w->columns ? w->name[column] : NULL;
}

const char *tml_workspace_unit(const TmlWorkspace *w, int column)
{
    return column >= 0 && column < w->columns ? w->unit[column] : NULL;
}

double tml_workspace_value(const TmlWorkspace *w, int point, int column)
{
    return point >= 0 && point < w->points && column >= 0 && column < w->columns
               ? w->value[(size_t)point * (size_t)w->columns + (size_t)column]
               : (double)NAN;
}

const char *tml_workspace_why(const TmlWorkspace *w, int point)
{
    return point >= 0 && point < w->points && !w->is_reached[point] ? w->why[point] : NULL;
}

static TmlStatus fill_csv(void *user, FILE *file, TmlError *err)
{
    const TmlWorkspace *w = user;
    char number[TML_NUMBER_MAX];
    (void)err;
    for (int k = 0; k < w->n; ++k) {
        tml_csv_name(file, w->axis[k].name);
        fputc(',', file);
    }
    fputs("reached", file);
    for (int c = 0; c < w->columns; ++c) {
        fputc(',', file);
        tml_csv_name(file, w->name[c]);
    }
    fputc('\n', file);
    for (int p = 0; p < w->points; ++p) {
        for (int k = 0; k < w->n; ++k) {
            fprintf(file, "%s,", tml_number_text(tml_workspace_at(w, p, k), number));
        }
        fputs(w->is_reached[p] ? "1" : "0", file);
        for (int c = 0; c < w->columns; ++c) {
            const double x = tml_workspace_value(w, p, c);
            fprintf(file, ",%s", isnan(x) ? "" : tml_number_text(x, number));
        }
        fputc('\n', file);
    }
    return TML_OK;
}

TmlStatus tml_workspace_write(const TmlWorkspace *w, const char *csv, TmlError *err)
{
    return tml_draft_write(csv, TML_LINK_REPLACE, fill_csv, (void *)(uintptr_t)w, err);
}
