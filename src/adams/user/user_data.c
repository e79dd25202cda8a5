/* adams/user/user_data.c - what user-written routines may read of a dataset: numbers, texts, curves. */
#include <stdlib.h>
#include <string.h>

#include "adams/dataset/dataset.h"
#include "adams/user/library.h"
#include "expr/spline.h"

int tml_adm_number_of(const TmlAdmItem *item)
{
    return item != NULL ? atoi(item->id) : 0;
}

static void add_array(TmlAdm *adm, TmlAdmItem *item, char kind)
{
    const int n = tml_adm_array_size(adm, item);
    double *number = NULL;
    if (n > 0 && tml_adm_has(item, "NUMBERS")) {
        number = tml_arena_alloc(adm->arena, (size_t)n, sizeof *number);
        adm->nomem |= number == NULL;
        if (number != NULL) {
            tml_adm_reals(adm, item, "NUMBERS", 1, n, number);
        }
    }
    adm->nomem |= !tml_adm_library_add(
        adm->library, kind, (TmlAdmData){.id = tml_adm_number_of(item), .n = n, .number = number});
}

static void add_text(TmlAdm *adm, const TmlAdmItem *item)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "STRING");
    const char *text = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : "";
    adm->nomem |= text == NULL ||
                  !tml_adm_library_add(adm->library, 'S',
                                       (TmlAdmData){.id = tml_adm_number_of(item), .text = text});
}

/* The marker that the coordinates of a part belong to. */
static void add_part(TmlAdm *adm, const TmlAdmItem *item)
{
    const TmlAdmArg *cm = tml_adm_arg(item, "CM");
    if (cm != NULL) {
        const TmlAdmData data = {.id = tml_adm_number_of(item),
                                 .n = atoi(tml_adm_id(adm, cm->value))};
        adm->nomem |= !tml_adm_library_add(adm->library, 'P', data);
    }
}

void tml_adm_library_fill(TmlAdm *adm)
{
    TmlAdmFacts facts = {.mode = adm->mode};
    for (int k = 0; k < adm->n && adm->library != NULL; ++k) {
        TmlAdmItem *item = &adm->item[k];
        const char *keyword = item->syntax->name;
        if (strcmp(keyword, "ARRAY") == 0) {
            add_array(adm, item, 'A');
        } else if (strcmp(keyword, "PINPUT") == 0 || strcmp(keyword, "POUTPUT") == 0) {
            add_array(adm, item, keyword[1] == 'I' ? 'I' : 'O');
        } else if (strcmp(keyword, "STRING") == 0) {
            add_text(adm, item);
        } else if (strcmp(keyword, "ACCGRAV") == 0) {
            facts.gravity[0] = tml_adm_real(adm, item, "IGRAV", 0.0);
            facts.gravity[1] = tml_adm_real(adm, item, "JGRAV", 0.0);
            facts.gravity[2] = tml_adm_real(adm, item, "KGRAV", 0.0);
        } else if (strcmp(keyword, "PART") == 0) {
            add_part(adm, item);
        }
    }
    if (adm->library != NULL) {
        tml_adm_library_facts(adm->library, &facts);
    }
}

void tml_adm_library_curve(TmlAdm *adm, TmlAdmItem *item, int n, const double *x, const double *y)
{
    TmlSpline *spline = NULL;
    if (adm->library == NULL) {
        return;
    }
    const TmlStatus status =
        tml_spline_create(TML_SPLINE_CUBIC, n, x, y, adm->arena, &spline, NULL);
    if (status == TML_OK) { // else the model reader tells what is wrong with it
        tml_spline_set_ends(spline, tml_adm_has(item, "LINEAR_EXTRAPOLATE") ? TML_SPLINE_TANGENT
                                                                            : TML_SPLINE_PARABOLA);
        adm->nomem |= !tml_adm_library_add(
            adm->library, 'C', (TmlAdmData){.id = tml_adm_number_of(item), .spline = spline});
    }
}
