/* tests/io/test_h5_contacts.c - the points that touch, in result files. */
#include "io/results/hdf5_file.h"
#include "test.h"

#include "trammel/trammel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef TRAMMEL_BINARY_DIR
#define TRAMMEL_BINARY_DIR "/tmp"
#endif

enum { MOST_ROWS = 64, POINTS = 6 };

/* Two balls on the floor beside each other and one of them in the air at first: 3 shapes, room for 6 points. */
static const char model_text[] =
    "trammel: 1\n"
    "gravity: [0, 0, -10]\n"
    "ground: {shape: {half_space: {normal: z}}}\n"
    "bodies:\n"
    "  low: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.0999],\n"
    "        shape: {sphere: {radius: 0.1}}}\n"
    "  high: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [1, 0, 0.101],\n"
    "         shape: {sphere: {radius: 0.1}}}\n"
    "contacts: {floor: {between: [all, ground], law: linear, stiffness: 1e5, damping: 600}}\n"
    "outputs: {force: contact_force(floor), low: contact_force(low)}\n"
    "simulate: {end: 0.1, output_step: 0.01, integrator: radau}\n";

typedef struct Rows {
    TmlWriter *writer;
    double force[MOST_ROWS], low[MOST_ROWS];
    int n;
} Rows;

static TmlStatus put_row(void *user, const TmlSim *sim, TmlError *err)
{
    Rows *rows = user;
    if (rows->n < MOST_ROWS) {
        rows->force[rows->n] = tml_row_channel(sim, 0);
        rows->low[rows->n++] = tml_row_channel(sim, 1);
    }
    return tml_writer_row(rows->writer, sim, err);
}

/* A dataset of rows of `width` values. */
static void read_set(TestCtx *t, hid_t file, const char *name, int rows, int width, double *out)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    CHECK_INT(t, H5Sget_simple_extent_npoints(space), (hssize_t)rows * width);
    if (H5Sget_simple_extent_npoints(space) == (hssize_t)rows * width) {
        CHECK(t, H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
    }
    H5Sclose(space);
    H5Dclose(set);
}

static void check_rows(TestCtx *t, hid_t file, const Rows *rows)
{
    static double count[MOST_ROWS], between[MOST_ROWS][POINTS][3], force[MOST_ROWS][POINTS][3],
        depth[MOST_ROWS][POINTS];
    read_set(t, file, "/contacts/count", rows->n, 1, count);
    read_set(t, file, "/contacts/between", rows->n, POINTS * 3, &between[0][0][0]);
    read_set(t, file, "/contacts/force", rows->n, POINTS * 3, &force[0][0][0]);
    read_set(t, file, "/contacts/depth", rows->n, POINTS, &depth[0][0]);
    CHECK(t, count[0] == 1.0 && count[rows->n - 1] == 2.0);
    for (int k = 0; k < rows->n; ++k) {
        double sum = 0.0;
        for (int p = 0; p < POINTS; ++p) {
            const bool there = p < (int)count[k];
            sum += fabs(force[k][p][2]);
            CHECK(t, (between[k][p][0] == 0.0) == there && (depth[k][p] > 0.0) == there);
        }
        CHECK_NEAR(t, sum, rows->force[k], 1e-9); // the same sum in the same row: rounding of 20 N
        // the first point is that of the first shape
        CHECK_NEAR(t, fabs(force[k][0][2]), rows->low[k], 1e-9); // as above
    }
}

