/* tests/io/test_report_parts.c - scenes, mesh files, flexible bodies and histories in reports. */
#include "report_util.h"

#include "io/report/thinning.h"
#include "math/principal.h"
#include "math/vec3.h"
#include "model/read/mesh_file.h"

/* --- rows that may go ------------------------------------------------------------------------- */

/* Random walks of three columns: the rows that a cone leaves out are within its bounds. */
TEST(lines_pass_left_out_rows_within_the_bound)
{
    enum { N = 2000, WIDTH = 3 };
    static double x[N][WIDTH], time[N];
    static int kept[N];
    TmlArena arena = {0};
    TmlError err = {0};
    TmlCone c;
    CHECK_OK(t, tml_cone_init(&c, &arena, WIDTH, &err), &err);
    for (int k = 0; k < N; ++k) {
        time[k] = (k > 0 ? time[k - 1] : 0.0) + test_random(t, 0.5, 2.0);
        for (int i = 0; i < WIDTH; ++i) {
            x[k][i] = (k > 0 ? x[k - 1][i] : 0.0) + test_random(t, -1.0, 1.0);
        }
    }
    for (int i = 0; i < WIDTH; ++i) {
        c.bound[i] = 3.0 * (i + 1);
    }
    int n = 0;
    kept[n++] = 0;
    tml_cone_start(&c, time[0], x[0]);
    for (int k = 1; k < N; ++k) {
        if (!tml_cone_fits(&c, time[k], x[k])) {
            kept[n++] = k - 1;
            tml_cone_start(&c, time[k - 1], x[k - 1]);
        }
        tml_cone_take(&c, time[k], x[k]);
    }
    kept[n++] = N - 1;
    CHECK(t, n < N / 3 && n > 10);
    for (int s = 0; s + 1 < n; ++s) {
        const int a = kept[s], b = kept[s + 1];
        for (int k = a + 1; k < b; ++k) {
            const double tau = (time[k] - time[a]) / (time[b] - time[a]);
            for (int i = 0; i < WIDTH; ++i) {
                // slopes are compared, not values: some rounding errors of the values
                CHECK_NEAR(t, (1.0 - tau) * x[a][i] + tau * x[b][i], x[k][i], c.bound[i] + 1e-12);
            }
        }
    }
    tml_arena_free(&arena);
}

TEST(principal_axes_are_those_of_the_tensor)
{
    for (int k = 0; k < 50; ++k) {
        const TmlMat33 A = q4_matrix(test_quat(t)), D = m3_diag(1.0 + k % 3, 2.0, 3.0);
        const TmlMat33 AD = m3_mul(&A, &D), At = m3_transpose(&A), J = m3_mul(&AD, &At);
        double w[3];
        TmlMat33 V;
        tml_principal(&J, w, &V);
        CHECK_NEAR(t, m3_det(&V), 1.0, 1e-13); // rounding of a dozen rotations
        const TmlVec3 axis[3] = {V.cx, V.cy, V.cz};
        for (int i = 0; i < 3; ++i) {
            const TmlVec3 rest = v3_axpy(-w[i], axis[i], m3_mulv(&J, axis[i]));
            CHECK(t, v3_norm(rest) < 1e-13); // moments of about 3, as above
        }
        CHECK_NEAR(t, w[0] + w[1] + w[2], 6.0 + k % 3, 1e-13);
    }
}

/* --- mesh files ------------------------------------------------------------------------------- */

static const char tetrahedron_obj[] = "# four corners\n"
                                      "v 0 0 0\nv 1 0 0 0.5\nv 0 1 0\nvn 0 0 1\nv 0 0 1\n"
                                      "f 1//1 3//1 2//1\nf 1 2 4\n f -4/1 -1 -2\nf 2 3 4\n";

static const char tetrahedron_stl[] =
    "solid t\n"
    "facet normal 0 0 -1\n outer loop\n  vertex 0 0 0\n  vertex 0 1 0\n  vertex 1 0 0\n endloop\n"
    "endfacet\n"
    "facet normal 0 -1 0\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 0 1\n endloop\n"
    "endfacet\nendsolid t\n";

static void put_float(uint8_t *to, double x)
{
    const float f = (float)x;
    memcpy(to, &f, sizeof f);
}

