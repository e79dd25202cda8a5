/* tests/io/test_report_modal.c - modal bodies in reports: their surfaces, modes and coordinates. */
#include "report_util.h"

#include "../modal/modal_skin.h"

static const char *const flight = "trammel: 1\n"
                                  "modal:\n  arm: {part: %s, velocity: [0.1, 0.2, 0.3], "
                                  "angular_velocity: [0.5, 1, 2], amplitudes: "
                                  "[0.05, -0.03]}\n";

/* Coordinates of the report are those of rows. */
typedef struct Seen {
    double eta[64][5];
    int rows;
} Seen;

static void see(void *user, const TmlSim *sim)
{
    Seen *s = user;
    for (int j = 0; j < 5; ++j) {
        s->eta[s->rows][j] = tml_row_mode(sim, 0, j);
    }
    s->rows++;
}

/* Nodes of triangles, shapes and stresses, each behind the number that triangles name. */
static void check_surface(TestCtx *t, const Report *r, const RandomPart *p, const RandomSkin *s)
{
    const TmlValue *m = find(r->header, "scene.modal.0");
    int n[4] = {0}, width[4] = {0};
    double *x = block_read(t, r, find(m, "vertices"), &n[0], &width[0]);
    double *corner = block_read(t, r, find(m, "triangles"), &n[1], &width[1]);
    double *shape = block_read(t, r, find(m, "shapes"), &n[2], &width[2]);
    double *stress = block_read(t, r, find(m, "stress"), &n[3], &width[3]);
    CHECK_INT(t, n[0], 5); // nodes 0 to 4 are on triangles
    CHECK_INT(t, n[1], 2);
    CHECK_INT(t, width[2], 3 * 5);
    CHECK_INT(t, width[3], 6 * 5);
    for (int k = 0; k < 6; ++k) {
        const int node = s->corner[k], at = (int)corner[k];
        CHECK_NEAR(t, x[3 * at + 1], p->x[node].y, 1e-7); // single precision
        for (int j = 0; j < 5; ++j) {
            // floats as they were
            CHECK_NEAR(t, shape[3 * (5 * at + j) + 2], (double)s->shape[3 * (5 * node + j) + 2],
                       0.0);
            CHECK_NEAR(t, stress[6 * (5 * at + j) + 4], (double)s->stress[6 * (5 * node + j) + 4],
                       0.0); // as above
        }
    }
    free(x), free(corner), free(shape), free(stress);
}

TEST(modal_bodies_in_a_report)
{
    RandomPart p;
    RandomSkin skin;
    Folder f;
    Report r = {0};
    Seen seen = {0};
    char part[200], text[1000];
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 2.0;
    o.output_step = 0.1;
    random_part(t, 5, &p);
    random_skin(t, &p, &skin);
    save_random_part(t, &p, part, sizeof part);
    snprintf(text, sizeof text, flight, part);
    folder_open(t, &f);
    run_text(t, &f, text, &o, see, &seen);
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        int rows = 0, m = 0;
        CHECK_STR(t, text_at(r.header, "scene.modal.0.name"), "arm");
        CHECK_STR(t, text_at(r.header, "scene.bodies.1.name"), "arm");
        CHECK_INT(t, number_at(r.header, "scene.modal.0.body"), 1);
        check_surface(t, &r, &p, &skin);
        double *eta = block_read(t, &r, find(r.header, "frames.modal.0.coordinates"), &rows, &m);
        CHECK_INT(t, rows, seen.rows);
        CHECK_INT(t, m, 5);
        for (int k = 0; k < rows * m; ++k) {
            CHECK_NEAR(t, eta[k], seen.eta[k / m][k % m], 1e-8); // single precision of 0.1
        }
        free(eta);
    }
    report_close(&r);
    // without its part the body is drawn as others are
    remove(part);
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    r = (Report){0};
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        CHECK(t, find(r.header, "scene.modal") == NULL && find(r.header, "frames.modal") == NULL);
    }
    report_close(&r);
    folder_close(&f);
}

/* A bob that is welded to a frame moves with the floating frame and what the modes do to the frame. */
static const char *const welded =
    "trammel: 1\nmodal:\n  arm: {part: %%s, damping: 0}\n"
    "bodies:\n  bob: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [%.17g, %.17g, %.17g]}\n"
    "joints:\n  weld: {type: fixed, frames: [arm.b, bob]}\n";

static void check_mode(TestCtx *t, const TmlLinear *lin, int mode, const RandomPart *p)
{
    const TmlModeBody arm = tml_linear_body(lin, mode, 1), bob = tml_linear_body(lin, mode, 2);
    const TmlVec3 x = p->frame[1].x;
    TmlVec3 re = v3_add(arm.translation, v3_cross(arm.rotation, x));
    TmlVec3 im = v3_add(arm.translation_imag, v3_cross(arm.rotation_imag, x));
    for (int j = 0; j < 5; ++j) {
        const double *phi = p->phi[1] + 3 * j;
        double a, b;
        tml_linear_modal(lin, mode, 0, j, &a, &b);
        re = v3_axpy(a, v3(phi[0], phi[1], phi[2]), re);
        im = v3_axpy(b, v3(phi[0], phi[1], phi[2]), im);
    }
    // rows of the weld hold to roundings of the null space; the largest displacement is one
    CHECK_NEAR(t, v3_norm(v3_sub(re, bob.translation)), 0.0, 1e-11);
    CHECK_NEAR(t, v3_norm(v3_sub(im, bob.translation_imag)), 0.0, 1e-11); // as above
}

