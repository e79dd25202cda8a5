/* adams/numbers.h - tables of numbers in text files. */
#pragma once

#include <stdbool.h>

/* Rows of numbers of one block: "[BLOCK]" begins one; lines that begin with "{", "$", "!", "#" or
 * with no number are not read; "(Z_DATA)" stands before the z values of a family of curves, any
 * other "(" before rows. */
typedef struct TmlAdmNumbers {
    int rows, columns, cap, n_z, z_cap;
    void *value, *z; /* double: rows * columns by rows, n_z */
    bool ragged;     /* rows differ in length */
    bool nomem;
} TmlAdmNumbers;

/* false: the file cannot be opened. block "": the first one. */
bool tml_adm_numbers_read(const char *path, const char *block, TmlAdmNumbers *f);
void tml_adm_numbers_free(TmlAdmNumbers *f);
