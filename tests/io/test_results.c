/* tests/io/test_results.c - result files: what is written is read back, also after a kill. */
#include "test.h"

#include "base/arena.h"
#include "io/read/results_read.h"
#include "io/results/hdf5_file.h"
#include "io/text/json.h"
#include "trammel/trammel.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS_MAX = 4096, PATH_SIZE = 512, TEXT_MAX = 1 << 20 };

static const char model_text[] =
    "trammel: 1\n"
    "title: Double pendulum\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod1: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0]}\n"
    "  rod2: {mass: 1, inertia: [0.01, 0.2, 0.2], position: [2, -1, 0],\n"
    "         rotation: {axis: z, angle: -pi/2}}\n"
    "joints:\n"
    "  pin1: {type: revolute, bodies: [ground, rod1], at: [0, 0, 0], axis: z}\n"
    "  pin2: {type: revolute, bodies: [rod1, rod2], at: [2, 0, 0], axis: z}\n"
    "simulate: {end: 2, output_step: 0.01}\n"
    "outputs: {theta1: angle(pin1), x: DX(rod2)}\n";

/* A sim of the model above, and a folder of its own for its files. */
typedef struct Bench {
    TmlModel *model;
    TmlSim *sim;
    char folder[PATH_SIZE - 16]; // leaves room for a file's name
    TmlWriter *writer[2];
    int n; // rows seen
    double time[ROWS_MAX], channel[ROWS_MAX], position[ROWS_MAX], reaction[ROWS_MAX];
} Bench;

static Bench *bench_open_text(TestCtx *t, const char *text, double end)
{
    TmlError err = {0};
    Bench *b = calloc(1, sizeof *b);
    snprintf(b->folder, sizeof b->folder, "%s/results-XXXXXX", TRAMMEL_BINARY_DIR);
    CHECK(t, mkdtemp(b->folder) != NULL);
    CHECK_OK(t, tml_load_text(text, "bench.yaml", 0, NULL, NULL, &b->model, &err), &err);
    TmlSimOptions options = tml_sim_options_default();
    options.record_solver = true;
    options.end_time = end;
    if (b->model != NULL) {
        CHECK_OK(t, tml_sim_create(b->model, &options, &b->sim, &err), &err);
    }
    return b;
}

static Bench *bench_open(TestCtx *t, double end)
{
    return bench_open_text(t, model_text, end);
}

static const char *bench_path(const Bench *b, const char *name)
{
    static char path[4][PATH_SIZE];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], PATH_SIZE, "%s/%s", b->folder, name);
    return path[next];
}

static void bench_close(Bench *b)
{
    static const char *const names[] = {"a.h5", "a.csv", "a.json", "a.h5.new", NULL};
    for (const char *const *n = names; *n != NULL; ++n) {
        unlink(bench_path(b, *n));
    }
    rmdir(b->folder);
    tml_sim_free(b->sim);
    tml_model_free(b->model);
    free(b);
}

static TmlStatus bench_row(void *user, const TmlSim *sim, TmlError *err)
{
    Bench *b = user;
    if (b->n < ROWS_MAX) {
        b->time[b->n] = tml_row_time(sim);
        b->channel[b->n] = tml_row_channel(sim, 0);
        b->position[b->n] = tml_row_body(sim, 1).position.x;
        b->reaction[b->n] = tml_row_reaction(sim, 1).force.y;
        b->n++;
    }
    for (int k = 0; k < 2; ++k) {
        const TmlStatus status =
            b->writer[k] != NULL ? tml_writer_row(b->writer[k], sim, err) : TML_OK;
        if (status != TML_OK) {
            return status;
        }
    }
    return TML_OK;
}

