/* adams/tables/numbers.h - numbers in texts, and tables of them in files. */
#pragma once

#include <stdbool.h>

/* Rows of numbers of one block: "[BLOCK]" begins one; lines that begin with "{", "$", "!", "#" or
 * with no number are not read; "(Z_DATA)" stands before the z values of a family of curves, any
 * other "(" before rows. */
typedef struct TmlAdmNumbers {
    int rows, columns, cap, n_z, z_cap;
    void *value, *z; /* double: rows * columns by rows, n_z */
    bool ragged;     /* rows differ in length */
    int wrong;       /* number of a line that holds something else behind numbers; 0: none */
    bool nomem;
} TmlAdmNumbers;

/* One number, whose power of ten may follow E or D; a D alone behind it means degrees, which become
 * radians. The rest of the text, NULL: there is no number, or one that is not finite. */
const char *tml_adm_read_real(const char *text, double *out, bool *degrees);

/* false: the file cannot be opened. block "": the first one. */
bool tml_adm_numbers_read(const char *path, const char *block, TmlAdmNumbers *f);
void tml_adm_numbers_free(TmlAdmNumbers *f);
