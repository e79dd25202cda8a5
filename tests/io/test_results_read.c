/* tests/io/test_results_read.c - the reader of result files: what was written, in every state. */
#include "io/read/results_read.h"

#include "test.h"
#include "trammel/trammel.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

static const char few_text[] =
    "trammel: 1\n"
    "title: Two points and a pin\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  arm: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0]}\n"
    "  p: {type: point, mass: 1, position: [5, 6, 7]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: z}\n"
    "simulate: {end: 0.5, output_step: 0.1}\n"
    "outputs: {theta: {value: angle(pin), unit: rad}, height: DY(p)}\n";

/* 501 of each: packed. */
static const char many_text[] =
    "trammel: 1\n"
    "gravity: [0, -10, 0]\n"
    "bodies:\n"
    "  for i in 1..501:\n"
    "    \"p{i}\": {mass: 1, inertia: [1, 1, 1], position: [i, 0, 0]}\n"
    "joints:\n"
    "  for i in 1..501:\n"
    "    \"slide{i}\": {type: translational, bodies: [ground, \"p{i}\"], at: [i, 0, 0], axis: x}\n"
    "outputs:\n"
    "  for i in 1..501:\n"
    "    \"x{i}\": {value: \"DX(p{i})\", unit: m}\n"
    "simulate: {end: 0.2, output_step: 0.1}\n";

typedef struct Bench {
    TmlModel *model;
    TmlSim *sim;
    TmlWriter *writer;
    char path[PATH_SIZE];
} Bench;

static Bench bench_open(TestCtx *t, const char *text)
{
    TmlError err = {0};
    Bench b = {0};
    TmlSimOptions options = tml_sim_options_default();
    options.record_solver = true;
    snprintf(b.path, sizeof b.path, "%s/read-XXXXXX.h5", TRAMMEL_BINARY_DIR);
    const int fd = mkstemps(b.path, 3);
    CHECK(t, fd >= 0);
    close(fd);
    CHECK_OK(t, tml_load_text(text, "model.yaml", 0, NULL, NULL, &b.model, &err), &err);
    CHECK_OK(t, tml_sim_create(b.model, &options, &b.sim, &err), &err);
    CHECK_OK(t, tml_writer_open(b.path, b.sim, &b.writer, &err), &err);
    return b;
}

static TmlStatus bench_row(void *user, const TmlSim *sim, TmlError *err)
{
    const Bench *b = user;
    return tml_writer_row(b->writer, sim, err);
}

static void bench_write(TestCtx *t, Bench *b)
{
    TmlError err = {0};
    CHECK_OK(t, tml_sim_run(b->sim, bench_row, b, &err), &err);
    CHECK_OK(t, tml_writer_close(b->writer, b->sim, &err), &err);
    b->writer = NULL;
}

static void bench_free(Bench *b)
{
    unlink(b->path);
    tml_sim_free(b->sim);
    tml_model_free(b->model);
}

TEST(a_file_tells_what_it_holds)
{
    Bench b = bench_open(t, few_text);
    bench_write(t, &b);
    TmlError err = {0};
    TmlResultFile f;
    CHECK_OK(t, tml_result_open(b.path, &f, &err), &err);
    CHECK_INT(t, f.rows, 6);
    CHECK_INT(t, f.state, TML_RESULT_ENDED);
    CHECK_STR(t, f.status, "done");
    const TmlResultSet *bodies = &f.set[TML_RESULT_BODIES], *joints = &f.set[TML_RESULT_JOINTS];
    const TmlResultSet *channels = &f.set[TML_RESULT_CHANNELS];
    CHECK_INT(t, bodies->n_items, 2);
    CHECK_INT(t, tml_result_item(bodies, "arm"), 0);
    CHECK_INT(t, bodies->n_fields, 6);
    const int orientation = tml_result_field(bodies, "orientation");
    CHECK_INT(t, bodies->field[orientation].width, 4);
    CHECK_STR(t, bodies->field[orientation].column[0], "w");
    CHECK_STR(t, bodies->field[tml_result_field(bodies, "velocity")].unit, "m/s");
    CHECK_INT(t, joints->field[0].width, 12);
    CHECK_STR(t, joints->field[0].column[11], "tz_local");
    CHECK_INT(t, channels->n_items, 2);
    CHECK_STR(t, channels->item[1], "height");
    CHECK_STR(t, channels->item_unit[0], "rad");
    CHECK_INT(t, f.set[TML_RESULT_CERTIFICATE].n_fields, 12);
    CHECK_STR(t, tml_result_text(&f, "/", "title"), "Two points and a pin");
    CHECK_STR(t, tml_result_text(&f, "/", "model"), few_text);
    CHECK(t, tml_result_text(&f, "/", "nonsense") == NULL);
    CHECK_NEAR(t, tml_result_number(&f, "/", "output_step"), 0.1, 0.0); // stored as it was read
    CHECK(t, isnan(tml_result_number(&f, "/", "nonsense")));
    int n = 0;
    const char *const *causes = NULL;
    CHECK_OK(t, tml_result_texts(&f, "/solver/cause", "causes", &n, &causes, &err), &err);
    CHECK(t, n > 1);
    CHECK_STR(t, n > 0 ? causes[0] : "", "accepted");
    const TmlAttemptRow *attempts;
    CHECK_INT(t, f.set[TML_RESULT_SOLVER].rows, tml_sim_attempts(b.sim, &attempts));
    tml_result_close(&f);
    bench_free(&b);
}

