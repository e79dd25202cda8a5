/* adams/flexible/flex_part.c - parts from finite elements for FLEX_BODY, and the nodes that carry its markers.
 *
 * Modal neutral files are not read. The caller names a part that was reduced from the mesh or the matrices, whose origin
 * and axes are those of the FLEX_BODY.
 */
#include "adams/flexible/flex_part.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adams/adams.h"
#include "adams/translate/fe.h"
#include "math/vec3.h"
#include "model/modal/modal.h"

bool tml_adm_is_flex(const TmlAdmItem *body)
{
    return strcmp(body->syntax->name, "FLEX_BODY") == 0;
}

/* --- what the caller gives ---------------------------------------------------------------------- */

static void complain(TmlAdm *adm, const char *name, const char *path, const char *text,
                     const char *more)
{
    const TmlValue at = {.file = adm->file, .line = 1, .column = 1};
    tml_report_add(adm->report, &at, "--flex %s=%s: %s%s", name, path, text, more);
}

static TmlAdmItem *find_body(TmlAdm *adm, const char *name)
{
    TmlAdmItem *found = tml_adm_find(adm, "FLEX_BODY", name);
    for (int k = 0; k < adm->n && found == NULL; ++k) {
        TmlAdmItem *item = &adm->item[k];
        const char *view = item->s->view_name;
        const bool named = strcasecmp(item->name != NULL ? item->name : "", name) == 0 ||
                           (view != NULL && strcasecmp(view, name) == 0);
        found = tml_adm_is_flex(item) && named ? item : NULL;
    }
    return found;
}

static const char *all_bodies(TmlAdm *adm)
{
    TmlAdmText text = {0};
    for (int k = 0; k < adm->n; ++k) {
        if (tml_adm_is_flex(&adm->item[k])) {
            tml_adm_write(&text, "%sFLEX_BODY/%s", text.n > 0 ? ", " : "", adm->item[k].id);
        }
    }
    return tml_adm_take(adm, &text);
}

static void give_part(TmlAdm *adm, const char *name, const char *path)
{
    TmlAdmItem *body = find_body(adm, name);
    TmlError err = {0};
    if (body == NULL) {
        const char *known = all_bodies(adm);
        complain(adm, name, path, "there is no such FLEX_BODY",
                 known[0] != '\0' ? tml_arena_printf(adm->arena, "; there are %s", known) : "");
        return;
    }
    if (body->flex != NULL) {
        complain(adm, name, path, "the body has another part already: ", body->flex->path);
        return;
    }
    TmlAdmFlex *flex = tml_arena_alloc(adm->arena, 1, sizeof *flex);
    const char *whole = tml_adm_whole_path(adm, path);
    if (flex == NULL || whole == NULL) {
        adm->nomem = true;
        return;
    }
    *flex = (TmlAdmFlex){.path = whole};
    body->flex = flex;
    if (tml_model_part(adm->model, whole, &flex->part, &err) != TML_OK) {
        adm->nomem |= err.status == TML_E_NOMEM;
        complain(adm, name, path, err.message, "");
        body->failed = true;
    }
}

/* The way round a file that is not read. */
static void tell_lacking(TmlAdm *adm, TmlAdmItem *body)
{
    static const char *const files[] = {"MNF_FILE", "DB_FILE", "BDF_FILE"};
    const TmlAdmArg *file = NULL;
    for (size_t k = 0; k < sizeof files / sizeof *files && file == NULL; ++k) {
        file = tml_adm_arg(body, files[k]);
    }
    if (file != NULL) {
        const char *name = tml_adm_copy(adm->arena, file->value);
        adm->nomem |= name == NULL;
        tml_adm_error(adm, body, file->value,
                      "%s: '%s' is not read: reduce the mesh or the matrices that it was made of "
                      "by 'trammel reduce PART.yaml -o PART.h5', and name the part with --flex "
                      "%s=PART.h5",
                      file->key->name, name != NULL ? name : "", body->id);
        return;
    }
    tml_adm_error(adm, body, body->s->keyword,
                  "needs its part from finite elements, which 'trammel reduce' makes: name it with "
                  "--flex %s=PART.h5",
                  body->id);
}

