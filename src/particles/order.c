/* SPDX-License-Identifier: MIT */
/* Reorders the particles of a store. */
#include <stdlib.h>
#include <string.h>

#include "particles/particles.h"

enum { ELEMENT = KOSHU_ARRAY_ELEMENT };

static koshu_status
check_permutation(struct koshu_context *context, size_t n, const size_t *from)
{
    unsigned char *seen = calloc(n, 1);
    if (!seen) return koshu_fail_memory(context, n, "permutation check");
    koshu_status status = KOSHU_OK;
    for (size_t k = 0; k < n && status == KOSHU_OK; k++) {
        if (from[k] >= n || seen[from[k]])
            status = koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                                "from[%zu] = %zu: %s", k, from[k],
                                from[k] >= n ? "no such particle"
                                             : "named twice");
        else
            seen[from[k]] = 1;
    }
    free(seen);
    return status;
}

/* old: work space for one array. */
static void
permute_array(size_t n, const size_t *from, char *array, uint64_t *old,
              int threads)
{
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (size_t k = 0; k < n; k++)
            memcpy(&old[k], array + k * ELEMENT, ELEMENT);
#pragma omp for schedule(static)
        for (size_t k = 0; k < n; k++)
            memcpy(array + k * ELEMENT, &old[from[k]], ELEMENT);
    }
}

static koshu_status
permute_arrays(struct koshu_context *context,
               const struct koshu_particle_view *v, const size_t *from)
{
    const int threads = koshu_region_threads(context, v->n > 1 << 14);
    uint64_t *old = koshu_alloc(v->n, ELEMENT);
    if (!old)
        return koshu_fail_memory(context, v->n * ELEMENT,
                                 "permutation of particles");
    for (size_t k = 0; k < KOSHU_ARRAYS; k++) {
        void *array = koshu_particle_array(v, k);
        if (array) permute_array(v->n, from, array, old, threads);
    }
    koshu_free(old);
    return KOSHU_OK;
}

koshu_status
koshu_particles_permute(struct koshu_particles *particles, size_t n,
                        const size_t *from)
{
    KOSHU_REQUIRE(NULL, particles);
    struct koshu_context *context = koshu_particles_context(particles);
    KOSHU_REQUIRE(context, from);
    struct koshu_particle_view v;
    KOSHU_TRY(koshu_particles_refuse_views(particles, KOSHU_ACCESS_READ,
                                           "koshu_particles_permute()"));
    if (n != koshu_particles_count(particles))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "an order of %zu particles for a store of %zu", n,
                          koshu_particles_count(particles));
    KOSHU_TRY(check_permutation(context, n, from));
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      koshu_particles_fields(particles),
                                      KOSHU_ACCESS_READ_WRITE, &v));
    return permute_arrays(context, &v, from);
}
