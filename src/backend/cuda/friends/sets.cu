/* SPDX-License-Identifier: MIT */
/* Collects the particles of joined cells, for sets that are large enough. */
#include "backend/cuda/runtime/cub.cuh"

#include "backend/cuda/friends/friends.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

static const uint32_t none = UINT32_MAX;

/* ---- sets ---------------------------------------------------------------- */

/* Of particles, by root; `start` is no longer needed. */
static uint32_t *
count_of(const friends *f)
{
    return f->start.as<uint32_t>();
}

static cudaError_t
count_members(koshu_cuda *cuda, friends *f)
{
    const size_t bytes = f->n_cells * sizeof(uint32_t);
    KOSHU_CUDA_TRY(f->start.reserve(bytes));
    uint32_t *const count = count_of(f);
    const uint32_t *const first = f->first(), *const root =
                                                      f->parent.as<uint32_t>();
    KOSHU_CUDA_TRY(cudaMemsetAsync(count, 0, bytes, cuda->stream));
    return for_each(cuda, f->n_cells, [=] __device__(size_t c) {
        atomicAdd(&count[root[c]], first[c + 1] - first[c]);
    });
}

struct is_set {
    const uint32_t *count;
    size_t least;
    __device__ bool operator()(uint32_t c) const
    {
        return count[c] > 0 && count[c] >= least;
    }
};

/* The roots of sets, ascending, where keys of cells were. */
static cudaError_t
find_roots(koshu_cuda *cuda, friends *f)
{
    const thrust::counting_iterator<uint32_t> cell(0);
    const is_set wanted = {count_of(f), f->task->least};
    uint64_t n_sets;
    buffer number;
    KOSHU_CUDA_TRY(number.reserve(sizeof n_sets));
    KOSHU_CUDA_TRY(with_memory(&f->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceSelect::If(memory, bytes, cell,
                                     f->other_key.as<uint32_t>(),
                                     number.as<uint64_t>(), (int64_t)f->n_cells,
                                     wanted, cuda->stream);
    }));
    const host_copy copy = {number.as<void>(), &n_sets, sizeof n_sets};
    KOSHU_CUDA_TRY(download(cuda, &copy, 1));
    f->n_sets = n_sets;
    return cudaSuccess;
}

struct size_of_set {
    const uint32_t *count, *root;
    uint64_t n_sets;
    __device__ uint64_t operator()(uint64_t k) const
    {
        return k < n_sets ? count[root[k]] : 0;
    }
};

static cudaError_t
find_first_members(koshu_cuda *cuda, friends *f)
{
    const size_of_set size = {count_of(f), f->other_key.as<uint32_t>(),
                              f->n_sets};
    const auto sizes = thrust::make_transform_iterator(
            thrust::counting_iterator<uint64_t>(0), size);
    KOSHU_CUDA_TRY(f->axis[0].reserve((f->n_sets + 1) * sizeof(uint64_t)));
    KOSHU_CUDA_TRY(with_memory(&f->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(
                memory, bytes, sizes, f->first_member(), (int64_t)f->n_sets + 1,
                cuda->stream);
    }));
    uint64_t n_members;
    const host_copy copy = {f->first_member() + f->n_sets, &n_members,
                            sizeof n_members};
    KOSHU_CUDA_TRY(download(cuda, &copy, 1));
    f->n_members = n_members;
    return cudaSuccess;
}

/* The count of a root becomes the number of its set, or none. */
static cudaError_t
number_sets(koshu_cuda *cuda, const friends *f)
{
    uint32_t *const set_of = count_of(f);
    const uint32_t *const root = f->other_key.as<uint32_t>();
    KOSHU_CUDA_TRY(cudaMemsetAsync(set_of, 0xff, f->n_cells * sizeof(uint32_t),
                                   cuda->stream));
    return for_each(cuda, f->n_sets, [=] __device__(size_t k) {
        set_of[root[k]] = (uint32_t)k;
    });
}

/* ---- members ------------------------------------------------------------- */

/* The cell of each position in index, where x[1] was: first of those at which a
 * cell begins, then, as cells are ascending, of all after them. */
static cudaError_t
mark_cells(koshu_cuda *cuda, const friends *f)
{
    uint32_t *const cell_of = f->axis[1].as<uint32_t>();
    const uint32_t *const first = f->first();
    KOSHU_CUDA_TRY(
            cudaMemsetAsync(cell_of, 0, f->n * sizeof *cell_of, cuda->stream));
    return for_each(cuda, f->n_cells, [=] __device__(size_t c) {
        cell_of[first[c]] = (uint32_t)c;
    });
}

struct larger {
    __device__ uint32_t operator()(uint32_t a, uint32_t b) const
    {
        return a > b ? a : b;
    }
};

static cudaError_t
fill_cells(koshu_cuda *cuda, friends *f)
{
    uint32_t *const cell_of = f->axis[1].as<uint32_t>();
    return with_memory(&f->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceScan::InclusiveScan(memory, bytes, cell_of, cell_of,
                                              larger(), (int64_t)f->n,
                                              cuda->stream);
    });
}

/* Of a position in index: set and particle, in the order wanted of members. */
struct key_of_member {
    const uint32_t *cell_of, *root, *set_of, *index;
    __device__ uint64_t operator()(uint32_t i) const
    {
        return (uint64_t)set_of[root[cell_of[i]]] << 32 | index[i];
    }
};

struct is_member {
    __device__ bool operator()(uint64_t key) const
    {
        return key >> 32 != none;
    }
};

static cudaError_t
take_keys(koshu_cuda *cuda, friends *f)
{
    const key_of_member key = {f->axis[1].as<uint32_t>(),
                               f->parent.as<uint32_t>(), count_of(f),
                               f->index.as<uint32_t>()};
    const auto keys = thrust::make_transform_iterator(
            thrust::counting_iterator<uint32_t>(0), key);
    buffer number;
    KOSHU_CUDA_TRY(number.reserve(sizeof(uint64_t)));
    return with_memory(&f->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceSelect::If(memory, bytes, keys,
                                     f->axis[2].as<uint64_t>(),
                                     number.as<uint64_t>(), (int64_t)f->n,
                                     is_member(), cuda->stream);
    });
}

static cudaError_t
sort_members(koshu_cuda *cuda, friends *f)
{
    cub::DoubleBuffer<uint64_t> key(f->axis[2].as<uint64_t>(),
                                    f->other_key.as<uint64_t>());
    int bits = 32;
    while (bits < 64 && f->n_sets >> (bits - 32) > 0) bits++;
    KOSHU_CUDA_TRY(with_memory(&f->temporary, [&](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, key, f->n_members,
                                              0, bits, cuda->stream);
    }));
    uint32_t *const member = f->member();
    const uint64_t *const sorted = key.Current();
    return for_each(cuda, f->n_members, [=] __device__(size_t i) {
        member[i] = (uint32_t)sorted[i];
    });
}

/* ---- all ----------------------------------------------------------------- */

cudaError_t
collect_sets(koshu_cuda *cuda, friends *f)
{
    KOSHU_CUDA_TRY(count_members(cuda, f));
    KOSHU_CUDA_TRY(find_roots(cuda, f));
    KOSHU_CUDA_TRY(find_first_members(cuda, f));
    KOSHU_CUDA_TRY(number_sets(cuda, f));
    KOSHU_CUDA_TRY(mark_cells(cuda, f));
    KOSHU_CUDA_TRY(fill_cells(cuda, f));
    KOSHU_CUDA_TRY(take_keys(cuda, f));
    return sort_members(cuda, f);
}

} /* namespace koshu */
