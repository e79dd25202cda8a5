/* tests/io/test_part_file.c - parts are read as they were written, and damage is told. */
#include "../reduce/reduce_util.h"
#include "io/part/part_file.h"

#include "math/vec3.h"

#include <unistd.h>

static void small_part(TestCtx *t, TmlArena *arena, TmlPart *part)
{
    TmlFeMatrices fe;
    TmlError err = {0};
    truss_block(t, 5, 2, 2, 0.1, v3(0.3, -0.2, 0.1), &fe);
    const TmlInterface ends[2] = {
        face(arena, &fe, "left", TML_TIE_RIGID, 0.3, v3(0.3, -0.15, 0.15)),
        face(arena, &fe, "right", TML_TIE_AVERAGE, 0.7, v3(0.7, -0.15, 0.15))};
    const double ratio = 0.02;
    const TmlKeptNode kept = {"tip", 4};
    const TmlReduceOptions o = {.name = "block",
                                .n_interfaces = 2,
                                .interface = ends,
                                .reduction = {.count = 5, .hertz = (double)INFINITY},
                                .frame = -1,
                                .damping = {.n = 1, .ratio = &ratio},
                                .n_kept = 1,
                                .kept = &kept};
    CHECK_OK(t, tml_reduce(&fe, &o, arena, part, NULL, &err), &err);
    tml_arena_free(&fe.arena);
}

static void check_array(TestCtx *t, const void *a, const void *b, size_t size)
{
    CHECK(t, (a == NULL) == (b == NULL));
    CHECK(t, a == NULL || b == NULL || memcmp(a, b, size) == 0);
}

static const char *scratch_file(void)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/part-test-%d.h5", TRAMMEL_BINARY_DIR, (int)getpid());
    return path;
}

TEST(is_read_as_written)
{
    TmlArena arena = {0};
    TmlPart a, b = {0};
    TmlError err = {0};
    small_part(t, &arena, &a);
    // load cases, stresses and a surface, which the reduction of bare matrices does not make
    double *K = tml_arena_alloc(&arena, 6 * (size_t)(a.m * a.m), sizeof *K);
    float *stress = tml_arena_alloc(&arena, 6 * (size_t)(a.n_nodes * a.m), sizeof *stress);
    static const int32_t corner[6] = {0, 1, 5, 1, 6, 5};
    double *forces = tml_arena_alloc(&arena, (size_t)a.m, sizeof *forces);
    const TmlPartStiffening load[2] = {{"weight", K, forces}, {"pull", K, forces}};
    forces[2] = -1.5;
    K[1] = 3.5;
    stress[7] = -2.0f;
    a.centrifugal = K;
    a.stress = stress;
    a.n_stiffening = 2;
    a.stiffening = load;
    a.n_triangles = 2;
    a.corner = corner;
    const size_t m = (size_t)a.m;
    CHECK_OK(t, tml_part_save(scratch_file(), &a, &err), &err);
    CHECK_OK(t, tml_part_load(scratch_file(), &arena, &b, &err), &err);
    CHECK_STR(t, b.name, "block");
    CHECK_INT(t, b.m, 6 + 5);
    CHECK_INT(t, b.n_frames, 3);
    CHECK(t,
          a.mass == b.mass && a.size == b.size && a.origin.y == b.origin.y && b.axes.cy.y == 1.0);
    check_array(t, a.P, b.P, 3 * (m + 1) * sizeof(double));
    check_array(t, a.G, b.G, 9 * (m + 1) * (m + 1) * sizeof(double));
    check_array(t, a.rest_J, b.rest_J, 9 * sizeof(double));
    check_array(t, a.K, b.K, m * m * sizeof(double));
    check_array(t, a.D, b.D, m * m * sizeof(double));
    check_array(t, a.hertz, b.hertz, m * sizeof(double));
    check_array(t, a.largest, b.largest, m * sizeof(double));
    check_array(t, a.turning, b.turning, m * sizeof(double));
    check_array(t, a.centrifugal, b.centrifugal, 6 * m * m * sizeof(double));
    check_array(t, a.stress, b.stress, 6 * m * (size_t)a.n_nodes * sizeof(float));
    check_array(t, a.shape, b.shape, 3 * m * (size_t)a.n_nodes * sizeof(float));
    check_array(t, a.id, b.id, (size_t)a.n_nodes * sizeof(int64_t));
    check_array(t, a.corner, b.corner, sizeof corner);
    check_array(t, a.fixed, b.fixed, (size_t)a.n_fixed * sizeof(double));
    for (int f = 0; f < a.n_frames && f < b.n_frames; ++f) {
        CHECK_STR(t, b.frame[f].name, a.frame[f].name);
        CHECK_INT(t, b.frame[f].turns, a.frame[f].turns);
        check_array(t, a.frame[f].phi, b.frame[f].phi, 3 * m * sizeof(double));
        check_array(t, a.frame[f].psi, b.frame[f].psi, 3 * m * sizeof(double));
        CHECK(t, a.frame[f].x.z == b.frame[f].x.z);
    }
    CHECK_INT(t, b.n_stiffening, 2);
    CHECK_STR(t, b.stiffening[1].name, "pull");
    CHECK(t, b.stiffening[1].K[1] == 3.5);
    CHECK(t, b.stiffening[1].load != NULL && b.stiffening[1].load[2] == -1.5);
    unlink(scratch_file());
    tml_arena_free(&arena);
}

/* Any byte of the numbers that changes, and any cut, is noticed; nothing is read as another part. */
TEST(damage_is_told)
{
    TmlArena arena = {0};
    TmlPart a;
    TmlError err = {0};
    small_part(t, &arena, &a);
    CHECK_OK(t, tml_part_save(scratch_file(), &a, &err), &err);
    FILE *f = fopen(scratch_file(), "rb");
    static unsigned char whole[1 << 20], bytes[1 << 20];
    const size_t size = fread(whole, 1, sizeof whole, f);
    fclose(f);
    CHECK(t, size > 1000 && size < sizeof whole);
    int taken = 0;
    for (size_t at = 0; at < size; at += size / 61 + 1) {
        TmlPart b;
        memcpy(bytes, whole, size);
        bytes[at] ^= 0x40;
        f = fopen(scratch_file(), "wb");
        fwrite(bytes, 1, size, f);
        fclose(f);
        if (tml_part_load(scratch_file(), &arena, &b, &err) == TML_OK) {
            // bytes between datasets carry nothing, and what was read is the part
            taken++;
            CHECK(t, b.m == a.m && b.mass == a.mass);
            check_array(t, a.G, b.G, 9 * (size_t)(a.m + 1) * (size_t)(a.m + 1) * sizeof(double));
            check_array(t, a.shape, b.shape, 3 * (size_t)(a.m * a.n_nodes) * sizeof(float));
        }
    }
    CHECK(t, taken < 20);
    for (size_t length = 0; length < size; length += size / 7 + 1) {
        TmlPart b;
        f = fopen(scratch_file(), "wb");
        fwrite(whole, 1, length, f);
        fclose(f);
        CHECK_INT(t, tml_part_load(scratch_file(), &arena, &b, &err), TML_E_IO);
    }
    unlink(scratch_file());
    TmlPart b;
    CHECK_INT(t, tml_part_load(scratch_file(), &arena, &b, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "cannot open");
    tml_arena_free(&arena);
}

TEST_SUITE(io_part_file) = {CASE(is_read_as_written), CASE(damage_is_told), {0}};
