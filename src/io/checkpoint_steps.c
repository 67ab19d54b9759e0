/* SPDX-License-Identifier: MIT */
/* Predicts particles with block time steps to the time of a checkpoint. */
#include "io/checkpoint_steps.h"

#include "base/base.h"
#include "domain/domain.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"

static bool
are_synchronised(const struct koshu_particle_view *v,
                 const struct koshu_checkpoint *checkpoint)
{
    if (!koshu_has_block_steps(v)) return true;
    for (size_t i = 0; i < v->n; i++)
        if (v->tick[i] != checkpoint->clock.ticks) return false;
    return true;
}

static void
predict(const struct koshu_particle_view *v, const struct koshu_checkpoint *c,
        const struct koshu_particle_view *to)
{
    const double *const x[] = {v->x, v->y, v->z};
    const double *const u[] = {v->vx, v->vy, v->vz};
    const double *const a[] = {v->ax, v->ay, v->az};
    const double *const j[] = {v->jx, v->jy, v->jz};
    double *const x_to[] = {to->x, to->y, to->z};
    double *const u_to[] = {to->vx, to->vy, to->vz};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < v->n; i++) {
            double dt = (double)(c->clock.ticks - v->tick[i]) * c->clock.tick;
            x_to[k][i] = hermite_predict_x_f64(x[k][i], u[k][i], a[k][i],
                                               j[k][i], dt);
            u_to[k][i] = hermite_predict_v_f64(u[k][i], a[k][i], j[k][i], dt);
        }
}

koshu_status
koshu_checkpoint_predict(struct koshu_context *context,
                         const struct koshu_particle_view *view,
                         const struct koshu_checkpoint *checkpoint,
                         struct koshu_particle_view *synchronised)
{
    const size_t n = view->n;
    *synchronised = *view;
    unsigned apart = !are_synchronised(view, checkpoint);
    KOSHU_TRY(koshu_collective_status(context, KOSHU_OK, &apart));
    if (!apart) return KOSHU_OK;
    double *memory = koshu_alloc(6 * n, sizeof *memory);
    koshu_status status = KOSHU_OK;
    if (!memory)
        status = koshu_fail_memory(context, 6 * n * sizeof *memory,
                                   "predicted particles");
    status = koshu_ranks_collective_status(context, status);
    if (status != KOSHU_OK) {
        koshu_free(memory);
        return status;
    }
    synchronised->x = memory;
    synchronised->y = memory + n;
    synchronised->z = memory + 2 * n;
    synchronised->vx = memory + 3 * n;
    synchronised->vy = memory + 4 * n;
    synchronised->vz = memory + 5 * n;
    predict(view, checkpoint, synchronised);
    return KOSHU_OK;
}

void
koshu_checkpoint_predict_free(const struct koshu_particle_view *view,
                              struct koshu_particle_view *synchronised)
{
    if (synchronised->x != view->x) koshu_free(synchronised->x);
}
