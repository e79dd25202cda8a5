/* adams/tables/history.c - time histories in DAC and RPC III files.
 *
 * Both have records of 512 bytes and values in equal steps of time.
 *
 * DAC, of one channel: a record of 128 elements of four bytes, then single-precision numbers. Real
 * elements, counted from 1: 1 how many, 2 how many in a unit of time, 3 where x begins, 4 the step.
 * From byte 128 on there are 16-bit integers: the second tells the order of bytes (3 little end
 * first, 12 big), the 32nd is above 1 in files of version 5, in which element 32 is an integer that
 * counts the values.
 *
 * RPC III: parameters of 128 bytes, 32 of a name and 96 of a value, NUM_PARAMS of them in
 * NUM_HEADER_BLOCKS records. Value k of channel c is in group g = k / P, P = PTS_PER_GROUP:
 *
 *   (H1)  place ((C g + c - 1) P + k mod P) behind the header, n = FRAMES * PTS_PER_FRAME
 *
 * a 16-bit integer times SCALE.CHAN_c, or a single-precision number.
 */
#include "adams/tables/history.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/fail.h"
#include "base/input.h"
#include "base/real.h"

enum { RECORD = 512, PARAMETER = 128, KEY = 32, MOST_VALUES = 1000000, MOST_PARAMETERS = 100000 };

/* Bytes of a file, and how they are to be read. */
typedef struct Bytes {
    unsigned char *at;
    int64_t n;
    bool big;     // the big end of numbers comes first
    bool swapped; // letters of names are exchanged in pairs
} Bytes;

TML_PRINTF(2, 3)
static bool fail(TmlAdmHistory *h, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(h->wrong, sizeof h->wrong, fmt, args);
    va_end(args);
    return false;
}

/* size bytes at a place as an unsigned number; the caller has looked whether they are there. */
static uint32_t bits_at(const Bytes *b, int64_t place, int size)
{
    uint32_t x = 0;
    for (int k = 0; k < size; ++k) {
        x = x << 8 | b->at[place + (b->big ? k : size - 1 - k)];
    }
    return x;
}

