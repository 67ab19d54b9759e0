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

cudaError_t
mark_cells(const tree_step &s, const tree_pass &r)
{
    tree_state *state = s.state;
    const size_t words = words_of(r) + 1;
    KOSHU_CUDA_TRY(
            cudaMemsetAsync(r.bits, 0, words * sizeof *r.bits, s.cuda->stream));
    KOSHU_CUDA_TRY(for_each(s.cuda, r.n, [=] __device__(size_t k) {
        if (k >= 1) mark(r, (uint32_t)k);
    }));
    KOSHU_CUDA_TRY(count_before(s.tree, r.bits,
                                const_cast<uint32_t *>(r.before), words));
    return for_each(s.cuda, TREE_LEVELS + 1, [=] __device__(size_t level) {
        const size_t row = min((int)level, r.levels);
        state->level[level] = r.base + r.before[row * r.words];
        if (level == 0) state->buckets = 0;
    });
}

/* ---- cells --------------------------------------------------------------- */

/* The root, or buckets, come after the cells, whose places follow from theirs.
 */
cudaError_t
write_cells(const tree_step &s, const tree_pass &r)
{
    tree_state *state = s.state;
    KOSHU_CUDA_TRY(for_each(s.cuda, words_of(r), [=] __device__(size_t word) {
        if (cells_of(r) > r.capacity || r.bits[word] == 0) return;
        const uint32_t buckets = make_cells(r, word);
        if (buckets > 0) atomicAdd(&state->buckets, buckets);
    }));
    return for_each(s.cuda, r.buckets, [=] __device__(size_t k) {
        if (cells_of(r) <= r.capacity && finish_bucket(r, (uint32_t)k))
            atomicAdd(&state->buckets, 1);
    });
}

} /* namespace koshu */
