/* io/report/viewer.h - the page of reports as it was built, inside of the library. */
#pragma once

#include <stddef.h>

const char *tml_viewer_text(void);
size_t tml_viewer_size(void); /* 0: built without it */
