/* io/load/yaml.h - YAML 1.2 and JSON text to a tree of values with places. */
#pragma once

#include "model/read/value.h"

/* Parse one document. file: name for messages, kept by the tree. Errors of the text are added to
 * the report and *out is then NULL; an empty text gives an empty map. Memory: arena.
 * Aliases share the tree of their anchor; what they would expand to is limited, as is depth.
 *   TML_E_NOMEM */
TML_NODISCARD TmlStatus tml_yaml_parse(const char *text, size_t length, const char *file,
                                       TmlArena *arena, TmlReport *report, TmlValue **out,
                                       TmlError *err);
