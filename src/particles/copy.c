/* SPDX-License-Identifier: MIT */
/* Copies fields from one store to another: from the device if only that has
 * them, and from the host by all threads. */
#include <string.h>

#include "particles/particles.h"

enum { BLOCK = 1 << 15 };

/* Copies a block of the k-th array. */
static void
copy_block(const struct koshu_particle_view *from,
           const struct koshu_particle_view *to, size_t k, size_t block)
{
    const size_t first = block * BLOCK, left = from->n - first,
                 n = left < BLOCK ? left : BLOCK;
    const double *source = koshu_particle_array(from, k);
    double *target = koshu_particle_array(to, k);
    memcpy(target + first, source + first, n * KOSHU_ARRAY_ELEMENT);
}

koshu_status
koshu_particles_copy(struct koshu_particles *from, unsigned fields,
                     struct koshu_particles *to)
{
    struct koshu_particle_view a, b;
    unsigned downloaded;
    KOSHU_TRY(koshu_particles_on_host(to, fields, KOSHU_ACCESS_WRITE, &b));
    KOSHU_TRY(koshu_particles_download(from, fields, &b, &downloaded));
    fields &= ~downloaded;
    KOSHU_TRY(koshu_particles_on_host(from, fields, KOSHU_ACCESS_READ, &a));
    const size_t blocks = (a.n + BLOCK - 1) / BLOCK;
    const int threads =
            koshu_region_threads(koshu_particles_context(from), blocks > 1);
#pragma omp parallel for collapse(2) num_threads(threads)
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        for (size_t block = 0; block < blocks; block++)
            if (koshu_particle_arrays[k].field & fields)
                copy_block(&a, &b, k, block);
    return KOSHU_OK;
}
