/* tests/io/test_report.c - reports: kept rows are those of the results, left out ones within the
 * bound that the report states; names are text; bad files are told. */
#include "report_util.h"

#include "math/vec3.h"

#include <signal.h>
#include <sys/wait.h>

enum { ROWS = 40000, BODIES = 2, VALUES = 7 * BODIES + 2 + 1 };

static const char model_text[] =
    "trammel: 1\n"
    "title: \"</script><b>Pendel</b> \\\"zwei\\\" \\U0001F600\"\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod1: {mass: 3, inertia: [0.01, 1, 1], position: [1, 0, 0]}\n"
    "  \"Rührer #2\":\n"
    "    {mass: 1, inertia: [0.01, 0.2, 0.2], position: [2, -1, 0],\n"
    "     rotation: {axis: z, angle: -pi/2},\n"
    "     shape: {sphere: {radius: 0.1, color: \"</script>,\\\"mesh\\\":0\"}}}\n"
    "joints:\n"
    "  pin1: {type: revolute, bodies: [ground, rod1], at: [0, 0, 0], axis: z}\n"
    "  pin2: {type: revolute, bodies: [rod1, \"Rührer #2\"], at: [2, 0, 0], axis: z}\n"
    "simulate: {end: 2, output_step: 0.01}\n"
    "outputs:\n"
    "  theta1: {value: angle(pin1), unit: \"<script>alert(1)</script>\"}\n"
    "  load: reaction(pin1).fx\n";

/* Rows of a run: time, positions, orientations, two channels, a reaction. */
typedef struct Rows {
    int n;
    double t[ROWS], x[ROWS][3 * BODIES], q[ROWS][4 * BODIES], channel[ROWS][2], fx[ROWS];
} Rows;

static void collect(void *user, const TmlSim *sim)
{
    Rows *r = user;
    if (r->n == ROWS) {
        return;
    }
    r->t[r->n] = tml_row_time(sim);
    for (int k = 0; k < BODIES; ++k) {
        const TmlBodyState b = tml_row_body(sim, k + 1);
        memcpy(&r->x[r->n][3 * k], &b.position, 3 * sizeof(double));
        memcpy(&r->q[r->n][4 * k], &b.orientation, 4 * sizeof(double));
    }
    r->channel[r->n][0] = tml_row_channel(sim, 0);
    r->channel[r->n][1] = tml_row_channel(sim, 1);
    r->fx[r->n] = tml_row_reaction(sim, 1).force.x;
    r->n++;
}

/* --- kept rows -------------------------------------------------------------------------------- */

/* Index of the row at time t. */
static int row_at(const Rows *rows, double t)
{
    int low = 0, high = rows->n - 1;
    while (low < high) {
        const int k = (low + high) / 2;
        if (rows->t[k] < t) {
            low = k + 1;
        } else {
            high = k;
        }
    }
    return rows->t[low] == t ? low : -1;
}

/* Frames as a viewer has them. */
typedef struct Frames {
    int n;
    double *t, *x, *q;
} Frames;

static void frames_read(TestCtx *t, const Report *r, Frames *f)
{
    int n = 0, width = 0;
    f->t = block_read(t, r, find(r->header, "frames.time"), &f->n, &width);
    f->x = block_read(t, r, find(r->header, "frames.position"), &n, &width);
    CHECK_INT(t, n, f->n);
    CHECK_INT(t, width, 3 * BODIES);
    f->q = block_read(t, r, find(r->header, "frames.orientation"), &n, &width);
    CHECK_INT(t, n, f->n);
    CHECK_INT(t, width, 4 * BODIES);
}

static void frames_free(Frames *f)
{
    free(f->t);
    free(f->x);
    free(f->q);
}

