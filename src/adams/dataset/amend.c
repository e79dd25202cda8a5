/* adams/dataset/amend.c - a dataset as the commands before a simulation leave it.
 *
 * A statement in a command file gives arguments of the dataset's statement anew. Elements that are
 * taken away stay known by their identifiers, so that expressions may name them: what they do is
 * zero.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adams/dataset/dataset.h"

static TmlAdmItem *find_statement(TmlAdm *adm, const TmlAdmItem *item)
{
    if (!item->syntax->unnumbered) {
        return tml_adm_find(adm, item->syntax->name, item->id);
    }
    for (int k = 0; k < adm->n; ++k) {
        if (adm->item[k].syntax == item->syntax) {
            return &adm->item[k];
        }
    }
    return NULL;
}

/* Which kind of a choice a word is; -1: none. */
static int kind_of(const char *kinds, const char *word)
{
    const size_t n = strlen(word);
    int kind = 0;
    for (const char *at = kinds; *at != '\0';) {
        const size_t length = strcspn(at, " |");
        if (length == n && strncmp(at, word, n) == 0) {
            return kind;
        }
        kind += at[length] == '|' ? 1 : 0;
        at += length + (at[length] != '\0' ? 1 : 0);
    }
    return -1;
}

/* Does a new statement give another kind of what this old argument was one of? */
static bool is_replaced(const TmlAdmItem *from, const char *old)
{
    const char *choices = from->syntax->choices;
    const int was = choices != NULL ? kind_of(choices, old) : -1;
    for (int k = 0; was >= 0 && k < from->n_args; ++k) {
        const int is = kind_of(choices, from->args[k].key->name);
        if (is >= 0 && is != was) {
            return true;
        }
    }
    return tml_adm_has(from, old);
}

/* New arguments, and the old ones that they do not give anew. */
static TmlStatus merge(TmlAdm *adm, TmlAdmItem *to, const TmlAdmItem *from, TmlError *err)
{
    TmlAdmArg *args;
    int n = 0;
    TML_NEW(adm->arena, args, to->n_args + from->n_args);
    for (int k = 0; k < from->n_args; ++k) {
        args[n++] = from->args[k];
    }
    for (int k = 0; k < to->n_args; ++k) {
        if (!is_replaced(from, to->args[k].key->name)) {
            args[n++] = to->args[k];
        }
    }
    to->args = args;
    to->n_args = n;
    to->failed |= from->failed;
    return TML_OK;
}

static TmlStatus amend_statement(TmlAdm *adm, const TmlAdmCommand *c, TmlError *err)
{
    TmlAdmItem fresh;
    TML_TRY(tml_adm_read_item(adm, c->s, &fresh, err));
    TmlAdmItem *known = fresh.syntax != NULL ? find_statement(adm, &fresh) : NULL;
    if (known != NULL) {
        return merge(adm, known, &fresh, err);
    }
    if (fresh.syntax != NULL && !fresh.syntax->unnumbered) {
        tml_adm_error(adm, &fresh, tml_adm_whole(&fresh), "the dataset has no such statement");
    } else if (fresh.syntax != NULL) {
        tml_adm_add_item(adm, &fresh);
    }
    return TML_OK;
}

/* --- taken away ------------------------------------------------------------------------------- */

static void complain(TmlAdm *adm, const TmlAdmCommand *c, TmlAdmSlice at, const char *text,
                     const char *what)
{
    const TmlValue place = tml_adm_place(at.of, at.start);
    tml_report_add(adm->report, &place, "%s: %s%s", c->syntax->name, text, what);
}

/* Elements with these identifiers; one that is unknown is reported. */
static void set_listed(TmlAdm *adm, const TmlAdmCommand *c, const TmlAdmSyntax *class,
                       const TmlAdmArg *list, bool off)
{
    TmlAdmSlice s = list->value;
    const char *text = s.of->text;
    for (int from = s.start, end = s.start + s.length; from < end;) {
        int to = from;
        while (to < end && strchr(", \t\001", text[to]) == NULL) {
            ++to;
        }
        const TmlAdmSlice word = {s.of, from, to - from};
        TmlAdmItem *item = to > from ? tml_adm_find(adm, class->name, tml_adm_id(adm, word)) : NULL;
        if (item != NULL) {
            item->inactive = off;
        } else if (to > from) {
            const char *name =
                tml_arena_printf(adm->arena, "%s/%s", class->name, tml_adm_id(adm, word));
            complain(adm, c, word, "there is no ", name != NULL ? name : class->name);
        }
        from = to + 1;
    }
}

