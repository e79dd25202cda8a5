/* io/report/report_frames.c - the motion in a report, thinned by an error bound.
 *
 * Between kept rows positions are interpolated linearly and orientations along the shortest
 * rotation (slerp). Seen from the last kept row that rotation is a straight line of rotation
 * vectors phi, so the same cone decides for both:
 *   (1)  phi_k = log(q_0^-1 q_k);   slerp to row j: phi = tau phi_j
 *   (2)  angle between exp(a) and exp(b) <= |a - b|
 *   (3)  |x| <= eps when each of three components is within eps / sqrt(3)
 * A point of a flexible body is the sum of weights times vectors; with W the largest sum of weights
 * of a vector of the nodes and n_v vectors, vectors within eps / (n_v W) keep it within eps.   (4)
 * A point of a modal body moves by at most phi_j for each of m coordinates: eps / (m phi_j).    (5)
 */
#include "io/report/report_parts.h"
#include "io/report/thinning.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum {
    FRAME_BYTES = 12 << 20, // beyond this the bound is loosened
    EXTRA_BYTES = 6 << 20,  // reactions, contacts, strains, stresses: left out beyond this
    LOOSENED_MAX = 6,
};

static const double turn_max = 2.5; // rad between kept rows: slerp takes the short way

typedef struct Frames {
    TmlReportJob *job;
    TmlArena arena;
    TmlRowSet rows; // positions, orientations, nodes of flexible bodies, coordinates, time
    size_t n_bodies, n_moved; // bodies; values of positions and rotation vectors and nodes
    TmlCone cone;
    double *moved;   // of the row at hand
    TmlQuat *origin; // orientations of the kept row
    double *before;  // the row before, as read
    int64_t before_row;
    double *told; // orientations of the last row that was written, for their signs
    double error; // m
    double angle; // rad
    TmlSpill time, position, orientation, *nodes, *coordinates;
    int64_t kept, limit;
    int64_t *row; // kept rows
    int cap_rows;
} Frames;

/* --- one row ---------------------------------------------------------------------------------- */

static TmlQuat quat_at(const double *x)
{
    return (TmlQuat){x[0], x[1], x[2], x[3]};
}

/* log of a unit quaternion, the short way. */
static TmlVec3 rotation_vector(TmlQuat q)
{
    const double s = q.w < 0.0 ? -1.0 : 1.0;
    const TmlVec3 v = v3(s * q.x, s * q.y, s * q.z);
    const double n = v3_norm(v), angle = 2.0 * atan2(n, s * q.w);
    return v3_scale(n > 1e-12 ? angle / n : 2.0, v);
}

/* What the cone sees of a row; false: a body has turned too far. */
static bool row_moved(Frames *f, const double *row)
{
    const size_t n = f->n_bodies;
    bool near = true;
    double *out = f->moved;
    memcpy(out, row, 3 * n * sizeof *out);
    out += 3 * n;
    for (size_t k = 0; k < n; ++k, out += 3) {
        const TmlQuat q = quat_at(row + 3 * n + 4 * k);
        const TmlVec3 phi = rotation_vector(q4_mul(q4_conj(f->origin[k]), q)); // (1)
        near = near && v3_norm(phi) < turn_max;
        out[0] = phi.x;
        out[1] = phi.y;
        out[2] = phi.z;
    }
    memcpy(out, row + 7 * n, (f->n_moved - 6 * n) * sizeof *out);
    return near;
}

static void start_at(Frames *f, const double *row)
{
    for (size_t k = 0; k < f->n_bodies; ++k) {
        f->origin[k] = quat_at(row + 3 * f->n_bodies + 4 * k);
    }
    row_moved(f, row);
    tml_cone_start(&f->cone, row[f->rows.width - 1], f->moved);
}

/* --- kept rows -------------------------------------------------------------------------------- */

