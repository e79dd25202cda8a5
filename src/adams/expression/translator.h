/* adams/expression/translator.h - the translator of function expressions, shared by its files. */
#pragma once

#include "adams/dataset/dataset.h"

enum { TML_ADM_MAX_ARGS = 64, TML_ADM_WORD_MAX = 64 };

typedef struct TmlAdmTranslator {
    TmlAdm *adm;
    TmlAdmItem *item;
    TmlAdmText *out;
    int depth;
    int component;     /* of a vector that is written; -1: a number */
    const char *delay; /* what is written is taken this much earlier; NULL: now */
    bool spelled;      /* variables as their functions: a constraint cannot wait for their values */
    int n_spelled;
    bool turning; /* axes of floating markers along curves stand for those of the curve */
    bool *moves;  /* with delay: becomes true, and nothing is reported, when what is written
                   * depends on more than time */
} TmlAdmTranslator;

typedef struct TmlAdmCall {
    const char *name; /* in capitals */
    TmlAdmSlice at, arg[TML_ADM_MAX_ARGS];
    char behind[TML_ADM_MAX_ARGS]; /* ',' or ':' or ')' */
    int n;
} TmlAdmCall;

/* One function: what it is in the guide, how many arguments it takes, and who writes it. */
typedef struct TmlAdmFunction TmlAdmFunction;
typedef bool TmlAdmWriter(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f);
struct TmlAdmFunction {
    const char *name, *group;
    int min_args, max_args;
    TmlAdmWriter *write;
    int length, time;    /* of the motion: exponents of the unit; FX..: component */
    const char *keyword; /* of an element: its statement */
};

/* What is asked of a marker: a floating one stands where I is, with the axes of its part. */
typedef enum TmlAdmRole { TML_ADM_PLACE, TML_ADM_AXES, TML_ADM_VELOCITY } TmlAdmRole;

/* A marker by its identifier; 0 is ground. NULL: reported. */
const char *tml_adm_frame_of(TmlAdmTranslator *t, TmlAdmSlice arg, TmlAdmRole role);
/* A statement by its identifier; NULL: reported. */
TmlAdmItem *tml_adm_element_of(TmlAdmTranslator *t, TmlAdmSlice arg, const char *keyword);
int tml_adm_whole_number(TmlAdmTranslator *t, TmlAdmSlice arg); /* -1: it is none */

/* The same of a floating one. */
const char *tml_adm_floating_frame(TmlAdmTranslator *t, TmlAdmSlice arg, TmlAdmItem *marker,
                                   TmlAdmRole role);
/* Velocities and accelerations of floating markers of moving parts: are there any, and as an
 * expression. */
bool tml_adm_has_floating(TmlAdmTranslator *t, const TmlAdmCall *call);
bool tml_adm_write_floating(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f,
                            double unit);
/* Displacements of which one marker is a contact of a CVCV. */
bool tml_adm_write_distance(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f,
                            double unit);

/* A floating marker that follows a curve. */
typedef struct TmlAdmFollower {
    const char *carrier; /* the frame in whose axes the curve is written */
    const char *curve;   /* its path */
    const char *place;   /* expression of the place along it */
    bool plane; /* of a CVCV: z is that of the carrier, and the place that of the contact */
} TmlAdmFollower;

/* A marker of a function: a frame, or one that follows. */
typedef struct TmlAdmMotionEnd {
    bool follows;
    const char *frame; /* NULL: it follows */
    TmlAdmFollower follower;
} TmlAdmMotionEnd;

/* The element whose floating marker this is; NULL: none. *on_i: it is its IFLOAT. */
const TmlAdmItem *tml_adm_floats_in(TmlAdm *adm, const TmlAdmItem *marker, bool *on_i);
/* Does a marker follow a curve? */
bool tml_adm_follower(TmlAdmTranslator *t, TmlAdmSlice arg, TmlAdmFollower *out);
/* Angles and axes of which one marker follows. */
TmlAdmWriter tml_adm_write_turned_angle;
/* A component along an axis of one; *written: it is one. false: reported. */
bool tml_adm_write_along_follower(TmlAdmTranslator *t, const TmlAdmCall *call,
                                  const TmlAdmFunction *f, bool *written);
/* Argument k as a place, of which only contacts of a CVCV follow; ground when it is not there. */
bool tml_adm_read_place(TmlAdmTranslator *t, const TmlAdmCall *call, int k, TmlAdmMotionEnd *out);
/* Component c of i from j, and their distance. */
void tml_adm_write_gap_size(TmlAdmText *out, const TmlAdmMotionEnd *i, const TmlAdmMotionEnd *j);
void tml_adm_write_gap(TmlAdmText *out, const TmlAdmMotionEnd *i, const TmlAdmMotionEnd *j, int c,
                       const char *along);

TmlAdmWriter tml_adm_write_measure, tml_adm_write_angle, tml_adm_write_orient,
    tml_adm_write_included_angle, tml_adm_write_element, tml_adm_write_between,
    tml_adm_write_variable, tml_adm_write_rate, tml_adm_write_sensor, tml_adm_write_entry,
    tml_adm_write_spline, tml_adm_write_vector, tml_adm_write_axis, tml_adm_write_magnitude,
    tml_adm_write_nforce, tml_adm_write_friction, tml_adm_write_curve, tml_adm_write_interpolation,
    tml_adm_write_density, tml_adm_write_delay, tml_adm_write_along, tml_adm_write_contact,
    tml_adm_write_modal;

/* TIME, less a delay unless that is NULL. */
void tml_adm_write_time(TmlAdmTranslator *t, const char *delay);

/* Does an expression depend on nothing but TIME and S, by functions of mathematics? */
bool tml_adm_is_plain(TmlAdmSlice s);

/* Functions that give a vector, in capitals. */
bool tml_adm_is_vector(const char *name);
bool tml_adm_has_vectors(TmlAdmSlice s);
/* An expression of vectors that is a number. false: reported. */
bool tml_adm_write_vectors(TmlAdmTranslator *t, TmlAdmSlice s);

/* Write an expression, or a call of a function, in our language. false: reported. */
bool tml_adm_translate(TmlAdmTranslator *t, TmlAdmSlice s);
bool tml_adm_write_call(TmlAdmTranslator *t, const TmlAdmCall *call);
/* Write the number, name or function at k; the place behind it, -1: reported. */
int tml_adm_write_operand(TmlAdmTranslator *t, TmlAdmSlice s, int k);
/* The function at k with its arguments; the place behind it, 0: no function, -1: reported. */
int tml_adm_read_call(TmlAdmTranslator *t, TmlAdmSlice s, int k, char word[TML_ADM_WORD_MAX],
                      TmlAdmCall *call);
/* One level of nesting more, also when it is too deep, which is reported: the caller takes it back.
 */
bool tml_adm_deeper(TmlAdmTranslator *t, TmlAdmSlice s);
/* An error about a place; what holds one %s. Returns false. */
bool tml_adm_refuse(TmlAdmTranslator *t, TmlAdmSlice at, const char *what, const char *word)
    __attribute__((format(printf, 3, 0)));

/* Are values and operators in turn, and parentheses closed? Reports where not. */
bool tml_adm_is_formed(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice s);
