/* SPDX-License-Identifier: MIT */
/*
 * The slots of j-particles on the device: writing them, finding an id among
 * them, predicting them, and packing them and the i-particles for the sums.
 */
#ifndef KOSHU_BACKEND_CUDA_J_MEMORY_PREDICT_CUH
#define KOSHU_BACKEND_CUDA_J_MEMORY_PREDICT_CUH

#include <koshu/j_memory.h>

#include "backend/cuda/jerk/lane.cuh"

#define KOSHU_REAL double
#define KOSHU_TYPED(name) name##_f64
#include "kernels/hermite.h"
#undef KOSHU_REAL
#undef KOSHU_TYPED

namespace koshu {

enum { J_THREADS = 128 };

/* ---- slots -------------------------------------------------------------- */

/* The words of struct koshu_j_particle, each in an array of its own. */
enum slot_word {
    SLOT_ID,
    SLOT_TIME,
    SLOT_MASS,
    SLOT_X,
    SLOT_V = SLOT_X + 3,
    SLOT_A = SLOT_V + 3,
    SLOT_JERK = SLOT_A + 3,
    SLOT_SNAP = SLOT_JERK + 3,
    SLOT_WORDS = SLOT_SNAP + 3
};
static_assert(sizeof(koshu_j_particle) == SLOT_WORDS * sizeof(double),
              "a j-particle is 18 words");
static_assert(offsetof(koshu_j_particle, snap) == SLOT_SNAP * sizeof(double),
              "in the order of slot_word");

struct slots {
    double *word; /* [SLOT_WORDS][stride] */
    size_t stride;

    __host__ __device__ double *of(int which) const
    {
        return word + (size_t)which * stride;
    }
    __host__ __device__ int64_t *id() const
    {
        return reinterpret_cast<int64_t *>(word);
    }
};

/* Slots first ... end - 1, which are zero, get their addresses for ids. */
static __global__ void
__launch_bounds__(J_THREADS) number_slots(const __grid_constant__ slots to,
                                          uint32_t first, uint32_t end)
{
    wait_for_previous_kernel();
    const uint32_t k = first + blockIdx.x * J_THREADS + threadIdx.x;
    if (k < end) to.id()[k] = k;
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

/* ---- ids ---------------------------------------------------------------- */

/*
 * A hash table of the ids in slots, with linear probing. It holds addresses:
 * the ids are in the slots. All ones: empty.
 */
struct id_entry {
    uint32_t address; /* the lowest that has the id */
    uint32_t unique;  /* 0: others have it too */
};
enum : uint32_t { EMPTY = UINT32_MAX };

struct id_table {
    id_entry *entry;
    uint32_t mask; /* number of entries - 1; that is a power of two, and more
                      than there are ids */

    /* Multiplied by 2^64 / golden ratio (Knuth 6.4): neighbouring ids spread.
     */
    __device__ __forceinline__ uint32_t place(int64_t id) const
    {
        return (uint32_t)((uint64_t)id * 0x9E3779B97F4A7C15u >> 32) & mask;
    }
};

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

/* In place of the address of an i-particle's own slot; see NO_OWN. */
enum : uint32_t { SEVERAL_OWN = NO_OWN - 1 };

KOSHU_DEVICE uint32_t
find_own(const id_table &table, const slots &from, int64_t id)
{
    for (uint32_t k = table.place(id);; k = (k + 1) & table.mask) {
        const id_entry e = table.entry[k];
        if (e.address == EMPTY) return NO_OWN;
        if (from.id()[e.address] == id)
            return e.unique ? e.address : (uint32_t)SEVERAL_OWN;
    }
}

/* ---- packing ------------------------------------------------------------ */

/* What a sum reads of j-particles and of i-particles. */
template <class P> struct j_packed {
    jerk_packed<P> points;
    int64_t *id;
};
template <class P> struct i_packed {
    jerk_packed<P> points;
    int64_t *id;
    uint32_t *own; /* address, NO_OWN, or SEVERAL_OWN */
};

template <class P> struct prepare_args {
    slots from;
    uint32_t n_j; /* to predict; 0: they are there already */
    double time;
    bool rounds; /* positions to floats */
    units u;
    id_table table;
    const koshu_i_particle *i; /* in host memory */
    uint32_t n_i;
    j_packed<P> to_j;
    i_packed<P> to_i;
};

KOSHU_DEVICE double
position(double x, bool rounds)
{
    return rounds ? (double)(float)x : x;
}

template <class P>
KOSHU_DEVICE void
predict(const prepare_args<P> &a, uint32_t j)
{
    if (j >= a.n_j) return;
    const slots &from = a.from;
    const double dt = a.time - from.of(SLOT_TIME)[j];
    double x[3], v[3];
    for (int c = 0; c < 3; c++) {
        const double x0 = from.of(SLOT_X + c)[j], v0 = from.of(SLOT_V + c)[j],
                     acceleration = from.of(SLOT_A + c)[j],
                     jerk = from.of(SLOT_JERK + c)[j],
                     snap = from.of(SLOT_SNAP + c)[j];
        x[c] = position(hermite_predict_x_snap_f64(x0, v0, acceleration, jerk,
                                                   snap, dt),
                        a.rounds);
        v[c] = hermite_predict_v_snap_f64(v0, acceleration, jerk, snap, dt);
    }
    store_jerk_point(a.to_j.points, j, a.u, x, v, from.of(SLOT_MASS)[j]);
    a.to_j.id[j] = from.id()[j];
}

/* The i-particles of a block, through shared memory: reads of host memory are
 * fast in long pieces alone. */
template <class P>
KOSHU_DEVICE void
pack_i(const prepare_args<P> &a, uint32_t first)
{
    constexpr int vectors = sizeof(koshu_i_particle) / sizeof(double2);
    __shared__ double2 staged[J_THREADS * vectors];
    const uint32_t n = min((uint32_t)J_THREADS, a.n_i - first);
    const double2 *from = reinterpret_cast<const double2 *>(a.i + first);
    for (uint32_t k = threadIdx.x; k < n * vectors; k += J_THREADS)
        staged[k] = from[k];
    __syncthreads();
    if (threadIdx.x >= n) return;
    const koshu_i_particle &i =
            reinterpret_cast<const koshu_i_particle *>(staged)[threadIdx.x];
    const uint32_t to = first + threadIdx.x;
    const double x[3] = {position(i.x[0], a.rounds), position(i.x[1], a.rounds),
                         position(i.x[2], a.rounds)};
    store_jerk_point(a.to_i.points, to, a.u, x, i.v, 0);
    a.to_i.id[to] = i.id;
    a.to_i.own[to] = find_own(a.table, a.from, i.id);
}

/* Blocks for the j-particles, then blocks for the i-particles. */
template <class P>
__global__ void
__launch_bounds__(J_THREADS) prepare(const __grid_constant__ prepare_args<P> a)
{
    wait_for_previous_kernel();
    const uint32_t for_j = (a.n_j + J_THREADS - 1) / J_THREADS;
    if (blockIdx.x < for_j)
        predict(a, blockIdx.x * J_THREADS + threadIdx.x);
    else
        pack_i(a, (blockIdx.x - for_j) * J_THREADS);
}

} /* namespace koshu */

#endif