/* --- names ------------------------------------------------------------------------------------ */

static bool is_taken(TmlAdm *adm, const TmlAdmItem *body, const TmlAdmItem *marker,
                     const char *name)
{
    for (int f = 0; f < body->flex->part->n_frames; ++f) {
        if (strcmp(body->flex->part->frame[f].name, name) == 0) {
            return true;
        }
    }
    for (int k = 0; k < adm->n; ++k) {
        TmlAdmItem *item = &adm->item[k];
        if (item != marker && item->syntax == marker->syntax && strcmp(item->name, name) == 0 &&
            tml_adm_owner(adm, item) == body) {
            return true;
        }
    }
    return false;
}

/* A marker that has the name of a frame of the part gets another one. */
static void rename_marker(TmlAdm *adm, const TmlAdmItem *body, TmlAdmItem *marker)
{
    const char *name = marker->name;
    for (int k = 2; name != NULL && is_taken(adm, body, marker, name); ++k) {
        name = tml_arena_printf(adm->arena, "%s_%d", marker->name, k);
    }
    if (name != marker->name) {
        marker->name = name;
        marker->path = tml_arena_printf(adm->arena, "%s.%s", body->name, name);
        adm->nomem |= name == NULL || marker->path == NULL;
    }
}

void tml_adm_flexes(TmlAdm *adm, const TmlAdamsOptions *o)
{
    for (int k = 0; k < o->n_flex && !adm->nomem; ++k) {
        give_part(adm, o->flex_name[k], o->flex_file[k]);
    }
    for (int k = 0; k < adm->n && !adm->nomem; ++k) {
        TmlAdmItem *item = &adm->item[k];
        TmlAdmItem *body =
            strcmp(item->syntax->name, "MARKER") == 0 ? tml_adm_owner(adm, item) : NULL;
        if (tml_adm_is_flex(item) && item->flex == NULL && !item->failed) {
            tell_lacking(adm, item);
        }
        if (body != NULL && body->flex != NULL && body->flex->part != NULL) {
            rename_marker(adm, body, item);
        }
    }
}

/* --- nodes of markers --------------------------------------------------------------------------- */

/* The place of a frame in the axes of the mesh. */
static TmlVec3 place_of(const TmlPart *part, int frame)
{
    return v3_add(part->origin, m3_mulv(&part->axes, part->frame[frame].x));
}

/* A node of the mesh, kept for pictures, may stand where a frame does: the master of a spider. */
static int frame_at_node(const TmlPart *part, int64_t id)
{
    for (int k = 0; k < part->n_nodes; ++k) {
        for (int f = 0; part->id[k] == id && f < part->n_frames; ++f) {
            if (v3_norm(v3_sub(part->x[k], part->frame[f].x)) <= 1e-9 * part->size) {
                return f;
            }
        }
    }
    return -1;
}

/* By its number, by a name such as node17, or by its place. */
static int find_node(TmlAdm *adm, const TmlPart *part, int64_t id)
{
    const char *name = tml_arena_printf(adm->arena, "node%lld", (long long)id);
    const char *other = tml_arena_printf(adm->arena, "node_%lld", (long long)id);
    adm->nomem |= name == NULL || other == NULL;
    for (int f = 0; f < part->n_frames; ++f) {
        if (part->frame[f].node == id) {
            return f;
        }
    }
    for (int f = 0; f < part->n_frames && !adm->nomem; ++f) {
        if (strcasecmp(part->frame[f].name, name) == 0 ||
            strcasecmp(part->frame[f].name, other) == 0) {
            return f;
        }
    }
    return frame_at_node(part, id);
}

