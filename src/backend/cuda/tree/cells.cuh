/* SPDX-License-Identifier: MIT */
/*
 * A tree as it lies on the device: what its build fills and its walk reads.
 *
 * Particles are in the order of the tree, in the store's own arrays: sums are
 * written where they belong. Cell 0 is the root; the children of a cell lie
 * side by side, behind it. Where they lie else is no matter: the order of a
 * list comes from that of the children.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_CELLS_CUH
#define KOSHU_BACKEND_CUDA_TREE_CELLS_CUH

#include <cstddef>
#include <cstdint>

namespace koshu {

/* So that the walk has a word for up to 8 of them. */
constexpr uint32_t MAX_CELLS = 1u << 29;

/* What a tree knows of a particle: 8 bytes, that move with it. */
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
 * What a walk asks of a cell. One that is nearer to a group's box than
 *
 *     max(reach, strength * group.factor)
 *
 * is opened; see koshu_tree_walk() in tree/tree.h, whose root these are.
 */
struct alignas(32) tree_place {
    double x, y, z; /* centre of mass */
    float reach;    /* l / theta + delta, rounded up */
    float strength; /* (M l^p)^(1/(p+2)); 0: the geometric criterion */
};

/* As kernels/quadrupole.h has them, about the centre of mass, in units of the
 * walk (walk.cuh): powers of floats of any size would not be floats. */
struct alignas(32) tree_moments {
    float mass, xx, xy, xz, yy, yz, zz, half_trace;
};

/* Particles that walk together, and the box that they fill. */
struct alignas(16) tree_group {
    double x, y, z;               /* its middle */
    float half_x, half_y, half_z; /* of its sides, rounded up */
    float factor; /* (alpha a)^(-1/(p+2)), of the smallest a of the last step;
                     0: the geometric criterion; infinite: opens all cells of
                     some size */
    uint32_t first, n; /* its particles: at most n_crit */
};

struct tree_view {
    size_t n;
    const double *x, *y, *z, *mass;
    uint32_t n_cells, n_groups;
    const tree_cell *cell;
    const tree_place *place;
    const tree_moments *moments;
    const tree_group *group; /* in the order of the tree: all particles once */
};

/* What walks have counted. */
struct tree_counts {
    unsigned long long interactions; /* of particles with particles or cells */
    unsigned long long with_cells;   /* those of them with cells */
    unsigned long long cells_tested; /* cells tested */
    unsigned long long lost;         /* not 0: a sum is infinite or NaN */
};

static_assert(sizeof(tree_cell) == 16 && sizeof(tree_place) == 32 &&
                      sizeof(tree_moments) == 32 && sizeof(tree_group) == 48,
              "loads of 16 bytes");

} /* namespace koshu */

#endif
