/* tests/fuzz/entry.c - where libFuzzer enters; FUZZ_TARGET is the function of the target. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_one(FUZZ_TARGET, data, size);
    return 0;
}
