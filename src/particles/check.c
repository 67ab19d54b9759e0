/* SPDX-License-Identifier: MIT */
/* Refuses particles for which no forces can be computed. */
#include <math.h>

#include "particles/particles.h"

koshu_status
koshu_particles_fail(const struct koshu_particles *particles,
                     const struct koshu_particle_view *view, size_t i,
                     size_t array, koshu_status status, const char *what)
{
    const double *values = koshu_particle_array(view, array);
    return koshu_fail(koshu_particles_context(particles), status,
                      "particle %zu (id %llu): %s = %g%s",
                      koshu_particles_first(particles) + i,
                      (unsigned long long)view->id[i],
                      koshu_particle_arrays[array].name, values[i], what);
}

koshu_status
koshu_particles_check_finite(const struct koshu_particles *particles,
                             const struct koshu_particle_view *view,
                             size_t first, size_t end)
{
    const double *array[KOSHU_ARRAYS];
    for (size_t k = first; k < end; k++)
        array[k] = koshu_particle_array(view, k);
    for (size_t i = 0; i < view->n; i++)
        for (size_t k = first; k < end; k++)
            if (!isfinite(array[k][i]))
                return koshu_particles_fail(particles, view, i, k,
                                            KOSHU_ERROR_NOT_FINITE, "");
    return KOSHU_OK;
}

koshu_status
koshu_particles_check(struct koshu_particles *particles)
{
    KOSHU_REQUIRE(NULL, particles);
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_ID | KOSHU_FIELD_MASS |
                                              KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_READ, &v));
    KOSHU_TRY(koshu_particles_check_finite(particles, &v, KOSHU_ARRAY_MASS,
                                           KOSHU_ARRAY_VX + 3));
    for (size_t i = 0; i < v.n; i++)
        if (v.mass[i] < 0)
            return koshu_particles_fail(particles, &v, i, KOSHU_ARRAY_MASS,
                                        KOSHU_ERROR_BAD_INPUT,
                                        ", a mass cannot be negative");
    return KOSHU_OK;
}
