/* SPDX-License-Identifier: MIT */
/* Divides boxes (domain/bisection.c) on the device that has the particles, by
 * integer histograms, so that results have the same bits as the host's. */
#include <algorithm>

#include "backend/cuda/particles/resident.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

/* The box of each particle. Not read while there is one box only. */
static uint32_t *
boxes_of(const koshu_cuda_store *s)
{
    return s->cuda->between_steps.as<uint32_t>();
}

cudaError_t
start_cuts(koshu_cuda_store *s)
{
    const size_t bytes = s->n * sizeof(uint32_t);
    KOSHU_CUDA_TRY(start_tree(s));
    return s->cuda->between_steps.reserve(bytes);
}

/* ---- histograms ---------------------------------------------------------- */

enum { SHARED_BINS = 4096 };

struct count_args {
    size_t n, zooms, bins, all;
    const double *x[3];
    const particle_tag *tag;
    const uint32_t *box; /* NULL: all are in the first */
    const koshu_cut *cut;
    unsigned long long *count;
    bool shared;
};

/* Sums of a block in shared memory: of the lower and of the upper 16 bits of
 * the works. A block has so few particles that both stay below 2^32: shared
 * memory has atomic adds of 32 bits, but emulates those of 64. */
enum { MAX_OF_BLOCK = 1 << 16 };
struct shared_bin {
    uint32_t low, high;
};

/* Neighbours in memory are mostly neighbours in space: if all lanes here have
 * the same bin, one of them adds for all. */
KOSHU_DEVICE void
add_work(shared_bin *bins, size_t bin, uint32_t work)
{
    const unsigned lanes = __activemask();
    uint32_t low = work & 0xffffu, high = work >> 16;
    int same;
    __match_all_sync(lanes, (uint32_t)bin, &same);
    if (same) {
        low = __reduce_add_sync(lanes, low);
        high = __reduce_add_sync(lanes, high);
        if (threadIdx.x % WARP != (unsigned)__ffs((int)lanes) - 1) return;
    }
    atomicAdd(&bins[bin].low, low);
    if (high) atomicAdd(&bins[bin].high, high);
}

KOSHU_DEVICE void
add_work(unsigned long long *bins, size_t bin, uint32_t work)
{
    atomicAdd(&bins[bin], (unsigned long long)work);
}

/* As in domain/cuts.c. */
template <class Bin>
KOSHU_DEVICE void
count_one(const count_args &s, size_t k, Bin *count)
{
    const size_t first = s.box ? s.box[k] * s.zooms : 0;
    for (size_t z = first; z < first + s.zooms; z++) {
        const koshu_cut &c = s.cut[z];
        if (!c.is_sought) return;
        const double x = s.x[c.axis][k],
                     width = (c.to - c.from) / (double)s.bins;
        if (x < c.from || x > c.to) return;
        const double at = width > 0 ? (x - c.from) / width : 0;
        const size_t last = s.bins - 1,
                     bin = at < (double)last ? (size_t)at : last;
        const uint32_t work = work_of(s.tag[k]);
        add_work(count, z * s.bins + bin, work > 1 ? work : 1);
    }
}

/* Counts a block's particles, each by a thread. */
template <class Bin>
KOSHU_DEVICE void
count_own(const count_args &s, Bin *count)
{
    const size_t step = (size_t)gridDim.x * ITEM_THREADS;
#pragma unroll 4
    for (size_t k = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x; k < s.n;
         k += step)
        count_one(s, k, count);
}

static __global__ void
__launch_bounds__(ITEM_THREADS)
        count_particles(const __grid_constant__ count_args s)
{
    extern __shared__ shared_bin mine[];
    wait_for_previous_kernel();
    if (!s.shared) {
        count_own(s, s.count);
        return;
    }
    for (size_t k = threadIdx.x; k < s.all; k += ITEM_THREADS) mine[k] = {0, 0};
    __syncthreads();
    count_own(s, mine);
    __syncthreads();
    for (size_t k = threadIdx.x; k < s.all; k += ITEM_THREADS) {
        const unsigned long long sum =
                ((unsigned long long)mine[k].high << 16) + mine[k].low;
        if (sum > 0) atomicAdd(&s.count[k], sum);
    }
}

/* Uploads the cuts of n boxes, and reserves `behind` bytes after them. */
static cudaError_t
upload_cuts(koshu_cuda_store *s, size_t n, const koshu_cut *cut, size_t behind)
{
    KOSHU_CUDA_TRY(s->lists.reserve(n * sizeof *cut + behind));
    const host_copy copy = {s->lists.as<void>(), const_cast<koshu_cut *>(cut),
                            n * sizeof *cut};
    return upload(s->cuda, &copy, 1);
}

