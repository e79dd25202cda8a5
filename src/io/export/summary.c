/* io/export/summary.c - statistics of a run as one JSON object. */
#include "io/export/summary.h"

#include "analysis/driver/sim_facts.h"
#include "base/fail.h"
#include "model/model.h"
#include "trammel/analysis.h"
#include "trammel/trammel.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum Kind { INT, INT64, SIZE, REAL } Kind;

typedef struct StatsField {
    const char *name;
    Kind kind;
    size_t offset;
} StatsField;

/* Every field of TmlSimStats under its own name. */
// clang-format off
#define FIELD(kind, name) {#name, kind, offsetof(TmlSimStats, name)}
// clang-format on
static const StatsField stats_fields[] = {
    FIELD(INT64, steps),
    FIELD(INT64, rejected),
    FIELD(INT64, rejected_error),
    FIELD(INT64, rejected_newton),
    FIELD(INT64, rejected_singular),
    FIELD(INT64, landings),
    FIELD(INT64, rounding),
    FIELD(REAL, rounding_error),
    FIELD(INT64, iterations),
    FIELD(INT64, residuals),
    FIELD(INT64, jacobians),
    FIELD(INT64, factorizations),
    FIELD(INT64, refactorizations),
    FIELD(INT64, solves),
    FIELD(INT64, analyses),
    FIELD(INT64, solves_iterated),
    FIELD(INT64, products),
    FIELD(INT64, loop_evaluations),
    FIELD(INT64, loop_corrections),
    FIELD(INT64, loop_krylov),
    FIELD(INT64, loop_preconditioners),
    FIELD(INT64, loop_partitions),
    FIELD(REAL, h_first),
    FIELD(REAL, h_min),
    FIELD(REAL, h_max),
    FIELD(REAL, seconds_total),
    FIELD(REAL, seconds_setup),
    FIELD(REAL, seconds_residual),
    FIELD(REAL, seconds_jacobian),
    FIELD(REAL, seconds_factor),
    FIELD(REAL, seconds_solve),
    FIELD(REAL, seconds_output),
    FIELD(REAL, max_phi),
    FIELD(REAL, max_phi_dot),
    FIELD(REAL, max_phi_ddot),
    FIELD(REAL, max_row_phi),
    FIELD(REAL, max_row_phi_dot),
    FIELD(REAL, max_row_phi_ddot),
    FIELD(REAL, max_row_forces),
    FIELD(INT64, rows_interpolated),
    FIELD(REAL, max_energy_error),
    FIELD(REAL, max_kinetic),
    FIELD(INT64, unbalanced_rows),
    FIELD(INT64, contact_lists),
    FIELD(INT64, contact_patterns),
    FIELD(INT64, contact_candidates),
    FIELD(INT64, contact_touching),
    FIELD(INT64, contact_onsets),
    FIELD(INT64, contact_releases),
    FIELD(INT, n_bodies),
    FIELD(INT, n_joints),
    FIELD(INT, n_forces),
    FIELD(INT, n_coordinates),
    FIELD(INT, n_constraints),
    FIELD(INT, n_redundant),
    FIELD(INT, n_unknowns),
    FIELD(INT, degrees_of_freedom),
    FIELD(INT, matrix_entries),
    FIELD(INT, factor_entries),
    FIELD(SIZE, memory),
};
#undef FIELD

void tml_json_stats(TmlJson *j, const char *key, const TmlSimStats *stats)
{
    tml_json_open(j, key, '{');
    for (size_t k = 0; k < sizeof stats_fields / sizeof stats_fields[0]; ++k) {
        const StatsField *f = &stats_fields[k];
        const void *at = (const char *)stats + f->offset;
        switch (f->kind) {
        case INT:
            tml_json_int(j, f->name, *(const int *)at);
            break;
        case INT64:
            tml_json_int(j, f->name, *(const int64_t *)at);
            break;
        case SIZE:
            tml_json_int(j, f->name, (int64_t) * (const size_t *)at);
            break;
        case REAL:
            tml_json_number(j, f->name, *(const double *)at);
            break;
        }
    }
    tml_json_close(j);
}

/* Of the last output row. */
static void write_certificate(TmlJson *j, const TmlSim *sim)
{
    if (!tml_sim_has_row(sim)) {
        tml_json_raw(j, "certificate", NULL);
        return;
    }
    const TmlCertificate c = tml_row_certificate(sim);
    tml_json_open(j, "certificate", '{');
    tml_json_number(j, "time", tml_row_time(sim));
    tml_json_number(j, "phi", c.phi);
    tml_json_number(j, "phi_dot", c.phi_dot);
    tml_json_number(j, "phi_ddot", c.phi_ddot);
    tml_json_number(j, "integrated_phi", c.integrated_phi);
    tml_json_number(j, "integrated_phi_dot", c.integrated_phi_dot);
    tml_json_number(j, "integrated_phi_ddot", c.integrated_phi_ddot);
    tml_json_number(j, "forces", c.forces);
    tml_json_number(j, "kinetic", c.kinetic);
    tml_json_number(j, "potential", c.potential);
    tml_json_number(j, "dissipated", c.dissipated);
    tml_json_number(j, "lost_contact", c.lost_contact);
    tml_json_number(j, "lost_friction", c.lost_friction);
    tml_json_number(j, "work", c.work);
    tml_json_number(j, "energy_error", c.energy_error);
    tml_json_close(j);
}