static void tell_unknown(TmlAdm *adm, TmlAdmItem *marker, const TmlAdmItem *body, int64_t id)
{
    const TmlPart *part = body->flex->part;
    TmlAdmText text = {0};
    for (int f = 0; f < part->n_frames; ++f) {
        const TmlPartFrame *frame = &part->frame[f];
        tml_adm_write(&text, "%s%s", f > 0 ? ", " : "", frame->name);
        if (frame->node != 0) {
            tml_adm_write(&text, " (node %lld)", (long long)frame->node);
        }
    }
    const char *list = tml_adm_take(adm, &text);
    tml_adm_error(adm, marker, tml_adm_arg(marker, "NODE_ID")->value,
                  "NODE_ID: part '%s' of FLEX_BODY/%s has no frame for node %lld; it has %s. Add "
                  "'keep: {node%lld: %lld}' or an interface with 'id: %lld' to the description of "
                  "the part, and reduce it again",
                  part->name, body->id, (long long)id, list[0] != '\0' ? list : "no frames",
                  (long long)id, (long long)id, (long long)id);
}

bool tml_adm_flex_node(TmlAdm *adm, TmlAdmItem *marker, int *frame)
{
    const TmlAdmItem *body = tml_adm_owner(adm, marker);
    const TmlAdmArg *arg = tml_adm_arg(marker, "NODE_ID");
    double id = 0.0;
    *frame = -1;
    if (marker->failed || body == NULL || body->flex == NULL || body->flex->part == NULL) {
        return false; // told there
    }
    if (arg == NULL) {
        return true;
    }
    if (memchr(arg->value.of->text + arg->value.start, ',', (size_t)arg->value.length) != NULL) {
        tml_adm_error(adm, marker, arg->value,
                      "NODE_ID: not supported yet: a marker on several nodes. Tie them by an "
                      "interface of the part with 'tie: average' and an 'id', and name that");
        return false;
    }
    if (tml_adm_arg_reals(adm, marker, arg, 1, 1, &id) != 1) {
        return false;
    }
    *frame = find_node(adm, body->flex->part, (int64_t)id);
    if (*frame < 0) {
        tell_unknown(adm, marker, body, (int64_t)id);
    }
    return *frame >= 0;
}

void tml_adm_flex_place(TmlAdm *adm, TmlAdmItem *marker, TmlVec3 *r)
{
    const TmlAdmItem *body = tml_adm_owner(adm, marker);
    int frame;
    if (body != NULL && tml_adm_is_flex(body) && tml_adm_flex_node(adm, marker, &frame) &&
        frame >= 0) {
        *r = place_of(body->flex->part, frame);
    }
}

TmlValue *tml_adm_flex_frame(TmlAdm *adm, TmlAdmItem *marker, const TmlMat33 *axes)
{
    const TmlAdmSlice at = tml_adm_whole(marker);
    const TmlAdmItem *body = tml_adm_owner(adm, marker);
    TmlVec3 r;
    TmlMat33 A;
    int f;
    if (!tml_adm_flex_node(adm, marker, &f) || !tml_adm_frame(adm, marker, &r, &A)) {
        return NULL;
    }
    const TmlPart *part = body->flex->part;
    TmlVec3 s = f >= 0 ? v3_sub(r, place_of(part, f)) : r;
    // a place in a dataset has fewer digits than one of the mesh
    const double slack = f >= 0 && !part->frame[f].turns ? 1e-6 : 1e-9;
    s = f >= 0 && v3_norm(s) <= slack * part->size ? v3(0, 0, 0) : s;
    if (f >= 0 && !part->frame[f].turns && v3_norm(s) > 0.0) {
        tml_adm_error(adm, marker, at,
                      "node '%s' of part '%s' has no rotation and can carry no marker %.3g m away: "
                      "tie it to its neighbours by an interface of the part",
                      part->frame[f].name, part->name, v3_norm(s));
        return NULL;
    }
    TmlValue *v = tml_adm_map(adm, at);
    TmlValue *rotation = tml_adm_fe_axes(adm, at, axes != NULL ? axes : &A);
    if (f >= 0) {
        tml_adm_set(adm, v, "at", tml_adm_scalar(adm, at, part->frame[f].name));
    }
    if (v3_norm(s) > 0.0) {
        tml_adm_set(adm, v, "position", tml_adm_turned(adm, at, tml_adm_tidy(s)));
    }
    if (rotation != NULL) {
        tml_adm_set(adm, v, "rotation", rotation);
    }
    return v;
}
