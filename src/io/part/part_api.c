/* io/part/part_api.c - parts for programs: reduce, read, write, and what is told of them. */
#include "base/clock.h"
#include "io/part/description/part_read.h"
#include "io/part/part_file.h"
#include "math/vec3.h"
#include "trammel/part.h"

#include <string.h>

struct TmlReducedPart {
    TmlArena arena;
    TmlPart part;
    TmlReduceFacts facts;
    bool reduced; /* facts of the mesh are there */
    int mesh_nodes;
    double seconds;
    int n_notes;
    const char **note;
    int n_inputs;
    const char **input; /* files that it was made of */
};

static TmlReducedPart *part_new(TmlError *err)
{
    TmlReducedPart *p = tml_mem_zalloc(1, sizeof *p);
    if (p == NULL) {
        (void)tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    return p;
}

/* --- making ------------------------------------------------------------------------------------- */

static TmlStatus keep_notes(TmlReducedPart *p, const TmlPartRead *from, TmlError *err)
{
    const TmlReport *w = &from->r->warnings;
    const int warnings = w->n < w->limit ? w->n : w->limit;
    TML_NEW(&p->arena, p->note, from->mesh.n_notes + warnings + 4);
    for (int k = 0; k < from->mesh.n_notes; ++k) {
        p->note[p->n_notes] = tml_arena_strdup(&p->arena, from->mesh.note[k]);
        p->n_notes += p->note[p->n_notes] != NULL;
    }
    for (int k = 0; k < warnings; ++k) {
        p->note[p->n_notes] = tml_arena_printf(&p->arena, "%s:%d:%d: %s", w->line[k].file,
                                               w->line[k].line, w->line[k].column, w->line[k].text);
        p->n_notes += p->note[p->n_notes] != NULL;
    }
    if (from->relations_left > 0) {
        p->note[p->n_notes] =
            tml_arena_printf(&p->arena, "ties, MPCs and equations of the file of nodes are left "
                                        "out: matrices are taken as they are");
        p->n_notes += p->note[p->n_notes] != NULL;
    }
    if (from->default_damping) {
        p->note[p->n_notes] =
            tml_arena_printf(&p->arena, "damping is not given: %g of critical damping in each mode",
                             from->o.damping.n > 0 ? from->o.damping.ratio[0] : 0.0);
        p->n_notes += p->note[p->n_notes] != NULL;
    }
    return TML_OK;
}

/* Rigid motion is taken for free: springs to ground in the matrices, or lost digits, would go unsaid. */
static TmlStatus note_rigid(TmlReducedPart *p, TmlError *err)
{
    const double first = p->part.m > 0 ? p->part.hertz[0] : 0.0, rigid = p->facts.rigid_hertz;
    if (rigid <= 0.01 * first) {
        return TML_OK;
    }
    const char *note = tml_arena_printf(
        &p->arena,
        "rigid motion has up to %.3g Hz by these matrices, and is taken as free: they have few "
        "digits, or springs to ground, which belong into the model",
        rigid);
    p->note[p->n_notes] = note;
    p->n_notes += note != NULL;
    return note != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

/* A part that stiffens by spin is meant to spin: what its modes lack of the static answer is told. */
static TmlStatus note_spin(TmlReducedPart *p, const TmlReduceOptions *o, TmlError *err)
{
    // of the energy: stresses are off by a third where a tenth is missing
    static const double enough = 0.9;
    if (o->spin_shapes || p->facts.spin_share >= enough) {
        return TML_OK;
    }
    const char *note = tml_arena_printf(
        &p->arena,
        "the modes have only %.2g %% of the strain energy of centrifugal loads in one direction, "
        "so that stresses by rotation are too small; say 'stiffening: {shapes: true}' for those "
        "of the mesh",
        100.0 * p->facts.spin_share);
    p->note[p->n_notes] = note;
    p->n_notes += note != NULL;
    return note != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

static TmlStatus keep_inputs(TmlReducedPart *p, const char *path, const TmlPartRead *from,
                             TmlError *err)
{
    TML_NEW(&p->arena, p->input, from->m->inputs.n + 1);
    for (int k = 0; k <= from->m->inputs.n; ++k) {
        const char *name = k == 0 ? path : from->m->inputs.at[k - 1];
        p->input[k] = tml_arena_strdup(&p->arena, name);
        if (p->input[k] == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
    }
    p->n_inputs = from->m->inputs.n + 1;
    return TML_OK;
}

TmlStatus tml_part_reduce(const char *path, int n, const char *const *names,
                          const char *const *values, TmlReducedPart **out, TmlError *err)
{
    const TmlOverrides given = {.n = n, .names = names, .texts = values};
    const double start = tml_clock();
    TmlPartRead from;
    *out = NULL;
    TmlReducedPart *p = part_new(err);
    if (p == NULL) {
        return TML_E_NOMEM;
    }
    TmlStatus status = tml_part_read_file(path, &given, &from, err);
    if (status == TML_OK) {
        status = tml_reduce(&from.fe, &from.o, &p->arena, &p->part, &p->facts, err);
        status =
            status == TML_OK ? keep_notes(p, &from, err) : tml_fail_ctx(err, status, "%s", path);
        status = status == TML_OK ? note_rigid(p, err) : status;
        status = status == TML_OK ? note_spin(p, &from.o, err) : status;
        status = status == TML_OK ? keep_inputs(p, path, &from, err) : status;
    }
    p->reduced = true;
    p->mesh_nodes = from.fe.n_nodes;
    tml_part_read_free(&from);
    p->seconds = tml_clock() - start;
    if (status != TML_OK) {
        tml_part_free(p);
        return status;
    }
    *out = p;
    return TML_OK;
}

TmlStatus tml_part_read(const char *path, TmlReducedPart **out, TmlError *err)
{
    *out = NULL;
    TmlReducedPart *p = part_new(err);
    if (p == NULL) {
        return TML_E_NOMEM;
    }
    const TmlStatus status = tml_part_load(path, &p->arena, &p->part, err);
    if (status != TML_OK) {
        tml_part_free(p);
        return status;
    }
    *out = p;
    return TML_OK;
}

TmlStatus tml_part_write(const TmlReducedPart *part, const char *path, TmlError *err)
{
    return tml_part_save(path, &part->part, err);
}

void tml_part_free(TmlReducedPart *p)
{
    if (p != NULL) {
        tml_arena_free(&p->arena);
        tml_mem_free(p);
    }
}

/* --- telling ------------------------------------------------------------------------------------ */

static TmlMat33 matrix_of(const double *J)
{
    return (TmlMat33){{J[0], J[1], J[2]}, {J[3], J[4], J[5]}, {J[6], J[7], J[8]}};
}

TmlPartInfo tml_part_info(const TmlReducedPart *p)
{
    const TmlPart *q = &p->part;
    const TmlReduceFacts *f = &p->facts;
    TmlReduceFacts own = {0};
    tml_reduce_inertia(q, &own.centre, own.inertia);
    const double none = (double)NAN;
    const TmlVec3 no = {none, none, none};
    return (TmlPartInfo){
        .name = q->name,
        .modes = q->m,
        .fixed_modes = q->n_fixed,
        .attachments = p->reduced ? f->n_attachments : 0,
        .frames = q->n_frames,
        .nodes = q->n_nodes,
        .load_cases = q->n_stiffening,
        .loads = q->n_loads,
        .centrifugal = q->centrifugal != NULL,
        .stresses = q->stress != NULL,
        .damped = q->D != NULL,
        .mass = q->mass,
        .size = q->size,
        .origin = q->origin,
        .centre = own.centre,
        .inertia = matrix_of(own.inertia),
        .mesh_nodes = p->mesh_nodes,
        .mesh_freedoms = f->freedoms,
        .mesh_mass = p->reduced ? f->mesh_mass : none,
        .mesh_centre = p->reduced ? f->mesh_centre : no,
        .mesh_inertia = p->reduced ? matrix_of(f->mesh_inertia) : (TmlMat33){no, no, no},
        .seconds = p->seconds,
        .factor_bytes = f->factor_bytes,
    };
}

TmlPartMode tml_part_mode(const TmlReducedPart *p, int k)
{
    const TmlPart *q = &p->part;
    if (k < 0 || k >= q->m) {
        return (TmlPartMode){.hertz = (double)NAN};
    }
    const size_t at = (size_t)k * (size_t)(q->m + 1);
    return (TmlPartMode){.hertz = q->hertz[k],
                         .ratio = q->D != NULL ? q->D[at] / (2.0 * sqrt(q->K[at])) : 0.0,
                         .physical = q->physical != NULL && q->physical[k] != 0,
                         .largest = q->largest[k],
                         .turning = q->turning[k]};
}

TmlPartFixedMode tml_part_fixed_mode(const TmlReducedPart *p, int k)
{
    TmlPartFixedMode out = {.hertz = (double)NAN};
    if (k >= 0 && k < p->part.n_fixed) {
        out.hertz = p->part.fixed[k];
        for (int c = 0; c < 6 && p->part.effective != NULL; ++c) {
            out.effective[c] = p->part.effective[6 * k + c];
        }
    }
    return out;
}

TmlPartFrameInfo tml_part_frame(const TmlReducedPart *p, int k)
{
    if (k < 0 || k >= p->part.n_frames) {
        return (TmlPartFrameInfo){0};
    }
    const TmlPartFrame *f = &p->part.frame[k];
    return (TmlPartFrameInfo){f->name, v3_add(p->part.origin, f->x), f->turns, f->node};
}

TmlPartLoadInfo tml_part_load_case(const TmlReducedPart *p, int k)
{
    if (k < 0 || k >= p->part.n_loads) {
        return (TmlPartLoadInfo){0};
    }
    const TmlPartLoad *l = &p->part.load[k];
    const TmlVec3 force = m3_mulv(&p->part.axes, l->force),
                  torque = m3_mulv(&p->part.axes, l->torque);
    return (TmlPartLoadInfo){l->name, force, v3_add(torque, v3_cross(p->part.origin, force))};
}

const TmlPart *tml_reduced_part(const TmlReducedPart *p)
{
    return &p->part;
}

const char *tml_part_note(const TmlReducedPart *p, int index)
{
    return index >= 0 && index < p->n_notes ? p->note[index] : NULL;
}

const char *tml_part_input(const TmlReducedPart *p, int index)
{
    return index >= 0 && index < p->n_inputs ? p->input[index] : NULL;
}
