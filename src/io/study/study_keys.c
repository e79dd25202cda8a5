/* io/study/study_keys.c - the keys of a description of a study (STUDY.yaml). */
#include "io/study/study_keys.h"

const TmlKey tml_keys_of_study[] = {
    {"study", TML_KEY_TEXT, "", NULL, "title of the study", NULL},
    {"model", TML_KEY_TEXT, "", NULL, "model file, relative to this one", NULL},
    {"design", TML_KEY_CHOICE, "", "grid", "how values are chosen", TML_DESIGN_NAMES},
    {"parameters", TML_KEY_OPTIONS, "", "", "what changes, by the names of the model's parameters",
     NULL},
    {"table", TML_KEY_TEXT, "", "",
     "instead of parameters: a CSV file with a column for each and a line for each run", NULL},
    {"samples", TML_KEY_INT, "", "64",
     "number of runs; morris: of paths, indices: of points; both make several runs of each", NULL},
    {"levels", TML_KEY_INT, "", "4", "morris: levels of each parameter, an even number", NULL},
    {"seed", TML_KEY_INT, "", "0", "of the random numbers", NULL},
    {"run", TML_KEY_OPTIONS, "", "", "settings that all runs share", NULL},
    {"responses", TML_KEY_OPTIONS, "", "",
     "numbers of each run by name; absent: smallest, largest and last value of each output", NULL},
    {"keep", TML_KEY_OPTIONS, "", "", "outputs whose histories are kept; absent: all", NULL},
    {0},
};

const TmlKey tml_keys_of_spread[] = {
    {"from", TML_KEY_NUMBER, "", "", "first value", NULL},
    {"to", TML_KEY_NUMBER, "", "", "last value", NULL},
    {"count", TML_KEY_INT, "", "", "number of values in a grid", NULL},
    {"scale", TML_KEY_CHOICE, "", "linear", "equal differences, or equal ratios", "linear|log"},
    {"values", TML_KEY_NUMBERS, "", "", "the values themselves", NULL},
    {"mean", TML_KEY_NUMBER, "", "", "of a normal distribution", NULL},
    {"deviation", TML_KEY_NUMBER, "", "", "standard deviation of a normal distribution", NULL},
    {0},
};

const TmlKey tml_keys_of_response[] = {
    {"of", TML_KEY_TEXT, "", "", "output of the model; absent: the one of this name", NULL},
    {"take", TML_KEY_CHOICE, "", "max", "what of its rows; largest: by magnitude", TML_TAKES},
    {"from", TML_KEY_NUMBER, "s", "", "rows before this time do not count", NULL},
    {"to", TML_KEY_NUMBER, "s", "", "rows after this time do not count", NULL},
    {0},
};

const TmlKey tml_keys_of_study_run[] = {
    {"end", TML_KEY_NUMBER, "s", "", "time at which runs end; absent: the model's", NULL},
    {"output_step", TML_KEY_NUMBER, "s", "", "time between rows; absent: the model's", NULL},
    {"integrator", TML_KEY_TEXT, "", "", "method; absent: the model's", NULL},
    {"tolerance", TML_KEY_NUMBER, "", "", "local error of a step; absent: the model's", NULL},
    {0},
};
