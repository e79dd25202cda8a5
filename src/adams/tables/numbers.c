/* adams/tables/numbers.c - tables of numbers in text files. */
#include "adams/tables/numbers.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/input.h"

enum { LONGEST_LINE = 1 << 16, MOST_COLUMNS = 64 };

static void add_z(TmlAdmNumbers *f, double z)
{
    const bool ok = tml_mem_grow(&f->z, &f->z_cap, f->n_z + 1, sizeof(double));
    f->nomem |= !ok;
    if (ok) {
        ((double *)f->z)[f->n_z++] = z;
    }
}

static void add_row(TmlAdmNumbers *f, int n, const double *x)
{
    f->ragged |= f->rows > 0 && n != f->columns;
    f->columns = f->rows > 0 ? f->columns : n;
    if (f->ragged || f->rows >= INT_MAX / n - 1 ||
        !tml_mem_grow(&f->value, &f->cap, (f->rows + 1) * n, sizeof(double))) {
        f->nomem |= !f->ragged;
        return;
    }
    memcpy((double *)f->value + (size_t)f->rows * (size_t)n, x, (size_t)n * sizeof *x);
    f->rows++;
}

/* Numbers of one line; they make a row, or are z values. A comment may follow. */
static void add_line(TmlAdmNumbers *f, const char *line, int number, bool z)
{
    static const char between[] = " \t,;\r\n", comment[] = "{$!#";
    double x[MOST_COLUMNS], value;
    int n = 0;
    for (const char *c = line + strspn(line, between);
         *c != '\0' && strchr(comment, *c) == NULL && !f->nomem; c += strspn(c, between)) {
        bool degrees = false;
        const char *end = tml_adm_read_real(c, &value, &degrees);
        if (end == NULL && n == 0) {
            return; // a heading
        }
        if (end == NULL || degrees || (*end != '\0' && strchr(between, *end) == NULL)) {
            f->wrong = f->wrong > 0 ? f->wrong : number;
            return;
        }
        c = end;
        if (z) {
            add_z(f, value);
        } else if (n < MOST_COLUMNS) {
            x[n] = value;
        }
        n++;
    }
    f->ragged |= !z && n > MOST_COLUMNS;
    if (!z && n > 0 && !f->ragged) {
        add_row(f, n, x);
    }
}

static bool is_block(const char *line, const char *name)
{
    const size_t n = strlen(name);
    return line[0] == '[' && strncasecmp(line + 1, name, n) == 0 && line[1 + n] == ']';
}

bool tml_adm_numbers_read(const char *path, const char *block, TmlAdmNumbers *f)
{
    FILE *file;
    const bool open = tml_input_open(path, &file, NULL) == TML_OK;
    char *line = open ? tml_mem_zalloc(LONGEST_LINE, 1) : NULL;
    bool inside = block[0] == '\0', z = false, done = false;
    int number = 0;
    f->nomem |= file != NULL && line == NULL;
    while (line != NULL && !done && fgets(line, LONGEST_LINE, file) != NULL) {
        const char *c = line + strspn(line, " \t");
        number++;
        if (*c == '[') {
            done = inside && (f->rows > 0 || block[0] != '\0');
            inside = block[0] == '\0' || is_block(c, block);
        } else if (*c == '(') {
            z = strncasecmp(c, "(Z", 2) == 0;
        } else if (inside) {
            add_line(f, c, number, z);
        }
    }
    tml_mem_free(line);
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

void tml_adm_numbers_free(TmlAdmNumbers *f)
{
    tml_mem_free(f->value);
    tml_mem_free(f->z);
    *f = (TmlAdmNumbers){0};
}
