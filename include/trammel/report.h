/* trammel/report.h - results as a page to look at: the mechanism in motion, curves, the solver.
 *
 * A report is one HTML file that needs nothing else: no network, no other file. It is made from a
 * result file (HDF5), also from one that is still being written or that a killed run left behind.
 * The page itself is built from viewer/; a library built without it can do everything else.
 */
#pragma once

#include "trammel/analysis.h"
#include "trammel/compare.h"
#include "trammel/part.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlReportOptions {
    uint32_t size; /* set by tml_report_options_default; do not change */
    /* Small results are kept whole. Of others rows are left out where interpolation between the
     * rest stays within this part of the mechanism's size (angles: 20 times as many radians) and
     * of the range of each curve. 5e-4 */
    double error;
    const char *viewer; /* page to fill; NULL: that of the environment's TRAMMEL_VIEWER, else the
                           one that was built in */
} TmlReportOptions;

TML_API TmlReportOptions tml_report_options_default(void);

/* Whether reports can be written at all. options NULL: the default ones, here and below.
 *   TML_E_ARGUMENT  the library was built without the page; the message says what to do
 *   TML_E_IO        the page cannot be read, or is none */
TML_API TML_NODISCARD TmlStatus tml_report_check(const TmlReportOptions *options, TmlError *err);

/* Write the report of a result file. What stands under the name `html` is replaced at the end.
 *   TML_E_IO  a file cannot be read, is no result file, or cannot be written */
TML_API TML_NODISCARD TmlStatus tml_report(const char *results, const char *html,
                                           const TmlReportOptions *options, TmlError *err);

/* Write one report of two result files: curves of both in the same panels, and the mechanism of the
 * second as a ghost beside that of the first. The runs may differ in everything: model, end, output
 * times, channels. Errors begin with the name of the file that they are about. */
TML_API TML_NODISCARD TmlStatus tml_report_two(const char *first, const char *second,
                                               const char *html, const TmlReportOptions *options,
                                               TmlError *err);

/* Write the report of modes: the mechanism in the state that was linearised about, and each mode in
 * motion. sim is the one of `lin` and still at that state. */
TML_API TML_NODISCARD TmlStatus tml_report_modes(TmlSim *sim, const TmlLinear *lin,
                                                 const char *html, const TmlReportOptions *options,
                                                 TmlError *err);

/* Write the page of a reduced part: its modes in motion, coloured by stress where the part keeps stresses, with their frequencies and
 * damping, what it was made of, mass and inertia beside those of the mesh, frames and notes. */
TML_API TML_NODISCARD TmlStatus tml_report_part(const TmlReducedPart *part, const char *html,
                                                const TmlReportOptions *options, TmlError *err);

/* Write the report of a comparison, whose model must still exist. */
TML_API TML_NODISCARD TmlStatus tml_report_compare(const TmlCompare *compare, const char *html,
                                                   const TmlReportOptions *options, TmlError *err);

/* The page that asks for its data again and again (trammel watch), from "data?from=ROW" beside it.
 * Free it with tml_text_free. */
TML_API TML_NODISCARD TmlStatus tml_report_page(const TmlReportOptions *options, char **html,
                                                TmlError *err);

/* Write the data of a report from row `first` on to a file descriptor, as that page expects them.
 */
TML_API TML_NODISCARD TmlStatus tml_report_data(const char *results, int64_t first, int fd,
                                                const TmlReportOptions *options, TmlError *err);

#ifdef __cplusplus
}
#endif
