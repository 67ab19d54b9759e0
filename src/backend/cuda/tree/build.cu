/* SPDX-License-Identifier: MIT */
/* Builds the cells of a tree in passes (build.cuh). */
#include <algorithm>
#include <cstdlib>

#include "backend/cuda/tree/engine.cuh"

namespace koshu {

/* After this many passes over buckets, particles are ordered by origin: each
 * pass makes a bucket smaller by at least 2^11, and a double has no more digits
 * than all of these. */
enum { MAX_PASSES = 200 };

/* ---- a pass -------------------------------------------------------------- */

/* Marks and counts cells. Writes to the state: level, buckets. */
static cudaError_t
mark_cells(const tree_step &s, const tree_pass &r)
{
    tree_state *state = s.state;
    const size_t words = words_of_pass(r) + 1;
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

/* Writes the cells, if they fit. The root, or the buckets, come after their
 * children, whose indices they need. */
static cudaError_t
write_cells(const tree_step &s, const tree_pass &r)
{
    tree_state *state = s.state;
    KOSHU_CUDA_TRY(
            for_each(s.cuda, words_of_pass(r), [=] __device__(size_t word) {
                if (cells_of(r) > r.capacity || r.bits[word] == 0) return;
                const uint32_t buckets = make_cells(r, word);
                if (buckets > 0) atomicAdd(&state->buckets, buckets);
            }));
    return for_each(s.cuda, r.buckets, [=] __device__(size_t k) {
        if (cells_of(r) <= r.capacity && finish_bucket(r, (uint32_t)k))
            atomicAdd(&state->buckets, 1);
    });
}

/* Adds the levels of a pass that have cells; the end of the last one is the
 * start of what follows. */
static cudaError_t
add_levels(koshu_tree_engine *t, const tree_pass &r)
{
    tree_levels *to = &t->levels;
    const size_t max_n = to->n + TREE_LEVELS + 2;
    if (max_n > to->capacity) {
        void *larger = realloc(to->first, 2 * max_n * sizeof *to->first);
        if (!larger) return cudaErrorMemoryAllocation;
        to->first = static_cast<uint32_t *>(larger);
        to->capacity = 2 * max_n;
    }
    const uint32_t *level = t->seen->level;
    if (to->n == 0) to->first[to->n++] = 0; /* the root */
    for (int k = 0; k < r.levels; k++)
        if (level[k + 1] > level[k]) to->first[to->n++] = level[k];
    return cudaSuccess;
}

/* Makes the cells of a pass, if they fit, and the groups of all cells; the host
 * reads the state once. */
static cudaError_t
try_pass(const tree_step &s, tree_pass *r)
{
    r->cell = s.tree->cell;
    r->capacity = s.tree->cell_capacity;
    KOSHU_CUDA_TRY(mark_cells(s, *r));
    KOSHU_CUDA_TRY(write_cells(s, *r));
    KOSHU_CUDA_TRY(note_stage(s, STAGE_BUILD));
    KOSHU_CUDA_TRY(mark_all_groups(s));
    return read_state(s);
}

/* Repeats the pass if the cells did not fit. */
static cudaError_t
finish_pass(const tree_step &s, tree_pass *r)
{
    const uint32_t cells = s.tree->seen->level[TREE_LEVELS];
    if (cells > r->capacity) {
        KOSHU_CUDA_TRY(reserve_cells(s, cells, r->bucket ? r->base : 0, 0));
        KOSHU_CUDA_TRY(try_pass(s, r));
    }
    return add_levels(s.tree, *r);
}

/* If the choice is the device's, leaves are enlarged until the tree fits its
 * memory limit. */
static cudaError_t
do_first_pass(tree_step *s, tree_pass *r)
{
    *r = pass_of(*s, s->n, TREE_LEVELS, 1);
    KOSHU_CUDA_TRY(try_pass(*s, r));
    while (s->n_leaf < s->max_n_leaf && takes_too_much(*s)) {
        s->n_leaf = std::min(s->n_leaf + s->n_leaf / 4, s->max_n_leaf);
        r->n_leaf = s->n_leaf;
        KOSHU_CUDA_TRY(try_pass(*s, r));
    }
    return finish_pass(*s, r);
}

cudaError_t
build_tree(tree_step *s)
{
    koshu_tree_engine *t = s->tree;
    tree_pass r;
    t->levels.n = 0;
    lay_out_cells(t);
    KOSHU_CUDA_TRY(do_first_pass(s, &r));
    for (int pass = 1; t->seen->buckets > 0 && is_finite(*t->seen); pass++) {
        const uint32_t cells = t->seen->level[TREE_LEVELS];
        KOSHU_CUDA_TRY(start_buckets(s, cells, t->seen->buckets,
                                     pass >= MAX_PASSES, &r));
        KOSHU_CUDA_TRY(try_pass(*s, &r));
        KOSHU_CUDA_TRY(finish_pass(*s, &r));
    }
    t->levels.first[t->levels.n++] = t->seen->level[TREE_LEVELS];
    return cudaSuccess;
}

} /* namespace koshu */
