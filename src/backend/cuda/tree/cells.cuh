/* SPDX-License-Identifier: MIT */
/*
 * The data of a tree on the device, which its build writes and its walk reads.
 *
 * Particles are in the order of the tree, in the store's own arrays, so that
 * sums need not be reordered. Cell 0 is the root; the children of a cell are
 * contiguous, and come after it. Their other position does not matter: the
 * order of a list follows from the order of children.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_CELLS_CUH
#define KOSHU_BACKEND_CUDA_TREE_CELLS_CUH

#include <cstddef>
#include <cstdint>

namespace koshu {

/* Limits cell indices, so that a walk can pack up to 8 siblings in a word. */
constexpr uint32_t MAX_CELLS = 1u << 29;

/* What a tree stores of each particle: 8 bytes that move with it. */
struct particle_tag {
    uint32_t origin; /* its index on the host */
    float a;         /* |a| of the last step, for the relative criterion */
};

struct alignas(16) tree_cell {
    uint32_t first, n; /* its particles */
    uint32_t child;    /* its first child */
    uint32_t children; /* 0: a leaf; 2 ... 8 */
};

/*
 * What a walk reads of a cell. A cell nearer to a group's box than
 *
 *     max(reach, strength * group.factor)
 *
 * is opened. These are square roots of the quantities of koshu_tree_walk() in
 * tree/tree.h.
 */
struct alignas(32) tree_place {
    double x, y, z; /* centre of mass */
    float reach;    /* l / theta + delta, rounded up */
    float strength; /* (M l^p)^(1/(p+2)); 0: the geometric criterion */
};

/* As in kernels/quadrupole.h, about the centre of mass, in units of the walk
 * (walk.cuh): in arbitrary units powers might overflow a float. */
struct alignas(32) tree_moments {
    float mass, xx, xy, xz, yy, yz, zz, half_trace;
};

/* Particles with a common walk, and their bounding box. */
struct alignas(16) tree_group {
    double x, y, z;               /* the middle of the box */
    float half_x, half_y, half_z; /* half its sides, rounded up */
    /* (alpha a)^(-1/(p+2)), for the smallest |a| of the last step; 0: the
     * geometric criterion; infinite: opens all cells that have a size */
    float factor;
    uint32_t first, n; /* at most n_crit */
};

struct tree_view {
    size_t n;
    const double *x, *y, *z, *mass;
    uint32_t n_cells, n_groups;
    const tree_cell *cell;
    const tree_place *place;
    const tree_moments *moments;
    const tree_group *group; /* in tree order; each particle is in one group */
};

/* Totals of all walks. */
struct tree_counts {
    unsigned long long interactions; /* of particles with particles or cells */
    unsigned long long with_cells;   /* those with cells */
    unsigned long long cells_tested; /* cells tested */
    unsigned long long lost;         /* nonzero: a sum is infinite or NaN */
};

static_assert(sizeof(tree_cell) == 16 && sizeof(tree_place) == 32 &&
                      sizeof(tree_moments) == 32 && sizeof(tree_group) == 48,
              "loads of 16 bytes");

} /* namespace koshu */

#endif
