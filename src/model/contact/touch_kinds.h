/* model/contact/touch_kinds.h - what two shapes give to a law: points, patches, lines, corners. */
#pragma once

#include "model/contact/contacts.h"

/* TML_TOUCH_ bits; 0: not known. Both are prepared, and tml_can_touch. */
unsigned tml_touch_kinds(const TmlShape *first, const TmlShape *second);