TEST(mesh_files_are_read)
{
    Folder f;
    TmlTriangles m;
    TmlError err = {0};
    folder_open(t, &f);
    write_bytes(in_folder(&f, "part.obj"), tetrahedron_obj, strlen(tetrahedron_obj));
    CHECK_OK(t, tml_triangles_read(in_folder(&f, "part.obj"), 2.0, &m, &err), &err);
    CHECK_INT(t, m.n_vertices, 4);
    CHECK_INT(t, m.n_triangles, 4);
    CHECK(t, m.vertex[3] == 2.0f && m.triangle[0] == 0 && m.triangle[1] == 2);
    CHECK(t, m.triangle[6] == 0 && m.triangle[7] == 3 && m.triangle[8] == 2);
    tml_triangles_free(&m);

    write_bytes(in_folder(&f, "part.stl"), tetrahedron_stl, strlen(tetrahedron_stl));
    CHECK_OK(t, tml_triangles_read(in_folder(&f, "part.stl"), 1.0, &m, &err), &err);
    CHECK_INT(t, m.n_vertices, 4); // six corners, two of them twice
    CHECK_INT(t, m.n_triangles, 2);
    tml_triangles_free(&m);

    // binary, with a head that looks like text
    uint8_t binary[84 + 2 * 50] = "solid but binary";
    binary[80] = 2;
    for (int k = 0; k < 2; ++k) {
        for (int c = 0; c < 3; ++c) {
            put_float(binary + 84 + 50 * k + 12 + 12 * c, c == 1 ? 1.0 : 0.0);
            put_float(binary + 84 + 50 * k + 16 + 12 * c, c == 2 ? 1.0 + k : -0.0);
        }
    }
    write_bytes(in_folder(&f, "part.stl"), binary, sizeof binary);
    CHECK_OK(t, tml_triangles_read(in_folder(&f, "part.stl"), 1.0, &m, &err), &err);
    CHECK_INT(t, m.n_triangles, 2);
    CHECK_INT(t, m.n_vertices, 4);
    tml_triangles_free(&m);
    folder_close(&f);
}

static void check_bad_mesh(TestCtx *t, const Folder *f, const char *name, const void *data,
                           size_t n, const char *part)
{
    TmlTriangles m;
    TmlError err = {0};
    write_bytes(in_folder(f, name), data, n);
    CHECK(t, tml_triangles_read(in_folder(f, name), 1.0, &m, &err) != TML_OK);
    CHECK_HAS(t, err.message, part);
    CHECK_HAS(t, err.message, name);
    tml_triangles_free(&m);
}

