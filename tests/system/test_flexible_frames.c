/* tests/system/test_flexible_frames.c - expressions of many frames of flexible and rigid bodies.
 *
 * For every kind of flexible element a model is made up: a mesh that is clamped to a moving rigid
 * body, frames at random places of it (some in one element, some at nodes, some beside the axis),
 * frames of two rigid bodies, and random expressions of them in variables, states, a force, a
 * constraint and an output. Each expression is a sum of terms f(to, from); the same sum is put
 * together here from expressions that look at a single frame. Matrices are compared with
 * differences.
 */
#include "stage_probe.h"
#include "step_probe.h"

#include "model/flexible/mesh.h"
#include "model/registry.h"
#include "system/system_internal.h"

#include <stdarg.h>

enum { PLACES = 6, FRAMES = PLACES + 4, TERMS = 5, SUMS = 4, TEXT = 16384 };

/* Frames: f0 to f5 and both ends of the mesh, one of each rigid body. */
static const char *const frame_name[FRAMES] = {"mesh.f0", "mesh.f1", "mesh.f2", "mesh.f3",
                                               "mesh.f4", "mesh.f5", "mesh",    "mesh.far",
                                               "block.p", "other.p"};

/* What a single frame is asked for, each with three components: sums are of the first four; the
 * last are the components of its x axis. */
enum { D, V, ACC, W, AXIS, MEASURES };
static const char *const measure_name[MEASURES] = {"D", "V", "ACC", "W", "C"};

/* factor * NAMEaxis(to, from); from -1: ground */
typedef struct Term {
    int measure, axis, to, from;
    double factor;
} Term;

typedef struct Frames {
    const TmlFlexType *type;
    Term sum[SUMS][TERMS];
    char text[TEXT];
    size_t length;
} Frames;

