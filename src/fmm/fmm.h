/* SPDX-License-Identifier: MIT */
/*
 * The fast multipole method: what its operators multiply by, and the cells
 * of a tree with their expansions.
 */
#ifndef KOSHU_FMM_FMM_H
#define KOSHU_FMM_FMM_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/status.h>

#include "tree/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { KOSHU_MAX_ORDER = 20 };

/* Of all points: whose third powers are doubles, and 1 over them. */
#define KOSHU_MIN_LENGTH 1e-90
#define KOSHU_MAX_LENGTH 1e90

/* A dense matrix between some coefficients and others; `matrix`: where its
 * numbers are, row by row. */
struct koshu_expansion_block {
    uint8_t rows, columns;
    uint16_t from[KOSHU_MAX_ORDER + 1], to[KOSHU_MAX_ORDER + 1];
    uint32_t matrix;
};

/*
 * Of order p; see kernels/expansion.h. The coefficients are there in both
 * precisions; regular, gradient and shift are where those kinds begin.
 */
struct koshu_expansion {
    int p;
    int n_exchange, n_along;
    struct koshu_expansion_block *exchange; /* of x and z */
    struct koshu_expansion_block *along;    /* M2L along z */
    size_t regular, gradient, shift;
    size_t n;
    double *f64;
    float *f32;
};

/* 1 <= p <= KOSHU_MAX_ORDER. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_expansion_create(struct koshu_context *context, int p,
                                    struct koshu_expansion **expansion);
/* NULL is allowed. */
void koshu_expansion_destroy(struct koshu_expansion *expansion);

/* What kernels/expansion.h makes regular harmonics up to degree p with: at most
 * 2 (p + 1)^2 numbers. Returns how many. */
size_t koshu_expansion_regular(int p, double *coefficient);

/* ---- images.c ------------------------------------------------------------ */

/* A periodic box, [corner, corner + edge) in each direction; edge 0: none.
 * depth: 0, or there are 2^depth boxes in each direction, the outermost
 * counting half, and no background. */
struct koshu_fmm_box {
    double edge, corner[3];
    unsigned depth;
};

/*
 * The images of a periodic box whose cells and particles act as those of the
 * box itself do: `reach` to each side. An entry of a list is a cell and, above
 * its bits, the number of an image; 0: the box itself. All 0 without a box.
 */
struct koshu_fmm_images {
    double edge, corner[3], middle[3];
    int reach;
    unsigned bits; /* of an entry, for the cell */
    uint32_t mask; /* of those for the image */
    size_t n, capacity_shift;
    double (*shift)[3];
};

static inline uint32_t
koshu_fmm_cell_of(const struct koshu_fmm_images *images, uint32_t entry)
{
    return entry & ~images->mask;
}

static inline uint32_t
koshu_fmm_image_of(const struct koshu_fmm_images *images, uint32_t entry)
{
    return (entry & images->mask) >> images->bits;
}

/* What an entry's image is away from the box. */
static inline const double *
koshu_fmm_shift_of(const struct koshu_fmm_images *images, uint32_t entry)
{
    static const double none[3] = {0, 0, 0};
    const uint32_t image = koshu_fmm_image_of(images, entry);
    return image > 0 ? images->shift[image] : none;
}

/* KOSHU_ERROR_INVALID_ARGUMENT: theta is too small for a box, or its edge or
 * depth is out of its range; KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_images_make(struct koshu_context *context,
                                   const struct koshu_fmm_box *box,
                                   double theta,
                                   struct koshu_fmm_images *images);
void koshu_fmm_images_free(struct koshu_fmm_images *images);

/* Fails: entries cannot hold so many. */
koshu_status koshu_fmm_too_many_cells(struct koshu_context *context,
                                      const struct koshu_fmm_images *images,
                                      size_t cells, double theta);

/* ---- lattice.c ----------------------------------------------------------- */

struct koshu_lattice;

/* Of all images but those, of expansions of order p. The infinite lattice is
 * what koshu/ewald.h says, less what its background adds for charges whose sum
 * is not 0, or whose dipole is not. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_lattice_create(struct koshu_context *context, int p,
                                  const struct koshu_fmm_images *images,
                                  unsigned depth,
                                  struct koshu_lattice **lattice);
/* NULL is allowed. */
void koshu_lattice_destroy(struct koshu_lattice *lattice);

/* The local expansion of the box, for its multipoles, both about its middle
 * in lengths of its edge. */
void koshu_lattice_apply(const struct koshu_lattice *lattice,
                         const double *multipole, double *local);

/*
 * What softening changes in the potential of a charge of 1 at distance u, by
 * its images in the infinite lattice that are not those, in lengths of the edge
 * as eps is: mean - curvature u^2 / 2, to second order in eps and u, such that
 * the mean of all images' potential over a box stays 0.
 */
