/* tests/fuzz/target_yaml.c - models in YAML, with an include, a table and a mesh beside them. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 8192 };

static const char part[] = "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n";
static const char table[] = "0, 0\n1, 2\n2, 1\n";
static const char mesh[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

static void write_neighbours(void)
{
    static bool there;
    if (!there) {
        (void)fuzz_write("part.yaml", part, sizeof part - 1);
        (void)fuzz_write("table.csv", table, sizeof table - 1);
        (void)fuzz_write("mesh.obj", mesh, sizeof mesh - 1);
        there = true;
    }
}

void fuzz_yaml(const uint8_t *data, size_t size)
{
    if (size > LONGEST) {
        return;
    }
    write_neighbours();
    char *text = fuzz_text(data, size);
    fuzz_model(text, fuzz_beside("model.yaml"));
    free(text);
}

void fuzz_adm(const uint8_t *data, size_t size)
{
    if (size > LONGEST) {
        return;
    }
    (void)fuzz_folder();
    char *text = fuzz_text(data, size);
    fuzz_model(text, fuzz_beside("model.adm"));
    free(text);
}
