/* io/report/report_page.h - the page of a report: found, filled, written. */
#pragma once

#include "io/report/container.h"
#include "trammel/report.h"

/* The page with a place for the data. */
typedef struct TmlPage {
    const char *text; /* up to the place, and behind it */
    size_t before;
    const char *rest;
    size_t after;
    char *held; /* memory of a page that was read; NULL: built in */
} TmlPage;

TML_NODISCARD TmlStatus tml_page_open(const TmlReportOptions *options, TmlPage *out, TmlError *err);
void tml_page_close(TmlPage *page);

/* The page with n containers in it as a new file; an old one is replaced at the end. */
TML_NODISCARD TmlStatus tml_page_write(const TmlPage *page, int n, TmlContainer *const *c,
                                       const char *path, TmlError *err);

/* Options with what is missing filled in. */
TmlReportOptions tml_report_options(const TmlReportOptions *options);
