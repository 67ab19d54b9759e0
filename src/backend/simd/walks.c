/* SPDX-License-Identifier: MIT */
/* Interaction lists: each walk of a batch to a kernel. */
#include "backend/simd/simd.h"

static struct koshu_walk_points
points_from(const struct koshu_walk_points *p, size_t first)
{
    struct koshu_walk_points q = {p->x + first, p->y + first, p->z + first,
                                  NULL,         NULL,         NULL};
    if (!p->x_low) return q;
    q.x_low = p->x_low + first;
    q.y_low = p->y_low + first;
    q.z_low = p->z_low + first;
    return q;
}

static struct koshu_walk_cells
cells_from(const struct koshu_walk_cells *c, size_t first)
{
    return (struct koshu_walk_cells){
            c->x + first,  c->y + first,  c->z + first,         c->mass + first,
            c->xx + first, c->xy + first, c->xz + first,        c->yy + first,
            c->yz + first, c->zz + first, c->half_trace + first};
}

static struct simd_walk
walk_of(const struct koshu_walk_task *task, const struct koshu_walk_batch *b,
        size_t w)
{
    const size_t i = b->i_offset[w], j = b->j_offset[w], c = b->cell_offset[w];
    struct simd_walk walk = {
            .n_i = b->i_offset[w + 1] - i,
            .n_j = b->j_offset[w + 1] - j,
            .n_cells = b->cell_offset[w + 1] - c,
            .i = points_from(&b->i, i),
            .eps2 = b->eps2 + i,
            .own = b->own,
            .result = {b->result.ax + i, b->result.ay + i, b->result.az + i,
                       task->potential ? b->result.potential + i : NULL},
    };
    if (walk.n_j > 0) {
        walk.j = points_from(&b->j, j);
        walk.j_mass = b->j_mass + j;
    }
    if (walk.n_cells > 0) walk.cells = cells_from(&b->cells, c);
    return walk;
}

koshu_status
koshu_simd_walks(struct koshu_backend *backend,
                 const struct koshu_walk_task *task,
                 const struct koshu_walk_batch *batch)
{
    const struct simd_isa *isa = ((struct simd_backend *)backend)->isa;
    simd_walk_kernel *kernel = isa->walk(task, batch->i.x_low != NULL);
    for (size_t w = 0; w < batch->n_walks; w++) {
        const struct simd_walk walk = walk_of(task, batch, w);
        kernel(&walk);
    }
    return KOSHU_OK;
}
