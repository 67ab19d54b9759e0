/* SPDX-License-Identifier: MIT */
/*
 * An octree over particles, and the interaction lists of Barnes' modified
 * algorithm (Barnes 1990; Hamada09 section 2.1).
 *
 *     keys -> sort -> build -> moments -> groups -> one walk per group
 *
 * The tree keeps copies of the particles in the order of a space-filling curve,
 * so that the particles of each cell are a contiguous range. A cell is divided
 * into octants until it has at most n_leaf particles. Cells are stored level by
 * level, and the children of a cell are contiguous. A group is a range of at
 * most n_crit particles with their bounding box; one walk of the tree serves
 * the whole group.
 *
 * Results do not depend on the number of threads: moments are the same bit for
 * bit, and lists have the same order.
 */
#ifndef KOSHU_TREE_TREE_H
#define KOSHU_TREE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/status.h>
#include <koshu/tree.h>

#include "kernels/curve.h"
#include "kernels/float_range.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- keys.c -------------------------------------------------------------- */

/* The bounding box of particles. */
struct koshu_tree_extent {
    double low[3], high[3];
};

/* n >= 1. Status: KOSHU_ERROR_NOT_FINITE (a coordinate is infinite or NaN). */
koshu_status koshu_tree_extent_of(size_t n, const double *x, const double *y,
                                  const double *z, int threads,
                                  struct koshu_tree_extent *extent);

/* The smallest cube that holds the particles; its corner has their smallest
 * coordinates. */
struct koshu_tree_box {
    double corner[3], side;
};

/* n >= 1. Status: KOSHU_ERROR_NOT_FINITE, without a message (a position is
 * infinite or NaN, or the side overflows a double). */
koshu_status koshu_tree_box_of(size_t n, const double *x, const double *y,
                               const double *z, int threads,
                               struct koshu_tree_box *box);

/* Keys along the curve: three bits per level, the octant's number along the
 * curve, with the top level in the highest bits. In a box of no extent all keys
 * are 0. */
void koshu_tree_keys(const struct koshu_tree_box *box,
                     enum koshu_space_filling_curve curve, size_t n,
                     const double *x, const double *y, const double *z,
                     int threads, uint64_t *key);

/* ---- units.c ------------------------------------------------------------- */

/* The tree's units of length and mass, in the caller's units: powers of two. */
struct koshu_tree_units {
    double length, mass;
};

/* Finds units in which the lists of this range, and their sums, fit floats.
 * all: exponent (base 2) of the total mass, or of a bound above it. Returns
 * false if there are none. */
bool koshu_tree_units_in(const struct koshu_float_range *range, int all,
                         struct koshu_tree_units *units);

/* Largest mass, and smallest nonzero mass (infinite if there is none), by
 * absolute value. */
struct koshu_tree_masses {
    double largest, least;
    bool finite;
};

struct koshu_tree_masses
koshu_tree_masses_of(size_t n, const double *mass, int threads);

/* Units for n such masses in a box of this side: 1 and 1, unless the caller's
 * numbers are far out of a float's range. Status, without a message:
 * KOSHU_ERROR_NOT_FINITE (a mass is infinite or NaN), KOSHU_ERROR_UNSUPPORTED
 * (no units fit). */
koshu_status koshu_tree_units_of(double side, double eps, uint64_t n,
                                 const struct koshu_tree_masses *masses,
                                 struct koshu_tree_units *units);

/* The remedy that error messages give if no units fit. */
#define KOSHU_TREE_NO_UNITS                                               \
    "floats hold no such range; take solver.method: direct with "         \
    "precision: double, or a softening nearer to the size of the system " \
    "and masses nearer to each other"

/* ---- the tree ------------------------------------------------------------ */

struct koshu_cell {
    uint32_t first, n; /* its particles, in the order of the tree */
    uint32_t child;    /* its first child */
    uint32_t children; /* 0: a leaf */
};

