/* io/part/inp/inp_tie.c - *TIE of Abaqus and CalculiX files: nodes of one surface on faces of another.
 *
 * Each node of the first surface that is near enough follows the nearest face of the second one (FA1). It stays where it is, also
 * at a gap, which turns with the face; where nodes of the face turn themselves, the gap turns with these. A gap is measured less
 * half the thickness of shells on both sides.
 */
#include "io/part/inp/inp.h"

#include "math/vec3.h"
#include "reduce/mesh/face.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Of the length of a face: how near a node must be when the file does not say. */
static const double near_enough = 0.05;

/* --- reading ------------------------------------------------------------------------------------- */

TmlStatus tml_inp_tie(TmlInpReader *r, TmlError *err)
{
    static const char *const known[] = {"NAME", "POSITION TOLERANCE", "ADJUST", "NO ROTATION",
                                        "TYPE", "NO THICKNESS",       NULL};
    const char *type = tml_inp_value(r, "TYPE");
    for (int k = 0; k < r->now.n; ++k) {
        const char *const *name = known;
        while (*name != NULL && strcmp(*name, r->now.key[k]) != 0) {
            ++name;
        }
        if (*name == NULL) {
            return tml_inp_fail(r, err, "*TIE: %.30s is not read", r->now.key[k]);
        }
    }
    if (type != NULL && strcasecmp(type, "NODE TO SURFACE") != 0) {
        tml_mesh_note(&r->build, "*TIE of surface to surface is taken as of nodes to surface");
    }
    return TML_OK;
}

TmlStatus tml_inp_tie_data(TmlInpReader *r, const TmlInpLine *line, TmlError *err)
{
    TmlInpTie tie = {.kind = TML_INP_TIE, .n = 2};
    const char *tolerance = tml_inp_value(r, "POSITION TOLERANCE");
    if (line->n < 2 || line->item[0][0] == '\0' || line->item[1][0] == '\0') {
        return tml_inp_fail(r, err, "*TIE: a line has two surfaces");
    }
    if (tolerance != NULL) {
        TML_TRY(tml_inp_real(r, tolerance, "POSITION TOLERANCE", &tie.tolerance, err));
    }
    tie.no_rotation = tml_inp_value(r, "NO ROTATION") != NULL;
    TML_TRY(tml_inp_add_tie(r, &tie, err));
    for (int k = 0; k < 2; ++k) {
        TmlInpTerm term = {0};
        tml_inp_name(r, line->item[k], &term.of);
        TML_TRY(tml_inp_add_term(r, &term, err));
    }
    return TML_OK;
}

/* --- the nearest face ---------------------------------------------------------------------------- */

typedef struct Tie {
    TmlInpReader *r;
    const TmlInpTie *of;
    TmlInpWho who;
    TmlArena arena;
    int n_faces;
    TmlFeFace *face;
    TmlVec3 *low, *high; /* n_faces: their boxes */
    double *half;        /* of nodes: half the thickness of shells */
    const bool *turns;
    int loose, hinged; /* nodes too far away; nodes that turn, on faces that do not */
    bool *used;        /* nodes of faces that others follow */
} Tie;

static double half_thickness(const TmlFeMesh *mesh, int element)
{
    const int s = mesh->element[element].section;
    const bool shell = mesh->element[element].type->n_faces == 1 && s >= 0;
    return shell ? 0.5 * mesh->section[s].thickness : 0.0;
}

static int face_at(const TmlFeMesh *mesh, TmlFeFace face, int *node, TmlVec3 *x)
{
    const int n = tml_fe_face_nodes(mesh, face, node);
    for (int i = 0; i < n; ++i) {
        x[i] = mesh->x[node[i]];
    }
    return n;
}

/* Boxes around faces, by the length of their diagonals larger than these, and the thickness of shells at nodes. */
static TmlStatus measure(Tie *w, TmlError *err)
{
    const TmlFeMesh *mesh = w->r->build.mesh;
    TML_NEW(&w->arena, w->low, w->n_faces + 1);
    TML_NEW(&w->arena, w->high, w->n_faces + 1);
    TML_NEW(&w->arena, w->half, mesh->n_nodes + 1);
    for (int k = 0; k < w->n_faces; ++k) {
        int node[TML_FE_NODES];
        TmlVec3 x[TML_FE_NODES] = {{0}};
        const int n = face_at(mesh, w->face[k], node, x);
        TmlVec3 low = x[0], high = x[0];
        for (int i = 1; i < n; ++i) {
            low = v3(fmin(low.x, x[i].x), fmin(low.y, x[i].y), fmin(low.z, x[i].z));
            high = v3(fmax(high.x, x[i].x), fmax(high.y, x[i].y), fmax(high.z, x[i].z));
        }
        const double more = v3_norm(v3_sub(high, low)) + w->of->tolerance +
                            2.0 * half_thickness(mesh, w->face[k].element);
        w->low[k] = v3_sub(low, v3(more, more, more));
        w->high[k] = v3_add(high, v3(more, more, more));
    }
    for (int k = 0; k < mesh->n_elements; ++k) {
        for (int i = 0; i < mesh->element[k].type->n_nodes; ++i) {
            double *half = &w->half[mesh->node[mesh->element[k].first + i]];
            *half = fmax(*half, half_thickness(mesh, k));
        }
    }
    return TML_OK;
}