static void say(Frames *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(Frames *m, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(m->text + m->length, TEXT - m->length, fmt, args);
    va_end(args);
    m->length += n > 0 ? (size_t)n : 0;
}

static int pick(TestCtx *t, int n)
{
    const int k = (int)test_random(t, 0, n);
    return k < n ? k : n - 1;
}

/* Frames 0 and 1 lie in one element, frame 2 at a node, frame 3 at the node of frame 2 again. */
static double place(TestCtx *t, int k)
{
    return k == 0   ? test_random(t, 0.36, 0.48)
           : k == 1 ? test_random(t, 0.52, 0.63)
           : k <= 3 ? 2.0 / 3.0
                    : test_random(t, 0.05, 0.95);
}

static void say_mesh(TestCtx *t, Frames *m)
{
    const bool patch = m->type->topology == TML_FLEX_PATCH;
    const bool spins = patch || tml_mesh_has_section(m->type); // else nothing beside the axis
    say(m, "  mesh: {type: %s, material: {E: 1e4, nu: 0.3, density: 100, damping: 1e-3}, ",
        m->type->info.name);
    say(m, patch ? "patch: {origin: [0, 0, 0], x: [1, 0, 0], y: [0, 0.5, 0]}, elements: [3, 1], "
                   "section: {thickness: 0.05}, edges: {left: {clamp: block}}, "
                 : "line: [[0, 0, 0], [1, 0, 0]], elements: 3, section: {height: 0.1, width: 0.1}, "
                   "start: {clamp: block}, ");
    say(m, "frames: {far: {at: %s}", patch ? "[1, 1]" : "1");
    for (int k = 0; k < PLACES; ++k) {
        const double u = place(t, k), v = test_random(t, 0.1, 0.9);
        say(m, patch ? ", f%d: {at: [%.17g, %.17g]" : ", f%d: {at: %.17g", k, u, v);
        // in the plane an offset stays there
        say(m, spins && (k == 3 || k == 5) ? ", position: [%.3g, %.3g, 0]}" : "}", 0.03, -0.05);
    }
    say(m, "}}\n");
}

static void say_sum(Frames *m, const Term *sum)
{
    for (int i = 0; i < TERMS; ++i) {
        say(m, "%s%.17g*%s%c(%s%s%s)", i > 0 ? " + " : "", sum[i].factor,
            measure_name[sum[i].measure], "XYZ"[sum[i].axis], frame_name[sum[i].to],
            sum[i].from >= 0 ? ", " : "", sum[i].from >= 0 ? frame_name[sum[i].from] : "");
    }
}

static void random_sum(TestCtx *t, int measures, Term *sum)
{
    for (int i = 0; i < TERMS; ++i) {
        sum[i] = (Term){pick(t, measures), pick(t, 3), pick(t, FRAMES), pick(t, FRAMES + 1) - 1,
                        test_random(t, -2, 2)};
    }
}

/* Sums: of all measures (variable), of motion and velocity (state, force), of positions. */
static void say_model(TestCtx *t, Frames *m, const TmlFlexType *type)
{
    static const int measures[SUMS] = {W + 1, V + 1, V + 1, D + 1};
    m->type = type;
    m->length = 0;
    for (int k = 0; k < SUMS; ++k) {
        random_sum(t, measures[k], m->sum[k]);
    }
    say(m,
        "trammel: 1\nbodies:\n"
        "  block: {mass: 2, inertia: [0.1, 0.2, 0.25], frames: {p: {position: [0.1, 0.2, -0.1]}}}\n"
        "  other: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [0.5, 0.7, 0.2],\n"
        "          frames: {p: {position: [-0.1, 0.2, 0.3]}}}\n"
        "flexible:\n");
    say_mesh(t, m);
    say(m, "variables:\n");
    for (int k = 0; k < FRAMES * MEASURES * 3; ++k) {
        const int measure = k / 3 % MEASURES;
        say(m, "  s%d: %s%c%s(%s)\n", k, measure_name[measure], "XYZ"[k % 3],
            measure == AXIS ? "X" : "", frame_name[k / 3 / MEASURES]);
    }
    for (int k = 0; k < SUMS; ++k) {
        say(m, "  sum%d: \"", k);
        say_sum(m, m->sum[k]);
        say(m, "\"\n");
    }
    say(m, "  far: \"DM(mesh.f0, mesh.f1) - 2*DM(mesh.f1, mesh.f4)*VR(mesh.f4, mesh.f0)\"\n"
           "  turn: \"2*CXX(mesh.f0, mesh.f1) - CXX(mesh.f4, block.p)\"\n"
           "  angles: \"YAW(mesh.f0, mesh.f1)*AZ(mesh.far, mesh.f4) + WZ(mesh.f0, mesh.f4, "
           "mesh.f1)\"\n"
           "states:\n  x: {rate: \"sin(");
    say_sum(m, m->sum[1]);
    say(m, ")\"}\nforces:\n  push: {type: force, frames: [mesh.f4, mesh.f0], fx: \"");
    say_sum(m, m->sum[2]);
    say(m, "\", fy: \"DX(mesh.f1, mesh.f0)^2 - x\"}\n"
           "  band: {type: spring, frames: [mesh.f0, mesh.far], stiffness: 50, damping: 3, "
           "free_length: 0.2}\n"
           "  near: {type: spring, frames: [mesh.f0, mesh.f1], stiffness: 70, damping: 2, "
           "free_length: 0.05}\n");
    if (tml_mesh_has_section(type)) {
        say(m, "  bush: {type: bushing, frames: [mesh.f4, mesh.f1], "
               "stiffness: [50, 60, 70, 2, 3, 4], damping: [1, 2, 3, 0.1, 0.2, 0.3]}\n");
    }
    say(m, "joints:\n"
           "  rod: {type: distance, frames: [mesh.f4, mesh.far]}\n"
           "  keep: {type: expression, expression: \"sin(");
    say_sum(m, m->sum[3]);
    say(m, ") + DM(mesh.f1, other.p)*DM(mesh.f5, mesh.f0)\"}\n"
           "outputs: {out: \"");
    say_sum(m, m->sum[0]);
    say(m, "\", delta: \"DX(mesh.far) - DX(mesh.f0)\"}\n");
}

/* Value of variable k at the state of the last residual, p->e. */
static double variable(const Probe *p, int k)
{
    const TmlSystem *sys = p->sys;
    return p->s.V[k] - p->e[sys->dim.nu + sys->dim.m + sys->dim.nx + k];
}

static double single(const Probe *p, int frame, int measure, int axis)
{
    return frame >= 0 ? variable(p, (frame * MEASURES + measure) * 3 + axis) : 0.0;
}

static double sum_of_singles(const Probe *p, const Term *sum, double *size)
{
    double value = 0.0;
    for (int i = 0; i < TERMS; ++i) {
        const Term *x = &sum[i];
        const double to = single(p, x->to, x->measure, x->axis);
        const double from = single(p, x->from, x->measure, x->axis);
        value += x->factor * (to - from);
        *size += fabs(x->factor) * (fabs(to) + fabs(from));
    }
    return value;
}

static double distance(const Probe *p, int a, int b, double *rate)
{
    double d2 = 0.0, dv = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double d = single(p, a, D, k) - single(p, b, D, k);
        d2 += d * d;
        dv += d * (single(p, a, V, k) - single(p, b, V, k));
    }
    *rate = dv / sqrt(d2);
    return sqrt(d2);
}

