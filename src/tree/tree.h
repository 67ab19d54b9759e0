/* SPDX-License-Identifier: MIT */
/*
 * An octree over particles, and the interaction lists of Barnes' modified
 * algorithm (Barnes 1990; Hamada09 section 2.1).
 *
 *     keys -> sort -> build -> moments -> groups -> a walk for each group
 *
 * Particles are copied in the order of a space-filling curve, so that each
 * cell's particles are a range. A cell is cut into its octants until it has at
 * most n_leaf particles; cells are kept level by level, the children of a cell
 * side by side. A group is a range of at most n_crit particles, with the box
 * that they fill; it walks the tree once for all of them.
 *
 * Nothing here depends on the number of threads: not a bit of a moment, and
 * not the order of a list.
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

/* Of the coordinates of particles. */
struct koshu_tree_extent {
    double low[3], high[3];
};

/* KOSHU_ERROR_NOT_FINITE, as of their box. n >= 1. */
koshu_status koshu_tree_extent_of(size_t n, const double *x, const double *y,
                                  const double *z, int threads,
                                  struct koshu_tree_extent *extent);

/* The smallest cube that holds particles: it begins at the corner of their
 * smallest coordinates. */
struct koshu_tree_box {
    double corner[3], side;
};

/* KOSHU_ERROR_NOT_FINITE, without a message: a position is infinite or NaN, or
 * further away than a double can tell. n >= 1. */
koshu_status koshu_tree_box_of(size_t n, const double *x, const double *y,
                               const double *z, int threads,
                               struct koshu_tree_box *box);

/* Three bits for each level, from the top: the number of the octant along the
 * curve. In a box without extent all keys are 0. */
void koshu_tree_keys(const struct koshu_tree_box *box,
                     enum koshu_space_filling_curve curve, size_t n,
                     const double *x, const double *y, const double *z,
                     int threads, uint64_t *key);

/* ---- units.c ------------------------------------------------------------- */

/* What a tree counts lengths and masses in, in the caller's units: powers of
 * two. */
struct koshu_tree_units {
    double length, mass;
};

/* Those in which floats hold lists of this range, and their sums; all: of all
 * masses, or more, its power of two. false: there are none. */
bool koshu_tree_units_in(const struct koshu_float_range *range, int all,
                         struct koshu_tree_units *units);

/* What is to be known of masses: the largest, the least that is not 0, else
 * infinite. */
struct koshu_tree_masses {
    double largest, least;
    bool finite;
};

struct koshu_tree_masses
koshu_tree_masses_of(size_t n, const double *mass, int threads);

/* Units for n such masses in a box of this side: 1 and 1, unless the caller's
 * are far off. Without a message KOSHU_ERROR_NOT_FINITE: a mass is infinite or
 * NaN; KOSHU_ERROR_UNSUPPORTED: there are none. */
koshu_status koshu_tree_units_of(double side, double eps, uint64_t n,
                                 const struct koshu_tree_masses *masses,
                                 struct koshu_tree_units *units);

/* What helps where there are none. */
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

/* What a walk asks of a cell; arrays go on for KOSHU_CHILDREN past the last, so
 * that all children of any cell can be read at once. */
enum { KOSHU_CHILDREN = 8 };
struct koshu_cell_places {
    double *x, *y, *z; /* centre of mass */
    double *reach2;    /* a group that is nearer than its root opens the cell */
    double *strength2; /* (M l^p)^(2/(p + 2)); see koshu_tree_walk() */
};

/* As kernels/quadrupole.h has them, about the centre of mass. */
struct koshu_cell_moments {
    float mass, xx, xy, xz, yy, yz, zz, half_trace;
};

/* Images of all particles, in a periodic box, that act on a group as they do
 * themselves. In the caller's units, and the caller's memory. */
struct koshu_tree_images {
    size_t n;                 /* and the particles themselves: shift[0] is 0; */
    const double (*shift)[3]; /* 0: no box */
    double edge;              /* of a box; */
    double extent;            /* of all boxes, from side to side */
};

struct koshu_cell_sums;

struct koshu_tree {
    struct koshu_context *context;
    struct koshu_tree_options options;
    /* Cells of so few particles are never taken as a whole; 0: of 2, with
     * moments, as these cost twice as much. */
    uint32_t few;
    /* Units of its own, where sums with this softening need them: the caller
     * takes them into account. */
    bool own_units;
    double eps;                    /* in the caller's units */
    struct koshu_tree_units units; /* else the caller's to set; 0: 1 and 1 */
    /* The root cell, where it is of the trees of several ranks, whose domains
     * end at faces of cells; side 0: the box of the particles. */
    struct koshu_tree_box root;
    struct koshu_tree_images images;

