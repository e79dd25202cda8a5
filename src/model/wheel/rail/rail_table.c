/* model/wheel/rail/rail_table.c - a wheelset of a model over its lateral shift, rigid on rigid rails.
 *
 * wheelset.c puts it on the rails. Between two shifts a contact may jump: where a point of contact has moved by more than
 * `jumped`, the interval is halved until it is narrow or the motion was smooth after all.
 */
#include "model/model.h"
#include "model/wheel/rail/rail_wheel.h"
#include "model/wheel/rail/wheelset.h"
#include "trammel/rail.h"

#include <math.h>
#include <string.h>

/* m: a contact that moves by more between two shifts that are almost the same has jumped. */
static const double jumped = 5e-4;
/* m: the shift of a jump is found to this. */
static const double jump_width = 1e-9;
enum { PROFILE_POINTS = 400, MOST_SHIFTS = 100000 };

struct TmlRailTable {
    TmlArena arena;
    TmlRailTableOptions options;
    TmlWheelset set;
    TmlRailPair pair[2];
    const char *wheel[2];
    TmlRailTableRow *row;
    int n, cap;
    double *shift, *delta; /* of all rows, for conicities */
    double *profile[2][2][2];
};

TmlRailTableOptions tml_rail_table_options_default(void)
{
    return (TmlRailTableOptions){.size = sizeof(TmlRailTableOptions),
                                 .range = 8e-3,
                                 .step = 1e-4,
                                 .base = 1.5,
                                 .radius = (double)NAN,
                                 .gap = 1e-5};
}

static TmlStatus check_options(const TmlRailTableOptions *o, TmlError *err)
{
    if (!(o->range > 0.0 && o->range < 0.1) || !(o->step > 0.0) || !(o->step <= o->range)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "shifts up to %g m in steps of %g m: expected a range below 0.1 m and a "
                        "step that is not larger",
                        o->range, o->step);
    }
    if (o->range / o->step > MOST_SHIFTS) {
        return tml_fail(err, TML_E_ARGUMENT, "%.3g shifts are more than %d",
                        2.0 * o->range / o->step, 2 * (int)MOST_SHIFTS);
    }
    if (!(fabs(o->yaw) < 0.3) || !(o->base > 0.0) || !(o->gap >= 0.0) ||
        !(isnan(o->radius) || o->radius > 0.0)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "yaw %g rad, base %g m, radius %g m, gap %g m: out of range", o->yaw,
                        o->base, o->radius, o->gap);
    }
    return TML_OK;
}

/* --- the wheels ---------------------------------------------------------------------------------- */

static TmlStatus find_wheel(const TmlModel *m, const char *name, int side, const TmlTrack *track,
                            const TmlForce **out, TmlError *err)
{
    for (int k = 0; k < m->forces.n; ++k) {
        const TmlForce *force = &m->forces.at[k];
        const TmlRailWheel *w = tml_rail_wheel_of(force);
        if (name != NULL ? strcmp(force->name, name) != 0
                         : w == NULL || w->side != side || (track != NULL && w->track != track)) {
            continue;
        }
        if (w == NULL || w->side != side) {
            return tml_fail(err, TML_E_ARGUMENT, "force '%s' is no rail_wheel on the %s rail", name,
                            side == 0 ? "left" : "right");
        }
        *out = force;
        return TML_OK;
    }
    return name != NULL
               ? tml_fail(err, TML_E_ARGUMENT, "there is no force '%s'", name)
               : tml_fail(err, TML_E_ARGUMENT, "the model has no rail_wheel on the %s rail",
                          side == 0 ? "left" : "right");
}

static TmlStatus copy_profile(const TmlRailProfile *p, TmlArena *arena, const TmlRailProfile **out,
                              TmlError *err)
{
    const double *const from[] = {p->s, p->y, p->z, p->yy, p->zz, p->k, p->kk};
    TmlRailProfile *copy;
    double *to[7];
    TML_NEW(arena, copy, 1);
    for (int k = 0; k < 7; ++k) {
        TML_NEW(arena, to[k], p->n);
        memcpy(to[k], from[k], (size_t)p->n * sizeof **to);
    }
    *copy = (TmlRailProfile){p->n, to[0], to[1], to[2], to[3], to[4], to[5], to[6], p->deviation};
    *out = copy;
    return TML_OK;
}

static TmlStatus take_points(TmlRailTable *t, int side, int wheel, const TmlRailProfile *p,
                             TmlError *err)
{
    double **out = t->profile[side][wheel];
    for (int c = 0; c < 2; ++c) {
        TML_NEW(&t->arena, out[c], PROFILE_POINTS);
    }
    for (int k = 0; k < PROFILE_POINTS; ++k) {
        double d[3][2];
        tml_rail_profile_at(p, tml_rail_profile_length(p) * k / (PROFILE_POINTS - 1), d);
        out[0][k] = d[0][0];
        out[1][k] = d[0][1];
    }
    return TML_OK;
}

