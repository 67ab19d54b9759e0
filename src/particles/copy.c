/* SPDX-License-Identifier: MIT */
/* All of a store into another. */
#include <string.h>

#include "particles/particles.h"

koshu_status
koshu_particles_copy(struct koshu_particles *from, struct koshu_particles *to)
{
    enum { BLOCK = 1 << 15 };
    const unsigned fields = koshu_particles_fields(from);
    struct koshu_particle_view a, b;
    KOSHU_TRY(koshu_particles_on_host(from, fields, KOSHU_ACCESS_READ, &a));
    KOSHU_TRY(koshu_particles_on_host(to, fields, KOSHU_ACCESS_WRITE, &b));
    const size_t blocks = (a.n + BLOCK - 1) / BLOCK;
    const int threads =
            koshu_region_threads(koshu_particles_context(from), blocks > 1);
#pragma omp parallel for collapse(2) num_threads(threads)
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        for (size_t block = 0; block < blocks; block++) {
            const size_t first = block * BLOCK, left = a.n - first;
            const double *source = koshu_particle_array(&a, k);
            double *target = koshu_particle_array(&b, k);
            if (source)
                memcpy(target + first, source + first,
                       (left < BLOCK ? left : BLOCK) * KOSHU_ARRAY_ELEMENT);
        }
    return KOSHU_OK;
}