TEST(bad_mesh_files_are_told)
{
    Folder f;
    uint8_t binary[84 + 50] = {0};
    folder_open(t, &f);
    const struct {
        const char *name, *text, *part;
    } bad[] = {
        {"part.obj", "v 0 0\n", "line 1"},
        {"part.obj", "v 0 0 0\nf 1 2 3\n", "line 2"},
        {"part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "line 4"},
        {"part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "line 4"},
        {"part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9\n", "line 4"},
        {"part.obj", "v 0 0 1e300\n", "line 1"},
        {"part.obj", "", "no triangle"},
        {"part.stl", "solid x\nendsolid\n", "no triangle"},
        {"part.stl", "solid x\nvertex 0 0 nan\n", "line 2"},
        {"part.stl", "solid x\nvertex 0 0 0\nendloop\n", "line 3"},
        {"part.stl", "hello", "neither a text nor a binary"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        check_bad_mesh(t, &f, bad[k].name, bad[k].text, strlen(bad[k].text), bad[k].part);
    }
    binary[80] = 2; // one is missing
    check_bad_mesh(t, &f, "part.stl", binary, sizeof binary, "neither a text nor a binary");
    binary[80] = 1;
    put_float(binary + 84 + 12, (double)INFINITY);
    check_bad_mesh(t, &f, "part.stl", binary, sizeof binary, "triangle 1");
    folder_close(&f);
}

static const char mesh_model[] =
    "trammel: 1\n"
    "bodies:\n"
    "  a:\n"
    "    mass: 1\n"
    "    inertia: [1, 1, 1]\n"
    "    cm: [0, 0, 1]\n"
    "    shape:\n"
    "      - mesh: {file: part.obj, scale: 0.001, position: [1, 0, 0]}\n"
    "      - box: {size: [1, 2, 3]}\n"
    "simulate: {end: 0.1, output_step: 0.1}\n";

/* Loads a model file and opens a result file for it. */
static TmlStatus write_results(const Folder *f, const char *text, TmlError *err)
{
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    RunRows rows = {0};
    TmlSimOptions o = tml_sim_options_default();
    write_bytes(in_folder(f, "model.yaml"), text, strlen(text));
    TmlStatus status = tml_load(in_folder(f, "model.yaml"), 0, NULL, NULL, &model, err);
    status = status == TML_OK ? tml_sim_create(model, &o, &sim, err) : status;
    status =
        status == TML_OK ? tml_writer_open(in_folder(f, "a.h5"), sim, &rows.writer, err) : status;
    if (status == TML_OK) {
        status = tml_sim_run(sim, run_row, &rows, err);
        const TmlStatus closed = tml_writer_close(rows.writer, sim, err);
        status = status == TML_OK ? closed : status;
    }
    tml_sim_free(sim);
    tml_model_free(model);
    return status;
}

TEST(meshes_travel_with_the_results)
{
    Folder f;
    Report r;
    TmlError err = {0};
    folder_open(t, &f);
    CHECK_INT(t, write_results(&f, mesh_model, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "model.yaml:8:9: body 'a': shape: ");
    CHECK_HAS(t, err.message, "part.obj: cannot open");
    write_bytes(in_folder(&f, "part.obj"), tetrahedron_obj, strlen(tetrahedron_obj));
    CHECK_OK(t, write_results(&f, mesh_model, &err), &err);
    unlink(in_folder(&f, "part.obj"));
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        const TmlValue *mesh = find(r.header, "scene.bodies.1.shapes.0");
        int n = 0, width = 0;
        CHECK_STR(t, text_at(mesh, "kind"), "mesh");
        CHECK_NEAR(t, number_at(mesh, "position.0"), 1.0, 0.0);
        CHECK_NEAR(t, number_at(mesh, "position.2"), -1.0, 0.0); // from the centre of mass
        double *v = block_read(t, &r, find(mesh, "vertices"), &n, &width);
        CHECK_INT(t, n, 4);
        CHECK(t, v[3] == (double)0.001f);
        free(v);
        v = block_read(t, &r, find(mesh, "triangles"), &n, &width);
        CHECK_INT(t, n, 4);
        CHECK(t, v[0] == 0.0 && v[1] == 2.0 && v[2] == 1.0 && v[11] == 3.0);
        free(v);
        CHECK_STR(t, text_at(r.header, "scene.bodies.1.shapes.1.kind"), "box");
        CHECK(t, find(r.header, "scene.bodies.1.default") == NULL);
    }
    report_close(&r);
    folder_close(&f);
}

/* What the page does not draw from numbers comes as triangles; shapes that look the same share them. */
TEST(shapes_travel_with_the_results)
{
    static const char model[] =
        "trammel: 1\n"
        "ground: {shape: {half_space: {normal: x}}}\n"
        "bodies:\n"
        "  for i in 1..2:\n"
        "    \"a{i}\":\n"
        "      mass: 1\n"
        "      inertia: [1, 1, 1]\n"
        "      shape:\n"
        "        - hull: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}\n"
        "        - link: {from: [0, 0, 0], to: [0, 0, 2], radius: 0.1}\n"
        "        - extrusion: {points: [[0, 0], [1, 0], [0, 1]], bulges: [0, 0.5, 0], thickness: "
        "1}\n"
        "simulate: {end: 0.1, output_step: 0.1}\n";
    Folder f;
    Report r;
    TmlError err = {0};
    folder_open(t, &f);
    CHECK_OK(t, write_results(&f, model, &err), &err);
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        int n = 0, width = 0;
        CHECK_STR(t, text_at(r.header, "scene.bodies.0.shapes.0.kind"), "half_space");
        const TmlValue *hull = find(r.header, "scene.bodies.2.shapes.0");
        CHECK_STR(t, text_at(hull, "kind"), "mesh");
        free(block_read(t, &r, find(hull, "vertices"), &n, &width));
        CHECK_INT(t, n, 4);
        free(block_read(t, &r, find(hull, "triangles"), &n, &width));
        CHECK_INT(t, n, 4);
        CHECK_STR(t, text_at(r.header, "scene.bodies.1.shapes.1.kind"), "capsule");
        CHECK_NEAR(t, number_at(r.header, "scene.bodies.1.shapes.1.length"), 2.0, 0.0);
        CHECK_NEAR(t, number_at(r.header, "scene.bodies.1.shapes.1.position.2"), 1.0, 0.0);
        CHECK_NEAR(t, number_at(r.header, "scene.bodies.1.shapes.2.bulges.1"), 0.5, 0.0);
        CHECK_NEAR(t, number_at(r.header, "scene.bodies.1.shapes.2.points.2"), 1.0, 0.0);
    }
    report_close(&r);
    folder_close(&f);
}

/* --- default shapes --------------------------------------------------------------------------- */

static const char plain_model[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0]}\n"
    "  wheel: {mass: 2, inertia: [0.01, 0.01, 0.02], position: [2, 0, 0]}\n"
    "  block: {mass: 1, inertia: [13/12, 10/12, 5/12], position: [5, 0, 0]}\n"
    "  ball: {type: point, mass: 1, position: [7, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}\n"
    "  axle: {type: revolute, bodies: [rod, wheel], at: [2, 0, 0], axis: z}\n"
    "forces:\n"
    "  spring: {type: spring, frames: [{body: ground, position: [7, 1, 0]}, ball], stiffness: 10}\n"
    "simulate: {end: 0.1, output_step: 0.1}\n";

TEST(bodies_without_shapes_get_sensible_ones)
{
    Folder f;
    Report r;
    TmlError err = {0};
    folder_open(t, &f);
    run_text(t, &f, plain_model, NULL, NULL, NULL);
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        const TmlValue *bodies = find(r.header, "scene.bodies");
        CHECK_STR(t, text_at(bodies, "0.name"), "ground");
        CHECK(t, flag_at(bodies, "1.default"));
        // a bar between the joints, up to rounding
        CHECK_STR(t, text_at(bodies, "1.shapes.0.kind"), "link");
        CHECK_NEAR(t, fabs(number_at(bodies, "1.shapes.0.from.0")), 1.0, 1e-15);
        CHECK_NEAR(t, number_at(bodies, "1.shapes.0.from.0") + number_at(bodies, "1.shapes.0.to.0"),
                   0.0, 1e-15);
        // a cylinder with the same inertia: m r^2 / 2 = 0.02, up to rounding
        CHECK_STR(t, text_at(bodies, "2.shapes.0.kind"), "cylinder");
        CHECK_NEAR(t, number_at(bodies, "2.shapes.0.radius"), sqrt(0.02), 1e-15);
        CHECK_NEAR(t, number_at(bodies, "2.shapes.0.axis.2"), 1.0, 1e-15);
        // a box of 1 x 2 x 3
        CHECK_STR(t, text_at(bodies, "3.shapes.0.kind"), "box");
        CHECK_NEAR(t, number_at(bodies, "3.shapes.0.size.0"), 1.0, 1e-8); // nine digits are told
        CHECK_NEAR(t, number_at(bodies, "3.shapes.0.size.1"), 2.0, 1e-8);
        CHECK_NEAR(t, number_at(bodies, "3.shapes.0.size.2"), 3.0, 1e-8);
        CHECK_STR(t, text_at(bodies, "4.shapes.0.kind"), "sphere");
        // the frame of a joint: its axis is z, here that of ground
        CHECK_STR(t, text_at(r.header, "scene.joints.1.type"), "revolute");
        CHECK_INT(t, number_at(r.header, "scene.joints.1.bodies.1"), 2);
        CHECK_NEAR(t, number_at(r.header, "scene.joints.1.frames.0.0"), 1.0, 1e-9);
        CHECK_STR(t, text_at(r.header, "scene.forces.0.type"), "spring");
        CHECK_NEAR(t, number_at(r.header, "scene.forces.0.frames.0.1"), 1.0, 1e-9);
        CHECK_NEAR(t, number_at(r.header, "scene.up.1"), 1.0, 1e-9);
    }
    report_close(&r);
    folder_close(&f);
}