static TmlStatus take_wheels(TmlRailTable *t, const TmlModel *m, TmlError *err)
{
    const TmlRailTableOptions *o = &t->options;
    const TmlForce *force[2];
    TML_TRY(find_wheel(m, o->left, 0, NULL, &force[0], err));
    TML_TRY(find_wheel(m, o->right, 1, tml_rail_wheel_of(force[0])->track, &force[1], err));
    const TmlFrameKin a = tml_model_initial_kin(m, &force[0]->end[1]);
    const TmlFrameKin b = tml_model_initial_kin(m, &force[1]->end[1]);
    const double apart = v3_dot(v3_sub(a.r, b.r), a.A.cz);
    if (!(apart > 0.0)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "'%s' is not to the left of '%s' along its axle (%g m)", force[0]->name,
                        force[1]->name, apart);
    }
    double radius = 0.0;
    for (int side = 0; side < 2; ++side) {
        const TmlRailWheel *w = tml_rail_wheel_of(force[side]);
        const TmlRailProfile *wheel, *rail;
        TML_TRY(copy_profile(w->pair.wheel, &t->arena, &wheel, err));
        TML_TRY(copy_profile(w->pair.rail, &t->arena, &rail, err));
        tml_rail_pair_prepare(wheel, rail, w->radius, &t->pair[side]);
        t->set.side[side] = (TmlWheelSide){&t->pair[side], 0.5 * apart, w->rail_y, w->rail_z};
        t->wheel[side] = tml_arena_strdup(&t->arena, force[side]->name);
        TML_TRY(take_points(t, side, 1, wheel, err));
        TML_TRY(take_points(t, side, 0, rail, err));
        radius += 0.5 * w->radius;
    }
    t->set.below = radius;
    t->options.radius = isnan(o->radius) ? radius : o->radius;
    return t->wheel[0] != NULL && t->wheel[1] != NULL ? TML_OK
                                                      : tml_fail(err, TML_E_NOMEM, "out of memory");
}

/* --- shifts ------------------------------------------------------------------------------------- */

static TmlRailPlace place_of(const TmlRailPair *pair, const TmlRailTouch *c)
{
    double w[3][2], r[3][2];
    tml_rail_profile_at(pair->wheel, c->wheel.x, w);
    tml_rail_profile_at(pair->rail, c->rail.x, r);
    return (TmlRailPlace){.wheel_y = w[0][0],
                          .wheel_z = w[0][1],
                          .rail_y = r[0][0],
                          .rail_z = r[0][1],
                          .x = c->x.x,
                          .angle = atan2(-c->ny.x, c->nz.x),
                          .radius = c->radius.x,
                          .gap = fmax(-c->depth.x, 0.0)};
}

/* The wheelset at y; z and roll of *at are where the search starts. */
static bool row_at(const TmlRailTable *t, double y, TmlWheelsetPlace *at, TmlRailTableRow *row)
{
    TmlRailTouch deepest[2];
    at->y = y;
    at->yaw = t->options.yaw;
    if (!tml_wheelset_settle(&t->set, at, deepest)) {
        return false;
    }
    *row = (TmlRailTableRow){.y = y, .z = at->z, .roll = at->roll};
    row->delta = deepest[0].radius.x - deepest[1].radius.x;
    for (int side = 0; side < 2; ++side) {
        double place[RAIL_PLACE];
        TmlRailTouch all[RAIL_TOUCHES];
        row->contact[side][row->n[side]++] = place_of(&t->pair[side], &deepest[side]);
        tml_wheelset_place(&t->set, side, at, place);
        const int n = tml_rail_touches(&t->pair[side], place, t->options.gap, all);
        for (int k = 0; k < n && row->n[side] < TML_RAIL_CONTACTS; ++k) {
            const TmlRailPlace p = place_of(&t->pair[side], &all[k]);
            if (fabs(p.wheel_y - row->contact[side][0].wheel_y) > jumped) {
                row->contact[side][row->n[side]++] = p;
            }
        }
    }
    return true;
}

static bool far_apart(const TmlRailTableRow *a, const TmlRailTableRow *b)
{
    return fabs(a->contact[0][0].wheel_y - b->contact[0][0].wheel_y) > jumped ||
           fabs(a->contact[1][0].wheel_y - b->contact[1][0].wheel_y) > jumped;
}