static void check_kept(TestCtx *t, const Report *r, const Frames *f, const Rows *rows)
{
    const double size = number_at(r->header, "scene.size");
    int bad = 0;
    for (int k = 0; k < f->n; ++k) {
        const int row = row_at(rows, f->t[k]);
        bad += row < 0;
        for (int c = 0; row >= 0 && c < 3 * BODIES; ++c) {
            // half a unit of integers of 2^-24 of the size
            bad += fabs(f->x[3 * BODIES * k + c] - rows->x[row][c]) > ldexp(size, -25) * 1.01;
        }
        for (int b = 0; row >= 0 && b < BODIES; ++b) {
            const double *a = &f->q[4 * (BODIES * k + b)], *q = &rows->q[row][4 * b];
            const double s = a[0] * q[0] + a[1] * q[1] + a[2] * q[2] + a[3] * q[3];
            // four rounding errors of 2^-26 each, squared
            bad += fabs(fabs(s) - 1.0) > 4e-8;
            const double *before = &f->q[4 * (BODIES * (k > 0 ? k - 1 : 0) + b)];
            bad += before[0] * a[0] + before[1] * a[1] + before[2] * a[2] + before[3] * a[3] < 0.0;
        }
    }
    CHECK_INT(t, bad, 0);
}

TEST(small_runs_are_kept_whole)
{
    Folder f;
    Report r;
    Frames frames;
    TmlError err = {0};
    Rows *rows = calloc(1, sizeof *rows);
    folder_open(t, &f);
    run_text(t, &f, model_text, NULL, collect, rows);
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        int n = 0, width = 0;
        frames_read(t, &r, &frames);
        CHECK_INT(t, frames.n, rows->n);
        CHECK_INT(t, number_at(r.header, "frames.of"), rows->n);
        check_kept(t, &r, &frames, rows);
        frames_free(&frames);
        double *v = block_read(t, &r, find(r.header, "channels.groups.0.values"), &n, &width);
        CHECK_INT(t, n, rows->n);
        CHECK_STR(t, text_at(r.header, "channels.groups.0.items.1.name"), "load");
        for (int k = 0; k < n; ++k) { // the same bits
            CHECK(t,
                  v[width * k] == rows->channel[k][0] && v[width * k + 1] == rows->channel[k][1]);
        }
        free(v);
        v = block_read(t, &r, find(r.header, "frames.reactions"), &n, &width);
        CHECK_INT(t, width, 12);
        for (int k = 0; k < n; ++k) {
            CHECK(t, v[12 * k + 6] == (double)(float)rows->fx[k]);
        }
        free(v);
        CHECK_INT(t, number_at(r.header, "counts.dof"), 2);
        CHECK_STR(t, text_at(r.header, "status"), "done");
        CHECK_INT(t, number_at(r.header, "solver.kept"), number_at(r.header, "solver.of"));
        CHECK(t, number_at(r.header, "run.statistics.steps") > 0.0);
        CHECK_HAS(t, text_at(r.header, "run.command"), "trammel run bench.yaml --integrator auto");
    }
    report_close(&r);
    free(rows);
    folder_close(&f);
}

/* Titles and names come back as they are, and none of their bytes stands in the page itself. */
TEST(names_are_text)
{
    Folder f;
    Report r;
    TmlError err = {0};
    folder_open(t, &f);
    run_text(t, &f, model_text, NULL, NULL, NULL);
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        CHECK_STR(t, text_at(r.header, "title"), "</script><b>Pendel</b> \"zwei\" \U0001F600");
        CHECK_STR(t, text_at(r.header, "scene.bodies.2.name"), "Rührer #2");
        CHECK_STR(t, text_at(r.header, "scene.bodies.2.shapes.0.color"), "</script>,\"mesh\":0");
        CHECK_STR(t, text_at(r.header, "channels.groups.0.items.0.unit"),
                  "<script>alert(1)</script>");
        CHECK_STR(t, text_at(r.header, "run.model"), model_text);
        CHECK(t, strstr(r.html, "alert") == NULL && strstr(r.html, "Pendel") == NULL);
        CHECK(t, strstr(r.html, "<!--TRAMMEL-DATA-->") == NULL);
        CHECK(t, strncmp(r.html, test_page, 20) == 0);
        CHECK(t, strcmp(r.html + strlen(r.html) - 16, test_page + strlen(test_page) - 16) == 0);
    }
    report_close(&r);
    folder_close(&f);
}

