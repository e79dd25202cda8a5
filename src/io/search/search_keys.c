/* io/search/search_keys.c - the keys of descriptions of fits and optimisations. */
#include "io/search/search.h"

#define MODEL_KEYS                                                                                 \
    {"model", TML_KEY_TEXT, "", NULL, "model file, relative to this one", NULL},                   \
        {"parameters",                                                                             \
         TML_KEY_OPTIONS,                                                                          \
         "",                                                                                       \
         NULL,                                                                                     \
         "what is free, by the names of the model's parameters",                                   \
         NULL},                                                                                    \
    {                                                                                              \
        "run", TML_KEY_OPTIONS, "", "", "settings that all runs share", NULL                       \
    }

const TmlKey tml_keys_of_fit[] = {
    {"fit", TML_KEY_TEXT, "", NULL, "title", NULL},
    MODEL_KEYS,
    {"measurements", TML_KEY_FILES, "", "",
     "CSV files whose first column is the time in s, or maps with 'file'", NULL},
    {"outputs", TML_KEY_OPTIONS, "", "",
     "outputs that are compared; absent: all columns with the name of an output", NULL},
    {"iterations", TML_KEY_INT, "", "50", "most iterations", NULL},
    {"confidence", TML_KEY_NUMBER, "", "0.95", "of the intervals of parameters", NULL},
    {0},
};

const TmlKey tml_keys_of_optimize[] = {
    {"optimize", TML_KEY_TEXT, "", NULL, "title", NULL},
    MODEL_KEYS,
    {"responses", TML_KEY_OPTIONS, "", NULL, "numbers of each run by name, as in a study", NULL},
    {"minimize", TML_KEY_TEXT, "", "", "a response, or a map of responses with their factors",
     NULL},
    {"maximize", TML_KEY_TEXT, "", "", "instead of minimize", NULL},
    {"constraints", TML_KEY_OPTIONS, "", "", "bounds of responses", NULL},
    {"method", TML_KEY_CHOICE, "", "auto", "how is searched", TML_SEARCH_METHODS},
    {"evaluations", TML_KEY_INT, "", "200", "most evaluations; 2000 for global methods", NULL},
    {"accuracy", TML_KEY_NUMBER, "", "1e-5",
     "of parameters, as a part of their ranges, and of the objective", NULL},
    {"seed", TML_KEY_INT, "", "0", "of random numbers (isres)", NULL},
    {0},
};

const TmlKey tml_keys_of_free[] = {
    {"from", TML_KEY_NUMBER, "", "", "least value", NULL},
    {"to", TML_KEY_NUMBER, "", "", "largest value", NULL},
    {"start", TML_KEY_NUMBER, "", "", "where the search begins; absent: the model's value", NULL},
    {"scale", TML_KEY_CHOICE, "", "linear", "log: equal ratios count as equal distances",
     "linear|log"},
    {0},
};

const TmlKey tml_keys_of_measurement[] = {
    {"file", TML_KEY_TEXT, "", NULL, "CSV file, relative to the description", NULL},
    {"columns", TML_KEY_OPTIONS, "", "", "for outputs whose columns have other names", NULL},
    {"given", TML_KEY_OPTIONS, "", "", "parameters of the model in this measurement", NULL},
    {"from", TML_KEY_NUMBER, "s", "", "rows before this time do not count", NULL},
    {"to", TML_KEY_NUMBER, "s", "", "rows after this time do not count", NULL},
    {"shift", TML_KEY_NUMBER, "s", "0", "added to the times of the file", NULL},
    {"weight", TML_KEY_NUMBER, "", "1", "how much its squares count", NULL},
    {0},
};

const TmlKey tml_keys_of_fitted[] = {
    {"noise", TML_KEY_NUMBER, "", "", "standard deviation of the measurement; absent: estimated",
     NULL},
    {"weight", TML_KEY_NUMBER, "", "1", "how much its squares count", NULL},
    {0},
};

const TmlKey tml_keys_of_limit[] = {
    {"min", TML_KEY_NUMBER, "", "", "least value", NULL},
    {"max", TML_KEY_NUMBER, "", "", "largest value", NULL},
    {"equals", TML_KEY_NUMBER, "", "", "the value itself (slsqp, cobyla, isres)", NULL},
    {0},
};
