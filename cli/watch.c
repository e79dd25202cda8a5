/* cli/watch.c - trammel watch: a page that follows a run, from this machine to this machine. */
#include "cli.h"
#include "progress.h"
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct WatchSettings {
    double port;
    bool no_open, quiet;
} WatchSettings;

#define AT(field) offsetof(WatchSettings, field)
static const CliOption watch_options[] = {
    {"port", 'p', CLI_POSITIVE, "N", "port of the address; default: any free port", AT(port)},
    {"no-open", 0, CLI_FLAG, NULL, "only print the address, do not open a browser", AT(no_open)},
    {"quiet", 'q', CLI_FLAG, NULL, "print the address and errors only", AT(quiet)},
    {0},
};
#undef AT

typedef struct Watch {
    const char *results;
    char *page;
    bool seen; // the file has been there
} Watch;

/* --- answers ---------------------------------------------------------------------------------- */

/* Text inside of a page. */
static void put_escaped(FILE *to, const char *text)
{
    for (const char *c = text; *c != '\0'; ++c) {
        switch (*c) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            fputc(*c, to);
        }
    }
}

/* A page that looks again every second until there are results. */
static void answer_waiting(const Watch *w, ServerAnswer *out)
{
    size_t n = 0;
    FILE *text = open_memstream(&out->text, &n);
    if (text == NULL) {
        return;
    }
    fputs("<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\">"
          "<title>Trammel</title><style>body{font:16px sans-serif;margin:4em;color:#333;"
          "background:#fff}@media(prefers-color-scheme:dark){body{color:#ddd;background:#111}}"
          "</style><p>Waiting for <b>",
          text);
    put_escaped(text, w->results);
    fputs("</b> ...</p>", text);
    fclose(text);
    out->n = n;
    out->code = 200;
    out->type = "text/html; charset=utf-8";
}

static void answer_text(ServerAnswer *out, int code, const char *text)
{
    out->text = strdup(text);
    out->n = out->text != NULL ? strlen(out->text) : 0;
    out->code = code;
    out->type = "text/plain; charset=utf-8";
}

/* Rows from a number on, through a file that has no name. */
static void answer_data(const Watch *w, int64_t from, ServerAnswer *out)
{
    TmlError err = {0};
    struct stat info;
    FILE *file = tmpfile();
    const int fd = file != NULL ? dup(fileno(file)) : -1;
    if (file != NULL) {
        fclose(file);
    }
    if (fd < 0) {
        answer_text(out, 503, strerror(errno));
        return;
    }
    out->fd = fd;
    const TmlStatus status = tml_report_data(w->results, from, fd, NULL, &err);
    if (status != TML_OK || fstat(fd, &info) != 0) {
        close(fd);
        out->fd = -1;
        answer_text(out, 503, err.message);
        return;
    }
    out->n = (size_t)info.st_size;
    out->code = 200;
    out->type = "application/octet-stream";
}

static void answer(void *user, const char *path, ServerAnswer *out)
{
    static const char data[] = "data?from=";
    Watch *w = user;
    char *end = NULL;
    *out = (ServerAnswer){.fd = -1};
    w->seen = w->seen || access(w->results, F_OK) == 0;
    if (path[0] == '\0' && !w->seen) {
        answer_waiting(w, out);
    } else if (path[0] == '\0') {
        *out = (ServerAnswer){.code = 200, .fd = -1, .data = w->page, .n = strlen(w->page)};
        out->type = "text/html; charset=utf-8";
    } else if (strncmp(path, data, strlen(data)) == 0 && path[strlen(data)] >= '0' &&
               path[strlen(data)] <= '9') {
        errno = 0;
        const long long from = strtoll(path + strlen(data), &end, 10);
        if (*end == '\0' && errno == 0) {
            answer_data(w, from, out);
        } else {
            answer_text(out, 400, "from: a row is a whole number");
        }
    } else {
        answer_text(out, 404, "there is nothing of that name");
    }
}

/* --- the command ------------------------------------------------------------------------------ */

/* Asks the desktop to show the address; without one nothing happens. */
static void open_browser(const char *address)
{
    if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) {
        return;
    }
    const pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) { // a grandchild is nobody's to wait for
            const int null = open("/dev/null", O_RDWR);
            if (null >= 0) {
                dup2(null, STDIN_FILENO);
                dup2(null, STDOUT_FILENO);
                dup2(null, STDERR_FILENO);
            }
            execlp("xdg-open", "xdg-open", address, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0) {
        (void)waitpid(child, NULL, 0);
    }
}

/* A file that is there must be a result file; one that is not is waited for. */
static int check_results(Watch *w)
{
    TmlError err = {0};
    if (access(w->results, F_OK) != 0) {
        return CLI_GO_ON;
    }
    int null;
    do {
        null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    } while (null < 0 && errno == EINTR);
    if (null < 0) {
        cli_wrong("cannot open '/dev/null': %s", strerror(errno));
        return tml_status_exit(TML_E_IO);
    }
    const TmlStatus status = tml_report_data(w->results, INT64_MAX, null, NULL, &err);
    close(null);
    w->seen = true;
    return status == TML_OK ? CLI_GO_ON : cli_fail(status, &err);
}

static int serve(const WatchSettings *s, Watch *w)
{
    Server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        return cli_fail(TML_E_NOMEM, &(TmlError){0});
    }
    server->answer = answer;
    server->user = w;
    int result = server_open(server, (int)s->port);
    if (result == 0) {
        char address[128];
        snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", server->port, server->token);
        printf("%s\n", address);
        if (!s->quiet) {
            printf("%s%s; Ctrl-C ends this\n", w->seen ? "showing " : "waiting for ", w->results);
        }
        // nobody would come to an address that could not be told
        result = fflush(stdout) == 0 ? 0 : tml_status_exit(TML_E_IO);
        if (result == 0 && !s->no_open) {
            open_browser(address);
        }
        while (result == 0 && !cli_cancelled()) {
            server_poll(server, 1.0);
        }
    }
    server_close(server);
    free(server);
    return result;
}

static int watch_run(const CliCommand *self, int argc, char **argv)
{
    WatchSettings s = {0};
    int n = 0;
    int result = cli_parse(self, argc, argv, &s, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    if (s.port > 65535.0 || s.port != floor(s.port)) {
        return cli_wrong("option '--port' needs a whole number up to 65535, not %g", s.port);
    }
    TmlError err = {0};
    Watch w = {.results = argv[0]};
    const TmlStatus status = tml_report_page(NULL, &w.page, &err);
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    cli_cancel_init();
    result = check_results(&w);
    if (result == CLI_GO_ON) {
        result = serve(&s, &w);
    }
    tml_text_free(w.page);
    return result;
}

const CliCommand cli_watch = {
    .name = "watch",
    .arguments = "OUT.h5",
    .text = "Follow a run in the browser while it goes on.",
    .n_min = 1,
    .n_max = 1,
    .options = watch_options,
    .run = watch_run,
};
