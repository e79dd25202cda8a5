/* adams/translate/fe.c - the nodes of a FE_PART: COORDINATES and SECTION by labels, (B1) and (B2) of fe.h. */
#include "adams/translate/fe.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "model/flexible/hermite.h"

enum { PLACE = 7, SECTION = 6 }; /* numbers a node: label, x, y, z, angles; label, area, moments */

/* All numbers of an argument. */
typedef struct List {
    int n;
    double *at;
} List;

bool tml_adm_is_fe(const TmlAdmItem *part)
{
    return strcmp(part->syntax->name, "FE_PART") == 0;
}

/* each: numbers of one node; text: what they are. */
static bool read_list(TmlAdm *adm, TmlAdmItem *item, const char *name, int each, const char *text,
                      List *out)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    *out = (List){0};
    if (arg == NULL) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument %s is missing", name);
        return false;
    }
    const int most = arg->value.length / 2 + 2;
    out->at = tml_arena_alloc(adm->arena, (size_t)most, sizeof *out->at);
    adm->nomem |= out->at == NULL;
    out->n = out->at != NULL ? tml_adm_arg_reals(adm, item, arg, 1, most, out->at) : 0;
    if (out->n > 0 && out->n % each != 0) {
        tml_adm_error(adm, item, arg->value, "%s: expected %d numbers a node, %s; got %d", name,
                      each, text, out->n);
        return false;
    }
    return out->n > 0;
}

/* The numbers of a node behind its label; NULL: it has none. */
static const double *find_label(const List *list, int each, double label)
{
    for (int k = 0; k < list->n; k += each) {
        if (list->at[k] == label) {
            return list->at + k + 1;
        }
    }
    return NULL;
}

static int read_plane(TmlAdm *adm, TmlAdmItem *item)
{
    static const char *const types[] = {"3DBEAM", "2DBEAMXY", "2DBEAMYZ", "2DBEAMZX"};
    const TmlAdmArg *arg = tml_adm_arg(item, "TYPE");
    if (arg == NULL) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument TYPE is missing");
        return 0;
    }
    const char *word = tml_adm_id(adm, arg->value);
    for (int k = 0; k < 4; ++k) {
        if (strcmp(word, types[k]) == 0) {
            return k;
        }
    }
    tml_adm_error(adm, item, arg->value,
                  "TYPE: expected 3DBEAM, 2DBEAMXY, 2DBEAMYZ or 2DBEAMZX, got '%.40s'", word);
    return 0;
}

/* The angle from y of the node to the axes that the beam is written in. */
static double axes_angle(const TmlAdmFeNode *node, int plane, double Iyy, double Izz, double Iyz)
{
    if (plane == 0) {
        return Iyz == 0.0   ? 0.0
               : Izz == Iyy ? 0.25 * M_PI * (Iyz > 0.0 ? 1.0 : -1.0)
                            : 0.5 * atan(2.0 * Iyz / (Izz - Iyy)); // (B1)
    }
    const TmlVec3 normal = v3(plane == 2, plane == 3, plane == 1);
    const TmlVec3 y = v3_cross(normal, node->A.cx);
    return atan2(v3_dot(y, node->A.cz), v3_dot(y, node->A.cy));
}

static void turn_section(TmlAdmFeNode *node, double phi, double Iyy, double Izz, double Iyz)
{
    const double c = cos(phi), s = sin(phi);
    const TmlVec3 y = node->A.cy, z = node->A.cz;
    node->phi = phi;
    node->Iyy = Iyy;
    node->Izz = Izz;
    if (phi != 0.0) { // (B2)
        node->Izz = c * c * Izz + 2.0 * s * c * Iyz + s * s * Iyy;
        node->Iyy = s * s * Izz - 2.0 * s * c * Iyz + c * c * Iyy;
        node->A.cy = v3_axpy(c, y, v3_scale(s, z));
        node->A.cz = v3_axpy(c, z, v3_scale(-s, y));
    }
}

