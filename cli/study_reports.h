/* cli/study_reports.h - reports of the runs of a study. */
#pragma once

#include "trammel/study.h"

/* The folder of the reports of a page, PAGE without .html and "-runs" behind it, as the page names it. */
void cli_study_reports_folder(const char *page, char *out, size_t size);
/* Makes the folder beside the page and a report of each run in it, by so many processes. Returns how many could not be made; -1: the folder
 * cannot be made, after a message. */
int cli_study_reports(const TmlStudy *study, const char *page, int processes);