/* Free fall of the point: 6 - 9.81 t^2 / 2, which every method integrates exactly. */
TEST(rows_are_read_in_ranges)
{
    Bench b = bench_open(t, few_text);
    bench_write(t, &b);
    TmlError err = {0};
    TmlResultFile f;
    double x[6 * 2 * 3], one[6];
    CHECK_OK(t, tml_result_open(b.path, &f, &err), &err);
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_BODIES, -1, 0, 0, 6, x, &err), &err);
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_CHANNELS, 1, 0, 0, 6, one, &err), &err);
    for (int k = 0; k < 6; ++k) {
        const double want = 6.0 - 0.5 * 9.81 * f.time[k] * f.time[k];
        CHECK_NEAR(t, x[6 * k + 4], want, 1e-6); // the tolerance of the run and rounding
        CHECK_NEAR(t, one[k], x[6 * k + 4], 0.0);
    }
    double part[2 * 3];
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_BODIES, 1, 0, 3, 2, part, &err), &err);
    for (int k = 0; k < 3; ++k) { // rows 3 and 4 of the second body
        CHECK(t, part[k] == x[6 * 3 + 3 + k]);
        CHECK(t, part[3 + k] == x[6 * 4 + 3 + k]);
    }
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_BODIES, 1, 0, 6, 0, part, &err), &err);
    CHECK_INT(t, tml_result_read(&f, TML_RESULT_BODIES, 1, 0, 5, 2, part, &err), TML_E_ARGUMENT);
    CHECK_INT(t, tml_result_read(&f, TML_RESULT_BODIES, 2, 0, 0, 1, part, &err), TML_E_ARGUMENT);
    tml_result_close(&f);
    bench_free(&b);
}

TEST(packed_files_read_alike)
{
    enum { N = 501, ROWS = 3 };
    Bench b = bench_open(t, many_text);
    bench_write(t, &b);
    TmlError err = {0};
    TmlResultFile f;
    double *x = calloc((size_t)N * ROWS * 3, sizeof *x), one[ROWS * 3];
    CHECK_OK(t, tml_result_open(b.path, &f, &err), &err);
    for (int k = TML_RESULT_CHANNELS; k <= TML_RESULT_JOINTS; ++k) {
        CHECK(t, f.set[k].packed);
        CHECK_INT(t, f.set[k].n_items, N);
    }
    CHECK_STR(t, f.set[TML_RESULT_CHANNELS].item_unit[500], "m");
    CHECK_STR(t, f.set[TML_RESULT_BODIES].item[500], "p501");
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_BODIES, -1, 0, 0, ROWS, x, &err), &err);
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_BODIES, 500, 0, 0, ROWS, one, &err), &err);
    for (int k = 0; k < ROWS; ++k) {
        CHECK_NEAR(t, x[3 * (k * N + 7)], 8.0, 1e-9); // they rest: rounding
        CHECK_NEAR(t, one[3 * k], 501.0, 1e-9);
    }
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_CHANNELS, 7, 0, 0, ROWS, one, &err), &err);
    CHECK_NEAR(t, one[2], 8.0, 1e-9);
    CHECK_INT(t, f.set[TML_RESULT_JOINTS].field[0].width, 12);
    free(x);
    tml_result_close(&f);
    bench_free(&b);
}

/* Open while it is written: rows come with a refresh, and the end is seen. */
TEST(running_files_are_followed)
{
    Bench b = bench_open(t, few_text);
    TmlError err = {0};
    TmlResultFile f;
    CHECK_OK(t, tml_result_open(b.path, &f, &err), &err);
    CHECK_INT(t, f.state, TML_RESULT_RUNNING);
    CHECK_STR(t, f.status, "running");
    CHECK_INT(t, f.rows, 0);
    tml_result_close(&f);

    CHECK_OK(t, tml_sim_run(b.sim, bench_row, &b, &err), &err);
    CHECK_OK(t, tml_writer_flush(b.writer, &err), &err);
    CHECK_OK(t, tml_result_open(b.path, &f, &err), &err);
    CHECK_INT(t, f.rows, 6);
    CHECK_OK(t, tml_result_refresh(&f, &err), &err);
    CHECK_INT(t, f.rows, 6);
    double x[6];
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_CHANNELS, 0, 0, 0, 6, x, &err), &err);
    tml_result_close(&f);
    CHECK_OK(t, tml_writer_close(b.writer, b.sim, &err), &err);
    bench_free(&b);
}