/* What a walk reads of a cell. The arrays are KOSHU_CHILDREN longer than the
 * number of cells, so that all children of any cell can be loaded at once. */
enum { KOSHU_CHILDREN = 8 };
struct koshu_cell_places {
    double *x, *y, *z; /* centre of mass */
    double *reach2;    /* a group nearer than the root of this opens the cell */
    double *strength2; /* (M l^p)^(2/(p + 2)); see koshu_tree_walk() */
};

/* As in kernels/quadrupole.h, about the centre of mass. */
struct koshu_cell_moments {
    float mass, xx, xy, xz, yy, yz, zz, half_trace;
};

/* Periodic images of all particles, which act on a group like the particles
 * themselves. In the caller's units; the caller owns the memory. */
struct koshu_tree_images {
    size_t n;                 /* shift[0] = 0: the particles themselves; */
    const double (*shift)[3]; /* 0: not periodic */
    double edge;              /* of one box */
    double extent;            /* of all images, from side to side */
};

struct koshu_cell_sums;

struct koshu_tree {
    struct koshu_context *context;
    struct koshu_tree_options options;
    /* Cells with at most this many particles are never taken as a whole. 0
     * selects 1, or 2 if cells have quadrupole moments, which cost as much as
     * two particles. */
    uint32_t few;
    /* True: the tree chooses its own units if sums with this softening need
     * them, and the caller converts results. */
    bool own_units;
    double eps;                    /* in the caller's units */
    struct koshu_tree_units units; /* the caller's, if not own; 0: 1, 1 */
    /* The box of the root cell, if this is one of the trees of several ranks,
     * whose domains end at faces of cells. side 0: the box of the particles. */
    struct koshu_tree_box root;
    struct koshu_tree_images images;

    /* Particles in the order of their keys; order[k] is the index of the
     * k-th. */
    size_t n, capacity;
    uint64_t *key, *key_other;
    uint32_t *order, *order_other, *spare;
    double *x, *y, *z, *mass;

    /* cell[0] is the root; level k is level[k] ... level[k + 1] - 1 */
    size_t n_cells;
    struct koshu_cell *cell;
    struct koshu_cell_moments *moments;
    struct koshu_cell_places place;
    size_t n_levels;
    size_t *level;
    struct koshu_cell_sums *sums;   /* while moments are computed */
    struct koshu_cell_split *split; /* while a level is divided */
    size_t capacity_cell, capacity_moments, capacity_place, capacity_level,
            capacity_sums, capacity_split;
};

/* Time of the stages of one build. */
struct koshu_tree_seconds {
    double keys, sort, build, moments;
};

/* Default number of particles per leaf. */
enum { KOSHU_N_LEAF = 8 };

/* The relative criterion never accepts a cell nearer than l over this. */
#define KOSHU_LARGEST_THETA 1.25

/* Builds the tree with the context's threads. tree: {0} before the first call,
 * except for context and options. Status: KOSHU_ERROR_NOT_FINITE (names the
 * particle), KOSHU_ERROR_UNSUPPORTED (2^32 particles or more, or numbers that
 * fit floats in no units), KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_make(struct koshu_tree *tree, size_t n, const double *x,
                             const double *y, const double *z,
                             const double *mass,
                             struct koshu_tree_seconds *seconds);
/* The same without moments. mass may be NULL. */
koshu_status koshu_tree_cut(struct koshu_tree *tree, size_t n, const double *x,
                            const double *y, const double *z,
                            const double *mass,
                            struct koshu_tree_seconds *seconds);
void koshu_tree_free(struct koshu_tree *tree);

/* Status: KOSHU_ERROR_UNSUPPORTED (more particles than a tree can have on one
 * `where`, which is "rank" or "device"). */
koshu_status koshu_tree_check_size(struct koshu_context *context, size_t n,
                                   const char *where);