static TmlStatus keep(Frames *f, int64_t index, const double *row, TmlError *err)
{
    const size_t n = f->n_bodies;
    if (!tml_mem_grow((void **)&f->row, &f->cap_rows, (int)f->kept + 1, sizeof *f->row)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the frames");
    }
    f->row[f->kept++] = index;
    for (size_t k = 0; k < n; ++k) { // the sign that is nearer to the one before
        const double *q = row + 3 * n + 4 * k;
        double *to = f->told + 4 * k;
        const double s =
            to[0] * q[0] + to[1] * q[1] + to[2] * q[2] + to[3] * q[3] < 0.0 ? -1.0 : 1.0;
        for (int c = 0; c < 4; ++c) {
            to[c] = s * q[c];
        }
    }
    TML_TRY(tml_spill_add(&f->time, 1, row + f->rows.width - 1, err));
    TML_TRY(tml_spill_add(&f->position, 3 * n, row, err));
    TML_TRY(tml_spill_add(&f->orientation, 4 * n, f->told, err));
    const double *x = row + 7 * n;
    for (int k = 0; k < f->job->n_flexible; ++k) {
        const size_t values = tml_h5_array_row(&f->job->flexible[k].nodes);
        TML_TRY(tml_spill_add(&f->nodes[k], values, x, err));
        x += values;
    }
    for (int k = 0; k < f->job->n_modal; ++k) {
        const size_t values = (size_t)f->job->modal[k].part.m;
        TML_TRY(tml_spill_add(&f->coordinates[k], values, x, err));
        x += values;
    }
    return TML_OK;
}

static TmlStatus thin_row(Frames *f, int64_t index, const double *row, TmlError *err)
{
    const double t = row[f->rows.width - 1];
    if (f->kept == 0 || f->job->whole) {
        TML_TRY(keep(f, index, row, err));
        start_at(f, row);
    } else {
        const bool near = row_moved(f, row);
        if (!near || !tml_cone_fits(&f->cone, t, f->moved)) {
            if (f->before_row > f->row[f->kept - 1]) {
                TML_TRY(keep(f, f->before_row, f->before, err));
                start_at(f, f->before);
            }
            row_moved(f, row);
        }
        tml_cone_take(&f->cone, t, f->moved);
    }
    memcpy(f->before, row, f->rows.width * sizeof *row);
    f->before_row = index;
    return TML_OK;
}

/* All rows; stops early when there would be too many. */
static TmlStatus thin_rows(Frames *f, TmlError *err)
{
    const int64_t last = f->job->file.rows;
    const int portion = tml_rows_portion(&f->rows, last);
    double *buffer = tml_mem_zalloc((size_t)portion * f->rows.width, sizeof *buffer);
    TmlStatus status =
        buffer == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory for the frames") : TML_OK;
    for (int64_t at = f->job->first; at < last && status == TML_OK && f->kept <= f->limit;) {
        const int n = last - at < portion ? (int)(last - at) : portion;
        status = tml_rows_read(&f->rows, &f->job->file, at, n, buffer, err);
        for (int k = 0; k < n && status == TML_OK; ++k) {
            status = thin_row(f, at + k, buffer + (size_t)k * f->rows.width, err);
        }
        at += n;
    }
    if (status == TML_OK && f->kept > 0 && f->before_row > f->row[f->kept - 1]) {
        status = keep(f, f->before_row, f->before, err);
    }
    tml_mem_free(buffer);
    return status;
}

/* --- bounds ----------------------------------------------------------------------------------- */

/* (4) for vector v of the nodes of a flexible body. */
static double vector_weight(const TmlResultFlexible *b, int v)
{
    double most = 0.0;
    const int per_node = (int)b->nodes.dim[2];
    for (int p = 0; p < b->elements * b->points; ++p) {
        double sum = 0.0;
        for (int k = v; k < b->vectors; k += per_node) {
            sum += fabs(b->weight[(size_t)p * (size_t)b->vectors + (size_t)k]);
        }
        most = fmax(most, sum);
    }
    return most;
}

static void set_bounds(Frames *f)
{
    const size_t n = f->n_bodies;
    double *bound = f->cone.bound;
    for (size_t k = 0; k < 6 * n; ++k) { // (2), (3)
        bound[k] = (k < 3 * n ? f->error : f->angle) / sqrt(3.0);
    }
    bound += 6 * n;
    for (int i = 0; i < f->job->n_flexible; ++i) {
        const TmlResultFlexible *b = &f->job->flexible[i];
        const int nodes = (int)b->nodes.dim[1], vectors = (int)b->nodes.dim[2];
        for (int v = 0; v < vectors; ++v) {
            const double own = f->error / (sqrt(3.0) * vectors * fmax(vector_weight(b, v), 1e-6));
            for (int k = 0; k < nodes; ++k) {
                for (int c = 0; c < 3; ++c) {
                    bound[3 * (k * vectors + v) + c] = own;
                }
            }
        }
        bound += tml_h5_array_row(&b->nodes);
    }
    for (int i = 0; i < f->job->n_modal; ++i) { // (5)
        const TmlPart *p = &f->job->modal[i].part;
        for (int k = 0; k < p->m; ++k) {
            *bound++ = f->error / (p->m * fmax(p->largest[k], 1e-300));
        }
    }
}

