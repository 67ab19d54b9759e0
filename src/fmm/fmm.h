/* SPDX-License-Identifier: MIT */
/*
 * The fast multipole method: the coefficients of its operators, and the cells
 * of a tree with their expansions.
 */
#ifndef KOSHU_FMM_FMM_H
#define KOSHU_FMM_FMM_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/status.h>

#include "kernels/image_code.h"
#include "kernels/opening.h"
#include "tree/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { KOSHU_MAX_ORDER = 20 };

/* Limits of the extent of all points: its third power and the inverse of that
 * must be finite doubles. */
#define KOSHU_MIN_LENGTH 1e-90
#define KOSHU_MAX_LENGTH 1e90

/* A dense matrix from some coefficients to others; `matrix`: index of its first
 * number, stored row by row. */
struct koshu_expansion_block {
    uint8_t rows, columns;
    uint16_t from[KOSHU_MAX_ORDER + 1], to[KOSHU_MAX_ORDER + 1];
    uint32_t matrix;
};

/*
 * The operators of order p; see kernels/expansion.h. Coefficients are stored in
 * both precisions; regular, gradient and shift are where these kinds begin.
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
/* Accepts NULL. */
void koshu_expansion_destroy(struct koshu_expansion *expansion);

/* Coefficients with which kernels/expansion.h computes regular harmonics up to
 * degree p, at most 2 (p + 1)^2. Returns how many. */
size_t koshu_expansion_regular(int p, double *coefficient);

/* ---- images.c ------------------------------------------------------------ */

/* A periodic box, [corner, corner + edge) in each direction; edge 0: no box.
 * depth 0: infinitely many images; else 2^depth boxes in each direction, the
 * outermost counting half, and no background. */
struct koshu_fmm_box {
    double edge, corner[3];
    unsigned depth;
};

/*
 * The near images of a periodic box, `reach` to each side, which act through
 * their cells and particles like the box itself, which is image 0; its
 * neighbours are the next 26. `code`: how an entry of a list combines a cell
 * and an image. All zero without a box.
 */
struct koshu_fmm_images {
    double edge, corner[3], middle[3];
    int reach;
    struct koshu_image_code code;
    size_t n, capacity_shift;
    double (*shift)[3];
};

static inline uint32_t
koshu_fmm_cell_of(const struct koshu_fmm_images *images, uint32_t entry)
{
    return koshu_entry_cell(&images->code, entry);
}

static inline uint32_t
koshu_fmm_image_of(const struct koshu_fmm_images *images, uint32_t entry)
{
    return koshu_entry_image(&images->code, entry);
}

/* The displacement of an entry's image from the box. */
static inline const double *
koshu_fmm_shift_of(const struct koshu_fmm_images *images, uint32_t entry)
{
    static const double none[3] = {0, 0, 0};
    const uint32_t image = koshu_fmm_image_of(images, entry);
    return image > 0 ? images->shift[image] : none;
}

/* KOSHU_ERROR_INVALID_ARGUMENT: theta is too small for a box, or its edge or
 * depth is outside its range; KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_images_make(struct koshu_context *context,
                                   const struct koshu_fmm_box *box,
                                   double theta,
                                   struct koshu_fmm_images *images);
void koshu_fmm_images_free(struct koshu_fmm_images *images);

/*
 * The code for the lists of one tree, stored level by level, as its own
 * sources. If theta is at least 1/2 and cells that are half an edge apart
 * interact by expansions (`apart` is less), only cells of levels 0 to 3 are met
 * in images beyond the neighbours of the box: a leaf of level 1 or below is at
 * least an edge away from them. Then cells of the nearest have 27 bits; else
 * all images are alike, as in images->code.
 */
struct koshu_image_code koshu_fmm_code_of(const struct koshu_fmm_images *images,
                                          double theta, double apart);

/* Whether entries can number that many cells. */
bool koshu_fmm_code_fits(const struct koshu_image_code *code, size_t cells);

/* KOSHU_ERROR_UNSUPPORTED and a message, unless the code fits. */
koshu_status koshu_fmm_check_code(struct koshu_context *context,
                                  const struct koshu_image_code *code,
                                  size_t cells, double theta);

/* ---- lattice.c ----------------------------------------------------------- */

struct koshu_lattice;

/* The operator of order p for all images beyond the near ones. The infinite
 * lattice is as in koshu/ewald.h, but without what its background adds if the
 * charges or their dipole do not sum to 0. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_lattice_create(struct koshu_context *context, int p,
                                  const struct koshu_fmm_images *images,
                                  unsigned depth,
                                  struct koshu_lattice **lattice);
/* Accepts NULL. */
void koshu_lattice_destroy(struct koshu_lattice *lattice);

/* Turns the box's multipoles into its local expansion, both about its centre
 * and in units of its edge. */