/* q: area, Iyy, Izz, Iyz, Jxx in the units of the dataset. */
static bool set_section(TmlAdm *adm, TmlAdmItem *item, int plane, const double *q,
                        TmlAdmFeNode *node)
{
    const double L2 = adm->length * adm->length, L4 = L2 * L2;
    const TmlAdmSlice at = tml_adm_arg(item, "SECTION")->value;
    if (!(q[0] > 0.0 && q[1] > 0.0 && q[2] > 0.0 && q[1] * q[2] > q[3] * q[3])) {
        tml_adm_error(adm, item, at,
                      "SECTION: node %.9g needs area, Iyy and Izz above 0 and Iyz^2 below Iyy Izz, "
                      "got %.6g, %.6g, %.6g and %.6g",
                      node->label, q[0], q[1], q[2], q[3]);
        return false;
    }
    if (q[4] < 0.0 || (plane == 0 && q[4] == 0.0)) {
        tml_adm_error(adm, item, at, "SECTION: node %.9g needs Jxx above 0, got %.6g", node->label,
                      q[4]);
        return false;
    }
    node->area = q[0] * L2;
    node->J = q[4] * L4;
    const double Iyy = q[1] * L4, Izz = q[2] * L4, Iyz = q[3] * L4;
    turn_section(node, axes_angle(node, plane, Iyy, Izz, Iyz), Iyy, Izz, Iyz);
    return true;
}

/* Place and section of one node. */
static bool read_node(TmlAdm *adm, TmlAdmItem *item, const List list[2], int plane,
                      TmlAdmFeNode *node)
{
    const double *x = find_label(&list[0], PLACE, node->label);
    const double *q = find_label(&list[1], SECTION, node->label);
    TmlVec3 r;
    TmlMat33 A;
    if (x == NULL || q == NULL) {
        const char *name = x == NULL ? "COORDINATES" : "SECTION";
        tml_adm_error(adm, item, tml_adm_arg(item, name)->value, "%s: node %.9g is missing", name,
                      node->label);
        return false;
    }
    if (!tml_adm_frame(adm, item, &r, &A)) {
        return false;
    }
    const TmlMat33 own = tml_adm_euler(x + 3);
    node->r = v3_add(r, m3_mulv(&A, v3_scale(adm->length, v3(x[0], x[1], x[2]))));
    node->A = m3_mul(&A, &own);
    return set_section(adm, item, plane, q, node);
}

/* NODE_LABELS, else those of COORDINATES. */
static bool read_labels(TmlAdm *adm, TmlAdmItem *item, const List *places, List *out)
{
    *out = (List){0};
    if (tml_adm_has(item, "NODE_LABELS")) {
        if (!read_list(adm, item, "NODE_LABELS", 1, "", out)) {
            return false;
        }
    } else {
        out->at = tml_arena_alloc(adm->arena, (size_t)places->n, sizeof *out->at);
        adm->nomem |= out->at == NULL;
        for (int k = 0; out->at != NULL && k < places->n; k += PLACE) {
            out->at[out->n++] = places->at[k];
        }
    }
    const TmlAdmArg *arg = tml_adm_arg(item, "NODE_LABELS");
    const TmlAdmSlice at = arg != NULL ? arg->value : tml_adm_whole(item);
    for (int k = 1; k < out->n; ++k) {
        const List before = {k, out->at};
        if (find_label(&before, 1, out->at[k]) != NULL) {
            tml_adm_error(adm, item, at, "node %.9g is listed twice", out->at[k]);
            return false;
        }
    }
    if (out->n < 2) {
        tml_adm_error(adm, item, at, "a FE_PART needs two nodes or more, got %d", out->n);
        return false;
    }
    return true;
}

static bool read_all(TmlAdm *adm, TmlAdmItem *item, TmlAdmFe *fe)
{
    List list[2], labels;
    fe->plane = read_plane(adm, item);
    bool ok =
        read_list(adm, item, "COORDINATES", PLACE, "label, x, y, z and three angles", &list[0]);
    ok &= read_list(adm, item, "SECTION", SECTION, "label, area, Iyy, Izz, Iyz, Jxx", &list[1]);
    if (!ok || item->failed || !read_labels(adm, item, &list[0], &labels)) {
        return false;
    }
    fe->n = labels.n;
    fe->node = tml_arena_alloc(adm->arena, (size_t)fe->n, sizeof *fe->node);
    fe->length = tml_arena_alloc(adm->arena, (size_t)fe->n, sizeof *fe->length);
    adm->nomem |= fe->node == NULL || fe->length == NULL;
    for (int k = 0; k < fe->n && !adm->nomem; ++k) {
        fe->node[k] = (TmlAdmFeNode){.label = labels.at[k]};
        if (!read_node(adm, item, list, fe->plane, &fe->node[k])) {
            return false;
        }
    }
    return !adm->nomem;
}

