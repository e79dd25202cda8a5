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

TEST_SUITE(report_modal) = {CASE(modal_bodies_in_a_report), {0}};
