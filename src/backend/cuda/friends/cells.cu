/* SPDX-License-Identifier: MIT */
/* Sorts particles by cells; cells are numbered row by row along z. */
#include "backend/cuda/runtime/cub.cuh"

#include "backend/cuda/friends/friends.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

/* ---- keys ---------------------------------------------------------------- */

/* Like koshu_wrapped() and koshu_cell_along(), with the host's rounding. */
KOSHU_DEVICE double
wrapped(double x, double box)
{
    const double at = __dsub_rn(x, __dmul_rn(box, floor(x / box)));
    return at < box ? at : 0;
}

KOSHU_DEVICE uint64_t
cell_along(double at, double box, uint64_t edge)
{
    const uint64_t cell = (uint64_t)__dmul_rn(at / box, (double)edge);
    return cell < edge ? cell : edge - 1;
}

static cudaError_t
set_keys(koshu_cuda *cuda, friends *f)
{
    double *const x = f->x(0), *const y = f->x(1), *const z = f->x(2);
    uint64_t *const key = f->key.as<uint64_t>();
    uint32_t *const index = f->index.as<uint32_t>();
    const double box = f->task->box;
    const uint64_t edge = f->task->edge;
    return for_each(cuda, f->n, [=] __device__(size_t i) {
        x[i] = wrapped(x[i], box);
        y[i] = wrapped(y[i], box);
        z[i] = wrapped(z[i], box);
        key[i] = (cell_along(x[i], box, edge) * edge +
                  cell_along(y[i], box, edge)) *
                         edge +
                 cell_along(z[i], box, edge);
        index[i] = (uint32_t)i;
    });
}

static int
bits_of_keys(const friends *f)
{
    const uint64_t edge = f->task->edge;
    int bits = 1;
    while (bits < 63 && (edge * edge * edge - 1) >> bits > 0) bits++;
    return bits;
}

static cudaError_t
sort_keys(koshu_cuda *cuda, friends *f)
{
    cub::DoubleBuffer<uint64_t> key(f->key.as<uint64_t>(),
                                    f->other_key.as<uint64_t>());
    cub::DoubleBuffer<uint32_t> index(f->index.as<uint32_t>(),
                                      f->other_index.as<uint32_t>());
    const int bits = bits_of_keys(f);
    KOSHU_CUDA_TRY(with_memory(&f->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, key, index, f->n,
                                               0, bits, cuda->stream);
    }));
    if (key.Current() != f->key.as<uint64_t>()) f->key.swap(f->other_key);
    if (index.Current() != f->index.as<uint32_t>())
        f->index.swap(f->other_index);
    return cudaSuccess;
}

/* ---- cells --------------------------------------------------------------- */

struct begins_cell {
    const uint64_t *key;
    __device__ bool operator()(uint32_t i) const
    {
        return i == 0 || key[i] != key[i - 1];
    }
};

/* Finds where cells begin, and their number. */
static cudaError_t
find_cells(koshu_cuda *cuda, friends *f)
{
    const thrust::counting_iterator<uint32_t> particle(0);
    const begins_cell begins = {f->key.as<uint64_t>()};
    uint32_t *const first = f->first();
    uint64_t n_cells;
    KOSHU_CUDA_TRY(f->start.reserve(sizeof n_cells));
    KOSHU_CUDA_TRY(with_memory(&f->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceSelect::If(memory, bytes, particle, first,
                                     f->start.as<uint64_t>(), (int64_t)f->n,
                                     begins, cuda->stream);
    }));
    const host_copy count = {f->start.as<void>(), &n_cells, sizeof n_cells};
    KOSHU_CUDA_TRY(download(cuda, &count, 1));
    f->n_cells = n_cells;
    const uint32_t end = (uint32_t)f->n;
    const host_copy last = {first + f->n_cells, const_cast<uint32_t *>(&end),
                            sizeof end};
    KOSHU_CUDA_TRY(upload(cuda, &last, 1));
    const uint64_t *const key = f->key.as<uint64_t>();
    uint64_t *const cell_key = f->cell_key();
    return for_each(cuda, f->n_cells,
                    [=] __device__(size_t c) { cell_key[c] = key[first[c]]; });
}

/* ---- positions ----------------------------------------------------------- */

static cudaError_t
order_axis(koshu_cuda *cuda, friends *f, int k)
{
    const uint32_t *const index = f->index.as<uint32_t>();
    const double *const from = f->x(k);
    double *const to = f->spare.as<double>();
    KOSHU_CUDA_TRY(for_each(
            cuda, f->n, [=] __device__(size_t i) { to[i] = from[index[i]]; }));
    f->axis[k].swap(f->spare);
    return cudaSuccess;
}

static cudaError_t
take_places(koshu_cuda *cuda, friends *f)
{
    host_copy copies[3];
    for (int k = 0; k < 3; k++) {
        KOSHU_CUDA_TRY(f->axis[k].reserve(f->n * sizeof(double)));
        copies[k] = {f->x(k), const_cast<double *>(f->task->x[k]),
                     f->n * sizeof(double)};
    }
    return upload(cuda, copies, 3);
}

cudaError_t
sort_into_cells(koshu_cuda *cuda, friends *f)
{
    const size_t n = f->n;
    KOSHU_CUDA_TRY(take_places(cuda, f));
    KOSHU_CUDA_TRY(f->key.reserve(n * sizeof(uint64_t)));
    KOSHU_CUDA_TRY(f->other_key.reserve(n * sizeof(uint64_t)));
    KOSHU_CUDA_TRY(f->index.reserve((n + 1) * sizeof(uint32_t)));
    KOSHU_CUDA_TRY(f->other_index.reserve((n + 1) * sizeof(uint32_t)));
    KOSHU_CUDA_TRY(set_keys(cuda, f));
    KOSHU_CUDA_TRY(sort_keys(cuda, f));
    KOSHU_CUDA_TRY(find_cells(cuda, f));
    KOSHU_CUDA_TRY(f->key.release());
    KOSHU_CUDA_TRY(f->spare.reserve(n * sizeof(double)));
    for (int k = 0; k < 3; k++) KOSHU_CUDA_TRY(order_axis(cuda, f, k));
    return f->spare.release();
}

} /* namespace koshu */
