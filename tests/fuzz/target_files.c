/* tests/fuzz/target_files.c - files that a model names: meshes and tables; tables that are drawn;
 * meshes of finite elements.
 *
 * The first byte tells the kind of file.
 */
#include "fuzz.h"

#include "io/part/mesh_read.h"
#include "model/read/mesh_file.h"
#include "reduce/mesh/assemble.h"
#include "reduce/mesh/fe_stress.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096 };

void fuzz_mesh(const uint8_t *data, size_t size)
{
    if (size == 0 || size > LONGEST) {
        return;
    }
    TmlTriangles t;
    TmlError err = {0};
    fuzz_limit_memory();
    const char *path = fuzz_write(data[0] % 2 == 0 ? "mesh.stl" : "mesh.obj", data + 1, size - 1);
    const TmlStatus status = tml_triangles_read(path, 0.001, &t, &err);
    fuzz_check(status, &err);
    for (int k = 0; status == TML_OK && k < 3 * t.n_triangles; ++k) {
        if (t.triangle[k] < 0 || t.triangle[k] >= t.n_vertices) {
            fuzz_wrong("a triangle has a corner that is none", path);
        }
    }
    tml_triangles_free(&t);
}

/* Matrices and faces of a mesh that was read. */
static void use_mesh(TmlFeMesh *mesh)
{
    TmlFeMatrices a;
    TmlArena arena = {0};
    TmlError err = {0};
    int32_t *corner;
    int n;
    fuzz_check(tml_fe_check_pieces(mesh, 0, NULL, &err), &err);
    TmlStatus status = tml_fe_assemble(mesh, TML_FE_MASS_EXACT, &a, &err);
    fuzz_check(status, &err);
    for (int k = 0; status == TML_OK && k < a.K.start[a.n]; ++k) {
        if (a.K.row[k] < 0 || a.K.row[k] >= a.n) {
            fuzz_wrong("an entry of a matrix lies outside of it", mesh->file);
        }
    }
    tml_fe_matrices_free(&a);
    fuzz_check(tml_fe_surface(mesh, &arena, &n, &corner, &err), &err);
    tml_arena_free(&arena);
}

/* Reads a mesh of finite elements; its file may include itself. */
void fuzz_part(const uint8_t *data, size_t size)
{
    if (size == 0 || size > LONGEST) {
        return;
    }
    TmlFeMesh mesh;
    TmlError err = {0};
    fuzz_limit_memory();
    const char *path = fuzz_write(data[0] % 2 == 0 ? "part.msh" : "part.inp", data + 1, size - 1);
    const TmlStatus status = tml_fe_mesh_read(path, &mesh, &err);
    fuzz_check(status, &err);
    if (status == TML_OK) {
        use_mesh(&mesh);
    }
    tml_fe_mesh_free(&mesh);
}

/* Models that read a table, by the first byte. */
static const struct {
    const char *file, *name, *text;
} readers[] = {
    {"table.csv", "model.yaml",
     "trammel: 1\nsplines: {s: {file: table.csv, type: cubic}}\n"
     "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
     "outputs: {o: {value: 'cubspl(time, s)', unit: m}}\nsimulate: {end: 0.1}\n"},
    {"table.csv", "model.yaml",
     "trammel: 1\nsplines: {s: {file: table.csv, type: akima}}\n"
     "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
     "outputs: {o: {value: 'akispl(time, s)', unit: m}}\nsimulate: {end: 0.1}\n"},
    {"table.txt", "model.adm",
     "t\nUNITS/SYSTEM=MKS\nPART/1, GROUND\nSPLINE/1, FILE=table.txt\n"
     "VARIABLE/1, FUNCTION=AKISPL(TIME,0,1)\nEND\n"},
    {"table.txt", "model.adm",
     "t\nUNITS/SYSTEM=MKS\nPART/1, GROUND\nMATRIX/1, FILE=table.txt\n"
     "ARRAY/1, X\nARRAY/2, IC, SIZE=2, NUMBERS=0,0\n"
     "LSE/1, X=1, A=1, IC=2\nEND\n"},
};

void fuzz_table(const uint8_t *data, size_t size)
{
    enum { READERS = sizeof readers / sizeof readers[0] };
    if (size == 0 || size > LONGEST) {
        return;
    }
    const int k = data[0] % READERS;
    (void)fuzz_write(readers[k].file, data + 1, size - 1);
    fuzz_model(readers[k].text, fuzz_beside(readers[k].name));
}

/* Reads a table of results as trammel plot and trammel export do. */
void fuzz_csv(const uint8_t *data, size_t size)
{
    if (size > LONGEST) {
        return;
    }
    fuzz_limit_memory();
    fuzz_draw(fuzz_write("rows.csv", data, size));
}
