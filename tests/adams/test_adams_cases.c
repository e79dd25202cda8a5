/* tests/adams/test_adams_cases.c - the datasets of the reference data: what runs, what does not and
 * why, the way by YAML, and poses of a redundant mechanism. Skipped where the data are absent.
 */
#include "test.h"

#include "math/rotation.h"
#include "math/vec3.h"
#include "model/model.h"
#include "trammel/trammel.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>

/* why NULL: it runs; else every error must hold one of the words, separated by '|'. */
static const struct {
    const char *file, *why;
} state[] = {
    {"adm-files/analysis_with_spikes.adm", NULL},
    {"adm-files/ant.adm", "GFOSUB"},
    {"adm-files/arm_3dof.adm", NULL},
    {"adm-files/arm_7dof.adm", NULL},
    {"adm-files/bipendololeo.adm", NULL},
    {"adm-files/camelot.adm", "Parasolid geometry"},
    {"adm-files/drillstring_test.adm", "user-written routine|sampled (ND)"},
    {"adm-files/exoskeleton_lqr.adm", "Parasolid geometry"},
    {"adm-files/fe_part.adm", "a shape on FE_PART/2"},
    {"adm-files/frs5_doe_8.adm", "Parasolid geometry|not supported yet"},
    {"adm-files/generic_model.adm", NULL},
    {"adm-files/handspring_robot.adm", "Parasolid geometry|function CONTACT"},
    {"adm-files/irb140.adm", "Parasolid geometry"},
    {"adm-files/lwr_6dof.adm", NULL},
    {"adm-files/pendulum_torque.adm", NULL},
    {"adm-files/prova_fragment.adm", "prova_fragment.adm:"}, // statements without a model
    {"adm-files/rover_bot3.adm", "Parasolid geometry"},
    {"adm-files/rpr3_platform.adm", NULL},
    {"adm-files/three_omni_robots.adm", "Parasolid geometry"},
    {"adm-files/windturbine_Test02.adm", "user-written routine|sampled (ND)"},
    {"adm-files/windturbine_Test11.adm", "user-written routine|sampled (ND)"},
    {"adm-files/wiper.adm", NULL},
    {"adams-models/delta_friction/delta_friction.adm", NULL},
    {"adams-models/rpr3_rest/rpr3_platform.adm", NULL},
    {"adams-models/scara/scara.adm", NULL},
};

enum { N_STATES = sizeof state / sizeof *state };

static TmlStatus no_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)user, (void)sim, (void)err;
    return TML_OK;
}

static bool has_word(const char *line, size_t n, const char *words)
{
    for (const char *w = words; *w != '\0';) {
        const size_t m = strcspn(w, "|");
        if (n >= m && memmem(line, n, w, m) != NULL) {
            return true;
        }
        w += m + (w[m] == '|' ? 1 : 0);
    }
    return false;
}

/* Errors have places and the reasons that are known. */
static void check_reasons(TestCtx *t, const char *file, const char *message, const char *why)
{
    for (const char *line = message; line != NULL && *line != '\0';) {
        const size_t n = strcspn(line, "\n");
        t->checks++;
        if (line[0] != '(' && !has_word(line, n, why)) {
            test_fail(t, __FILE__, __LINE__, "%s: %.*s", file, (int)n, line);
        }
        line += n + (line[n] == '\n' ? 1 : 0);
    }
}

/* Runs for a twentieth of a second; false: the error tells why. */
static bool run_short(TestCtx *t, const char *path, TmlError *err)
{
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlStatus status = tml_load(path, 0, NULL, NULL, &m, err);
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = o.output_step = 0.05;
    o.tolerance = 1e-6; // that it runs is what counts here
    if (status == TML_OK) {
        status = tml_sim_create(m, &o, &sim, err);
        status = status == TML_OK ? tml_sim_run(sim, no_row, NULL, err) : status;
        CHECK_OK(t, status, err);
    }
    tml_sim_free(sim);
    tml_model_free(m);
    return status == TML_OK;
}

