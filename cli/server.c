/* cli/server.c - a small HTTP server for one page and its data, on this machine only. */
#include "server.h"

#include "cli.h"
#include "progress.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORTION = 65536, BACKLOG = 32 };

/* --- begin and end --------------------------------------------------------------------------- */

static bool make_token(char out[SERVER_TOKEN + 1])
{
    unsigned char bytes[SERVER_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    for (size_t k = 0; k < sizeof bytes; ++k) {
        snprintf(out + 2 * k, 3, "%02x", (unsigned)bytes[k]);
    }
    return true;
}

static int listen_here(int port, int *actual)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof address;
    const int yes = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return -1;
    }
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        const int reason = errno;
        close(fd);
        errno = reason;
        return -1;
    }
    *actual = ntohs(address.sin_port);
    return fd;
}

int server_open(Server *s, int port)
{
    for (int k = 0; k < SERVER_CONNECTIONS; ++k) {
        s->connection[k].fd = s->connection[k].answer.fd = -1;
    }
    s->patience = s->patience > 0.0 ? s->patience : 5.0;
    s->fd = -1;
    if (!make_token(s->token)) {
        cli_wrong("no random numbers to be had: %s", strerror(errno));
        return tml_status_exit(TML_E_IO);
    }
    s->fd = listen_here(port, &s->port);
    if (s->fd < 0) {
        cli_wrong("cannot listen on port %d: %s", port, strerror(errno));
        return tml_status_exit(TML_E_IO);
    }
    return 0;
}

static void answer_free(ServerAnswer *a)
{
    free(a->text);
    if (a->fd >= 0) {
        close(a->fd);
    }
    *a = (ServerAnswer){.fd = -1};
}

static void hang_up(ServerConnection *c)
{
    close(c->fd);
    answer_free(&c->answer);
    c->fd = -1;
}

void server_close(Server *s)
{
    for (int k = 0; k < SERVER_CONNECTIONS; ++k) {
        if (s->connection[k].fd >= 0) {
            hang_up(&s->connection[k]);
        }
    }
    if (s->fd >= 0) {
        close(s->fd);
    }
    s->fd = -1;
}

/* --- requests --------------------------------------------------------------------------------- */

static const char *reason_of(int code)
{
    switch (code) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 431:
        return "Request Header Fields Too Large";
    default:
        return "Service Unavailable";
    }
}

static void refuse(ServerAnswer *a, int code)
{
    *a = (ServerAnswer){.code = code, .type = "text/plain", .fd = -1};
    a->data = reason_of(code);
    a->n = strlen(a->data);
}

/* A header's value in a request whose lines end with zeros; NULL: absent or given twice. */
static const char *header(const char *from, const char *end, const char *name)
{
    const char *found = NULL;
    const size_t n = strlen(name);
    for (const char *line = from; line < end; line += strlen(line) + 1) {
        if (strncasecmp(line, name, n) == 0 && line[n] == ':') {
            if (found != NULL) {
                return NULL;
            }
            found = line + n + 1 + strspn(line + n + 1, " \t");
        }
    }
    return found;
}

/* Compares all bytes whatever they are, so that the time tells nothing. */
static bool same_token(const char *a, const char *b)
{
    unsigned differ = 0;
    for (int k = 0; k < SERVER_TOKEN; ++k) {
        differ |= (unsigned char)a[k] ^ (unsigned)(unsigned char)b[k];
    }
    return differ == 0;
}

/* Requests from other pages by another name of this machine (rebinding) have another Host. */
static bool is_host(const Server *s, const char *host)
{
    char want[2][32];
    snprintf(want[0], sizeof want[0], "127.0.0.1:%d", s->port);
    snprintf(want[1], sizeof want[1], "localhost:%d", s->port);
    return host != NULL && (strcmp(host, want[0]) == 0 || strcasecmp(host, want[1]) == 0);
}

/* GET /TOKEN/path HTTP/1.1 and headers; ends of lines have become zeros. */
static void answer_request(Server *s, ServerConnection *c, const char *end)
{
    char *line = c->request, *path = strchr(line, ' ');
    char *version = path != NULL ? strchr(path + 1, ' ') : NULL;
    if (version == NULL || strncmp(version + 1, "HTTP/1.", 7) != 0 || path[1] != '/') {
        refuse(&c->answer, 400);
        return;
    }
    const char *headers = line + strlen(line) + 1;
    *path++ = *version = '\0';
    if (strcmp(line, "GET") != 0) {
        refuse(&c->answer, 405);
    } else if (!is_host(s, header(headers, end, "Host"))) {
        refuse(&c->answer, 403);
    } else if (strlen(path) < SERVER_TOKEN + 2 || !same_token(path + 1, s->token) ||
               path[SERVER_TOKEN + 1] != '/') {
        refuse(&c->answer, 404);
    } else {
        s->answer(s->user, path + SERVER_TOKEN + 2, &c->answer);
    }
}

