/* tests/io/test_flexible_results.c - flexible bodies in result files and in their VTK export. */
#include "test.h"

#include "io/results/hdf5_file.h"
#include "trammel/trammel.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 6, NODES = 4, ELEMENTS = 3, VECTORS = 3, POINTS = 9, OUTPUTS = 6 };

static const char model_text[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  hub: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "flexible:\n"
    "  arm: {type: beam2d, line: [[0, 0, 0], [0.6, 0, 0]], elements: 3,\n"
    "        material: {E: 1e8, nu: 0.3, density: 1000}, section: {height: 0.05, width: 0.02},\n"
    "        start: {clamp: hub}}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
    "simulate: {end: 0.1, output_step: 0.02}\n";

/* What the rows said while they were written. */
typedef struct Rows {
    TmlModel *model;
    TmlSim *sim;
    TmlWriter *writer;
    char folder[256], h5[300];
    int n;
    TmlVec3 node[ROWS][NODES][VECTORS], middle[ROWS];
    double top[ROWS], channel[ROWS]; /* stress_xx at the top of the second element's middle */
} Rows;

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    Rows *r = user;
    const double middle[3] = {0.5, 0.0, 0.0}, top[3] = {0.5, 0.025, 0.0};
    if (r->n < ROWS) {
        for (int n = 0; n < NODES; ++n) {
            for (int v = 0; v < VECTORS; ++v) {
                r->node[r->n][n][v] = tml_row_node(sim, 0, n, v);
            }
        }
        r->middle[r->n] = tml_row_place(sim, 0, middle);
        r->top[r->n] = tml_row_strain(sim, 0, top, 3);
        r->channel[r->n] = tml_row_channel(sim, tml_sim_channel_find(sim, "arm.end.y"));
    }
    r->n++;
    return tml_writer_row(r->writer, sim, err);
}

static void rows_open(TestCtx *t, Rows *r)
{
    TmlError err = {0};
    *r = (Rows){0};
    snprintf(r->folder, sizeof r->folder, "%s/flexible-XXXXXX", TRAMMEL_BINARY_DIR);
    CHECK(t, mkdtemp(r->folder) != NULL);
    snprintf(r->h5, sizeof r->h5, "%s/a.h5", r->folder);
    CHECK_OK(t, tml_load_text(model_text, "arm.yaml", 0, NULL, NULL, &r->model, &err), &err);
    if (r->model == NULL) {
        return;
    }
    CHECK_OK(t, tml_sim_create(r->model, NULL, &r->sim, &err), &err);
    CHECK_OK(t, tml_writer_open(r->h5, r->sim, &r->writer, &err), &err);
    CHECK_OK(t, tml_sim_run(r->sim, on_row, r, &err), &err);
    CHECK_OK(t, tml_writer_close(r->writer, r->sim, &err), &err);
    CHECK_INT(t, r->n, ROWS);
}

static void rows_close(Rows *r)
{
    char path[600];
    DIR *dir = opendir(r->folder);
    for (struct dirent *e = dir != NULL ? readdir(dir) : NULL; e != NULL; e = readdir(dir)) {
        snprintf(path, sizeof path, "%s/%s", r->folder, e->d_name);
        unlink(path);
    }
    if (dir != NULL) {
        closedir(dir);
    }
    rmdir(r->folder);
    tml_sim_free(r->sim);
    tml_model_free(r->model);
}

/* A whole dataset; false when its size is another. */
static bool read_set(const char *path, const char *name, hid_t type, size_t n, void *out)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    const bool ok = H5Sget_simple_extent_npoints(space) == (hssize_t)n &&
                    H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return ok;
}

TEST(hdf5)
{
    Rows r;
    static double nodes[ROWS][NODES][VECTORS][3], stress[ROWS][ELEMENTS][POINTS][3];
    static double weights[ELEMENTS][POINTS][6], points[POINTS][3];
    int32_t elements[ELEMENTS][2];
    rows_open(t, &r);
    CHECK(t, read_set(r.h5, "/flexible/arm/nodes", H5T_NATIVE_DOUBLE, ROWS * NODES * VECTORS * 3,
                      nodes));
    CHECK(t, read_set(r.h5, "/flexible/arm/stress", H5T_NATIVE_DOUBLE, ROWS * ELEMENTS * POINTS * 3,
                      stress));
    CHECK(t, read_set(r.h5, "/flexible/arm/weights", H5T_NATIVE_DOUBLE, ELEMENTS * POINTS * 6,
                      weights));
    CHECK(t, read_set(r.h5, "/flexible/arm/points", H5T_NATIVE_DOUBLE, POINTS * 3, points));
    CHECK(t, read_set(r.h5, "/flexible/arm/elements", H5T_NATIVE_INT32, ELEMENTS * 2, elements));
    for (int k = 0; k < ROWS; ++k) {
        for (int n = 0; n < NODES; ++n) {
            for (int v = 0; v < VECTORS; ++v) {
                CHECK(t, nodes[k][n][v][0] == r.node[k][n][v].x);
                CHECK(t, nodes[k][n][v][1] == r.node[k][n][v].y);
            }
        }
        // point 5 is the top of the middle of an element
        CHECK(t, points[5][0] == 0.5 && points[5][1] == 0.025);
        CHECK(t, stress[k][1][5][0] == r.top[k]);
        // the weights give the position of a point: the sum differs by rounding
        double x = 0.0;
        for (int v = 0; v < 6; ++v) {
            x += weights[1][3][v] * nodes[k][elements[1][v / 3]][v % 3][0];
        }
        CHECK_NEAR(t, x, r.middle[k].x, 1e-15);
        CHECK(t, r.channel[k] == r.node[k][NODES - 1][0].y);
    }
    CHECK(t, fabs(r.top[ROWS - 1]) > 1.0); // it bends
    rows_close(&r);
}

