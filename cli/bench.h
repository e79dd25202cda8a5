/* cli/bench.h - experiments of the papers, one file each; bench.c lists them. */
#pragma once

#include "trammel/trammel.h"

#include <stdio.h>

/* What is asked of an experiment. */
typedef struct CliBenchOrder {
    FILE *json;       /* file for the numbers, open for writing; NULL: none */
    const char *plot; /* where to draw; NULL: where the experiment does by itself */
    bool brief;       /* runs cut short, so that all experiments together take minutes */
    double limit;     /* s: CPU time of one run of a machine, which is stopped then; 0: none */
} CliBenchOrder;

typedef struct CliBench {
    const char *name, *text;
    int (*run)(const struct CliBench *self,
               const CliBenchOrder *order); /* prints its tables; exit status */
    bool plots;                             /* has something to draw */
} CliBench;

extern const CliBench cli_bench_double_pendulum, cli_bench_flexible_pendulum, cli_bench_hmmwv,
    cli_bench_belt_drive, cli_bench_atv, cli_bench_tracked_vehicle,
    cli_bench_tracked_vehicle_flexible, cli_bench_excavator, cli_bench_pantograph, cli_bench_engine;

/* Texts of models/NAME.yaml, put into the program by the build: cmake/embed.cmake lists them. */
extern const char cli_model_double_pendulum[], cli_model_flexible_pendulum[];
extern const char cli_model_papers_hmmwv[], cli_model_papers_belt_drive[];
extern const char cli_model_papers_atv[], cli_model_papers_parts_atv_frame[];
extern const char cli_model_papers_tracked_vehicle[],
    cli_model_papers_include_tracked_vehicle_base[], cli_model_papers_tracked_vehicle_cable[],
    cli_model_papers_tracked_vehicle_beam[];
extern const char cli_model_papers_excavator_track[], cli_model_papers_pantograph_catenary[],
    cli_model_papers_engine_scale[];

/* Where the bench is, for people who wait; NULL clears the line. */
void cli_bench_progress(const char *method, double tolerance);
bool cli_bench_has(const char *integrator); /* registered */
void cli_bench_json(FILE *json, const char *key, double value, const char *after);