/* A child writes two files' worth of rows; the parent watches them come. HDF5 keeps one state per
 * process, so only another process is a true reader beside a writer. */
TEST(a_reader_sees_the_rows_of_another_process)
{
    Bench b = bench_open(t, few_text);
    TmlError err = {0};
    bench_write(t, &b);
    unlink(b.path);
    int go[2];
    CHECK(t, pipe(go) == 0);
    const pid_t child = fork();
    if (child == 0) {
        char c;
        TmlStatus status = tml_writer_open(b.path, b.sim, &b.writer, &err);
        for (int k = 0; k < 3 && status == TML_OK; ++k) {
            status = tml_writer_row(b.writer, b.sim, &err);
            status = status == TML_OK ? tml_writer_flush(b.writer, &err) : status;
            if (read(go[0], &c, 1) != 1) {
                break;
            }
        }
        _exit(0); // as if killed: nothing is closed
    }
    TmlResultFile f = {.file = -1};
    TmlStatus status = TML_E_IO;
    for (int k = 0; k < 2000 && (status != TML_OK || f.rows < 1); ++k) {
        if (status == TML_OK) {
            tml_result_close(&f);
        }
        status = tml_result_open(b.path, &f, &err);
        if (status != TML_OK) {
            tml_result_close(&f);
        }
        usleep(1000);
    }
    CHECK_OK(t, status, &err);
    CHECK_INT(t, f.state, TML_RESULT_RUNNING);
    CHECK_INT(t, f.rows, 1);
    CHECK(t, write(go[1], "x", 1) == 1);
    for (int k = 0; k < 2000 && f.rows < 2; ++k) {
        CHECK_OK(t, tml_result_refresh(&f, &err), &err);
        usleep(1000);
    }
    CHECK_INT(t, f.rows, 2);
    double x[2];
    CHECK_OK(t, tml_result_read(&f, TML_RESULT_CHANNELS, 0, 0, 0, 2, x, &err), &err);
    CHECK(t, x[0] == x[1]); // the same state twice
    tml_result_close(&f);
    CHECK(t, write(go[1], "xx", 2) == 2);
    waitpid(child, NULL, 0);
    CHECK_OK(t, tml_result_open(b.path, &f, &err), &err);
    CHECK_INT(t, f.state, TML_RESULT_KILLED);
    CHECK_INT(t, f.rows, 3);
    tml_result_close(&f);
    close(go[0]);
    close(go[1]);
    bench_free(&b);
}

static void expect_error(TestCtx *t, const char *path, const char *text)
{
    TmlError err = {0};
    TmlResultFile f;
    t->name = text;
    CHECK_INT(t, tml_result_open(path, &f, &err), TML_E_IO);
    CHECK_HAS(t, err.message, path);
    CHECK_HAS(t, err.message, text);
    tml_result_close(&f);
    t->name = NULL;
}

TEST(other_files_are_refused)
{
    Bench b = bench_open(t, few_text);
    bench_write(t, &b);
    struct stat info;
    CHECK(t, stat(b.path, &info) == 0);
    CHECK(t, truncate(b.path, info.st_size / 2) == 0);
    expect_error(t, b.path, "damaged");
    CHECK(t, truncate(b.path, 40) == 0); // a superblock without its end
    expect_error(t, b.path, "damaged");
    CHECK(t, truncate(b.path, 0) == 0);
    expect_error(t, b.path, "not an HDF5 file");
    const hid_t foreign = H5Fcreate(b.path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(foreign);
    expect_error(t, b.path, "not a result file");
    bench_free(&b);
    expect_error(t, b.path, "No such file");
    expect_error(t, TRAMMEL_BINARY_DIR, "not an HDF5 file");
}

/* Wherever a file is cut, it is an error or a readable file, and never a crash. */
TEST(a_cut_anywhere_is_an_error)
{
    Bench b = bench_open(t, few_text);
    bench_write(t, &b);
    struct stat info;
    CHECK(t, stat(b.path, &info) == 0);
    for (int k = 39; k > 0; --k) {
        CHECK(t, truncate(b.path, info.st_size * k / 40) == 0);
        TmlError err = {0};
        TmlResultFile f;
        CHECK_INT(t, tml_result_open(b.path, &f, &err), TML_E_IO);
        tml_result_close(&f);
    }
    bench_free(&b);
}

TEST_SUITE(io_results_read) = {CASE(a_file_tells_what_it_holds),
                               CASE(rows_are_read_in_ranges),
                               CASE(packed_files_read_alike),
                               CASE(running_files_are_followed),
                               CASE(a_reader_sees_the_rows_of_another_process),
                               CASE(other_files_are_refused),
                               CASE(a_cut_anywhere_is_an_error),
                               {0}};