/* Reports the particle because of which koshu_tree_box_of() failed. Status:
 * KOSHU_ERROR_NOT_FINITE. */
koshu_status koshu_tree_name_culprit(struct koshu_context *context, size_t n,
                                     const double *x, const double *y,
                                     const double *z);

/* Returns the status of koshu_tree_units_of(), with a message. */
koshu_status koshu_tree_name_units(struct koshu_context *context,
                                   koshu_status status, size_t n,
                                   const double *mass, double side, double eps);

/* Makes cells over the sorted particles, without moments. */
koshu_status koshu_tree_build(struct koshu_tree *tree);

/* Computes centres of mass, moments and opening distances. */
koshu_status koshu_tree_moments(struct koshu_tree *tree);
/* Allocates their arrays. Status: KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_reserve_moments(struct koshu_tree *tree);

/* koshu_tree_few(): cells with at most this many particles are never taken as a
 * whole. koshu_tree_factor2(): what the relative criterion multiplies strength2
 * by for an acceleration a, (alpha a)^(-2/(p + 2)); 0 for the geometric
 * criterion. */
uint32_t koshu_tree_few(const struct koshu_tree *tree);
double koshu_tree_factor2(const struct koshu_tree *tree, double a);

/* ---- groups.c ------------------------------------------------------------ */

struct koshu_group {
    uint32_t first, n;
    double x, y, z, half_x, half_y, half_z; /* their bounding box */
};

struct koshu_groups {
    size_t n, capacity_group;
    struct koshu_group *group;
    size_t largest; /* number of particles of the largest group */
};

/* Divides the tree's particles into groups of at most n_crit, in tree order. */
koshu_status koshu_groups_make(struct koshu_groups *groups,
                               const struct koshu_tree *tree, size_t n_crit);
void koshu_groups_free(struct koshu_groups *groups);

/* Particles first ... first + n - 1 with their bounding box. */
struct koshu_group
koshu_group_of(const struct koshu_tree *tree, uint32_t first, uint32_t n);

/* ---- walk.c -------------------------------------------------------------- */

/*
 * An interaction list: particles and cells relative to the middle of the group,
 * beginning with the group's own particles. Arrays are 64-byte aligned. The low
 * parts of positions are written only if they are requested (split).
 */
struct koshu_list {
    size_t n_j, n_cells;
    float *j[7];     /* x y z mass x_low y_low z_low */
    float *cell[11]; /* x y z mass xx xy xz yy yz zz half_trace */
    size_t capacity_j, capacity_cells;
    bool lent; /* the caller's memory, of any alignment, which a walk does not
                * grow: if it is too small, n_j and n_cells are set to what is
                * needed, and nothing is written */
};

/* Working memory of one thread; {0} before the first call. */
struct koshu_walker {
    struct koshu_list list;
    uint32_t *stack;
    struct koshu_range {
        uint32_t first, last;
    } * range;
    uint32_t *accepted;
    struct koshu_walk_found { /* totals up to and including each image */
        size_t ranges, cells;
    } * end;
    size_t capacity_stack, capacity_range, capacity_accepted, capacity_end;
    uint64_t cells_tested; /* since the walker was set to 0 */
};

/*
 * Makes the interaction list of a group. A cell is opened if the group's box is
 * nearer to the cell's centre of mass than
 *
 *     l / theta + delta           geometric (Barnes 1994)
 *     (M l^p / (alpha a))^(1/(p+2)), and nearer than l / 1.25 + delta, relative
 *
 * l is the longest side of the box that the cell's particles fill, delta the
 * distance of the centre of mass from the middle of that box, p the order of
 * the first moment left out (2: monopole, 3: quadrupole), and a the smallest
 * acceleration of the group's particles (for the relative criterion; 0 opens
 * all cells). In a periodic box the images are walked like the box itself, and
 * a cell longer than half of the box is always opened.
 *
 * Status: KOSHU_ERROR_OUT_OF_MEMORY, without a message; also if lent memory is
 * too small.
 */
