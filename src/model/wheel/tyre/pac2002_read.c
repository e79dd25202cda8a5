/* model/wheel/tyre/pac2002_read.c - coefficients of PAC2002 from a .tir file. */
#include "model/wheel/tyre/pac2002.h"

#include "base/fail.h"

#include <string.h>

#define NEEDED NAN

typedef struct PacKey {
    const char *name;
    double standard; /* NAN: needed */
} PacKey;

static const PacKey keys[] = {
#define KEY(name, standard) {#name, (double)(standard)},
#include "model/wheel/tyre/pac2002_keys.def"
#undef KEY
};

/* What the file's numbers are multiplied with to be SI. */
static double unit_of(const TmlTir *tir, int key)
{
    switch (key) {
    case PAC_FNOMIN:
    case PAC_FZMIN:
    case PAC_FZMAX:
        return tir->force;
    case PAC_UNLOADED_RADIUS:
        return tir->length;
    case PAC_VERTICAL_STIFFNESS:
        return tir->force / tir->length;
    case PAC_VERTICAL_DAMPING:
        return tir->force * tir->time / tir->length;
    case PAC_LONGVL:
        return tir->length / tir->time;
    default:
        return 1.0;
    }
}

static TmlStatus check_format(const TmlTir *tir, TmlError *err)
{
    const TmlTirKey *format = tml_tir_find(tir, "PROPERTY_FILE_FORMAT");
    if (format == NULL || format->text == NULL) {
        return tml_fail(err, TML_E_MODEL, "%s: [MODEL] has no PROPERTY_FILE_FORMAT", tir->path);
    }
    if (strcmp(format->text, "PAC2002") != 0 && strcmp(format->text, "MF_05") != 0) {
        return tml_fail(
            err, TML_E_MODEL,
            "%s:%d: PROPERTY_FILE_FORMAT is '%.40s'; only PAC2002 (and MF_05) are read. "
            "fiala_tyre, pac89_tyre and tmeasy_tyre take their numbers in the model",
            tir->path, format->line, format->text);
    }
    return TML_OK;
}

/* The angle range tells radians from degrees: nobody measures slip angles of more than half a turn. */
static TmlStatus check_angles(const TmlTir *tir, TmlError *err)
{
    const TmlTirKey *most = tml_tir_find(tir, "ALPMAX");
    if (most != NULL && most->text == NULL && most->value * tir->angle > M_PI) {
        return tml_fail(
            err, TML_E_MODEL,
            "%s:%d: ALPMAX is %.6g in the file's unit of angles, more than half a turn: is "
            "[UNITS] ANGLE 'degree'?",
            tir->path, most->line, most->value);
    }
    return TML_OK;
}

static TmlStatus check_values(const TmlTir *tir, const TmlPac2002 *p, TmlError *err)
{
    static const int positive[] = {PAC_FNOMIN,
                                   PAC_UNLOADED_RADIUS,
                                   PAC_VERTICAL_STIFFNESS,
                                   PAC_LFZO,
                                   PAC_PCX1,
                                   PAC_PDX1,
                                   PAC_PKX1,
                                   PAC_PCY1,
                                   PAC_PDY1,
                                   PAC_PKY2,
                                   PAC_LCZ,
                                   PAC_LONGVL};
    for (size_t k = 0; k < sizeof positive / sizeof positive[0]; ++k) {
        if (!(p->c[positive[k]] > 0.0)) {
            return tml_fail(err, TML_E_MODEL, "%s: %s must be above 0, got %.9g", tir->path,
                            keys[positive[k]].name, p->c[positive[k]]);
        }
    }
    if (!(p->c[PAC_PKY1] < 0.0)) {
        return tml_fail(
            err, TML_E_MODEL,
            "%s: PKY1 is %.9g: with axes of ISO it is below 0, so that the lateral force "
            "opposes the slip. This file has axes of SAE; turn the signs of the lateral "
            "coefficients",
            tir->path, p->c[PAC_PKY1]);
    }
    if (!(p->c[PAC_KPUMIN] < 0.0 && p->c[PAC_KPUMAX] > 0.0 && p->c[PAC_FZMAX] > p->c[PAC_FZMIN])) {
        return tml_fail(
            err, TML_E_MODEL,
            "%s: the ranges of validity are empty: KPUMIN %.6g to KPUMAX %.6g, FZMIN %.6g "
            "to FZMAX %.6g N",
            tir->path, p->c[PAC_KPUMIN], p->c[PAC_KPUMAX], p->c[PAC_FZMIN], p->c[PAC_FZMAX]);
    }
    return TML_OK;
}

/* Whether a key has a number that a term of the format's later versions would read, which is not here. */
static bool is_unread(const TmlTirKey *key)
{
    static const char *const parts[] = {"QSX", "QSY", "QTZ", "PPX", "PPY", "PPZ", "QPX", "QPZ",
                                        "PKY", "PEY", "PHX", "RBX", "RBY", "REX", "REY", "RVY",
                                        "QBZ", "QDZ", "QEZ", "QHZ", "SSZ", "PDX", "PEX", "PKX"};
    bool coefficient = false;
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) {
        coefficient = coefficient || strncmp(key->name, parts[k], 3) == 0;
    }
    for (int k = 0; coefficient && k < PAC_KEYS; ++k) {
        coefficient = strcmp(key->name, keys[k].name) != 0;
    }
    return coefficient && key->text == NULL && key->value != 0.0 &&
           strcmp(key->section, "TURNSLIP_COEFFICIENTS") != 0;
}

int tml_pac2002_unread(const TmlTir *tir, int n, const char **names)
{
    int found = 0;
    for (int k = 0; k < tir->n && found < n; ++k) {
        if (is_unread(&tir->key[k])) {
            names[found++] = tir->key[k].name;
        }
    }
    return found;
}

TmlStatus tml_pac2002_read(const TmlTir *tir, TmlPac2002 *out, TmlError *err)
{
    TML_TRY(check_format(tir, err));
    for (int k = 0; k < PAC_KEYS; ++k) {
        const TmlTirKey *key = tml_tir_find(tir, keys[k].name);
        if (key == NULL && isnan(keys[k].standard)) {
            return tml_fail(err, TML_E_MODEL, "%s: missing key %s", tir->path, keys[k].name);
        }
        if (key != NULL && key->text != NULL) {
            return tml_fail(err, TML_E_MODEL, "%s:%d: %s: expected a number", tir->path, key->line,
                            key->name);
        }
        out->c[k] = key != NULL ? key->value * unit_of(tir, k) : keys[k].standard;
    }
    if (!(out->c[PAC_FZMAX] > 0.0)) {
        out->c[PAC_FZMAX] = 3.0 * out->c[PAC_LFZO] * out->c[PAC_FNOMIN];
    }
    out->combined_x = out->c[PAC_RBX1] != 0.0 && out->c[PAC_RCX1] != 0.0;
    out->combined_y = out->c[PAC_RBY1] != 0.0 && out->c[PAC_RCY1] != 0.0;
    out->relaxes_x = out->c[PAC_PTX1] != 0.0;
    out->relaxes_y = out->c[PAC_PTY1] != 0.0 && out->c[PAC_PTY2] != 0.0;
    const double nominal = out->c[PAC_IP_NOM], pressure = out->c[PAC_IP];
    out->pressure =
        nominal > 0.0 && pressure > 0.0 ? (out->c[PAC_LIP] * pressure - nominal) / nominal : 0.0;
    out->aligns = out->c[PAC_QCZ1] != 0.0;
    TML_TRY(check_angles(tir, err));
    return check_values(tir, out, err);
}
