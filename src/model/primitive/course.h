/* model/primitive/course.h - a coordinate that is given as a function of time, for driven constraints.
 *
 * For a function f that prescribes
 *
 *   (M2)  displacement:  g = f
 *   (M3)  velocity:      g = s_c + int f,                       from t_c to t
 *   (M4)  acceleration:  g = s_c + w_c (t - t_c) + int (t - x) f(x) dx,  g' = w_c + int f
 *
 * All three hold at position level, so nothing drifts and every integrator can use them. (M3) and
 * (M4) start from the initial motion and remember t_c, s_c = g(t_c), w_c = g'(t_c) of the last
 * accepted state; the integrals over one step are by Gauss's formula with 8 points, whose error is
 * of order h^17. Steps end where f has a kink.
 */
#pragma once

#include "model/measure/binding.h"

typedef struct TmlCourse {
    TmlBinding *function; /* of time only */
    int of;               /* displacement, velocity, acceleration */
    double s0, w0;        /* the coordinate and its rate at the start; NAN: as the ends stand */
} TmlCourse;

enum { TML_COURSE_MEMORY = 4 }; /* all zero before the first commit */

#define TML_COURSE_OF "displacement|velocity|acceleration"

/* Rows of the parameter table of Type, whose member `course` it is. */
#define TML_COURSE_PARAMS(Type)                                                                    \
    {"function",                                                                                   \
     TML_PARAM_EXPR,                                                                               \
     TML_ANY,                                                                                      \
     "",                                                                                           \
     offsetof(Type, course.function),                                                              \
     NULL,                                                                                         \
     "function of time, in rad or m, or these per s or s^2",                                       \
     NULL},                                                                                        \
        {"of",                                                                                     \
         TML_PARAM_CHOICE,                                                                         \
         TML_ANY,                                                                                  \
         "",                                                                                       \
         offsetof(Type, course.of),                                                                \
         "displacement",                                                                           \
         "what the function prescribes: the coordinate, its rate or its second rate",              \
         TML_COURSE_OF},                                                                           \
        {"initial",                                                                                \
         TML_PARAM_REAL,                                                                           \
         TML_ANY,                                                                                  \
         "",                                                                                       \
         offsetof(Type, course.s0),                                                                \
         "",                                                                                       \
         "the coordinate at the start if a rate is prescribed; default: that of the initial "      \
         "positions",                                                                              \
         NULL},                                                                                    \
    {                                                                                              \
        "initial_rate", TML_PARAM_REAL, TML_ANY, "", offsetof(Type, course.w0), "",                \
            "its rate at the start if the second rate is prescribed; default: that of the "        \
            "initial velocities",                                                                  \
            NULL                                                                                   \
    }

/* Check the function; s, w: the coordinate and its rate at the start, where none are given. */
TML_NODISCARD TmlStatus tml_course_prepare(TmlCourse *course, double s, double w, TmlError *err);

/* g and its first three derivatives at in->t. */
void tml_course_at(const TmlCourse *course, const TmlElementIn *in, double g[4]);

/* Memory after an accepted state; of a constraint that joins at coordinate s with rate w. */
void tml_course_commit(const TmlCourse *course, const TmlElementIn *in, double *memory);
void tml_course_begin(double t, double s, double w, double *memory);
