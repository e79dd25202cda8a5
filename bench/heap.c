/* bench/heap.c - the model of a heap of balls in a box, as high as it is wide. */
#include "bench.h"

#include <math.h>

void bench_heap_text(const BenchHeap *h, char *text)
{
    snprintf(text, BENCH_TEXT,
             "trammel: 1\n"
             "parameters: {N: %d, E: %d, R: 0.05, d: %g, off: %g, aside: %g, down: %g}\n"
             "gravity: [0, 0, -9.81]\n"
             "ground:\n"
             "  shape:\n"
             "    - {half_space: {normal: z, name: floor}}\n"
             "    - {half_space: {normal: x, name: left}}\n"
             "    - {half_space: {normal: -x, position: [E*d, 0, 0], name: right}}\n"
             "    - {half_space: {normal: y, name: front}}\n"
             "    - {half_space: {normal: -y, position: [0, E*d, 0], name: back}}\n"
             "bodies:\n"
             "  for n in 0..N-1:\n"
             "    \"s{n}\":\n"
             "      mass: 1\n"
             "      inertia: [0.001, 0.001, 0.001]\n"
             "      position:\n"
             "        - \"d*(mod(n, E) + 0.5) + off*sin(7*n)\"\n"
             "        - \"d*(mod(aint(n/E), E) + 0.5) + off*sin(5*n)\"\n"
             "        - \"d*(aint(n/E/E) + 0.5)\"\n"
             "      velocity: [\"aside*sin(3*n)\", \"aside*sin(11*n)\", -down]\n"
             "      shape: {sphere: {radius: R}}\n"
             "contacts:\n"
             "  all: {between: all, law: hertz, young: %g, poisson: 0.3, restitution: %g, "
             "friction: {law: coulomb, dynamic: 0.3}}\n",
             h->n, (int)lround(cbrt(h->n)), h->distance, h->off, h->aside, h->down, h->young,
             h->restitution);
}
