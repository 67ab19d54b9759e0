/* SPDX-License-Identifier: MIT */
/* Kernels of build.cuh. */
#include "backend/cuda/tree/engine.cuh"

namespace koshu {

static size_t
words_of(const tree_pass &r)
{
    return (size_t)r.levels * r.words;
}

tree_pass
pass_of(const tree_step &s, uint32_t n, int levels, uint32_t base)
{
    tree_pass r = {};
    r.n = n;
    r.key = s.key;
    r.levels = levels;
    r.n_leaf = s.n_leaf;
    r.words = n / 32 + 1;
    r.bits = reinterpret_cast<uint32_t *>(s.spare);
    r.before = r.bits + words_of(r) + 1;
    r.base = base;
    r.cell = s.tree->cell;
    r.capacity = s.tree->cell_capacity;
    r.buckets = 1;
    return r;
}

/* ---- marks --------------------------------------------------------------- */

static __global__ void
__launch_bounds__(TREE_THREADS) mark_all(const __grid_constant__ tree_pass r)
{
    wait_for_previous_kernel();
    const size_t k = (size_t)blockIdx.x * TREE_THREADS + threadIdx.x;
    if (k >= 1 && k < r.n) mark(r, (uint32_t)k);
}

/* One thread a level, and one for the number of all. */
static __global__ void
note_levels(const __grid_constant__ tree_pass r, tree_state *state)
{
    wait_for_previous_kernel();
    const int level = (int)threadIdx.x;
    const int row = level < r.levels ? level : r.levels;
    state->level[level] = r.base + r.before[(size_t)row * r.words];
    if (level == 0) state->buckets = 0;
}

cudaError_t
mark_cells(const tree_step &s, const tree_pass &r)
{
    const size_t words = words_of(r) + 1;
    KOSHU_CUDA_TRY(
            cudaMemsetAsync(r.bits, 0, words * sizeof *r.bits, s.cuda->stream));
    KOSHU_CUDA_TRY(launch(s.cuda, mark_all, tree_blocks(r.n),
                          dim3(TREE_THREADS), 0, r));
    KOSHU_CUDA_TRY(count_before(s.tree, r.bits,
                                const_cast<uint32_t *>(r.before), words));
    return launch(s.cuda, note_levels, dim3(1), dim3(TREE_LEVELS + 1), 0, r,
                  s.state);
}

/* ---- cells --------------------------------------------------------------- */

static __global__ void
__launch_bounds__(TREE_THREADS)
        make_all_cells(const __grid_constant__ tree_pass r, size_t words,
                       tree_state *state)
{
    wait_for_previous_kernel();
    if (cells_of(r) > r.capacity) return;
    const size_t word = (size_t)blockIdx.x * TREE_THREADS + threadIdx.x;
    if (word >= words || r.bits[word] == 0) return;
    const uint32_t buckets = make_cells(r, word);
    if (buckets > 0) atomicAdd(&state->buckets, buckets);
}

/* The root, or buckets: after the cells, whose places follow from theirs. */
static __global__ void
__launch_bounds__(TREE_THREADS)
        finish_buckets(const __grid_constant__ tree_pass r, tree_state *state)
{
    wait_for_previous_kernel();
    if (cells_of(r) > r.capacity) return;
    const size_t k = (size_t)blockIdx.x * TREE_THREADS + threadIdx.x;
    if (k < r.buckets && finish_bucket(r, (uint32_t)k))
        atomicAdd(&state->buckets, 1);
}

cudaError_t
write_cells(const tree_step &s, const tree_pass &r)
{
    const size_t words = words_of(r);
    KOSHU_CUDA_TRY(launch(s.cuda, make_all_cells, tree_blocks(words),
                          dim3(TREE_THREADS), 0, r, words, s.state));
    return launch(s.cuda, finish_buckets, tree_blocks(r.buckets),
                  dim3(TREE_THREADS), 0, r, s.state);
}

} /* namespace koshu */
