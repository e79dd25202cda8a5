/* cli/crew_children.c - workers as children of this process.
 *
 * Each has a pair of sockets: runs go out as their numbers, records come back as size and bytes. A child that dies
 * (a defect, a user-written routine, the system that needs memory) loses its run and no other, and is replaced. A child
 * ends when its socket is closed, so that none outlives this process.
 */
#include "cli.h"
#include "crew.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAIT_MS = 250 };

typedef struct Child {
    pid_t pid; // 0: none
    int fd;
    int run;    // that it makes; -1: none
    int unsent; // why it could not be told its run; 0: it was
} Child;

typedef struct Children {
    int n, next; // next: whose turn it is to be heard first
    Child *at;
    struct pollfd *poll;
} Children;

static bool put_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0) {
        const ssize_t done = send(fd, at, n, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        at += done;
        n -= (size_t)done;
    }
    return true;
}

static bool get_all(int fd, void *bytes, size_t n)
{
    char *at = bytes;
    while (n > 0) {
        const ssize_t done = read(fd, at, n);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        at += done;
        n -= (size_t)done;
    }
    return true;
}

/* --- a child ------------------------------------------------------------------------------------------------ */

static _Noreturn void work(const TmlStudy *study, int fd)
{
    int run;
    prctl(PR_SET_PDEATHSIG, SIGKILL); // whoever waits for its records is gone
    signal(SIGINT, SIG_IGN);          // Ctrl-C reaches all; the leader decides
    while (get_all(fd, &run, sizeof run)) {
        size_t size = 0;
        void *bytes = cli_crew_make(study, run, NULL, &size);
        if (bytes == NULL || !put_all(fd, &size, sizeof size) || !put_all(fd, bytes, size)) {
            _exit(1);
        }
        tml_study_record_free(bytes);
    }
    _exit(0);
}

static bool make_child(Children *all, const TmlStudy *study, int k)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return false;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < all->n; ++i) { // those of others would keep them alive
            if (all->at[i].pid > 0) {
                close(all->at[i].fd);
            }
        }
        close(ends[0]);
        work(study, ends[1]);
    }
    const int why = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        errno = why;
        return false;
    }
    all->at[k] = (Child){.pid = pid, .fd = ends[0], .run = -1};
    return true;
}

/* --- the leader ---------------------------------------------------------------------------------------------- */

static bool give(CliCrew *crew, int worker, int run)
{
    Children *all = crew->state;
    Child *c = &all->at[worker];
    c->run = run;
    if (c->pid > 0 && put_all(c->fd, &run, sizeof run)) {
        return true;
    }
    if (c->pid >
        0) { // it waits for a number that does not come: its end is heard instead of a record
        c->unsent = errno;
        kill(c->pid, SIGKILL);
    }
    return false;
}

/* How a child ended, as a text. */
static void say_end(pid_t pid, char *why, size_t size)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
        snprintf(why, size, "its process was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(why, size, "its process ended with exit status %d", WEXITSTATUS(status));
    }
}

static CliCrewEvent lose(CliCrew *crew, int k, CliCrewNews *out)
{
    Children *all = crew->state;
    out->run = all->at[k].run;
    close(all->at[k].fd);
    say_end(all->at[k].pid, out->why, sizeof out->why);
    if (all->at[k].unsent != 0 && all->at[k].unsent != EPIPE) { // EPIPE: it had ended by itself
        snprintf(out->why, sizeof out->why, "its process could not be told to make it: %s",
                 strerror(all->at[k].unsent));
    }
    all->at[k] = (Child){.fd = -1, .run = -1};
    (void)make_child(all, crew->study, k);
    return CREW_LOST;
}

static CliCrewEvent hear(CliCrew *crew, int k, CliCrewNews *out)
{
    Children *all = crew->state;
    *out = (CliCrewNews){.worker = k, .run = all->at[k].run};
    if (!get_all(all->at[k].fd, &out->size, sizeof out->size)) {
        return lose(crew, k, out);
    }
    out->bytes = malloc(out->size);
    if (out->bytes == NULL || !get_all(all->at[k].fd, out->bytes, out->size)) {
        free(out->bytes);
        out->bytes = NULL;
        return lose(crew, k, out);
    }
    all->at[k].run = -1;
    return CREW_RECORD;
}

static CliCrewEvent news(CliCrew *crew, CliCrewNews *out)
{
    Children *all = crew->state;
    int living = 0;
    for (int k = 0; k < all->n; ++k) {
        all->poll[k] = (struct pollfd){.fd = all->at[k].fd, .events = POLLIN};
        living += all->at[k].pid > 0;
    }
    if (living == 0) {
        *out = (CliCrewNews){.run = -1};
        snprintf(out->why, sizeof out->why, "no process can be made for the runs: %s",
                 strerror(errno));
        return CREW_FAILED;
    }
    if (poll(all->poll, (nfds_t)all->n, WAIT_MS) > 0) {
        for (int i = 0; i < all->n; ++i) {
            const int k = (all->next + i) % all->n;
            if (all->at[k].pid > 0 && all->poll[k].revents != 0) {
                all->next = k + 1;
                return hear(crew, k, out);
            }
        }
    }
    return CREW_IDLE;
}

static void dismiss(CliCrew *crew)
{
    Children *all = crew->state;
    for (int k = 0; k < all->n; ++k) {
        if (all->at[k].pid > 0) {
            if (all->at[k].run >= 0) { // its run is not waited for
                kill(all->at[k].pid, SIGKILL);
            }
            close(all->at[k].fd);
            while (waitpid(all->at[k].pid, NULL, 0) < 0 && errno == EINTR) {
            }
        }
    }
    free(all->at);
    free(all->poll);
    free(all);
}

bool cli_crew_children(CliCrew *crew, const TmlStudy *study, int workers)
{
    Children *all = calloc(1, sizeof *all);
    *crew = (CliCrew){.workers = workers,
                      .study = study,
                      .state = all,
                      .give = give,
                      .news = news,
                      .dismiss = dismiss};
    if (all == NULL) {
        return false;
    }
    all->at = calloc((size_t)workers, sizeof *all->at);
    all->poll = calloc((size_t)workers, sizeof *all->poll);
    int made = 0;
    for (int k = 0; k < workers && all->at != NULL && all->poll != NULL; ++k) {
        all->at[k] = (Child){.fd = -1, .run = -1};
        all->n = k + 1;
        made += make_child(all, study, k);
    }
    if (made == 0) {
        const int why = errno;
        dismiss(crew);
        errno = why;
    }
    return made > 0;
}
