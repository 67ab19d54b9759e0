/* SPDX-License-Identifier: MIT */
/* Kernels that write stored particles, and the table of their ids. */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_WRITE_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_WRITE_CUH

#include "backend/cuda/j_store/stored.cuh"

namespace koshu {

/* Particles first ... end - 1, which are zero, get their addresses for ids, and
 * are marked NEVER_SET. */
static __global__ void
__launch_bounds__(J_THREADS) number_particles(const __grid_constant__ stored to,
                                              uint32_t first, uint32_t end)
{
    wait_for_previous_kernel();
    const uint32_t k = first + blockIdx.x * J_THREADS + threadIdx.x;
    if (k >= end) return;
    to.id()[k] = k;
    to.time_bits()[k] = NEVER_SET;
}

/* n particles, a thread a word; all addresses differ. From host memory. */
static __global__ void
__launch_bounds__(J_THREADS)
        scatter(const __grid_constant__ stored to, const uint32_t *address,
                const koshu_j_particle *particles, uint32_t n)
{
    wait_for_previous_kernel();
    const uint32_t k = blockIdx.x * J_THREADS + threadIdx.x;
    if (k >= n * STORED_WORDS) return;
    const double *from = reinterpret_cast<const double *>(particles);
    to.of(k % STORED_WORDS)[address[k / STORED_WORDS]] = from[k];
}

/* Of particles 0 ... n - 1. What comes out does not depend on the order. */
static __global__ void
__launch_bounds__(J_THREADS)
        enter_ids(const __grid_constant__ id_table table,
                  const __grid_constant__ stored from, uint32_t n)
{
    wait_for_previous_kernel();
    const uint32_t address = blockIdx.x * J_THREADS + threadIdx.x;
    if (address >= n) return;
    const int64_t id = from.id()[address];
    for (uint32_t k = table.place(id);; k = (k + 1) & table.mask) {
        id_entry *e = &table.entry[k];
        const uint32_t there = atomicCAS(&e->address, EMPTY, address);
        if (there == EMPTY) return;
        if (from.id()[there] != id) continue;
        atomicMin(&e->address, address);
        e->unique = 0;
        return;
    }
}

} /* namespace koshu */

#endif
