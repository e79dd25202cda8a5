/* tests/io/test_hostile_results.c - result files that a stranger has changed: what SECURITY.md says
 * of them.
 *
 * A file of a run is changed by HDF5 itself, in ways that HDF5 allows and that files of ours never
 * have. Both ways in are tried: the reader that all commands share, and the repair, which writes. A
 * name begins with the number of its sentence.
 */
#include "test.h"

#include "io/read/results_read.h"
#include "io/results/hdf5_file.h"
#include "trammel/trammel.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

static const char text[] = "trammel: 1\n"
                           "bodies: {p: {type: point, mass: 1, position: [5, 6, 7]}}\n"
                           "outputs: {height: DY(p)}\n"
                           "simulate: {end: 0.5, output_step: 0.1}\n";

typedef struct Bench {
    char results[PATH_SIZE],
        other[PATH_SIZE]; // the file of a run, and one that is none of its business
    hid_t file;           // the first, open to change it
} Bench;

static TmlStatus write_row(void *writer, const TmlSim *sim, TmlError *err)
{
    return tml_writer_row(writer, sim, err);
}

static void write_results(TestCtx *t, const char *path)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlWriter *writer = NULL;
    CHECK_OK(t, tml_load_text(text, "model.yaml", 0, NULL, NULL, &model, &err), &err);
    CHECK_OK(t, tml_sim_create(model, NULL, &sim, &err), &err);
    CHECK_OK(t, tml_writer_open(path, sim, &writer, &err), &err);
    CHECK_OK(t, tml_sim_run(sim, write_row, writer, &err), &err);
    CHECK_OK(t, tml_writer_close(writer, sim, &err), &err);
    tml_sim_free(sim);
    tml_model_free(model);
}

static void temporary(TestCtx *t, char *path, const char *ending)
{
    snprintf(path, PATH_SIZE, "%s/hostile-XXXXXX%s", TRAMMEL_BINARY_DIR, ending);
    const int fd = mkstemps(path, (int)strlen(ending));
    CHECK(t, fd >= 0);
    close(fd);
}

static Bench bench_open(TestCtx *t)
{
    Bench b = {0};
    temporary(t, b.results, ".h5");
    temporary(t, b.other, ".txt");
    write_results(t, b.results);
    FILE *other = fopen(b.other, "w");
    fputs("running\n-- a private file --", other);
    fclose(other);
    b.file = H5Fopen(b.results, H5F_ACC_RDWR, H5P_DEFAULT);
    CHECK(t, b.file >= 0);
    return b;
}

/* Reader and repair refuse with these words, and the other file is as it was. */
static void refused(TestCtx *t, Bench *b, const char *why)
{
    TmlError err = {0};
    TmlResultFile f;
    char *told = NULL, line[64] = "";
    H5Fclose(b->file);
    CHECK_INT(t, tml_result_open(b->results, &f, &err), TML_E_IO);
    tml_result_close(&f);
    CHECK_HAS(t, err.message, why);
    err = (TmlError){0};
    CHECK_INT(t, tml_repair(b->results, &told, &err), TML_E_IO);
    CHECK_HAS(t, err.message, why);
    struct stat info;
    if (stat(b->other, &info) == 0 && S_ISREG(info.st_mode)) {
        FILE *other = fopen(b->other, "r");
        CHECK(t, other != NULL && fgets(line, sizeof line, other) != NULL);
        CHECK_STR(t, line, "running\n");
        fclose(other);
    }
    tml_text_free(told);
    unlink(b->results);
    unlink(b->other);
}