struct koshu_lattice_softening {
    double mean, curvature;
};
struct koshu_lattice_softening
koshu_lattice_soften(const struct koshu_fmm_images *images, double eps);

/* The same as a matrix of (p + 1)^2 columns, of a number of the multipoles
 * each, one after the other; the caller's to free. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_lattice_matrix(struct koshu_context *context,
                                  const struct koshu_lattice *lattice,
                                  double **matrix);

/* ---- cartesian.c --------------------------------------------------------- */

enum {
    KOSHU_MAX_CARTESIAN_ORDER = 12,
    KOSHU_MAX_CARTESIAN_TERMS = 455 /* of that order */
};

/*
 * The terms of a Cartesian expansion of order `order`, by degree; see
 * kernels/cartesian.h. In a cell's row it begins at number `begin`.
 */
struct koshu_cartesian {
    int order, terms;
    size_t begin;
    uint8_t degree[KOSHU_MAX_CARTESIAN_TERMS];
    uint8_t axis[KOSHU_MAX_CARTESIAN_TERMS];    /* one that the term has: */
    uint16_t parent[KOSHU_MAX_CARTESIAN_TERMS]; /* it, without that once, */
    uint16_t grand[KOSHU_MAX_CARTESIAN_TERMS];  /* and twice, */
    int less[KOSHU_MAX_CARTESIAN_TERMS];        /* the power of it, less one, */
    double inverse[KOSHU_MAX_CARTESIAN_TERMS];  /* and 1 over the power */
    double factor[KOSHU_MAX_CARTESIAN_TERMS];   /* 1 / (i! j! k!) */
    /* product[first[a] + b]: the term a times b, of all b whose degree leaves
     * it in the expansion */
    uint32_t first[KOSHU_MAX_CARTESIAN_TERMS];
    uint16_t product[];
};

/* Cartesian expansions of order k do from a distance of reach[k] eps on, and
 * cells act by expansions from reach[order] eps on. */
struct koshu_fmm_softening {
    int order;
    double reach[KOSHU_MAX_CARTESIAN_ORDER + 1];
};

/* 1 <= order <= KOSHU_MAX_CARTESIAN_ORDER. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_cartesian_create(struct koshu_context *context, int order,
                                    size_t begin,
                                    struct koshu_cartesian **cartesian);
/* NULL is allowed. */
void koshu_cartesian_destroy(struct koshu_cartesian *cartesian);
/* Of the struct, with its products. */
size_t koshu_cartesian_bytes(const struct koshu_cartesian *cartesian);

/* ---- cells.c ------------------------------------------------------------- */

/*
 * The cells of a tree: what the operators see of them. A cell's expansions are
 * about the middle of the box that its particles fill, in lengths of its own: a
 * power of two, its radius or up to twice that. All of its particles are
 * within the radius, which is not less than the 256th part of its
 * parent's: a single particle has a length, too, such that what is far
 * from it is some of these away.
 */
struct koshu_fmm_cells {
    const struct koshu_cell *cell;
    size_t n;                   /* particles */
    const double *px, *py, *pz; /* in the tree's order */
    size_t n_rhs;               /* right-hand sides */
    const double *charge;       /* of each n; NULL where they are no sources */
    const double *dipole;     /* [(3 rhs + component) n + particle], or NULL */
    const double *per_charge; /* a power of two for each right-hand side */
    double *x, *y, *z, *radius, *length;
    double *extent;          /* the radius without that bound: 0 of a point */
    void *multipole, *local; /* `stride` numbers for each cell and, side by
                                side, each right-hand side */
    size_t stride, capacity, bytes;
    struct koshu_fmm_images images; /* set before all else, and: */
    double whole; /* the radius of all ranks' particles; 0: there is one rank,
                     or a box */
};

/* An entry's centre to `at`; returns its cell. */
static inline uint32_t
koshu_fmm_centre(const struct koshu_fmm_cells *cells, uint32_t entry,
                 double at[3])
{
    const uint32_t cell = koshu_fmm_cell_of(&cells->images, entry);
    const double *shift = koshu_fmm_shift_of(&cells->images, entry);
    at[0] = cells->x[cell] + shift[0];
    at[1] = cells->y[cell] + shift[1];
    at[2] = cells->z[cell] + shift[2];
    return cell;
}

/* Of a tree whose cells are there; n_rhs expansions of `terms` numbers of
 * `real` bytes. Begun as {0}; charges are the caller's to set.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_cells_make(struct koshu_fmm_cells *cells,
                                  const struct koshu_tree *tree, size_t n_rhs,
                                  int terms, size_t real);
void koshu_fmm_cells_free(struct koshu_fmm_cells *cells);

/* ---- lists.c ------------------------------------------------------------- */

