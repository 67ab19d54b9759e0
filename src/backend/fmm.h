/* SPDX-License-Identifier: MIT */
/*
 * The operators of the fast multipole method on cells of a tree. Each call is
 * the work of the calling thread, and many threads may call at the same time
 * for different cells; and the engines of backends that do the whole method.
 */
#ifndef KOSHU_BACKEND_FMM_H
#define KOSHU_BACKEND_FMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/particles.h>
#include <koshu/status.h>

#include "backend/force.h"
#include "fmm/fmm.h"
#include "kernels/core_table.h"

struct koshu_backend;

/* The sums at a target: sum q / r and its derivatives. */
enum koshu_fmm_field {
    KOSHU_FMM_POTENTIAL,
    KOSHU_FMM_GRADIENT,                         /* x y z */
    KOSHU_FMM_HESSIAN = KOSHU_FMM_GRADIENT + 3, /* xx xy xz yy yz */
    KOSHU_FMM_FIELDS = KOSHU_FMM_HESSIAN + 5
};

/* Pair sums of sources on targets; a source exactly at a target's position
 * contributes nothing. All numbers are of order 1. */
struct koshu_fmm_pairs {
    size_t n_i, n_j, n_rhs;
    const double *i[3], *j[3]; /* positions */
    const double *charge;      /* [rhs * n_j + source] */
    const double *dipole;      /* [(3 rhs + component) n_j + source], or NULL */
    bool hessian;              /* else potentials and gradients only */
    double *sums; /* [(rhs * KOSHU_FMM_FIELDS + field) * n_i + target] */
};

/* Sums over near leaves: charges of one right-hand side in leaves of the
 * sources, acting on the particles of one leaf of the targets. If the sources
 * are the targets, the leaf itself is source[0]. Pairs are softened and have
 * the task's precision; in `fast` tasks 1 / r is accurate to 6e-5. Pairs at
 * distance 0: koshu/force.h. */
struct koshu_fmm_near {
    const struct koshu_force_task *task;
    const struct koshu_fmm_cells *targets, *sources;
    uint32_t leaf;
    size_t rhs, n;
    const uint32_t *source; /* n >= 1 entries of leaves */
    double *sums; /* [field * particles of the leaf + target]: potentials and
                   * gradients, in units of the leaf's length and of the
                   * charges */
};

/* The operators of kernels/cartesian.h for one right-hand side, like those of
 * koshu_fmm_kernels below, each for orders up to that of c. Terms above `order`
 * are left unchanged. l2p adds to its results. */
struct koshu_softening_kernels {
    void (*p2m)(const struct koshu_cartesian *c, int order,
                const struct koshu_fmm_cells *cells, uint32_t leaf);
    void (*m2m)(const struct koshu_cartesian *c, int order,
                const struct koshu_fmm_cells *cells, uint32_t parent);
    void (*m2l)(const struct koshu_cartesian *c, int order, double eps,
                const struct koshu_fmm_cells *targets, uint32_t target,
                const struct koshu_fmm_cells *sources, size_t n,
                const uint32_t *source);
    void (*l2l)(const struct koshu_cartesian *c, int order,
                const struct koshu_fmm_cells *cells, uint32_t parent);
    void (*l2p)(const struct koshu_cartesian *c, int order,
                const struct koshu_fmm_cells *cells, uint32_t leaf,
                double *const *to);
};

/* Vortex cores (kernels/vortex_core.h): sigma, the distance in core radii
 * within which all pairs are corrected for them, and their polynomial P. */
struct koshu_fmm_core {
    double radius, reach; /* radius 0: none */
    double p[VORTEX_CORE_TERMS];
};

/* Sums over vortices of exp(-s) times a polynomial in s = r^2 / (2 sigma^2):
 * with the factors alpha (three sums), 1, and d . alpha, where d is the
 * target's position minus the vortex's. */
