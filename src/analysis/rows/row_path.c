/* analysis/rows/row_path.c - what rows of an equilibrium path have besides those of a run. */
#include "analysis/driver/sim_internal.h"

#include <math.h>
#include <string.h>

enum { PARAMETER, UNSTABLE, POINT, CHANNELS };

void tml_sim_path_begin(TmlSim *sim, TmlPathAsked asked)
{
    sim->path.on = true;
    sim->path.asked = asked;
}

void tml_sim_path_point(TmlSim *sim, const TmlPathPoint *point)
{
    sim->path.point = *point;
}

void tml_sim_path_end(TmlSim *sim)
{
    sim->path.on = false;
}

bool tml_sim_path_asked(const TmlSim *sim, TmlPathAsked *out)
{
    if (out != NULL) {
        *out = sim->path.asked;
    }
    return sim->path.on;
}

/* Returns the name of time, or of the parameter in its place. */
static const char *parameter_name(const TmlSim *sim)
{
    return sim->model->followed != NULL ? sim->model->followed : "parameter";
}

static const char *channel_name(const TmlSim *sim, int which)
{
    return which == PARAMETER ? parameter_name(sim) : which == UNSTABLE ? "unstable" : "point";
}

/* An output of the model with the same name comes first. */
static bool is_taken(const TmlSim *sim, int which)
{
    for (int k = 0; k < sim->model->channels.n; ++k) {
        if (strcmp(sim->model->channels.at[k].name, channel_name(sim, which)) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns which one the k-th is, or CHANNELS when it is none. */
static int channel_at(const TmlSim *sim, int k)
{
    int which = sim->path.on ? 0 : CHANNELS;
    for (; which < CHANNELS; ++which) {
        if (!is_taken(sim, which) && k-- == 0) {
            break;
        }
    }
    return which;
}

int tml_path_channels(const TmlSim *sim)
{
    int n = 0;
    while (channel_at(sim, n) < CHANNELS) {
        ++n;
    }
    return n;
}

const char *tml_path_channel_name(const TmlSim *sim, int k)
{
    const int which = channel_at(sim, k);
    return which < CHANNELS ? channel_name(sim, which) : NULL;
}

double tml_path_channel(const TmlSim *sim, int k)
{
    switch (channel_at(sim, k)) {
    case PARAMETER:
        return sim->path.point.parameter;
    case UNSTABLE:
        return sim->path.point.unstable;
    case POINT:
        return sim->path.point.kind;
    default:
        return (double)NAN;
    }
}

const char *tml_row_time_name(const TmlSim *sim)
{
    return sim->path.on ? "length" : "time";
}

TmlPathPoint tml_row_path(const TmlSim *sim)
{
    return sim->path.on ? sim->path.point : (TmlPathPoint){0};
}
