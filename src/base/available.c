/* base/available.c - how much memory there is, by what Linux says of it.
 *
 * Linux promises more memory than it has, and ends a process that uses what it was promised. So it
 * is asked beforehand. Where a file is missing the limit that it tells of is none.
 */
#include "base/available.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The number that a file consists of; false: none, or "max". */
static bool read_number(const char *path, unsigned long long *out)
{
    FILE *f = fopen(path, "r");
    const bool found = f != NULL && fscanf(f, "%llu", out) == 1;
    if (f != NULL) {
        fclose(f);
    }
    return found;
}

/* The sum of the numbers behind two words at the start of lines. */
static bool read_fields(const char *path, const char *a, const char *b, unsigned long long *sum)
{
    FILE *f = fopen(path, "r");
    char line[256];
    bool found = false;
    *sum = 0;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        char word[64];
        unsigned long long value;
        if (sscanf(line, "%63s %llu", word, &value) == 2 &&
            (strcmp(word, a) == 0 || strcmp(word, b) == 0)) {
            *sum += value;
            found = true;
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return found;
}

static size_t free_of_system(void)
{
    unsigned long long kilobytes;
    return read_fields("/proc/meminfo", "MemAvailable:", "SwapFree:", &kilobytes)
               ? (size_t)kilobytes * 1024
               : SIZE_MAX;
}

/* What a limit, if there is one, leaves of which `used` bytes are taken. */
static size_t left_of(bool known, struct rlimit limit, size_t used)
{
    if (!known || limit.rlim_cur == RLIM_INFINITY) {
        return SIZE_MAX;
    }
    return limit.rlim_cur > used ? (size_t)limit.rlim_cur - used : 0;
}

static size_t free_of_process(void)
{
    unsigned long long size = 0, data = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL) {
        if (fscanf(f, "%llu %*u %*u %*u %*u %llu", &size, &data) != 2) {
            size = data = 0;
        }
        fclose(f);
    }
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct rlimit space = {0}, heap = {0};
    const bool space_known = getrlimit(RLIMIT_AS, &space) == 0;
    const bool heap_known = getrlimit(RLIMIT_DATA, &heap) == 0;
    return least(left_of(space_known, space, (size_t)size * page),
                 left_of(heap_known, heap, (size_t)data * page));
}

/* What the group in this folder may still take; pages of files, which it can drop, are no part of
 * it. */
static size_t free_of_group(const char *folder, const char *limit_file, const char *used_file)
{
    char path[512];
    unsigned long long limit, used, files = 0;
    snprintf(path, sizeof path, "%s/%s", folder, limit_file);
    if (!read_number(path, &limit)) {
        return SIZE_MAX;
    }
    snprintf(path, sizeof path, "%s/%s", folder, used_file);
    if (!read_number(path, &used)) {
        return SIZE_MAX;
    }
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    (void)read_fields(path, "inactive_file", "active_file", &files);
    used = used > files ? used - files : 0;
    return limit > used ? (size_t)(limit - used) : 0;
}

/* The group of the process, and those above it. */
static size_t free_of_groups(void)
{
    char line[384], folder[448];
    size_t left =
        free_of_group("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes");
    FILE *f = fopen("/proc/self/cgroup", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "0::", 3) != 0) {
            continue;
        }
        snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", line + 3);
        for (char *end = folder + strlen(folder); end >= folder + strlen("/sys/fs/cgroup"); --end) {
            if (*end == '/' || *end == '\0') {
                *end = '\0';
                left = least(left, free_of_group(folder, "memory.max", "memory.current"));
            }
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return left;
}

size_t tml_memory_available(void)
{
    return least(free_of_system(), least(free_of_process(), free_of_groups()));
}

TmlBytesText tml_bytes_text(double bytes)
{
    TmlBytesText out;
    const double giga = 1e9, mega = 1e6;
    if (bytes >= giga) {
        snprintf(out.text, sizeof out.text, "%.2g GB", bytes / giga);
    } else {
        snprintf(out.text, sizeof out.text, "%.0f MB", bytes / mega);
    }
    return out;
}
