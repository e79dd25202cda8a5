/* io/part/part_take.c - a part for a model: from its file, or reduced anew from its description. */
#include "io/part/description/part_read.h"
#include "io/part/part_file.h"

#include <string.h>
#include <strings.h>

static bool is_description(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0);
}

TmlStatus tml_part_take(const char *path, TmlArena *arena, TmlPart *out, TmlError *err)
{
    const TmlOverrides none = {0};
    TmlReduceFacts facts;
    TmlPartRead from;
    if (!is_description(path)) {
        return tml_part_load(path, arena, out, err);
    }
    TmlStatus status = tml_part_read_file(path, &none, &from, err);
    if (status == TML_OK) {
        status = tml_reduce(&from.fe, &from.o, arena, out, &facts, err);
        status = status == TML_OK ? status : tml_fail_ctx(err, status, "%s", path);
    }
    tml_part_read_free(&from);
    return status;
}
