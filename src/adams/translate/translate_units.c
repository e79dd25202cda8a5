/* adams/translate/translate_units.c - UNITS, ACCGRAV. */
#include <string.h>
#include <strings.h>

#include "adams/dataset/dataset.h"

typedef struct Unit {
    const char *name;
    double si;
} Unit;

#define POUND 0.45359237
#define STANDARD_GRAVITY 9.80665
#define POUND_FORCE (POUND * STANDARD_GRAVITY)
#define FOOT 0.3048
#define INCH 0.0254

static const Unit masses[] = {{"KILOGRAM", 1.0},
                              {"GRAM", 1e-3},
                              {"MEGAGRAM", 1e3},
                              {"TONNE", 1e3},
                              {"POUND_MASS", POUND},
                              {"KPOUND_MASS", 1e3 * POUND},
                              {"OUNCE_MASS", POUND / 16.0},
                              {"SLUG", POUND_FORCE / FOOT},
                              {"SLINCH", POUND_FORCE / INCH},
                              {"MICROGRAM", 1e-9},
                              {"MILLIGRAM", 1e-6},
                              {"NANOGRAM", 1e-12},
                              {"US_TON", 2e3 * POUND},
                              {0}};
static const Unit lengths[] = {{"METER", 1.0},
                               {"MILLIMETER", 1e-3},
                               {"CENTIMETER", 1e-2},
                               {"KILOMETER", 1e3},
                               {"MICROMETER", 1e-6},
                               {"NANOMETER", 1e-9},
                               {"ANGSTROM", 1e-10},
                               {"INCH", INCH},
                               {"FOOT", FOOT},
                               {"FEET", FOOT},
                               {"YARD", 3.0 * FOOT},
                               {"MILE", 5280.0 * FOOT},
                               {"MILLIINCH", 1e-3 * INCH},
                               {"MILS", 1e-3 * INCH},
                               {"MICROINCH", 1e-6 * INCH},
                               {"INCHES", INCH},
                               {0}};
static const Unit forces[] = {{"NEWTON", 1.0},
                              {"KNEWTON", 1e3},
                              {"KILONEWTON", 1e3},
                              {"MEGANEWTON", 1e6},
                              {"CENTINEWTON", 1e-2},
                              {"MILLINEWTON", 1e-3},
                              {"MICRONEWTON", 1e-6},
                              {"NANONEWTON", 1e-9},
                              {"KILOGRAM_FORCE", STANDARD_GRAVITY},
                              {"DYNE", 1e-5},
                              {"POUND_FORCE", POUND_FORCE},
                              {"KPOUND_FORCE", 1e3 * POUND_FORCE},
                              {"OUNCE_FORCE", POUND_FORCE / 16.0},
                              {"POUNDAL", POUND *FOOT},
                              {0}};
static const Unit times[] = {
    {"SECOND", 1.0},  {"MILLISECOND", 1e-3}, {"MICROSECOND", 1e-6}, {"NANOSECOND", 1e-9},
    {"MINUTE", 60.0}, {"HOUR", 3600.0},      {"DAY", 86400.0},      {0}};

static void read_unit(TmlAdm *adm, TmlAdmItem *item, const char *name, const Unit *list,
                      double *out)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    if (arg == NULL) {
        return;
    }
    const char *word = arg->value.of->text + arg->value.start;
    size_t n = (size_t)arg->value.length;
    for (const Unit *u = list; u->name != NULL; ++u) {
        const size_t whole = strlen(u->name);
        const bool plural = n == whole + 1 && (word[whole] == 'S' || word[whole] == 's');
        if (n > 0 && (n <= whole || plural) &&
            strncasecmp(u->name, word, n < whole ? n : whole) == 0) {
            *out = u->si;
            return;
        }
    }
    TmlAdmText known = {0};
    for (const Unit *u = list; u->name != NULL; ++u) {
        tml_adm_write(&known, u == list ? "%s" : ", %s", u->name);
    }
    tml_adm_error(adm, item, arg->value, "%s: unknown unit '%.*s'; known are %s", name, (int)n,
                  word, tml_adm_take(adm, &known));
}

/* UNITS/SYSTEM = MKS and the like. */
static void read_system(TmlAdm *adm, TmlAdmItem *item)
{
    static const struct {
        const char *name;
        double mass, length, force;
    } systems[] = {{"MKS", 1.0, 1.0, 1.0},
                   {"MMKS", 1.0, 1e-3, 1.0},
                   {"CGS", 1e-3, 1e-2, 1e-5},
                   {"FPS", POUND, FOOT, POUND_FORCE},
                   {"IPS", POUND, INCH, POUND_FORCE},
                   {"NONE", 1.0, 1.0, 1.0}};
    const TmlAdmArg *arg = tml_adm_arg(item, "SYSTEM");
    for (size_t k = 0; arg != NULL && k < sizeof systems / sizeof *systems; ++k) {
        const size_t n = strlen(systems[k].name);
        if ((size_t)arg->value.length == n &&
            strncasecmp(arg->value.of->text + arg->value.start, systems[k].name, n) == 0) {
            adm->mass = systems[k].mass;
            adm->length = systems[k].length;
            adm->force = systems[k].force;
            return;
        }
    }
    if (arg != NULL) {
        tml_adm_error(adm, item, arg->value,
                      "unknown system of units; known are MKS, MMKS, CGS, FPS, IPS and NONE");
    }
}

/* UCF: force * UCF = mass * acceleration, for units that have no names here. */
static double consistency(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "UCF");
    const double factor = tml_adm_real(adm, item, "UCF", 1.0);
    if (arg != NULL && (item->n_args > 1 || !(factor > 0.0))) {
        tml_adm_error(adm, item, arg->value, "UCF is a positive number, and stands alone");
        return 1.0;
    }
    return factor;
}

void tml_adm_units(TmlAdm *adm)
{
    adm->mass = adm->length = adm->force = adm->time = 1.0;
    for (int kind = 0; kind < 4; ++kind) {
        adm->scale[kind][0] = adm->scale[kind][1] = 1.0;
    }
    for (int k = 0; k < adm->n; ++k) {
        TmlAdmItem *item = &adm->item[k];
        if (strcmp(item->syntax->name, "UNITS") == 0) {
            read_system(adm, item);
            read_unit(adm, item, "MASS", masses, &adm->mass);
            read_unit(adm, item, "LENGTH", lengths, &adm->length);
            read_unit(adm, item, "FORCE", forces, &adm->force);
            read_unit(adm, item, "TIME", times, &adm->time);
            adm->force *= consistency(adm, item);
        }
    }
}

void tml_adm_gravity(TmlAdm *adm, TmlAdmItem *item)
{
    const double unit = adm->length / (adm->time * adm->time);
    const TmlVec3 g = {tml_adm_real(adm, item, "IGRAV", 0.0) * unit,
                       tml_adm_real(adm, item, "JGRAV", 0.0) * unit,
                       tml_adm_real(adm, item, "KGRAV", 0.0) * unit};
    tml_adm_set(adm, adm->root, "gravity", tml_adm_vec3(adm, tml_adm_whole(item), g));
}