/* A ball that lies on a floor: the report has the point and the weight in every row, and zeros for points that are not
 * there. */
TEST(contacts_are_in_reports)
{
    static const char *const text =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies: {ball: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0.09998038],\n"
        "                shape: {sphere: {radius: 0.1}}}}\n"
        "contacts: {floor: {between: [ball, ground], law: linear, stiffness: 1e6}}\n"
        "simulate: {end: 0.1, output_step: 0.02}\n";
    Folder f;
    Report r;
    TmlError err = {0};
    folder_open(t, &f);
    run_text(t, &f, text, NULL, NULL, NULL);
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        int n = 0, width = 0;
        double *v = block_read(t, &r, find(r.header, "frames.contacts"), &n, &width);
        const int points = width / 6;
        CHECK_INT(t, n, 6);
        CHECK(t, points > 1);
        for (int k = 0; k < n; ++k) {
            const double *point = v + (size_t)width * (size_t)k, *force = point + 3 * points;
            // rounding to floats, and of the place of rest times the stiffness: 1e-12 m times 1e6 N/m
            CHECK_NEAR(t, point[0], 0.3, 2e-8);
            CHECK_NEAR(t, fabs(force[2]), 2.0 * 9.81, 1e-5); // as above
            CHECK_NEAR(t, force[3], 0.0, 0.0);
        }
        free(v);
    }
    report_close(&r);
    folder_close(&f);
}

/* --- thinning --------------------------------------------------------------------------------- */

