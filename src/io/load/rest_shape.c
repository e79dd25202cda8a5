/* io/load/rest_shape.c - the static equilibrium of a part of a model, while the model is read.
 *
 * The part is a model of its own, as a tree. Nothing of it stays but its channels and the vectors of its nodes.
 */
#include "io/load/rest_shape.h"

#include <math.h>

#include "base/fail.h"
#include "model/read/read.h"
#include "trammel/trammel.h"

static TmlStatus take_values(TmlArena *arena, const TmlSim *sim, TmlRestShape *out, TmlError *err)
{
    double *value;
    out->n_values = tml_row_channel_count(sim);
    TML_NEW(arena, value, out->n_values);
    for (int k = 0; k < out->n_values; ++k) {
        value[k] = tml_row_channel(sim, k);
    }
    out->value = value;
    return TML_OK;
}

static TmlStatus take_nodes(TmlArena *arena, const TmlModel *part, const TmlSim *sim,
                            TmlRestShape *out, TmlError *err)
{
    int *n;
    const double **vector;
    out->n_meshes = tml_model_flexible_count(part);
    TML_NEW(arena, n, out->n_meshes);
    TML_NEW(arena, vector, out->n_meshes);
    for (int f = 0; f < out->n_meshes; ++f) {
        const TmlFlexibleInfo info = tml_model_flexible(part, f);
        double *x;
        n[f] = info.nodes * info.vectors;
        TML_NEW(arena, x, 3 * n[f]);
        for (int i = 0; i < n[f]; ++i) {
            const TmlVec3 r = tml_row_node(sim, f, i / info.vectors, i % info.vectors);
            x[3 * i] = r.x;
            x[3 * i + 1] = r.y;
            x[3 * i + 2] = r.z;
        }
        vector[f] = x;
    }
    out->n = n;
    out->vector = vector;
    return TML_OK;
}

static TmlStatus solve(TmlArena *arena, const TmlModel *part, TmlRestShape *out, TmlError *err)
{
    TmlSim *sim = NULL;
    TmlStaticsInfo info;
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 1.0; // nothing is run
    o.integrator = "hht";
    o.record_solver = false;
    TmlStatus status = tml_sim_create(part, &o, &sim, err);
    status = status == TML_OK ? tml_sim_statics(sim, NULL, &info, err) : status;
    status = status == TML_OK ? take_values(arena, sim, out, err) : status;
    status = status == TML_OK ? take_nodes(arena, part, sim, out, err) : status;
    tml_sim_free(sim);
    return status;
}

TmlStatus tml_find_rest(TmlModel *m, const struct TmlValue *root, TmlRestShape *out, TmlError *err)
{
    TmlModel *part = NULL;
    *out = (TmlRestShape){0};
    TML_TRY(tml_model_create(&part, err));
    tml_reader_document(part->reader, root, true, NULL);
    TmlStatus status = tml_reader_finish(part->reader, err);
    status = status == TML_OK ? solve(&m->arena, part, out, err) : status;
    tml_model_free(part);
    return status;
}
