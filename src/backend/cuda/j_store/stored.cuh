/* SPDX-License-Identifier: MIT */
/* The j-particles of a store on the device, and the search for an id among
 * them. */
#ifndef KOSHU_BACKEND_CUDA_J_STORE_STORED_CUH
#define KOSHU_BACKEND_CUDA_J_STORE_STORED_CUH

#include <cstddef>
#include <cstdint>

#include "backend/j_store.h"

#include "backend/cuda/pairs/jerk_lane.cuh"

namespace koshu {

enum { J_THREADS = 128 };

/* The words of struct koshu_j_particle, each in its own array. */
enum stored_word {
    STORED_ID,
    STORED_TIME,
    STORED_MASS,
    STORED_X,
    STORED_V = STORED_X + 3,
    STORED_A = STORED_V + 3,
    STORED_JERK = STORED_A + 3,
    STORED_SNAP = STORED_JERK + 3,
    STORED_WORDS = STORED_SNAP + 3
};
static_assert(sizeof(koshu_j_particle) == STORED_WORDS * sizeof(double),
              "a j-particle is 18 words");
static_assert(offsetof(koshu_j_particle, snap) == STORED_SNAP * sizeof(double),
              "in the order of stored_word");

/*
 * The time of a particle that was never set: a NaN that no arithmetic produces.
 * It is packed as a padding particle (is_padding()).
 */
#define NEVER_SET 0x7ff8656d70747921ull /* "empty!" */

struct stored {
    double *word; /* [STORED_WORDS][stride] */
    size_t stride;

    __host__ __device__ double *of(int which) const
    {
        return word + (size_t)which * stride;
    }
    __host__ __device__ int64_t *id() const
    {
        return reinterpret_cast<int64_t *>(word);
    }
    __host__ __device__ uint64_t *time_bits() const
    {
        return reinterpret_cast<uint64_t *>(of(STORED_TIME));
    }
};

/*
 * A hash table of the ids of a store, with linear probing. It holds addresses
 * of particles; the ids themselves are in the store. All ones: empty.
 */
struct id_entry {
    uint32_t address; /* the lowest address with this id */
    uint32_t unique;  /* 0: other particles have the id, too */
};
enum : uint32_t { EMPTY = UINT32_MAX };

struct id_table {
    id_entry *entry;
    uint32_t mask; /* number of entries - 1, where that is a power of two larger
                    * than the number of ids */

    /* Multiplied by 2^64 / golden ratio (Knuth 6.4), which separates
     * neighbouring ids. */
    __device__ __forceinline__ uint32_t place(int64_t id) const
    {
        return (uint32_t)((uint64_t)id * 0x9E3779B97F4A7C15u >> 32) & mask;
    }
};

/* Instead of the address of an i-particle's own j-particle: there is none, or
 * several have its id. */
enum : uint32_t { NO_OWN = UINT32_MAX, SEVERAL_OWN = NO_OWN - 1 };

KOSHU_DEVICE uint32_t
find_own(const id_table &table, const stored &from, int64_t id)
{
    for (uint32_t k = table.place(id);; k = (k + 1) & table.mask) {
        const id_entry e = table.entry[k];
        if (e.address == EMPTY) return NO_OWN;
        if (from.id()[e.address] == id)
            return e.unique ? e.address : (uint32_t)SEVERAL_OWN;
    }
}

} /* namespace koshu */

#endif