/* --- flexible bodies -------------------------------------------------------------------------- */

enum { FLEX_ROWS = 8192, FLEX_VALUES = 64 };

typedef struct FlexRows {
    int n, values; // vectors of all nodes, three each
    double t[FLEX_ROWS], x[FLEX_ROWS][FLEX_VALUES];
} FlexRows;

static void collect_nodes(void *user, const TmlSim *sim)
{
    FlexRows *r = user;
    const TmlFlexibleInfo info = tml_model_flexible(tml_sim_model(sim), 0);
    if (r->n == FLEX_ROWS || 3 * info.nodes * info.vectors > FLEX_VALUES) {
        return;
    }
    r->t[r->n] = tml_row_time(sim);
    r->values = 0;
    for (int k = 0; k < info.nodes; ++k) {
        for (int v = 0; v < info.vectors; ++v) {
            const TmlVec3 x = tml_row_node(sim, 0, k, v);
            memcpy(&r->x[r->n][r->values], &x, sizeof x);
            r->values += 3;
        }
    }
    r->n++;
}

/* Largest distance of a point of the body between two states of its nodes. */
static double point_distance(int elements, int points, int per_element, int vectors,
                             const double *element, const double *weight, const double *a,
                             const double *b)
{
    double most = 0.0;
    for (int e = 0; e < elements; ++e) {
        for (int p = 0; p < points; ++p) {
            double d[3] = {0};
            for (int v = 0; v < per_element * vectors; ++v) {
                const int node = (int)element[e * per_element + v / vectors];
                const int at = 3 * (node * vectors + v % vectors);
                const double w = weight[(e * points + p) * per_element * vectors + v];
                for (int c = 0; c < 3; ++c) {
                    d[c] += w * (a[at + c] - b[at + c]);
                }
            }
            most = fmax(most, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
    }
    return most;
}

/* Frames in between, against the rows that were left out. */
static double flexible_error(TestCtx *t, const Report *r, const FlexRows *rows)
{
    int n = 0, m = 0, width = 0, elements = 0, per_element = 0, points = 0;
    const TmlValue *body = find(r->header, "scene.flexible.0");
    const int vectors = (int)number_at(body, "vectors");
    double *time = block_read(t, r, find(r->header, "frames.time"), &n, &width);
    double *x = block_read(t, r, find(r->header, "frames.flexible.0.nodes"), &m, &width);
    double *element = block_read(t, r, find(body, "elements"), &elements, &per_element);
    double *weight = block_read(t, r, find(body, "weights"), &m, &points);
    points /= per_element * vectors;
    CHECK_INT(t, width, rows->values);
    double most = 0.0;
    for (int k = 0, i = 0; k < rows->n && width == rows->values; ++k) {
        double shown[FLEX_VALUES];
        while (i + 2 < n && time[i + 1] < rows->t[k]) {
            i++;
        }
        const double tau = (rows->t[k] - time[i]) / (time[i + 1] - time[i]);
        for (int c = 0; c < width; ++c) {
            shown[c] = (1.0 - tau) * x[i * width + c] + tau * x[(i + 1) * width + c];
        }
        most = fmax(most, point_distance(elements, points, per_element, vectors, element, weight,
                                         shown, rows->x[k]));
    }
    free(time);
    free(x);
    free(element);
    free(weight);
    return most;
}

TEST(points_of_flexible_bodies_stay_within_the_bound)
{
    static const char text[] =
        "trammel: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "flexible:\n"
        "  rod: {type: beam2d, line: [[0, 0, 0], [0.4, 0, 0]], elements: 2,\n"
        "        material: {E: 2e5, nu: 0.3, density: 7800},\n"
        "        section: {height: 0.04, width: 0.04}, start: {pin: ground}}\n"
        "simulate: {end: 0.8, output_step: 1e-4}\n";
    Folder f;
    Report r;
    TmlError err = {0};
    FlexRows *rows = calloc(1, sizeof *rows);
    folder_open(t, &f);
    run_text(t, &f, text, NULL, collect_nodes, rows);
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        const double bound = number_at(r.header, "frames.error_bound.position");
        const double error = flexible_error(t, &r, rows);
        CHECK(t, bound > 0.0);
        CHECK(t, error <= bound * 1.001); // and rounding of what is stored, 2^-24 of the size
        CHECK(t, error > 0.02 * bound);   // of sums of bounds, which are not all met at once
        CHECK(t, number_at(r.header, "frames.kept") < rows->n / 4.0);
        CHECK_INT(t, find(r.header, "scene.flexible.0.columns")->n,
                  number_at(r.header, "scene.flexible.0.strains") +
                      number_at(r.header, "scene.flexible.0.stresses"));
    }
    report_close(&r);
    free(rows);
    folder_close(&f);
}

/* --- the solver's history --------------------------------------------------------------------- */

/* The demonstration for longer than it takes: steps of all sizes, some rejected. */
static void run_demo(TestCtx *t, const Folder *f, TmlModel **model, TmlSim **sim)
{
    char path[PATH_SIZE];
    TmlError err = {0};
    RunRows rows = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 8.0;
    o.output_step = 0.1;
    o.record_solver = true;
    snprintf(path, sizeof path, "%s/models/demo.yaml", test_source_dir());
    CHECK_OK(t, tml_load(path, 0, NULL, NULL, model, &err), &err);
    CHECK_OK(t, tml_sim_create(*model, &o, sim, &err), &err);
    CHECK_OK(t, tml_writer_open(in_folder(f, "a.h5"), *sim, &rows.writer, &err), &err);
    CHECK_OK(t, tml_sim_run(*sim, run_row, &rows, &err), &err);
    CHECK_OK(t, tml_writer_close(rows.writer, *sim, &err), &err);
}

TEST(long_histories_keep_what_matters)
{
    Folder f;
    Report r;
    TmlError err = {0};
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    const TmlAttemptRow *attempt = NULL;
    folder_open(t, &f);
    run_demo(t, &f, &model, &sim);
    const int64_t total = tml_sim_attempts(sim, &attempt);
    CHECK(t, total > 20000); // else all are kept
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        int n = 0, m = 0, width = 0;
        double *time = block_read(t, &r, find(r.header, "solver.t"), &n, &width);
        double *h = block_read(t, &r, find(r.header, "solver.h"), &m, &width);
        double *accepted = block_read(t, &r, find(r.header, "solver.accepted"), &m, &width);
        double *cause = block_read(t, &r, find(r.header, "solver.cause"), &m, &width);
        double least = HUGE_VAL, most = 0.0, shown_least = HUGE_VAL, shown_most = 0.0;
        int64_t rejected = 0, shown_rejected = 0, at = 0;
        for (int64_t k = 0; k < total; ++k) {
            rejected += !attempt[k].accepted;
            least = fmin(least, attempt[k].h);
            most = fmax(most, attempt[k].h);
        }
        for (int k = 0; k < n; ++k) { // rows of the run, in their order
            while (at < total && (attempt[at].t != time[k] || attempt[at].h != h[k] ||
                                  attempt[at].accepted != (int)accepted[k])) {
                at++;
            }
            CHECK(t, at < total && cause[k] == attempt[at].cause);
            at++;
            shown_rejected += accepted[k] == 0.0;
            shown_least = fmin(shown_least, h[k]);
            shown_most = fmax(shown_most, h[k]);
        }
        CHECK_INT(t, number_at(r.header, "solver.of"), total);
        CHECK(t, n < 18000 && rejected > 10);
        CHECK_INT(t, shown_rejected, rejected);
        CHECK(t, shown_least == least && shown_most == most);
        free(time);
        free(h);
        free(accepted);
        free(cause);
    }
    report_close(&r);
    tml_sim_free(sim);
    tml_model_free(model);
    folder_close(&f);
}

TEST_SUITE(io_report_parts) = {CASE(lines_pass_left_out_rows_within_the_bound),
                               CASE(principal_axes_are_those_of_the_tensor),
                               CASE(mesh_files_are_read),
                               CASE(bad_mesh_files_are_told),
                               CASE(meshes_travel_with_the_results),
                               CASE(shapes_travel_with_the_results),
                               CASE(bodies_without_shapes_get_sensible_ones),
                               CASE(points_of_flexible_bodies_stay_within_the_bound),
                               CASE(long_histories_keep_what_matters),
                               {0}};