/* Nodes apart and tangents along the way: else the cubic between them is no beam. */
static bool measure(TmlAdm *adm, TmlAdmItem *item, TmlAdmFe *fe)
{
    for (int k = 0; k + 1 < fe->n; ++k) {
        const TmlAdmFeNode *a = &fe->node[k], *b = &fe->node[k + 1];
        const TmlVec3 d = v3_sub(b->r, a->r);
        const double size = v3_norm(d), least = 0.1; // cosine: 84 degrees
        if (!(v3_dot(d, a->A.cx) > least * size && v3_dot(d, b->A.cx) > least * size)) {
            tml_adm_error(adm, item, tml_adm_arg(item, "COORDINATES")->value,
                          "COORDINATES: from node %.9g to node %.9g x of both must point along "
                          "the beam",
                          a->label, b->label);
            return false;
        }
        fe->length[k] = tml_hermite(a->r, a->A.cx, b->r, b->A.cx).length;
        fe->total += fe->length[k];
    }
    return true;
}

const TmlAdmFe *tml_adm_fe(TmlAdm *adm, TmlAdmItem *part)
{
    if (part->fe != NULL || part->failed) {
        return part->failed ? NULL : part->fe;
    }
    TmlAdmFe *fe = tml_arena_alloc(adm->arena, 1, sizeof *fe);
    adm->nomem |= fe == NULL;
    if (fe == NULL || !read_all(adm, part, fe) || !measure(adm, part, fe)) {
        return NULL;
    }
    part->fe = fe;
    return fe;
}

/* --- markers ---------------------------------------------------------------------------------- */

/* The node that carries a marker, from 0; -1: reported. */
static int node_of(TmlAdm *adm, TmlAdmItem *marker, const TmlAdmItem *part, const TmlAdmFe *fe)
{
    const TmlAdmArg *arg = tml_adm_arg(marker, "NODE_LABEL");
    double label = 0.0;
    if (arg == NULL) {
        tml_adm_error(adm, marker, tml_adm_whole(marker), "a marker of a FE_PART needs NODE_LABEL");
        return -1;
    }
    if (tml_adm_arg_reals(adm, marker, arg, 1, 1, &label) != 1) {
        return -1;
    }
    for (int k = 0; k < fe->n; ++k) {
        if (fe->node[k].label == label) {
            return k;
        }
    }
    tml_adm_error(adm, marker, arg->value, "NODE_LABEL: FE_PART/%s has no node %.9g", part->id,
                  label);
    return -1;
}

static bool is_identity(const TmlMat33 *A)
{
    return v3_norm(v3_sub(A->cx, v3(1, 0, 0))) < 1e-14 &&
           v3_norm(v3_sub(A->cy, v3(0, 1, 0))) < 1e-14;
}

TmlValue *tml_adm_fe_axes(TmlAdm *adm, TmlAdmSlice at, const TmlMat33 *A)
{
    if (is_identity(A)) {
        return NULL;
    }
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "x", tml_adm_turned(adm, at, tml_adm_tidy(A->cx)));
    tml_adm_set(adm, v, "y", tml_adm_turned(adm, at, tml_adm_tidy(A->cy)));
    return v;
}

TmlValue *tml_adm_fe_frame(TmlAdm *adm, TmlAdmItem *marker, const TmlMat33 *axes)
{
    const TmlAdmSlice at = tml_adm_whole(marker);
    TmlAdmItem *part = tml_adm_owner(adm, marker);
    const TmlAdmFe *fe = part != NULL ? tml_adm_fe(adm, part) : NULL;
    const int k = fe != NULL ? node_of(adm, marker, part, fe) : -1;
    TmlVec3 rp, rm;
    TmlMat33 Ap, Am;
    if (k < 0 || !tml_adm_frame(adm, part, &rp, &Ap) || !tml_adm_frame(adm, marker, &rm, &Am)) {
        return NULL;
    }
    const TmlAdmFeNode *node = &fe->node[k];
    const TmlMat33 global = m3_mul(&Ap, axes != NULL ? axes : &Am);
    const TmlMat33 own = m3_tmul(&node->A, &global);
    const TmlVec3 r = v3_add(rp, m3_mulv(&Ap, rm));
    const TmlVec3 s = m3_tmulv(&node->A, v3_sub(r, node->r));
    TmlValue *v = tml_adm_map(adm, at), *rotation = tml_adm_fe_axes(adm, at, &own);
    tml_adm_set(adm, v, "node", tml_adm_number(adm, at, k + 1));
    if (v3_norm(s) > 1e-14 * fe->total) { // else rounding: it stands at the node
        tml_adm_set(adm, v, "position", tml_adm_turned(adm, at, tml_adm_tidy(s)));
    }
    if (rotation != NULL) {
        tml_adm_set(adm, v, "rotation", rotation);
    }
    return v;
}
