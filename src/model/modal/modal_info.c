/* model/modal/modal_info.c - modal bodies as callers of the library see them. */
#include "trammel/modal.h"

#include "model/modal/modal.h"

#include <math.h>
#include <string.h>

static const TmlModal *modal_at(const TmlModel *m, int modal)
{
    return modal >= 0 && modal < m->modals.n ? &m->modals.at[modal] : NULL;
}

int tml_model_modal_count(const TmlModel *m)
{
    return m->modals.n;
}

const char *tml_model_modal_name(const TmlModel *m, int modal)
{
    const TmlModal *b = modal_at(m, modal);
    return b != NULL ? b->name : NULL;
}

int tml_model_modal_find(const TmlModel *m, const char *name)
{
    for (int k = 0; k < m->modals.n; ++k) {
        if (strcmp(m->modals.at[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

static int shown_number(const TmlModel *m, int body)
{
    for (int k = 1; k < tml_model_body_count(m); ++k) {
        if (tml_model_shown_body(m, k) == body) {
            return k;
        }
    }
    return 0;
}

TmlModalInfo tml_model_modal(const TmlModel *m, int modal)
{
    const TmlModal *b = modal_at(m, modal);
    if (b == NULL) {
        return (TmlModalInfo){0};
    }
    const TmlPart *p = b->part;
    TmlModalInfo info = {.part = b->path,
                         .modes = b->m,
                         .frames = p->n_frames,
                         .nodes = p->n_nodes,
                         .body = shown_number(m, b->body),
                         .stresses = p->stress != NULL,
                         .stiffened = b->options.stiffened,
                         .loads = b->loads.n,
                         .static_modes = b->n_static,
                         .second_order = b->options.second_order,
                         .mass = b->mass,
                         .size = p->size};
    for (int j = 0; j < b->m; ++j) {
        info.lowest = j == 0 ? p->hertz[0] : fmin(info.lowest, p->hertz[j]);
        info.highest = fmax(info.highest, p->hertz[j]);
    }
    info.highest = b->n_static > 0 ? fmin(info.highest, b->options.limit) : info.highest;
    return info;
}

double tml_model_modal_hertz(const TmlModel *m, int modal, int mode)
{
    const TmlModal *b = modal_at(m, modal);
    return b != NULL && mode >= 0 && mode < b->m ? b->part->hertz[mode] : (double)NAN;
}
