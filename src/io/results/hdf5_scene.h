/* io/results/hdf5_scene.h - what a report needs besides rows, in a result file.
 *
 *   /scene            text: counts, shapes, joints and forces as JSON (io/report/scene.h)
 *   /meshes/<k>/...   vertices and triangles of the mesh files, in m
 *   /statistics       text: JSON, written at the end; empty until then
 *   attribute command of the root: how to repeat the run
 */
#pragma once

#include "io/results/hdf5_file.h"
#include "trammel/sim.h"

TML_NODISCARD TmlStatus tml_h5_scene_create(hid_t file, const TmlSim *sim, TmlError *err);
TML_NODISCARD TmlStatus tml_h5_statistics_write(hid_t file, const TmlSim *sim, TmlError *err);
