/* reduce/reduce.c - a finite-element part becomes a reduced one. */
#include "reduce/reduce.h"

#include "math/vec3.h"
#include "reduce/basis/matrix_check.h"
#include "reduce/mesh/mass_points.h"

#include <string.h>

typedef struct Job {
    const TmlFeMatrices *fe;
    const TmlReduceOptions *o;
    TmlArena *arena;
    TmlPart *part;
    TmlReduceFacts *facts;
    TmlTied tied;
    TmlBasis basis;
    TmlModes modes;
} Job;

/* --- input -------------------------------------------------------------------------------------- */

/* Diagonals of a mass and a stiffness are not negative; numbers are finite. */
static TmlStatus check_matrix(const TmlFeMatrices *fe, const TmlCsc *A, const char *what,
                              TmlError *err)
{
    for (int j = 0; j < A->cols; ++j) {
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const bool diagonal = A->row[p] == j;
            if (isfinite(A->x[p]) && !(diagonal && A->x[p] < 0.0)) {
                continue;
            }
            int k = 0;
            while (k + 1 < fe->n_nodes && fe->first[k + 1] <= j) {
                k++;
            }
            return tml_fail(err, TML_E_MODEL,
                            "the %s of node %lld, freedom %d, is %g on the diagonal: the matrix is "
                            "not definite",
                            what, (long long)fe->id[k], j - fe->first[k] + 1, A->x[p]);
        }
    }
    return TML_OK;
}

/* --- frames ------------------------------------------------------------------------------------- */

static TmlStatus frame_arrays(const Job *w, TmlPartFrame *frame, double **phi, double **psi,
                              TmlError *err)
{
    TML_NEW(w->arena, *phi, 3 * (size_t)w->modes.m + 1);
    TML_NEW(w->arena, *psi, 3 * (size_t)w->modes.m + 1);
    frame->phi = *phi;
    frame->psi = *psi;
    return TML_OK;
}

