/* SPDX-License-Identifier: MIT */
/* The memory of a tree on the device. */
#include <algorithm>

#include "backend/cuda/tree/rank_step.cuh"

namespace koshu {

/* ---- cells --------------------------------------------------------------- */

enum {
    CELL_BYTES = sizeof(tree_cell) + sizeof(tree_place) + sizeof(tree_moments)
};

/* Spare capacity, so that the next step fits. */
static size_t
with_spare(size_t count)
{
    return count + count / 64 + 2;
}

/* Places as many cells as fit in the device's memory between steps. */
void
lay_out_cells(koshu_tree_engine *t)
{
    const size_t even = 2;
    const size_t capacity = t->cuda->between_steps.bytes() / CELL_BYTES;
    t->cell_capacity =
            (uint32_t)(std::min(capacity, (size_t)MAX_CELLS) / even * even);
    t->cell = t->cuda->between_steps.as<tree_cell>();
    t->place = reinterpret_cast<tree_place *>(t->cell + t->cell_capacity);
    t->moments = reinterpret_cast<tree_moments *>(t->place + t->cell_capacity);
}

template <class T>
static cudaError_t
copy_array(const koshu_tree_engine *t, T *to, const T *from, size_t n)
{
    if (n == 0) return cudaSuccess;
    return cudaMemcpyAsync(to, from, n * sizeof *from, cudaMemcpyDeviceToDevice,
                           t->cuda->stream);
}

/* Capacity for other ranks' cells behind those of the tree: of their windows,
 * or an estimate, which mostly suffices in the first step. */
static size_t
spare_for_others(const koshu_tree_engine *t, uint32_t cells)
{
    const rank_step *r = t->rank_step;
    if (!r || r->members == 0) return 0;
    return std::max((size_t)part_of(r, 0).come.all_cells, (size_t)cells / 8);
}

/* *array: then the copy at `to`. */
template <class T>
static cudaError_t
move_array(const koshu_tree_engine *t, const T **array, double *to, size_t n)
{
    T *const copy = reinterpret_cast<T *>(to);
    KOSHU_CUDA_TRY(copy_array(t, copy, *array, n));
    *array = copy;
    return cudaSuccess;
}

cudaError_t
reserve_cells(const tree_step &s, uint32_t cells, uint32_t kept,
              uint32_t unused)
{
    koshu_tree_engine *t = s.tree;
    const tree_cell *cell = t->cell;
    const tree_place *place = t->place;
    const tree_moments *moments = t->moments;
    if (cells <= t->cell_capacity) return cudaSuccess;
    if (cells > MAX_CELLS) return cudaErrorMemoryAllocation;
    buffer larger;
    if ((size_t)kept * sizeof *place <= unused * sizeof(double)) {
        double *const *a = s.store->f.a; /* instead of twice the memory */
        KOSHU_CUDA_TRY(move_array(t, &cell, a[0], kept));
        KOSHU_CUDA_TRY(move_array(t, &place, a[1], kept));
        KOSHU_CUDA_TRY(move_array(t, &moments, a[2], kept));
        KOSHU_CUDA_TRY(cudaStreamSynchronize(t->cuda->stream));
        KOSHU_CUDA_TRY(t->cuda->between_steps.release());
    }
    const size_t capacity = with_spare(cells) + spare_for_others(t, cells);
    KOSHU_CUDA_TRY(larger.reserve(capacity * CELL_BYTES));
    note_bytes(t, s.store, larger.bytes());
    larger.swap(t->cuda->between_steps);
    lay_out_cells(t);
    KOSHU_CUDA_TRY(copy_array(t, t->cell, cell, kept));
    KOSHU_CUDA_TRY(copy_array(t, t->place, place, kept));
    KOSHU_CUDA_TRY(copy_array(t, t->moments, moments, kept));
    return cudaStreamSynchronize(t->cuda->stream);
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
    r.before = r.bits + words_of_pass(r) + 1;
    r.base = base;
    r.cell = s.tree->cell;
    r.capacity = s.tree->cell_capacity;
    r.buckets = 1;
    return r;
}

/* ---- groups -------------------------------------------------------------- */

cudaError_t
reserve_groups(koshu_tree_engine *t, uint32_t groups)
{
    if (t->groups.has(groups * sizeof(tree_group))) return cudaSuccess;
    return t->groups.reserve(with_spare(groups) * sizeof(tree_group));
}

/* ---- all of it ----------------------------------------------------------- */

void
note_bytes(koshu_tree_engine *t, const koshu_cuda_store *store, size_t more)
{
    const buffer *const held[] = {&store->memory,
                                  &store->tag_memory,
                                  &store->lists,
                                  &store->packed,
                                  &t->cuda->between_steps,
                                  &t->temporary,
                                  &t->state,
                                  &t->groups,
                                  &t->ranges,
                                  &t->buckets,
                                  &t->bucket_offsets,
                                  &t->bucket_extents,
                                  &t->walk.stacks,
                                  &t->walk.next,
                                  &t->walk.partial,
                                  &t->walk.arrived,
                                  &t->sample};
    size_t bytes = more;
    if (const rank_step *r = t->rank_step)
        bytes += r->come.bytes() + r->go.bytes() + r->bounds.bytes() +
                 r->roots.bytes();
    for (const buffer *b : held) bytes += b->bytes();
    t->max_bytes = std::max(t->max_bytes, bytes);
}

/* Levels of the tree, including the end of the last one. */
static unsigned
count_levels(const tree_state &seen)
{
    unsigned levels = 2;
    for (int k = 0; k < TREE_LEVELS; k++)
        levels += seen.level[k + 1] > seen.level[k];
    return levels;
}

/* CUB's sort takes 1 KiB per 4224 keys. For few particles the stacks of the
 * walk exceed the limit. */
bool
takes_too_much(const tree_step &s)
{
    const size_t many = 1 << 20;
    if (s.n < many) return false;
    const koshu_tree_engine *t = s.tree;
    const size_t cells = t->seen->level[TREE_LEVELS];
    const size_t particle = STORE_ARRAYS * sizeof(double) +
                            sizeof(particle_tag); /* not more that the store has
                                                   * reserved */
    const size_t bytes =
            s.n * particle + s.n / 4 + with_spare(cells) * CELL_BYTES +
            with_spare(t->seen->groups) * sizeof(tree_group) +
            walk_bytes(s.cuda, stack_capacity(count_levels(*t->seen)));
    return bytes > (size_t)TREE_BYTES * s.n;
}

} /* namespace koshu */