static void check_modes_page(TestCtx *t, const Report *r, const TmlLinear *lin)
{
    int rows = 0, width = 0;
    double *x = block_read(t, r, find(r->header, "modes.modal.0"), &rows, &width);
    CHECK_INT(t, rows, tml_linear_info(lin).modes);
    CHECK_INT(t, width, 2 * 5);
    for (int k = 0; k < rows; ++k) {
        for (int j = 0; j < 5; ++j) {
            double a, b;
            tml_linear_modal(lin, k, 0, j, &a, &b);
            CHECK_NEAR(t, x[(2 * k) * 5 + j], a, 1e-6); // single precision of some units
            CHECK_NEAR(t, x[(2 * k + 1) * 5 + j], b, 1e-6);
        }
    }
    free(x);
}

TEST(modes_bend_modal_bodies)
{
    RandomPart p;
    RandomSkin skin;
    Folder f;
    Report r = {0};
    char part[200], text[2000];
    TmlError err = {0};
    TmlLinear *lin = NULL;
    TmlSim *sim = NULL;
    random_part(t, 5, &p);
    random_skin(t, &p, &skin);
    save_random_part(t, &p, part, sizeof part);
    const TmlVec3 at = v3_add(p.part.origin, p.frame[1].x);
    snprintf(text, sizeof text, welded, at.x, at.y, at.z);
    TmlModel *model = modal_model(t, text, part);
    const TmlSimOptions o = tml_sim_options_default();
    folder_open(t, &f);
    CHECK(t, model != NULL);
    if (model != NULL && tml_sim_create(model, &o, &sim, &err) == TML_OK) {
        CHECK_OK(t, tml_sim_linearize(sim, NULL, &lin, &err), &err);
        const int n = lin != NULL ? tml_linear_info(lin).modes : 0;
        CHECK(t, n >= 11);
        for (int k = 0; k < n; ++k) {
            check_mode(t, lin, k, &p);
        }
        double a = 1.0, b = 1.0;
        tml_linear_modal(lin, 0, 0, 5, &a, &b); // there is no sixth coordinate
        CHECK(t, a == 0.0 && b == 0.0);
        tml_linear_modal(lin, 0, 1, 0, &a, &b); // nor another body
        CHECK(t, a == 0.0 && b == 0.0);
        CHECK_OK(t, tml_report_modes(sim, lin, in_folder(&f, "a.html"), &f.options, &err), &err);
        if (report_open(t, &r, in_folder(&f, "a.html"))) {
            check_modes_page(t, &r, lin);
        }
        report_close(&r);
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    tml_model_free(model);
    remove(part);
    folder_close(&f);
}

/* Mode k of a part's page is coordinate k; tables have the numbers of the part. */
TEST(page_of_a_part)
{
    RandomPart p;
    RandomSkin skin;
    Folder f;
    Report r = {0};
    char path[200];
    TmlError err = {0};
    TmlReducedPart *part = NULL;
    random_part(t, 5, &p);
    random_skin(t, &p, &skin);
    save_random_part(t, &p, path, sizeof path);
    folder_open(t, &f);
    CHECK_OK(t, tml_part_read(path, &part, &err), &err);
    if (part != NULL) {
        CHECK_OK(t, tml_report_part(part, in_folder(&f, "a.html"), &f.options, &err), &err);
    }
    if (part != NULL && report_open(t, &r, in_folder(&f, "a.html"))) {
        int rows = 0, width = 0;
        double *x = block_read(t, &r, find(r.header, "modes.modal.0"), &rows, &width);
        for (int k = 0; k < rows * width; ++k) {
            CHECK_NEAR(t, x[k], k % width == k / width ? 1.0 : 0.0, 0.0); // exact
        }
        free(x);
        CHECK_INT(t, rows, 5);
        CHECK_INT(t, width, 2 * 5);
        CHECK_STR(t, text_at(r.header, "title"), "random");
        CHECK_INT(t, number_at(r.header, "scene.modal.0.modes"), 5);
        // hertz are 1, 2, 3, ...; written with 17 digits
        CHECK_NEAR(t, number_at(r.header, "modes.list.2.natural_frequency"), 3.0, 1e-15);
        CHECK_STR(t, text_at(r.header, "part.tables.1.rows.2.1"), "3");
        CHECK_STR(t, text_at(r.header, "part.tables.2.rows.1.0"), "b");
        check_surface(t, &r, &p, &skin);
    }
    report_close(&r);
    tml_part_free(part);
    remove(path);
    folder_close(&f);
}

TEST_SUITE(report_modal) = {
    CASE(modal_bodies_in_a_report), CASE(modes_bend_modal_bodies), CASE(page_of_a_part), {0}};
