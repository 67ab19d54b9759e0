/* SPDX-License-Identifier: MIT */
/* Interaction lists: each walk of a batch to a kernel. */
#include "backend/simd/simd.h"

/* Rows from an element on. */
static void
rows_from(const float **to, float *const *row, size_t rows, size_t first)
{
    for (size_t r = 0; r < rows; r++) to[r] = row[r] + first;
}

static struct simd_walk
walk_of(const struct koshu_walk_task *task, const struct koshu_walks *a,
        size_t w)
{
    const size_t i = a->i_offset[w], j = a->j_offset[w], c = a->cell_offset[w];
    const size_t rows = task->split ? KOSHU_WALK_SPLIT : KOSHU_WALK_POINT;
    struct simd_walk walk = {.n_i = a->i_offset[w + 1] - i,
                             .n_j = a->j_offset[w + 1] - j,
                             .n_cells = a->cell_offset[w + 1] - c,
                             .own = task->own};
    rows_from(walk.i, a->i, rows, i);
    if (walk.n_j > 0) rows_from(walk.j, a->j, rows, j);
    if (walk.n_cells > 0) rows_from(walk.cell, a->cell, KOSHU_WALK_CELL, c);
    for (int k = 0; k < 3 + task->potential; k++)
        walk.result[k] = a->result[k] + i;
    return walk;
}

koshu_status
koshu_simd_walks(struct koshu_backend *backend,
                 const struct koshu_walk_task *task, size_t n_walks,
                 const struct koshu_walks *walks)
{
    const struct simd_isa *isa = ((struct simd_backend *)backend)->isa;
    simd_walk_kernel *kernel = isa->walk(task);
    for (size_t w = 0; w < n_walks; w++) {
        const struct simd_walk walk = walk_of(task, walks, w);
        kernel(&walk);
    }
    return KOSHU_OK;
}
