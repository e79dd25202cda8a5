/* cli/search.c - what trammel fit and trammel optimize share: names of files, progress, the last lines. */
#include "search.h"
#include "progress.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FAILURES_TOLD = 5 };

/* --- while it goes on ---------------------------------------------------------------------------------------------- */

static void clear(const CliSearchRun *run)
{
    if (run->shown) {
        (void)cli_terminal_progress("\r\x1b[K");
    }
}

static bool on_progress(void *user, const TmlSearchProgress *p)
{
    CliSearchRun *run = user;
    const double now = cli_clock();
    if (p->message != NULL && !run->s->quiet && run->told < FAILURES_TOLD) {
        run->told++;
        clear(run);
        fprintf(stderr, "warning: evaluation %d failed: %.*s%s\n", p->evaluations,
                (int)strcspn(p->message, "\n"), p->message,
                run->told == FAILURES_TOLD ? " (further failures are in the results only)" : "");
    }
    if (run->shown && now - run->drawn >= 0.1) {
        char text[200];
        run->drawn = now;
        snprintf(text, sizeof text, "\r\x1b[K%d evaluations, %s %.6g, %d failed, %.0f s",
                 p->evaluations, run->value, p->best, p->failed, now - run->begun);
        (void)cli_terminal_progress(text);
    }
    return !cli_cancelled();
}

static bool go_on(void *user)
{
    (void)user;
    return !cli_cancelled();
}

/* --- before -------------------------------------------------------------------------------------------------------- */

static bool ends_in(const char *name, const char *suffix)
{
    const size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

static int name_results(CliSearchRun *run, const char *path, const char *what)
{
    const char *base = strrchr(path, '/'), *given = run->s->out;
    base = base != NULL ? base + 1 : path;
    const char *dot = strrchr(base, '.');
    if (given != NULL && !ends_in(given, ".json")) {
        return cli_wrong("-o: the name of the results must end in .json, not '%s'", given);
    }
    if (given != NULL) {
        snprintf(run->out, sizeof run->out, "%s", given);
    } else {
        snprintf(run->out, sizeof run->out, "%.*s%s.json",
                 dot != NULL ? (int)(dot - base) : (int)strlen(base), base, what);
    }
    snprintf(run->journal, sizeof run->journal, "%s.evaluations", run->out);
    return CLI_GO_ON;
}

static int check_names(const CliSearchRun *run, const TmlModel *model, const char *path)
{
    const CliSearch *s = run->s;
    const char *const outputs[] = {run->out, s->csv, s->page};
    const int result = cli_outputs_check(model, 3, outputs);
    if (result != CLI_GO_ON) {
        return result;
    }
    if (s->page != NULL && !ends_in(s->page, ".html")) {
        return cli_wrong("--report: the name of the page must end in .html, not '%s'", s->page);
    }
    for (int k = 0; k < 3; ++k) {
        if (cli_same_file(outputs[k], path)) {
            return cli_wrong("'%s' is the description itself", outputs[k]);
        }
    }
    return CLI_GO_ON;
}

int cli_search_begin(CliSearchRun *run, const CliSearch *s, const TmlModel *model, const char *path,
                     const char *what, TmlSearchOptions *out)
{
    struct stat is;
    *run = (CliSearchRun){.s = s,
                          .value = strcmp(what, "-fit") == 0 ? "sum of squares" : "best",
                          .shown = !s->quiet && isatty(STDERR_FILENO),
                          .begun = cli_clock()};
    if (s->resume && s->restart) {
        return cli_wrong("--resume and --restart exclude each other");
    }
    int result = name_results(run, path, what);
    result = result == CLI_GO_ON ? check_names(run, model, path) : result;
    if (result != CLI_GO_ON) {
        return result;
    }
    if (!s->resume && !s->restart && stat(run->journal, &is) == 0 && is.st_size > 0) {
        return cli_wrong("'%s' has evaluations of a search that was not finished: go on with it "
                         "(--resume) or begin again (--restart)",
                         run->journal);
    }
    cli_cancel_init();
    *out = (TmlSearchOptions){
        .journal = run->journal,
        .resume = s->resume,
        .hooks = {.user = run, .progress = on_progress, .go_on = go_on},
    };
    return CLI_GO_ON;
}

/* --- after --------------------------------------------------------------------------------------------------------- */

static void tell_journal(const CliSearchRun *run, const char *why)
{
    struct stat is;
    if (stat(run->journal, &is) == 0) {
        fprintf(stderr, "%s: evaluations are kept in '%s': --resume goes on\n", why, run->journal);
    }
}

int cli_search_failed(const CliSearchRun *run, TmlStatus status, const TmlError *err)
{
    clear(run);
    if (status != TML_E_MODEL && status != TML_E_ARGUMENT) {
        tell_journal(run, status == TML_E_CANCELLED ? "cancelled" : "note");
    }
    return cli_fail(status, err);
}

int cli_search_end(const CliSearchRun *run, bool stopped, bool good, int failed, int evaluations,
                   int replayed)
{
    const CliSearch *s = run->s;
    if (!s->quiet) {
        char old[64] = "";
        if (replayed > 0) {
            snprintf(old, sizeof old, " (%d from before)", replayed);
        }
        printf("  evaluations  %d%s in %.3g s, %d failed\n", evaluations, old,
               cli_clock() - run->begun, failed);
        printf("  written      %s%s%s%s%s\n", run->out, s->csv != NULL ? ", " : "",
               s->csv != NULL ? s->csv : "", s->page != NULL ? ", " : "",
               s->page != NULL ? s->page : "");
    }
    if (stopped) {
        tell_journal(run, "cancelled");
    }
    return stopped || !good ? 1 : 0;
}
