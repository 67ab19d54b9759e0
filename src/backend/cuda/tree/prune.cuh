/* SPDX-License-Identifier: MIT */
/*
 * Finds the part of a tree that groups in given bounds need. A cell is opened
 * if it would be for any of the bounds, by the criterion of the walk. Each
 * group lies in one of the bounds, and has no larger factor, so its walk never
 * needs a cell that was not sent. Rounding of a group's distances does not
 * matter: cells that act as a whole on all bounds are marked so (ALWAYS_WHOLE).
 * In a periodic box this holds for all images if it does for the nearest.
 *
 * Level by level, each opened cell marks its children. The marked cells are
 * then numbered in their order, so that the children of a cell are contiguous
 * again.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_PRUNE_CUH
#define KOSHU_BACKEND_CUDA_TREE_PRUNE_CUH

#include "backend/cuda/tree/walk.cuh"
#include "backend/tree_parts.h"
#include "kernels/box_distance.h"

namespace koshu {

/* What is sent of a cell. */
enum cell_fate : uint32_t {
    CELL_LEFT_OUT,
    CELL_WHOLE,          /* the cell, which will not be opened */
    CELL_WITH_PARTICLES, /* the cell and its particles */
    CELL_WITH_CHILDREN
};

struct prune_args {
    tree_view view;
    double nearest; /* no cell of nonzero size acts as a whole within this
                     * distance */
    double edge;    /* of a periodic box; 0: none */
    uint32_t few;   /* cells of up to this many particles are never taken as a
                     * whole */
    uint32_t *fate; /* of each cell, and one more after the last,
                     * CELL_LEFT_OUT */
};

/* Do groups in these bounds open the cell? */
KOSHU_HD bool
opens(const koshu_tree_bounds &b, const tree_place &p, double nearest,
      double edge)
{
    const double x[3] = {p.x, p.y, p.z};
    const float asked = fmaxf(p.reach, p.strength * (float)b.factor);
    const double reach = asked > 0 ? fmax((double)asked, nearest) : 0;
    const double d2 = koshu_box_distance2(x, b.low, b.high, edge);
    return !(d2 >= reach * reach);
}

KOSHU_HD cell_fate
fate_of(const prune_args &s, const tree_cell &cell, bool near)
{
    if (cell.n <= s.few) return CELL_WITH_PARTICLES;
    if (!near) return CELL_WHOLE;
    return cell.children == 0 ? CELL_WITH_PARTICLES : CELL_WITH_CHILDREN;
}

/* ---- numbers ------------------------------------------------------------- */

/* Counts of cells and particles in one number, so that one scan sums both. */
KOSHU_HD uint64_t
counts_of(uint32_t fate, uint32_t n)
{
    const uint32_t particles = fate == CELL_WITH_PARTICLES ? n : 0;
    return (uint64_t)(fate != CELL_LEFT_OUT) << 32 | particles;
}

KOSHU_HD uint32_t
cells_in(uint64_t counts)
{
    return (uint32_t)(counts >> 32);
}

KOSHU_HD uint32_t
particles_in(uint64_t counts)
{
    return (uint32_t)counts;
}

/* ---- parts --------------------------------------------------------------- */

/* Cells of one or several parts, and their particles. */
struct part_arrays {
    tree_place *place;
    tree_moments *moments;
    tree_cell *cell;
    double *x[4]; /* x y z mass */
};

enum {
    PART_CELL_BYTES =
            sizeof(tree_cell) + sizeof(tree_place) + sizeof(tree_moments),
    PART_PARTICLE_BYTES = 4 * sizeof(double)
};

/* Places the arrays for this many cells and particles in memory. */
KOSHU_HD part_arrays
lay_out_parts(void *memory, size_t cells, size_t particles)
{
    part_arrays a;
    a.place = static_cast<tree_place *>(memory);
    a.moments = reinterpret_cast<tree_moments *>(a.place + cells);
    a.cell = reinterpret_cast<tree_cell *>(a.moments + cells);
    a.x[0] = reinterpret_cast<double *>(a.cell + cells);
    for (int k = 1; k < 4; k++) a.x[k] = a.x[k - 1] + particles;
    return a;
}

/* The arrays from a cell and a particle on. */
KOSHU_HD part_arrays
parts_from(part_arrays a, size_t cell, size_t particle)
{
    a.place += cell;
    a.moments += cell;
    a.cell += cell;
    for (double *&x : a.x) x += particle;
    return a;
}

static inline size_t
bytes_of_parts(size_t cells, size_t particles)
{
    return cells * PART_CELL_BYTES + particles * PART_PARTICLE_BYTES;
}

struct part_args {
    tree_view view;
    const uint32_t *fate;
    const uint64_t *before; /* counts before each cell, and the total */
    part_arrays to;
    uint32_t cells, particles;           /* for which there is memory */
    uint32_t first_cell, first_particle; /* their numbers in the receiver's
                                          * tree */
};

KOSHU_HD bool
fits(const part_args &s)
{
    const uint64_t all = s.before[s.view.n_cells];
    return cells_in(all) <= s.cells && particles_in(all) <= s.particles;
}

/* The cell as it is in the part. */
KOSHU_HD tree_cell
cell_in_part(const part_args &s, uint32_t number)
{
    const tree_cell cell = s.view.cell[number];
    switch (s.fate[number]) {
    case CELL_WITH_PARTICLES:
        return {s.first_particle + particles_in(s.before[number]), cell.n, 0,
                0};
    case CELL_WITH_CHILDREN:
        return {0, cell.n, s.first_cell + cells_in(s.before[cell.child]),
                cell.children};
    default: return {0, cell.n, 0, ALWAYS_WHOLE};
    }
}

} /* namespace koshu */

#endif
