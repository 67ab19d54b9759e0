/* SPDX-License-Identifier: MIT */
/* A particle store's fields on a device, as seen by the code that sums
 * forces. */
#ifndef KOSHU_BACKEND_CUDA_PARTICLES_STORE_CUH
#define KOSHU_BACKEND_CUDA_PARTICLES_STORE_CUH

#include "backend/cuda/particles/box.cuh"
#include "backend/cuda/pairs/forces.cuh"
#include "backend/cuda/tree/cells.cuh"
#include "kernels/diagnostics.h"
#include "particles/particles.h"

struct koshu_cuda_store {
    koshu_cuda *cuda;
    size_t n, stride; /* array elements: n, and spare capacity */
    koshu::buffer memory;
    koshu::fields f;
    bool places_alone; /* positions are the only valid fields */

    /* Tags of the particles, if a tree has reordered them; NULL: they are in
     * the host's order. */
    koshu::buffer tag_memory;
    koshu::particle_tag *tag;

    koshu::box extent;
    double largest_mass;
    double least_mass; /* smallest nonzero one; 0: none; -1: not known yet */

    koshu::buffer packed;
    const koshu::precision_functions *packed_for; /* NULL: nothing is packed */
    koshu::units packed_units;
    bool packed_valid; /* packed particles are current */

    int kicks; /* deferred */
    double kick[koshu::ADVANCE_KICKS];

    koshu::host_buffer flag;
    volatile int *not_finite; /* written by the device */

    koshu::buffer lists; /* of particles that change stores, and of boxes */
};

namespace koshu {

/* Mass, x, v, potential, a, in the order of enum koshu_array. */
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

/* Sets up a task's forces on the store's particles, with the store's arrays as
 * results. */
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

/* A store of n particles, with memory for `capacity`; n may be 0.
 * destroy_store() accepts NULL. */
cudaError_t create_store(koshu_cuda *cuda, size_t n, size_t capacity,
                         koshu_cuda_store **store);
void destroy_store(koshu_cuda_store *store);

/* Particles for which a store has memory beside n of its own, if others join
 * it: growing takes both the old and the new arrays for a time. */
static inline size_t
spare_particles(size_t n)
{
    return n / 64;
}

/* Copies fields (of enum koshu_field, not KOSHU_FIELD_ID; of the work, which is
 * an integer, 32 bits are stored). Host arrays may be reused on return; a
 * download waits. */
cudaError_t upload_fields(koshu_cuda_store *store, unsigned fields,
                          const koshu_particle_view &host);
cudaError_t download_fields(koshu_cuda_store *store, unsigned fields,
                            const koshu_particle_view &host);

/* Enlarges the store to n particles; existing ones are kept. Waits. */
cudaError_t grow_store(koshu_cuda_store *store, size_t n);

cudaError_t kick(koshu_cuda_store *store, double dt);
cudaError_t drift(koshu_cuda_store *store, double dt);

/* Wraps positions into the periodic box [corner, corner + edge) of each
 * axis. */
cudaError_t
wrap_positions(koshu_cuda_store *store, const double corner[3], double edge);

/* Has any completed kick or drift produced a number that is not finite? Resets
 * the flag. Does not wait. */
bool take_not_finite(koshu_cuda_store *store);

/* The largest |a|^2; NaN is ignored. Waits. */
cudaError_t largest_acceleration(koshu_cuda_store *store, double *a2);

/* Does deferred kicks. */
cudaError_t make_kicks(koshu_cuda_store *store);

/* sum_diagnostics(): adds the sums of kernels/diagnostics.h to those given.
 * count_shells(): adds masses by the next digit of a search to the bins, as
 * several devices do together. find_shells(): does the whole search. All
 * wait. */
cudaError_t sum_diagnostics(koshu_cuda_store *store, koshu_sum *sums);
cudaError_t count_shells(koshu_cuda_store *store,
                         const koshu_shell_search &search, uint64_t *bins);
cudaError_t find_shells(koshu_cuda_store *store, koshu_shell_search *search);

/* Does deferred kicks, and packs the particles for these functions, unless they
 * are packed already. */
cudaError_t pack_store(koshu_cuda_store *store, const koshu_force_task &task,
                       const precision_functions &functions);

/* Does deferred kicks, and gives the particles tags. Afterwards the caller may
 * reorder them, and use the memory of their accelerations. */
cudaError_t start_tree(koshu_cuda_store *store);

} /* namespace koshu */

#endif