TEST(what_runs_and_what_does_not)
{
    const char *dir = test_cases_dir();
    if (dir == NULL) {
        test_skip(t, "the reference data are not there");
        return;
    }
    for (int k = 0; k < N_STATES; ++k) {
        char path[1024];
        TmlError err = {0};
        snprintf(path, sizeof path, "%s/%s", dir, state[k].file);
        t->name = state[k].file;
        const bool ran = run_short(t, path, &err);
        CHECK_INT(t, ran, state[k].why == NULL);
        if (!ran && state[k].why != NULL) {
            check_reasons(t, state[k].file, err.message, state[k].why);
        }
    }
}

TEST(no_dataset_is_left_out)
{
    static const char *const patterns[] = {"adm-files/*.adm", "adams-models/*/*.adm"};
    const char *dir = test_cases_dir();
    size_t n = 0;
    if (dir == NULL) {
        test_skip(t, "the reference data are not there");
        return;
    }
    for (int k = 0; k < 2; ++k) {
        char pattern[1024];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/%s", dir, patterns[k]);
        CHECK_INT(t, glob(pattern, 0, NULL, &found), 0);
        n += found.gl_pathc;
        globfree(&found);
    }
    CHECK_INT(t, n, N_STATES);
}

/* --- by way of YAML --------------------------------------------------------------------------- */

static TmlSim *run_model(TestCtx *t, const TmlModel *m)
{
    TmlSim *sim = NULL;
    TmlError err = {0};
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = o.output_step = 0.5;
    if (m != NULL && (tml_sim_create(m, &o, &sim, &err) != TML_OK ||
                      tml_sim_run(sim, no_row, NULL, &err) != TML_OK)) {
        test_fail(t, __FILE__, __LINE__, "%s", err.message);
    }
    return sim;
}

/* The same numbers are written and read, so the same steps follow: 1e-9 is what is asked for. */
static void check_round_trip(TestCtx *t, const char *path)
{
    TmlModel *notes = NULL, *first = NULL, *second = NULL;
    TmlError err = {0};
    char *text = NULL;
    t->name = path;
    CHECK_OK(t, tml_load(path, 0, NULL, NULL, &first, &err), &err);
    CHECK_OK(t, tml_convert(path, &notes, &text, &err), &err);
    CHECK_OK(t, tml_load_text(text != NULL ? text : "", "m.yaml", 0, NULL, NULL, &second, &err),
             &err);
    TmlSim *a = run_model(t, first), *b = run_model(t, second);
    const int n = a != NULL && b != NULL ? tml_row_channel_count(a) : 0;
    CHECK(t, n > 0 && n == tml_row_channel_count(b));
    for (int k = 0; k < n; ++k) {
        const double x = tml_row_channel(a, k), y = tml_row_channel(b, k);
        CHECK_NEAR(t, y, x, 1e-9 * fmax(1.0, fabs(x)));
    }
    tml_sim_free(a);
    tml_sim_free(b);
    tml_text_free(text);
    tml_model_free(notes);
    tml_model_free(first);
    tml_model_free(second);
}

TEST(the_way_by_yaml_gives_the_same_motion)
{
    glob_t found;
    if (!test_cases_glob(t, "adams-joints/*.adm", &found)) {
        return;
    }
    CHECK(t, found.gl_pathc >= 13);
    for (size_t k = 0; k < found.gl_pathc; ++k) {
        check_round_trip(t, found.gl_pathv[k]);
    }
    globfree(&found);
}

/* --- poses ------------------------------------------------------------------------------------ */

enum { MOST_POSES = 200 };

typedef struct Poses {
    int n;
    char name[MOST_POSES][80]; /* "part.X" with letters, digits and _ */
    double value[MOST_POSES];
} Poses;

