/* system/consistent/row_motion.c - motion of what constraints see, and of nothing else.
 *
 * States are moved onto the constraints with several looks at their rows. In a model of flexible bodies most nodes and points
 * belong to no row: a line of 2,000 nodes with a vehicle under it has ten rows.
 */
#include "system/consistent/row_motion.h"

#include "base/fail.h"
#include "system/flexible/flex.h"
#include "system/modal/modal_bodies.h"

struct TmlRowMotion {
    int n_bodies, *body, n_elements, *element, n_points, *point, n_ends, *end;
};

/* Models with fewer bodies are looked at as a whole. */
enum { FEW = 50 };

typedef struct Marks {
    bool *body, *element, *point;
} Marks;

/* Marks what moves an end. Returns false for a modal body: its motion is not made in pieces. */
static bool mark_end(const TmlSystem *sys, int end, const Marks *m)
{
    const TmlParts *parts = tml_end_parts(sys, end);
    const int p = sys->end[end].point - 1;
    m->body[sys->end[end].body] = true;
    for (int k = 0; k < parts->n; ++k) {
        m->body[parts->body[k]] = true;
    }
    if (p >= 0 && sys->model->points.at[p].flex >= 0) {
        m->point[p] = true;
        m->element[sys->model->points.at[p].flex] = true;
    }
    return !tml_end_is_modal(sys, end);
}

static int count_of(const bool *marked, int n)
{
    int count = 0;
    for (int k = 0; k < n; ++k) {
        count += marked[k];
    }
    return count;
}

static TmlStatus list_of(TmlSystem *sys, const bool *marked, int n, int *count, int **list,
                         TmlError *err)
{
    *count = 0;
    TML_NEW(&sys->arena, *list, n + 1);
    for (int k = 0; k < n; ++k) {
        if (marked[k]) {
            (*list)[(*count)++] = k;
        }
    }
    return TML_OK;
}

static TmlStatus mark_all(TmlSystem *sys, TmlArena *scratch, TmlRowMotion *w, bool *whole,
                          TmlError *err)
{
    const TmlModel *model = sys->model;
    Marks m;
    bool *end;
    TML_NEW(scratch, m.body, sys->dim.nb);
    TML_NEW(scratch, m.element, model->flexes.n + 1);
    TML_NEW(scratch, m.point, model->points.n + 1);
    TML_NEW(scratch, end, sys->n_ends + 1);
    for (int b = 0; b < sys->dim.nb; ++b) {
        m.body[b] = sys->dim.span[b].nu == 0; // vectors may be tied to these
    }
    *whole = false;
    for (int c = 0; c < model->constraints.n; ++c) {
        for (int k = 0; k < model->constraints.at[c].n_ends; ++k) {
            end[sys->constraint[c].end0 + k] = true;
            *whole = *whole || !mark_end(sys, sys->constraint[c].end0 + k, &m);
        }
    }
    *whole = *whole || 2 * count_of(m.body, sys->dim.nb) > sys->dim.nb;
    TML_TRY(list_of(sys, m.body, sys->dim.nb, &w->n_bodies, &w->body, err));
    TML_TRY(list_of(sys, m.element, model->flexes.n, &w->n_elements, &w->element, err));
    TML_TRY(list_of(sys, m.point, model->points.n, &w->n_points, &w->point, err));
    return list_of(sys, end, sys->n_ends, &w->n_ends, &w->end, err);
}

TmlStatus tml_row_motion_setup(TmlSystem *sys, TmlError *err)
{
    TmlArena scratch = {0};
    TmlRowMotion *w;
    bool whole = true;
    sys->row_motion = NULL;
    if (sys->flex == NULL || sys->dim.nb < FEW) {
        return TML_OK;
    }
    TML_NEW(&sys->arena, w, 1);
    const TmlStatus status = mark_all(sys, &scratch, w, &whole, err);
    tml_arena_free(&scratch);
    sys->row_motion = whole ? NULL : w;
    return status;
}

void tml_row_motion(TmlSystem *sys, const TmlState *s)
{
    const TmlRowMotion *w = sys->row_motion;
    if (w == NULL) {
        tml_system_kinematics(sys, s, false);
        return;
    }
    sys->motion++;
    for (int k = 0; k < w->n_bodies; ++k) {
        tml_body_kinematics(sys, s, w->body[k]);
    }
    for (int k = 0; k < w->n_elements; ++k) {
        tml_flex_element_motion(sys, s, w->element[k]);
    }
    for (int k = 0; k < w->n_points; ++k) {
        tml_flex_point_kin(sys, w->point[k]);
    }
    for (int k = 0; k < w->n_ends; ++k) {
        tml_end_frame(sys, w->end[k]);
    }
}
