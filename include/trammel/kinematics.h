/* trammel/kinematics.h - motions that are given: sections for a model, and tables over driven coordinates.
 *
 * A run with the options integrator "kinematics" and drive_channels (trammel/sim.h) needs no integration where the drives of a
 * model leave no degree of freedom, and tells their forces: inverse dynamics.
 */
#pragma once

#include "trammel/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Make the text for TmlLoadOptions.more that drives n joints; free it with tml_text_free. joint: "pin", or "slide.displacement" or
 * "ball.angle" where a joint has both. function: an expression of time, in rad or m, or a file "measured.csv:angle" (column; without it
 * the only one), or "measured.csv:angle:20" after a low pass of 20 Hz that shifts nothing in time. Its times are in s, and a cubic
 * spline goes through its points. Before a function, "velocity " and "acceleration " say that it is the rate or the second rate.
 *   TML_E_ARGUMENT  a text is none of these
 *   TML_E_IO        a file cannot be read */
TML_API TML_NODISCARD TmlStatus tml_motions_text(int n, const char *const *joint,
                                                 const char *const *function, char **out,
                                                 TmlError *err);

/* An axis of a workspace: the coordinate of a joint, which is driven for it, or a parameter of the model. */
typedef struct TmlWorkspaceAxis {
    const char *name;
    double from, to; /* rad or m */
    int count;       /* of values, equally spaced; from 1 */
} TmlWorkspaceAxis;

typedef struct TmlWorkspace TmlWorkspace;

/* Find the positions of a model over a grid, its drives at rest. Neighbours are reached from each other along the
 * motion of the drives, so that all belong to one way of assembling it. `load` NULL: as the file is. progress NULL: none; it
 * returns false to cancel.
 *   TML_E_MODEL     the axes leave degrees of freedom; the message names them
 *   TML_E_ARGUMENT  an axis is neither a joint nor a parameter */
TML_API TML_NODISCARD TmlStatus tml_workspace_create(
    const char *path, const TmlLoadOptions *load, int n, const TmlWorkspaceAxis *axis,
    bool (*progress)(void *user, int done, int all), void *user, TmlWorkspace **out, TmlError *err);
TML_API void tml_workspace_free(TmlWorkspace *w); /* NULL is fine */

TML_API int tml_workspace_points(const TmlWorkspace *w);
TML_API int tml_workspace_reached(const TmlWorkspace *w); /* of these */
TML_API int tml_workspace_axes(const TmlWorkspace *w);
/* The value of an axis at a point. The last axis changes fastest. NAN: out of range. */
TML_API double tml_workspace_at(const TmlWorkspace *w, int point, int axis);
/* Columns: "hold", which is 0 at singular positions and at most 1; the outputs of the model; the coordinate and the force at rest of each
 * drive. NULL: out of range. */
TML_API int tml_workspace_columns(const TmlWorkspace *w);
TML_API const char *tml_workspace_column(const TmlWorkspace *w, int column);
TML_API const char *tml_workspace_unit(const TmlWorkspace *w, int column);
/* NAN: the point was not reached. */
TML_API double tml_workspace_value(const TmlWorkspace *w, int point, int column);
/* Why a point was not reached; NULL: it was. */
TML_API const char *tml_workspace_why(const TmlWorkspace *w, int point);
/* Write all points: axes, reached (1 or 0), columns. */
TML_API TML_NODISCARD TmlStatus tml_workspace_write(const TmlWorkspace *w, const char *csv,
                                                    TmlError *err);

#ifdef __cplusplus
}
#endif