/* Runs with one or two files open and closes them. */
static void bench_run(TestCtx *t, Bench *b, const char *first, const char *second)
{
    TmlError err = {0};
    const char *const path[2] = {first, second};
    for (int k = 0; k < 2 && path[k] != NULL; ++k) {
        CHECK_OK(t, tml_writer_open(path[k], b->sim, &b->writer[k], &err), &err);
    }
    CHECK_OK(t, tml_sim_run(b->sim, bench_row, b, &err), &err);
    for (int k = 0; k < 2; ++k) {
        CHECK_OK(t, tml_writer_close(b->writer[k], b->sim, &err), &err);
        b->writer[k] = NULL;
    }
}

static char *read_text(const char *path)
{
    char *text = calloc(1, TEXT_MAX);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        const size_t n = fread(text, 1, TEXT_MAX - 1, file);
        text[n] = '\0';
        fclose(file);
    }
    return text;
}

/* --- CSV ----------------------------------------------------------------------------------- */

TEST(csv_reads_back_to_the_same_bits)
{
    Bench *b = bench_open(t, 2.0);
    bench_run(t, b, bench_path(b, "a.csv"), NULL);
    char *text = read_text(bench_path(b, "a.csv"));
    char header[256], number[TML_NUMBER_MAX];
    snprintf(header, sizeof header, "time,%s,", tml_row_channel_name(b->sim, 0));
    CHECK(t, strncmp(text, header, strlen(header)) == 0);

    const char *line = strchr(text, '\n');
    int rows = 0;
    for (; line != NULL && line[1] != '\0'; line = strchr(line + 1, '\n'), ++rows) {
        char *end = NULL;
        CHECK(t, strtod(line + 1, &end) == b->time[rows]);
        CHECK(t, *end == ',' && strtod(end + 1, NULL) == b->channel[rows]);
    }
    CHECK_INT(t, rows, b->n);
    CHECK_INT(t, rows, 201); // 2 s by 0.01 s, both ends
    CHECK_STR(t, tml_number_text(0.1, number), "0.10000000000000001");
    CHECK_STR(t, tml_number_text((double)NAN, number), "nan");
    CHECK_STR(t, tml_number_text((double)-INFINITY, number), "-inf");
    free(text);
    bench_close(b);
}

/* --- HDF5 ---------------------------------------------------------------------------------- */

/* Reads a whole dataset of doubles; returns the number of rows, -1: failed. */
static int h5_read(hid_t file, const char *path, double *out, size_t max)
{
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0) {
        return -1;
    }
    hsize_t dim[TML_H5_RANK_MAX] = {0};
    const hid_t space = H5Dget_space(set);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    H5Sget_simple_extent_dims(space, dim, NULL);
    const bool ok = n >= 0 && (size_t)n <= max &&
                    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    H5Sclose(space);
    H5Dclose(set);
    return ok ? (int)dim[0] : -1;
}

static void h5_attr(hid_t file, const char *path, const char *name, char *out, size_t size)
{
    memset(out, 0, size);
    const hid_t attr = H5Aopen_by_name(file, path, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attr < 0) {
        return;
    }
    const hid_t type = H5Aget_type(attr);
    if (H5Tget_size(type) * (size_t)H5Sget_simple_extent_npoints(H5Aget_space(attr)) < size) {
        H5Aread(attr, type, out);
    }
    H5Tclose(type);
    H5Aclose(attr);
}

