/* tests/system/every_model.h - a probe of every model that the project ships. */
#pragma once

#include "matrix_probe.h"

#include <dirent.h>

/* Random numbers of a model follow from its name: a new model changes nothing for the others. */
static uint64_t seed_of(const char *name)
{
    uint64_t seed = 14695981039346656037u; // FNV-1a
    for (; *name != '\0'; ++name) {
        seed = (seed ^ (unsigned char)*name) * 1099511628211u;
    }
    return seed;
}

static int probe_folder(TestCtx *t, const char *folder, const ProbeKind *kind)
{
    struct dirent **list;
    const int n = scandir(folder, &list, NULL, alphasort);
    int models = 0;
    for (int k = 0; k < n; ++k) {
        char path[4096];
        const char *name = list[k]->d_name, *dot = strrchr(name, '.');
        snprintf(path, sizeof path, "%s/%s", folder, name);
        // pieces of models, and descriptions of parts
        const bool fragments = strcmp(name, "include") == 0 || strcmp(name, "parts") == 0;
        if (list[k]->d_type == DT_DIR && name[0] != '.' && !fragments) {
            models += probe_folder(t, path, kind);
        } else if (kind->without != NULL && strcmp(name, kind->without) == 0) {
            models++;
        } else if (dot != NULL && strcmp(dot, ".yaml") == 0) {
            t->name = name;
            t->seed = seed_of(name);
            probe_model(t, path, kind);
            models++;
        }
        free(list[k]);
    }
    if (n >= 0) {
        free(list);
    }
    return models;
}

static void probe_every_model(TestCtx *t, const ProbeKind *kind)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/models", test_source_dir());
    const int models = probe_folder(t, folder, kind);
    t->name = NULL;
    CHECK(t, models > 30);
}
