/* tests/io/test_lying_results.c - sound HDF5 files of which parts have other shapes than a run gives
 * them: what they claim is refused, and nothing is read or written behind an end. */
#include "io/read/results_read.h"

#include "test.h"
#include "trammel/trammel.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

static const char rigid[] =
    "trammel: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {pin: {type: revolute, bodies: [ground, a], at: [0, 1, 0], axis: z}}\n"
    "outputs: {angle: {value: angle(pin), unit: rad}}\n"
    "simulate: {end: 0.02, output_step: 0.01, integrator: hht}\n";

static const char bent[] =
    "trammel: 1\n"
    "flexible:\n  c: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 1,\n"
    "    material: {E: 1e7, density: 1000}, section: {radius: 0.02}, start: {clamp: ground}}\n"
    "simulate: {end: 0.002, output_step: 0.001, integrator: hht}\n";

static TmlStatus put_row(void *user, const TmlSim *sim, TmlError *err)
{
    return tml_writer_row(user, sim, err);
}

/* A result file; its handle, for edits. */
static hid_t make(TestCtx *t, const char *text, char path[PATH_SIZE])
{
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlWriter *writer = NULL;
    TmlError err = {0};
    const TmlSimOptions o = tml_sim_options_default();
    snprintf(path, PATH_SIZE, "%s/lying-XXXXXX.h5", TRAMMEL_BINARY_DIR);
    const int fd = mkstemps(path, 3);
    CHECK(t, fd >= 0);
    close(fd);
    CHECK_OK(t, tml_load_text(text, "model.yaml", 0, NULL, NULL, &model, &err), &err);
    CHECK_OK(t, tml_sim_create(model, &o, &sim, &err), &err);
    CHECK_OK(t, tml_writer_open(path, sim, &writer, &err), &err);
    CHECK_OK(t, tml_sim_run(sim, put_row, writer, &err), &err);
    CHECK_OK(t, tml_writer_close(writer, sim, &err), &err);
    tml_sim_free(sim);
    tml_model_free(model);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    CHECK(t, file >= 0);
    return file;
}

