/* tests/robust/fault.c - runs a command and makes one of its system calls go wrong.
 *
 *   fault [OPTION]... -- COMMAND [ARGUMENT]...
 *
 * System calls are counted from the entry point of the program on, so that its shared libraries are
 * loaded. Calls of the C library and of other libraries count as the program's own do: the kernel
 * stops the process at each (seccomp and ptrace). The log has one line a call that is counted:
 * number, name, bytes asked for or -1, and the file.
 *
 * SIGINT and SIGTERM are passed on. Exit status: that of the command; 128 and the signal that ended
 * it; 125 when this fails itself. Only for x86-64, as registers have names.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OWN_FAILURE = 125, THREADS_MAX = 256, PATH_SIZE = 512 };

/* The first arguments of a call have one of these shapes. */
typedef enum Shape { NONE, FD, PATH, AT_PATH, TRANSFER, MEMORY } Shape;

typedef struct Call {
    long number;
    const char *name;
    Shape shape;
} Call;

#define CALL(name, shape)                                                                          \
    {                                                                                              \
        SYS_##name, #name, shape                                                                   \
    }
static const Call calls[] = {
    CALL(open, PATH),
    CALL(openat, AT_PATH),
    CALL(creat, PATH),
    CALL(read, TRANSFER),
    CALL(pread64, TRANSFER),
    CALL(readv, FD),
    CALL(write, TRANSFER),
    CALL(pwrite64, TRANSFER),
    CALL(writev, FD),
    CALL(close, FD),
    CALL(rename, PATH),
    CALL(renameat, AT_PATH),
    CALL(renameat2, AT_PATH),
    CALL(link, PATH),
    CALL(linkat, AT_PATH),
    CALL(unlink, PATH),
    CALL(unlinkat, AT_PATH),
    CALL(ftruncate, FD),
    CALL(truncate, PATH),
    CALL(fallocate, FD),
    CALL(fsync, FD),
    CALL(fdatasync, FD),
    CALL(flock, FD),
    CALL(fcntl, FD),
    CALL(stat, PATH),
    CALL(fstat, FD),
    CALL(lstat, PATH),
    CALL(newfstatat, AT_PATH),
    CALL(statx, AT_PATH),
    CALL(access, PATH),
    CALL(faccessat, AT_PATH),
    CALL(faccessat2, AT_PATH),
    CALL(readlink, PATH),
    CALL(readlinkat, AT_PATH),
    CALL(mkdir, PATH),
    CALL(mkdirat, AT_PATH),
    CALL(rmdir, PATH),
    CALL(lseek, FD),
    CALL(dup, FD),
    CALL(dup2, FD),
    CALL(dup3, FD),
    CALL(pipe, NONE),
    CALL(pipe2, NONE),
    CALL(ioctl, FD),
    CALL(getcwd, NONE),
    CALL(getdents64, FD),
    CALL(socket, NONE),
    CALL(bind, FD),
    CALL(listen, FD),
    CALL(accept, FD),
    CALL(accept4, FD),
    CALL(getsockname, FD),
    CALL(setsockopt, FD),
    CALL(recvfrom, TRANSFER),
    CALL(sendto, TRANSFER),
    CALL(shutdown, FD),
    CALL(poll, NONE),
    CALL(getrandom, NONE),
    CALL(fork, NONE),
    CALL(vfork, NONE),
    CALL(clone, NONE),
    CALL(clone3, NONE),
    CALL(execve, PATH),
    CALL(wait4, NONE),
    CALL(chmod, PATH),
    CALL(fchmod, FD),
    CALL(statfs, PATH),
    CALL(fstatfs, FD),
    CALL(memfd_create, NONE),
    CALL(mmap, MEMORY),
    CALL(mremap, MEMORY),
    CALL(brk, MEMORY),
    CALL(mprotect, MEMORY),
};
#undef CALL
enum { N_CALLS = sizeof calls / sizeof calls[0] };

typedef struct Settings {
    const char *log, *only; // only these names count, with commas around them; NULL: all
    long at;                // number of the call that goes wrong, from one; 0: none
    int error;
    bool shortened, after, kill, memory;
    bool files; // only what needs room on a disk: plain files, opens that make one
} Settings;

/* A call that goes to the kernel with other arguments, or shall return another value. */
typedef struct Undo {
    bool waits;
    unsigned long long rdi, rdx; // as the program has them
    long result;                 // 0: what the kernel returns
} Undo;

