/* SPDX-License-Identifier: MIT */
/* Copies of particles for block steps: see block_step.h. */
#include <stddef.h>
#include <string.h>

#include "base/base.h"
#include "integrate/block_step.h"

/* Offsets of the arrays of 8-byte numbers, which are copied alike; mass is not
 * among them. */
#define AT(member) offsetof(struct koshu_block_particles, member)
static const size_t arrays[] = {AT(x),         AT(y),    AT(z),   AT(vx),
                                AT(vy),        AT(vz),   AT(ax),  AT(ay),
                                AT(az),        AT(jx),   AT(jy),  AT(jz),
                                AT(potential), AT(tick), AT(step)};
enum { N_ARRAYS = sizeof arrays / sizeof arrays[0], WIDTH = 8 };

static void **
array_of(const struct koshu_block_particles *p, int k)
{
    return (void **)((char *)p + arrays[k]);
}

void
koshu_block_copy(const struct koshu_block_particles *from,
                 const struct koshu_block_particles *to)
{
    for (int k = 0; k < N_ARRAYS; k++)
        memcpy(*array_of(to, k), *array_of(from, k), from->n * WIDTH);
}

koshu_status
koshu_block_copy_create(struct koshu_context *context,
                        const struct koshu_block_particles *particles,
                        struct koshu_block_particles *copy, double **mass)
{
    const size_t n = particles->n;
    double *a = *mass = koshu_alloc(n, (N_ARRAYS + 1) * WIDTH);
    if (!a)
        return koshu_fail_memory(context, n * (N_ARRAYS + 1) * WIDTH,
                                 "particles in block steps");
    memcpy(a, particles->mass, n * WIDTH);
    *copy = (struct koshu_block_particles){.n = n, .mass = a};
    for (int k = 0; k < N_ARRAYS; k++) *array_of(copy, k) = a += n;
    koshu_block_copy(particles, copy);
    return KOSHU_OK;
}