/* All that reads results says that this file is none, or leaves out what cannot be. */
static void refused(TestCtx *t, hid_t file, const char *path, const char *part)
{
    TmlChannels *c = NULL;
    TmlError err = {0};
    char *text = NULL, html[PATH_SIZE + 8];
    H5Fclose(file);
    CHECK_INT(t, tml_channels_open(path, &c, &err), TML_E_IO);
    CHECK_HAS(t, err.message, part);
    CHECK_INT(t, tml_repair(path, &text, &err), TML_E_IO);
    tml_text_free(text);
    snprintf(html, sizeof html, "%s.html", path);
    CHECK(t, tml_report(path, html, NULL, &err) != TML_OK);
    CHECK_INT(t, (int)H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    unlink(html);
}

static void put_attribute(TestCtx *t, hid_t file, const char *object, const char *name, hsize_t n)
{
    double value[64] = {0};
    for (int k = 0; k < 64; ++k) {
        value[k] = 1e300;
    }
    H5Adelete_by_name(file, object, name, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &n, NULL);
    const hid_t attribute = H5Acreate_by_name(file, object, name, H5T_NATIVE_DOUBLE, space,
                                              H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(t, attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, value) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
}

/* A dataset in the place of another; how: of its creation. */
static void put_set(TestCtx *t, hid_t file, const char *name, hid_t type, int rank,
                    const hsize_t *dim, const hsize_t *most, hid_t how)
{
    const hid_t space = H5Screate_simple(rank, dim, most);
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    CHECK(t, set >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

static hid_t text_of(size_t size)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    return type;
}

/* Texts behind the first were written over memory of others. */
TEST(status_of_many_texts)
{
    char path[PATH_SIZE];
    const hid_t file = make(t, rigid, path), type = text_of(64);
    const hsize_t n = 4096;
    put_set(t, file, "status", type, 1, &n, NULL, H5P_DEFAULT);
    H5Tclose(type);
    refused(t, file, path, "status");
    unlink(path);
}

/* Numbers behind the first were written over the stack. */
TEST(numbers_that_are_lists)
{
    char path[PATH_SIZE], html[PATH_SIZE + 8];
    const hid_t file = make(t, bent, path);
    put_attribute(t, file, "flexible/c", "dim", 64);
    H5Fclose(file);
    TmlError err = {0};
    snprintf(html, sizeof html, "%s.html", path);
    const TmlStatus status = tml_report(path, html, NULL, &err);
    CHECK(t, status == TML_E_IO || status == TML_E_ARGUMENT); // the latter: no page was built
    int64_t rows;
    CHECK_INT(t, tml_export_vtk(path, TRAMMEL_BINARY_DIR "/lying-vtk", &rows, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "damaged");
    unlink(path);
}

/* A list of rows was asked for by one number where two were read. */
TEST(time_of_two_dimensions)
{
    char path[PATH_SIZE];
    const hid_t file = make(t, rigid, path);
    const hsize_t dim[2] = {3, 3};
    put_set(t, file, "time", H5T_NATIVE_DOUBLE, 2, dim, NULL, H5P_DEFAULT);
    refused(t, file, path, "no dataset /time");
    unlink(path);
}

/* Sizes whose product is no size. */
TEST(sizes_beyond_all)
{
    char path[PATH_SIZE];
    const hid_t file = make(t, bent, path);
    const hsize_t dim[3] = {(hsize_t)1 << 62, 4, 4};
    put_set(t, file, "flexible/c/weights", H5T_NATIVE_DOUBLE, 3, dim, NULL, H5P_DEFAULT);
    H5Fclose(file);
    TmlError err = {0};
    int64_t rows;
    CHECK_INT(t, tml_export_vtk(path, TRAMMEL_BINARY_DIR "/lying-vtk", &rows, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "claims more values than a file of this size can hold");
    unlink(path);
}

/* HDF5 looks for each chunk that is cut off. The file is large enough to be believed at first. */
TEST(rows_that_are_not_there)
{
    char path[PATH_SIZE], *text = NULL;
    const hid_t file = make(t, rigid, path), how = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t dim = (hsize_t)1 << 23, most = H5S_UNLIMITED, chunk = 16;
    H5Pset_chunk(how, 1, &chunk);
    put_set(t, file, "channels/angle", H5T_NATIVE_DOUBLE, 1, &dim, &most, how);
    H5Pclose(how);
    H5Fclose(file);
    TmlError err = {0};
    CHECK_INT(t, tml_repair(path, &text, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "damaged: 8388608 rows in 'channels', 3 in /time");
    unlink(path);
}

/* A first value: HDF5 does not look for chunks where there are none at all. */
static void put_first(TestCtx *t, hid_t file, const char *name)
{
    const hsize_t start = 0, one = 1;
    const double zero = 0.0;
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    const hid_t memory = H5Screate_simple(1, &one, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &one, NULL);
    CHECK(t, H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &zero) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
}

static long peak_memory(void) // MB
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

/* Rows in a chunk each: HDF5 takes 3.7 kB for each chunk of a call. */
TEST(rows_in_small_pieces)
{
    char path[PATH_SIZE];
    const hid_t file = make(t, rigid, path), how = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t dim = (hsize_t)1 << 18, most = H5S_UNLIMITED, chunk = 1;
    H5Pset_chunk(how, 1, &chunk);
    put_set(t, file, "time", H5T_NATIVE_DOUBLE, 1, &dim, &most, how);
    H5Pclose(how);
    put_first(t, file, "time");
    H5Fclose(file);
    TmlError err = {0};
    TmlResultFile f;
    const long before = peak_memory();
    CHECK_OK(t, tml_result_open(path, &f, &err), &err); // zeros do not go back
    CHECK_INT(t, (int)f.rows, 1 << 18);
    tml_result_close(&f);
    CHECK(t, peak_memory() - before < 300); // 970 MB in one call, 4 MB hold the values
    unlink(path);
}

TEST_SUITE(io_lying_results) = {CASE(status_of_many_texts),
                                CASE(numbers_that_are_lists),
                                CASE(time_of_two_dimensions),
                                CASE(sizes_beyond_all),
                                CASE(rows_that_are_not_there),
                                CASE(rows_in_small_pieces),
                                {0}};
