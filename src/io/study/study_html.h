/* io/study/study_html.h - the page of studies; its data goes in the place of @STUDY@. */
#pragma once

extern const char tml_study_html[];
