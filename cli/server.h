/* cli/server.h - a small HTTP server for one page and its data, on this machine only.
 *
 * Bound to 127.0.0.1. The path begins with a random token, and the Host header must be that of the
 * address, so that neither other users' guesses nor other pages' requests get anything. Only GET,
 * one request a connection, few connections, each with a time limit; memory does not depend on what
 * clients send. Why no library does this: docs/decisions/0015-watch-server.md.
 */
#pragma once

#include "trammel/trammel.h"

enum { SERVER_TOKEN = 32, SERVER_CONNECTIONS = 16, SERVER_REQUEST = 4096, SERVER_HEAD = 1024 };

/* What an answer consists of. The server frees text and closes fd. */
typedef struct ServerAnswer {
    int code;         /* 200, 404, ... */
    const char *type; /* "text/html; charset=utf-8" */
    const char *data; /* n bytes that outlive the answer; or */
    char *text;       /* a text of its own; or */
    int fd;           /* an open file of n bytes, from its start; -1: none */
    size_t n;
} ServerAnswer;

typedef struct ServerConnection {
    int fd;                /* -1: free */
    double deadline, last; /* s, clock: of what comes next, and of everything */
    char request[SERVER_REQUEST];
    size_t n_request;
    bool answering;
    char head[SERVER_HEAD];
    size_t n_head, sent; /* sent: of head and body together */
    ServerAnswer answer;
} ServerConnection;

typedef struct Server {
    int fd, port;
    char token[SERVER_TOKEN + 1];
    double patience; /* s for a request, and for each portion of an answer; 12 times for all */
    /* The answer to a path behind the token: "" is the page, "data?from=7". */
    void (*answer)(void *user, const char *path, ServerAnswer *out);
    void *user;
    ServerConnection connection[SERVER_CONNECTIONS];
} Server;

/* Listen; port 0: any that is free. Returns 0, or the exit status with a message printed. */
int server_open(Server *s, int port);
void server_close(Server *s);

/* Serve for up to `seconds`, less when a signal comes. */
void server_poll(Server *s, double seconds);