enum { KOSHU_GAUSSIAN_WEIGHT = 3, KOSHU_GAUSSIAN_ALONG, KOSHU_GAUSSIAN_SUMS };

/* Vortices first ... end - 1 near a target, and the target's position x
 * relative to their periodic image. */
struct koshu_fmm_row {
    size_t first, end;
    double x[3];
};

/* The vortices near one target. */
struct koshu_fmm_rows {
    const struct koshu_fmm_core *core;
    const double *x[3], *strength[3]; /* of all vortices */
    size_t n;
    const struct koshu_fmm_row *row;
    const struct koshu_core_table *table; /* for cores in double */
};

/* Operators of one precision. Expansions are as in kernels/expansion.h, each
 * about its cell's centre and in units of its length, for each right-hand
 * side. */
struct koshu_fmm_kernels {
    size_t real; /* bytes of a number of an expansion */
    const struct koshu_softening_kernels *softening;

    /* The multipoles of a leaf from its particles, and of a cell from its
     * children. */
    void (*p2m)(const struct koshu_expansion *e,
                const struct koshu_fmm_cells *cells, uint32_t leaf);
    void (*m2m)(const struct koshu_expansion *e,
                const struct koshu_fmm_cells *cells, uint32_t parent);

    /* The local expansion of a target cell from the multipoles of n
     * well-separated source cells. */
    void (*m2l)(const struct koshu_expansion *e,
                const struct koshu_fmm_cells *targets, uint32_t target,
                const struct koshu_fmm_cells *sources, size_t n,
                const uint32_t *source);

    /* Adds the parent's local expansion to those of all its children. */
    void (*l2l)(const struct koshu_expansion *e,
                const struct koshu_fmm_cells *cells, uint32_t parent);

    /* Evaluates a leaf's local expansion of one right-hand side at its
     * particles: to[KOSHU_FMM_POTENTIAL] ... have one element per particle. */
    void (*l2p)(const struct koshu_expansion *e,
                const struct koshu_fmm_cells *cells, uint32_t leaf, size_t rhs,
                bool hessian, double *const *to);

    /* Sums over near leaves, and over near pairs of points. */
    void (*near)(const struct koshu_fmm_near *near);
    void (*pairs)(const struct koshu_fmm_pairs *pairs);

    /* Adds to the velocity and its gradient (3 + 9 numbers, times 4 pi) the
     * difference between vortices with cores and point vortices. In single
     * precision it returns false, and adds nothing, if floats do not hold the
     * result; in double always true. */
    bool (*cores)(const struct koshu_fmm_rows *rows, double *sums);

    /* Adds the KOSHU_GAUSSIAN_SUMS of vortices within reach, g being the
     * polynomial's VORTEX_GAUSSIAN_TERMS coefficients; always in double. */
    void (*gaussians)(const struct koshu_fmm_rows *rows, const double *g,
                      double *sums);
};

struct koshu_fmm_ops {
    const struct koshu_fmm_kernels *(*kernels)(
            const struct koshu_backend *backend,
            enum koshu_precision precision);
};

/* ---- where the backend keeps particles ----------------------------------- */

struct koshu_fmm_engine;

struct koshu_fmm_engine_options {
    enum koshu_precision precision; /* of expansions */
    int order;
    struct koshu_opening opening;
    uint64_t n_leaf; /* 0: the device's choice */
    /* Softening of tasks, and a periodic box; NULL: none. They must outlive the
     * engine. */
    const struct koshu_cartesian *cartesian;
    const struct koshu_fmm_softening *softening;
    const struct koshu_fmm_images *images;
    const struct koshu_lattice *lattice;
    unsigned depth; /* of the lattice; 0: infinite, with a background */
};

/* Report of one evaluation. Lists and near sums belong to the downward pass.
 * Pairs and translations are those of one set of charges, seconds are of all
 * sets. */
