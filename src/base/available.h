/* base/available.h - how much memory there is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes that this process can still take before an allocation fails or the system ends it: the
 * least of what is free, what limits of the process (ulimit -v, -d) leave and what its control
 * group may have. SIZE_MAX where nothing tells. Reads a few files of /proc and /sys. */
size_t tml_memory_available(void);

/* "1.4 GB", for messages. */
typedef struct TmlBytesText {
    char text[24];
} TmlBytesText;
TmlBytesText tml_bytes_text(double bytes);
