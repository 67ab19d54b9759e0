/* SPDX-License-Identifier: MIT */
/*
 * The operators of the fast multipole method on cells of a tree. Each call is
 * the calling thread's own work, and many threads may call at once, on
 * different cells.
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

/* What is summed at a target: sum q / r and its derivatives. */
enum koshu_fmm_field {
    KOSHU_FMM_POTENTIAL,
    KOSHU_FMM_GRADIENT,                         /* x y z */
    KOSHU_FMM_HESSIAN = KOSHU_FMM_GRADIENT + 3, /* xx xy xz yy yz */
    KOSHU_FMM_FIELDS = KOSHU_FMM_HESSIAN + 5
};

/* Sources on targets; a source at a target's very place adds nothing. Numbers
 * are near 1. */
struct koshu_fmm_pairs {
    size_t n_i, n_j, n_rhs;
    const double *i[3], *j[3]; /* positions */
    const double *charge;      /* [rhs * n_j + source] */
    const double *dipole;      /* [(3 rhs + component) n_j + source], or NULL */
    bool hessian;              /* else potentials and gradients alone */
    double *sums; /* [(rhs * KOSHU_FMM_FIELDS + field) * n_i + target] */
};

/* Charges of a right-hand side in leaves of the sources, on the particles of a
 * leaf of the targets, which are perhaps the sources: the leaf itself is then
 * the first. Pairs are softened, of the task's precision, with roots good to
 * 6e-5 where it is to be fast; a pair in one point is worth what koshu/force.h
 * says. */
struct koshu_fmm_near {
    const struct koshu_force_task *task;
    const struct koshu_fmm_cells *targets, *sources;
    uint32_t leaf;
    size_t rhs, n;
    const uint32_t *source; /* n >= 1 entries of leaves */
    double *sums; /* [field * particles of the leaf + target]: potentials and
                     gradients, in lengths of the leaf and charges' units */
};

/* The operators of kernels/cartesian.h, of one right-hand side, like those
 * below, but each of an order up to that of c: other terms are left as they
 * are. l2p adds to what is there. */
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

/* Cores of vortices (kernels/vortex_core.h): sigma, the distance in core radii
 * within which all pairs have them, and P of their order. */
struct koshu_fmm_core {
    double radius, reach; /* radius 0: none */
    double p[VORTEX_CORE_TERMS];
};

/* Sums over vortices of exp(-s) times a polynomial in s = r^2 / (2 sigma^2),
 * with factors alpha (three), 1, and d . alpha, d being the target's place less
 * the vortex's. */
enum { KOSHU_GAUSSIAN_WEIGHT = 3, KOSHU_GAUSSIAN_ALONG, KOSHU_GAUSSIAN_SUMS };

/* Vortices first ... end - 1 beside a target, which to their images is at x. */
struct koshu_fmm_row {
    size_t first, end;
    double x[3];
};

/* The vortices beside a target. */
struct koshu_fmm_rows {
    const struct koshu_fmm_core *core;
    const double *x[3], *strength[3]; /* of all vortices */
    size_t n;
    const struct koshu_fmm_row *row;
    const struct koshu_core_table *table; /* for cores in double */
};

/* Operators of one precision. Expansions are as kernels/expansion.h has them,
 * each about its cell's centre, in lengths of the cell, for each right-hand
 * side. */
struct koshu_fmm_kernels {
    size_t real; /* bytes of a number of an expansion */
    const struct koshu_softening_kernels *softening;

    /* Multipoles of a leaf's particles, and of a cell's children. */
    void (*p2m)(const struct koshu_expansion *e,
                const struct koshu_fmm_cells *cells, uint32_t leaf);
    void (*m2m)(const struct koshu_expansion *e,
                const struct koshu_fmm_cells *cells, uint32_t parent);

    /* The local expansion of a cell of `targets`, and what the multipoles of n
     * far cells of `sources` add to it. */
    void (*m2l)(const struct koshu_expansion *e,
                const struct koshu_fmm_cells *targets, uint32_t target,
                const struct koshu_fmm_cells *sources, size_t n,
                const uint32_t *source);

    /* The local expansions of all children: their parts of their parent's. */
    void (*l2l)(const struct koshu_expansion *e,
                const struct koshu_fmm_cells *cells, uint32_t parent);

    /* What a leaf's local expansion of a right-hand side gives its particles:
     * to[KOSHU_FMM_POTENTIAL] ... of the first, second, ... of them. */
    void (*l2p)(const struct koshu_expansion *e,
                const struct koshu_fmm_cells *cells, uint32_t leaf, size_t rhs,
                bool hessian, double *const *to);

    /* Near leaves; and near pairs of what that has not. */
    void (*near)(const struct koshu_fmm_near *near);
    void (*pairs)(const struct koshu_fmm_pairs *pairs);