/* Angle between two orientations. */
static double angle_between(TmlQuat a, TmlQuat b)
{
    const TmlQuat d = q4_mul(q4_conj(a), b);
    return 2.0 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

static TmlQuat slerp(const double *a, const double *b, double tau)
{
    double dot = 0.0, out[4];
    for (int c = 0; c < 4; ++c) {
        dot += a[c] * b[c];
    }
    const double s = dot < 0.0 ? -1.0 : 1.0, angle = acos(fmin(fabs(dot), 1.0));
    const double u = angle > 1e-9 ? sin((1.0 - tau) * angle) / sin(angle) : 1.0 - tau;
    const double v = angle > 1e-9 ? sin(tau * angle) / sin(angle) : tau;
    for (int c = 0; c < 4; ++c) {
        out[c] = u * a[c] + s * v * b[c];
    }
    return q4_unit((TmlQuat){out[0], out[1], out[2], out[3]});
}

/* Largest distance and angle between the frames and all rows. */
static void largest_error(const Frames *f, const Rows *rows, double *distance, double *angle)
{
    *distance = *angle = 0.0;
    for (int k = 0, i = 0; k < rows->n; ++k) {
        while (i + 2 < f->n && f->t[i + 1] < rows->t[k]) {
            i++;
        }
        const double tau = (rows->t[k] - f->t[i]) / (f->t[i + 1] - f->t[i]);
        for (int b = 0; b < BODIES; ++b) {
            double d2 = 0.0;
            for (int c = 0; c < 3; ++c) {
                const int at = 3 * (BODIES * i + b) + c;
                const double x = (1.0 - tau) * f->x[at] + tau * f->x[at + 3 * BODIES];
                d2 += (x - rows->x[k][3 * b + c]) * (x - rows->x[k][3 * b + c]);
            }
            *distance = fmax(*distance, sqrt(d2));
            const double *q = &rows->q[k][4 * b], *from = &f->q[4 * (BODIES * i + b)];
            const TmlQuat shown = slerp(from, from + 4 * BODIES, tau);
            *angle = fmax(*angle, angle_between(shown, (TmlQuat){q[0], q[1], q[2], q[3]}));
        }
    }
}

/* Largest error of the first curve of a group, relative to its range. */
static double curve_error(TestCtx *t, const Report *r, const TmlValue *group, const double *want,
                          size_t stride, const Rows *rows, int *kept)
{
    int n = 0, width = 0;
    double *time = block_read(t, r, find(group, "time"), &n, &width);
    double *v = block_read(t, r, find(group, "values"), &n, &width);
    double low = want[0], high = want[0], most = 0.0;
    for (int k = 0, i = 0; k < rows->n; ++k) {
        const double x = want[(size_t)k * stride];
        while (i + 2 < n && time[i + 1] < rows->t[k]) {
            i++;
        }
        const double tau = (rows->t[k] - time[i]) / (time[i + 1] - time[i]);
        most = fmax(most, fabs((1.0 - tau) * v[i * width] + tau * v[(i + 1) * width] - x));
        low = fmin(low, x);
        high = fmax(high, x);
    }
    *kept = n;
    free(time);
    free(v);
    return most / (high - low);
}

TEST(left_out_rows_stay_within_the_bound)
{
    Folder f;
    Report r;
    Frames frames;
    TmlError err = {0};
    Rows *rows = calloc(1, sizeof *rows);
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 10.0;
    o.output_step = 0.001;
    folder_open(t, &f);
    run_text(t, &f, model_text, &o, collect, rows);
    CHECK_INT(t, rows->n, 10001); // more than 4 MB: rows are left out
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        double distance = 0.0, angle = 0.0;
        int kept = 0;
        const double size = number_at(r.header, "scene.size");
        const double allowed = number_at(r.header, "frames.error_bound.position");
        const double turn = number_at(r.header, "frames.error_bound.angle");
        frames_read(t, &r, &frames);
        check_kept(t, &r, &frames, rows);
        largest_error(&frames, rows, &distance, &angle);
        // the statement of the report, and rounding of what it stores
        CHECK(t, distance <= allowed + ldexp(size, -24));
        CHECK(t, angle <= turn + 1e-7);
        CHECK_NEAR(t, allowed, 5e-4 * size, 1e-15 * size);
        // a bound that is used: rows that are left out come near to it
        CHECK(t, distance > 0.1 * allowed);
        CHECK_INT(t, number_at(r.header, "frames.kept"), frames.n);
        CHECK(t, frames.n < rows->n / 5);
        CHECK(t, frames.t[0] == rows->t[0] && frames.t[frames.n - 1] == rows->t[rows->n - 1]);
        frames_free(&frames);
        for (int k = 0; k < 2; ++k) {
            char path[64];
            snprintf(path, sizeof path, "channels.groups.%d", k);
            const TmlValue *group = find(r.header, path);
            const double error = curve_error(t, &r, group, &rows->channel[0][k], 2, rows, &kept);
            // rounding to floats is the reason of 1e-6
            CHECK(t, error <= number_at(group, "error_bound") + 1e-6);
            CHECK(t, error > 0.1 * number_at(group, "error_bound"));
            CHECK(t, kept < rows->n / 4);
        }
        struct stat info;
        CHECK(t, stat(in_folder(&f, "a.html"), &info) == 0 && info.st_size < 3000000);
    }
    report_close(&r);
    free(rows);
    folder_close(&f);
}

/* --- bad files -------------------------------------------------------------------------------- */

static void check_refused(TestCtx *t, const Folder *f, const char *name, const char *part)
{
    TmlError err = {0};
    CHECK_INT(t, tml_report(in_folder(f, name), in_folder(f, "a.html"), &f->options, &err),
              TML_E_IO);
    CHECK_HAS(t, err.message, part);
    CHECK_HAS(t, err.message, name);
    struct stat info;
    CHECK(t, stat(in_folder(f, "a.html"), &info) != 0);
}