typedef struct Tracer {
    const Settings *settings;
    FILE *log;
    pid_t child;
    long counted;
    bool counting;        // the entry point has been passed
    long entry, original; // the word at the entry point, which a breakpoint replaces
    bool ended;
    int status;                // of the child
    pid_t thread[THREADS_MAX]; // seen so far
    Undo undo[THREADS_MAX];    // what is set right when their calls have been done
    int n_threads;
} Tracer;

static void die(const char *what)
{
    fprintf(stderr, "fault: %s: %s\n", what, strerror(errno));
    exit(OWN_FAILURE);
}

static const Call *find_call(long number)
{
    for (int k = 0; k < N_CALLS; ++k) {
        if (calls[k].number == number) {
            return &calls[k];
        }
    }
    return NULL;
}

/* --- the command ------------------------------------------------------------------------------ */

static bool is_named(const Settings *s, const Call *call)
{
    char name[64];
    snprintf(name, sizeof name, ",%s,", call->name);
    return (call->shape == MEMORY) == s->memory &&
           (s->only == NULL || strstr(s->only, name) != NULL);
}

/* The kernel stops the process at the calls that may count, and at no other: a stop costs more than most calls. */
static void install_filter(const Settings *s)
{
    struct sock_filter code[N_CALLS + 8];
    const Call *named[N_CALLS];
    unsigned n = 0, n_named = 0;
    for (int k = 0; k < N_CALLS; ++k) {
        if (is_named(s, &calls[k])) {
            named[n_named++] = &calls[k];
        }
    }
    code[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (unsigned k = 0; k < n_named; ++k) {
        code[n++] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (unsigned)named[k]->number, (unsigned char)(n_named - k), 0);
    }
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    const struct sock_fprog program = {(unsigned short)n, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        die("cannot install the filter");
    }
}

static void start_command(char **argv, const Settings *s)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
        die("cannot be traced");
    }
    raise(SIGSTOP);
    install_filter(s);
    execvp(argv[0], argv);
    die(argv[0]);
}

/* --- what a call is about --------------------------------------------------------------------- */

static void read_text(pid_t pid, unsigned long from, char out[PATH_SIZE])
{
    for (size_t n = PATH_SIZE - 1; n > 0; n /= 2) { // the text may lie at the end of a page
        struct iovec here = {out, n}, there = {(void *)from, n};
        const ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);
        if (got > 0) {
            out[got] = '\0';
            return;
        }
    }
    out[0] = '\0';
}

static void describe(pid_t pid, const Call *call, const struct user_regs_struct *r,
                     char out[PATH_SIZE])
{
    out[0] = '\0';
    if (call->shape == PATH || call->shape == AT_PATH) {
        read_text(pid, call->shape == PATH ? r->rdi : r->rsi, out);
    }
    if (call->shape == FD || call->shape == TRANSFER || (call->shape == AT_PATH && !out[0])) {
        char link[64];
        snprintf(link, sizeof link, "/proc/%d/fd/%d", pid, (int)r->rdi);
        const ssize_t n = readlink(link, out, PATH_SIZE - 1);
        out[n > 0 ? n : 0] = '\0';
    }
}

static bool is_plain(pid_t pid, const struct user_regs_struct *r)
{
    char link[64];
    struct stat info;
    snprintf(link, sizeof link, "/proc/%d/fd/%d", pid, (int)r->rdi);
    return stat(link, &info) == 0 && S_ISREG(info.st_mode);
}

static bool is_counted(const Tracer *t, pid_t pid, const Call *call,
                       const struct user_regs_struct *r)
{
    const Settings *s = t->settings;
    if (!t->counting || call == NULL || !is_named(s, call)) {
        return false;
    }
    if (call->number == SYS_brk && r->rdi == 0) {
        return false; // a question, which cannot fail
    }
    if (s->files && call->number == SYS_openat) {
        return (r->rdx & (O_CREAT | __O_TMPFILE)) != 0;
    }
    return !s->files || (call->shape != FD && call->shape != TRANSFER) || is_plain(pid, r);
}

/* --- what goes wrong -------------------------------------------------------------------------- */

static int thread_of(Tracer *t, pid_t pid)
{
    for (int k = 0; k < t->n_threads; ++k) {
        if (t->thread[k] == pid) {
            return k;
        }
    }
    return -1;
}

