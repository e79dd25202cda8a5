/* cli/verdict.c - what is said of a run when it is over, and kept of one that failed. */
#include "verdict.h"

#include <stdio.h>

TmlStatus cli_check_finite(const TmlSim *sim, int64_t rows, TmlError *err)
{
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        double first;
        const int64_t bad = tml_sim_channel_nonfinite(sim, k, &first);
        if (bad > 0) {
            snprintf(err->message, sizeof err->message,
                     "output '%.200s' is not finite in %lld of %lld rows, first at t = %.9g s",
                     tml_row_channel_name(sim, k), (long long)bad, (long long)rows, first);
            return err->status = TML_E_NONFINITE;
        }
    }
    return TML_OK;
}

static void warn_error(const TmlSim *sim)
{
    TmlErrorInfo info;
    if (tml_sim_error_info(sim, &info) && info.relative > info.suggested) {
        const TmlErrorItem item = tml_sim_error_item(sim, info.worst);
        fprintf(stderr,
                "warning: %s '%s' is off by %.2g of its range at t = %.6g s, more than the "
                "tolerance suggests (%.2g): try a smaller --tol or a method of higher order\n",
                item.body ? "body" : "output", item.name, item.relative, item.time, info.suggested);
    }
}

void cli_check_error(TmlSim *sim, CliProgress *progress, bool quiet)
{
    TmlError err = {0};
    const TmlStatus status = tml_sim_check_error(sim, &err);
    cli_progress_clear(progress);
    if (status != TML_OK) {
        fprintf(stderr, "warning: the error could not be checked: %s\n", err.message);
    } else if (!quiet) {
        warn_error(sim);
    }
}

bool cli_can_repeat(TmlStatus status)
{
    return status == TML_E_STEP || status == TML_E_SINGULAR || status == TML_E_NONFINITE ||
           status == TML_E_ASSEMBLY;
}

bool cli_write_dump(const char *path, const TmlSim *sim, const TmlLoadOptions *load,
                    const char *message)
{
    TmlError err = {0};
    if (tml_dump_write(path, sim, load, message, &err) == TML_OK) {
        return true;
    }
    fprintf(stderr, "warning: no dump: %s\n", err.message);
    return false;
}