    /* Particles in the order of their keys; order[k]: which one is k-th. */
    size_t n, capacity;
    uint64_t *key, *key_other;
    uint32_t *order, *order_other, *spare;
    double *x, *y, *z, *mass;

    /* cell[0] is the root; those of level k are level[k] ... level[k + 1] - 1
     */
    size_t n_cells;
    struct koshu_cell *cell;
    struct koshu_cell_moments *moments;
    struct koshu_cell_places place;
    size_t n_levels;
    size_t *level;
    struct koshu_cell_sums *sums;   /* while moments are made */
    struct koshu_cell_split *split; /* while a level is cut */
    size_t capacity_cell, capacity_moments, capacity_place, capacity_level,
            capacity_sums, capacity_split;
};

/* Of one build. */
struct koshu_tree_seconds {
    double keys, sort, build, moments;
};

/* Particles of a leaf, where the options do not say. */
enum { KOSHU_N_LEAF = 8 };

/* Of the relative criterion: no cell is nearer than l over this. */
#define KOSHU_LARGEST_THETA 1.25

/* The context's threads do the work. Begun as {0} but for context and options;
 * KOSHU_ERROR_NOT_FINITE names the particle, KOSHU_ERROR_UNSUPPORTED: 2^32
 * particles or more, numbers that floats hold in no units;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_make(struct koshu_tree *tree, size_t n, const double *x,
                             const double *y, const double *z,
                             const double *mass,
                             struct koshu_tree_seconds *seconds);
/* The same without moments; mass may be NULL. */
koshu_status koshu_tree_cut(struct koshu_tree *tree, size_t n, const double *x,
                            const double *y, const double *z,
                            const double *mass,
                            struct koshu_tree_seconds *seconds);
void koshu_tree_free(struct koshu_tree *tree);

/* KOSHU_ERROR_UNSUPPORTED: more particles than a tree can have on one `where`,
 * "rank" or "device". */
koshu_status koshu_tree_check_size(struct koshu_context *context, size_t n,
                                   const char *where);

/* KOSHU_ERROR_NOT_FINITE, with which particle's fault it is that there is no
 * box. */
koshu_status koshu_tree_name_culprit(struct koshu_context *context, size_t n,
                                     const double *x, const double *y,
                                     const double *z);

/* The status of koshu_tree_units_of(), with its message. */
koshu_status koshu_tree_name_units(struct koshu_context *context,
                                   koshu_status status, size_t n,
                                   const double *mass, double side, double eps);

/* Cells over the sorted particles, without moments. */
koshu_status koshu_tree_build(struct koshu_tree *tree);

/* Centres of mass, moments, reach. */
koshu_status koshu_tree_moments(struct koshu_tree *tree);
/* Memory for these. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_tree_reserve_moments(struct koshu_tree *tree);

/* Cells of so few particles are never taken as a whole; and what the relative
 * criterion multiplies strength2 by, for an acceleration: (alpha a)^(-2/(p +
 * 2)), else 0. */
uint32_t koshu_tree_few(const struct koshu_tree *tree);
double koshu_tree_factor2(const struct koshu_tree *tree, double a);

/* ---- groups.c ------------------------------------------------------------ */

struct koshu_group {
    uint32_t first, n;
    double x, y, z, half_x, half_y, half_z; /* the box that they fill */
};

struct koshu_groups {
    size_t n, capacity_group;
    struct koshu_group *group;
    size_t largest; /* particles of the largest */
};

/* Groups of at most n_crit particles, in the order of the tree. */
koshu_status koshu_groups_make(struct koshu_groups *groups,
                               const struct koshu_tree *tree, size_t n_crit);
void koshu_groups_free(struct koshu_groups *groups);

/* The box of particles first ... first + n - 1. */
struct koshu_group
koshu_group_of(const struct koshu_tree *tree, uint32_t first, uint32_t n);

/* ---- walk.c -------------------------------------------------------------- */

/*
 * An interaction list: particles and cells relative to the middle of the
 * group, the group's own particles first. Arrays are 64-byte aligned. The low
 * parts are there where they were requested.
 */
struct koshu_list {
    size_t n_j, n_cells;
    float *j[7];     /* x y z mass x_low y_low z_low */
    float *cell[11]; /* x y z mass xx xy xz yy yz zz half_trace */
    size_t capacity_j, capacity_cells;
    bool lent; /* memory of the caller's, of any alignment, which a walk does
                  not grow: where it is too small, n_j and n_cells say how
                  much is needed, and nothing is written */
};