static bool read_poses(const char *path, Poses *p)
{
    static char head[1 << 15], row[1 << 15];
    FILE *file = fopen(path, "r");
    const bool ok = file != NULL && fgets(head, sizeof head, file) != NULL &&
                    fgets(row, sizeof row, file) != NULL;
    char *h = head, *r = row;
    p->n = 0;
    while (ok && *h != '\0' && *h != '\n' && p->n < MOST_POSES) {
        const size_t n = strcspn(h, ",\r\n");
        snprintf(p->name[p->n], sizeof p->name[0], "%.*s", (int)n, h);
        for (char *c = p->name[p->n]; *c != '\0'; ++c) {
            *c = isalnum((unsigned char)*c) || *c == '.' ? *c : '_';
        }
        p->value[p->n++] = strtod(r, &r);
        r += *r == ',' ? 1 : 0;
        h += n + (h[n] == ',' ? 1 : 0);
    }
    if (file != NULL) {
        fclose(file);
    }
    return ok;
}

static double pose(const Poses *p, const char *part, const char *what)
{
    char name[160];
    snprintf(name, sizeof name, "%.60s_XFORM.%s", part, what);
    for (int k = 0; k < p->n; ++k) {
        if (strcmp(p->name[k], name) == 0) {
            return p->value[k];
        }
    }
    return (double)NAN;
}

/* Frames of all parts against the table; the number of those that it holds. */
static int check_poses(TestCtx *t, const TmlModel *m, const TmlSim *sim, const Poses *p)
{
    int found = 0;
    for (int b = 1; b < tml_model_body_count(m); ++b) {
        const TmlBody *body = &m->bodies.at[b];
        const double x = pose(p, body->name, "X");
        if (isnan(x)) {
            continue;
        }
        const TmlBodyState s = tml_row_body(sim, b);
        const TmlMat33 A = q4_matrix(s.orientation);
        const TmlVec3 r = v3_sub(s.position, m3_mulv(&A, body->cm));
        const double angle[3] = {pose(p, body->name, "PSI"), pose(p, body->name, "THETA"),
                                 pose(p, body->name, "PHI")};
        TmlMat33 R = m3_identity();
        for (int k = 0; k < 3; ++k) { // body-fixed 3-1-3
            const TmlVec3 axis = k == 1 ? v3(1, 0, 0) : v3(0, 0, 1);
            const TmlMat33 turn = q4_matrix(q4_exp(v3_scale(angle[k] * M_PI / 180.0, axis)));
            R = m3_mul(&R, &turn);
        }
        // digits of the dataset: parts are placed to 1e-10 m and 1e-11 rad
        t->name = body->name;
        CHECK_NEAR(t, v3_norm(v3_sub(r, v3(x, pose(p, body->name, "Y"), pose(p, body->name, "Z")))),
                   0.0, 1e-9);
        CHECK_NEAR(t, v3_norm(v3_sub(A.cx, R.cx)), 0.0, 1e-9);
        CHECK_NEAR(t, v3_norm(v3_sub(A.cz, R.cz)), 0.0, 1e-9);
        found++;
    }
    return found;
}

TEST(a_redundant_platform_stays_where_adams_has_it)
{
    static Poses poses;
    const char *dir = test_cases_dir();
    char path[1024];
    TmlModel *m = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    if (dir == NULL) {
        test_skip(t, "the reference data are not there");
        return;
    }
    snprintf(path, sizeof path, "%s/adams-models/rpr3_rest/rpr3_pose.csv", dir);
    CHECK(t, read_poses(path, &poses));
    snprintf(path, sizeof path, "%s/adams-models/rpr3_rest/rpr3_platform.adm", dir);
    CHECK_OK(t, tml_load(path, 0, NULL, NULL, &m, &err), &err);
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = o.output_step = 1.0;
    CHECK_OK(t, m != NULL ? tml_sim_create(m, &o, &sim, &err) : TML_E_MODEL, &err);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, no_row, NULL, &err), &err);
        CHECK(t, tml_sim_stats(sim).n_redundant > 0);
        CHECK(t, check_poses(t, m, sim, &poses) >= 11);
    }
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST_SUITE(adams_cases) = {CASE(what_runs_and_what_does_not),
                           CASE(no_dataset_is_left_out),
                           CASE(the_way_by_yaml_gives_the_same_motion),
                           CASE(a_redundant_platform_stays_where_adams_has_it),
                           {0}};
