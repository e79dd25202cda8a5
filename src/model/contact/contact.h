/* model/contact/contact.h - shapes of bodies and entries of `contacts`: who touches whom, and by which law. */
#pragma once

#include "model/contact/material.h"
#include "model/contact/pair_force.h"

typedef struct TmlModel TmlModel;
typedef struct TmlValue TmlValue;

/* Surfaces that points travel over (model/flexible/sheet.h): of a patch, of a flat beam along x and its y or z. */
typedef enum TmlSheetKind {
    TML_SHEET_NONE,
    TML_SHEET_PATCH,
    TML_SHEET_Y,
    TML_SHEET_Z
} TmlSheetKind;

/* A shape of a body, in pictures and in contacts. */
typedef struct TmlBodyShape {
    const char *name;     /* "ball", or "ball.rim" for a shape with a name of its own */
    const char *group;    /* NULL: none */
    const char *color;    /* NULL: the picture chooses */
    const char *material; /* name in `materials`; NULL: none */
    int made_of;          /* its number; -1: none */
    int body;
    TmlShape shape;
    TmlPose place; /* from the origin of the body's coordinates, in its axes */
    bool finished; /* its type has prepared it */
    bool slides;   /* the model says that it does not roll: that of a point body, on purpose */
    /* A station of a flexible body, of which the shape is a part: a sphere about a point of the middle line or surface. */
    int element; /* one more than the number of the element; 0: the shape is that of a rigid body */
    bool face;   /* that is a patch: weights are areas */
    bool segment;       /* it travels over the element, to where another shape is closest */
    TmlSheetKind sheet; /* of a segment: over which surface; none: along the axis */
    double reach;       /* m: how far that of a flat beam goes to both sides */
    bool open[4]; /* of a segment: it begins, or ends, with its element along x; the same along y */
    int station;  /* its number in the flexible body, from 0 */
    int point;    /* one more than the number of its point in TmlModel.points, when all is read */
    double xi[3]; /* its place in the element */
    int corner
        [2]; /* of a segment that is open there: one more than the element that goes on from here at an angle; 0: none */
    double weight; /* m or m^2: the length or area that it stands for; 0 of rigid bodies */
    bool
        mutual; /* its flexible body has segments, too: two such bodies of one kind see each other twice */
    const TmlValue *source;
} TmlBodyShape;

/* An entry of `materials`. */
typedef struct TmlNamedMaterial {
    const char *name;
    TmlContactMaterial is;
} TmlNamedMaterial;

/* Where the force of a contact acts: midway between the surfaces, or on one of them. */
typedef enum TmlContactActs { TML_ACTS_MIDDLE, TML_ACTS_FIRST, TML_ACTS_SECOND } TmlContactActs;
#define TML_ACTS_CHOICES "middle|first|second"

/* One entry of `contacts`. */
typedef struct TmlContact {
    const char *name;
    TmlContactLaw law; /* press NULL: these never touch */
    const TmlContactLaw
        *by_material; /* NULL: law is that of all pairs; else tml_contact_law chooses */
    const unsigned char
        *side[2];    /* one flag for each shape: belongs to the first, the second group */
    int rank;        /* how precisely it names its shapes: the more precise one holds */
    bool neighbours; /* also bodies that share a joint */
    TmlSided sided;  /* which onsets and releases steps end on; of jumps: those of laws that jump */
    bool closest;    /* flexible lines touch at single points, which travel, not by the metre */
    TmlContactActs acts; /* on which side of `between` forces act */
    const TmlValue *source;
} TmlContact;

/* What an expression asks of contacts. */
typedef enum TmlContactAsked {
    TML_CONTACT_FORCE, /* N: sum of the normal forces */
    TML_CONTACT_FX,    /* N: of all forces on a body, along x, y, z */
    TML_CONTACT_FY,
    TML_CONTACT_FZ,
    TML_CONTACT_TX, /* N m: of these about its centre of mass */
    TML_CONTACT_TY,
    TML_CONTACT_TZ,
    TML_CONTACT_COUNT, /* of points that touch */
    TML_CONTACT_DEPTH, /* m: the largest; negative: minus the smallest gap */
    TML_CONTACT_POWER, /* W: of all forces on the bodies */
} TmlContactAsked;

/* One such value: over all pairs of an entry of which a body, or two, are part. */
typedef struct TmlContactValue {
    TmlContactAsked asked;
    int contact; /* -1: any */
    int body[2]; /* -1: any; the first: whose forces are meant */
} TmlContactValue;

/* Whether the entry speaks of two shapes. */
static inline bool tml_contact_names(const TmlContact *c, int a, int b)
{
    return (c->side[0][a] != 0 && c->side[1][b] != 0) || (c->side[0][b] != 0 && c->side[1][a] != 0);
}

/* Whether the entry lets two shapes touch by what they are: rigid ones do; stations of flexible bodies touch rigid shapes
 * and segments of others, or, where points travel, segments rigid shapes, and those of lines each other. Of a line and a
 * face the line has the stations: it is the smaller one, and would fall in between those of the face. */
static inline bool tml_contact_fits(const TmlContact *c, const TmlBodyShape *a,
                                    const TmlBodyShape *b)
{
    const int flexible = (a->element > 0) + (b->element > 0), segments = a->segment + b->segment;
    if (flexible < 2) {
        return flexible == 0 || segments == (c->closest ? 1 : 0);
    }
    const TmlBodyShape *station = a->segment ? b : a, *other = a->segment ? a : b;
    return c->closest ? segments == 2 && a->sheet == TML_SHEET_NONE && b->sheet == TML_SHEET_NONE
                      : segments == 1 && (other->face || !station->face);
}

/* Whether two bodies share a joint. */
bool tml_are_neighbours(const TmlModel *m, int a, int b);

/* The entry that holds for two shapes, -1: these never touch. Bodies of one joint are neighbours. */
int tml_contact_of(const TmlModel *m, int a, int b);

/* Shapes and laws by name, built in or registered with the model; NULL: unknown. */
const TmlShapeType *tml_contact_shape_type(const TmlModel *m, const char *name);
const TmlPressType *tml_contact_press_type(const TmlModel *m, const char *name);
const TmlSlipType *tml_contact_slip_type(const TmlModel *m, const char *name);

/* The law of the entry for two shapes, with the numbers of their materials. */
const TmlContactLaw *tml_contact_law(const TmlModel *m, int contact, int a, int b);

/* TmlPairIn.acts of two shapes of the entry. */
double tml_contact_acts(const TmlModel *m, int contact, int a, int b);

/* When all is read: which bodies are neighbours. */
TML_NODISCARD TmlStatus tml_contacts_finish(TmlModel *m, TmlError *err);