struct koshu_fmm_engine_report {
    uint64_t n_leaf, cells, translations, pairs;
    uint64_t copied_bytes; /* between the host and the device */
    struct {
        double tree, up, lists, near, down, copies;
    } seconds;
};

/* Points and, if they are sources, n_rhs sets of charges and dipoles, either of
 * which may be NULL: element k n + i belongs to point i in set k. */
struct koshu_fmm_points {
    size_t n;
    const double *x[3];
    size_t n_rhs;
    const double *charge, *dipole[3];
};

/* Arrays for results; NULL: not requested. */
struct koshu_fmm_results {
    double *field[KOSHU_FMM_FIELDS + 1]; /* last: zz of koshu_laplace_result */
    double *velocity[3];                 /* koshu_laplace_velocity */
    double *velocity_gradient[9];
    struct koshu_fmm_core core; /* of vortices, only for engines */
};

struct koshu_fmm_parts_ops;

/* Multipoles of all sources in a periodic box, about its middle. The unit of
 * charge is arbitrary, but the same for all that are added. */
enum { KOSHU_FMM_MAX_TERMS = (KOSHU_MAX_ORDER + 1) * (KOSHU_MAX_ORDER + 1) };
struct koshu_fmm_root {
    double multipole[KOSHU_FMM_MAX_TERMS]; /* in units of the box length */
    double total, second; /* charge, and sum_j q_j y_j^2 + 2 p_j y_j */
};

/* The field throughout a periodic box: a local expansion about its middle, in
 * units of its length, plus b / 2 y^2 of the background. */
struct koshu_fmm_box_field {
    double local[KOSHU_FMM_MAX_TERMS], background;
};

/* The whole method on particles in the backend's memory. */
struct koshu_fmm_engine_ops {
    koshu_status (*create)(struct koshu_backend *backend,
                           const struct koshu_fmm_engine_options *options,
                           struct koshu_fmm_engine **engine);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_fmm_engine *engine);
    /* The forces of all particles on each other; the task's precision is that
     * of pairs. Waits. Status: KOSHU_ERROR_NOT_FINITE (names the particle),
     * KOSHU_ERROR_UNSUPPORTED (too many particles, or the sums do not fit
     * floats), KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*forces)(struct koshu_fmm_engine *engine,
                           const struct koshu_force_task *task,
                           struct koshu_particles *particles, unsigned fields,
                           struct koshu_fmm_engine_report *report);
    /* As koshu_laplace_sums() and koshu_laplace_biot_savart(), on host arrays;
     * targets NULL: at the sources. At least one source and one target.
     * Vortices have no dipoles, but may have cores, which reach no further than
     * the edge of a periodic box. Waits. Status: as forces(). */
    koshu_status (*laplace)(struct koshu_fmm_engine *engine,
                            const struct koshu_force_task *task,
                            const struct koshu_fmm_points *sources,
                            const struct koshu_fmm_points *targets,
                            const struct koshu_fmm_results *to,
                            struct koshu_fmm_engine_report *report);
    /* For the particles of a store, which are in the periodic box; there may be
     * none. root(): the multipoles of their masses. add_box_field(): adds a
     * field to their accelerations and, if requested, potentials. Both wait. */
    koshu_status (*root)(struct koshu_fmm_engine *engine,
                         struct koshu_particles *particles,
                         struct koshu_fmm_root *root);
    koshu_status (*add_box_field)(struct koshu_fmm_engine *engine,
                                  const struct koshu_fmm_box_field *field,
                                  struct koshu_particles *particles,
                                  unsigned fields);
    /* Sets theta from now on; no less than that of the options, for which the
     * images of a periodic box are made. */
    void (*set_opening)(struct koshu_fmm_engine *engine,
                        const struct koshu_opening *opening);
    /* OPTIONAL. Forces of the particles of several ranks: fmm_parts.h. */
    const struct koshu_fmm_parts_ops *parts;
};

#endif
