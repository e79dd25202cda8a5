/* io/part/mesh_read.c - a mesh of any kind that is read, by the end of its name. */
#include "io/part/mesh_read.h"

#include <string.h>
#include <strings.h>

TmlStatus tml_fe_mesh_read(const char *path, TmlFeMesh *out, TmlError *err)
{
    const char *dot = strrchr(path, '.');
    if (dot != NULL && strcasecmp(dot, ".msh") == 0) {
        return tml_msh_read(path, out, err);
    }
    if (dot != NULL && strcasecmp(dot, ".inp") == 0) {
        return tml_inp_read(path, out, err);
    }
    *out = (TmlFeMesh){0};
    return tml_fail(err, TML_E_IO, "%s: a mesh is a file that ends with .msh or .inp", path);
}
