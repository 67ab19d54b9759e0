/* SPDX-License-Identifier: MIT */
/* Refuses particles for which no forces can be computed. */
#include <float.h>

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

/* The first of n values that is not finite or less than this; n: none. */
static size_t
first_outside(const struct koshu_particles *particles, size_t n,
              const double *values, double least)
{
    struct koshu_context *context = koshu_particles_context(particles);
    const int threads = koshu_region_threads(context, n > 1 << 16);
    double zeros = 0,
           smallest = DBL_MAX; /* 0 x is 0 if x is finite, else NaN */
#pragma omp parallel for simd num_threads(threads) schedule(static) \
        reduction(+ : zeros) reduction(min : smallest)
    for (size_t i = 0; i < n; i++) {
        zeros += 0 * values[i];
        smallest = values[i] < smallest ? values[i] : smallest;
    }
    if (zeros == 0 && (n == 0 || smallest >= least)) return n;
    size_t i = 0;
    while (values[i] >= least && values[i] <= DBL_MAX) i++;
    return i;
}

koshu_status
koshu_particles_check_finite(const struct koshu_particles *particles,
                             const struct koshu_particle_view *view,
                             size_t first, size_t end)
{
    size_t bad = view->n, array = end;
    for (size_t k = first; k < end; k++) {
        const double *const values = koshu_particle_array(view, k);
        const size_t i = first_outside(particles, bad, values, -DBL_MAX);
        if (i == bad) continue;
        bad = i;
        array = k;
    }
    if (array == end) return KOSHU_OK;
    return koshu_particles_fail(particles, view, bad, array,
                                KOSHU_ERROR_NOT_FINITE, "");
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
    const size_t i = first_outside(particles, v.n, v.mass, 0);
    if (i == v.n) return KOSHU_OK;
    return koshu_particles_fail(particles, &v, i, KOSHU_ARRAY_MASS,
                                KOSHU_ERROR_BAD_INPUT,
                                ", a mass cannot be negative");
}
