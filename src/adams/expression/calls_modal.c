/* adams/expression/calls_modal.c - Q(id, k) and QDOT(id, k): coordinate k of a FLEX_BODY, and its rate.
 *
 * Adams has them for user-written routines and in its result files; here all functions name them as well. Units are those of
 * (FB1) of translate_flex.c.
 */
#include <math.h>

#include "adams/expression/translator.h"
#include "adams/flexible/flex_part.h"

bool tml_adm_write_modal(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    TmlAdm *adm = t->adm;
    TmlAdmItem *body = tml_adm_element_of(t, call->arg[0], "FLEX_BODY");
    const int k = tml_adm_whole_number(t, call->arg[1]);
    const bool rate = f->time != 0;
    if (body == NULL) {
        return false;
    }
    if (k < 1) {
        return tml_adm_refuse(t, call->arg[1], "the modes of %s are counted from 1", call->name);
    }
    const double unit = adm->length * sqrt(adm->mass) / (rate ? adm->time : 1.0);
    tml_adm_write(t->out, unit != 1.0 ? "(output(%s, %d).%s*%s)" : "output(%s, %d).%s%.0s",
                  body->name, k, rate ? "rate" : "mode", tml_adm_digits(adm, 1.0 / unit));
    return true;
}
