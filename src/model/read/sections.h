/* model/read/sections.h - the keys of a model file that no element table holds.
 *
 * The reader refuses keys that are not listed here (or in an element's table); help, schema and
 * reference are written from the same lists.
 */
#pragma once

#include "trammel/contact.h"

typedef enum TmlKeyKind {
    TML_KEY_NONE = 0, /* ends a list */
    TML_KEY_NUMBER,
    TML_KEY_INT,
    TML_KEY_BOOL,
    TML_KEY_VEC3,
    TML_KEY_NUMBERS,
    TML_KEY_ROTATION,
    TML_KEY_TEXT,
    TML_KEY_EXPR,
    TML_KEY_CHOICE, /* words in `choices` */
    TML_KEY_BODY,   /* name of a body */
    TML_KEY_BODIES, /* two names */
    TML_KEY_FRAME,  /* "body.frame", a body, or {body, position, rotation} */
    TML_KEY_FRAMES, /* two of them */
    TML_KEY_POINTS, /* two points; in a spline any number of pairs */
    TML_KEY_AXES,   /* two vectors */
    TML_KEY_LOCKED,
    TML_KEY_SHAPE,
    TML_KEY_FRAME_MAP, /* names with frames */
    TML_KEY_OPTIONS,   /* free map of texts */
    TML_KEY_FILES,     /* a file or a list of files */
    TML_KEY_MATERIAL,
    TML_KEY_CROSS,        /* cross-section */
    TML_KEY_ATTACH,       /* what an end of a flexible body is tied to */
    TML_KEY_FLEX_FRAMES,  /* names with places of a flexible body */
    TML_KEY_MODAL_FRAMES, /* names with frames of a modal body */
    TML_KEY_MODAL_SHAPES, /* frames of a part with shapes */
    TML_KEY_ELEMENTS,     /* a number or a list of numbers */
    TML_KEY_ARC,
    TML_KEY_PATCH,
    TML_KEY_REST,
    TML_KEY_PLACE, /* name, or {mesh, at} */
    TML_KEY_EDGES,
    TML_KEY_ATTACH_LIST,
    TML_KEY_LOAD,
    TML_KEY_STATIONS, /* none, or how a flexible body touches */
    TML_KEY_MATRIX,   /* rows of numbers */
    TML_KEY_NODES,    /* of a flexible body */
    TML_KEY_BETWEEN,  /* all, or two bodies, shapes, groups or lists of them */
    TML_KEY_FRICTION, /* map with a law */
    TML_KEY_EXPRS,    /* an expression or a list of expressions */
    TML_KEY_SEGMENTS, /* pieces of a track */
    TML_KEY_FAULTS,   /* irregularities of a track */
    TML_KEY_SPLINE,   /* name of a spline, or a table in place */
    TML_KEY_WIRE,     /* contact wire of a catenary */
    TML_KEY_MESSENGER,
    TML_KEY_DROPPERS,
    TML_KEY_ARMS,
    TML_KEY_LISTS, /* a number, a list of numbers, or a list of such lists */
} TmlKeyKind;

typedef struct TmlKey {
    const char *name;
    TmlKeyKind kind;
    const char *unit;
    const char *standard; /* NULL: required; "": absent */
    const char *text;
    const char *choices;
} TmlKey;

typedef struct TmlSection {
    const char *name;
    bool named;         /* a map from names to entries, `for` allowed */
    const char *entry;  /* what one entry is called: "body" */
    const TmlKey *keys; /* of one entry, or of the section itself; NULL: none */
    TmlKey self;        /* the section as a key, when it is not a map */
    const char *text, *example;
} TmlSection;

extern const TmlSection tml_sections[]; /* ends with a NULL name */
const TmlSection *tml_section_find(const char *name);

extern const TmlKey tml_keys_input[];
extern const TmlKey tml_keys_body[], tml_keys_frame[], tml_keys_top_frame[], tml_keys_spline[],
    tml_keys_joint[], tml_keys_force[], tml_keys_variable[], tml_keys_state[], tml_keys_output[],
    tml_keys_simulate[], tml_keys_rotating_frame[], tml_keys_rotation[], tml_keys_term[],
    tml_keys_modal[], tml_keys_modal_frame[], tml_keys_flexible[], tml_keys_material[],
    tml_keys_cross[], tml_keys_attach[], tml_keys_flex_frame[], tml_keys_attach_at[],
    tml_keys_mesh_place[], tml_keys_edges[], tml_keys_arc[], tml_keys_node[], tml_keys_rest[],
    tml_keys_patch[], tml_keys_load[], tml_keys_stations[], tml_keys_system[], tml_keys_path[],
    tml_keys_road[], tml_keys_profile[], tml_keys_track[], tml_keys_segment[], tml_keys_faults[],
    tml_keys_event[], tml_keys_delay[], tml_keys_ground[], tml_keys_contact[], tml_keys_friction[],
    tml_keys_surface[], tml_keys_catenary[], tml_keys_contact_wire[], tml_keys_messenger[],
    tml_keys_droppers[], tml_keys_arms[];

/* How the ends of an element of that kind are written. */
const TmlKey *tml_keys_ends(TmlEndsKind kind);

/* Shapes: the keys of all of them, the key that turns z of their axes (none, `axis`, `normal`), and the
 * k-th type as it is written (NULL: no more): those of the registry, and links. */
extern const TmlKey tml_keys_shape[];
const TmlKey *tml_keys_shape_axis(TmlShapeAxis axis);
const TmlTypeInfo *tml_written_shape(int k, const TmlKey **axis);