static void begin_answer(Server *s, ServerConnection *c)
{
    const ServerAnswer *a = &c->answer;
    const int n = snprintf(
        c->head, sizeof c->head,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        "Referrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n"
        "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src "
        "'unsafe-inline'; img-src data: blob:; connect-src 'self'; frame-ancestors 'none'\r\n\r\n",
        a->code, reason_of(a->code), a->type, a->n);
    c->n_head = n > 0 && (size_t)n < sizeof c->head ? (size_t)n : 0;
    c->sent = 0;
    c->answering = true;
    c->deadline = cli_clock() + s->patience;
}

/* Reads what has come; answers when the empty line is there. */
static void read_some(Server *s, ServerConnection *c)
{
    const size_t room = sizeof c->request - 1 - c->n_request;
    const ssize_t n = recv(c->fd, c->request + c->n_request, room, 0);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            hang_up(c);
        }
        return;
    }
    c->n_request += (size_t)n;
    c->request[c->n_request] = '\0';
    if (memchr(c->request, '\0', c->n_request) != NULL) {
        refuse(&c->answer, 400);
        begin_answer(s, c);
        return;
    }
    char *end = strstr(c->request, "\r\n\r\n");
    if (end != NULL) {
        end[2] = '\0';
        for (char *at = c->request; (at = strstr(at, "\r\n")) != NULL;) {
            *at++ = '\0';
            *at++ = '\0';
        }
        answer_request(s, c, end);
        begin_answer(s, c);
    } else if (c->n_request == sizeof c->request - 1) {
        refuse(&c->answer, 431);
        begin_answer(s, c);
    }
}

/* --- answers ---------------------------------------------------------------------------------- */

static void write_some(Server *s, ServerConnection *c)
{
    const ServerAnswer *a = &c->answer;
    char portion[PORTION];
    const char *from = c->head + c->sent;
    size_t n = c->n_head - (c->sent < c->n_head ? c->sent : c->n_head);
    if (n == 0) {
        const size_t at = c->sent - c->n_head, left = a->n - at;
        n = left < sizeof portion ? left : sizeof portion;
        from = (a->text != NULL ? a->text : a->data) + at;
        if (a->fd >= 0) {
            const ssize_t got = pread(a->fd, portion, n, (off_t)at);
            n = got > 0 ? (size_t)got : 0;
            from = portion;
        }
    }
    const ssize_t done = n > 0 ? send(c->fd, from, n, MSG_NOSIGNAL) : 0;
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (done <= 0) {
        hang_up(c);
        return;
    }
    c->sent += (size_t)done;
    c->deadline = cli_clock() + s->patience;
    if (c->sent == c->n_head + a->n) {
        (void)shutdown(c->fd, SHUT_WR);
        hang_up(c);
    }
}

static void accept_one(Server *s)
{
    const int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    for (int k = 0; fd >= 0 && k < SERVER_CONNECTIONS; ++k) {
        ServerConnection *c = &s->connection[k];
        if (c->fd < 0) {
            c->fd = fd;
            c->n_request = 0;
            c->answering = false;
            c->answer = (ServerAnswer){.fd = -1};
            c->deadline = cli_clock() + s->patience;
            c->last = c->deadline + 11.0 * s->patience;
            return;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
}

static void serve(Server *s, int milliseconds)
{
    struct pollfd list[SERVER_CONNECTIONS + 1] = {0};
    int free_places = 0;
    for (int k = 0; k < SERVER_CONNECTIONS; ++k) {
        const ServerConnection *c = &s->connection[k];
        list[k] = (struct pollfd){.fd = c->fd, .events = c->answering ? POLLOUT : POLLIN};
        free_places += c->fd < 0;
    }
    // without a free place newcomers wait until somebody has been served or has run out of time
    list[SERVER_CONNECTIONS].fd = free_places > 0 ? s->fd : -1;
    list[SERVER_CONNECTIONS].events = POLLIN;
    if (poll(list, SERVER_CONNECTIONS + 1, milliseconds) < 0) {
        return;
    }
    const double now = cli_clock();
    for (int k = 0; k < SERVER_CONNECTIONS; ++k) {
        ServerConnection *c = &s->connection[k];
        const bool idle = list[k].revents == 0 || !c->answering; // a request comes in one piece
        if (c->fd >= 0 && (now > c->last || (now > c->deadline && idle))) {
            hang_up(c);
        } else if (c->fd >= 0 && list[k].revents != 0) {
            (c->answering ? write_some : read_some)(s, c);
        }
    }
    if (list[SERVER_CONNECTIONS].revents != 0) {
        accept_one(s);
    }
}

void server_poll(Server *s, double seconds)
{
    const double end = cli_clock() + seconds;
    for (double left = seconds; left > 0.0 && !cli_cancelled(); left = end - cli_clock()) {
        serve(s, left < 0.25 ? (int)(1000.0 * left) + 1 : 250);
    }
}
