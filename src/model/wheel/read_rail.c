/* model/wheel/read_rail.c - the sections `profiles` and `tracks`, and what wheels on rails name of them. */
#include "base/input.h"
#include "model/read/read.h"
#include "model/wheel/rail/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- profiles ----------------------------------------------------------------------------------- */

enum { MOST_POINTS = 20000, MOST_COLUMNS = 64 };
/* Arcs become points at this distance, m. */
static const double arc_step = 2e-4;

typedef struct PointList {
    int n, cap;
    double *at; /* y, z */
} PointList;

static bool add_point(TmlEntry *x, PointList *list, double y, double z)
{
    if (list->n == MOST_POINTS) {
        tml_entry_error(x, x->key, "more than %d points", (int)MOST_POINTS);
        return false;
    }
    if (list->n == list->cap) {
        const int cap = list->cap > 0 ? 2 * list->cap : 256;
        double *grown = tml_reader_alloc(x->r, (size_t)cap, 2 * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        if (list->n > 0) {
            memcpy(grown, list->at, (size_t)list->n * 2 * sizeof *grown);
        }
        list->at = grown;
        list->cap = cap;
    }
    list->at[2 * list->n] = y;
    list->at[2 * list->n + 1] = z;
    ++list->n;
    return true;
}

/* The numbers of a line; how many. */
static int line_numbers(const char *line, double *value)
{
    int n = 0;
    while (n < MOST_COLUMNS) {
        line += strspn(line, " \t\r,;");
        char *end;
        value[n] = strtod(line, &end);
        if (end == line) {
            break;
        }
        ++n;
        line = end;
    }
    return n;
}

static bool read_lines(TmlEntry *x, const TmlValue *at, const char *path, char *text,
                       const int column[2], PointList *out)
{
    double value[MOST_COLUMNS];
    const int need = column[0] > column[1] ? column[0] : column[1];
    int number = 0;
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        ++number;
        if (end != NULL) {
            *end = '\0';
        }
        const int n = line_numbers(line, value);
        if (n > 0 && n < need) {
            tml_entry_error(x, at, "%s:%d: expected %d numbers, got %d", path, number, need, n);
            return false;
        }
        if (n > 0 && !add_point(x, out, value[column[0] - 1], value[column[1] - 1])) {
            return false;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    if (out->n == 0) {
        tml_entry_error(x, at, "%s: no line begins with a number", path);
    }
    return out->n > 0;
}

static bool read_columns(TmlEntry *x, int column[2])
{
    const TmlValue *v = tml_value_find(x->value, "columns");
    double c[2] = {1.0, 2.0};
    if (v != NULL && !tml_read_numbers(x, v, "columns", 2, "[column of y, column of z]", c)) {
        return false;
    }
    for (int k = 0; k < 2; ++k) {
        if (!(c[k] >= 1.0 && c[k] <= MOST_COLUMNS)) {
            tml_entry_error(x, v, "columns: expected numbers from 1 to %d", (int)MOST_COLUMNS);
            return false;
        }
        column[k] = (int)c[k];
    }
    return true;
}

static bool read_point_file(TmlEntry *x, const TmlValue *v, PointList *out)
{
    TmlModel *m = x->r->m;
    const char *name = tml_read_text(x, v, "file");
    int column[2];
    if (name == NULL || !read_columns(x, column)) {
        return false;
    }
    const char *path = tml_input_beside(&m->arena, v->file, name);
    if (path == NULL || !tml_model_input_add(m, path)) {
        x->r->nomem = true;
        return false;
    }
    char *text;
    size_t length;
    TmlError err = {0};
    const TmlStatus status = tml_input_read(path, &text, &length, &err);
    if (status != TML_OK) {
        x->r->nomem |= status == TML_E_NOMEM;
        tml_entry_error(x, v, "file: %s", err.message);
        return false;
    }
    const bool ok = read_lines(x, v, path, text, column, out);
    tml_mem_free(text);
    return ok;
}

static bool read_point_list(TmlEntry *x, const TmlValue *v, PointList *out)
{
    if (v->kind != TML_VALUE_LIST) {
        tml_entry_expected(x, v, "points", "a list of [y, z]");
        return false;
    }
    for (int k = 0; k < v->n; ++k) {
        double p[2];
        if (!tml_read_numbers(x, v->item[k], "points", 2, "[y, z]", p) ||
            !add_point(x, out, p[0], p[1])) {
            return false;
        }
    }
    return true;
}

/* Points of an arc from the last point to (y, z); radius above 0: its middle lies below. */
static bool add_arc(TmlEntry *x, const TmlValue *at, const double to[3], double step,
                    PointList *out)
{
    const double y0 = out->at[2 * out->n - 2], z0 = out->at[2 * out->n - 1];
    const double dy = to[0] - y0, dz = to[1] - z0, chord = hypot(dy, dz), r = to[2];
    if (r != 0.0 && !(2.0 * fabs(r) >= chord)) {
        tml_entry_error(x, at, "arcs: a radius of %.9g cannot span a chord of %.9g", r, chord);
        return false;
    }
    const double half = r != 0.0 ? asin(fmin(0.5 * chord / fabs(r), 1.0)) : 0.0;
    const double length = r != 0.0 ? 2.0 * half * fabs(r) : chord;
    const int parts = 1 + (int)fmin(length / step, MOST_POINTS);
    const double e[2] = {dy / chord, dz / chord}, n[2] = {-e[1], e[0]}; // left of the way
    for (int k = 1; k <= parts; ++k) {
        const double u = (double)k / parts, turn = half * (2.0 * u - 1.0);
        const double along = r != 0.0 ? 0.5 * chord + fabs(r) * sin(turn) : u * chord;
        const double over =
            r != 0.0 ? (r > 0.0 ? 1.0 : -1.0) * fabs(r) * (cos(turn) - cos(half)) : 0.0;
        if (!add_point(x, out, y0 + along * e[0] + over * n[0], z0 + along * e[1] + over * n[1])) {
            return false;
        }
    }
    return true;
}

static bool read_arcs(TmlEntry *x, const TmlValue *v, double scale, PointList *out)
{
    if (v->kind != TML_VALUE_LIST || v->n < 2) {
        tml_entry_expected(x, v, "arcs", "[y, z] of the first point, then [y, z, radius]");
        return false;
    }
    double p[3] = {0};
    if (!tml_read_numbers(x, v->item[0], "arcs", 2, "[y, z] of the first point", p) ||
        !add_point(x, out, p[0], p[1])) {
        return false;
    }
    for (int k = 1; k < v->n; ++k) {
        if (!tml_read_numbers(x, v->item[k], "arcs", 3, "[y, z, radius]", p) ||
            !add_arc(x, v->item[k], p, arc_step / scale, out)) {
            return false;
        }
    }
    return true;
}

static bool choice(TmlEntry *x, const char *key, const char *choices)
{
    const TmlValue *v = tml_value_find(x->value, key);
    int which = 0;
    return v != NULL && tml_read_choice(x, v, key, choices, &which) && which == 1;
}

static void number(TmlEntry *x, const TmlValue *map, const char *key, TmlRange range,
                   const char *unit, double *out)
{
    const TmlValue *v = tml_value_find(map, key);
    if (v != NULL) {
        tml_read_ranged(x, v, key, range, unit, out);
    }
}

/* Points as they stand in the model, to metres, outward and up. */
static void place_points(TmlEntry *x, double scale, PointList *list)
{
    const bool inward = choice(x, "y", "outward|inward"), down = choice(x, "z", "up|down");
    double shift[2] = {0}, lean = 0.0;
    const TmlValue *v = tml_value_find(x->value, "shift");
    if (v != NULL) {
        tml_read_numbers(x, v, "shift", 2, "[y, z]", shift);
    }
    number(x, x->value, "inclination", TML_ANY, "", &lean);
    const double c = 1.0 / sqrt(1.0 + lean * lean), s = lean * c;
    for (int k = 0; k < list->n; ++k) {
        const double y = scale * (inward ? -1.0 : 1.0) * list->at[2 * k];
        const double z = scale * (down ? -1.0 : 1.0) * list->at[2 * k + 1];
        list->at[2 * k] = shift[0] + c * y - s * z; // z leans inward, towards -y
        list->at[2 * k + 1] = shift[1] + s * y + c * z;
    }
}

static const TmlRailProfile *make_profile(TmlEntry *x)
{
    const TmlValue *file = tml_value_find(x->value, "file");
    const TmlValue *points = tml_value_find(x->value, "points");
    const TmlValue *arcs = tml_value_find(x->value, "arcs");
    const double scale = choice(x, "unit", "m|mm") ? 1e-3 : 1.0;
    PointList list = {0};
    if ((file != NULL) + (points != NULL) + (arcs != NULL) != 1) {
        tml_entry_error(x, x->key, "give one of 'file', 'points' and 'arcs'");
        return NULL;
    }
    if (!(file != NULL     ? read_point_file(x, file, &list)
          : points != NULL ? read_point_list(x, points, &list)
                           : read_arcs(x, arcs, scale, &list))) {
        return NULL;
    }
    TmlProfilePoints in = {.deviation = arcs != NULL ? 0.0 : 1e-7, .smoothing = 1e-6};
    number(x, x->value, "deviation", TML_NONNEGATIVE, "m", &in.deviation);
    number(x, x->value, "smoothing", TML_NONNEGATIVE, "m", &in.smoothing);
    place_points(x, scale, &list);
    if (x->bad) {
        return NULL;
    }
    in.n = list.n;
    in.point = list.at;
    TmlRailProfile *p = NULL;
    TmlError err = {0};
    const TmlStatus status = tml_rail_profile_create(&in, &x->r->m->arena, &p, &err);
    if (status == TML_E_NOMEM) {
        x->r->nomem = true;
    } else if (status != TML_OK) {
        tml_entry_error(x, x->key, "%s", err.message);
    }
    return p;
}

static void read_profile(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    bool ok = true;
    (void)arg;
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    for (int k = 0; k < m->profiles.n; ++k) {
        if (strcmp(m->profiles.at[k].name, x->name) == 0) {
            tml_entry_error(x, x->key, "there is already a profile of this name");
            return;
        }
    }
    tml_read_keys(x, x->value, tml_keys_profile, NULL, NULL);
    const TmlRailProfile *p = make_profile(x);
    // the name stays known when the profile is wrong
    const TmlNamedProfile named = {.name = x->name, .profile = x->bad ? NULL : p};
    TML_LIST_ADD(m->profiles, named, &ok);
    x->r->nomem |= !ok;
}

void tml_read_profiles(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "profile", NULL, read_profile, NULL);
}

bool tml_read_profile_ref(TmlEntry *x, const TmlValue *v, const char *what,
                          const TmlRailProfile **out)
{
    const TmlModel *m = x->r->m;
    const char *name = tml_read_text(x, v, what);
    for (int k = 0; name != NULL && k < m->profiles.n; ++k) {
        if (strcmp(m->profiles.at[k].name, name) == 0) {
            *out = m->profiles.at[k].profile;
            x->bad |= *out == NULL; // its own error is told already
            return *out != NULL;
        }
    }
    if (name != NULL) {
        tml_entry_unknown_name(x, v, "profile", name, m->profiles.at, m->profiles.n,
                               sizeof *m->profiles.at);
    }
    return false;
}

/* --- tracks --------------------------------------------------------------------------------------- */

static const char *const segment_kinds[] = {"straight", "arc", "transition"};
enum { SEGMENT_STRAIGHT, SEGMENT_ARC, SEGMENT_TRANSITION, SEGMENT_KINDS };

/* One segment as it is written; its kind, -1: wrong, and told. Both ends of a transition are filled in later. */
static int read_segment(TmlEntry *x, const TmlValue *v, TmlTrackSegment *g)
{
    int kind = -1, given = 0;
    double radius = 0.0, cant = 0.0, gradient = 0.0;
    if (!tml_read_is_map(x, v, "segments")) {
        return -1;
    }
    tml_read_keys(x, v, tml_keys_segment, NULL, NULL);
    for (int k = 0; k < SEGMENT_KINDS; ++k) {
        if (tml_value_find(v, segment_kinds[k]) != NULL) {
            kind = k;
            ++given;
        }
    }
    if (given != 1) {
        tml_entry_error(x, v, "segments: expected one of 'straight', 'arc' and 'transition'");
        return -1;
    }
    const TmlValue *bend = tml_value_find(v, "radius"), *shape = tml_value_find(v, "shape");
    number(x, v, segment_kinds[kind], TML_POSITIVE, "m", &g->length);
    number(x, v, "radius", TML_ANY, "m", &radius);
    number(x, v, "cant", TML_ANY, "m", &cant);
    number(x, v, "gradient", TML_ANY, "", &gradient);
    if ((bend != NULL) != (kind == SEGMENT_ARC) || (bend != NULL && radius == 0.0)) {
        tml_entry_error(x, v, "segments: an arc, and no other piece, has a radius, which is not 0");
        return -1;
    }
    if (kind == SEGMENT_TRANSITION &&
        (tml_value_find(v, "cant") != NULL || tml_value_find(v, "gradient") != NULL)) {
        tml_entry_error(x, v,
                        "segments: cant and gradient of a transition are those of its neighbours");
        return -1;
    }
    if (shape != NULL) {
        int which = 0;
        tml_read_choice(x, shape, "shape", "clothoid|smooth", &which);
        g->smooth = which == 1;
    }
    for (int k = 0; k < 2; ++k) {
        g->curvature[k] = radius != 0.0 ? 1.0 / radius : 0.0;
        g->cant[k] = radius < 0.0 ? -cant : cant; // to the right the left rail is the outer one
        g->gradient[k] = gradient;
    }
    return x->bad ? -1 : kind;
}

static void copy_end(TmlTrackSegment *g, int end, const TmlTrackSegment *from, int from_end)
{
    g->curvature[end] = from->curvature[from_end];
    g->cant[end] = from->cant[from_end];
    g->gradient[end] = from->gradient[from_end];
}

static bool join_segments(TmlEntry *x, const TmlValue *v, int n, const int *kind,
                          TmlTrackSegment *g)
{
    for (int k = 0; k < n; ++k) {
        if (kind[k] == SEGMENT_TRANSITION) {
            if (k == 0 || k == n - 1 || kind[k + 1] == SEGMENT_TRANSITION) {
                tml_entry_error(x, v->item[k],
                                "segments: a transition stands between two other pieces");
                return false;
            }
            copy_end(&g[k], 0, &g[k - 1], 1);
            copy_end(&g[k], 1, &g[k + 1], 0);
        } else if (k > 0 && kind[k - 1] != SEGMENT_TRANSITION &&
                   fabs(g[k].cant[0] - g[k - 1].cant[1]) > 1e-9) {
            tml_entry_error(
                x, v->item[k],
                "segments: the cant jumps from %.6g to %.6g m; put a transition between "
                "the two pieces",
                g[k - 1].cant[1], g[k].cant[0]);
            return false;
        } else if (k > 0 && kind[k - 1] != SEGMENT_TRANSITION &&
                   fabs(g[k].gradient[0] - g[k - 1].gradient[1]) > 1e-12) {
            tml_entry_error(
                x, v->item[k],
                "segments: the gradient jumps from %.6g to %.6g; put a transition between "
                "the two pieces",
                g[k - 1].gradient[1], g[k].gradient[0]);
            return false;
        }
    }
    return true;
}

static void read_segments(TmlEntry *x, const TmlValue *v, TmlTrack *t)
{
    if (v->kind != TML_VALUE_LIST || v->n == 0) {
        tml_entry_expected(x, v, "segments", "a list of pieces");
        return;
    }
    TmlTrackSegment *g = tml_reader_alloc(x->r, (size_t)v->n, sizeof *g);
    int *kind = tml_reader_alloc(x->r, (size_t)v->n, sizeof *kind);
    for (int k = 0; g != NULL && kind != NULL && k < v->n; ++k) {
        kind[k] = read_segment(x, v->item[k], &g[k]);
        if (kind[k] < 0) {
            return;
        }
    }
    if (g != NULL && kind != NULL && join_segments(x, v, v->n, kind, g)) {
        t->n = v->n;
        t->segment = g;
    }
    for (int k = 0; k < t->n; ++k) {
        for (int end = 0; end < 2; ++end) {
            if (!(fabs(t->segment[k].cant[end]) < 0.5 * t->base)) {
                tml_entry_error(x, v->item[k], "segments: a cant of %.6g m over a base of %.6g m",
                                t->segment[k].cant[end], t->base);
                return;
            }
        }
    }
}

static void read_faults(TmlEntry *x, const TmlValue *v, TmlTrack *t)
{
    static const char *const names[TRACK_FAULTS] = {"lateral", "vertical", "cross_level", "gauge"};
    if (!tml_read_is_map(x, v, "irregularities")) {
        return;
    }
    tml_read_keys(x, v, tml_keys_faults, NULL, NULL);
    for (int k = 0; k < TRACK_FAULTS; ++k) {
        const TmlValue *table = tml_value_find(v, names[k]);
        if (table != NULL) {
            tml_read_spline_ref(x, table, names[k], &t->fault[k]);
        }
    }
    number(x, v, "scale", TML_ANY, "", &t->scale);
    number(x, v, "from", TML_ANY, "m", &t->from);
    number(x, v, "fade", TML_NONNEGATIVE, "m", &t->fade);
    const TmlValue *spectrum = tml_value_find(v, "spectrum"), *seed = tml_value_find(v, "seed");
    const TmlValue *waves = tml_value_find(v, "waves");
    TmlTrackSpectrum s = {.seed = 1, .waves = 200, .shortest = 2.0, .longest = 70.0};
    number(x, v, "shortest", TML_POSITIVE, "m", &s.shortest);
    number(x, v, "longest", TML_POSITIVE, "m", &s.longest);
    if ((seed != NULL && !tml_read_int(x, seed, "seed", &s.seed)) ||
        (waves != NULL && !tml_read_int(x, waves, "waves", &s.waves)) || spectrum == NULL ||
        !tml_read_choice(x, spectrum, "spectrum", TRACK_SPECTRA, &s.kind) || x->bad) {
        return;
    }
    TmlError err = {0};
    const TmlStatus status = tml_track_spectrum(&s, t, &x->r->m->arena, &err);
    x->r->nomem |= status == TML_E_NOMEM;
    if (status == TML_E_MODEL) {
        tml_entry_error(x, spectrum, "irregularities: %s", err.message);
    }
}

static void read_plan(TmlEntry *x, TmlTrack *t)
{
    const TmlValue *rail = tml_value_find(x->value, "rail");
    const TmlValue *position = tml_value_find(x->value, "position");
    const TmlValue *rotation = tml_value_find(x->value, "rotation");
    const TmlValue *segments = tml_value_find(x->value, "segments");
    const TmlValue *faults = tml_value_find(x->value, "irregularities");
    if (rail != NULL) {
        tml_read_profile_ref(x, rail, "rail", &t->rail);
    }
    number(x, x->value, "gauge", TML_POSITIVE, "m", &t->gauge);
    number(x, x->value, "gauge_depth", TML_POSITIVE, "m", &t->depth);
    number(x, x->value, "rail_base", TML_POSITIVE, "m", &t->rail_base);
    number(x, x->value, "base", TML_POSITIVE, "m", &t->base);
    if (position != NULL) {
        tml_read_vec3(x, position, "position", &t->position);
    }
    if (rotation != NULL) {
        tml_read_rotation(x, rotation, "rotation", &t->rotation);
    }
    if (segments != NULL) {
        read_segments(x, segments, t);
    }
    t->ends = segments != NULL && !choice(x, "ends", "stop|straight");
    t->pivot_low = choice(x, "pivot", "middle|low");
    if (faults != NULL) {
        read_faults(x, faults, t);
    }
}

static void read_track(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    TmlTrack *t = tml_reader_alloc(x->r, 1, sizeof *t);
    TmlCreepTable *creep = tml_reader_alloc(x->r, 1, sizeof *creep);
    bool ok = true;
    (void)arg;
    if (t == NULL || creep == NULL || !tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    for (int k = 0; k < m->tracks.n; ++k) {
        if (strcmp(m->tracks.at[k].name, x->name) == 0) {
            tml_entry_error(x, x->key, "there is already a track of this name");
            return;
        }
    }
    *t = (TmlTrack){.name = x->name,
                    .creep = creep,
                    .rotation = m3_identity(),
                    .gauge = 1.435,
                    .depth = 0.014,
                    .base = 1.5,
                    .rail_base = (double)NAN,
                    .scale = 1.0};
    tml_read_keys(x, x->value, tml_keys_track, NULL, NULL);
    read_plan(x, t);
    TmlError err = {0};
    const TmlStatus status = x->bad ? TML_OK : tml_track_prepare(t, &m->arena, &err);
    x->r->nomem |= status == TML_E_NOMEM;
    if (status == TML_E_MODEL) {
        tml_entry_error(x, x->key, "%s", err.message);
    }
    const TmlNamedTrack named = {.name = x->name, .track = x->bad ? NULL : t};
    TML_LIST_ADD(m->tracks, named, &ok);
    x->r->nomem |= !ok;
}

void tml_read_tracks(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "track", NULL, read_track, NULL);
}

bool tml_read_track_ref(TmlEntry *x, const TmlValue *v, const char *what, const TmlTrack **out)
{
    const TmlModel *m = x->r->m;
    const char *name = tml_read_text(x, v, what);
    for (int k = 0; name != NULL && k < m->tracks.n; ++k) {
        if (strcmp(m->tracks.at[k].name, name) == 0) {
            *out = m->tracks.at[k].track;
            x->bad |= *out == NULL; // its own error is told already
            return *out != NULL;
        }
    }
    if (name != NULL) {
        tml_entry_unknown_name(x, v, "track", name, m->tracks.at, m->tracks.n,
                               sizeof *m->tracks.at);
    }
    return false;
}
