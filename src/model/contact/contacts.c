/* model/contact/contacts.c - lists of all shapes and laws, made from contacts.def. */
#include "model/contact/contacts.h"

#include "base/find.h"

#define TML_PAIR(first, second)
#define TML_SHAPE(name) extern const TmlShapeType tml_shape_##name;
#define TML_PRESS(name) extern const TmlPressType tml_press_##name;
#define TML_SLIP(name) extern const TmlSlipType tml_slip_##name;
#define TML_ROLL(name) extern const TmlRollType tml_roll_##name;
#include "model/contact/contacts.def"
#undef TML_SHAPE
#undef TML_PRESS
#undef TML_SLIP

#define TML_SHAPE(name) &tml_shape_##name,
#define TML_PRESS(name)
#define TML_SLIP(name)
const TmlShapeType *const tml_shape_types[] = {
#include "model/contact/contacts.def"
    NULL};
#undef TML_SHAPE
#undef TML_PRESS

#define TML_SHAPE(name)
#define TML_PRESS(name) &tml_press_##name,
const TmlPressType *const tml_press_types[] = {
#include "model/contact/contacts.def"
    NULL};
#undef TML_PRESS
#undef TML_SLIP

#define TML_PRESS(name)
#define TML_SLIP(name) &tml_slip_##name,
const TmlSlipType *const tml_slip_types[] = {
#include "model/contact/contacts.def"
    NULL};
#undef TML_SLIP

#define TML_SLIP(name)
#define TML_ROLL(name) &tml_roll_##name,
const TmlRollType *const tml_roll_types[] = {
#include "model/contact/contacts.def"
    NULL};

TML_FIND_TYPE(tml_find_shape_type, TmlShapeType, tml_shape_types)
TML_FIND_TYPE(tml_find_press_type, TmlPressType, tml_press_types)
TML_FIND_TYPE(tml_find_slip_type, TmlSlipType, tml_slip_types)
TML_FIND_TYPE(tml_find_roll_type, TmlRollType, tml_roll_types)

static void *take(void *owner, size_t bytes)
{
    return tml_arena_alloc(owner, bytes, 1);
}

TmlStatus tml_shape_prepare(const TmlShapeType *type, void *data, TmlArena *arena, const char *from,
                            TmlError *err)
{
    const TmlShapeSetup setup = {take, arena, from};
    if (type->check != NULL) {
        TML_TRY(type->check(data, err));
    }
    return type->prepare != NULL ? type->prepare(data, &setup, err) : TML_OK;
}
