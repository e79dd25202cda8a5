/* bench/peers/mujoco_run.c - P1, P2 and P3 by MuJoCo's RK4 with fixed steps.
 *
 *   mujoco_run p1|p2|p3 N STEP REPEATS
 *
 * Writes the model as MJCF, times mj_step over the run (least of REPEATS) and prints the far ends of the rods; of P3 the largest
 * energy error of 1000 rows. Loops of P3 are closed by `connect`, solref with stiffness 3/h^2 and critical damping, two Newton
 * iterations: the settings that were best of those tried.
 */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXT = 1 << 22, ROWS = 1000 };

static char text[TEXT];
static size_t used;

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define ADD(...) (used += (size_t)snprintf(text + used, TEXT - used, __VA_ARGS__))

static void begin(const char *name, double h)
{
    ADD("<mujoco model='%s'><compiler inertiafromgeom='false'/>"
        "<size njmax='4000' nconmax='10'/>"
        "<option timestep='%.17g' gravity='0 -9.81 0' integrator='RK4' solver='Newton' "
        "iterations='2' tolerance='1e-8'><flag contact='disable' energy='enable' "
        "warmstart='enable'/>"
        "</option><worldbody>",
        name, h);
}

/* A chain along x; the joint of a rod is at its near end. */
static void chain(int n, double h, int balls)
{
    const double L = 10.0 / n, J = L * L / 12.0, along = (L / 20.0) * (L / 20.0) / 2.0;
    begin(balls ? "p1" : "p2", h);
    for (int k = 0; k < n; ++k) {
        ADD("<body pos='%.17g 0 0'><inertial pos='%.17g 0 0' mass='1' diaginertia='%.17g %.17g "
            "%.17g'/>"
            "<joint type='%s' axis='0 0 1'/>",
            k == 0 ? 0.0 : L, 0.5 * L, along, J, J, balls ? "ball" : "hinge");
    }
    for (int k = 0; k < n; ++k) {
        ADD("</body>");
    }
    ADD("</worldbody></mujoco>");
}

/* Posts hang at the ground, each but the last carries a beam whose end is connected to the next post. */
static void windows(int n, double h)
{
    const double J = 1.0 / 12.0, tiny = 1e-9, w = -30.0;
    (void)w;
    begin("p3", h);
    for (int k = 0; k <= n; ++k) {
        ADD("<body name='post%d' pos='%d 0 0'><inertial pos='0 .5 0' mass='1' diaginertia='%.17g "
            "%.17g %.17g'/>"
            "<joint type='hinge' axis='0 0 1'/>",
            k, k, J, tiny, J);
        if (k < n) {
            ADD("<body name='beam%d' pos='0 1 0'><inertial pos='.5 0 0' mass='1' "
                "diaginertia='%.17g %.17g "
                "%.17g'/><joint type='hinge' axis='0 0 1'/></body>",
                k + 1, tiny, J, J);
        }
        ADD("</body>");
    }
    ADD("</worldbody><equality>");
    for (int k = 1; k <= n; ++k) {
        ADD("<connect body1='beam%d' body2='post%d' anchor='1 0 0' solref='%.17g %.17g' "
            "solimp='.9999 .9999 1e-6'/>",
            k, k, -3.0 / (h * h), -2.0 * sqrt(3.0) / h);
    }
    ADD("</equality></mujoco>");
}

static mjModel *compile(void)
{
    static mjVFS files;
    char error[1000] = "";
    mj_defaultVFS(&files);
    if (mj_makeEmptyFileVFS(&files, "m.xml", (int)used) != 0) {
        return NULL;
    }
    const int at = mj_findFileVFS(&files, "m.xml");
    memcpy(files.filedata[at], text, used);
    mjModel *m = mj_loadXML("m.xml", &files, error, sizeof error);
    if (m == NULL) {
        fprintf(stderr, "%s\n", error);
    }
    mj_deleteVFS(&files);
    return m;
}

/* All posts turn at -30 rad/s, beams do not turn. */
static void start(const mjModel *m, mjData *d, int is_p3)
{
    mj_resetData(m, d);
    for (int b = 1; b < m->nbody && is_p3; ++b) {
        const int post = m->body_parentid[b] == 0;
        d->qvel[m->body_dofadr[b]] = post ? -30.0 : 30.0;
    }
    mj_forward(m, d);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        return 2;
    }
    const int p3 = strcmp(argv[1], "p3") == 0, n = atoi(argv[2]), repeats = atoi(argv[4]);
    const double h = atof(argv[3]), end = p3 ? 10.0 : 1.0;
    const int steps = (int)lround(end / h);
    if (p3) {
        windows(n, h);
    } else {
        chain(n, h, strcmp(argv[1], "p1") == 0);
    }
    mjModel *m = compile();
    if (m == NULL) {
        return 1;
    }
    mjData *d = mj_makeData(m);
    double best = HUGE_VAL, worst = 0.0;
    for (int r = 0; r < repeats; ++r) {
        start(m, d, p3);
        const double began = cpu();
        for (int k = 0; k < steps; ++k) {
            mj_step(m, d);
        }
        best = fmin(best, cpu() - began);
    }
    mj_forward(m, d);
    printf("cpu %.9g\nsteps %d\n", best, steps);
    for (int b = 1; b < m->nbody && !p3; ++b) {
        const double L = 10.0 / n, *x = d->xpos + 3 * b, *A = d->xmat + 9 * b;
        printf("point %.17g %.17g %.17g\n", x[0] + L * A[0], x[1] + L * A[3], x[2] + L * A[6]);
    }
    if (p3) {
        const double *A = d->xmat + 9; // of the first post
        printf("value x %.17g\nvalue y %.17g\n", A[1], A[4]);
        start(m, d, p3);
        const double first = d->energy[0] + d->energy[1];
        for (int k = 0; k < steps; ++k) {
            mj_step(m, d);
            if (k % (steps / ROWS > 0 ? steps / ROWS : 1) == 0) {
                mj_energyPos(m, d); // mj_step leaves the energies of the step's start
                mj_energyVel(m, d);
                mj_forward(m, d);
                worst = fmax(worst, fabs(d->energy[0] + d->energy[1] - first));
            }
        }
        printf("energy %.9g\n", worst);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