TEST(foreign_and_damaged_files_are_told)
{
    Folder f;
    struct stat info;
    folder_open(t, &f);
    run_text(t, &f, model_text, NULL, NULL, NULL);
    check_refused(t, &f, "none.h5", "No such file");
    write_bytes(in_folder(&f, "b.h5"), "hello", 5);
    check_refused(t, &f, "b.h5", "not an HDF5 file");
    write_bytes(in_folder(&f, "b.h5"), "", 0);
    check_refused(t, &f, "b.h5", "not an HDF5 file");
    CHECK(t, stat(in_folder(&f, "a.h5"), &info) == 0);
    char *bytes = calloc(1, (size_t)info.st_size);
    FILE *file = fopen(in_folder(&f, "a.h5"), "rb");
    CHECK(t, fread(bytes, 1, (size_t)info.st_size, file) == (size_t)info.st_size);
    fclose(file);
    // cut off anywhere: refused with the file's name, or, where only unused bytes are gone, read
    for (int k = 1; k < 8; ++k) {
        TmlError err = {0};
        write_bytes(in_folder(&f, "b.h5"), bytes, (size_t)(info.st_size * k / 8));
        CHECK_INT(t, tml_report(in_folder(&f, "b.h5"), in_folder(&f, "b.html"), &f.options, &err),
                  TML_E_IO);
        CHECK_HAS(t, err.message, "b.h5");
    }
    free(bytes);
    folder_close(&f);
}

TEST(without_a_page_there_is_advice)
{
    Folder f;
    TmlError err = {0};
    folder_open(t, &f);
    f.options.viewer = in_folder(&f, "none.html");
    CHECK_INT(t, tml_report_check(&f.options, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "none.html");
    write_bytes(f.page, "<p>", 3);
    f.options.viewer = f.page;
    CHECK_INT(t, tml_report_check(&f.options, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "no place");
    folder_close(&f);
}

/* --- running and killed ----------------------------------------------------------------------- */

/* Rows without end into a.h5, until killed. */
static void write_forever(const Folder *f)
{
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlWriter *w = NULL;
    TmlError err;
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 1e6;
    TmlStatus status = tml_load_text(model_text, "bench.yaml", 0, NULL, NULL, &model, &err);
    status = status == TML_OK ? tml_sim_create(model, &o, &sim, &err) : status;
    status = status == TML_OK ? tml_writer_open(in_folder(f, "a.h5"), sim, &w, &err) : status;
    RunRows rows = {.writer = w};
    if (status == TML_OK) {
        (void)!tml_sim_run(sim, run_row, &rows, &err);
    }
    _exit(1);
}

TEST(running_and_killed_runs_have_reports)
{
    Folder f;
    Report r;
    TmlError err = {0};
    struct stat info;
    folder_open(t, &f);
    const pid_t child = fork();
    if (child == 0) {
        write_forever(&f);
    }
    for (int k = 0; k < 5000 && stat(in_folder(&f, "a.h5"), &info) != 0; ++k) {
        usleep(1000);
    }
    usleep(700000); // rows wait at most half a second
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        CHECK_STR(t, text_at(r.header, "status"), "running");
        CHECK(t, number_at(r.header, "run.rows") > 0.0);
        const TmlValue *statistics = find(r.header, "run.statistics");
        CHECK(t, statistics != NULL && statistics->kind == TML_VALUE_NULL);
    }
    report_close(&r);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CHECK_OK(t, tml_report(in_folder(&f, "a.h5"), in_folder(&f, "a.html"), &f.options, &err), &err);
    if (report_open(t, &r, in_folder(&f, "a.html"))) {
        CHECK_HAS(t, text_at(r.header, "status"), "killed");
    }
    report_close(&r);
    folder_close(&f);
}

TEST_SUITE(io_report) = {CASE(small_runs_are_kept_whole),
                         CASE(names_are_text),
                         CASE(contacts_are_in_reports),
                         CASE(left_out_rows_stay_within_the_bound),
                         CASE(foreign_and_damaged_files_are_told),
                         CASE(without_a_page_there_is_advice),
                         CASE(running_and_killed_runs_have_reports),
                         {0}};