/* Returns the request that lets the thread go on. */
static int go_wrong(Tracer *t, pid_t pid, const Call *call, struct user_regs_struct *r)
{
    const Settings *s = t->settings;
    Undo *undo = &t->undo[thread_of(t, pid)];
    const bool half = s->shortened && t->counted == s->at && call->shape == TRANSFER && r->rdx > 1;
    if (s->kill) {
        kill(t->child, SIGKILL);
        return PTRACE_CONT;
    }
    if (!half && s->error == 0) {
        return PTRACE_CONT;
    }
    *undo = (Undo){.rdi = r->rdi, .rdx = r->rdx};
    if (half) {
        r->rdx /= 2;
        undo->waits = true;
    } else if (call->number == SYS_close) { // the descriptor is closed, whatever close returns
        undo->result = -s->error;
        undo->waits = true;
    } else if (call->number == SYS_brk) { // it returns the place where memory ends
        r->rdi = 0;
        undo->waits = true;
    } else {
        r->orig_rax = (unsigned long long)-1;
        r->rax = (unsigned long long)-s->error;
    }
    ptrace(PTRACE_SETREGS, pid, NULL, r);
    return undo->waits ? PTRACE_SYSCALL : PTRACE_CONT;
}

static int on_call(Tracer *t, pid_t pid)
{
    struct user_regs_struct r;
    const Settings *s = t->settings;
    const bool over = s->at > 0 && t->counted >= s->at && !s->after && t->log == NULL;
    if (over || ptrace(PTRACE_GETREGS, pid, NULL, &r) != 0) {
        return PTRACE_CONT;
    }
    const Call *call = find_call((long)r.orig_rax);
    if (!is_counted(t, pid, call, &r)) {
        return PTRACE_CONT;
    }
    t->counted++;
    if (t->log != NULL) {
        char file[PATH_SIZE];
        describe(pid, call, &r, file);
        fprintf(t->log, "%ld %s %ld %s\n", t->counted, call->name,
                call->shape == TRANSFER ? (long)r.rdx : -1L, file);
    }
    const long at = t->settings->at;
    const bool wrong = at > 0 && (t->counted == at || (t->counted > at && t->settings->after));
    return wrong ? go_wrong(t, pid, call, &r) : PTRACE_CONT;
}

static void on_call_end(Tracer *t, pid_t pid)
{
    struct user_regs_struct r;
    const int k = thread_of(t, pid);
    if (k >= 0 && t->undo[k].waits && ptrace(PTRACE_GETREGS, pid, NULL, &r) == 0) {
        const Undo *undo = &t->undo[k];
        r.rdi = undo->rdi;
        r.rdx = undo->rdx;
        r.rax = undo->result != 0 ? (unsigned long long)undo->result : r.rax;
        ptrace(PTRACE_SETREGS, pid, NULL, &r);
        t->undo[k].waits = false;
    }
}

/* --- the entry point -------------------------------------------------------------------------- */

static long entry_of(pid_t pid)
{
    enum { AT_END = 0, AT_ENTRY_POINT = 9 };
    char path[64];
    unsigned long pair[2];
    long entry = 0;
    snprintf(path, sizeof path, "/proc/%d/auxv", pid);
    FILE *file = fopen(path, "rb");
    while (file != NULL && fread(pair, sizeof pair, 1, file) == 1 && pair[0] != AT_END) {
        entry = pair[0] == AT_ENTRY_POINT ? (long)pair[1] : entry;
    }
    if (file != NULL) {
        fclose(file);
    }
    return entry;
}

static void on_exec(Tracer *t, pid_t pid)
{
    if (t->entry != 0) {
        return; // of a child that the command has started
    }
    t->entry = entry_of(pid);
    errno = 0;
    t->original = ptrace(PTRACE_PEEKTEXT, pid, (void *)t->entry, NULL);
    if (errno != 0 || t->entry == 0) {
        die("cannot find the entry point");
    }
    const long word = (long)(((unsigned long)t->original & ~0xfful) | 0xcc);
    ptrace(PTRACE_POKETEXT, pid, (void *)t->entry, (void *)word);
}

static bool on_entry(Tracer *t, pid_t pid)
{
    struct user_regs_struct r;
    if (t->counting || ptrace(PTRACE_GETREGS, pid, NULL, &r) != 0 || (long)r.rip != t->entry + 1) {
        return false;
    }
    ptrace(PTRACE_POKETEXT, pid, (void *)t->entry, (void *)t->original);
    r.rip = (unsigned long)t->entry;
    ptrace(PTRACE_SETREGS, pid, NULL, &r);
    t->counting = true;
    return true;
}

/* --- the loop --------------------------------------------------------------------------------- */

