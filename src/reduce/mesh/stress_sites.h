/* reduce/mesh/stress_sites.h - where a mesh has stresses at its nodes.
 *
 * Elements around a node share one stress, the mean of theirs, where that makes sense: solids of one material, shells of one
 * material and section that lie in one plane. Each such group is a site of the node; an end of a beam is one of its own. A site
 * has one place of stress, or several: both faces of shells, outer fibres of beams.
 */
#pragma once

#include "reduce/element/element.h"

typedef struct TmlStressSite {
    int node, element; /* counted from 0; the first element of the group */
    int sides;         /* places of stress */
    int first;         /* of these among all places */
    int next;          /* site of the same node; -1: the last one */
    int members;       /* elements */
} TmlStressSite;

typedef struct TmlStressSites {
    int n, places;
    TmlStressSite *site;
    int *of_node;  /* mesh->n_nodes: first site of a node; -1: none */
    int *of;       /* site of each node of each element, laid out as mesh->node; -1: none */
    bool *swapped; /* laid out alike: the first face of the shell is the second one of the site */
} TmlStressSites;

TML_NODISCARD TmlStatus tml_stress_sites(const TmlFeMesh *mesh, TmlArena *arena,
                                         TmlStressSites *out, TmlError *err);

/* out[6 places] from the displacements u[n], component by component. */
void tml_site_stress(const TmlFeMatrices *a, const TmlStressSites *sites, const double *u,
                     double *out);