void koshu_lattice_apply(const struct koshu_lattice *lattice,
                         const double *multipole, double *local);

/*
 * How softening changes the potential of a unit charge at distance u through
 * its images in the infinite lattice, the near ones excepted: mean - curvature
 * u^2 / 2, to second order in eps and u. The mean over the box of the potential
 * of all images stays 0. Lengths, also eps, are in units of the edge.
 */
struct koshu_lattice_softening {
    double mean, curvature;
};
struct koshu_lattice_softening
koshu_lattice_soften(const struct koshu_fmm_images *images, double eps);

/* The operator as a matrix with (p + 1)^2 columns, one for each multipole
 * coefficient, stored one after the other; the caller frees it.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_lattice_matrix(struct koshu_context *context,
                                  const struct koshu_lattice *lattice,
                                  double **matrix);

/* ---- cartesian.c --------------------------------------------------------- */

enum {
    KOSHU_MAX_CARTESIAN_ORDER = 12,
    KOSHU_MAX_CARTESIAN_TERMS = 455 /* for the largest order */
};

/*
 * The terms of a Cartesian expansion of order `order`, sorted by degree; see
 * kernels/cartesian.h. In a cell's row it begins at number `begin`.
 */
struct koshu_cartesian {
    int order, terms;
    size_t begin;
    uint8_t degree[KOSHU_MAX_CARTESIAN_TERMS];
    uint8_t axis[KOSHU_MAX_CARTESIAN_TERMS];    /* an axis that the term
                                                   contains: */
    uint16_t parent[KOSHU_MAX_CARTESIAN_TERMS]; /* the term without one
                                                   factor of it, */
    uint16_t grand[KOSHU_MAX_CARTESIAN_TERMS];  /* and without two; */
    int less[KOSHU_MAX_CARTESIAN_TERMS];        /* its power less 1, */
    double inverse[KOSHU_MAX_CARTESIAN_TERMS];  /* and 1 over its power */
    double factor[KOSHU_MAX_CARTESIAN_TERMS];   /* 1 / (i! j! k!) */
    /* product[first[a] + b]: the product of terms a and b, for all b that leave
     * its degree within the expansion */
    uint32_t first[KOSHU_MAX_CARTESIAN_TERMS];
    uint16_t product[];
};

/* The number of terms of degree up to n. */
static inline int
koshu_cartesian_terms(int n)
{
    return (n + 1) * (n + 2) * (n + 3) / 6;
}

/* Cartesian expansions of order k are accurate at distances of reach[k] eps and
 * more; cells act by expansions from reach[order] eps. */
struct koshu_fmm_softening {
    int order;
    double reach[KOSHU_MAX_CARTESIAN_ORDER + 1];
};

/* 1 <= order <= KOSHU_MAX_CARTESIAN_ORDER. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_cartesian_create(struct koshu_context *context, int order,
                                    size_t begin,
                                    struct koshu_cartesian **cartesian);
/* Accepts NULL. */
void koshu_cartesian_destroy(struct koshu_cartesian *cartesian);
/* The size of the struct including its products. */
size_t koshu_cartesian_bytes(const struct koshu_cartesian *cartesian);

/* ---- cells.c ------------------------------------------------------------- */

/*
 * The cells of a tree as the operators see them. A cell's expansions are about
 * the centre of the box of its particles. They are scaled by the cell's own
 * length, a power of two between its radius and twice that. All particles lie
 * within the radius, which is at least 1/256 of the parent's: so even a single
 * particle has a length, and what is far from it is a moderate number of
 * lengths away.
 */
struct koshu_fmm_cells {
    const struct koshu_cell *cell;
    size_t n;                   /* particles */
    const double *px, *py, *pz; /* in the tree's order */
    size_t n_rhs;               /* right-hand sides */
    const double *charge;       /* [rhs n + particle]; NULL if they are not
                                   sources */
    const double *dipole;     /* [(3 rhs + component) n + particle], or NULL */
    const double *per_charge; /* a power of two for each right-hand side,
                                 which scales its charges */
    double *x, *y, *z, *radius, *length;
    double *extent;          /* the radius without the lower bound: 0 for a
                                point */
    void *multipole, *local; /* `stride` numbers per cell, and one such row
                                per right-hand side */
    size_t stride, capacity, bytes;
    struct koshu_fmm_images images; /* set before all else, as is: */
    double whole; /* the radius of all ranks' particles; 0: one rank, or a
                     box */
};

/* Sets `at` to the entry's centre; returns its cell. */
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

/* Makes the cells of a tree, with n_rhs expansions of `terms` numbers of `real`
 * bytes each. *cells is {0} at first; the caller sets the charges.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_fmm_cells_make(struct koshu_fmm_cells *cells,
                                  const struct koshu_tree *tree, size_t n_rhs,
                                  int terms, size_t real);
void koshu_fmm_cells_free(struct koshu_fmm_cells *cells);

/* ---- lists.c ------------------------------------------------------------- */

