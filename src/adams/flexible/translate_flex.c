/* adams/flexible/translate_flex.c - FLEX_BODY as a modal body.
 *
 * Its coordinate system is that of the mesh. Modes are normalised to unit modal mass in the units of the dataset, as
 * modal neutral files have them; with L and M the units of length and mass and T that of time
 *
 *   (FB1)  eta = L sqrt(M) q,   eta' = L sqrt(M) / T q'
 *
 * Damping is a ratio for each mode, CRATIO, which is worked out when the dataset is read. Without one Adams takes
 *
 *   (FB2)  0.01 below 100 Hz, 0.1 below 1000 Hz, 1 above
 */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "adams/flexible/flex_part.h"
#include "adams/translate/fe.h"
#include "expr/expr.h"
#include "math/vec3.h"

/* --- modes -------------------------------------------------------------------------------------- */

/* The modes that are kept. */
typedef struct Kept {
    int n;
    const double *number; /* n, from 1 */
    bool all;
} Kept;

static double *numbers(TmlAdm *adm, TmlAdmItem *item, const char *name, int most, int *n)
{
    double *out = tml_arena_alloc(adm->arena, (size_t)most + 1, sizeof *out);
    adm->nomem |= out == NULL;
    *n = out != NULL ? tml_adm_reals(adm, item, name, 1, most, out) : 0;
    return out;
}

/* Modal neutral files count rigid motion among the modes, parts do not. */
static void tell_count(TmlAdm *adm, TmlAdmItem *item, const Kept *k)
{
    enum { RIGID = 6 };
    if (k->n > 0 && k->number[0] == RIGID + 1) {
        tml_adm_warn(adm, item,
                     "MODES begins at 7, as if the first six were rigid motion; they are counted "
                     "as 'trammel reduce' lists them, which has none of these: mode 7 is %.6g Hz",
                     item->flex->part->hertz[RIGID]);
    }
}

/* False: reported. */
static bool read_modes(TmlAdm *adm, TmlAdmItem *item, Kept *out)
{
    enum { MOST = 16384 };
    const TmlPart *part = item->flex->part;
    const TmlAdmArg *arg = tml_adm_arg(item, "MODES");
    double *list = numbers(adm, item, "MODES", MOST, &out->n);
    if (list == NULL || item->failed) {
        return false;
    }
    out->all = arg == NULL;
    for (int j = 0; out->all && j < part->m; ++j) {
        list[out->n++] = j + 1;
    }
    for (int k = 0; k < out->n; ++k) {
        if (!(list[k] >= 1.0 && list[k] <= part->m) || list[k] != floor(list[k]) ||
            (k > 0 && list[k] <= list[k - 1])) {
            tml_adm_error(
                adm, item, arg->value,
                "MODES: part '%s' has modes 1 to %d (rigid motion is none of them), which "
                "are named in rising order; got %.9g",
                part->name, part->m, list[k]);
            return false;
        }
    }
    out->number = list;
    if (!out->all) {
        tell_count(adm, item, out);
    }
    return true;
}

static void set_coordinates(TmlAdm *adm, TmlAdmItem *item, const Kept *k, const char *name,
                            double unit, const char *key, TmlValue *v)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    int n = 0;
    double *x = arg != NULL ? numbers(adm, item, name, k->n, &n) : NULL;
    for (int j = 0; j < n; ++j) {
        x[j] *= unit; // (FB1)
    }
    if (n > 0) {
        tml_adm_set(adm, v, key, tml_adm_numbers(adm, arg->value, n, x));
    }
}

/* Which word an argument is, from 0; `standard`: it is not given; -1: reported. */
static int word_of(TmlAdm *adm, TmlAdmItem *item, const char *name, const char *const *words,
                   int standard)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    const char *given = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : NULL;
    TmlAdmText text = {0};
    adm->nomem |= arg != NULL && given == NULL;
    for (int k = 0; words[k] != NULL && given != NULL; ++k) {
        if (strcasecmp(given, words[k]) == 0) {
            return k;
        }
        tml_adm_write(&text, "%s%s", k > 0 ? ", " : "", words[k]);
    }
    const char *known = tml_adm_take(adm, &text);
    if (given != NULL) {
        tml_adm_error(adm, item, arg->value, "%s=%s is not supported; read are %s", name, given,
                      known);
    }
    return arg == NULL ? standard : -1;
}