static TmlStatus interface_frame(const Job *w, int f, TmlPartFrame *frame, TmlError *err)
{
    const TmlTiedFrame *tied = &w->tied.frame[f];
    double *phi, *psi;
    TML_TRY(frame_arrays(w, frame, &phi, &psi, err));
    frame->name = tml_arena_strdup(w->arena, tied->of->name);
    frame->x = v3_sub(tied->of->at, w->part->origin);
    frame->turns = tied->count == 6;
    frame->node = tied->of->id != 0               ? tied->of->id
                  : tied->of->tie == TML_TIE_NODE ? w->fe->id[tied->of->node[0]]
                                                  : 0;
    for (int j = 0; j < w->modes.m; ++j) {
        double u[6] = {0};
        tml_tied_motion(&w->tied, f, w->modes.V + (size_t)j * (size_t)w->tied.n, u);
        memcpy(phi + 3 * (size_t)j, u, 3 * sizeof *phi);
        memcpy(psi + 3 * (size_t)j, u + 3, 3 * sizeof *psi);
    }
    return frame->name != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

/* u: all freedoms of all nodes by each mode, fe->n x m. */
static TmlStatus node_frame(const Job *w, const TmlKeptNode *kept, const double *u,
                            TmlPartFrame *frame, TmlError *err)
{
    const int first = w->fe->first[kept->node], n = w->fe->first[kept->node + 1] - first;
    double *phi, *psi;
    TML_TRY(frame_arrays(w, frame, &phi, &psi, err));
    frame->name = tml_arena_strdup(w->arena, kept->name);
    frame->x = v3_sub(w->fe->x[kept->node], w->part->origin);
    frame->turns = n == 6;
    frame->node = w->fe->id[kept->node];
    for (int j = 0; j < w->modes.m; ++j) {
        const double *v = u + (size_t)j * (size_t)w->fe->n + (size_t)first;
        memcpy(phi + 3 * (size_t)j, v, 3 * sizeof *phi);
        if (n == 6) {
            memcpy(psi + 3 * (size_t)j, v + 3, 3 * sizeof *psi);
        }
    }
    return frame->name != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}

static TmlStatus put_frames(Job *w, const double *u, TmlError *err)
{
    TmlPartFrame *frame;
    const int n = w->o->n_interfaces;
    w->part->n_frames = n + w->o->n_kept;
    TML_NEW(w->arena, frame, w->part->n_frames + 1);
    for (int f = 0; f < n; ++f) {
        TML_TRY(interface_frame(w, f, &frame[f], err));
    }
    for (int k = 0; k < w->o->n_kept; ++k) {
        TML_TRY(node_frame(w, &w->o->kept[k], u, &frame[n + k], err));
    }
    w->part->frame = frame;
    return TML_OK;
}

/* --- sizes ----------------------------------------------------------------------------------- */

/* The largest displacement of a node and rotation of a frame by each mode. */
static TmlStatus put_extremes(Job *w, const double *u, TmlError *err)
{
    const TmlFeMatrices *fe = w->fe;
    double *largest, *turning;
    TML_NEW(w->arena, largest, w->modes.m + 1);
    TML_NEW(w->arena, turning, w->modes.m + 1);
    for (int j = 0; j < w->modes.m; ++j) {
        for (int k = 0; k < fe->n_nodes; ++k) {
            const double *v = u + (size_t)j * (size_t)fe->n + (size_t)fe->first[k];
            if (fe->first[k] < fe->first[k + 1]) {
                largest[j] = fmax(largest[j], v3_norm(v3(v[0], v[1], v[2])));
            }
        }
        for (int f = 0; f < w->part->n_frames; ++f) {
            const double *p = w->part->frame[f].psi + 3 * (size_t)j;
            turning[j] = fmax(turning[j], v3_norm(v3(p[0], p[1], p[2])));
        }
    }
    w->part->largest = largest;
    w->part->turning = turning;
    return TML_OK;
}

/* Of the nodes that belong to an element. */
static double box_diagonal(const TmlFeMatrices *fe)
{
    TmlVec3 low = v3((double)INFINITY, (double)INFINITY, (double)INFINITY), high = v3_neg(low);
    for (int k = 0; k < fe->n_nodes; ++k) {
        const TmlVec3 x = fe->x[k];
        if (fe->first[k] < fe->first[k + 1]) {
            low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
            high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
        }
    }
    return v3_norm(v3_sub(high, low));
}

/* --- stiffness and damping ---------------------------------------------------------------------- */

static double ratio_at(const TmlDamping *d, double hertz)
{
    int k = 0;
    if (d->n < 2 || hertz <= d->hertz[0]) {
        return d->n > 0 ? d->ratio[0] : 0.0;
    }
    while (k + 2 < d->n && hertz > d->hertz[k + 1]) {
        k++;
    }
    if (hertz >= d->hertz[d->n - 1]) {
        return d->ratio[d->n - 1];
    }
    const double s = (hertz - d->hertz[k]) / (d->hertz[k + 1] - d->hertz[k]);
    return (1.0 - s) * d->ratio[k] + s * d->ratio[k + 1];
}

static TmlStatus put_stiffness(Job *w, TmlError *err)
{
    const size_t m = (size_t)w->modes.m;
    const TmlDamping *d = &w->o->damping;
    double *K, *D, *hertz;
    bool damped = false;
    TML_NEW(w->arena, K, m * m + 1);
    TML_NEW(w->arena, D, m * m + 1);
    TML_NEW(w->arena, hertz, m + 1);
    for (size_t j = 0; j < m; ++j) {
        const double omega = sqrt(w->modes.w2[j]);
        hertz[j] = omega / (2.0 * acos(-1.0));
        K[j * (m + 1)] = w->modes.w2[j];
        D[j * (m + 1)] = d->rayleigh ? d->mass + d->stiffness * w->modes.w2[j]
                                     : 2.0 * ratio_at(d, hertz[j]) * omega;
        damped = damped || D[j * (m + 1)] != 0.0;
    }
    w->part->K = K;
    w->part->D = damped ? D : NULL;
    w->part->hertz = hertz;
    return TML_OK;
}

/* --- facts -------------------------------------------------------------------------------------- */

/* Of the mesh by the matrices alone, without spiders. */
static TmlStatus mesh_facts(const Job *w, TmlError *err)
{
    TmlTied bare;
    TML_TRY(tml_tied_loose(w->fe, &bare, err));
    w->facts->mesh_mass = bare.mass;
    w->facts->mesh_centre = bare.centre;
    for (int a = 0; a < 9; ++a) {
        w->facts->mesh_inertia[a] = bare.inertia[6 * (3 + a / 3) + 3 + a % 3];
    }
    tml_tied_free(&bare);
    return TML_OK;
}

void tml_reduce_inertia(const TmlPart *p, TmlVec3 *centre, double inertia[9])
{
    const TmlVec3 d = v3_scale(1.0 / p->mass, v3(p->P[0], p->P[1], p->P[2]));
    const TmlMat33 dd = m3_skew_skew(d, d);
    const double shift[9] = {dd.cx.x, dd.cx.y, dd.cx.z, dd.cy.x, dd.cy.y,
                             dd.cy.z, dd.cz.x, dd.cz.y, dd.cz.z};
    const double trace = p->G[0] + p->G[4] + p->G[8];
    *centre = v3_add(p->origin, d);
    for (int a = 0; a < 9; ++a) {
        inertia[a] = (a % 4 == 0 ? trace : 0.0) - p->G[a] + p->mass * shift[a] +
                     (p->rest_J != NULL ? p->rest_J[a] : 0.0);
    }
}

static TmlStatus put_facts(const Job *w, TmlError *err)
{
    const TmlBasis *b = &w->basis;
    double *fixed, *effective;
    int32_t *physical;
    TML_NEW(w->arena, fixed, b->n_modes + 1);
    TML_NEW(w->arena, effective, 6 * (size_t)b->n_modes + 1);
    TML_NEW(w->arena, physical, w->modes.m + 1);
    for (int j = 0; j < b->n_modes; ++j) {
        fixed[j] = sqrt(b->w2[j]) / (2.0 * acos(-1.0));
    }
    memcpy(effective, b->effective, 6 * (size_t)b->n_modes * sizeof *effective);
    for (int j = 0; j < w->modes.m; ++j) {
        physical[j] = w->modes.physical[j];
    }
    w->part->n_fixed = b->n_modes;
    w->part->fixed = fixed;
    w->part->effective = effective;
    w->part->physical = physical;
    w->facts->freedoms = w->fe->n;
    w->facts->n_attachments = b->n_extra;
    w->facts->factor_bytes = b->factor_bytes;
    w->facts->factor_flops = b->factor_flops;
    tml_reduce_inertia(w->part, &w->facts->centre, w->facts->inertia);
    return mesh_facts(w, err);
}

/* The origin of the frame: the centre of mass, or an interface. */
static TmlVec3 part_origin(const Job *w)
{
    return w->o->frame >= 0 ? w->o->interface[w->o->frame].at : w->tied.centre;
}

/* --- all ---------------------------------------------------------------------------------------- */

/* Displacements of all freedoms of the nodes by each mode, fe->n x m. */
static TmlStatus expand_modes(const Job *w, TmlArena *scratch, double **u, TmlError *err)
{
    TML_NEW(scratch, *u, (size_t)w->fe->n * (size_t)w->modes.m + 1);
    for (int j = 0; j < w->modes.m; ++j) {
        tml_tied_expand(&w->tied, w->modes.V + (size_t)j * (size_t)w->tied.n,
                        *u + (size_t)j * (size_t)w->fe->n);
    }
    return TML_OK;
}

/* Mass at points where nodes turn, else at the nodes. */
static TmlStatus put_moments(Job *w, TmlArena *scratch, TmlError *err)
{
    TmlMassPoints points = {0};
    if (w->fe->mesh == NULL || !tml_fe_turns(w->fe->mesh)) {
        return tml_part_moments(&w->modes, NULL, w->arena, w->part, err);
    }
    double *mass;
    TmlVec3 *x;
    TML_TRY(tml_fe_mass_points(w->fe, w->o->rule, scratch, &points.n, &mass, &x, &points.N, err));
    points.mass = mass;
    points.x = x;
    return tml_part_moments(&w->modes, &points, w->arena, w->part, err);
}

/* The least part that the modes have of a centrifugal load by w_x^2, w_y^2 or w_z^2; loads along which the part hardly strains do
 * not count, nor do those by w_x w_y and the like, which turn the part against its bearings. */
static double least_share(const TmlSpinShare share[6])
{
    static const double matters = 1e-3;
    enum { SQUARES = 3 };
    double most = 0.0, least = 1.0;
    for (int c = 0; c < SQUARES; ++c) {
        most = fmax(most, share[c].energy);
    }
    for (int c = 0; c < SQUARES; ++c) {
        least = share[c].energy > matters * most ? fmin(least, share[c].share) : least;
    }
    return least;
}

static TmlStatus build_part(Job *w, TmlArena *scratch, TmlError *err)
{
    const TmlReduceOptions *o = w->o;
    double *u;
    w->facts->spin_share = 1.0;
    *w->part = (TmlPart){.m = w->modes.m, .size = box_diagonal(w->fe), .axes = m3_identity()};
    w->part->name = tml_arena_strdup(w->arena, o->name);
    if (w->part->name == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    w->part->origin = part_origin(w);
    TML_TRY(put_moments(w, scratch, err));
    TML_TRY(put_stiffness(w, err));
    TML_TRY(expand_modes(w, scratch, &u, err));
    TML_TRY(put_frames(w, u, err));
    TML_TRY(tml_part_nodes(&w->modes, &o->nodes, u, w->arena, w->part, err));
    TML_TRY(put_extremes(w, u, err));
    if (w->fe->mesh != NULL && o->centrifugal) {
        TmlSpinShare share[6];
        TML_TRY(tml_part_centrifugal(&w->modes, o->frame, u, w->arena, w->part, share, err));
        w->facts->spin_share = least_share(share);
    }
    if (w->fe->mesh != NULL && o->n_load_cases > 0) {
        TML_TRY(tml_part_load_cases(&w->modes, o->n_load_cases, o->load_case, u, w->arena, w->part,
                                    err));
    }
    TML_TRY(tml_part_loads(w->fe, o->n_loads, o->load, u, w->arena, w->part, err));
    return put_facts(w, err);
}

/* The forces of load cases and of spin, whose static shapes join the basis. Those of interfaces have theirs there. */
static TmlStatus put_forces(const Job *w, TmlArena *scratch, TmlReduction *how, TmlError *err)
{
    const int spins = w->o->spin_shapes && w->fe->mesh != NULL ? 6 : 0;
    const TmlVec3 origin = part_origin(w);
    double *force;
    *how = w->o->reduction;
    TML_NEW(scratch, force, (size_t)w->fe->n * (size_t)(w->o->n_loads + spins) + 1);
    for (int l = 0; l < w->o->n_loads; ++l) {
        const TmlAppliedLoad *load = &w->o->load[l];
        if (load->n_nodes > 0 || v3_norm(load->acceleration) > 0.0) {
            TML_TRY(tml_applied_forces(w->fe, load,
                                       force + (size_t)w->fe->n * (size_t)how->n_forces++, err));
        }
    }
    for (int c = 0; c < spins; ++c) {
        tml_centrifugal_forces(w->fe, origin, c,
                               force + (size_t)w->fe->n * (size_t)how->n_forces++);
    }
    how->force = force;
    return TML_OK;
}

TmlStatus tml_reduce(const TmlFeMatrices *fe, const TmlReduceOptions *o, TmlArena *arena,
                     TmlPart *part, TmlReduceFacts *facts, TmlError *err)
{
    TmlReduceFacts unused = {0};
    TmlArena scratch = {0};
    Job w = {
        .fe = fe, .o = o, .arena = arena, .part = part, .facts = facts != NULL ? facts : &unused};
    TML_TRY(check_matrix(fe, &fe->K, "stiffness", err));
    TML_TRY(check_matrix(fe, &fe->M, "mass", err));
    TmlReduction how;
    TmlStatus status = tml_tied_create(fe, o->n_interfaces, o->interface, &w.tied, err);
    status = status == TML_OK ? put_forces(&w, &scratch, &how, err) : status;
    status = status == TML_OK ? tml_basis_create(&w.tied, &how, &w.basis, err) : status;
    status = status == TML_OK ? tml_modes_create(&w.basis, o->frame, &w.modes, err) : status;
    if (status == TML_OK && fe->mesh == NULL) {
        status = tml_matrix_check(&w.tied, &w.facts->rigid_hertz, err);
    }
    status = status == TML_OK ? build_part(&w, &scratch, err) : status;
    tml_arena_free(&scratch);
    tml_modes_free(&w.modes);
    tml_basis_free(&w.basis);
    tml_tied_free(&w.tied);
    return status;
}