/* All of a class whose numbers lie between two. */
static void set_range(TmlAdm *adm, const TmlAdmCommand *c, const TmlAdmSyntax *class,
                      const TmlAdmArg *range, bool off)
{
    char *text = tml_adm_copy(adm->arena, range->value), *end = NULL, *last = NULL;
    adm->nomem |= text == NULL;
    const long low = text != NULL ? strtol(text, &end, 10) : 0;
    end += end != NULL ? strspn(end, " \t,") : 0;
    const long high = end != NULL ? strtol(end, &last, 10) : -1;
    if (end == NULL || last == end || high < low) {
        complain(adm, c, range->value, "RANGE needs two numbers, the smaller one first", "");
        return;
    }
    for (int k = 0; k < adm->n; ++k) {
        const long id = adm->item[k].syntax == class ? strtol(adm->item[k].id, NULL, 10) : -1;
        if (adm->item[k].syntax == class && id >= low && id <= high) {
            adm->item[k].inactive = off;
        }
    }
}

static void set_active(TmlAdm *adm, const TmlAdmCommand *c)
{
    const bool off = c->syntax->name[0] == 'D';
    const TmlAdmSlice id = c->s->id;
    const TmlAdmSyntax *class =
        id.length > 0 ? tml_adm_syntax(id.of->text + id.start, id.length) : NULL;
    const TmlAdmArg *list = tml_adm_find_arg(c->args, c->n_args, "ID");
    const TmlAdmArg *range = tml_adm_find_arg(c->args, c->n_args, "RANGE");
    if (class == NULL || strcmp(class->name, "PART") == 0 || strcmp(class->name, "MARKER") == 0 ||
        strcmp(class->name, "FE_PART") == 0 || strcmp(class->name, "FLEX_BODY") == 0) {
        complain(adm, c, id.length > 0 ? id : c->s->keyword,
                 "needs the kind of an element, such as JOINT", "");
    } else if (list == NULL && range == NULL) {
        complain(adm, c, c->s->keyword, "needs ID or RANGE", "");
    } else if (class->use == TML_ADM_USED) {
        if (list != NULL) {
            set_listed(adm, c, class, list, off);
        }
        if (range != NULL) {
            set_range(adm, c, class, range, off);
        }
    }
}

/* The joint that an element needs and that is inactive; NULL: none. */
static const TmlAdmItem *inactive_joint(TmlAdm *adm, const TmlAdmItem *item)
{
    const TmlAdmArg *one = tml_adm_arg(item, "JOINT"), *several = tml_adm_arg(item, "JOINTS");
    const TmlAdmArg *arg = one != NULL ? one : several;
    TmlAdmItem *joint;
    for (int at = 0; arg != NULL && tml_adm_next_ref(adm, arg, "JOINT", &at, &joint);) {
        if (joint != NULL && joint->inactive) {
            return joint;
        }
    }
    return NULL;
}

/* What needs an inactive joint is inactive too: motions, friction, couplers, gears. Columns of an
 * MREQUEST stay: those of the joint are zero. */
static void follow_joints(TmlAdm *adm)
{
    for (int k = 0; k < adm->n; ++k) {
        TmlAdmItem *item = &adm->item[k];
        const bool needs = !item->inactive && strcmp(item->syntax->name, "MREQUEST") != 0;
        const TmlAdmItem *joint = needs ? inactive_joint(adm, item) : NULL;
        if (joint != NULL) {
            item->inactive = true;
            tml_adm_note(adm, item, tml_adm_whole(item), "inactive, as JOINT/%s is", joint->id);
        }
    }
}

TmlStatus tml_adm_amend(TmlAdm *adm, TmlError *err)
{
    bool switched = false;
    for (int k = 0; k < adm->n_commands; ++k) {
        const TmlAdmCommand *c = &adm->commands[k];
        if (c->statement) {
            TML_TRY(amend_statement(adm, c, err));
        } else if (strstr(c->syntax->name, "ACTIVATE") != NULL) {
            set_active(adm, c);
            switched = true;
        }
    }
    if (switched) {
        follow_joints(adm);
    }
    return adm->nomem ? tml_fail(err, TML_E_NOMEM, "out of memory") : TML_OK;
}
