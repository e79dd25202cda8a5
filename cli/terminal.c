/* cli/terminal.c - what reaches the terminal is text. */
#include "terminal.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 4 }; // of a character

/* One stream. A character may come in two pieces. */
typedef struct Filter {
    int fd;
    int error;    // of a write that failed, 0: none
    int n, whole; // bytes of a character that have come, and how many it has
    unsigned char part[MOST_BYTES];
    int used; // bytes of out that wait
    char out[4096];
} Filter;

static Filter filters[2] = {{.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO}}; // of the process

static bool write_all(int fd, const char *bytes, size_t n, int *error)
{
    while (n > 0) {
        const ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno != EINTR) {
            *error = errno;
            return false;
        }
        bytes += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

static void hand_out(Filter *f)
{
    if (f->error == 0) {
        (void)write_all(f->fd, f->out, (size_t)f->used, &f->error);
    }
    f->used = 0;
}

static void put(Filter *f, const void *bytes, int n)
{
    if (f->used + n > (int)sizeof f->out) {
        hand_out(f);
    }
    memcpy(f->out + f->used, bytes, (size_t)n);
    f->used += n;
}

static void put_shown(Filter *f, const char *fmt, unsigned value)
{
    char text[16];
    put(f, text, snprintf(text, sizeof text, fmt, value));
}

/* Controls of the second set, marks that turn the direction of writing, and line separators. */
static bool is_control(unsigned c)
{
    return (c >= 0x80 && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static void end_part(Filter *f)
{
    for (int k = 0; k < f->n; ++k) {
        put_shown(f, "\\x%02x", f->part[k]);
    }
    f->n = f->whole = 0;
}

/* A character of several bytes has come. */
static void end_character(Filter *f)
{
    static const unsigned least[MOST_BYTES + 1] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned c = f->part[0] & (0x7fu >> f->whole);
    for (int k = 1; k < f->whole; ++k) {
        c = c << 6 | (f->part[k] & 0x3fu);
    }
    if (c < least[f->whole] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
        end_part(f); // no text
        return;
    }
    if (is_control(c)) {
        put_shown(f, "\\u%04x", c);
    } else {
        put(f, f->part, f->n);
    }
    f->n = f->whole = 0;
}

static void take(Filter *f, unsigned char c)
{
    if (f->whole > 0 && (c & 0xc0) == 0x80) {
        f->part[f->n++] = c;
        if (f->n == f->whole) {
            end_character(f);
        }
        return;
    }
    end_part(f);
    if (c >= 0xc2 && c < 0xf5) {
        f->part[f->n++] = c;
        f->whole = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    } else if (c >= 0x80 || c == 0x7f || (c < 0x20 && c != '\n' && c != '\t')) {
        put_shown(f, "\\x%02x", c);
    } else {
        put(f, &c, 1);
    }
}

static ssize_t filter_write(void *cookie, const char *bytes, size_t n)
{
    Filter *f = cookie;
    if (f == &filters[1]) {
        fflush(stdout); // both may end in one file: what was said first stands first
    }
    for (size_t k = 0; k < n; ++k) {
        take(f, (unsigned char)bytes[k]);
    }
    hand_out(f);
    if (f->error != 0) {
        errno = f->error;
        return 0;
    }
    return (ssize_t)n;
}

void cli_terminal_init(void)
{
    FILE **const stream[2] = {&stdout, &stderr};
    for (int k = 0; k < 2; ++k) {
        FILE *file = fopencookie(&filters[k], "w", (cookie_io_functions_t){.write = filter_write});
        if (file != NULL) {
            setvbuf(file, NULL, k == 1 || isatty(filters[k].fd) ? _IOLBF : _IOFBF, BUFSIZ);
            *stream[k] = file;
        }
    }
}

bool cli_terminal_end(void)
{
    const bool flushed = fflush(stdout) == 0;
    fflush(stderr);
    for (int k = 0; k < 2; ++k) {
        end_part(&filters[k]);
        hand_out(&filters[k]);
    }
    errno = filters[0].error != 0 ? filters[0].error : errno;
    return flushed && filters[0].error == 0;
}

static bool write_raw(FILE *stream, Filter *f, const char *text)
{
    fflush(stream);
    return f->error == 0 && write_all(f->fd, text, strlen(text), &f->error);
}

bool cli_terminal_progress(const char *text)
{
    return write_raw(stderr, &filters[1], text);
}

bool cli_terminal_document(const char *text)
{
    return write_raw(stdout, &filters[0], text);
}