    /* OPTIONAL. Adds to the velocity and its gradient, 3 + 9 numbers, times 4
     * pi, what cores change of those of points. false: numbers of this type do
     * not hold it, and nothing is added. */
    bool (*cores)(const struct koshu_fmm_rows *rows, double *sums);

    /* OPTIONAL. Adds the KOSHU_GAUSSIAN_SUMS of vortices within reach, g being
     * the polynomial's VORTEX_GAUSSIAN_TERMS coefficients. */
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
    double theta;
    uint64_t n_leaf; /* 0: what suits the device */
    /* Softening of tasks, and a periodic box: NULL where there is none. They
     * outlive the engine. */
    const struct koshu_cartesian *cartesian;
    const struct koshu_fmm_softening *softening;
    const struct koshu_fmm_images *images;
    const struct koshu_lattice *lattice;
    unsigned depth; /* of the lattice: 0: infinite, with a background */
};

/* Of an evaluation; lists and near sums are parts of the way down. Pairs and
 * translations are those of one set of charges, seconds of all. */
struct koshu_fmm_engine_report {
    uint64_t n_leaf, cells, translations, pairs;
    uint64_t copied_bytes; /* between the host and the device */
    struct {
        double tree, up, lists, near, down, copies;
    } seconds;
};

/* Points and, where they are sources, n_rhs sets of charges and dipoles, of
 * which either may be NULL: element k n + i is that of point i in set k. */
struct koshu_fmm_points {
    size_t n;
    const double *x[3];
    size_t n_rhs;
    const double *charge, *dipole[3];
};

/* Where results go; NULL: not requested. */
struct koshu_fmm_results {
    double *field[KOSHU_FMM_FIELDS + 1]; /* and zz: koshu_laplace_result */
    double *velocity[3];                 /* koshu_laplace_velocity */
    double *velocity_gradient[9];
    struct koshu_fmm_core core; /* of vortices; by an engine */
};

struct koshu_fmm_parts_ops;

/* All sources in a periodic box, about its middle; charges in some unit that is
 * the same for all that are added. */
enum { KOSHU_FMM_MAX_TERMS = (KOSHU_MAX_ORDER + 1) * (KOSHU_MAX_ORDER + 1) };
struct koshu_fmm_root {
    double multipole[KOSHU_FMM_MAX_TERMS]; /* in lengths of the box */
    double total, second; /* charge, and sum_j q_j y_j^2 + 2 p_j y_j */
};

/* Throughout a periodic box: a local expansion about its middle, in its
 * lengths, and b / 2 y^2 beside it. */
struct koshu_fmm_box_field {
    double local[KOSHU_FMM_MAX_TERMS], background;
};

/* All of the method, on particles in the backend's memory. */
struct koshu_fmm_engine_ops {
    koshu_status (*create)(struct koshu_backend *backend,
                           const struct koshu_fmm_engine_options *options,
                           struct koshu_fmm_engine **engine);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_fmm_engine *engine);
    /* Of all particles by each other; the task's precision is that of pairs.
     * Waits. KOSHU_ERROR_NOT_FINITE names the
     * particle; KOSHU_ERROR_UNSUPPORTED: too many, or floats do not hold the
     * sums; KOSHU_ERROR_OUT_OF_MEMORY. */
    koshu_status (*forces)(struct koshu_fmm_engine *engine,
                           const struct koshu_force_task *task,
                           struct koshu_particles *particles, unsigned fields,
                           struct koshu_fmm_engine_report *report);
    /* As koshu_laplace_sums() and koshu_laplace_biot_savart(), from and to
     * arrays of the host; targets NULL: at the sources. There are some of
     * both; vortices have no dipoles, and perhaps cores, which reach no further
     * than the edge of a box. Waits; statuses as above. */
    koshu_status (*laplace)(struct koshu_fmm_engine *engine,
                            const struct koshu_force_task *task,
                            const struct koshu_fmm_points *sources,
                            const struct koshu_fmm_points *targets,
                            const struct koshu_fmm_results *to,
                            struct koshu_fmm_engine_report *report);
    /* Of the particles of a store, which are in the periodic box and may be
     * none: their masses as charges; then adds to their accelerations, and
     * potentials where requested, what a field does. Both wait. */
    koshu_status (*root)(struct koshu_fmm_engine *engine,
                         struct koshu_particles *particles,
                         struct koshu_fmm_root *root);
    koshu_status (*add_box_field)(struct koshu_fmm_engine *engine,
                                  const struct koshu_fmm_box_field *field,
                                  struct koshu_particles *particles,
                                  unsigned fields);
    /* From now on; no less than that of its options, which a periodic box's
     * images are made for. */
    void (*set_theta)(struct koshu_fmm_engine *engine, double theta);
    /* OPTIONAL. Forces of the particles of several ranks: fmm_parts.h. */
    const struct koshu_fmm_parts_ops *parts;
};

#endif