static bool in_box(const Tie *w, int k, TmlVec3 p)
{
    const TmlVec3 a = w->low[k], b = w->high[k];
    return p.x >= a.x && p.y >= a.y && p.z >= a.z && p.x <= b.x && p.y <= b.y && p.z <= b.z;
}

/* Faces that a node is equally near to: a node above an edge goes with all that meet there, whatever the last digits are. */
enum { MOST_FACES = 16 };
static const double equally_near = 1e-6; // of the length of a face

typedef struct Nearest {
    int n, face[MOST_FACES];
    TmlFaceFoot foot[MOST_FACES];
} Nearest;

static void take_face(Nearest *out, int face, const TmlFaceFoot *foot)
{
    const double same = equally_near * foot->size;
    if (out->n > 0 && foot->distance > out->foot[0].distance + same) {
        return;
    }
    int kept = 0; // of those before it, the ones that are not farther
    for (int k = 0; k < out->n; ++k) {
        if (out->foot[k].distance <= foot->distance + same) {
            out->face[kept] = out->face[k];
            out->foot[kept++] = out->foot[k];
        }
    }
    out->n = kept < MOST_FACES ? kept + 1 : kept;
    out->face[out->n - 1] = face;
    out->foot[out->n - 1] = *foot;
}

/* The nearest faces of those that a node is near enough to. */
static void find_nearest(const Tie *w, int node, Nearest *out)
{
    const TmlFeMesh *mesh = w->r->build.mesh;
    out->n = 0;
    for (int k = 0; k < w->n_faces; ++k) {
        if (!in_box(w, k, mesh->x[node])) {
            continue;
        }
        int around[TML_FE_NODES];
        TmlVec3 x[TML_FE_NODES];
        TmlFaceFoot foot;
        const int n = face_at(mesh, w->face[k], around, x);
        tml_face_foot(n, x, mesh->x[node], &foot);
        const double slack = w->half[node] + half_thickness(mesh, w->face[k].element);
        const double allowed = w->of->tolerance > 0.0 ? w->of->tolerance : near_enough * foot.size;
        if (foot.distance - slack <= allowed) {
            take_face(out, k, &foot);
        }
    }
}

/* --- relations ----------------------------------------------------------------------------------- */

/* What freedom c of a node is by one face, as a share of what it is by all. */
typedef struct Share {
    int n, around[TML_FE_NODES];
    const TmlFaceFoot *foot;
    TmlVec3 d;
    double part;
} Share;

/* On faces whose nodes turn: u = sum N (u_i + t_i x d), t = sum N t_i. */
static TmlStatus add_turning(Tie *w, const Share *s, int c, TmlError *err)
{
    const TmlVec3 d = s->d;
    const double skew[3][3] = {{0, d.z, -d.y}, {-d.z, 0, d.x}, {d.y, -d.x, 0}};
    for (int i = 0; i < s->n; ++i) {
        const double N = s->part * s->foot->N[i];
        TML_TRY(tml_inp_relation_term(w->r, s->around[i], c, N, err));
        for (int k = 0; k < 3 && c < 3; ++k) {
            TML_TRY(tml_inp_relation_term(w->r, s->around[i], 3 + k, N * skew[c][k], err));
        }
    }
    return TML_OK;
}

static TmlStatus add_face(Tie *w, const Share *s, int c, TmlError *err)
{
    for (int i = 0; i < s->n; ++i) {
        double row[3][3];
        tml_face_row(s->foot, i, s->d, row);
        for (int b = 0; b < 3; ++b) {
            TML_TRY(tml_inp_relation_term(w->r, s->around[i], b, s->part * row[c][b], err));
        }
    }
    return TML_OK;
}