/* When pairs of cells interact through their expansions. */
struct koshu_fmm_criterion {
    struct koshu_opening opening;
    double apart; /* minimum of the distance between any two particles */
};

/* The source cells of one target cell, by how they act on it. */
struct koshu_fmm_lists {
    uint32_t *far;        /* through their multipoles, on its local expansion */
    uint32_t *same;       /* their particles and its own are all at one point */
    uint32_t *near;       /* particle by particle (both are leaves) */
    uint32_t *pending;    /* left to its children */
    uint32_t *cut, *next; /* to be replaced by their children, and those */
    size_t n_far, n_same, n_near, n_pending, n_cut, n_next;
    size_t capacity_far, capacity_same, capacity_near, capacity_pending,
            capacity_cut, capacity_next;
};

/*
 * One step of the dual traversal (Warren & Salmon 1995; Dehnen 2002). Each
 * source cell that the target's parent left pending is far, near, divided, or
 * left to the target's children: the larger of the two cells is divided. *lists
 * is {0} at first. KOSHU_ERROR_OUT_OF_MEMORY, without a message.
 */
koshu_status koshu_fmm_lists_make(struct koshu_fmm_lists *lists,
                                  const struct koshu_fmm_criterion *criterion,
                                  const struct koshu_fmm_cells *targets,
                                  uint32_t target,
                                  const struct koshu_fmm_cells *sources,
                                  size_t n, const uint32_t *source);
void koshu_fmm_lists_free(struct koshu_fmm_lists *lists);

/* ---- essential.c: what the FMM of another rank needs --------------------- */

/* The bounding box of the centres of some leaves, and the largest of their
 * radii. */
struct koshu_fmm_target {
    double low[3], high[3], radius;
};

/* The largest number of boxes. All leaves are covered; those of one box are
 * consecutive. */
enum { KOSHU_FMM_TARGETS = 1024 };

/* Returns the number of boxes. */
size_t koshu_fmm_targets(const struct koshu_fmm_cells *cells,
                         struct koshu_fmm_target target[KOSHU_FMM_TARGETS]);

/* A cell with children or particles is opened by some leaf of the other rank;
 * otherwise cell.n = 0, and it is far from all of them. */
struct koshu_fmm_essential_cell {
    double x[3], radius, extent, length;
    struct koshu_cell cell;
};

/*
 * Cells level by level, the root first, each with a row of multipoles; the
 * first n_top also have one in double precision. {0} at first.
 */
struct koshu_fmm_essential {
    size_t n_cells, n_top, n_particles;
    struct koshu_fmm_essential_cell *cell;
    struct koshu_essential_particle *particle; /* mass: the charge */
    char *row;
    double *top_row;
    /* Used while it is built: which cell each one is, and the targets that
     * opened its parent, near[first] ... near[first + n - 1]. */
    struct koshu_fmm_essential_source {
        uint32_t cell;
        size_t first, n;
    } * source;
    uint16_t *near;
    size_t n_near, capacity_cell, capacity_particle, capacity_row,
            capacity_top_row, capacity_source, capacity_near;
};

/* Collects what leaves in n boxes need from sources with one right-hand side.
 * top: the first n_top cells with expansions in double precision, or NULL.
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

/* Essential trees of other ranks as one set of sources. The roots are the first
 * cells; the first n_top cells also have expansions in double precision. {0} at
 * first. */
struct koshu_fmm_forest {
    struct koshu_fmm_cells cells, top;
    size_t n_roots, n_cells, n_top, n_particles;
    struct koshu_cell *cell;
    double *place, *particle, *top_row;
    char *row;
    size_t capacity_cell, capacity_place, capacity_particle, capacity_row,
            capacity_top_row;
};

/* Allocates memory for n essential trees, some of which may have no cells.
 * like: cells of the same kind. KOSHU_ERROR_OUT_OF_MEMORY;
 * KOSHU_ERROR_UNSUPPORTED: 2^32 or more cells or particles. */
koshu_status
koshu_fmm_forest_reserve(struct koshu_context *context,
                         const struct koshu_fmm_essential *tree, size_t n,
                         const struct koshu_fmm_cells *like, size_t real,
                         struct koshu_fmm_forest *forest);
/* Builds the forest once the trees have arrived. */
void koshu_fmm_forest_make(struct koshu_fmm_forest *forest,
                           const struct koshu_fmm_essential *tree, size_t n,
                           size_t real);
void koshu_fmm_forest_free(struct koshu_fmm_forest *forest);

#ifdef __cplusplus
}
#endif

#endif