/* A thread's own memory. Begun as {0}. */
struct koshu_walker {
    struct koshu_list list;
    uint32_t *stack;
    struct koshu_range {
        uint32_t first, last;
    } * range;
    uint32_t *accepted;
    struct koshu_walk_found { /* of those of an image */
        size_t ranges, cells;
    } * end;
    size_t capacity_stack, capacity_range, capacity_accepted, capacity_end;
    uint64_t cells_tested; /* so far */
};

/*
 * The list of a group. A cell is opened where the group's box is nearer to its
 * centre of mass than
 *
 *     l / theta + delta           geometric (Barnes 1994)
 *     (M l^p / (alpha a))^(1/(p+2)), and nearer than l / 1.25 + delta, relative
 *
 * l is the longest side of the box that the cell's particles fill, delta the
 * distance of the centre of mass from its middle, p the order of the first
 * moment left out (2: monopole, 3: quadrupole), a the smallest acceleration of
 * the group's particles (for the relative criterion; 0 opens all cells). The
 * images of a box are walked as the box is; a cell longer than half of it is
 * always opened.
 * KOSHU_ERROR_OUT_OF_MEMORY, without a message; also where memory that is lent
 * has not enough room.
 */
koshu_status koshu_tree_walk(const struct koshu_tree *tree,
                             const struct koshu_group *group, double a,
                             bool split, struct koshu_walker *walker);
/* The same of a tree that does not have the group's particles. */
koshu_status koshu_tree_walk_others(const struct koshu_tree *tree,
                                    const struct koshu_group *group, double a,
                                    bool split, struct koshu_walker *walker);
void koshu_walker_free(struct koshu_walker *walker);

/* Positions of a group's particles, as a list has them: x y z - x_low y_low
 * z_low; the low parts where they are requested. */
void koshu_group_copy(const struct koshu_tree *tree,
                      const struct koshu_group *group, bool split,
                      float *const row[7]);

/* ---- essential.c: what trees of other ranks need ------------------------- */

/* A box that holds groups of a tree, and the smallest of their accelerations.
 */
struct koshu_tree_target {
    double low[3], high[3], a;
};

/* Boxes of a tree: of cells that have at most one in so many of the particles;
 * and how many there are at most. */
enum { KOSHU_TREE_CUTS = 32, KOSHU_TREE_TARGETS = 512 };

/* The boxes of all groups of a tree, a[k] being what group k walks with.
 * Returns their number. */
size_t koshu_tree_targets(const struct koshu_tree *tree,
                          const struct koshu_groups *groups, const double *a,
                          struct koshu_tree_target target[KOSHU_TREE_TARGETS]);

/* A cell, as struct koshu_cell, with what a walk asks of it. One without
 * children, but with more particles than walks take from a cell, acts as a
 * whole. */
struct koshu_essential_cell {
    double x[3], reach2, strength2;
    struct koshu_cell_moments moments;
    uint32_t child, children, first, n;
};

struct koshu_essential_particle {
    double x[3], mass;
};

/* cell[0] is the root. Begun as {0}. */
struct koshu_essential {
    size_t n_cells, n_particles;
    struct koshu_essential_cell *cell;
    struct koshu_essential_particle *particle;
    size_t capacity_cell, capacity_particle;
};

/* What walks of groups in any of n boxes ask of a tree, whose criterion and
 * images are theirs. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_essential_make(const struct koshu_tree *tree,
                                  const struct koshu_tree_target *target,
                                  size_t n, struct koshu_essential *essential);
void koshu_essential_free(struct koshu_essential *essential);

/* ---- forest.c: trees of others as one ------------------------------------ */

/* To be walked by koshu_tree_walk_others(). Begun as {0}. */
struct koshu_forest {
    struct koshu_tree tree;
    size_t root; /* where that of the next tree goes */
};

/* For so many trees, with so many cells and particles in all, that were made as
 * `like` was. KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_UNSUPPORTED: 2^32 cells or
 * particles, or more. */
koshu_status koshu_forest_begin(struct koshu_forest *forest,
                                const struct koshu_tree *like, size_t n_trees,
                                size_t cells, size_t particles);
/* The next of them, which is not empty. */
void koshu_forest_add(struct koshu_forest *forest,
                      const struct koshu_essential *essential);
void koshu_forest_free(struct koshu_forest *forest);

#ifdef __cplusplus
}
#endif

#endif