/* A dataset of numbers with these properties in place of the channel. */
static void replace(TestCtx *t, const Bench *b, const char *name, hid_t type, hid_t space,
                    hid_t create)
{
    H5Ldelete(b->file, name, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(b->file, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    CHECK(t, set >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(create);
}

TEST(s20_no_link_leads_to_another_file)
{
    Bench b = bench_open(t);
    H5Ldelete(b.file, "channels/height", H5P_DEFAULT);
    CHECK(t, H5Lcreate_external(b.other, "/", b.file, "channels/height", H5P_DEFAULT,
                                H5P_DEFAULT) >= 0);
    refused(t, &b, "'/channels/height' is a link to somewhere else");
    b = bench_open(t);
    H5Ldelete(b.file, "channels", H5P_DEFAULT);
    CHECK(t, H5Lcreate_soft("/bodies", b.file, "channels", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    refused(t, &b, "'/channels' is a link to somewhere else");
}

TEST(s20_no_values_come_from_another_file)
{
    const hsize_t n = 1;
    Bench b = bench_open(t);
    const hid_t cell = H5Tcopy(H5T_C_S1);
    H5Tset_size(cell, 32);
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(create, b.other, 0, 32);
    replace(t, &b, "status", cell, H5Screate_simple(1, &n, NULL),
            create); // repair would write there
    refused(t, &b, "'/status' has its values in another file");
    H5Tclose(cell);

    b = bench_open(t); // a pipe: who asks for it waits for ever
    unlink(b.other);
    CHECK(t, mkfifo(b.other, 0600) == 0);
    create = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t none = 0, most = H5S_UNLIMITED;
    const hid_t from = H5Screate_simple(1, &none, &most), space = H5Screate_simple(1, &none, &most);
    hsize_t start = 0, stride = 1, count = H5S_UNLIMITED, block = 1;
    H5Sselect_hyperslab(from, H5S_SELECT_SET, &start, &stride, &count, &block);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, &block);
    CHECK(t, H5Pset_virtual(create, space, b.other, "x", from) >= 0);
    H5Sclose(from);
    alarm(60); // a hang ends the tests
    replace(t, &b, "channels/height", H5T_NATIVE_DOUBLE, space, create);
    refused(t, &b, "'/channels/height' has its values in another file");
    alarm(0);
}

TEST(s22_a_group_in_itself_ends)
{
    Bench b = bench_open(t);
    CHECK(t, H5Lcreate_hard(b.file, "/bodies", b.file, "/bodies/again", H5P_DEFAULT, H5P_DEFAULT) >=
                 0);
    const hid_t group = H5Oopen(b.file, "/bodies", H5P_DEFAULT);
    H5Odecr_refcount(group); // the library believes that there is one way in, and goes round
    H5Oclose(group);
    alarm(60); // a hang ends the tests
    refused(t, &b, "lies in a group that lies in itself");
    alarm(0);
}

TEST(s21_no_library_is_loaded_for_a_filter)
{
    const hsize_t n = 6;
    Bench b = bench_open(t);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, &n);
    // LZ4, which HDF5 would look for among its plugins
    CHECK(t, H5Pset_filter(create, 32004, H5Z_FLAG_OPTIONAL, 0, NULL) >= 0);
    replace(t, &b, "channels/height", H5T_NATIVE_DOUBLE, H5Screate_simple(1, &n, NULL), create);
    refused(t, &b, "'/channels/height' needs a filter that is not part of HDF5");
}

TEST(s22_claims_without_rows_count)
{
    const hsize_t n[3] = {0, 1 << 20, 1 << 20}, most[3] = {H5S_UNLIMITED, 1 << 20, 1 << 20},
                  chunk[3] = {1, 1, 1};
    Bench b = bench_open(t);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 3, chunk);
    replace(t, &b, "channels/height", H5T_NATIVE_DOUBLE, H5Screate_simple(3, n, most), create);
    refused(t, &b, "'/channels/height' claims more values than a file of this size can hold");
}

TEST(s22_claims_of_a_file_follow_from_its_size)
{
    const hsize_t many = 1000000000000, limit = H5S_UNLIMITED, chunk = 1000, long_chunk = 1 << 28;
    for (int k = 0; k < 2; ++k) {
        Bench b = bench_open(t);
        const hsize_t n = k == 0 ? many : 6;
        const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(create, 1, k == 0 ? &chunk : &long_chunk); // 2 GB are read for one value
        H5Pset_deflate(create, 9);
        replace(t, &b, k == 0 ? "time" : "channels/height", H5T_NATIVE_DOUBLE,
                H5Screate_simple(1, &n, &limit), create);
        refused(t, &b, "claims more values than a file of this size can hold");
    }
}

/* Damage ends the search: what lies behind it must not be read unseen. */
TEST(s23_what_cannot_be_looked_at_is_not_read)
{
    Bench b = bench_open(t);
    const hid_t group = H5Gcreate2(b.file, "aaa", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5O_info_t info;
    H5Oget_info(group, &info);
    H5Gclose(group);
    H5Fclose(b.file);
    FILE *raw = fopen(b.results, "r+");
    CHECK(t, raw != NULL && fseek(raw, (long)info.addr, SEEK_SET) == 0);
    fputs("damage over the header of the group", raw);
    fclose(raw);
    TmlError err = {0};
    TmlResultFile f;
    CHECK_INT(t, tml_result_open(b.results, &f, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "damaged: its groups cannot be read");
    tml_result_close(&f);
    unlink(b.results);
    unlink(b.other);
}

/* The checks must not be why they fail: the file as it was opens. */
TEST(files_of_ours_pass)
{
    Bench b = bench_open(t);
    H5Lcreate_hard(b.file, "/", b.file, "again", H5P_DEFAULT, H5P_DEFAULT); // a circle has an end
    H5Fclose(b.file);
    TmlError err = {0};
    TmlResultFile f;
    char *told = NULL;
    CHECK_OK(t, tml_result_open(b.results, &f, &err), &err);
    CHECK_INT(t, f.rows, 6);
    tml_result_close(&f);
    CHECK_OK(t, tml_repair(b.results, &told, &err), &err);
    tml_text_free(told);
    unlink(b.results);
    unlink(b.other);
}

TEST_SUITE(io_hostile_results) = {CASE(files_of_ours_pass),
                                  CASE(s20_no_link_leads_to_another_file),
                                  CASE(s20_no_values_come_from_another_file),
                                  CASE(s22_a_group_in_itself_ends),
                                  CASE(s21_no_library_is_loaded_for_a_filter),
                                  CASE(s22_claims_without_rows_count),
                                  CASE(s22_claims_of_a_file_follow_from_its_size),
                                  CASE(s23_what_cannot_be_looked_at_is_not_read),
                                  {0}};
