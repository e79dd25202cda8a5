/* io/export/csv.h - names in files of comma-separated values. */
#pragma once

#include <stdio.h>

/* A name, in quotes where it holds a comma, a quote, a line end or an outer blank (RFC 4180), or
 * begins as a formula of a spreadsheet does. */
void tml_csv_name(FILE *file, const char *name);
