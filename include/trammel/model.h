/* trammel/model.h - build, name, look up and finish a model. */
#pragma once

#include "trammel/contact.h"
#include "trammel/element.h"
#include "trammel/function.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlModel TmlModel;

/* Create an empty model, which has a ground body. On failure *out is NULL. */
TML_API TML_NODISCARD TmlStatus tml_model_create(TmlModel **out, TmlError *err);
TML_API void tml_model_free(TmlModel *model); /* NULL is fine */

/* Add the entries of a piece of model text (YAML or JSON), for example
 *     tml_model_add(m, "bodies: {ball: {type: point, mass: 2}}", &err)
 *
 * Any section may occur, any number of times. Names must be new. The message lists all errors. */
TML_API TML_NODISCARD TmlStatus tml_model_add(TmlModel *model, const char *text, TmlError *err);

/* Let a parameter take the place of time in all expressions, for tml_sim_path; `time` itself is then 0.
 * Call this before the text that defines the parameter is added. A model that uses the parameter where
 * it needs a constant number (a mass, a length) is wrong. */
TML_API TML_NODISCARD TmlStatus tml_model_follow(TmlModel *model, const char *parameter,
                                                 TmlError *err);

/* Register a user-defined type of joint or force. Do so before elements of that type are added. The
 * table must outlive the model. */
TML_API TML_NODISCARD TmlStatus tml_model_register_constraint(TmlModel *model,
                                                              const TmlConstraintType *type,
                                                              TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_model_register_force(TmlModel *model, const TmlForceType *type,
                                                         TmlError *err);

/* Register a user-defined law of contact or of friction, for `law: name` under `contacts`. The same rules
 * hold. */
TML_API TML_NODISCARD TmlStatus tml_model_register_press(TmlModel *model, const TmlPressType *type,
                                                         TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_model_register_slip(TmlModel *model, const TmlSlipType *type,
                                                        TmlError *err);

/* Register a user-defined shape, for `shape: {name: ...}` of bodies. The same rules hold. Which shapes it can touch
 * follows from the functions of the table (support, distance); see trammel/contact.h. */
TML_API TML_NODISCARD TmlStatus tml_model_register_shape(TmlModel *model, const TmlShapeType *type,
                                                         TmlError *err);

/* Register a function that the expressions of the model may call, before text that calls it is
 * added. The table and what its `user` points to must outlive the model. */
TML_API TML_NODISCARD TmlStatus tml_model_register_function(TmlModel *model,
                                                            const TmlUserFunction *function,
                                                            TmlError *err);

/* Resolve names, bind expressions and check the model. It is constant afterwards. */
TML_API TML_NODISCARD TmlStatus tml_model_finish(TmlModel *model, TmlError *err);

/* Counts and names. Ground is body 0. The model owns the names; an index out of range gives NULL. */
TML_API int tml_model_body_count(const TmlModel *model);
TML_API const char *tml_model_body_name(const TmlModel *model, int index);
TML_API int tml_model_joint_count(const TmlModel *model);
TML_API const char *tml_model_joint_name(const TmlModel *model, int index);
TML_API int tml_model_state_count(const TmlModel *model); /* entries of `states` */
TML_API const char *tml_model_state_name(const TmlModel *model, int index);
/* Index of the entry with this name; -1: there is none. For flexible bodies call tml_model_flexible_find,
 * for channels tml_sim_channel_find, for force elements tml_sim_force_find. */
TML_API int tml_model_body_find(const TmlModel *model, const char *name);
TML_API int tml_model_joint_find(const TmlModel *model, const char *name);
TML_API int tml_model_state_find(const TmlModel *model, const char *name);
TML_API const char *tml_model_title(const TmlModel *model);
/* The section `rotating_frame`; a model without one gives a rate of zero. */
TML_API TmlSpin tml_model_rotating_frame(const TmlModel *model);
/* Files that the model was read from: the model file, the files that it includes, tables, meshes,
 * libraries; NULL out of range. Do not overwrite any of them. */
TML_API const char *tml_model_input(const TmlModel *model, int index);
/* What the conversion of a model left out without changing the motion, as "file:line:column: text"; NULL
 * out of range. */
TML_API const char *tml_model_note(const TmlModel *model, int index);
/* What is most likely a mistake although the model can be read, in the same form; NULL out of range. */
TML_API const char *tml_model_warning(const TmlModel *model, int index);
/* Those warnings that tell what was replaced or left out because it could not be read and the caller
 * allowed it (TmlLoadOptions.solids): the results are not those of the original file. */
TML_API const char *tml_model_substitute(const TmlModel *model, int index);
/* Turn warnings of the reader into errors. Call this before text is added. */
TML_API void tml_model_strict(TmlModel *model, bool strict);
/* Messages that user-written routines of a dataset have sent so far; NULL out of range. */
TML_API const char *tml_model_message(const TmlModel *model, int index);
/* End time that the model gives, s; NAN: it gives none. */
TML_API double tml_model_end_time(const TmlModel *model);

#ifdef __cplusplus
}
#endif
