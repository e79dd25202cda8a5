/* io/help/schema.h - pieces of JSON schemas; internal to help. */
#pragma once

#include "io/text/json.h"
#include "model/read/sections.h"

/* The schema of a key under its name, into the object that is open. */
void tml_schema_key(TmlJson *j, const TmlKey *key);
/* Definitions `number`, `text`, `vector` and lists of them. */
void tml_schema_values(TmlJson *j);