/* REPRESENTATION: a body that is treated as rigid has no modes. */
static bool is_rigid(TmlAdm *adm, TmlAdmItem *item)
{
    static const char *const words[] = {"FLEXIBLE", "MODAL", "RIGID", NULL};
    enum { RIGID = 2 };
    return word_of(adm, item, "REPRESENTATION", words, 0) == RIGID;
}

/* --- damping ------------------------------------------------------------------------------------ */

static double standard_ratio(double hertz)
{
    return hertz < 100.0 ? 0.01 : hertz < 1000.0 ? 0.1 : 1.0; // (FB2)
}

/* CRATIO of one mode; false: reported. */
static bool ratio_of(TmlAdm *adm, TmlAdmItem *item, const TmlAdmArg *arg, int number, double *out)
{
    const TmlAdmMode mode = {item->flex->part->hertz[number - 1] * adm->time, number};
    TmlError err = {0};
    adm->flex_mode = &mode;
    const char *text = tml_adm_expression(adm, item, arg->value);
    adm->flex_mode = NULL;
    if (text == NULL) {
        return false;
    }
    if (tml_expr_constant(text, NULL, out, &err) != TML_OK) {
        tml_adm_error(adm, item, arg->value,
                      "CRATIO may depend on FXFREQ and FXMODE alone: damping that changes during a "
                      "run is not supported yet");
        return false;
    }
    if (!(*out >= 0.0)) {
        tml_adm_error(adm, item, arg->value, "CRATIO is %.6g for mode %d; it must not be negative",
                      *out, number);
        return false;
    }
    return true;
}

static void set_damping(TmlAdm *adm, TmlAdmItem *item, const Kept *k, TmlValue *v)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "CRATIO");
    const TmlAdmSlice at = arg != NULL ? arg->value : tml_adm_whole(item);
    double *ratio = tml_arena_alloc(adm->arena, (size_t)k->n + 1, sizeof *ratio);
    bool even = true;
    if (ratio == NULL) {
        adm->nomem = true;
        return;
    }
    if (arg != NULL && tml_adm_is_user(arg->value)) {
        tml_adm_error(adm, item, arg->value,
                      "not supported yet: damping by the user-written routine DMPSUB; write CRATIO "
                      "as an expression of FXFREQ and FXMODE");
        return;
    }
    static const char *const words[] = {"OFF", "FULL", "INTERNAL_ONLY", NULL};
    if (word_of(adm, item, "GENERALIZED_DAMPING", words, 0) > 0) { // the matrix of the part
        if (arg != NULL) {
            tml_adm_error(adm, item, arg->value,
                          "CRATIO beside GENERALIZED_DAMPING is not supported yet: with the latter "
                          "the damping is that of the part");
        }
        return;
    }
    for (int j = 0; j < k->n; ++j) {
        const int number = (int)k->number[j];
        ratio[j] = standard_ratio(item->flex->part->hertz[number - 1]);
        if (arg != NULL && !ratio_of(adm, item, arg, number, &ratio[j])) {
            return;
        }
        even &= ratio[j] == ratio[0];
    }
    if (arg == NULL && k->n > 0) {
        tml_adm_note(adm, item, item->s->keyword,
                     "CRATIO is not given: 1 %% of critical damping in modes below 100 Hz, 10 %% "
                     "below 1000 Hz, 100 %% above");
    }
    if (k->n > 0) {
        tml_adm_set(adm, v, "damping",
                    even ? tml_adm_number(adm, at, ratio[0])
                         : tml_adm_numbers(adm, at, k->n, ratio));
    }
}

/* --- inertia ------------------------------------------------------------------------------------ */

/* INVARIANTS = T:T:T:T:F:T:T:T:F. The fifth and the ninth are those of modes with each other. */
static void set_invariants(TmlAdm *adm, TmlAdmItem *item, TmlValue *v)
{
    enum { COUNT = 9 };
    const TmlAdmArg *arg = tml_adm_arg(item, "INVARIANTS");
    bool on[COUNT] = {false};
    int n = 0, off = 0;
    for (int k = 0; arg != NULL && k < arg->value.length; ++k) {
        const char c = (char)toupper((unsigned char)arg->value.of->text[arg->value.start + k]);
        const char before =
            k > 0 ? arg->value.of->text[arg->value.start + k - 1] : ':'; // the first of a word
        if (isalpha((unsigned char)c) && !isalpha((unsigned char)before) && n < COUNT) {
            on[n++] = c == 'T';
        }
    }
    if (arg == NULL) {
        return;
    }
    if (n != COUNT) {
        tml_adm_error(adm, item, arg->value, "INVARIANTS: expected nine of T and F, got %d", n);
        return;
    }
    for (int k = 0; k < COUNT; ++k) {
        off += !on[k];
    }
    const bool first_order = !on[4] && !on[8];
    if (first_order) {
        tml_adm_set(adm, v, "terms", tml_adm_scalar(adm, arg->value, "first_order"));
    }
    if (off != (first_order ? 2 : 0)) {
        tml_adm_note(adm, item, arg->value,
                     "INVARIANTS: all %sare kept; only the fifth and the ninth can be left out, "
                     "together",
                     first_order ? "others " : "");
    }
}

