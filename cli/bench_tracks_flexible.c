/* cli/bench_tracks_flexible.c - the flexible tracked vehicle of [000], section 9.3: chains of cables, of beams by their elastic line, of
 * beams as continua.
 *
 * The links hinge on common pins without constraints, so that the equations are those of the hull's joints and nothing else. HHT at 1e-7
 * is compared with explicit Adams at 1e-4, as in the paper. Of the continuum the paper had no result of Adams; here its cost is shown.
 */
#include "machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Chain {
    const char *name, *formulation; /* NULL: that of the file */
    const char *text;
    double paper; /* ratio; NAN: none */
} Chain;

static const double end = 10.0;

/* The vehicle without chains and the section of its chains, as one model. */
static char *whole_text(const Chain *chain)
{
    static const char section[] = "\nflexible:\n", usual[] = "elastic_line";
    const char *base = cli_model_papers_include_tracked_vehicle_base,
               *links = strstr(chain->text, section);
    const size_t n = strlen(base) + strlen(chain->text) + 1;
    char *text = links != NULL ? malloc(n) : NULL;
    if (text == NULL) {
        return NULL;
    }
    snprintf(text, n, "%s%s", base, links);
    for (char *at = text; chain->formulation != NULL && (at = strstr(at, usual)) != NULL; ++at) {
        const size_t room = sizeof usual - 1, used = strlen(chain->formulation);
        memset(at, ' ', room); // as long as the word was
        memcpy(at, chain->formulation, used < room ? used : room);
    }
    return text;
}

static void counts(Machine *m, const Chain *chain, const TmlSimStats *s)
{
    machine_figure(m, "", 2192, s->n_coordinates + s->n_constraints, "equations, %s", chain->name);
    machine_within(
        machine_figure(m, "", 0, s->n_joints - 28, "joints between links, %s", chain->name), 0, 0);
}

static void agreement(Machine *m, const Chain *chain, int a, int b)
{
    static const struct {
        const char *channel, *what;
    } of[] = {{"x", "chassis' position"},
              {"speed", "chassis' velocity"},
              {"az", "chassis' vertical acceleration"},
              {"spin_wheel", "road wheel's angular velocity"},
              {"z_node", "vertical position of a node"},
              {"vx_node", "velocity of a node"}};
    for (size_t k = 0; k < sizeof of / sizeof of[0]; ++k) {
        machine_figure(m, "", 0.001, machine_difference(m, a, b, of[k].channel, end),
                       "%s, hht and adams, %s", of[k].what, chain->name);
    }
}

static TmlStatus one_chain(Machine *m, const Chain *chain, TmlError *err)
{
    int slow = -1, fast = -1, index3 = -1;
    char *text = whole_text(chain);
    TmlStatus status =
        text != NULL ? machine_change(m, text, chain->name, 0, NULL, NULL, err) : TML_E_NOMEM;
    free(text);
    if (status == TML_OK) {
        status = machine_run(m, &(MachineRun){"adams", 1e-4, 0.0, end, end, 2e-4}, &slow, err);
    }
    if (status == TML_OK) {
        status =
            machine_run(m, &(MachineRun){"tlismni-hht", 1e-7, 0.0, end, end, 1e-3}, &fast, err);
    }
    if (status == TML_OK) {
        status = machine_run(m, &(MachineRun){"hht", 1e-4, 0.0, end, end, 5e-3}, &index3, err);
    }
    if (status == TML_OK) {
        counts(m, chain, &m->result[fast].stats);
        MachineFigure *f = machine_figure(m, "", chain->paper, machine_ratio(m, slow, fast),
                                          "adams over hht, %s", chain->name);
        f->projected = true;
        if (isfinite(chain->paper) && !m->order->brief) {
            machine_at_least(f, chain->paper);
        }
        f = machine_figure(m, "", (double)NAN, machine_ratio(m, slow, index3),
                           "adams over hht on index 3 at 1e-4, %s", chain->name);
        f->projected = true;
        if (m->result[slow].done) {
            f = machine_figure(m, "s", (double)NAN, m->result[slow].cost, "CPU time of adams, %s",
                               chain->name);
            f->projected = m->result[slow].projected;
        }
        agreement(m, chain, fast, slow);
    }
    return status;
}

static int flexible_run(const CliBench *self, const CliBenchOrder *order)
{
    const Chain chains[] = {
        {"cables", NULL, cli_model_papers_tracked_vehicle_cable, 8},
        {"elastic line", NULL, cli_model_papers_tracked_vehicle_beam, 18},
        {"continuum", "continuum", cli_model_papers_tracked_vehicle_beam, (double)NAN}};
    TmlError err = {0};
    Machine m;
    TmlStatus status = TML_OK;
    machine_begin(&m, self, order);
    for (size_t k = 0; k < sizeof chains / sizeof chains[0] && status == TML_OK; ++k) {
        status = one_chain(&m, &chains[k], &err);
    }
    return machine_close(&m, status, &err);
}

const CliBench cli_bench_tracked_vehicle_flexible = {
    .name = "tracked_vehicle_flexible",
    .text = "tracked vehicle of [000] with chains of finite elements: HHT beside explicit Adams",
    .run = flexible_run,
};
