/* io/search/search_html.h - the page of fits and optimisations. */
#pragma once

extern const char tml_search_html[];
