/* SPDX-License-Identifier: MIT */
/* Kernels that write slots, and the table of their ids. */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_WRITE_SLOTS_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_WRITE_SLOTS_CUH

#include "backend/cuda/j_store/slots.cuh"

namespace koshu {

/* Slots first ... end - 1, which are zero, get their addresses for ids, and
 * nobody has set them. */
static __global__ void
__launch_bounds__(J_THREADS) number_slots(const __grid_constant__ slots to,
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
        scatter(const __grid_constant__ slots to, const uint32_t *address,
                const koshu_j_particle *particles, uint32_t n)
{
    wait_for_previous_kernel();
    const uint32_t k = blockIdx.x * J_THREADS + threadIdx.x;
    if (k >= n * SLOT_WORDS) return;
    const double *from = reinterpret_cast<const double *>(particles);
    to.of(k % SLOT_WORDS)[address[k / SLOT_WORDS]] = from[k];
}

/* Of slots 0 ... n - 1. What comes out does not depend on the order. */
static __global__ void
__launch_bounds__(J_THREADS)
        enter_ids(const __grid_constant__ id_table table,
                  const __grid_constant__ slots from, uint32_t n)
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
