/* tests/fuzz/replay.c - gives files, or all files of folders, to a target, without libFuzzer.
 *
 *   trammel-replay TARGET FILE|FOLDER ...
 */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, LARGEST = 1 << 20 };

#define FUZZ_ROW(name) {#name, fuzz_##name},
static const struct {
    const char *name;
    FuzzTarget target;
} targets[] = {FUZZ_TARGETS(FUZZ_ROW)};
#undef FUZZ_ROW

static int replay_file(FuzzTarget target, const char *path)
{
    uint8_t *data = malloc(LARGEST);
    FILE *file = fopen(path, "rb");
    if (file == NULL || data == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    const size_t n = fread(data, 1, LARGEST, file);
    fclose(file);
    uint8_t *exact = malloc(n > 0 ? n : 1); // a read behind the end is seen by this
    memcpy(exact, data, n);
    free(data);
    fprintf(stderr, "%s\n", path); // the last line before a crash names the file
    fuzz_one(target, exact, n);
    free(exact);
    return 1;
}

static int replay(FuzzTarget target, const char *path)
{
    struct stat info;
    char name[PATH_SIZE];
    struct dirent **entry = NULL;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return replay_file(target, path);
    }
    const int n = scandir(path, &entry, NULL, alphasort);
    int count = 0;
    for (int k = 0; k < n; ++k) {
        if (entry[k]->d_name[0] != '.') {
            snprintf(name, sizeof name, "%s/%s", path, entry[k]->d_name);
            count += replay_file(target, name);
        }
        free(entry[k]);
    }
    free(entry);
    return count;
}

int main(int argc, char **argv)
{
    for (size_t k = 0; argc > 2 && k < sizeof targets / sizeof targets[0]; ++k) {
        if (strcmp(argv[1], targets[k].name) == 0) {
            int count = 0;
            for (int i = 2; i < argc; ++i) {
                count += replay(targets[k].target, argv[i]);
            }
            printf("%s: %d files\n", argv[1], count);
            return count > 0 ? 0 : 1;
        }
    }
    fprintf(stderr, "usage: %s TARGET FILE|FOLDER ...\ntargets:", argv[0]);
    for (size_t k = 0; k < sizeof targets / sizeof targets[0]; ++k) {
        fprintf(stderr, " %s", targets[k].name);
    }
    fprintf(stderr, "\n");
    return 2;
}