TEST(hdf5_holds_every_row)
{
    enum { WIDE = 12 * ROWS_MAX };
    Bench *b = bench_open(t, 2.0);
    bench_run(t, b, bench_path(b, "a.h5"), NULL);
    const hid_t file = H5Fopen(bench_path(b, "a.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(t, file >= 0);
    double *v = calloc(WIDE, sizeof *v);
    char channel[256];
    snprintf(channel, sizeof channel, "channels/%s", tml_row_channel_name(b->sim, 0));

    CHECK_INT(t, h5_read(file, "time", v, WIDE), b->n);
    CHECK(t, memcmp(v, b->time, (size_t)b->n * sizeof *v) == 0);
    CHECK_INT(t, h5_read(file, channel, v, WIDE), b->n);
    CHECK(t, memcmp(v, b->channel, (size_t)b->n * sizeof *v) == 0);
    CHECK_INT(t, h5_read(file, "bodies/rod1/position", v, WIDE), b->n);
    for (int k = 0; k < b->n; ++k) {
        CHECK(t, v[3 * k] == b->position[k]);
    }
    CHECK_INT(t, h5_read(file, "joints/pin2/reaction", v, WIDE), b->n);
    for (int k = 0; k < b->n; ++k) {
        CHECK(t, v[12 * k + 1] == b->reaction[k]);
    }
    CHECK_INT(t, h5_read(file, "certificate/energy", v, WIDE), b->n);
    const TmlAttemptRow *attempts;
    CHECK_INT(t, h5_read(file, "solver/h", v, WIDE), tml_sim_attempts(b->sim, &attempts));
    free(v);
    H5Fclose(file);
    bench_close(b);
}

TEST(hdf5_says_what_it_is)
{
    Bench *b = bench_open(t, 0.1);
    bench_run(t, b, bench_path(b, "a.h5"), NULL);
    const hid_t file = H5Fopen(bench_path(b, "a.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    char text[4096], *status = NULL;
    TmlError err = {0};
    h5_attr(file, "/", "trammel", text, sizeof text);
    CHECK_STR(t, text, TML_VERSION);
    h5_attr(file, "/", "model", text, sizeof text);
    CHECK_STR(t, text, model_text);
    h5_attr(file, "/", "units", text, sizeof text);
    CHECK_HAS(t, text, "quaternion");
    h5_attr(file, "/bodies/rod1/position", "unit", text, sizeof text);
    CHECK_STR(t, text, "m");
    h5_attr(file, "/bodies/rod1/orientation", "columns", text, sizeof text);
    CHECK_STR(t, text, "wxyz");
    CHECK_OK(t, tml_h5_cell_read(file, "status", &status, &err), &err);
    CHECK_STR(t, status, "done");
    tml_text_free(status);
    CHECK_OK(t, tml_h5_cell_read(file, "statistics", &status, &err), &err);
    CHECK_HAS(t, status, "\"steps\":");
    CHECK_HAS(t, status, "\"seconds_total\":");
    tml_text_free(status);
    CHECK_OK(t, tml_h5_cell_read(file, "scene", &status, &err), &err);
    CHECK_HAS(t, status, "{\"name\":\"rod1\",\"shapes\":[{");
    tml_text_free(status);
    H5Fclose(file);
    bench_close(b);
}

TEST(hdf5_keeps_the_message_of_a_failed_run)
{
    Bench *b = bench_open(t, 0.1);
    TmlError err = {0};
    TmlWriter *w = NULL;
    char *status = NULL;
    CHECK_OK(t, tml_writer_open(bench_path(b, "a.h5"), b->sim, &w, &err), &err);
    tml_writer_status(w, TML_E_STEP, "stuck at t = 0.5 s");
    CHECK_OK(t, tml_writer_close(w, b->sim, &err), &err);
    const hid_t file = H5Fopen(bench_path(b, "a.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK_OK(t, tml_h5_cell_read(file, "status", &status, &err), &err);
    CHECK_STR(t, status, "stuck at t = 0.5 s");
    tml_text_free(status);
    H5Fclose(file);
    bench_close(b);
}

/* More than 500 of a kind share datasets; names and order are kept. */
TEST(hdf5_packs_large_models)
{
    enum { BODIES = 501, ROWS = 3, WIDE = ROWS * BODIES * 3 };
    Bench *b = bench_open_text(t,
                               "trammel: 1\n"
                               "gravity: [0, -10, 0]\n"
                               "bodies:\n"
                               "  for i in 1..501:\n"
                               "    \"p{i}\": {type: point, mass: 1, position: [i, 0, 0]}\n"
                               "simulate: {end: 0.2, output_step: 0.1}\n",
                               0.2);
    bench_run(t, b, bench_path(b, "a.h5"), NULL);
    const hid_t file = H5Fopen(bench_path(b, "a.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    double *v = calloc(WIDE, sizeof *v);
    CHECK_INT(t, h5_read(file, "bodies_packed/position", v, WIDE), ROWS);
    for (int k = 0; k < BODIES; ++k) {
        CHECK_NEAR(t, v[3 * (BODIES + k)], 1.0 + k, 1e-12); // still; rounding of 500
    }
    char names[BODIES][4] = {{0}};
    const hid_t set = H5Dopen2(file, "bodies_packed/names", H5P_DEFAULT);
    const hid_t type = H5Dget_type(set);
    CHECK_INT(t, H5Tget_size(type), sizeof names[0]);
    CHECK(t, H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names) >= 0);
    CHECK(t, memcmp(names[0], "p1\0", 4) == 0);
    CHECK(t, memcmp(names[BODIES - 1], "p501", 4) == 0);
    H5Tclose(type);
    H5Dclose(set);
    CHECK_INT(t, H5Lexists(file, "bodies", H5P_DEFAULT), 0);
    free(v);
    H5Fclose(file);
    bench_close(b);
}

TEST(names_are_safe_links)
{
    static const char *const pairs[][2] = {
        {"rod1", "rod1"}, {"a.b", "a.b"}, {"a/b", "a%2Fb"},  {"100%", "100%25"},
        {".", "%2E"},     {"..", "%2E."}, {"a\nb", "a%0Ab"}, {"Rührer", "Rührer"}};
    char out[TML_H5_NAME_MAX];
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; ++k) {
        CHECK_STR(t, tml_h5_safe_name(pairs[k][0], out), pairs[k][1]);
    }
}

/* --- killed runs --------------------------------------------------------------------------- */

/* Rows without end into a file, until killed. */
static void write_forever(Bench *b)
{
    TmlError err = {0};
    TmlStatus status = tml_writer_open(bench_path(b, "a.h5"), b->sim, &b->writer[0], &err);
    if (status == TML_OK) {
        status = tml_sim_run(b->sim, bench_row, b, &err);
    }
    while (status == TML_OK) {
        status = tml_writer_row(b->writer[0], b->sim, &err);
    }
    _exit(1);
}

/* Rows of /time, all of which must be in the other datasets too. */
static int whole_rows(TestCtx *t, hid_t file)
{
    static const char *const others[] = {"bodies/rod2/velocity", "joints/pin1/reaction",
                                         "certificate/phi", "channels/theta1"};
    enum { MANY = 40000000 };
    double *v = malloc((size_t)MANY * sizeof *v);
    const int rows = h5_read(file, "time", v, MANY);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k) {
        CHECK(t, h5_read(file, others[k], v, MANY) >= rows);
    }
    free(v);
    return rows;
}

/* One child, killed after some time; its file is read as it is, repaired, and read plainly. */
static void kill_once(TestCtx *t, Bench *b, double seconds)
{
    const char *path = bench_path(b, "a.h5");
    unlink(path);
    const pid_t child = fork();
    if (child == 0) {
        write_forever(b);
    }
    struct stat info;
    for (int k = 0; k < 2000 && stat(path, &info) != 0; ++k) {
        usleep(1000); // slow machines: the file appears when it is complete
    }
    usleep((useconds_t)(1e6 * seconds));
    kill(child, SIGKILL);
    int how = 0;
    waitpid(child, &how, 0);
    CHECK(t, WIFSIGNALED(how));

    TmlError err = {0};
    char *report = NULL;
    TmlResultFile killed;
    CHECK_OK(t, tml_result_open(path, &killed, &err), &err);
    CHECK_INT(t, killed.state, TML_RESULT_KILLED);
    const int rows = killed.file >= 0 ? whole_rows(t, killed.file) : -1;
    CHECK(t, rows >= 0);
    tml_result_close(&killed);
    CHECK_OK(t, tml_repair(path, &report, &err), &err);
    CHECK_HAS(t, report, "killed");
    tml_text_free(report);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(t, file >= 0);
    CHECK_INT(t, file >= 0 ? whole_rows(t, file) : -1, rows);
    H5Fclose(file);
}

TEST(killed_runs_can_be_read_and_repaired)
{
    Bench *b = bench_open(t, 2.0);
    for (int k = 0; k < 6; ++k) {
        kill_once(t, b, test_random(t, 0.0, 0.1));
    }
    bench_close(b);
}

TEST(repair_leaves_others_alone)
{
    Bench *b = bench_open(t, 0.1);
    TmlError err = {0};
    TmlWriter *w = NULL;
    char *report = NULL;

    // being written
    CHECK_OK(t, tml_writer_open(bench_path(b, "a.h5"), b->sim, &w, &err), &err);
    CHECK_INT(t, tml_repair(bench_path(b, "a.h5"), &report, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "is being written");
    CHECK(t, report == NULL);

    // finished: only told
    CHECK_OK(t, tml_writer_close(w, b->sim, &err), &err);
    CHECK_OK(t, tml_repair(bench_path(b, "a.h5"), &report, &err), &err);
    CHECK_HAS(t, report, "had ended: done");
    tml_text_free(report);

    // no HDF5 file, no file
    FILE *file = fopen(bench_path(b, "a.csv"), "w");
    fputs("time\n", file);
    fclose(file);
    CHECK_INT(t, tml_repair(bench_path(b, "a.csv"), &report, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "is not an HDF5 file");
    CHECK_INT(t, tml_repair(bench_path(b, "none.h5"), &report, &err), TML_E_IO);
    CHECK_HAS(t, err.message, strerror(ENOENT));
    bench_close(b);
}

/* --- failures ------------------------------------------------------------------------------ */

TEST(files_that_cannot_be_made_are_errors)
{
    Bench *b = bench_open(t, 0.1);
    TmlError err = {0};
    TmlWriter *w = NULL;
    CHECK_INT(t, tml_writer_open("results.txt", b->sim, &w, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, ".h5, .hdf5 or .csv");
    CHECK(t, w == NULL);
    static const char *const names[] = {"none/a.h5", "none/a.csv"};
    for (int k = 0; k < 2; ++k) {
        CHECK_INT(t, tml_writer_open(bench_path(b, names[k]), b->sim, &w, &err), TML_E_IO);
        CHECK_HAS(t, err.message, names[k]);
        CHECK_HAS(t, err.message, strerror(ENOENT));
        CHECK(t, w == NULL);
    }
    const char *json = bench_path(b, "none/a.json");
    CHECK_INT(t, tml_write_summary(json, b->model, b->sim, TML_OK, NULL, &err), TML_E_IO);
    bench_close(b);
}

typedef struct Failing {
    int left; // allocations until none succeeds
} Failing;

static void *failing_resize(void *user, void *p, size_t size)
{
    Failing *f = user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return f->left-- > 0 ? realloc(p, size) : NULL;
}

/* Each allocation fails in turn: a status, no crash, nothing left behind. */
TEST(out_of_memory_is_reported)
{
    Bench *b = bench_open(t, 0.1);
    static const char *const names[] = {"a.h5", "a.csv", "a.json"};
    for (int kind = 0; kind < 3; ++kind) {
        TmlStatus status = TML_E_NOMEM;
        for (int k = 0; k < 10000 && status != TML_OK; ++k) {
            Failing failing = {k};
            const TmlAllocator allocator = {&failing, failing_resize};
            TmlError err = {0};
            TmlWriter *w = NULL;
            const char *path = bench_path(b, names[kind]);
            tml_set_allocator(&allocator);
            status = kind < 2 ? tml_writer_open(path, b->sim, &w, &err)
                              : tml_write_summary(path, b->model, b->sim, TML_OK, NULL, &err);
            tml_set_allocator(NULL);
            CHECK(t, status == TML_OK || status == TML_E_NOMEM);
            CHECK_OK(t, tml_writer_close(w, b->sim, &err), &err);
        }
        CHECK_INT(t, status, TML_OK);
    }
    bench_close(b);
}

/* --- JSON, summary, description ------------------------------------------------------------ */

TEST(json_is_json)
{
    TmlError err = {0};
    TmlTextBuf text = {0};
    TmlJson j = {.text = &text};
    char *out = NULL;
    tml_json_open(&j, NULL, '{');
    tml_json_string(&j, "a\"b", "line\nend\t\\");
    tml_json_number(&j, "x", 0.5);
    tml_json_number(&j, "nan", (double)NAN);
    tml_json_bool(&j, "yes", true);
    tml_json_open(&j, "list", '[');
    tml_json_int(&j, NULL, -3);
    tml_json_string(&j, NULL, NULL);
    tml_json_close(&j);
    tml_json_open(&j, "empty", '{');
    tml_json_close(&j);
    tml_json_close(&j);
    CHECK_OK(t, tml_textbuf_take(&text, &out, &err), &err);
    CHECK_STR(t, out,
              "{\n  \"a\\\"b\": \"line\\nend\\u0009\\\\\",\n  \"x\": 0.5,\n  \"nan\": null,\n"
              "  \"yes\": true,\n  \"list\": [\n    -3,\n    null\n  ],\n  \"empty\": {}\n}\n");
    tml_text_free(out);
}

TEST(summary_tells_how_it_ended)
{
    Bench *b = bench_open(t, 0.1);
    TmlError err = {0};
    const char *path = bench_path(b, "a.json");
    bench_run(t, b, NULL, NULL);
    CHECK_OK(t, tml_write_summary(path, b->model, b->sim, TML_OK, "", &err), &err);
    char *text = read_text(path);
    CHECK_HAS(t, text, "\"status\": \"TML_OK\"");
    CHECK_HAS(t, text, "\"message\": \"done\"");
    CHECK_HAS(t, text, "\"steps\": ");
    CHECK_HAS(t, text, "\"max_phi_ddot\": ");
    CHECK_HAS(t, text, "\"energy_error\": ");
    free(text);

    // a model that could not be read has no sim, and maybe no model
    CHECK_OK(t, tml_write_summary(path, NULL, NULL, TML_E_MODEL, "a.yaml:1:1: no", &err), &err);
    text = read_text(path);
    CHECK_HAS(t, text, "\"exit\": 2");
    CHECK_HAS(t, text, "\"message\": \"a.yaml:1:1: no\"");
    free(text);
    bench_close(b);
}

TEST(description_counts_motions)
{
    Bench *b = bench_open(t, 0.1);
    TmlError err = {0};
    char *text = NULL;
    CHECK_OK(t, tml_describe(b->model, b->sim, &text, &err), &err);
    CHECK_HAS(t, text, "bodies: 2\n");
    CHECK_HAS(t, text, "pin2  revolute  5 rows  rod1 - rod2\n");
    CHECK_HAS(t, text, "12 motions of bodies - 10 rows of joints = 2\n");
    CHECK_HAS(t, text, "degrees of freedom: 2 (no row is redundant)\n");
    tml_text_free(text);
    CHECK_OK(t, tml_describe(b->model, NULL, &text, &err), &err); // before assembly
    CHECK_HAS(t, text, "= 2\n");
    tml_text_free(text);
    bench_close(b);
}

TEST_SUITE(io_results) = {
    CASE(csv_reads_back_to_the_same_bits),
    CASE(hdf5_holds_every_row),
    CASE(hdf5_says_what_it_is),
    CASE(hdf5_keeps_the_message_of_a_failed_run),
    CASE(hdf5_packs_large_models),
    CASE(names_are_safe_links),
    CASE(killed_runs_can_be_read_and_repaired),
    CASE(repair_leaves_others_alone),
    CASE(files_that_cannot_be_made_are_errors),
    CASE(out_of_memory_is_reported),
    CASE(json_is_json),
    CASE(summary_tells_how_it_ended),
    CASE(description_counts_motions),
    {0},
};