/* Which pairs of cells act by their expansions. */
struct koshu_fmm_criterion {
    double theta; /* radii together over the distance: at most */
    double apart; /* and the distance of any two particles: at least */
};

/* Of one cell of the targets. */
struct koshu_fmm_lists {
    uint32_t *far;     /* act by their multipoles on its local expansion */
    uint32_t *same;    /* all of their particles, and its own, are in one point
                        */
    uint32_t *near;    /* leaves that act, particle by particle, on this leaf */
    uint32_t *pending; /* its children are to ask */
    uint32_t *cut, *next; /* and their children */
    size_t n_far, n_same, n_near, n_pending, n_cut, n_next;
    size_t capacity_far, capacity_same, capacity_near, capacity_pending,
            capacity_cut, capacity_next;
};

/*
 * A step of the dual traversal (Warren & Salmon 1995; Dehnen 2002): the source
 * cells that a target's parent left over are far, or near, or are cut, or left
 * to the target's children, whichever of the two is larger being cut.
 * Lists begun as {0}. KOSHU_ERROR_OUT_OF_MEMORY, without a message.
 */
koshu_status koshu_fmm_lists_make(struct koshu_fmm_lists *lists,
                                  const struct koshu_fmm_criterion *criterion,
                                  const struct koshu_fmm_cells *targets,
                                  uint32_t target,
                                  const struct koshu_fmm_cells *sources,
                                  size_t n, const uint32_t *source);
void koshu_fmm_lists_free(struct koshu_fmm_lists *lists);

/* ---- essential.c: what the FMM of another rank needs --------------------- */

/* A box that has the centres of some leaves, and the largest of their radii. */
struct koshu_fmm_target {
    double low[3], high[3], radius;
};

/* Boxes of all leaves, which follow each other in a box, at most. */
enum { KOSHU_FMM_TARGETS = 1024 };

/* Returns their number. */
size_t koshu_fmm_targets(const struct koshu_fmm_cells *cells,
                         struct koshu_fmm_target target[KOSHU_FMM_TARGETS]);

/* One that has children or particles is opened by some leaf of the other's;
 * else it has `cell.n` = 0, and is far from all of them. */
struct koshu_fmm_essential_cell {
    double x[3], radius, extent, length;
    struct koshu_cell cell;
};

/*
 * Cells level by level, the root first, with a row of their multipoles each;
 * the first n_top have others in double precision. Begun as {0}.
 */
struct koshu_fmm_essential {
    size_t n_cells, n_top, n_particles;
    struct koshu_fmm_essential_cell *cell;
    struct koshu_essential_particle *particle; /* mass: the charge */
    char *row;
    double *top_row;
    /* Of each cell, while it is made: which one it is, and the targets that
     * have opened its parent, near[first] ... near[first + n - 1]. */
    struct koshu_fmm_essential_source {
        uint32_t cell;
        size_t first, n;
    } * source;
    uint16_t *near;
    size_t n_near, capacity_cell, capacity_particle, capacity_row,
            capacity_top_row, capacity_source, capacity_near;
};

/* Of sources of one right-hand side, for leaves in n boxes; top: the first
 * n_top cells with expansions in double precision, or NULL.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status
koshu_fmm_essential_make(struct koshu_context *context,
                         const struct koshu_fmm_cells *cells, size_t real,
                         const struct koshu_fmm_cells *top, size_t n_top,
                         const struct koshu_fmm_criterion *criterion,
                         const struct koshu_fmm_target *target, size_t n,
                         struct koshu_fmm_essential *essential);
void koshu_fmm_essential_free(struct koshu_fmm_essential *essential);

/* ---- forest.c: those of others as sources -------------------------------- */

/* The roots are the first cells; the first n_top have expansions in double
 * precision, too. Begun as {0}. */
struct koshu_fmm_forest {
    struct koshu_fmm_cells cells, top;
    size_t n_roots, n_cells, n_top, n_particles;
    struct koshu_cell *cell;
    double *place, *particle, *top_row;
    char *row;
    size_t capacity_cell, capacity_place, capacity_particle, capacity_row,
            capacity_top_row;
};

/* Of n essential trees, some of which may have no cells; like: cells of the
 * same kind. KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_UNSUPPORTED: 2^32 cells or
 * particles, or more. */
koshu_status
koshu_fmm_forest_reserve(struct koshu_context *context,
                         const struct koshu_fmm_essential *tree, size_t n,
                         const struct koshu_fmm_cells *like, size_t real,
                         struct koshu_fmm_forest *forest);
/* When they have come. */
void koshu_fmm_forest_make(struct koshu_fmm_forest *forest,
                           const struct koshu_fmm_essential *tree, size_t n,
                           size_t real);
void koshu_fmm_forest_free(struct koshu_fmm_forest *forest);

#ifdef __cplusplus
}
#endif

#endif
