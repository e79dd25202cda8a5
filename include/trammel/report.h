/* trammel/report.h - results as a page for a browser: the mechanism in motion, curves, the solver.
 *
 * A report is one HTML file that needs no network and no other file. It is made from a result file (HDF5), also
 * from one that is still being written or that a killed run left behind. The page itself is built from viewer/; a
 * library that was built without it has everything else.
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
    /* A report contains all rows of small results. Of larger ones it leaves out rows where interpolation between
     * the remaining rows is accurate enough: to this fraction of the mechanism's size (angles: 20 times this number,
     * in radians), and of the range of each curve. Default: 5e-4. */
    double error;
    /* The page into which the data are written; NULL: the file that the environment variable TRAMMEL_VIEWER names,
     * else the page that was built in. */
    const char *viewer;
} TmlReportOptions;

TML_API TmlReportOptions tml_report_options_default(void);

/* Check whether reports can be written. Here and below, options NULL means the default options.
 *   TML_E_ARGUMENT  the library was built without the page; the message says what to do
 *   TML_E_IO        the page cannot be read, or is not a page for reports */
TML_API TML_NODISCARD TmlStatus tml_report_check(const TmlReportOptions *options, TmlError *err);

/* Write the report of a result file. An earlier file `html` is replaced only when the new one is complete.
 *   TML_E_IO  a file cannot be read, is no result file, or cannot be written */
TML_API TML_NODISCARD TmlStatus tml_report(const char *results, const char *html,
                                           const TmlReportOptions *options, TmlError *err);

/* Write one report of two result files, with curves of both in the same panels, and the mechanism of the second one
 * half-transparent beside that of the first. The runs may differ in everything: model, end time, output times,
 * channels. Error messages begin with the name of the file. */
TML_API TML_NODISCARD TmlStatus tml_report_two(const char *first, const char *second,
                                               const char *html, const TmlReportOptions *options,
                                               TmlError *err);

/* Write the report of modes: the mechanism in the state about which it was linearised, and each mode in motion. sim is
 * the sim of `lin` and must still be at that state. */
TML_API TML_NODISCARD TmlStatus tml_report_modes(TmlSim *sim, const TmlLinear *lin,
                                                 const char *html, const TmlReportOptions *options,
                                                 TmlError *err);

/* Write the page of a reduced part. It shows the modes in motion, coloured by stress if the part keeps stresses, with their
 * frequencies and damping; the mesh and basis of the part; mass and inertia beside those of the mesh; frames and notes. */
TML_API TML_NODISCARD TmlStatus tml_report_part(const TmlReducedPart *part, const char *html,
                                                const TmlReportOptions *options, TmlError *err);

/* Write the report of a comparison, whose model must still exist. */
TML_API TML_NODISCARD TmlStatus tml_report_compare(const TmlCompare *compare, const char *html,
                                                   const TmlReportOptions *options, TmlError *err);

/* The page of `trammel watch`, which repeatedly requests its data from the address "data?from=ROW" beside its own.
 * Free it with tml_text_free. */
TML_API TML_NODISCARD TmlStatus tml_report_page(const TmlReportOptions *options, char **html,
                                                TmlError *err);

/* Write the data of a report, from row `first` on, to a file descriptor in the form that this page expects. */
TML_API TML_NODISCARD TmlStatus tml_report_data(const char *results, int64_t first, int fd,
                                                const TmlReportOptions *options, TmlError *err);

#ifdef __cplusplus
}
#endif
