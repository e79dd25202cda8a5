/* io/part/inp/inp_instance.c - parts, instances and the assembly of Abaqus files.
 *
 * The text of a part is put aside and read by each of its instances. Where a file has several, names have the instance before
 * them, as the file writes them in its assembly (BOLT-2.HEAD), and a round number is added to those of nodes and elements.
 */
#include "io/part/inp/inp.h"

#include "base/input.h"
#include "math/vec3.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- numbers ------------------------------------------------------------------------------------- */

void tml_inp_count(TmlInpReader *r, int64_t id)
{
    r->most = id > r->most ? id : r->most;
}

int64_t tml_inp_next_offset(const TmlInpReader *r)
{
    int64_t step = 1000;
    while (step <= r->most && step < INT64_MAX / 100) {
        step *= 10;
    }
    // beyond the first, those before have this step already
    const int64_t before = r->n_instances > 1 ? r->instance[1].offset : step;
    return before > 0 && before < step ? (r->most / before + 1) * before : step;
}

int64_t tml_inp_offset(const TmlInpReader *r, const char *instance, size_t length)
{
    for (int k = 0; k < r->n_instances; ++k) {
        const char *name = r->instance[k].name;
        if (strlen(name) == length && strncasecmp(name, instance, length) == 0) {
            return r->instance[k].offset;
        }
    }
    return -1;
}

/* --- texts of parts ------------------------------------------------------------------------------ */

/* Whether a line is this keyword. */
static bool is_keyword(const char *line, const char *name)
{
    const size_t n = strlen(name);
    line += strspn(line, " \t");
    if (line[0] != '*') {
        return false;
    }
    const char *word = line + 1 + strspn(line + 1, " \t");
    return strncasecmp(word, name, n) == 0 && !isalnum((unsigned char)word[n]);
}

static const char *after_line(const char *at)
{
    const char *end = strchrnul(at, '\n');
    return *end != '\0' ? end + 1 : end;
}

void tml_inp_look_for_instances(TmlInpReader *r)
{
    int n = 0;
    for (const char *at = r->source[0].text; *at != '\0'; at = after_line(at)) {
        n += is_keyword(at, "INSTANCE");
    }
    r->deferred = n > 0;
    r->several = n > 1;
}

/* Puts the lines up to *END PART aside. */
static TmlStatus keep_text(TmlInpReader *r, TmlError *err)
{
    TmlInpSource *s = &r->source[r->depth - 1];
    const char *name = tml_inp_value(r, "NAME");
    if (!tml_mem_grow((void **)&r->text, &r->cap_texts, r->n_texts + 1, sizeof *r->text)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for parts");
    }
    TmlInpPart *part = &r->text[r->n_texts++];
    *part = (TmlInpPart){.file = s->file, .line = s->line};
    snprintf(part->name, sizeof part->name, "%s", name != NULL ? name : "");
    const char *end = s->at;
    for (; *end != '\0' && !is_keyword(end, "END PART"); end = after_line(end)) {
        s->line++;
    }
    char *text = tml_arena_alloc(&r->scratch, (size_t)(end - s->at) + 1, 1);
    if (text == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for parts");
    }
    memcpy(text, s->at, (size_t)(end - s->at));
    part->text = text;
    s->at += end - s->at;
    return TML_OK;
}

/* The text of a part as the next lines. */
static TmlStatus read_text(TmlInpReader *r, TmlInpPart *part, TmlError *err)
{
    const size_t n = strlen(part->text);
    char *copy = r->depth < TML_INP_DEPTH ? tml_mem_zalloc(n + 1, 1) : NULL;
    if (copy == NULL) {
        return r->depth < TML_INP_DEPTH
                   ? tml_fail(err, TML_E_NOMEM, "out of memory for a part")
                   : tml_inp_fail(r, err, "*INSTANCE: files include each other too often");
    }
    memcpy(copy, part->text, n);
    r->bytes += n;
    part->used = true;
    r->source[r->depth++] =
        (TmlInpSource){.file = part->file, .text = copy, .at = copy, .line = part->line};
    return r->bytes <= TML_INPUT_MAX
               ? TML_OK
               : tml_inp_fail(r, err, "the instances have more than %d MB of text",
                              TML_INPUT_MAX >> 20);
}

TmlStatus tml_inp_parts_left(TmlInpReader *r, bool *more, TmlError *err)
{
    *more = r->n_texts == 1 && !r->text[0].used && r->build.n_nodes == 0;
    if (*more) {
        return read_text(r, &r->text[0], err);
    }
    for (int k = 0; k < r->n_texts; ++k) {
        if (!r->text[k].used) {
            tml_mesh_note(&r->build, "part '%s' has no instance and is left out", r->text[k].name);
        }
    }
    return TML_OK;
}

/* --- keywords ------------------------------------------------------------------------------------ */

TmlStatus tml_inp_part(TmlInpReader *r, TmlError *err)
{
    if (r->in_part || r->in_assembly) {
        return tml_inp_fail(r, err, "*PART within another part or an assembly");
    }
    r->in_part = true;
    if (r->deferred) {
        return keep_text(r, err);
    }
    r->n_parts++;
    return TML_OK;
}

TmlStatus tml_inp_end_part(TmlInpReader *r, TmlError *err)
{
    (void)err;
    r->in_part = false;
    return TML_OK;
}

