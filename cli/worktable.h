/* cli/worktable.h - a comparison as a table, as CSV and as a diagram. */
#pragma once

#include "trammel/trammel.h"

void cli_work_head(const TmlCompare *c, const char *title, bool absolute, int name_width);
void cli_work_row(const TmlCompareRow *row, double doubt, int name_width);

/* Both write a file; the message is printed when they cannot. Exit status. */
int cli_work_csv(const TmlCompare *c, const char *path);
int cli_work_svg(const TmlCompare *c, const char *path, const char *title, bool absolute);