/* The new process or thread is stopped once before it begins. */
static bool is_new(Tracer *t, pid_t pid)
{
    if (thread_of(t, pid) >= 0) {
        return false;
    }
    if (t->n_threads == THREADS_MAX) {
        errno = ENOMEM;
        die("too many threads");
    }
    t->thread[t->n_threads++] = pid;
    return true;
}

static void on_stop(Tracer *t, pid_t pid, int status)
{
    int request = PTRACE_CONT, signal = WSTOPSIG(status);
    const int event = status >> 16;
    const bool new = is_new(t, pid);
    if (event == PTRACE_EVENT_SECCOMP) {
        request = on_call(t, pid);
        signal = 0;
    } else if (event == PTRACE_EVENT_EXEC) {
        on_exec(t, pid);
        signal = 0;
    } else if (event != 0 || (new &&signal == SIGSTOP)) {
        signal = 0;
    } else if (signal == (SIGTRAP | 0x80)) {
        on_call_end(t, pid);
        signal = 0;
    } else if (signal == SIGTRAP && on_entry(t, pid)) {
        signal = 0;
    }
    ptrace((enum __ptrace_request)request, pid, NULL, (void *)(long)signal);
}

static volatile sig_atomic_t traced; // the process that signals are passed on to

static void pass_on(int number)
{
    kill((pid_t)traced, number);
}

static void trace(Tracer *t)
{
    traced = t->child;
    signal(SIGINT, pass_on);
    signal(SIGTERM, pass_on);
    const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXEC |
                         PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                         PTRACE_O_TRACESYSGOOD;
    int status;
    if (waitpid(t->child, &status, 0) != t->child || !WIFSTOPPED(status) ||
        ptrace(PTRACE_SETOPTIONS, t->child, NULL, (void *)options) != 0) {
        die("cannot trace");
    }
    (void)is_new(t, t->child);
    ptrace(PTRACE_CONT, t->child, NULL, NULL);
    while (!t->ended) {
        const pid_t pid = waitpid(-1, &status, __WALL);
        if (pid < 0 && errno != EINTR) {
            die("cannot wait");
        } else if (pid > 0 && WIFSTOPPED(status)) {
            on_stop(t, pid, status);
        } else if (pid == t->child) {
            t->ended = true;
            t->status = status;
        }
    }
}

static bool parse(int argc, char **argv, Settings *s, int *command)
{
    static char only[4096];
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--short", &s->shortened},
                 {"--after", &s->after},
                 {"--kill", &s->kill},
                 {"--files", &s->files},
                 {"--memory", &s->memory}};
    for (int k = 1; k < argc; ++k) {
        bool known = false;
        for (size_t f = 0; f < sizeof flags / sizeof flags[0]; ++f) {
            if (strcmp(argv[k], flags[f].name) == 0) {
                *flags[f].flag = known = true;
            }
        }
        if (known) {
            continue;
        }
        if (strcmp(argv[k], "--") == 0) {
            *command = k + 1;
            return k + 1 < argc;
        }
        const char *value = k + 1 < argc ? argv[k + 1] : "";
        if (strcmp(argv[k], "--log") == 0) {
            s->log = value;
        } else if (strcmp(argv[k], "--only") == 0) {
            snprintf(only, sizeof only, ",%s,", value);
            s->only = only;
        } else if (strcmp(argv[k], "--at") == 0) {
            s->at = strtol(value, NULL, 10);
        } else if (strcmp(argv[k], "--error") == 0) {
            s->error = (int)strtol(value, NULL, 10);
        } else {
            return false;
        }
        k++;
    }
    return false;
}

int main(int argc, char **argv)
{
    Settings s = {0};
    int command = 0;
    if (!parse(argc, argv, &s, &command)) {
        fprintf(stderr,
                "usage: fault [--log FILE] [--only NAMES] [--at K] [--error ERRNO] [--short] "
                "[--after] [--kill] [--files] [--memory] -- COMMAND [ARGUMENT]...\n");
        return OWN_FAILURE;
    }
    Tracer t = {.settings = &s};
    t.log = s.log != NULL ? fopen(s.log, "we") : NULL;
    if (s.log != NULL && t.log == NULL) {
        die(s.log);
    }
    t.child = fork();
    if (t.child < 0) {
        die("fork");
    }
    if (t.child == 0) {
        start_command(argv + command, &s);
    }
    trace(&t);
    if (t.log != NULL && fclose(t.log) != 0) {
        die(s.log);
    }
    return WIFSIGNALED(t.status) ? 128 + WTERMSIG(t.status) : WEXITSTATUS(t.status);
}
