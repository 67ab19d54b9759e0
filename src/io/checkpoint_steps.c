/* SPDX-License-Identifier: MIT */
#include "io/checkpoint_steps.h"

#include "base/base.h"
#include "kernels/kernels.h"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"
#include "particles/particles.h"

/* The last two only where particles are not at one time. */
enum { COORDINATES = 3, N_DATASETS = 5 };
static const struct koshu_hdf5_dataset datasets[N_DATASETS] = {
        {"Jerks", 3, H5T_FLOAT, KOSHU_ARRAY_JX},
        {"Ticks", 1, H5T_INTEGER, KOSHU_ARRAY_TICK},
        {"Steps", 1, H5T_INTEGER, KOSHU_ARRAY_STEP},
        {"Coordinates", 3, H5T_FLOAT, KOSHU_ARRAY_X},
        {"Velocities", 3, H5T_FLOAT, KOSHU_ARRAY_VX}};

static bool
has_steps(const struct koshu_particle_view *v)
{
    return v->tick && v->jx;
}

static bool
are_synchronised(const struct koshu_particle_view *v,
                 const struct koshu_checkpoint *checkpoint)
{
    if (!has_steps(v)) return true;
    for (size_t i = 0; i < v->n; i++)
        if (v->tick[i] != checkpoint->clock.ticks) return false;
    return true;
}

/* ---- prediction ---------------------------------------------------------- */

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
    *synchronised = *view;
    unsigned apart = !are_synchronised(view, checkpoint);
    KOSHU_TRY(koshu_collective_status(context, KOSHU_OK, &apart));
    if (!apart) return KOSHU_OK;
    double **const array[] = {&synchronised->x,  &synchronised->y,
                              &synchronised->z,  &synchronised->vx,
                              &synchronised->vy, &synchronised->vz};
    bool whole = true;
    for (int k = 0; k < 6; k++) {
        *array[k] = koshu_alloc(view->n, sizeof **array[k]);
        whole = whole && *array[k];
    }
    koshu_status status = KOSHU_OK;
    if (!whole)
        status = koshu_fail_memory(context, 6 * view->n * sizeof(double),
                                   "predicted particles");
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK)
        predict(view, checkpoint, synchronised);
    else
        koshu_checkpoint_predict_free(view, synchronised);
    return status;
}

void
koshu_checkpoint_predict_free(const struct koshu_particle_view *view,
                              struct koshu_particle_view *synchronised)
{
    if (synchronised->x == view->x) return;
    double *const array[] = {synchronised->x,  synchronised->y,
                             synchronised->z,  synchronised->vx,
                             synchronised->vy, synchronised->vz};
    for (int k = 0; k < 6; k++) koshu_free(array[k]);
}

/* ---- the datasets -------------------------------------------------------- */

bool
koshu_checkpoint_put_steps(hid_t group, const struct koshu_rows *rows,
                           const struct koshu_particle_view *view, bool apart)
{
    const int end = !has_steps(view) ? 0 : apart ? N_DATASETS : COORDINATES;
    for (int k = 0; k < end; k++)
        if (!koshu_hdf5_put_rows(group, &datasets[k], rows, view)) return false;
    return true;
}

koshu_status
koshu_checkpoint_get_steps(const struct koshu_hdf5_place *place,
                           struct koshu_particles *particles)
{
    struct koshu_particle_view v;
    if (!koshu_hdf5_has(place->id, datasets[0].name)) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_JERK | KOSHU_FIELD_STEP |
                                              KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    const bool apart = koshu_hdf5_has(place->id, datasets[COORDINATES].name);
    for (int k = 0; k < (apart ? N_DATASETS : COORDINATES); k++)
        KOSHU_TRY(koshu_hdf5_read_arrays(place, &datasets[k], &v, 0, v.n));
    return KOSHU_OK;
}