/* Modes above DYNAMIC_LIMIT, in cycles by the unit of time as FXFREQ, follow their loads as in statics. */
static void set_limit(TmlAdm *adm, TmlAdmItem *item, TmlValue *v)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "DYNAMIC_LIMIT");
    const double limit = tml_adm_real(adm, item, "DYNAMIC_LIMIT", 0.0);
    if (arg != NULL && !item->failed && !(limit > 0.0)) {
        tml_adm_error(adm, item, arg->value, "DYNAMIC_LIMIT must be above 0, got %.6g", limit);
    }
    if (limit > 0.0) {
        tml_adm_set(adm, v, "static_above", tml_adm_number(adm, arg->value, limit / adm->time));
    }
}

/* --- the body ----------------------------------------------------------------------------------- */

/* Velocities are those of the origin, unless joints say more. */
static void set_motion(TmlAdm *adm, TmlAdmItem *item, const TmlMat33 *A, TmlValue *v)
{
    static const char *const linear[3] = {"VX", "VY", "VZ"}, *const angular[3] = {"WX", "WY", "WZ"};
    const TmlAdmSlice at = tml_adm_whole(item);
    const TmlMat33 I = m3_identity();
    TmlVec3 velocity, omega;
    const bool moves = tml_adm_rates(adm, item, linear, "VM", &I, A, &velocity);
    const bool turns = tml_adm_rates(adm, item, angular, "WM", A, A, &omega);
    if (moves) {
        tml_adm_set(adm, v, "velocity",
                    tml_adm_turned(adm, at, v3_scale(adm->length / adm->time, velocity)));
    }
    if (turns) {
        tml_adm_set(adm, v, "angular_velocity",
                    tml_adm_turned(adm, at, v3_scale(1.0 / adm->time, omega)));
    }
}

void tml_adm_flex_body(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const double unit = adm->length * sqrt(adm->mass);
    Kept k = {0};
    TmlVec3 r;
    TmlMat33 A;
    if (item->flex == NULL || item->flex->part == NULL || !tml_adm_frame(adm, item, &r, &A) ||
        !read_modes(adm, item, &k)) {
        return;
    }
    if (is_rigid(adm, item)) {
        k = (Kept){0};
    }
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "part", tml_adm_scalar(adm, at, item->flex->path));
    tml_adm_set_place(adm, item, v, r, &A);
    set_motion(adm, item, &A, v);
    tml_adm_set_locked(adm, item, v);
    if (!k.all) {
        tml_adm_set(adm, v, "modes", tml_adm_numbers(adm, at, k.n, k.number));
    }
    if (k.n > 0) {
        set_coordinates(adm, item, &k, "DMODE", unit, "amplitudes", v);
        set_coordinates(adm, item, &k, "VMODE", unit / adm->time, "amplitude_rates", v);
    }
    set_damping(adm, item, &k, v);
    set_invariants(adm, item, v);
    set_limit(adm, item, v);
    tml_adm_set(adm, v, "frames", tml_adm_map(adm, at));
    if (!adm->nomem && !item->failed) {
        tml_adm_enter(adm, adm->modal, item, v);
    }
}

void tml_adm_flex_marker(TmlAdm *adm, TmlAdmItem *marker, TmlAdmItem *body)
{
    const bool loose = tml_adm_has(marker, "FLOATING") && !tml_adm_has(marker, "NODE_ID");
    if (body->failed || loose) {
        return; // told there; or it only names the body that takes a reaction
    }
    TmlValue *v = tml_adm_flex_frame(adm, marker, NULL);
    TmlValue *frames = (TmlValue *)(uintptr_t)tml_value_find(body->value, "frames");
    if (v != NULL && frames != NULL) {
        tml_adm_enter(adm, frames, marker, v);
    }
}
