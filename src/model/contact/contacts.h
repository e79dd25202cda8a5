/* model/contact/contacts.h - the registries of shapes and laws, and what is asked of two shapes. */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/contact.h"

/* How the file of a type defines its table; contacts.def is read by contacts.c alone. */
#define TML_SHAPE_TYPE(name)                                                                       \
    extern const TmlShapeType tml_shape_##name;                                                    \
    const TmlShapeType tml_shape_##name
#define TML_PRESS_TYPE(name)                                                                       \
    extern const TmlPressType tml_press_##name;                                                    \
    const TmlPressType tml_press_##name
#define TML_SLIP_TYPE(name)                                                                        \
    extern const TmlSlipType tml_slip_##name;                                                      \
    const TmlSlipType tml_slip_##name
#define TML_ROLL_TYPE(name)                                                                        \
    extern const TmlRollType tml_roll_##name;                                                      \
    const TmlRollType tml_roll_##name

/* Each ends with NULL. */
extern const TmlShapeType *const tml_shape_types[];
extern const TmlPressType *const tml_press_types[];
extern const TmlSlipType *const tml_slip_types[];
extern const TmlRollType *const tml_roll_types[];

/* By name; NULL: unknown. */
const TmlShapeType *tml_find_shape_type(const char *name);
const TmlPressType *tml_find_press_type(const char *name);
const TmlSlipType *tml_find_slip_type(const char *name);
const TmlRollType *tml_find_roll_type(const char *name);

/* Checks the data of a shape and finishes them, with memory of the arena; once for each shape, before
 * it is asked for anything. from: the model file, or NULL. */
TML_NODISCARD TmlStatus tml_shape_prepare(const TmlShapeType *type, void *data, TmlArena *arena,
                                          const char *from, TmlError *err);

/* Memory of n items for a shape; leaves the calling function when there is none. */
#define TML_TAKE(setup, out, n)                                                                    \
    do {                                                                                           \
        (out) = (setup)->take((setup)->owner, (size_t)(n) * sizeof *(out));                        \
        if ((out) == NULL) {                                                                       \
            return tml_fail(err, TML_E_NOMEM, "out of memory (%zu items of %zu bytes)",            \
                            (size_t)(n), sizeof *(out));                                           \
        }                                                                                          \
    } while (0)

/* Whether tml_touch knows the pair. */
bool tml_can_touch(const TmlShapeType *first, const TmlShapeType *second);

/* A shape as contact sees it. */
typedef struct TmlShape {
    const TmlShapeType *type;
    const void *data;
} TmlShape;

/* All points of two shapes with a depth above -reach; second: its pose in the axes of the first. rate:
 * derivatives of each, or NULL. Returns how many, at most TML_TOUCH_MAX; -1: no such pair of types. A
 * pair and its swap give the same points. Of shapes farther apart than `reach` there are none. */
int tml_touch(const TmlShape *first, const TmlShape *second, const TmlPose *pose, double reach,
              TmlTouch *touch, TmlTouchRate *rate);
