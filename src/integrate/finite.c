/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/base.h"
#include "domain/domain.h"
#include "integrate/integrate.h"
#include "particles/particles.h"

/* The arrays of a vector. */
struct field {
    const char *name;
    const double *x, *y, *z;
};

/* Of this rank's particles. */
static koshu_status
find(struct koshu_particles *particles, const struct koshu_particle_view *v,
     const struct field *f, uint64_t step, double time)
{
    for (size_t i = 0; i < v->n; i++) {
        if (isfinite(f->x[i]) && isfinite(f->y[i]) && isfinite(f->z[i]))
            continue;
        return koshu_fail(koshu_particles_context(particles),
                          KOSHU_ERROR_NOT_FINITE,
                          "particle %zu (id %llu): %s = (%g, %g, %g) at "
                          "step %llu, time %g; go back to a checkpoint, "
                          "with a smaller time step or more softening",
                          koshu_particles_first(particles) + i,
                          (unsigned long long)v->id[i], f->name, f->x[i],
                          f->y[i], f->z[i], (unsigned long long)step, time);
    }
    return KOSHU_OK;
}

koshu_status
koshu_find_not_finite(struct koshu_particles *particles, uint64_t step,
                      double time)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_ranks_collective_status(
            context,
            koshu_particles_on_host(particles,
                                    KOSHU_FIELD_ID | KOSHU_FIELD_POSITION |
                                            KOSHU_FIELD_VELOCITY |
                                            KOSHU_FIELD_ACCELERATION,
                                    KOSHU_ACCESS_READ, &v)));
    const struct field field[] = {{"position", v.x, v.y, v.z},
                                  {"velocity", v.vx, v.vy, v.vz},
                                  {"acceleration", v.ax, v.ay, v.az}};
    for (size_t k = 0; k < sizeof field / sizeof field[0]; k++)
        KOSHU_TRY(koshu_ranks_collective_status(
                context, find(particles, &v, &field[k], step, time)));
    return KOSHU_OK;
}
