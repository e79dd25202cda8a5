/* reduce/basis/spider.h - the rows of rigid and averaging spiders, (IF1) and (IF2) of tied.h. */
#pragma once

#include "reduce/basis/tied.h"

/* How freedom 0..5 (displacements, rotations) of a point at r from a frame follows the frame. */
void tml_spider_row(TmlVec3 r, int which, double row[6]);

/* The nodes hold a frame: enough of them, not all on a line, weights that are positive; a node on
 * its own is one node. Errors name the interface. */
TML_NODISCARD TmlStatus tml_spider_check(const TmlFeMatrices *fe, const TmlInterface *i,
                                         TmlError *err);

/* (IF2): rows[6 * fe->n], one after the other, by all freedoms of the nodes. */
TML_NODISCARD TmlStatus tml_spider_average(const TmlFeMatrices *fe, const TmlInterface *i,
                                           double *rows, TmlError *err);

/* snprintf into a fixed text. */
void tml_spider_text(char *out, size_t size, const char *fmt, ...) TML_PRINTF(3, 4);