/* The nodes of the mesh are no bodies of the file. */
TEST(bodies)
{
    Rows r;
    rows_open(t, &r);
    const hid_t file = H5Fopen(r.h5, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5G_info_t info = {0};
    CHECK(t, H5Gget_info_by_name(file, "bodies", &info, H5P_DEFAULT) >= 0);
    CHECK_INT(t, info.nlinks, 1);
    CHECK(t, H5Lexists(file, "bodies/hub", H5P_DEFAULT) > 0);
    H5Fclose(file);
    CHECK_INT(t, tml_model_body_count(r.model), 2);
    CHECK_INT(t, tml_sim_stats(r.sim).n_bodies, 1);
    CHECK_INT(t, tml_model_flexible_count(r.model), 1);
    const TmlFlexibleInfo f = tml_model_flexible(r.model, 0);
    CHECK_INT(t, f.nodes, NODES);
    CHECK_INT(t, f.degrees_of_freedom, 3 * VECTORS * 2 + 2); // the clamped node keeps r_x
    CHECK_INT(t, f.outputs, OUTPUTS);
    // 1000 kg/m^3 times 0.6 x 0.05 x 0.02 m^3; rounding of the quadrature
    CHECK_NEAR(t, f.mass, 0.6, 1e-14);
    CHECK_INT(t, tml_model_flexible_find(r.model, "arm"), 0);
    CHECK_INT(t, tml_model_flexible_find(r.model, "hub"), -1);
    CHECK(t, tml_model_flexible_name(r.model, 1) == NULL);
    rows_close(&r);
}

/* The n-th number after a mark in a text; NAN: not there. */
static double number_after(const char *text, const char *mark, int n)
{
    char *end = strstr(text, mark);
    end = end != NULL ? strchr(end, '>') : NULL;
    if (end == NULL) {
        return (double)NAN;
    }
    ++end;
    double x = (double)NAN;
    for (int k = 0; k <= n; ++k) {
        x = strtod(end, &end);
    }
    return x;
}

static char *read_file(const char *folder, const char *name)
{
    enum { MOST = 1 << 20 };
    char path[600], *text = calloc(1, MOST);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        (void)!fread(text, 1, MOST - 1, file);
        fclose(file);
    }
    return text;
}

/* Every tag is closed by its own. */
static bool well_formed(const char *text)
{
    char stack[32][64];
    int depth = 0;
    const char *c = strstr(text, "?>");
    for (c = c != NULL ? strchr(c, '<') : NULL; c != NULL; c = strchr(c + 1, '<')) {
        const bool closing = c[1] == '/';
        const char *name = c + (closing ? 2 : 1), *end = strchr(c, '>');
        const int n = (int)strcspn(name, " />\n");
        if (end == NULL || n == 0 || n > 63 || (depth == 0 && closing)) {
            return false;
        }
        if (closing) {
            if (strncmp(stack[--depth], name, (size_t)n) != 0 || stack[depth][n] != '\0') {
                return false;
            }
        } else if (end[-1] != '/') {
            if (depth == 32) {
                return false;
            }
            snprintf(stack[depth++], 64, "%.*s", n, name);
        }
    }
    return depth == 0;
}

TEST(vtk)
{
    Rows r;
    TmlError err = {0};
    int64_t rows = 0;
    rows_open(t, &r);
    CHECK_OK(t, tml_export_vtk(r.h5, r.folder, &rows, &err), &err);
    CHECK_INT(t, rows, ROWS);
    for (int k = 0; k < ROWS; ++k) {
        char name[64];
        snprintf(name, sizeof name, "0_arm_%06d.vtu", k);
        char *text = read_file(r.folder, name);
        CHECK(t, well_formed(text));
        // points element by element: number 12 is on the axis, in the middle of the second element;
        // rounding of sums
        CHECK_NEAR(t, number_after(text, "Name=\"points\"", 3 * 12), r.middle[k].x, 1e-15);
        CHECK_NEAR(t, number_after(text, "Name=\"points\"", 3 * 12 + 1), r.middle[k].y, 1e-15);
        // 17 digits: the same bits
        CHECK(t, number_after(text, "Name=\"stress_xx\"", 14) == r.top[k]);
        CHECK(t, strstr(text, "NumberOfPoints=\"27\" NumberOfCells=\"12\"") != NULL);
        free(text);
        snprintf(name, sizeof name, "1_bodies_%06d.vtu", k);
        text = read_file(r.folder, name);
        CHECK(t, well_formed(text));
        free(text);
    }
    char *pvd = read_file(r.folder, "results.pvd");
    CHECK(t, well_formed(pvd));
    CHECK(t, strstr(pvd, "file=\"0_arm_000005.vtu\"") != NULL);
    free(pvd);
    CHECK_INT(t, tml_export_vtk("absent.h5", r.folder, &rows, &err), TML_E_IO);
    rows_close(&r);
}

TEST_SUITE(flexible_results) = {CASE(hdf5), CASE(bodies), CASE(vtk), {0}};
