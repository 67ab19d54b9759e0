/* SPDX-License-Identifier: MIT */
/*
 * Brings particles into the order of their keys. Each array of the store is
 * gathered into a free one, and is then free itself: nothing is copied twice,
 * and only one extra array is needed.
 */
#include <utility>

#include "backend/cuda/tree/engine.cuh"

namespace koshu {

/* The arrays that move with the particles; all have 8 bytes per element. */
struct moved_arrays {
    uint64_t **array[9];
    int n;
};

template <class T>
static void
add(moved_arrays *to, T **array)
{
    static_assert(sizeof(T) == sizeof(uint64_t), "arrays are exchanged");
    to->array[to->n++] = reinterpret_cast<uint64_t **>(array);
}

/* Accelerations do not move, because they are recomputed; nor does the
 * potential, if it is requested. */
static moved_arrays
arrays_of(const tree_step &s)
{
    moved_arrays arrays = {};
    fields *f = &s.store->f;
    for (int c = 0; c < 3; c++) add(&arrays, &f->x[c]);
    add(&arrays, &s.store->tag);
    if (s.store->places_alone) return arrays;
    add(&arrays, &f->mass);
    for (int c = 0; c < 3; c++) add(&arrays, &f->v[c]);
    if (!s.task.potential) add(&arrays, &f->potential);
    return arrays;
}

static cudaError_t
gather(const tree_step &s, uint64_t *to, const uint64_t *from, uint32_t n)
{
    const uint32_t *order = s.order;
    return for_each(s.cuda, n,
                    [=] __device__(size_t k) { to[k] = from[order[k]]; });
}

/* The array that is free in the end becomes the accelerations' memory. */
cudaError_t
reorder_particles(tree_step *s)
{
    const moved_arrays arrays = arrays_of(*s);
    cudaError_t error = cudaSuccess;
    for (int k = 0; k < arrays.n && error == cudaSuccess; k++) {
        error = gather(*s, s->spare, *arrays.array[k], s->n);
        std::swap(s->spare, *arrays.array[k]);
    }
    double **a = s->store->f.a;
    a[0] = reinterpret_cast<double *>(s->key);
    a[1] = reinterpret_cast<double *>(s->spare);
    return error;
}

cudaError_t
reorder_buckets(const tree_step &s, const tree_pass &r)
{
    const moved_arrays arrays = arrays_of(s);
    const uint64_t *spare = s.spare;
    for (int k = 0; k < arrays.n; k++) {
        uint64_t *array = *arrays.array[k];
        KOSHU_CUDA_TRY(gather(s, s.spare, array, r.n));
        KOSHU_CUDA_TRY(for_each(s.cuda, r.n, [=] __device__(size_t at) {
            array[place_of(r, (uint32_t)at)] = spare[at];
        }));
    }
    return cudaSuccess;
}

} /* namespace koshu */
