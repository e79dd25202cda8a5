/* io/recover/recover.h - what recovery keeps of a result file and its parts; internal to io/recover.
 *
 * With the coordinates eta of a row, a node of a part has
 *
 *   (RC1)  u = sum_j phi_j eta_j,   s = sum_j s_j eta_j,   place r + A (x + u)
 *   (RC2)  von Mises of s:  s_v^2 = 1/2 ((s_xx - s_yy)^2 + (s_yy - s_zz)^2 + (s_zz - s_xx)^2) + 3 (s_xy^2 + s_yz^2 + s_zx^2)
 *
 * (RC2) is no sum over modes: components are added up first.
 */
#pragma once

#include "io/part/part_file.h"
#include "io/read/results_modal.h"
#include "trammel/recover.h"

enum { TML_RECOVER_BLOCK = 64 }; /* rows that are worked on together */

typedef struct TmlRecoverPart {
    TmlResultModal *result;
    TmlPart part;
    const char *path;
    int item; /* the floating frame among the bodies of the result file */
} TmlRecoverPart;

struct TmlRecovery {
    TmlResultFile file;
    int n, n_modal;
    TmlResultModal *modal;
    TmlRecoverPart *at;
    int64_t first, rows;       /* the window */
    int position, orientation; /* fields of bodies */
    TmlArena arena;
};

/* A part, if it is that of the run. TML_E_IO: it is not, or cannot be read. */
TML_NODISCARD TmlStatus tml_recover_part_load(const TmlResultModal *m, const char *path,
                                              TmlArena *arena, TmlPart *out, TmlError *err);

/* A block of rows of one body: eta by modes, eta[j * TML_RECOVER_BLOCK + row]. */
typedef struct TmlRecoverBlock {
    int n; /* rows */
    int64_t first;
    double *eta;      /* m x TML_RECOVER_BLOCK */
    double *read;     /* TML_RECOVER_BLOCK x m */
    double *r, *quat; /* TML_RECOVER_BLOCK x 3, x 4 */
} TmlRecoverBlock;

TML_NODISCARD TmlStatus tml_recover_block_create(int m, TmlArena *arena, TmlRecoverBlock *b,
                                                 TmlError *err);
/* Rows first, first + 1, ... of the file, as many as fit; frame: with the motion of the frame. */
TML_NODISCARD TmlStatus tml_recover_block_read(TmlRecovery *r, int body, int64_t first, bool frame,
                                               TmlRecoverBlock *b, TmlError *err);

/* (RC1) of one node: s[6][TML_RECOVER_BLOCK], u[3][TML_RECOVER_BLOCK]. */
void tml_recover_stress(const TmlPart *part, int node, const TmlRecoverBlock *b,
                        double (*s)[TML_RECOVER_BLOCK]);
void tml_recover_displacement(const TmlPart *part, int node, const TmlRecoverBlock *b,
                              double (*u)[TML_RECOVER_BLOCK]);
double tml_von_mises(const double s[6]); /* (RC2) */
