/* bench/peers/simbody_run.cpp - P1 and P2 by Simbody's RungeKuttaMerson integrator.
 *
 *   simbody_run p1|p2 N ACCURACY REPEATS
 *
 * Debian's library is built with assertions and bounds checks: about half of its time is what a release build takes.
 */
#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

using namespace SimTK;

static double cpu()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        return 2;
    }
    const bool balls = std::strcmp(argv[1], "p1") == 0;
    const int n = std::atoi(argv[2]), repeats = std::atoi(argv[4]);
    const double L = 10.0 / n, J = L * L / 12.0, along = (L / 20.0) * (L / 20.0) / 2.0;
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    Force::Gravity gravity(forces, matter, -YAxis, 9.81);
    // inertia about the near end of the rod, where its joint is
    const Vec3 com(0.5 * L, 0, 0);
    const Inertia inertia(along, J + 0.25 * L * L, J + 0.25 * L * L);
    const Body::Rigid rod(MassProperties(1.0, com, inertia));
    std::vector<MobilizedBody> bodies;
    MobilizedBody parent = matter.Ground();
    for (int k = 0; k < n; ++k) {
        const Transform at(Vec3(k == 0 ? 0.0 : L, 0, 0));
        if (balls) {
            parent = MobilizedBody::Ball(parent, at, rod, Transform());
        } else {
            parent = MobilizedBody::Pin(parent, at, rod, Transform());
        }
        bodies.push_back(parent);
    }
    system.realizeTopology();
    double best = 1e30;
    for (int r = 0; r < repeats; ++r) {
        State state = system.getDefaultState();
        RungeKuttaMersonIntegrator method(system);
        method.setAccuracy(std::atof(argv[3]));
        TimeStepper stepper(system, method);
        stepper.initialize(state);
        const double began = cpu();
        stepper.stepTo(1.0);
        best = std::min(best, cpu() - began);
        if (r == repeats - 1) {
            const State &end = stepper.getState();
            system.realize(end, Stage::Position);
            std::printf("cpu %.9g\nsteps %d\n", best, method.getNumStepsTaken());
            for (const MobilizedBody &b : bodies) {
                const Vec3 p = b.findStationLocationInGround(end, Vec3(L, 0, 0));
                std::printf("point %.17g %.17g %.17g\n", p[0], p[1], p[2]);
            }
        }
    }
    return 0;
}
