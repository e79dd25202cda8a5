/* io/part/description/part_read.h - the description of a part (PART.yaml), read and resolved.
 *
 * Three steps, one file each: where the matrices come from (part_source.c), what is tied to what
 * (part_interfaces.c), and what becomes of it (part_read.c). Errors are collected as in model files.
 */
#pragma once

#include "model/read/read.h"
#include "reduce/mesh/assemble.h"
#include "reduce/reduce.h"

extern const TmlKey tml_keys_of_part[], tml_keys_of_part_matrices[], tml_keys_of_part_material[],
    tml_keys_of_part_interface[], tml_keys_of_part_modes[], tml_keys_of_part_damping[],
    tml_keys_of_part_stiffening[], tml_keys_of_part_load[], tml_keys_of_part_kept[],
    tml_keys_of_part_applied[];

typedef struct TmlPartRead {
    TmlModel *m; /* holds the reader, its arena and its report; no mechanism */
    TmlReader *r;
    const TmlValue *root;
    TmlFeMesh mesh; /* n_nodes 0: none */
    TmlFeMatrices fe;
    TmlReduceOptions o;
    bool default_damping; /* none was given */
    int relations_left;   /* ties of a file that gives nodes to matrices, which are not used */
} TmlPartRead;

/* Reads all; *out is freed by tml_part_read_free also after a failure. */
TML_NODISCARD TmlStatus tml_part_read_file(const char *path, const TmlOverrides *given,
                                           TmlPartRead *out, TmlError *err);
void tml_part_read_free(TmlPartRead *p);

/* The steps. Errors of the description go to the report; failures of files are returned. */
TML_NODISCARD TmlStatus tml_part_read_source(TmlPartRead *p, TmlError *err);
void tml_part_read_interfaces(TmlPartRead *p);
void tml_part_read_stiffening(TmlPartRead *p);
void tml_part_read_loads(TmlPartRead *p);

/* Marks the nodes that an entry chooses by the keys that are there: sets and numbers first, of which boxes and distances choose.
 * in[fe.n_nodes] arrives all false. False: reported. */
bool tml_part_choose(TmlPartRead *p, TmlEntry *x, bool *in);

/* The node with a number of the file, or -1 after an error. */
int tml_part_node(TmlPartRead *p, TmlEntry *x, const TmlValue *at, const char *what, int64_t id);
/* An interface by name, or -1 after an error. */
int tml_part_interface(TmlPartRead *p, TmlEntry *x, const TmlValue *at, const char *name);
