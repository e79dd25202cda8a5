/* tests/fuzz/model.c - what is done with a model that an input gave: as much as is cheap. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEMORY = 256 << 20, // bytes of the library at a time
    BODIES = 5,         // of models that are assembled
    ELEMENTS = 2,       // of their flexible bodies
    STEPS = 6,          // tries of a run; of flexible bodies one, they are slow
    ROWS = 3,
    HEAD = 16, // before a block, with its size
};

/* --- memory ---------------------------------------------------------------------------------- */

static size_t in_use;

static void *limited_resize(void *user, void *p, size_t size)
{
    (void)user;
    char *block = p != NULL ? (char *)p - HEAD : NULL;
    size_t old = 0;
    if (block != NULL) {
        memcpy(&old, block, sizeof old);
    }
    if (size == 0) {
        in_use -= old;
        free(block);
        return NULL;
    }
    if (size > MEMORY || in_use - old + size > MEMORY) {
        return NULL;
    }
    block = realloc(block, size + HEAD);
    if (block == NULL) {
        return NULL;
    }
    in_use += size - old;
    memcpy(block, &size, sizeof size);
    return block + HEAD;
}

void fuzz_limit_memory(void)
{
    static const TmlAllocator allocator = {NULL, limited_resize};
    if (in_use != 0) {
        fuzz_wrong("memory is left", "of the input before");
    }
    tml_set_allocator(&allocator);
}

/* --- runs ------------------------------------------------------------------------------------ */

static bool still_budget(void *user, const TmlProgress *p)
{
    (void)p;
    int *budget = user;
    return --*budget > 0;
}

static void hear(void *user, TmlLogLevel level, const char *text)
{
    (void)user, (void)level;
    if (text == NULL || text[0] == '\0') {
        fuzz_wrong("an empty message", "");
    }
}

TmlSimOptions fuzz_sim_options(int *budget)
{
    TmlSimOptions o = tml_sim_options_default();
    *budget = STEPS;
    o.hooks = (TmlHooks){.user = budget, .log = hear, .progress = still_budget};
    return o;
}

bool fuzz_is_small(const TmlModel *model)
{
    int elements = 0;
    for (int k = 0; k < tml_model_flexible_count(model); ++k) {
        elements += tml_model_flexible(model, k).elements;
    }
    return tml_model_body_count(model) + tml_model_joint_count(model) <= 2 * BODIES &&
           tml_model_state_count(model) <= BODIES && elements <= ELEMENTS;
}

typedef struct Rows {
    int left;
} Rows;

static TmlStatus take_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)err;
    Rows *rows = user;
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        (void)tml_row_channel(sim, k);
    }
    return --rows->left > 0 ? TML_OK : TML_E_CANCELLED;
}

void fuzz_run(TmlSim *sim)
{
    TmlError err = {0};
    Rows rows = {ROWS};
    const TmlStatus status = tml_sim_run(sim, take_row, &rows, &err);
    if (status != TML_OK && status != TML_E_CANCELLED) {
        fuzz_check(status, &err);
    }
}

static void assemble(const TmlModel *model)
{
    TmlSim *sim = NULL;
    TmlError err = {0};
    int budget;
    const TmlSimOptions o = fuzz_sim_options(&budget);
    budget = tml_model_flexible_count(model) > 0 ? 1 : budget;
    const TmlStatus status = tml_sim_create(model, &o, &sim, &err);
    fuzz_check(status, &err);
    if (status == TML_OK) {
        char *text = NULL;
        fuzz_check(tml_describe(model, sim, &text, &err), &err);
        tml_text_free(text);
        fuzz_run(sim);
    }
    tml_sim_free(sim);
}

void fuzz_model(const char *text, const char *name)
{
    TmlModel *model = NULL;
    TmlError err = {0};
    fuzz_limit_memory();
    const TmlStatus status = tml_load_text(text, name, 0, NULL, NULL, &model, &err);
    fuzz_check(status, &err);
    if (status == TML_OK && fuzz_is_small(model)) {
        assemble(model);
    }
    tml_model_free(model);
}
