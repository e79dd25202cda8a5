/* io/study/study_report.c - a run of a study once more, with its report. */
#include "io/study/study.h"

#include "base/fail.h"
#include "trammel/report.h"

#include <string.h>
#include <unistd.h>

typedef struct Page {
    TmlWriter *writer;
} Page;

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    return tml_writer_row(((const Page *)user)->writer, sim, err);
}

/* The run into a result file. A run that fails is one to look at: its message goes into the file. */
static TmlStatus run_to(const TmlStudy *s, const TmlModel *model, const char *file, TmlError *err)
{
    const TmlSimOptions o = tml_study_options(s);
    TmlSim *sim = NULL;
    Page page = {0};
    TML_TRY(tml_sim_create(model, &o, &sim, err));
    TmlStatus status = tml_writer_open(file, sim, &page.writer, err);
    if (status == TML_OK) {
        TmlError *own = tml_mem_zalloc(1, sizeof *own);
        const TmlStatus ran = tml_sim_run(sim, on_row, &page, own);
        tml_writer_status(page.writer, ran, own != NULL ? own->message : "");
        status = tml_writer_close(page.writer, sim, err);
        tml_mem_free(own);
    }
    tml_sim_free(sim);
    return status;
}

TmlStatus tml_study_report(const TmlStudy *s, int run, const char *html, TmlError *err)
{
    static const char suffix[] = ".run.h5";
    TmlModel *model = NULL;
    if (run < 0 || run >= s->runs) {
        return tml_fail(err, TML_E_ARGUMENT, "run %d: there are runs 0 to %d", run, s->runs - 1);
    }
    TML_TRY(tml_report_check(NULL, err));
    const size_t n = strlen(html);
    char *file = tml_mem_zalloc(1, n + sizeof suffix);
    if (file == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    memcpy(file, html, n);
    memcpy(file + n, suffix, sizeof suffix);
    TmlStatus status = tml_study_model_of(s, run, &model, err);
    status = status == TML_OK ? run_to(s, model, file, err) : status;
    status = status == TML_OK ? tml_report(file, html, NULL, err) : status;
    (void)unlink(file);
    tml_model_free(model);
    tml_mem_free(file);
    return status;
}
