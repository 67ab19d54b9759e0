/* SPDX-License-Identifier: MIT */
/*
 * Sums the walks of one call with two batches on the device: one is filled
 * while the other is copied and summed.
 */
#include <string.h>

#include "backend/cuda/cuda.h"
#include "base/base.h"

static const struct koshu_walk_memory_ops *const ops = &koshu_cuda_walk_memory;

/* Walks first ... last - 1. */
struct span {
    size_t first, last;
};

static struct koshu_walk_capacity
capacity_of(const struct koshu_walks *a, struct span s)
{
    return (struct koshu_walk_capacity){
            .walks = s.last - s.first,
            .i = a->i_offset[s.last] - a->i_offset[s.first],
            .j = a->j_offset[s.last] - a->j_offset[s.first],
            .cells = a->cell_offset[s.last] - a->cell_offset[s.first]};
}

static size_t
bytes_of(const struct koshu_walk_capacity *capacity)
{
    return 24 * capacity->walks + 60 * capacity->i + 28 * capacity->j +
           44 * capacity->cells;
}

/* The walks from `first` on that fit into `max_bytes` bytes; at least one. */
static struct span
next_span(const struct koshu_walks *a, size_t n, size_t first, size_t max_bytes)
{
    struct span s = {first, first + 1};
    while (s.last < n) {
        const struct koshu_walk_capacity capacity =
                capacity_of(a, (struct span){first, s.last + 1});
        if (bytes_of(&capacity) > max_bytes) break;
        s.last++;
    }
    return s;
}

/* Makes the backend's batch k have this capacity. */
static koshu_status
reserve(struct koshu_cuda_backend *b, int k,
        struct koshu_walk_capacity capacity, bool split)
{
    struct koshu_walk_memory **memory = &b->walk_memory[k];
    if (*memory) {
        const struct koshu_walk_capacity has = (*memory)->capacity;
        if (has.walks >= capacity.walks && has.i >= capacity.i &&
            has.j >= capacity.j && has.cells >= capacity.cells &&
            (*memory)->split == split)
            return KOSHU_OK;
        capacity = (struct koshu_walk_capacity){
                koshu_larger(has.walks, capacity.walks),
                koshu_larger(has.i, capacity.i),
                koshu_larger(has.j, capacity.j),
                koshu_larger(has.cells, capacity.cells)};
        ops->destroy(*memory);
        *memory = NULL;
    }
    return ops->create(&b->base, &capacity, split, memory);
}

struct row {
    float *to;
    const float *from;
    size_t n;
};

/* Adds rows of n elements from `first` on. */
static size_t
add_rows(struct row *row, float *const *to, float *const *from, size_t rows,
         size_t first, size_t n)
{
    for (size_t r = 0; r < rows && n > 0; r++)
        row[r] = (struct row){to[r], from[r] + first, n};
    return n > 0 ? rows : 0;
}

static void
fill(struct koshu_walk_memory *m, const struct koshu_walks *a, struct span s)
{
    const struct koshu_walk_capacity n = capacity_of(a, s);
    const size_t i = a->i_offset[s.first], j = a->j_offset[s.first],
                 cell = a->cell_offset[s.first];
    const size_t points = m->split ? KOSHU_WALK_SPLIT : KOSHU_WALK_POINT;
    struct row row[2 * KOSHU_WALK_SPLIT + KOSHU_WALK_CELL];
    for (size_t k = 0; k <= n.walks; k++) {
        m->at.i_offset[k] = a->i_offset[s.first + k] - i;
        m->at.j_offset[k] = a->j_offset[s.first + k] - j;
        m->at.cell_offset[k] = a->cell_offset[s.first + k] - cell;
    }
    size_t rows = add_rows(row, m->at.i, a->i, points, i, n.i);
    rows += add_rows(row + rows, m->at.j, a->j, points, j, n.j);
    rows += add_rows(row + rows, m->at.cell, a->cell, KOSHU_WALK_CELL, cell,
                     n.cells);
    const int threads =
            koshu_region_threads(m->context, bytes_of(&n) > 1 << 20);
#pragma omp parallel for num_threads(threads)
    for (size_t r = 0; r < rows; r++)
        memcpy(row[r].to, row[r].from, row[r].n * sizeof(float));
}

/* Waits for started walks, and copies their results. */
static koshu_status
collect(struct koshu_walk_memory *m, const struct koshu_walk_task *task,
        const struct koshu_walks *a, struct span s)
{
    const struct koshu_walk_capacity n = capacity_of(a, s);
    struct koshu_walk_times times;
    KOSHU_TRY(ops->wait(m, &times));
    for (int c = 0; c < 3 + task->potential && n.i > 0; c++)
        memcpy(a->result[c] + a->i_offset[s.first], m->at.result[c],
               n.i * sizeof(double));
    return KOSHU_OK;
}

koshu_status
koshu_cuda_walks(struct koshu_backend *backend,
                 const struct koshu_walk_task *task, size_t n_walks,
                 const struct koshu_walks *walks)
{
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    const size_t max_bytes = ops->bytes(backend) / 8;
    struct koshu_walk_task all = *task;
    struct span before = {0, 0};
    all.n_concurrent = n_walks;
    KOSHU_TRY(ops->start_clock(backend));
    for (int turn = 0; before.last < n_walks; turn = !turn) {
        const struct span s = next_span(walks, n_walks, before.last, max_bytes);
        KOSHU_TRY(reserve(b, turn, capacity_of(walks, s), task->split));
        fill(b->walk_memory[turn], walks, s);
        KOSHU_TRY(ops->start(b->walk_memory[turn], &all, s.last - s.first));
        if (before.last > 0)
            KOSHU_TRY(collect(b->walk_memory[!turn], task, walks, before));
        before = s;
        if (s.last == n_walks)
            KOSHU_TRY(collect(b->walk_memory[turn], task, walks, s));
    }
    return KOSHU_OK;
}
