/* io/report/shape_triangles.h - the surface of a shape as triangles, for pictures. */
#pragma once

#include "model/contact/contacts.h"
#include "model/read/mesh_file.h"

/* Of its faces, or of what its support covers; nothing when it has neither. Free with
 * tml_triangles_free, also after a failure. */
TML_NODISCARD TmlStatus tml_surface_triangles(const TmlShape *shape, TmlTriangles *out,
                                              TmlError *err);
