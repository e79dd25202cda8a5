/* tests/fuzz/results_base.c - result files of small models, and what is in them. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char rigid[] =
    "trammel: 1\ntitle: two bodies\ngravity: [0, -9.81, 0]\n"
    "bodies:\n  a: {mass: 1, inertia: [1, 1, 1], shape: {box: {size: [1, 2, 3]}}}\n"
    "  b: {type: point, mass: 1, position: [1, 0, 0]}\n"
    "joints: {pin: {type: revolute, bodies: [ground, a], at: [0, 1, 0], axis: z}}\n"
    "forces: {s: {type: spring, frames: [a, b], stiffness: 10, free_length: 1}}\n"
    "outputs: {angle: {value: angle(pin), unit: rad}}\n"
    "simulate: {end: 0.02, output_step: 0.01, integrator: hht}\n";

static const char bent[] =
    "trammel: 1\ngravity: [0, 0, -9.81]\n"
    "flexible:\n  c: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 1,\n"
    "    material: {E: 1e7, density: 1000}, section: {radius: 0.02}, start: {clamp: ground}}\n"
    "outputs: {tip: {value: DZ(c.end), unit: m}}\n"
    "simulate: {end: 0.002, output_step: 0.001, integrator: hht}\n";

static void must(TmlStatus status, const TmlError *err)
{
    if (status != TML_OK) {
        fuzz_wrong("a model of the fuzzer fails", err->message);
    }
}

static TmlStatus put_row(void *user, const TmlSim *sim, TmlError *err)
{
    return tml_writer_row(user, sim, err);
}

/* Reads the bytes of a file as it is now. */
static void take_bytes(Base *b, const char *path)
{
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    b->size = (size_t)ftell(file);
    rewind(file);
    b->bytes = malloc(b->size);
    if (fread(b->bytes, 1, b->size, file) != b->size) {
        fuzz_wrong("cannot read", path);
    }
    fclose(file);
}

/* Writes a file of results. killed leaves it as a writer does that does not come to its end; modes
 * adds those of the start. */
static void make_file(Base *b, const char *text, bool killed, bool modes)
{
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlWriter *writer = NULL;
    TmlLinear *lin = NULL;
    TmlError err = {0};
    const char *path = fuzz_beside("base.h5");
    const TmlSimOptions o = tml_sim_options_default();
    must(tml_load_text(text, "base.yaml", 0, NULL, NULL, &model, &err), &err);
    must(tml_sim_create(model, &o, &sim, &err), &err);
    if (modes) {
        must(tml_sim_linearize(sim, NULL, &lin, &err), &err);
        must(tml_write_modes(path, sim, lin, &err), &err);
    } else {
        must(tml_writer_open(path, sim, &writer, &err), &err);
        must(tml_sim_run(sim, put_row, writer, &err), &err);
        must(tml_writer_flush(writer, &err), &err);
        if (killed) {
            take_bytes(b, path);
        }
        must(tml_writer_close(writer, sim, &err), &err);
    }
    if (!killed) {
        take_bytes(b, path);
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* --- what is in it --------------------------------------------------------------------------- */

static herr_t note_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user)
{
    (void)object, (void)info;
    Base *b = user;
    b->attribute = realloc(b->attribute, (size_t)(b->n_attributes + 1) * sizeof *b->attribute);
    b->attribute[b->n_attributes].object = b->n_objects - 1;
    b->attribute[b->n_attributes++].name = strdup(name);
    return 0;
}

static herr_t note_object(hid_t file, const char *name, const H5O_info_t *info, void *user)
{
    (void)info;
    Base *b = user;
    b->object = realloc(b->object, (size_t)(b->n_objects + 1) * sizeof *b->object);
    b->object[b->n_objects++] = strdup(name);
    H5Aiterate_by_name(file, name, H5_INDEX_NAME, H5_ITER_INC, NULL, note_attribute, b,
                       H5P_DEFAULT);
    return 0;
}

static void look_into(Base *b)
{
    b->used = malloc(b->size * sizeof *b->used);
    for (size_t k = 0; k < b->size; ++k) {
        if (b->bytes[k] != 0 && b->bytes[k] != 0xff) {
            b->used[b->n_used++] = (uint32_t)k;
        }
    }
    const char *path = fuzz_write("base.h5", b->bytes, b->size);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
    if (file < 0 ||
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note_object, b, H5O_INFO_BASIC) < 0) {
        fuzz_wrong("cannot look into", path);
    }
    H5Fclose(file);
}

const Base *fuzz_base(int k)
{
    static Base base[BASES];
    Base *b = &base[k];
    if (b->bytes == NULL) {
        // half of the time would go into pages for the cache that HDF5 makes for each file
        H5set_free_list_limits(-1, -1, -1, -1, -1, -1);
        tml_set_allocator(NULL);
        make_file(b, k == 1 ? bent : rigid, k == 3, k == 2);
        look_into(b);
    }
    return b;
}