/* --- setup ------------------------------------------------------------------------------------ */

static void spills_close(Frames *f)
{
    tml_spill_close(&f->time);
    tml_spill_close(&f->position);
    tml_spill_close(&f->orientation);
    for (int k = 0; f->nodes != NULL && k < f->job->n_flexible; ++k) {
        tml_spill_close(&f->nodes[k]);
    }
    for (int k = 0; f->coordinates != NULL && k < f->job->n_modal; ++k) {
        tml_spill_close(&f->coordinates[k]);
    }
}

static TmlStatus spills_open(Frames *f, TmlError *err)
{
    spills_close(f);
    f->kept = 0;
    TML_TRY(tml_spill_open(&f->time, err));
    TML_TRY(tml_spill_open(&f->position, err));
    TML_TRY(tml_spill_open(&f->orientation, err));
    for (int k = 0; k < f->job->n_flexible; ++k) {
        TML_TRY(tml_spill_open(&f->nodes[k], err));
    }
    for (int k = 0; k < f->job->n_modal; ++k) {
        TML_TRY(tml_spill_open(&f->coordinates[k], err));
    }
    return TML_OK;
}

static TmlStatus frames_init(Frames *f, TmlError *err)
{
    TmlResultFile *file = &f->job->file;
    TML_TRY(tml_rows_field(&f->rows, file, TML_RESULT_BODIES, -1, "position", 3, err));
    TML_TRY(tml_rows_field(&f->rows, file, TML_RESULT_BODIES, -1, "orientation", 4, err));
    for (int k = 0; k < f->job->n_flexible; ++k) {
        TML_TRY(tml_rows_array(&f->rows, &f->job->flexible[k].nodes, err));
    }
    for (int k = 0; k < f->job->n_modal; ++k) {
        TmlH5Array *own = &f->job->modal[k].result->value[TML_RESULT_COORDINATES];
        TML_TRY(tml_rows_array(&f->rows, own, err));
    }
    f->n_bodies = (size_t)file->set[TML_RESULT_BODIES].n_items;
    f->n_moved = f->rows.width - f->n_bodies;
    TML_TRY(tml_rows_time(&f->rows, err));
    TML_TRY(tml_cone_init(&f->cone, &f->arena, f->n_moved, err));
    TML_NEW(&f->arena, f->moved, f->n_moved);
    TML_NEW(&f->arena, f->origin, f->n_bodies);
    TML_NEW(&f->arena, f->before, f->rows.width);
    TML_NEW(&f->arena, f->told, 4 * f->n_bodies);
    TML_NEW(&f->arena, f->nodes, f->job->n_flexible);
    TML_NEW(&f->arena, f->coordinates, f->job->n_modal);
    return TML_OK;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Integers of 1/2^24 of `size`, coarser where values would not fit; floats when they are none. */
static TmlBlockSpec motion_spec(const TmlSpill *s, double size, int rank, int64_t m, int64_t a,
                                int64_t b, int64_t c)
{
    TmlBlockSpec spec = {TML_BLOCK_F32, rank, {m, a, b, c}, 0.0, false};
    if (s->finite) {
        spec.type = TML_BLOCK_I32;
        spec.scale = fmax(ldexp(size, -24), ldexp(s->largest, -29));
        spec.delta = true;
    }
    return spec;
}

/* Values that belong to kept rows only, as floats; nothing when they are too many. */
static TmlStatus write_extra(Frames *f, const char *key, TmlRowSet *rows, TmlBlockSpec spec,
                             TmlError *err)
{
    const int portion = tml_rows_portion(rows, f->job->file.rows);
    TmlSpill spill = {0};
    double *buffer = tml_mem_zalloc((size_t)portion * rows->width, sizeof *buffer);
    TmlStatus status = buffer == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", key)
                                      : tml_spill_open(&spill, err);
    for (int64_t at = 0; at < f->kept && status == TML_OK;) {
        const int64_t first = f->row[at];
        int64_t end = at; // kept rows within a portion
        while (end < f->kept && f->row[end] - first < portion) {
            end++;
        }
        status = tml_rows_read(rows, &f->job->file, first, (int)(f->row[end - 1] - first + 1),
                               buffer, err);
        for (; at < end && status == TML_OK; ++at) {
            status = tml_spill_add(&spill, rows->width,
                                   buffer + (size_t)(f->row[at] - first) * rows->width, err);
        }
    }
    if (status == TML_OK) {
        status = tml_block_spill(&f->job->c, key, &spec, &spill, err);
    }
    tml_spill_close(&spill);
    tml_mem_free(buffer);
    return status;
}

static bool too_large(const Frames *f, size_t width)
{
    return width == 0 || (double)f->kept * (double)width * 4.0 > EXTRA_BYTES;
}

static TmlStatus write_reactions(Frames *f, TmlError *err)
{
    TmlRowSet rows = {0};
    const int joints = f->job->file.set[TML_RESULT_JOINTS].n_items;
    if (too_large(f, 6 * (size_t)joints)) {
        return TML_OK;
    }
    TmlStatus status =
        tml_rows_field(&rows, &f->job->file, TML_RESULT_JOINTS, -1, "reaction", 6, err);
    if (status == TML_OK) {
        const TmlBlockSpec spec = {TML_BLOCK_F32, 3, {f->kept, joints, 6}, 0.0, false};
        status = write_extra(f, "reactions", &rows, spec, err);
    }
    tml_rows_free(&rows);
    return status;
}

/* Whether two tables have a vector for the same points in every row. */
static bool are_points(const Frames *f, const TmlH5Array *a, const TmlH5Array *b)
{
    const hsize_t rows = (hsize_t)f->job->file.rows;
    return a->rank == 3 && b->rank == 3 && a->dim[0] >= rows && b->dim[0] >= rows &&
           a->dim[1] == b->dim[1] && a->dim[2] == 3 && b->dim[2] == 3;
}

/* "contacts": points that touch and the forces there on the second of two bodies; zeros where there are fewer. */
static TmlStatus write_contacts(Frames *f, TmlError *err)
{
    TmlRowSet rows = {0};
    TmlH5Array point = {0}, force = {0};
    TmlStatus status = TML_OK;
    if (H5Lexists(f->job->file.file, "contacts", H5P_DEFAULT) <= 0) {
        return TML_OK;
    }
    if (tml_h5_array_open(f->job->file.file, "contacts/point", &point) &&
        tml_h5_array_open(f->job->file.file, "contacts/force", &force)) {
        tml_h5_array_refresh(&point); // they were looked at before /time was
        tml_h5_array_refresh(&force);
        if (are_points(f, &point, &force) && !too_large(f, 6 * (size_t)point.dim[1])) {
            const TmlBlockSpec spec = {
                TML_BLOCK_F32, 4, {f->kept, 2, (int64_t)point.dim[1], 3}, 0.0, false};
            status = tml_rows_array(&rows, &point, err);
            status = status == TML_OK ? tml_rows_array(&rows, &force, err) : status;
            status = status == TML_OK ? write_extra(f, "contacts", &rows, spec, err) : status;
        }
    }
    tml_rows_free(&rows);
    tml_h5_array_close(&point);
    tml_h5_array_close(&force);
    return status;
}

static TmlStatus write_strain(Frames *f, int k, int s, TmlError *err)
{
    static const char *const names[TML_RESULT_VALUES] = {"strain", "stress"};
    const TmlResultFlexible *b = &f->job->flexible[k];
    TmlRowSet rows = {0};
    if (b->value[s].id <= 0 || too_large(f, tml_h5_array_row(&b->value[s]))) {
        tml_json_raw(&f->job->c.json, names[s], NULL);
        return TML_OK;
    }
    TmlStatus status = tml_rows_array(&rows, &b->value[s], err);
    if (status == TML_OK) {
        const TmlBlockSpec spec = {
            TML_BLOCK_F32, 4, {f->kept, b->elements, b->points, b->columns[s]}, 0.0, false};
        status = write_extra(f, names[s], &rows, spec, err);
    }
    tml_rows_free(&rows);
    return status;
}

static TmlStatus write_flexible(Frames *f, TmlError *err)
{
    TmlJson *j = &f->job->c.json;
    tml_json_open(j, "flexible", '[');
    for (int k = 0; k < f->job->n_flexible; ++k) {
        const TmlResultFlexible *b = &f->job->flexible[k];
        // gradients are about 1, positions about the size
        const double size = fmin(f->job->size, 1.0);
        const TmlBlockSpec spec = motion_spec(
            &f->nodes[k], size, 4, f->kept, (int64_t)b->nodes.dim[1], (int64_t)b->nodes.dim[2], 3);
        tml_json_open(j, NULL, '{');
        TML_TRY(tml_block_spill(&f->job->c, "nodes", &spec, &f->nodes[k], err));
        TML_TRY(write_strain(f, k, 0, err));
        TML_TRY(write_strain(f, k, 1, err));
        tml_json_close(j);
    }
    tml_json_close(j);
    return TML_OK;
}

static TmlStatus write_modal(Frames *f, TmlError *err)
{
    TmlJson *j = &f->job->c.json;
    tml_json_open(j, "modal", '[');
    for (int k = 0; k < f->job->n_modal; ++k) {
        const TmlBlockSpec spec = {
            TML_BLOCK_F32, 2, {f->kept, f->job->modal[k].part.m}, 0.0, false};
        tml_json_open(j, NULL, '{');
        TML_TRY(tml_block_spill(&f->job->c, "coordinates", &spec, &f->coordinates[k], err));
        tml_json_close(j);
    }
    tml_json_close(j);
    return TML_OK;
}

static TmlStatus frames_write(Frames *f, TmlError *err)
{
    TmlContainer *c = &f->job->c;
    const int64_t n = (int64_t)f->n_bodies;
    const TmlBlockSpec time = {TML_BLOCK_F64, 1, {f->kept}, 0.0, false};
    const TmlBlockSpec position = motion_spec(&f->position, f->job->size, 3, f->kept, n, 3, 1);
    const TmlBlockSpec orientation = motion_spec(&f->orientation, 0.5, 3, f->kept, n, 4, 1);
    tml_json_open(&c->json, "frames", '{');
    TML_TRY(tml_block_spill(c, "time", &time, &f->time, err));
    tml_json_open(&c->json, "error_bound", '{');
    tml_json_number(&c->json, "position", f->job->whole ? 0.0 : f->error);
    tml_json_number(&c->json, "angle", f->job->whole ? 0.0 : f->angle);
    tml_json_close(&c->json);
    tml_json_int(&c->json, "kept", f->kept);
    tml_json_int(&c->json, "of", f->job->file.rows - f->job->first);
    TML_TRY(tml_block_spill(c, "position", &position, &f->position, err));
    TML_TRY(tml_block_spill(c, "orientation", &orientation, &f->orientation, err));
    TML_TRY(write_reactions(f, err));
    TML_TRY(write_contacts(f, err));
    TML_TRY(write_flexible(f, err));
    TML_TRY(f->job->n_modal > 0 ? write_modal(f, err) : TML_OK);
    tml_json_close(&c->json);
    return TML_OK;
}

/* Thin, with a looser bound as long as the frames are too many. */
static TmlStatus frames_make(Frames *f, TmlError *err)
{
    TML_TRY(frames_init(f, err));
    const double row_bytes = 4.0 * (double)f->rows.width;
    double bound = f->job->bound;
    for (int k = 0; k <= LOOSENED_MAX; ++k, bound *= 2.0) {
        f->error = bound * f->job->size;
        f->angle = bound * 20.0;
        f->limit =
            f->job->whole || k == LOOSENED_MAX ? INT64_MAX : (int64_t)(FRAME_BYTES / row_bytes) + 2;
        set_bounds(f);
        TML_TRY(spills_open(f, err));
        TML_TRY(thin_rows(f, err));
        if (f->kept <= f->limit) {
            break;
        }
    }
    return frames_write(f, err);
}

TmlStatus tml_report_frames(TmlReportJob *job, TmlError *err)
{
    Frames f = {.job = job};
    const TmlStatus status = frames_make(&f, err);
    spills_close(&f);
    tml_rows_free(&f.rows);
    tml_mem_free(f.row);
    tml_arena_free(&f.arena);
    return status;
}