/* Cosine of the angle between the x axes. */
static double cosine(const Probe *p, int a, int b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        sum += single(p, a, AXIS, k) * single(p, b, AXIS, k);
    }
    return sum;
}

/* Rounding of some tens of terms; V and e differ by up to the size of V. */
static void check_values(TestCtx *t, Frames *m, Probe *p)
{
    enum { FIRST_SUM = FRAMES * MEASURES * 3 };
    double r1, r2, r3;
    probe_residual(p, 0.0);
    for (int k = 0; k < SUMS; ++k) {
        double size = 1.0;
        const double want = sum_of_singles(p, m->sum[k], &size);
        CHECK_NEAR(t, variable(p, FIRST_SUM + k), want, 1e-14 * size);
    }
    const double d01 = distance(p, 0, 1, &r1), d14 = distance(p, 1, 4, &r2);
    (void)distance(p, 4, 0, &r3);
    CHECK_NEAR(t, variable(p, FIRST_SUM + SUMS), d01 - 2.0 * d14 * r3, 1e-13);
    CHECK_NEAR(t, variable(p, FIRST_SUM + SUMS + 1), 2.0 * cosine(p, 0, 1) - cosine(p, 4, 8),
               1e-14);
    tml_system_kinematics(p->sys, &p->s, true);
    double size = 1.0;
    const double out = sum_of_singles(p, m->sum[0], &size);
    CHECK_NEAR(t, tml_system_channel(p->sys, &p->s, 0), out, 1e-14 * size);
    CHECK_NEAR(t, tml_system_channel(p->sys, &p->s, 1), single(p, 7, D, 0) - single(p, 0, D, 0),
               1e-14);
}

static void check_kind(TestCtx *t, Frames *m, const ProbeKind *kind)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    CHECK_OK(t, tml_load_text(m->text, "frames.yaml", 0, NULL, NULL, &model, &err), &err);
    if (model == NULL) {

        return;
    }
    Probe p = probe_open(t, model, kind);
    for (int n = 0; n < 2; ++n) {
        probe_random_state(t, &p);
        if (kind == &step_kind) {
            check_values(t, m, &p);
        }
        probe_check(t, &p);
    }
    probe_close(&p);
    tml_model_free(model);
}

TEST(every_frame_of_an_expression_is_its_own)
{
    enum { MODELS = 4 };
    static Frames m;
    for (const TmlFlexType *const *type = tml_flex_types; *type != NULL; ++type) {
        t->name = (*type)->info.name;
        for (int k = 0; k < MODELS; ++k) {
            say_model(t, &m, *type);
            check_kind(t, &m, &step_kind);
            check_kind(t, &m, &stage_kind);
        }
    }
    t->name = NULL;
}

TEST_SUITE(flexible_frames) = {CASE(every_frame_of_an_expression_is_its_own), {0}};
