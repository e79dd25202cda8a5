/* trammel/model.h - build, name, look up and finish a model. */
#pragma once

#include "trammel/contact.h"
#include "trammel/element.h"
#include "trammel/function.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlModel TmlModel;

/* Empty model with a ground body. On failure *out is NULL. */
TML_API TML_NODISCARD TmlStatus tml_model_create(TmlModel **out, TmlError *err);
TML_API void tml_model_free(TmlModel *model); /* NULL is fine */

/* Add the entries of a piece of model text (YAML or JSON), for example
 *     tml_model_add(m, "bodies: {ball: {type: point, mass: 2}}", &err)
 *
 * Any section may occur, any number of times; names must be new. All errors are in the message. */
TML_API TML_NODISCARD TmlStatus tml_model_add(TmlModel *model, const char *text, TmlError *err);

/* Let a parameter take the place of time in all expressions, for tml_sim_path; time itself is 0
 * then. Before the text that holds the parameter is added. As a plain number (a mass, a length) the
 * parameter is an error of the model. */
TML_API TML_NODISCARD TmlStatus tml_model_follow(TmlModel *model, const char *parameter,
                                                 TmlError *err);

/* Register a type of the caller's own before elements of that type are added. The table must
 * outlive the model. */
TML_API TML_NODISCARD TmlStatus tml_model_register_constraint(TmlModel *model,
                                                              const TmlConstraintType *type,
                                                              TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_model_register_force(TmlModel *model, const TmlForceType *type,
                                                         TmlError *err);

/* Laws of contact and of friction of the caller's own, for `law: name` under `contacts`; likewise. */
TML_API TML_NODISCARD TmlStatus tml_model_register_press(TmlModel *model, const TmlPressType *type,
                                                         TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_model_register_slip(TmlModel *model, const TmlSlipType *type,
                                                        TmlError *err);

/* A shape of the caller's own, for `shape: {name: ...}` of bodies; likewise. What it touches follows from the table
 * (support, distance): trammel/contact.h. */
TML_API TML_NODISCARD TmlStatus tml_model_register_shape(TmlModel *model, const TmlShapeType *type,
                                                         TmlError *err);

/* Register a function that the expressions of the model may call, before text that calls it is
 * added. The table and what its `user` points to must outlive the model. */
TML_API TML_NODISCARD TmlStatus tml_model_register_function(TmlModel *model,
                                                            const TmlUserFunction *function,
                                                            TmlError *err);

/* Resolve names, bind expressions, check. The model is constant afterwards. */
TML_API TML_NODISCARD TmlStatus tml_model_finish(TmlModel *model, TmlError *err);

/* Counts and names, ground included as body 0. Names are owned by the model; NULL out of range. */
TML_API int tml_model_body_count(const TmlModel *model);
TML_API const char *tml_model_body_name(const TmlModel *model, int index);
TML_API int tml_model_joint_count(const TmlModel *model);
TML_API const char *tml_model_joint_name(const TmlModel *model, int index);
TML_API int tml_model_state_count(const TmlModel *model); /* user states */
TML_API const char *tml_model_state_name(const TmlModel *model, int index);
/* The number that a name has; -1: unknown. Flexible bodies: tml_model_flexible_find; channels:
 * tml_sim_channel_find; force elements: tml_sim_force_find. */
TML_API int tml_model_body_find(const TmlModel *model, const char *name);
TML_API int tml_model_joint_find(const TmlModel *model, const char *name);
TML_API int tml_model_state_find(const TmlModel *model, const char *name);
TML_API const char *tml_model_title(const TmlModel *model);
TML_API TmlSpin tml_model_rotating_frame(const TmlModel *model); /* standing still: none */
/* Files that the model was read from: itself, what it includes, tables, meshes, libraries; NULL out
 * of range. None of them should be written over. */
TML_API const char *tml_model_input(const TmlModel *model, int index);
/* What a converted model leaves out without harm, "file:line:column: text"; NULL out of range. */
TML_API const char *tml_model_note(const TmlModel *model, int index);
/* What is most likely wrong in the model although it can be read, likewise; NULL out of range. */
TML_API const char *tml_model_warning(const TmlModel *model, int index);
/* Of these warnings those about what stands in the model for something that could not be read, or is
 * left out of it, because the caller asked for it: results are not those of the file. */
TML_API const char *tml_model_substitute(const TmlModel *model, int index);
/* Let what the reader would warn of be errors. Before text is added. */
TML_API void tml_model_strict(TmlModel *model, bool strict);
/* What user-written routines of a dataset have said so far; NULL out of range. */
TML_API const char *tml_model_message(const TmlModel *model, int index);
/* End of the simulated time that the model gives, s; NAN: none. */
TML_API double tml_model_end_time(const TmlModel *model);

#ifdef __cplusplus
}
#endif
