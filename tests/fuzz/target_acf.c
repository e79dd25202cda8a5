/* tests/fuzz/target_acf.c - command files of Adams for a small dataset. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096, SIMULATIONS = 3 };

static const char dataset[] = "pendulum on a spring\n"
                              "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
                              "ACCGRAV/JGRAV=-9.81\n"
                              "PART/1, GROUND\n"
                              "MARKER/1, PART=1\n"
                              "PART/2, MASS=2, CM=20, IP=0.1,0.1,0.1\n"
                              "MARKER/20, PART=2, QP=0.5,0,0\n"
                              "MARKER/21, PART=2\n"
                              "JOINT/1, REVOLUTE, I=21, J=1\n"
                              "SPRINGDAMPER/1, I=21, J=1, ROTATION, KT=3, CT=0.1\n"
                              "SFORCE/1, I=21, J=1, ROTATION, ACTIONONLY, FUNCTION=SIN(TIME)\\\n"
                              "VARIABLE/1, FUNCTION=AZ(21,1)\n"
                              "DIFF/1, IC=1, FUNCTION=-DIF(1)+VARVAL(1)\n"
                              "SENSOR/1, FUNCTION=TIME, EQ, VALUE=0.02, ERROR=1E-3, HALT\n"
                              "REQUEST/1, F2=VARVAL(1)\n"
                              "MOTION/1, JOINT=1, ROTATION, FUNCTION=0.1*TIME\n"
                              "RESULTS/\n"
                              "END\n";

/* Runs a simulation from the end of the one that it names. */
static TmlSim *simulate(const TmlModel *model, const TmlSimulation *s, const TmlSim *from)
{
    TmlSim *sim = NULL;
    TmlError err = {0};
    int budget;
    TmlSimOptions o = fuzz_sim_options(&budget);
    const double now = from != NULL ? tml_sim_time(from) : 0.0;
    const double end = !isnan(s->end) ? s->end : now + s->duration;
    o.from = from;
    o.end_time = end > now ? end : now + 1.0;
    o.output_step = s->output_step;
    TmlStatus status = tml_sim_create(model, &o, &sim, &err);
    fuzz_check(status, &err);
    if (status == TML_OK && s->kind == TML_SIMULATION_STATICS) {
        TmlStaticsInfo info;
        fuzz_check(tml_sim_statics(sim, NULL, &info, &err), &err);
    } else if (status == TML_OK && s->kind != TML_SIMULATION_EIGENVALUES) {
        fuzz_run(sim);
    }
    return sim;
}

static void go(const TmlCommands *commands)
{
    TmlModel *model[SIMULATIONS] = {0};
    TmlSim *sim[SIMULATIONS] = {0};
    const int count = tml_commands_count(commands);
    const int n = count < SIMULATIONS ? count : SIMULATIONS;
    for (int k = 0; k < n; ++k) {
        TmlError err = {0};
        const TmlSimulation s = tml_commands_simulation(commands, k);
        fuzz_check(tml_commands_model(commands, k, &model[k], &err), &err);
        if (model[k] == NULL || s.from >= k) {
            break;
        }
        sim[k] = simulate(model[k], &s, s.from >= 0 ? sim[s.from] : NULL);
        if (sim[k] == NULL) {
            break;
        }
    }
    for (int k = 0; k < n; ++k) {
        tml_sim_free(sim[k]);
    }
    for (int k = 0; k < n; ++k) {
        tml_model_free(model[k]);
    }
}

void fuzz_acf(const uint8_t *data, size_t size)
{
    static bool there;
    if (size > LONGEST) {
        return;
    }
    if (!there) {
        (void)fuzz_write("model.adm", dataset, sizeof dataset - 1);
        there = true;
    }
    TmlCommands *commands = NULL;
    TmlError err = {0};
    fuzz_limit_memory();
    const TmlLoadOptions o = tml_load_options_default();
    const char *path = fuzz_write("model.acf", data, size), *model = fuzz_beside("model.adm");
    const TmlStatus status = tml_commands_open(path, model, &o, &commands, &err);
    fuzz_check(status, &err);
    if (status == TML_OK) {
        go(commands);
    }
    tml_commands_free(commands);
}
