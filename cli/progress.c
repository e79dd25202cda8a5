/* cli/progress.c - the progress line, and Ctrl-C. */
#include "progress.h"
#include "terminal.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double line_seconds = 0.1; // a person reads no faster

// a signal can reach nothing else
static volatile sig_atomic_t cancel_flag;

static void cancel_handler(int signal_number)
{
    (void)signal_number;
    cancel_flag = 1;
}

void cli_cancel_init(void)
{
    struct sigaction action = {.sa_handler = cancel_handler, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    // SIGHUP: the terminal is gone
    static const int heard[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
    for (size_t k = 0; k < sizeof heard / sizeof heard[0]; ++k) {
        struct sigaction old;
        if (sigaction(heard[k], NULL, &old) == 0 && old.sa_handler != SIG_IGN) { // as nohup asks
            sigaction(heard[k], &action, NULL);
        }
    }
    signal(SIGXFSZ, SIG_IGN); // a write beyond the limit fails, as on a full disk
}

bool cli_cancelled(void)
{
    return cancel_flag != 0;
}

double cli_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_init(CliProgress *p, bool quiet)
{
    const char *term = getenv("TERM");
    const bool dumb = term == NULL || strcmp(term, "dumb") == 0;
    *p = (CliProgress){.shown = !quiet && !dumb && isatty(STDERR_FILENO), .start = cli_clock()};
    p->last = p->start;
}

/* 75 -> "1:15", 3700 -> "1:01:40" */
static void duration_text(double seconds, char *out, size_t size)
{
    const long s = seconds < 1e8 ? lround(seconds) : 100000000;
    if (s >= 3600) {
        snprintf(out, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    } else {
        snprintf(out, size, "%ld:%02ld", s / 60, s % 60);
    }
}

void cli_progress_update(CliProgress *p, const TmlProgress *now)
{
    const double clock = p->shown ? cli_clock() : 0.0;
    if (!p->shown || clock - p->last < line_seconds) {
        return;
    }
    // an average over the last second or so: steps come and go in spells
    const double late = (now->time - p->from) / (clock - p->last);
    const double weight = fmin(1.0, clock - p->last);
    p->speed = p->speed > 0.0 ? p->speed + weight * (late - p->speed) : late;
    p->last = clock;
    p->from = now->time;

    char left[32] = "?";
    if (p->speed > 0.0) {
        duration_text((now->end_time - now->time) / p->speed, left, sizeof left);
    }
    char line[256];
    snprintf(
        line, sizeof line, "\r%3.0f %%  t = %.4g of %.4g s  step %.2g s  speed %.3g  left %s\033[K",
        100.0 * now->time / now->end_time, now->time, now->end_time, now->step, p->speed, left);
    cli_terminal_progress(line);
    p->drawn = true;
}

void cli_progress_clear(CliProgress *p)
{
    if (p->drawn) {
        cli_terminal_progress("\r\033[K");
        p->drawn = false;
    }
}