/* Channels that were not finite in some rows. */
static void write_nonfinite(TmlJson *j, const TmlSim *sim)
{
    tml_json_open(j, "not_finite", '[');
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        double first;
        const int64_t rows = tml_sim_channel_nonfinite(sim, k, &first);
        if (rows > 0) {
            tml_json_open(j, NULL, '{');
            tml_json_string(j, "channel", tml_row_channel_name(sim, k));
            tml_json_int(j, "rows", rows);
            tml_json_number(j, "first_time", first);
            tml_json_close(j);
        }
    }
    tml_json_close(j);
}

/* Of tml_sim_check_error, when it was called. */
static void write_global_error(TmlJson *j, const TmlSim *sim)
{
    TmlErrorInfo info;
    const double *part;
    if (!tml_sim_error_info(sim, &info)) {
        return;
    }
    tml_json_open(j, "global_error", '{');
    tml_json_string(j, "integrator", info.integrator);
    tml_json_number(j, "tolerance", info.tolerance);
    tml_json_int(j, "steps", info.steps);
    tml_json_int(j, "rows", info.rows);
    tml_json_number(j, "relative", info.relative);
    tml_json_number(j, "suggested", info.suggested);
    tml_json_bool(j, "exceeds", info.relative > info.suggested);
    const int parts = tml_sim_error_parts(sim, &part);
    tml_json_reals(j, "by_time", parts, part);
    tml_json_open(j, "items", '[');
    for (int k = 0; k < info.items; ++k) {
        const TmlErrorItem item = tml_sim_error_item(sim, k);
        tml_json_open(j, NULL, '{');
        tml_json_string(j, item.body ? "body" : "channel", item.name);
        tml_json_string(j, "unit", item.unit);
        tml_json_number(j, "difference", item.difference);
        tml_json_number(j, "scale", item.scale);
        tml_json_number(j, "relative", item.relative);
        tml_json_number(j, "time", item.time);
        tml_json_close(j);
    }
    tml_json_close(j);
    tml_json_close(j);
}

static void write_run(TmlJson *j, const TmlSim *sim)
{
    const char *key, *value;
    tml_json_string(j, "integrator", tml_sim_integrator(sim));
    tml_json_string(j, "choice", tml_sim_choice(sim));
    tml_json_string(j, "coordinates", tml_sim_coordinates(sim));
    tml_json_number(j, "tolerance", tml_sim_tolerance(sim));
    tml_json_open(j, "options", '{');
    for (int k = 0; tml_sim_option(sim, k, &key, &value); ++k) {
        tml_json_string(j, key, value);
    }
    tml_json_close(j);
    tml_json_number(j, "time", tml_sim_time(sim));
    tml_json_number(j, "end_time", tml_sim_end_time(sim));
    tml_json_number(j, "output_step", tml_sim_output_step(sim));
    tml_json_open(j, "notes", '[');
    for (int k = 0; k < tml_sim_note_count(sim); ++k) {
        tml_json_string(j, NULL, tml_sim_note(sim, k));
    }
    tml_json_close(j);
    const TmlModel *model = tml_sim_model(sim);
    tml_json_open(j, "substitutes", '[');
    for (int k = 0; tml_model_substitute(model, k) != NULL; ++k) {
        tml_json_string(j, NULL, tml_model_substitute(model, k));
    }
    tml_json_close(j);
    const TmlSimStats stats = tml_sim_stats(sim);
    tml_json_string(j, "energy_balance", stats.unbalanced_rows > 0 ? "off" : "held");
    tml_json_stats(j, "statistics", &stats);
    write_certificate(j, sim);
    write_nonfinite(j, sim);
    write_global_error(j, sim);
}

TmlStatus tml_write_summary(const char *path, const TmlModel *model, const TmlSim *sim,
                            TmlStatus status, const char *message, TmlError *err)
{
    TmlTextBuf text = {0};
    TmlJson j = {.text = &text};
    tml_json_open(&j, NULL, '{');
    tml_json_string(&j, "trammel", TML_VERSION);
    tml_json_string(&j, "model", model != NULL ? model->file : NULL);
    tml_json_string(&j, "title", model != NULL ? model->title : NULL);
    tml_json_string(&j, "status", tml_status_name(status));
    tml_json_int(&j, "exit", tml_status_exit(status));
    const bool told = message != NULL && message[0] != '\0';
    tml_json_string(&j, "message", told ? message : tml_status_text(status));
    if (sim != NULL) {
        write_run(&j, sim);
    }
    tml_json_close(&j);

    char *json;
    TML_TRY(tml_textbuf_take(&text, &json, err));
    const TmlStatus result = tml_file_write(path, json, strlen(json), err);
    tml_text_free(json);
    return result;
}
