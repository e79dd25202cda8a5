/* io/lazy/cairo_calls.h - cairo, loaded when the first call of it is near (io/lazy/lazy.h).
 *
 * Includes <cairo.h> and turns its names into entries of a table. tml_cairo_ready fills the table and must have
 * succeeded before any of them is used. A name that is used and not listed is not found by the linker: it needs a line in
 * cairo_calls.def and one here.
 */
#pragma once

#include "base/fail.h"

#include <cairo.h>

typedef struct TmlCairoCalls {
#define TML_CALL(name) __typeof__(name) *name;
#include "io/lazy/cairo_calls.def"
#undef TML_CALL
} TmlCairoCalls;

extern TmlCairoCalls tml_cairo_calls;

/* Loads the library unless it is there. On failure the message names the library and tells why. */
TML_NODISCARD TmlStatus tml_cairo_ready(TmlError *err);

#if !defined(TML_CALLS_PLAIN)
#define cairo_arc (*tml_cairo_calls.cairo_arc)
#define cairo_clip (*tml_cairo_calls.cairo_clip)
#define cairo_close_path (*tml_cairo_calls.cairo_close_path)
#define cairo_create (*tml_cairo_calls.cairo_create)
#define cairo_destroy (*tml_cairo_calls.cairo_destroy)
#define cairo_fill (*tml_cairo_calls.cairo_fill)
#define cairo_image_surface_create (*tml_cairo_calls.cairo_image_surface_create)
#define cairo_line_to (*tml_cairo_calls.cairo_line_to)
#define cairo_move_to (*tml_cairo_calls.cairo_move_to)
#define cairo_new_path (*tml_cairo_calls.cairo_new_path)
#define cairo_new_sub_path (*tml_cairo_calls.cairo_new_sub_path)
#define cairo_paint (*tml_cairo_calls.cairo_paint)
#define cairo_rectangle (*tml_cairo_calls.cairo_rectangle)
#define cairo_restore (*tml_cairo_calls.cairo_restore)
#define cairo_rotate (*tml_cairo_calls.cairo_rotate)
#define cairo_save (*tml_cairo_calls.cairo_save)
#define cairo_scale (*tml_cairo_calls.cairo_scale)
#define cairo_select_font_face (*tml_cairo_calls.cairo_select_font_face)
#define cairo_set_dash (*tml_cairo_calls.cairo_set_dash)
#define cairo_set_font_size (*tml_cairo_calls.cairo_set_font_size)
#define cairo_set_line_join (*tml_cairo_calls.cairo_set_line_join)
#define cairo_set_line_width (*tml_cairo_calls.cairo_set_line_width)
#define cairo_set_source_rgb (*tml_cairo_calls.cairo_set_source_rgb)
#define cairo_show_text (*tml_cairo_calls.cairo_show_text)
#define cairo_status (*tml_cairo_calls.cairo_status)
#define cairo_status_to_string (*tml_cairo_calls.cairo_status_to_string)
#define cairo_stroke (*tml_cairo_calls.cairo_stroke)
#define cairo_surface_destroy (*tml_cairo_calls.cairo_surface_destroy)
#define cairo_surface_write_to_png_stream (*tml_cairo_calls.cairo_surface_write_to_png_stream)
#define cairo_text_extents (*tml_cairo_calls.cairo_text_extents)
#define cairo_translate (*tml_cairo_calls.cairo_translate)
#endif
