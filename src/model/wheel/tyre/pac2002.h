/* model/wheel/tyre/pac2002.h - the magic formula of 2002 (PAC2002, MF-Tyre 5.2) by the coefficients of a .tir file. */
#pragma once

#include "model/wheel/tyre/tir.h"
#include "model/wheel/tyre/tyre.h"

typedef enum TmlPacKey {
#define KEY(name, standard) PAC_##name,
#include "model/wheel/tyre/pac2002_keys.def"
#undef KEY
    PAC_KEYS
} TmlPacKey;

typedef struct TmlPac2002 {
    double c[PAC_KEYS]; /* SI */
    bool combined_x, combined_y, relaxes_x, relaxes_y, aligns;
    bool mirrored;   /* mounted on the other side than measured */
    double pressure; /* (IP - IP_NOM) / IP_NOM */
} TmlPac2002;

/* Coefficients of a file; what is missing or has no meaning is an error with its name. */
TML_NODISCARD TmlStatus tml_pac2002_read(const TmlTir *tir, TmlPac2002 *out, TmlError *err);

/* Names of coefficients that are not zero and belong to terms of later versions; returns how many were written, at most n. */
int tml_pac2002_unread(const TmlTir *tir, int n, const char **names);

void tml_pac2002_steady(const TmlPac2002 *p, const TmlTyreSlip *in, TmlTyreSteady *out);