static double real_at(const Bytes *b, int64_t place)
{
    const uint32_t bits = bits_at(b, place, 4);
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

static double integer_at(const Bytes *b, int64_t place)
{
    const int x = (int)bits_at(b, place, 2);
    return x < 0x8000 ? x : x - 0x10000;
}

static bool make_values(TmlAdmHistory *h, int64_t n)
{
    h->n = (int)n;
    h->y = tml_mem_zalloc((size_t)n, sizeof *h->y);
    h->nomem = h->y == NULL;
    return !h->nomem;
}

/* Numbers of a measurement are finite. */
static bool check_values(TmlAdmHistory *h)
{
    for (int k = 0; k < h->n; ++k) {
        if (!isfinite(h->y[k])) {
            return fail(h, "value %d is no number", k + 1);
        }
    }
    return isfinite(h->from) && isfinite(h->step) && h->step > 0.0
               ? true
               : fail(h, "the step of time is %g, and it begins at %g", h->step, h->from);
}

/* --- DAC -------------------------------------------------------------------------------------- */

static double dac_count(const Bytes *b)
{
    enum { ELEMENT_32 = 124, VERSION = 128 + 62 };
    const double exact = (double)(int32_t)bits_at(b, ELEMENT_32, 4);
    return integer_at(b, VERSION) > 1.0 && exact > 0.0 ? exact : real_at(b, 0);
}

static bool read_dac(Bytes *b, TmlAdmHistory *h)
{
    enum { ORDER = 130 };
    if (b->n < RECORD) {
        return fail(h, "a DAC file has a header of 512 bytes, this one has %d", (int)b->n);
    }
    b->big = integer_at(b, ORDER) > 255.0;
    const double n = dac_count(b), rate = real_at(b, 4);
    if (!(n >= 1.0 && n <= MOST_VALUES && n == floor(n))) {
        return fail(h, "its header counts %g values, expected 1 to %d", n, (int)MOST_VALUES);
    }
    if ((b->n - RECORD) / 4 < (int64_t)n) {
        return fail(h, "its header counts %d values, there are %d", (int)n,
                    (int)((b->n - RECORD) / 4));
    }
    h->from = real_at(b, 8);
    h->step = rate > 0.0 ? 1.0 / rate : real_at(b, 12);
    if (!make_values(h, (int64_t)n)) {
        return false;
    }
    for (int k = 0; k < h->n; ++k) {
        h->y[k] = real_at(b, RECORD + 4 * (int64_t)k);
    }
    return check_values(h);
}

/* --- RPC III ---------------------------------------------------------------------------------- */

static char letter_at(const Bytes *b, int64_t place)
{
    return (char)b->at[b->swapped ? place ^ 1 : place];
}

/* The name or value that begins at a place, without the blanks behind it. */
static void text_at(const Bytes *b, int64_t place, int size, char *out)
{
    int n = 0;
    while (n < size && letter_at(b, place + n) != '\0') {
        out[n] = letter_at(b, place + n);
        n++;
    }
    while (n > 0 && (out[n - 1] == ' ' || out[n - 1] == '\n' || out[n - 1] == '\r')) {
        n--;
    }
    out[n] = '\0';
}

/* The value of a parameter; false: there is none. */
static bool find_text(const Bytes *b, int n_parameters, const char *name, char out[PARAMETER])
{
    for (int k = 0; k < n_parameters; ++k) {
        text_at(b, (int64_t)PARAMETER * k, KEY, out);
        if (strcasecmp(out, name) == 0) {
            text_at(b, (int64_t)PARAMETER * k + KEY, PARAMETER - KEY, out);
            return true;
        }
    }
    return false;
}

static double find_number(const Bytes *b, int n_parameters, const char *name, double standard)
{
    char text[PARAMETER];
    return find_text(b, n_parameters, name, text) ? tml_real_read(text, NULL) : standard;
}

/* A whole number from 1 to a limit. */
static bool find_count(const Bytes *b, int n_parameters, const char *name, double most,
                       TmlAdmHistory *h, int64_t *out)
{
    const double x = find_number(b, n_parameters, name, 0.0);
    *out = 1; // nobody divides by nothing
    if (!(x >= 1.0 && x <= most)) {
        return fail(h, "%s is %g, expected 1 to %.0f", name, x, most);
    }
    *out = (int64_t)x;
    return true;
}

typedef struct Layout {
    int64_t header, channels, group, n; // bytes; counts
    int size;                           // bytes of a value
    double scale;
} Layout;

/* The order of bytes and the number of parameters; false: reported. */
static bool read_start(Bytes *b, TmlAdmHistory *h, int *n_parameters)
{
    char text[PARAMETER];
    b->swapped = b->n > 6 && strncasecmp((const char *)b->at, "OFMRTA", 6) == 0;
    const int there = (int)(b->n / PARAMETER < MOST_PARAMETERS ? b->n / PARAMETER : 0);
    const double n = find_number(b, there < 3 ? there : 3, "NUM_PARAMS", 0.0);
    if (there < 3 || !(n >= 3.0 && n <= there)) {
        return fail(h, "its header counts %g parameters, there is room for %d", n, there);
    }
    *n_parameters = (int)n;
    const bool known = find_text(b, *n_parameters, "FORMAT", text);
    b->big = known && strcasecmp(text, "BINARY_IEEE_BIG_END") == 0;
    if (!known || strncasecmp(text, "BINARY", 6) != 0) {
        return fail(h, "FORMAT is '%.40s', expected a binary one", known ? text : "");
    }
    if (find_text(b, *n_parameters, "FILE_TYPE", text) && strcasecmp(text, "TIME_HISTORY") != 0) {
        return fail(h, "FILE_TYPE is '%.40s', expected TIME_HISTORY", text);
    }
    return true;
}

static bool read_layout(const Bytes *b, int n_parameters, int channel, TmlAdmHistory *h, Layout *x)
{
    char text[PARAMETER], name[KEY];
    int64_t blocks, frames, points;
    if (!find_count(b, n_parameters, "NUM_HEADER_BLOCKS", MOST_PARAMETERS, h, &blocks) ||
        !find_count(b, n_parameters, "CHANNELS", MOST_PARAMETERS, h, &x->channels) ||
        !find_count(b, n_parameters, "PTS_PER_GROUP", MOST_VALUES, h, &x->group) ||
        !find_count(b, n_parameters, "PTS_PER_FRAME", MOST_VALUES, h, &points) ||
        !find_count(b, n_parameters, "FRAMES", MOST_VALUES / (double)points, h, &frames)) {
        return false;
    }
    if (channel < 1 || channel > x->channels) {
        return fail(h, "CHANNEL must be 1 to %d", (int)x->channels);
    }
    if (find_number(b, n_parameters, "PARTITIONS", 1.0) > 1.0 ||
        find_number(b, n_parameters, "HALF_FRAMES", 0.0) != 0.0) {
        return fail(h, "partitions and half frames are not supported yet: write the channel to a "
                       "text file of x and y");
    }
    const bool known = find_text(b, n_parameters, "DATA_TYPE", text);
    const bool real = known && strcasecmp(text, "FLOATING_POINT") == 0;
    if (known && !real && strcasecmp(text, "SHORT_INTEGER") != 0) {
        return fail(h, "DATA_TYPE is '%.40s', expected SHORT_INTEGER or FLOATING_POINT", text);
    }
    snprintf(name, sizeof name, "SCALE.CHAN_%d", channel);
    x->header = blocks * RECORD;
    x->n = frames * points;
    x->size = real ? 4 : 2;
    x->scale = real ? 1.0 : find_number(b, n_parameters, name, 0.0);
    return x->scale != 0.0 || fail(h, "%s is missing", name);
}

static bool read_rpc(Bytes *b, int channel, TmlAdmHistory *h)
{
    int n_parameters = 0;
    Layout x = {0};
    if (!read_start(b, h, &n_parameters) || !read_layout(b, n_parameters, channel, h, &x)) {
        return false;
    }
    const int64_t last = x.n - 1;
    const int64_t place = (x.channels * (last / x.group) + channel - 1) * x.group + last % x.group;
    if (x.header + (place + 1) * x.size > b->n) { // (H1)
        return fail(h, "it ends before the last value of channel %d", channel);
    }
    h->step = find_number(b, n_parameters, "DELTA_T", 0.0);
    if (!make_values(h, x.n)) {
        return false;
    }
    for (int64_t k = 0; k < x.n; ++k) {
        const int64_t at = (x.channels * (k / x.group) + channel - 1) * x.group + k % x.group;
        const int64_t byte = x.header + at * x.size;
        h->y[k] = x.size == 4 ? real_at(b, byte) : x.scale * integer_at(b, byte);
    }
    return check_values(h);
}

/* --- files ------------------------------------------------------------------------------------ */

static bool ends_in(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n > m && strcasecmp(path + n - m, end) == 0;
}

/* Does a file begin with FORMAT as RPC III does? */
static bool is_rpc(const char *path)
{
    char first[7] = "";
    FILE *file;
    const bool open = tml_input_open(path, &file, NULL) == TML_OK;
    const bool read = open && fread(first, 1, 6, file) == 6;
    if (file != NULL) {
        fclose(file);
    }
    return read && (strcasecmp(first, "FORMAT") == 0 || strcasecmp(first, "OFMRTA") == 0);
}

bool tml_adm_is_history(const char *path)
{
    return ends_in(path, ".dac") || is_rpc(path);
}

/* All of a file; false: nomem, or wrong says why. */
static bool read_bytes(const char *path, Bytes *b, TmlAdmHistory *h)
{
    char *text = NULL;
    size_t length = 0;
    const TmlStatus status = tml_input_read(path, &text, &length, NULL);
    b->at = (unsigned char *)text;
    b->n = (long)length;
    h->nomem = status == TML_E_NOMEM;
    return status == TML_OK || (!h->nomem && fail(h, "it cannot be opened"));
}

bool tml_adm_history_read(const char *path, int channel, TmlAdmHistory *h)
{
    Bytes b = {0};
    *h = (TmlAdmHistory){0};
    const bool rpc = is_rpc(path);
    if (!rpc && channel > 1) {
        return fail(h, "a DAC file has one channel");
    }
    const bool ok = read_bytes(path, &b, h) && (rpc ? read_rpc(&b, channel, h) : read_dac(&b, h));
    tml_mem_free(b.at);
    return ok;
}

void tml_adm_history_free(TmlAdmHistory *h)
{
    tml_mem_free(h->y);
    *h = (TmlAdmHistory){0};
}
