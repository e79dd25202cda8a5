/* io/help/help_part.h - the keys of a part's description; internal to help. */
#pragma once

#include "io/help/help_page.h"

void tml_help_part(TmlHelpPage *p);
