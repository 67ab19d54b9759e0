/* SPDX-License-Identifier: MIT */
/* Finds the particle to name when a value is not finite. */
#include <math.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "integrate/integrate.h"
#include "kernels/diagnostics.h"
#include "particles/particles.h"

/* A vector field and its name in the message. */
struct field {
    const char *name;
    const double *x, *y, *z;
};

static koshu_status
find(const struct koshu_integrator *i, const struct koshu_particle_view *v,
     const struct field *f, uint64_t step, double time)
{
    for (size_t k = 0; k < v->n; k++) {
        if (isfinite(f->x[k]) && isfinite(f->y[k]) && isfinite(f->z[k]))
            continue;
        return koshu_fail(i->context, KOSHU_ERROR_NOT_FINITE,
                          "particle %zu (id %llu): %s = (%g, %g, %g) at "
                          "step %llu, time %g; go back to a checkpoint, "
                          "with a smaller time step or more softening",
                          koshu_particles_first(i->particles) + k,
                          (unsigned long long)v->id[k], f->name, f->x[k],
                          f->y[k], f->z[k], (unsigned long long)step, time);
    }
    return KOSHU_OK;
}

koshu_status
koshu_find_not_finite(const struct koshu_integrator *i, uint64_t step,
                      double time)
{
    struct koshu_particle_view v;
    koshu_status status = koshu_particles_on_host(
            i->particles,
            KOSHU_FIELD_ID | KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY |
                    KOSHU_FIELD_ACCELERATION,
            KOSHU_ACCESS_READ, &v);
    KOSHU_TRY(koshu_ranks_collective_status(i->context, status));
    const struct field field[] = {{"position", v.x, v.y, v.z},
                                  {"velocity", v.vx, v.vy, v.vz},
                                  {"acceleration", v.ax, v.ay, v.az}};
    for (size_t k = 0; k < sizeof field / sizeof field[0]; k++)
        KOSHU_TRY(koshu_ranks_collective_status(
                i->context, find(i, &v, &field[k], step, time)));
    return KOSHU_OK;
}

/* Whether sums on the device that has the forces, and the largest acceleration,
 * are finite. A value that is not would be in them, but for a NaN among
 * accelerations, which the first kick reports. Velocities are sent there, where
 * that kick needs them. */
static koshu_status
sums_are_finite(const struct koshu_integrator *i, bool *finite)
{
    const struct koshu_backend_ops *backend = i->backend->ops;
    struct koshu_sum sum[KOSHU_DIAGNOSTIC_SUMS] = {{0}};
    double a2 = 0;
    void *device;
    const struct koshu_device_copy_ops *ops = koshu_particles_device_sums(
            i->particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_POTENTIAL,
            &device);
    *finite = ops && backend->largest_acceleration;
    if (!*finite) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_on_device(i->particles, KOSHU_FIELD_VELOCITY,
                                        KOSHU_ACCESS_READ));
    KOSHU_TRY(ops->sum(device, sum));
    KOSHU_TRY(backend->largest_acceleration(i->backend, i->particles, &a2));
    *finite = isfinite(a2);
    for (int k = 0; k < KOSHU_DIAGNOSTIC_SUMS; k++)
        *finite = *finite && isfinite(koshu_sum_value(sum[k]));
    return KOSHU_OK;
}

koshu_status
koshu_check_first_forces(const struct koshu_integrator *i)
{
    bool finite = false;
    if (koshu_context_ranks(i->context) == 1)
        KOSHU_TRY(sums_are_finite(i, &finite));
    if (finite) return KOSHU_OK;
    return koshu_find_not_finite(i, i->clock.steps, i->clock.time);
}

koshu_status
koshu_name_not_finite(const struct koshu_integrator *integrator, double time,
                      const char *what)
{
    KOSHU_TRY(koshu_find_not_finite(integrator, integrator->clock.steps + 1,
                                    time));
    return koshu_fail(integrator->context, KOSHU_ERROR_INTERNAL,
                      "backend %s: %s reports a particle that is not finite, "
                      "but there is none",
                      integrator->backend->ops->name, what);
}
