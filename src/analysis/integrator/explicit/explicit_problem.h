/* analysis/integrator/explicit/explicit_problem.h - the mechanism as explicit methods see it: an ordinary
 * differential equation y' = f(t, y) of n numbers.
 *
 *   (X1)  y = (positions, velocities, X),  f = (rates of positions, accelerations, X')
 *
 * What the positions are is the matter of the type: coordinates of all bodies, closed on the constraints
 * (explicit_absolute.c) or put onto them at ends of steps (explicit_projected.c), or coordinates of joints. A method holds y and f of its steps as plain vectors, forms sums
 * of them, and asks for f; a state of the system is made of them at the end of a step.
 *
 *   restart   begin: y and f of it->now
 *   attempt   prepare, then rates at each stage, finish at the end of the step, norm of the error, state to it->next
 *   dense     state at the y and f of a polynomial
 *   row       the same on the constraints, with accelerations and multipliers solved for
 */
#pragma once

#include "analysis/integrator/integrator.h"
#include "system/recursion/recursion.h"

typedef struct TmlExplicit TmlExplicit;

typedef struct TmlExplicitType {
    const char *name;
    bool guesses; /* rates begin from what f holds */

    /* Allocates in it->arena and sets n. */
    TML_NODISCARD TmlStatus (*setup)(TmlExplicit *p, TmlError *err);
    void (*teardown)(TmlExplicit *p);

    /* Fills y[n] and f[n] at it->now, which is on the constraints and has its accelerations. What was y before means
     * nothing from then on. */
    void (*begin)(TmlExplicit *p, double *y, double *f);

    /* Before each try of a step from it->now, whose y is given. */
    TML_NODISCARD TmlStatus (*prepare)(TmlExplicit *p, const double *y, TmlError *err);

    /* Computes f[n] at t and y[n], which is put first where the constraints are. f holds a guess. That there is no f is an
     * outcome: out->converged and out->cause tell. */
    TML_NODISCARD TmlStatus (*rates)(TmlExplicit *p, double t, double *y, double *f,
                                     TmlAttempt *out, TmlError *err);

    /* The same at the end of a step, whose local error is about e[n], or NULL: y[n] is put onto the constraints in the way that
     * leaves less of it. */
    TML_NODISCARD TmlStatus (*finish)(TmlExplicit *p, double t, double *y, double *f,
                                      const double *e, TmlAttempt *out, TmlError *err);

    /* Returns the norm of the change h dy[n] at the last y, in tolerances. *at is the unknown where it is largest; it may be
     * NULL. */
    double (*norm)(TmlExplicit *p, const double *dy, double h, int *at);

    /* The same of a part of dy that costs next to nothing to look at, to compare changes that are alike. */
    double (*norm_part)(TmlExplicit *p, const double *dy, double h);

    /* Fills s at t with the motion of y[n] and f[n]. `solved`: f is that of y, as rates or finish has last given it, and multipliers,
     * variables and forces belong to it. */
    void (*state)(TmlExplicit *p, double t, const double *y, const double *f, bool solved,
                  TmlState *s);

    /* Puts y[n] at t onto the constraints, computes f[n] there and fills s with all of it, multipliers of all rows as well: leaves no
     * trace. False: it cannot. NULL: never. */
    bool (*row)(TmlExplicit *p, double t, double *y, double *f, TmlState *s);

    /* Estimates in passing, from changes dy and df of y and f, the rate with which accelerations answer positions. NULL: it has to be found out. */
    double (*answer)(const TmlExplicit *p, const double *dy, const double *df);

    /* Reads the powers at the last y of rates or finish. NULL: they are not known. */
    void (*power)(TmlExplicit *p, TmlPower *out);
} TmlExplicitType;

struct TmlExplicit {
    const TmlExplicitType *type;
    TmlIntegrator *it;
    int n;
    bool weak;  /* near a singular position: norm_part says nothing */
    void *work; /* the type's own */
};

extern const TmlExplicitType
    tml_explicit_absolute; /* closed on independent coordinates at each evaluation */
extern const TmlExplicitType
    tml_explicit_projected; /* stages as they are, ends of steps moved least */
extern const TmlExplicitType tml_explicit_recursive; /* joint coordinates; stages as they are */

/* The option `coordinates` of explicit methods. */
typedef enum TmlCoordinatesChoice {
    TML_COORDINATES_AUTO,
    TML_COORDINATES_RECURSIVE,
    TML_COORDINATES_ABSOLUTE
} TmlCoordinatesChoice;

#define TML_COORDINATES_PARAM(type)                                                                \
    {                                                                                              \
        "coordinates", TML_PARAM_CHOICE, TML_ANY, "", offsetof(type, coordinates), "auto",         \
            "recursive: of joints, by a recursion over the tree of bodies; absolute: of bodies; "  \
            "auto: recursive where the model allows it",                                           \
            "auto|recursive|absolute"                                                              \
    }

/* Sets *p up as recursive or as `absolute`, by the choice and the model, and notes in it->coordinates which. */
TML_NODISCARD TmlStatus tml_explicit_setup_by(TmlExplicit *p, TmlCoordinatesChoice choice,
                                              const TmlExplicitType *absolute, TmlIntegrator *it,
                                              TmlError *err);
/* Notes in it->coordinates that they are those of r, or of bodies and why. */
void tml_coordinates_note(TmlIntegrator *it, const char *why, const TmlRecursion *r);
/* Whether `auto` takes recursive at s and a tolerance; NAN: one of the defaults. */
bool tml_explicit_fits_joints(TmlSystem *sys, const TmlState *s, double tolerance);
/* Why a recursion does not suit its model at a tolerance; NULL: it does. */
struct TmlRecursion;
const char *tml_joints_unfit(const struct TmlRecursion *r, double tolerance);

/* Sets *p up as one of the type. */
TML_NODISCARD TmlStatus tml_explicit_setup(TmlExplicit *p, const TmlExplicitType *type,
                                           TmlIntegrator *it, TmlError *err);
void tml_explicit_teardown(TmlExplicit *p); /* also after a failed setup */