/* The nodes of a face, and how far the node is from it. *own: it is one of them. *turn: all of them turn. */
static Share share_of(Tie *w, const Nearest *near, int k, int node, bool *own, bool *turn)
{
    const TmlFeMesh *mesh = w->r->build.mesh;
    TmlVec3 x[TML_FE_NODES];
    Share s = {.foot = &near->foot[k], .part = 1.0 / near->n};
    s.n = face_at(mesh, w->face[near->face[k]], s.around, x);
    for (int i = 0; i < s.n; ++i) {
        *own = *own || s.around[i] == node;
        *turn = *turn && w->turns[s.around[i]];
    }
    s.d = v3_sub(mesh->x[node], s.foot->foot);
    if (v3_norm(s.d) < 1e-9 * s.foot->size) { // rounding of the search
        s.d = v3(0, 0, 0);
    }
    return s;
}

static TmlStatus tie_node(Tie *w, int node, bool *tied, TmlError *err)
{
    Nearest near;
    Share share[MOST_FACES];
    bool own = false, turn = true;
    find_nearest(w, node, &near);
    w->loose += near.n == 0;
    for (int k = 0; k < near.n; ++k) {
        share[k] = share_of(w, &near, k, node, &own, &turn);
    }
    if (near.n == 0 || own) {
        return TML_OK; // both surfaces have it
    }
    for (int k = 0; k < near.n; ++k) {
        for (int i = 0; i < share[k].n; ++i) {
            w->used[share[k].around[i]] = true;
        }
    }
    tied[node] = true;
    w->hinged += w->turns[node] && !turn;
    const bool rotation = turn && w->turns[node] && !w->of->no_rotation;
    for (int c = 0; c < (rotation ? 6 : 3); ++c) {
        TML_TRY(tml_inp_begin_relation(w->r, w->who, err));
        TML_TRY(tml_inp_relation_term(w->r, node, c, -1.0, err));
        for (int k = 0; k < near.n; ++k) {
            TML_TRY(turn ? add_turning(w, &share[k], c, err) : add_face(w, &share[k], c, err));
        }
    }
    return TML_OK;
}

static void tell(Tie *w, int n_tied, int twice)
{
    TmlMeshBuild *b = &w->r->build;
    if (w->loose > 0) {
        tml_mesh_note(b, "*TIE in line %d: %d of %d nodes are not near enough to be tied",
                      w->of->line, w->loose, w->loose + n_tied);
    }
    int used = 0;
    for (int k = 0; k < w->r->build.mesh->n_nodes; ++k) {
        used += w->used[k];
    }
    if (n_tied < used) {
        tml_mesh_note(b,
                      "*TIE in line %d: the first surface has fewer nodes (%d) than the faces that "
                      "they are tied to (%d), "
                      "some of which stay free; make it the second one",
                      w->of->line, n_tied, used);
    }
    if (twice > 0) {
        tml_mesh_note(b, "*TIE in line %d: %d nodes are tied by another *TIE already", w->of->line,
                      twice);
    }
    if (w->hinged > 0) {
        tml_mesh_note(b,
                      "*TIE in line %d: %d nodes of shells or beams are tied to solids, with free "
                      "rotations",
                      w->of->line, w->hinged);
    }
}

static TmlStatus tie_all(Tie *w, bool *tied, TmlError *err)
{
    TmlInpReader *r = w->r;
    const TmlFeMesh *mesh = r->build.mesh;
    const TmlInpTerm *term = r->term + w->of->first;
    bool *in;
    int n = 0, twice = 0;
    TML_NEW(&w->arena, in, mesh->n_nodes + 1);
    TML_NEW(&w->arena, w->used, mesh->n_nodes + 1);
    TML_TRY(tml_inp_surface_faces(r, w->who, &term[1].of, &w->arena, &w->n_faces, &w->face, err));
    TML_TRY(tml_inp_surface_nodes(r, w->who, &term[0].of, in, err));
    TML_TRY(measure(w, err));
    for (int k = 0; k < mesh->n_nodes; ++k) {
        if (in[k] && tied[k]) {
            twice++;
        } else if (in[k]) {
            const int loose = w->loose;
            TML_TRY(tie_node(w, k, tied, err));
            n += w->loose == loose;
        }
    }
    tell(w, n, twice);
    return n > 0 || twice > 0
               ? TML_OK
               : tml_inp_who_fail(r, w->who, err, "no node is near enough to surface",
                                  term[1].of.text);
}

TmlStatus tml_inp_resolve_tie(TmlInpReader *r, const TmlInpTie *tie, const bool *turns, bool *tied,
                              TmlError *err)
{
    Tie w = {.r = r, .of = tie, .who = {.keyword = "TIE", .line = tie->line}, .turns = turns};
    const TmlStatus status = tie_all(&w, tied, err);
    tml_arena_free(&w.arena);
    return status;
}
