/* adams/user/user_facts.c - what a user-written routine is told about its element.
 *
 * ID, NPAR and PAR are the first fields of all structures.
 */
#include <stdlib.h>
#include <string.h>

#include "adams/dataset/dataset.h"
#include "adams/user/library.h"

static int number_arg(TmlAdm *adm, const TmlAdmItem *item, const char *name)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    return arg != NULL ? atoi(tml_adm_id(adm, arg->value)) : 0;
}

static struct sAdamsMotion motion_facts(TmlAdm *adm, const TmlAdmItem *item, const char *type,
                                        const TmlAdmRoutine *r)
{
    static const char *const along[] = {"X", "Y", "Z", "B1", "B2", "B3"};
    struct sAdamsMotion m = {.ID = r->id,
                             .NPAR = r->n_par,
                             .PAR = r->par,
                             .JOINT = number_arg(adm, item, "JOINT"),
                             .Type = type,
                             .I = number_arg(adm, item, "I"),
                             .J = number_arg(adm, item, "J"),
                             .Which = {'B', ' '}};
    for (size_t k = 0; k < sizeof along / sizeof *along; ++k) {
        if (tml_adm_has(item, along[k])) {
            m.Which[0] = along[k][0];
            m.Which[1] = along[k][1] != '\0' ? along[k][1] : ' ';
        }
    }
    m.DVA = tml_adm_has(item, "VELOCITY") ? "V" : tml_adm_has(item, "ACCELERATION") ? "A" : "D";
    return m;
}

/* Joints of a coupler, and which of their coordinates it takes: by TYPE = T:R:R or by the joint. */
static void coupler_facts(TmlAdm *adm, TmlAdmItem *item, TmlAdmRoutine *r)
{
    struct sAdamsCoupler *c = &r->of.coupler;
    const TmlAdmArg *type = tml_adm_arg(item, "TYPE");
    const char *word = type != NULL ? tml_adm_copy(adm->arena, type->value) : NULL;
    double id[3] = {0.0};
    *c = (struct sAdamsCoupler){.ID = r->id, .NPAR = r->n_par, .PAR = r->par};
    c->NJOINT = r->n_own = tml_adm_reals(adm, item, "JOINTS", 2, 3, id);
    if (c->NJOINT == 0 && !item->failed) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument JOINTS is missing");
    }
    for (int k = 0; k < c->NJOINT && !item->failed; ++k) {
        bool slides;
        if (tml_adm_coupled_joint(adm, item, id[k], &word, &slides) == NULL) {
            return;
        }
        c->JOINTS[k] = (int)id[k];
        c->TYPE[k] = slides ? 'T' : 'R';
    }
}

static void curve_facts(TmlAdm *adm, TmlAdmItem *item, TmlAdmRoutine *r)
{
    r->of.curve = (struct sAdamsCurve){.ID = r->id,
                                       .NPAR = r->n_par,
                                       .PAR = r->par,
                                       .CLOSED = tml_adm_has(item, "CLOSED"),
                                       .ORDER = (int)tml_adm_real(adm, item, "ORDER", 4.0),
                                       .MINPAR = tml_adm_real(adm, item, "MINPAR", -1.0),
                                       .MAXPAR = tml_adm_real(adm, item, "MAXPAR", 1.0)};
    r->n_own = 1;
    if (!(r->of.curve.MINPAR < r->of.curve.MAXPAR)) {
        tml_adm_error(adm, item, tml_adm_whole(item), "MINPAR must be below MAXPAR");
    }
}

static struct sAdamsSensor sensor_facts(TmlAdm *adm, TmlAdmItem *item, const TmlAdmRoutine *r)
{
    const char *logic = tml_adm_has(item, "GE") ? "GE" : tml_adm_has(item, "LE") ? "LE" : "EQ";
    return (struct sAdamsSensor){r->id,
                                 r->n_par,
                                 r->par,
                                 tml_adm_real(adm, item, "VALUE", 0.0),
                                 tml_adm_real(adm, item, "ERROR", 1e-3),
                                 {logic[0], logic[1]}};
}

void tml_adm_routine_facts(TmlAdm *adm, TmlAdmItem *item, TmlAdmRoutine *r)
{
    const int i = number_arg(adm, item, "I"), j = number_arg(adm, item, "J");
    const int rm = number_arg(adm, item, "RM"), jfloat = number_arg(adm, item, "JFLOAT");
    const char *turns = tml_adm_has(item, "ROTATIONAL") ? "ROTATIONAL" : "TRANSLATIONAL";
    double ic[2] = {0.0, 0.0};
    switch (r->kind) {
    case TML_ADM_SFOSUB:
        r->of.sforce = (struct sAdamsSforce){
            r->id, r->n_par, r->par, i, j, tml_adm_has(item, "ACTIONONLY"), turns};
        break;
    case TML_ADM_GFOSUB:
        r->of.gforce = (struct sAdamsGforce){r->id, r->n_par, r->par, i, rm, jfloat};
        break;
    case TML_ADM_VFOSUB:
    case TML_ADM_VTOSUB: // of one layout
        r->of.vforce = (struct sAdamsVforce){r->id, r->n_par, r->par, i, jfloat, rm};
        break;
    case TML_ADM_FIESUB:
        r->of.field = (struct sAdamsField){r->id, r->n_par, r->par, i, j};
        r->n_own = 12;
        break;
    case TML_ADM_MOTSUB:
        r->of.motion = motion_facts(adm, item, turns, r);
        break;
    case TML_ADM_VARSUB:
        tml_adm_reals(adm, item, "IC", 1, 1, ic);
        r->of.variable = (struct sAdamsVariable){r->id, r->n_par, r->par, ic[0]};
        break;
    case TML_ADM_DIFSUB:
        tml_adm_reals(adm, item, "IC", 1, 2, ic);
        r->of.diff = (struct sAdamsDiff){r->id,
                                         r->n_par,
                                         r->par,
                                         tml_adm_has(item, "STATIC_HOLD"),
                                         tml_adm_has(item, "IMPLICIT"),
                                         ic[0],
                                         ic[1]};
        break;
    case TML_ADM_SENSUB:
    case TML_ADM_SEVSUB:
        r->of.sensor = sensor_facts(adm, item, r);
        break;
    case TML_ADM_COUSUB:
        coupler_facts(adm, item, r);
        break;
    case TML_ADM_CURSUB:
        curve_facts(adm, item, r);
        break;
    case TML_ADM_REQSUB:
        r->of.request = (struct sAdamsRequest){r->id, r->n_par, r->par, "", {NULL}};
        break;
    default: // constraints are told by their arguments, a GSE by its sizes
        if (item->gse != NULL) {
            r->of.gse = *item->gse;
            r->of.gse.NPAR = r->n_par;
            r->of.gse.PAR = r->par;
            r->n_own =
                item->gse->NS * (item->gse->IMPLICIT ? 2 : 1) + item->gse->ND + item->gse->NI;
        }
        break;
    }
}
