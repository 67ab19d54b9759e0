/* SPDX-License-Identifier: MIT */
/* A particle store's fields on a device, as those see it who sum its forces. */
#ifndef KOSHU_BACKEND_CUDA_PARTICLES_STORE_CUH
#define KOSHU_BACKEND_CUDA_PARTICLES_STORE_CUH

#include "backend/cuda/particles/box.cuh"
#include "backend/cuda/pairs/forces.cuh"
#include "backend/cuda/tree/cells.cuh"
#include "kernels/diagnostics.h"
#include "particles/particles.h"

struct koshu_cuda_store {
    koshu_cuda *cuda;
    size_t n, stride; /* elements of an array: n, and room for more */
    koshu::buffer memory;
    koshu::fields f;
    bool places_alone; /* of the fields only positions are there */

    /* Once a tree has brought the particles into an order of its own, and this
     * to them; NULL: they are in the host's order. */
    koshu::buffer tag_memory;
    koshu::particle_tag *tag;

    koshu::box extent;
    double largest_mass;
    double least_mass; /* that is not 0; 0: none is; -1: not known yet */

    koshu::buffer packed;
    const koshu::precision_functions *packed_for; /* NULL: nothing is packed */
    koshu::units packed_units;
    bool packed_valid; /* packed are the present positions and masses */

    int kicks; /* that wait */
    double kick[koshu::ADVANCE_KICKS];

    koshu::host_buffer flag;
    volatile int *not_finite; /* that the device writes */

    koshu::buffer lists; /* of particles that change stores, and of boxes */
};

namespace koshu {

/* Mass, x, v, potential, a: as enum koshu_array has them. */
enum { STORE_ARRAYS = KOSHU_ARRAY_JX - KOSHU_ARRAY_MASS };
struct fields_list {
    double *array[STORE_ARRAYS];
};
static inline fields_list
list_fields(const fields &f)
{
    return {{f.mass, f.x[0], f.x[1], f.x[2], f.v[0], f.v[1], f.v[2],
             f.potential, f.a[0], f.a[1], f.a[2]}};
}

static inline packed_memory
packed_in(const koshu_cuda_store *s)
{
    return {s->packed.as<void>(), s->n + PADDING};
}

/* Forces of a task on the store's particles, to its arrays. */
static inline force_setup
setup_of(const koshu_cuda_store *s, const koshu_force_task &task,
         const units &u)
{
    const fields &f = s->f;
    return {task.eps,
            task.potential,
            u,
            {f.a[0], f.a[1], f.a[2], f.potential, 0, 0, {}}};
}

/* n may be 0. destroy: NULL is allowed. */
cudaError_t create_store(koshu_cuda *cuda, size_t n, koshu_cuda_store **store);
void destroy_store(koshu_cuda_store *store);

/* Copies of the fields (of enum koshu_field, not KOSHU_FIELD_ID; of the work,
 * which is an integer, 32 bits are there). The host's
 * arrays are free on return; a download waits. */
cudaError_t upload_fields(koshu_cuda_store *store, unsigned fields,
                          const koshu_particle_view &host);
cudaError_t download_fields(koshu_cuda_store *store, unsigned fields,
                            const koshu_particle_view &host);

/* Memory for more than the n that there are, which stay. Waits. */
cudaError_t grow_store(koshu_cuda_store *store, size_t n);

cudaError_t kick(koshu_cuda_store *store, double dt);
cudaError_t drift(koshu_cuda_store *store, double dt);

/* Into the periodic box [corner, corner + edge) of each direction. */
cudaError_t
wrap_positions(koshu_cuda_store *store, const double corner[3], double edge);

/* Has a kick or drift that is done so far made a number that is not finite?
 * Forgets it. Does not wait. */
bool take_not_finite(koshu_cuda_store *store);

/* The largest |a|^2; a NaN does not count. Waits. */
cudaError_t largest_acceleration(koshu_cuda_store *store, double *a2);

/* Makes the kicks that wait. */
cudaError_t make_kicks(koshu_cuda_store *store);

/* The sums of kernels/diagnostics.h, added to those given; masses by the next
 * digit of a search, added to the bins, as others do at once; or all of the
 * search. All wait. */
cudaError_t sum_diagnostics(koshu_cuda_store *store, koshu_sum *sums);
cudaError_t count_shells(koshu_cuda_store *store,
                         const koshu_shell_search &search, uint64_t *bins);
cudaError_t find_shells(koshu_cuda_store *store, koshu_shell_search *search);

/* Makes the kicks that wait, and packs the particles for these functions,
 * unless they are packed. */
cudaError_t pack_store(koshu_cuda_store *store, const koshu_force_task &task,
                       const precision_functions &functions);

/* Makes the kicks that wait, and gives the particles tags: whoever calls may
 * move them, and use the memory of their accelerations. */
cudaError_t start_tree(koshu_cuda_store *store);

} /* namespace koshu */

#endif
