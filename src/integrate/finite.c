/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/base.h"
#include "integrate/integrate.h"

koshu_status
koshu_find_not_finite(struct koshu_particles *particles, uint64_t step,
                      double time)
{
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_acquire(
            particles,
            KOSHU_ID | KOSHU_POSITION | KOSHU_VELOCITY | KOSHU_ACCELERATION,
            KOSHU_READ, &v));
    const struct {
        const char *name;
        const double *component[3];
    } field[] = {{"position", {v.x, v.y, v.z}},
                 {"velocity", {v.vx, v.vy, v.vz}},
                 {"acceleration", {v.ax, v.ay, v.az}}};
    for (size_t k = 0; k < sizeof field / sizeof field[0]; k++)
        for (size_t i = 0; i < v.n; i++) {
            double x = field[k].component[0][i];
            double y = field[k].component[1][i];
            double z = field[k].component[2][i];
            if (isfinite(x) && isfinite(y) && isfinite(z)) continue;
            return koshu_fail(koshu_particles_context(particles),
                              KOSHU_NOT_FINITE,
                              "particle %zu (id %llu): %s = (%g, %g, %g) at "
                              "step %llu, time %g; go back to a checkpoint, "
                              "with a smaller time step or more softening",
                              i, (unsigned long long)v.id[i], field[k].name, x,
                              y, z, (unsigned long long)step, time);
        }
    return KOSHU_OK;
}