TmlStatus tml_inp_assembly(TmlInpReader *r, TmlError *err)
{
    if (r->in_part || r->in_assembly) {
        return tml_inp_fail(r, err, "*ASSEMBLY within a part or another assembly");
    }
    r->in_assembly = true;
    return TML_OK;
}

TmlStatus tml_inp_end_assembly(TmlInpReader *r, TmlError *err)
{
    (void)err;
    r->in_assembly = false;
    return TML_OK;
}

/* Lines of data up to the next keyword: the place of the instance. */
static TmlStatus read_place(TmlInpReader *r, TmlError *err)
{
    r->shift = r->turn_from = r->turn_to = v3(0, 0, 0);
    r->turn = 0.0;
    for (;;) {
        const char *at = r->source[r->depth - 1].at + strspn(r->source[r->depth - 1].at, " \t\r");
        if (at[0] == '\0' || (at[0] == '*' && at[1] != '*')) {
            return TML_OK;
        }
        const char *line = tml_inp_next_line(r);
        TmlInpLine items;
        if (line == NULL || line[0] == '\0' || line[0] == '*') {
            continue;
        }
        TML_TRY(tml_inp_split(r, line, &items, err));
        r->lines++;
        TML_TRY(tml_inp_instance_data(r, &items, err));
    }
}

static TmlStatus new_instance(TmlInpReader *r, const char *name, TmlError *err)
{
    const int64_t offset = r->several && r->most > 0 ? tml_inp_next_offset(r) : 0;
    if (!tml_mem_grow((void **)&r->instance, &r->cap_instances, r->n_instances + 1,
                      sizeof *r->instance)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for instances");
    }
    TmlInpInstance *i = &r->instance[r->n_instances++];
    *i = (TmlInpInstance){.offset = offset};
    snprintf(i->name, sizeof i->name, "%s", name);
    memcpy(r->instance_name, i->name, sizeof i->name);
    r->offset = offset;
    if (offset > 0) {
        tml_mesh_note(&r->build,
                      "instance '%s': %" PRId64
                      " is added to the numbers of its nodes and elements",
                      name, offset);
    }
    return TML_OK;
}

TmlStatus tml_inp_instance(TmlInpReader *r, TmlError *err)
{
    const char *name = tml_inp_value(r, "NAME"), *of = tml_inp_value(r, "PART");
    TmlInpPart *part = NULL;
    if (!r->in_assembly || r->in_instance) {
        return tml_inp_fail(r, err, "*INSTANCE belongs into an assembly");
    }
    if (tml_inp_value(r, "INSTANCE") != NULL || tml_inp_value(r, "LIBRARY") != NULL) {
        return tml_inp_fail(r, err, "*INSTANCE of the results of another run is not read");
    }
    if (r->n_instances > 0 && !r->several) {
        return tml_inp_fail(r, err,
                            "a second *INSTANCE in an included file: write it into the main one");
    }
    if (r->several &&
        tml_inp_offset(r, name != NULL ? name : "", strlen(name != NULL ? name : "")) >= 0) {
        return tml_inp_fail(r, err, "*INSTANCE: each needs a NAME of its own");
    }
    for (int k = 0; k < r->n_texts && part == NULL; ++k) {
        part = of != NULL && strcasecmp(r->text[k].name, of) == 0 ? &r->text[k] : NULL;
    }
    if (part == NULL && of != NULL && r->n_parts == 0) {
        return tml_inp_fail(r, err, "*INSTANCE: there is no part '%.60s'", of);
    }
    TML_TRY(new_instance(r, name != NULL ? name : "", err));
    r->in_instance = true;
    r->first_node = r->n_parts > 0 ? 0 : r->build.n_nodes;
    TML_TRY(read_place(r, err));
    return part != NULL ? read_text(r, part, err) : TML_OK;
}

/* Nodes of the instance to their place in the assembly. */
TmlStatus tml_inp_end_instance(TmlInpReader *r, TmlError *err)
{
    const TmlVec3 axis = v3_sub(r->turn_to, r->turn_from);
    const TmlMat33 A = q4_matrix(q4_exp(v3_scale(r->turn, v3_unit(axis))));
    (void)err;
    for (int k = r->first_node; k < r->build.n_nodes; ++k) {
        TmlVec3 *x = &r->build.x[k];
        *x = v3_add(*x, r->shift);
        if (r->turn != 0.0) {
            *x = v3_add(r->turn_from, m3_mulv(&A, v3_sub(*x, r->turn_from)));
        }
    }
    r->in_instance = false;
    r->offset = 0;
    return TML_OK;
}

/* The shift of an instance, then two points of an axis and an angle in degrees. */
TmlStatus tml_inp_instance_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    double x[7];
    const int n = r->lines == 1 ? 3 : 7;
    if (line->n != n || r->lines > 2) {
        return tml_inp_fail(r, err,
                            "*INSTANCE: a line has a shift of 3 numbers, the next an axis "
                            "and an angle, 7 numbers");
    }
    for (int k = 0; k < n; ++k) {
        TML_TRY(tml_inp_real(r, line->item[k], "a coordinate", &x[k], err));
    }
    if (n == 3) {
        r->shift = (TmlVec3){x[0], x[1], x[2]};
    } else {
        r->turn_from = (TmlVec3){x[0], x[1], x[2]};
        r->turn_to = (TmlVec3){x[3], x[4], x[5]};
        r->turn = x[6] * 3.14159265358979323846 / 180.0;
    }
    return TML_OK;
}