koshu_status koshu_tree_walk(const struct koshu_tree *tree,
                             const struct koshu_group *group, double a,
                             bool split, struct koshu_walker *walker);
/* The same for a tree that does not contain the group's particles. */
koshu_status koshu_tree_walk_others(const struct koshu_tree *tree,
                                    const struct koshu_group *group, double a,
                                    bool split, struct koshu_walker *walker);
void koshu_walker_free(struct koshu_walker *walker);

/* A group's positions as a list has them: x y z, and if split low parts. */
void koshu_group_copy(const struct koshu_tree *tree,
                      const struct koshu_group *group, bool split,
                      float *const row[7]);

/* ---- barnes_hut.c -------------------------------------------------------- */

/*
 * The mean length of the lists, themselves included, of `sample` particles
 * evenly spread along the tree, by the original algorithm (Barnes & Hut 1986):
 * a walk for each in a tree down to single particles. `tree` need not be that:
 * the leaves that a walk opens are divided further. Its `few` must be 1; ax,
 * ay, az: accelerations for the relative criterion, in the particles' original
 * order. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_barnes_hut_length(const struct koshu_tree *tree,
                                     size_t sample, const double *ax,
                                     const double *ay, const double *az,
                                     double *length);

/* ---- essential.c: what trees of other ranks need ------------------------- */

/* A box that holds groups of a tree, and their smallest acceleration. */
struct koshu_tree_target {
    double low[3], high[3], a;
};

/* A tree is covered with boxes of cells that have at most 1/CUTS of its
 * particles; TARGETS is the largest number of boxes. */
enum { KOSHU_TREE_CUTS = 32, KOSHU_TREE_TARGETS = 512 };

/* The boxes that cover all groups of a tree; group k walks with the
 * acceleration a[k]. Returns their number. */
size_t koshu_tree_targets(const struct koshu_tree *tree,
                          const struct koshu_groups *groups, const double *a,
                          struct koshu_tree_target target[KOSHU_TREE_TARGETS]);

/* A cell like struct koshu_cell, with what a walk reads of it. A cell without
 * children that has more than `few` particles acts as a whole. */
struct koshu_essential_cell {
    double x[3], reach2, strength2;
    struct koshu_cell_moments moments;
    uint32_t child, children, first, n;
};

struct koshu_essential_particle {
    double x[3], mass;
};

/* The essential tree; cell[0] is the root. {0} before the first call. */
struct koshu_essential {
    size_t n_cells, n_particles;
    struct koshu_essential_cell *cell;
    struct koshu_essential_particle *particle;
    size_t capacity_cell, capacity_particle;
};

/* The part of a tree that walks of groups in any of the n boxes may read.
 * Groups are walked with the criterion and the images of this tree. Status:
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_essential_make(const struct koshu_tree *tree,
                                  const struct koshu_tree_target *target,
                                  size_t n, struct koshu_essential *essential);
void koshu_essential_free(struct koshu_essential *essential);

/* ---- forest.c: trees of others as one ------------------------------------ */

/* Walked by koshu_tree_walk_others(). {0} before the first call. */
struct koshu_forest {
    struct koshu_tree tree;
    size_t root; /* index of the next tree's root */
};

/* Prepares a forest of n_trees trees with this many cells and particles in
 * total, made with the options of `like`. Status: KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED (2^32 cells or particles, or more). */
koshu_status koshu_forest_begin(struct koshu_forest *forest,
                                const struct koshu_tree *like, size_t n_trees,
                                size_t cells, size_t particles);
/* Adds the next tree, which must not be empty. */
void koshu_forest_add(struct koshu_forest *forest,
                      const struct koshu_essential *essential);
void koshu_forest_free(struct koshu_forest *forest);

#ifdef __cplusplus
}
#endif

#endif
