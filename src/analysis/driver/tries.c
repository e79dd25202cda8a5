/* analysis/driver/tries.c - the record of tries: size, error and fate of each, for those who ask. */
#include "analysis/driver/sim_internal.h"

void tml_sim_tries_add(TmlSim *sim, const TmlAttemptRow *row)
{
    if (!tml_mem_grow((void **)&sim->tries.at, &sim->tries.cap, (int)sim->tries.n + 1,
                      sizeof *sim->tries.at)) {
        return; // a run does not fail for want of its log
    }
    sim->tries.at[sim->tries.n++] = *row;
}

void tml_sim_tries_free(TmlSim *sim)
{
    tml_mem_free(sim->tries.at);
}

int64_t tml_sim_attempts(const TmlSim *sim, const TmlAttemptRow **rows)
{
    *rows = sim->tries.at;
    return sim->tries.n;
}

const char *tml_attempt_cause(int32_t cause)
{
    static const char *const text[] = {
#define CAUSE_TEXT(code, words) words,
        TML_CAUSE_LIST(CAUSE_TEXT)
#undef CAUSE_TEXT
    };
    return cause >= 0 && cause < TML_CAUSE_COUNT ? text[cause] : NULL;
}
