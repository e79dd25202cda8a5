/* model/wheel/tyre/pac2002_tyre.c - a tyre by a property file of the format PAC2002.
 *
 * Radius, vertical stiffness and damping come from the file as well:
 *
 *   (E1)  R_e = R - rho_0 (DREFF atan(BREFF rho / rho_0) + FREFF rho / rho_0),  rho_0 = LFZO FNOMIN / (LCZ VERTICAL_STIFFNESS)
 */
#include "base/fail.h"
#include "model/registry.h"
#include "model/wheel/tyre/pac2002.h"

typedef struct Pac2002Tyre {
    TmlTyre tyre;
    const TmlTir *file;
    int mounted;
    TmlPac2002 pac;
} Pac2002Tyre;

enum { AS_MEASURED, MOUNTED_LEFT, MOUNTED_RIGHT };

static void pac2002_steady(const void *data, const TmlTyreSlip *in, TmlTyreSteady *out)
{
    tml_pac2002_steady(&((const Pac2002Tyre *)data)->pac, in, out);
}

static const TmlTyreLaw pac2002_law = {pac2002_steady};

/* The file has been read; whether its keys make a tyre is told here. */
static TmlStatus pac2002_check(const void *data, TmlError *err)
{
    const Pac2002Tyre *p = data;
    TmlPac2002 pac;
    return p->file != NULL ? tml_pac2002_read(p->file, &pac, err)
                           : tml_fail(err, TML_E_MODEL, "a tyre needs a file");
}

static TmlStatus pac2002_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    Pac2002Tyre *p = data;
    (void)n_ends;
    TML_TRY(tml_pac2002_read(p->file, &p->pac, err));
    const double *c = p->pac.c;
    const TmlTirKey *side = tml_tir_find(p->file, "TYRESIDE");
    const bool right = side != NULL && side->text != NULL && side->text[0] == 'R';
    p->pac.mirrored = p->mounted != AS_MEASURED && right != (p->mounted == MOUNTED_RIGHT);
    p->tyre.radius = c[PAC_UNLOADED_RADIUS];
    p->tyre.stiffness = c[PAC_VERTICAL_STIFFNESS] * c[PAC_LCZ];
    p->tyre.damping = c[PAC_VERTICAL_DAMPING];
    p->tyre.load_table = p->tyre.load_table != NULL ? p->tyre.load_table : p->file->load;
    p->tyre.effective_depth = c[PAC_LFZO] * c[PAC_FNOMIN] / p->tyre.stiffness; // (E1)
    p->tyre.effective[0] = c[PAC_DREFF];
    p->tyre.effective[1] = c[PAC_BREFF];
    p->tyre.effective[2] = c[PAC_FREFF];
    return tml_tyre_prepare(&p->tyre, &pac2002_law, e);
}

static const TmlParam pac2002_params[] = {
    {"file", TML_PARAM_TIR, TML_ANY, "", offsetof(Pac2002Tyre, file), NULL,
     "property file (.tir) of the format PAC2002, relative to the model", NULL},
    {"road", TML_PARAM_ROAD, TML_ANY, "", TYRE_PARAM(Pac2002Tyre, road), "",
     "road under the wheel, one of `roads`; the plane z = 0 without it", NULL},
    {"mounted", TML_PARAM_CHOICE, TML_ANY, "", offsetof(Pac2002Tyre, mounted), "as_measured",
     "side of the vehicle: on the other side than TYRESIDE of the file the tyre is mirrored",
     "as_measured|left|right"},
    {"load_table", TML_PARAM_SPLINE, TML_ANY, "N over m", TYRE_PARAM(Pac2002Tyre, load_table), "",
     "load over deflection, in place of the file's stiffness", NULL},
    TYRE_COMMON_PARAMS(Pac2002Tyre),
    {0},
};

TML_FORCE_TYPE(pac2002_tyre) = {
    .info = {.name = "pac2002_tyre",
             .text = "Tyre by a property file (.tir) of the format PAC2002, magic formula 5.2.",
             .example = "bodies: [ground, rod], at: [0, 0, 0.3], axis: y, file: tyre.tir",
             .data_size = sizeof(Pac2002Tyre),
             .params = pac2002_params,
             .outputs = tml_tyre_outputs},
    TYRE_FUNCTIONS,
    .check = pac2002_check,
    .prepare = pac2002_prepare,
};