TEST(points_are_in_result_files)
{
    char path[256];
    Rows rows = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    snprintf(path, sizeof path, "%s/contacts-%ld.h5", TRAMMEL_BINARY_DIR, (long)getpid());
    CHECK_OK(t, tml_load_text(model_text, "model.yaml", 0, NULL, NULL, &model, &err), &err);
    CHECK_OK(t, tml_sim_create(model, NULL, &sim, &err), &err);
    CHECK_OK(t, tml_writer_open(path, sim, &rows.writer, &err), &err);
    CHECK_OK(t, tml_sim_run(sim, put_row, &rows, &err), &err);
    CHECK_OK(t, tml_writer_close(rows.writer, sim, &err), &err);
    tml_sim_free(sim);
    tml_model_free(model);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(t, file >= 0 && rows.n == 11);
    if (file >= 0 && rows.n == 11) {
        check_rows(t, file, &rows);
        H5Fclose(file);
    }
    unlink(path);
}

/* A rope on a plate: bodies are those of `flexible`, -2 and -3, and forces of all points are what the function tells. */
TEST(points_of_flexible_bodies_are_in_result_files)
{
    enum {
        SHAPES = 7,
        ROOM = 2 * SHAPES,
        FLEX_ROWS = 3
    }; // 6 stations, and the element of the plate
    static const char text[] =
        "trammel: 1\n"
        "gravity: [0, 0, -10]\n"
        "flexible:\n"
        "  rope: {type: cable, line: [[0.05, 0.1, 0.0149], [0.15, 0.12, 0.0149]], elements: 2,\n"
        "         section: {radius: 0.005}, contact: {stations: 3},\n"
        "         material: {E: 1e7, density: 1000, damping: 1e-2}}\n"
        "  plate: {type: shell, patch: {origin: [0, 0, 0], x: [0.2, 0, 0], y: [0, 0.2, 0]},\n"
        "          elements: [1, 1], section: {thickness: 0.02}, edges: {left: {clamp: ground}},\n"
        "          material: {E: 1e9, density: 1000}}\n"
        "contacts: {on: {between: [rope, plate], law: linear, stiffness: 1e5}}\n"
        "outputs: {force: contact_force(on), low: contact_count(on)}\n"
        "simulate: {end: 0.002, output_step: 0.001}\n";
    static double count[FLEX_ROWS], between[FLEX_ROWS][ROOM][3], force[FLEX_ROWS][ROOM][3];
    char path[256];
    Rows rows = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    snprintf(path, sizeof path, "%s/flexible-contacts-%ld.h5", TRAMMEL_BINARY_DIR, (long)getpid());
    CHECK_OK(t, tml_load_text(text, "model.yaml", 0, NULL, NULL, &model, &err), &err);
    CHECK_OK(t, tml_sim_create(model, NULL, &sim, &err), &err);
    CHECK_OK(t, tml_writer_open(path, sim, &rows.writer, &err), &err);
    CHECK_OK(t, tml_sim_run(sim, put_row, &rows, &err), &err);
    CHECK_OK(t, tml_writer_close(rows.writer, sim, &err), &err);
    tml_sim_free(sim);
    tml_model_free(model);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(t, file >= 0 && rows.n == FLEX_ROWS);
    if (file >= 0 && rows.n == FLEX_ROWS) {
        read_set(t, file, "/contacts/count", rows.n, 1, count);
        read_set(t, file, "/contacts/between", rows.n, ROOM * 3, &between[0][0][0]);
        read_set(t, file, "/contacts/force", rows.n, ROOM * 3, &force[0][0][0]);
        for (int k = 0; k < rows.n; ++k) {
            double sum = 0.0;
            CHECK(t, count[k] == rows.low[k] && (k > 0 || count[k] == 6.0));
            for (int p = 0; p < (int)count[k]; ++p) {
                const double *b = between[k][p], *f = force[k][p];
                CHECK(t, b[0] == 0.0 && b[1] == -2.0 && b[2] == -3.0);
                sum += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
            }
            CHECK_NEAR(t, sum, rows.force[k],
                       1e-9); // the same sum in the same row: rounding of 1 N
        }
        H5Fclose(file);
    }
    unlink(path);
}

TEST_SUITE(io_h5_contacts) = {
    CASE(points_are_in_result_files), CASE(points_of_flexible_bodies_are_in_result_files), {0}};
