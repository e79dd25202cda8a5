/* io/study/study_keys.h - the keys of a description of a study. */
#pragma once

#include "io/study/study.h"
#include "model/read/sections.h"

extern const TmlKey tml_keys_of_study[], tml_keys_of_spread[], tml_keys_of_response[],
    tml_keys_of_study_run[];