cudaError_t
count_bins(koshu_cuda_store *s, size_t n, size_t zooms, const koshu_cut *cut,
           size_t bins, uint64_t *count)
{
    const size_t cuts = n * zooms, all = cuts * bins,
                 bytes = all * sizeof *count;
    const bool shared = all <= SHARED_BINS;
    const size_t enough = s->cuda->multiprocessors * 8,
                 max_blocks = std::max(enough, s->n / (MAX_OF_BLOCK / 2) + 1);
    if (s->n == 0) return cudaSuccess;
    KOSHU_CUDA_TRY(upload_cuts(s, cuts, cut, bytes));
    koshu_cut *const sought = s->lists.as<koshu_cut>();
    const count_args args = {
            s->n,
            zooms,
            bins,
            all,
            {s->f.x[0], s->f.x[1], s->f.x[2]},
            s->tag,
            n > 1 ? boxes_of(s) : nullptr,
            sought,
            reinterpret_cast<unsigned long long *>(sought + cuts),
            shared};
    KOSHU_CUDA_TRY(cudaMemsetAsync(args.count, 0, bytes, s->cuda->stream));
    dim3 blocks = blocks_of(s->n);
    if (blocks.x > max_blocks) blocks.x = (unsigned)max_blocks;
    KOSHU_CUDA_TRY(launch(s->cuda, count_particles, blocks, ITEM_THREADS,
                          shared ? bytes : 0, args));
    const host_copy copy = {args.count, count, bytes};
    return download(s->cuda, &copy, 1);
}

/* ---- boxes --------------------------------------------------------------- */

/* Each thread works on so many particles: the passes only move memory. */
enum { EACH = 4 };

template <class Work>
static cudaError_t
for_each_particle(const koshu_cuda_store *s, const Work &work)
{
    const size_t n = s->n, block = (size_t)ITEM_THREADS * EACH,
                 threads = (n + block - 1) / block * ITEM_THREADS;
    return for_each(s->cuda, threads, [=] __device__(size_t thread) {
        const size_t first =
                thread / ITEM_THREADS * block + thread % ITEM_THREADS;
#pragma unroll
        for (unsigned k = 0; k < EACH; k++)
            if (first + k * ITEM_THREADS < n) work(first + k * ITEM_THREADS);
    });
}

cudaError_t
divide_boxes(koshu_cuda_store *s, size_t n, const koshu_cut *cut)
{
    uint32_t *box = boxes_of(s);
    if (s->n == 0) return cudaSuccess;
    if (n == 1) {
        const koshu_cut c = *cut;
        const double *x = s->f.x[c.axis];
        return for_each_particle(s, [=] __device__(size_t k) {
            box[k] = c.next + (c.divides && x[k] >= c.at);
        });
    }
    KOSHU_CUDA_TRY(upload_cuts(s, n, cut, 0));
    const koshu_cut *cuts = s->lists.as<koshu_cut>();
    const fields f = s->f;
    return for_each_particle(s, [=] __device__(size_t k) {
        const koshu_cut &c = cuts[box[k]];
        box[k] = c.next + (c.divides && f.x[c.axis][k] >= c.at);
    });
}

/* Writes the number of particles in other boxes, and after it those that
 * fit. */
static cudaError_t
find_others(koshu_cuda_store *s, uint32_t box, size_t capacity,
            unsigned long long *count)
{
    const uint32_t *of = boxes_of(s);
    const particle_tag *tag = s->tag;
    uint64_t *const other = reinterpret_cast<uint64_t *>(count + 1);
    return for_each_particle(s, [=] __device__(size_t k) {
        if (of[k] == box) return;
        const unsigned long long at = atomicAdd(count, 1ull);
        if (at < capacity) other[at] = (uint64_t)tag[k].origin << 32 | of[k];
    });
}

/* The number of particles in other boxes, with the first `few` of them; all are
 * listed on the device if they fit into s->lists. */
static cudaError_t
find_first(koshu_cuda_store *s, uint32_t box, size_t few, uint64_t *other,
           unsigned long long *found)
{
    unsigned long long *const list = s->lists.as<unsigned long long>();
    const size_t capacity = s->lists.bytes() / sizeof *list - 1;
    const host_copy first[2] = {{list, found, sizeof *found},
                                {list + 1, other, few * sizeof *other}};
    KOSHU_CUDA_TRY(cudaMemsetAsync(list, 0, (few + 1) * sizeof *list,
                                   s->cuda->stream));
    KOSHU_CUDA_TRY(find_others(s, box, capacity, list));
    return download(s->cuda, first, 2);
}

/* Mostly there are few, which come with their number. Memory for more is not
 * reserved in advance: the host's capacity stays as large as at first, when
 * many particles move. */
cudaError_t
list_others(koshu_cuda_store *s, uint32_t box, size_t capacity, uint64_t *other,
            size_t *n)
{
    const size_t few = std::min(capacity, (size_t)2048);
    unsigned long long found = 0;
    *n = 0;
    if (s->n == 0) return cudaSuccess;
    KOSHU_CUDA_TRY(s->lists.reserve((few + 1) * sizeof found));
    KOSHU_CUDA_TRY(find_first(s, box, few, other, &found));
    *n = found;
    if (found <= few || found > capacity) return cudaSuccess;
    if (!s->lists.has((found + 1) * sizeof found)) {
        KOSHU_CUDA_TRY(s->lists.reserve((found + 1) * sizeof found));
        KOSHU_CUDA_TRY(find_first(s, box, few, other, &found));
    }
    uint64_t *const list = s->lists.as<uint64_t>() + 1;
    const host_copy rest = {list + few, other + few,
                            (found - few) * sizeof *other};
    return download(s->cuda, &rest, 1);
}

} /* namespace koshu */
