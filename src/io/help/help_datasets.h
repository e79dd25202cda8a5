/* io/help/help_datasets.h - the tables of the reader of Adams datasets as Markdown. */
#pragma once

#include "io/text/textbuf.h"

void tml_help_datasets(TmlTextBuf *out);