static TmlStatus add_row(TmlRailTable *t, const TmlRailTableRow *row, TmlError *err)
{
    if (!tml_mem_grow((void **)&t->row, &t->cap, t->n + 1, sizeof *row)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    t->row[t->n++] = *row;
    return TML_OK;
}

/* Rows on both sides of a jump between two shifts, if there is one. */
static TmlStatus look_for_jump(TmlRailTable *t, TmlRailTableRow a, TmlRailTableRow b, TmlError *err)
{
    while (b.y - a.y > jump_width && far_apart(&a, &b)) {
        TmlRailTableRow c;
        TmlWheelsetPlace at = {.z = a.z, .roll = a.roll};
        if (!row_at(t, 0.5 * (a.y + b.y), &at, &c)) {
            return TML_OK;
        }
        if (far_apart(&a, &c)) {
            b = c;
        } else {
            a = c;
        }
    }
    if (!far_apart(&a, &b)) {
        return TML_OK;
    }
    a.jump = true;
    TML_TRY(add_row(t, &a, err));
    return add_row(t, &b, err);
}

/* Shifts from 0 to one side; the rows of the left side are turned round later. */
static TmlStatus shifts(TmlRailTable *t, TmlError *err)
{
    const TmlRailTableOptions *o = &t->options;
    const int steps = (int)floor(o->range / o->step * (1.0 + 1e-12));
    int low = 0, high = 0;
    TmlRailTableRow row, middle;
    TmlWheelsetPlace start = {.z = t->options.radius}, at;
    start.z = 0.5 * (t->pair[0].radius + t->pair[1].radius);
    if (!row_at(t, 0.0, &start, &middle)) {
        return tml_fail(err, TML_E_MODEL,
                        "the wheels do not rest on their rails when the wheelset stands in the "
                        "middle of the track");
    }
    at = start;
    while (low < steps && row_at(t, -(low + 1) * o->step, &at, &row)) {
        ++low;
    }
    at = start;
    while (high < steps && row_at(t, (high + 1) * o->step, &at, &row)) {
        ++high;
    }
    at = start;
    for (int k = 0; k > -low; --k) { // to the first shift, step by step
        if (!row_at(t, (k - 1) * o->step, &at, &row)) {
            break;
        }
    }
    for (int k = -low; k <= high; ++k) {
        if (!row_at(t, k * o->step, &at, &row)) {
            continue;
        }
        if (t->n > 0) {
            TML_TRY(look_for_jump(t, t->row[t->n - 1], row, err));
        }
        TML_TRY(add_row(t, &row, err));
    }
    TML_NEW(&t->arena, t->shift, t->n + 1);
    TML_NEW(&t->arena, t->delta, t->n + 1);
    for (int k = 0; k < t->n; ++k) {
        t->shift[k] = t->row[k].y;
        t->delta[k] = t->row[k].delta;
    }
    return TML_OK;
}

TmlStatus tml_rail_table(const TmlModel *model, const TmlRailTableOptions *options,
                         TmlRailTable **out, TmlError *err)
{
    const TmlRailTableOptions usual = tml_rail_table_options_default();
    *out = NULL;
    options = options != NULL ? options : &usual;
    TML_TRY(check_options(options, err));
    TmlRailTable *t = tml_mem_zalloc(1, sizeof *t);
    if (t == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    t->options = *options;
    TmlStatus status = take_wheels(t, model, err);
    status = status == TML_OK ? shifts(t, err) : status;
    t->options.left = t->wheel[0];
    t->options.right = t->wheel[1];
    if (status != TML_OK) {
        tml_rail_table_free(t);
        return status;
    }
    *out = t;
    return TML_OK;
}

void tml_rail_table_free(TmlRailTable *t)
{
    if (t != NULL) {
        tml_arena_free(&t->arena);
        tml_mem_free(t->row);
        tml_mem_free(t);
    }
}

int tml_rail_table_rows(const TmlRailTable *t)
{
    return t->n;
}

const TmlRailTableRow *tml_rail_table_row(const TmlRailTable *t, int index)
{
    return index >= 0 && index < t->n ? &t->row[index] : NULL;
}

const char *tml_rail_table_wheel(const TmlRailTable *t, int side)
{
    return t->wheel[side != 0];
}

double tml_rail_table_conicity(const TmlRailTable *t, double amplitude)
{
    const TmlRadiusTable table = {t->n, t->shift, t->delta};
    return t->n > 1 && amplitude > 0.0
               ? tml_equivalent_conicity(&table, t->options.base, t->options.radius, amplitude)
               : (double)NAN;
}

const double *tml_rail_table_profile(const TmlRailTable *t, int side, int wheel, int coordinate,
                                     int *n)
{
    *n = PROFILE_POINTS;
    return t->profile[side != 0][wheel != 0][coordinate != 0];
}
