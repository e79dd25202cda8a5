/* model/primitive/course.c - a coordinate that is given as a function of time. */
#include "model/primitive/course.h"

#include "base/fail.h"

#include <math.h>

enum { OF_DISPLACEMENT, OF_VELOCITY, OF_ACCELERATION };

/* Places in memory. */
enum { STARTED, T_C, S_C, W_C };

TmlStatus tml_course_prepare(TmlCourse *course, double s, double w, TmlError *err)
{
    const TmlBinding *f = course->function;
    if (f->uses_motion || f->uses_twist || f->uses_acceleration || f->n_unknowns > 0) {
        return tml_fail(err, TML_E_MODEL,
                        "'%s' reads the state; the function of a motion may depend on time only",
                        f->text);
    }
    course->s0 = isnan(course->s0) ? s : course->s0;
    course->w0 = isnan(course->w0) ? w : course->w0;
    return TML_OK;
}

/* Integrals from a to b of f(x) and of (b - x) f(x). */
static void integrals(const TmlBinding *f, double a, double b, double *work, double I[2])
{
    static const double node[4] = {0.18343464249564980494, 0.52553240991632898582,
                                   0.79666647741362673959, 0.96028985649753623168};
    static const double weight[4] = {0.36268378337836198297, 0.31370664587788728734,
                                     0.22238103445337447054, 0.10122853629037625915};
    const double half = 0.5 * (b - a);
    I[0] = I[1] = 0.0;
    for (int k = 0; k < 8; ++k) {
        const double x = k % 2 == 0 ? node[k / 2] : -node[k / 2];
        double d[4];
        tml_binding_time(f, a + half * (1.0 + x), work, d);
        I[0] += half * weight[k / 2] * d[0];
        I[1] += half * weight[k / 2] * half * (1.0 - x) * d[0];
    }
}

void tml_course_at(const TmlCourse *course, const TmlElementIn *in, double g[4])
{
    double f[4];
    tml_binding_time(course->function, in->t, in->work, f);
    if (course->of == OF_DISPLACEMENT) {
        for (int k = 0; k < 4; ++k) {
            g[k] = f[k]; // (M2)
        }
        return;
    }
    double s = course->s0, w = course->w0, h = 0.0, I[2] = {0.0, 0.0};
    if (in->memory[STARTED] != 0.0) {
        s = in->memory[S_C];
        w = in->memory[W_C];
        h = in->t - in->memory[T_C];
        integrals(course->function, in->memory[T_C], in->t, in->work, I);
    }
    if (course->of == OF_VELOCITY) {
        g[0] = s + I[0]; // (M3)
        g[1] = f[0];
        g[2] = f[1];
        g[3] = f[2];
    } else {
        g[0] = s + w * h + I[1]; // (M4)
        g[1] = w + I[0];
        g[2] = f[0];
        g[3] = f[1];
    }
}

void tml_course_commit(const TmlCourse *course, const TmlElementIn *in, double *memory)
{
    double g[4];
    tml_course_at(course, in, g);
    tml_course_begin(in->t, g[0], g[1], memory);
}

void tml_course_begin(double t, double s, double w, double *memory)
{
    memory[STARTED] = 1.0;
    memory[T_C] = t;
    memory[S_C] = s;
    memory[W_C] = w;
}
