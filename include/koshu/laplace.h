/* SPDX-License-Identifier: MIT */
/*
 * Sums of 1 / r, their gradients and their Hessians, of charges q of any sign
 * and of dipoles p, by the fast multipole method: N + M operations for N
 * sources and M targets, to any accuracy (Greengard & Rokhlin 1987; Hamada09
 * section 4; translations by rotation: White & Head-Gordon 1996).
 *
 *     potential(x) = sum_j q_j / |d| + p_j d / |d|^3,  d = x - y_j
 *     gradient(x)  = sum_j - q_j d / |d|^3 + p_j / |d|^3 - 3 p_j d d / |d|^5
 *
 * and the Hessian is the gradient's derivative: of charges, sum_j q_j (3 d d^T
 * / |d|^2 - 1) / |d|^3.
 *
 * A source at a target's very place adds nothing to it, be it the target itself
 * or another. In a periodic box the sums are over all images, too, with a
 * neutralising background, as koshu/ewald.h has them; a source at a target's
 * place then adds what its other images do.
 *
 * Threads: an object, its context and the arrays given to it are used by one
 * thread at a time (a second one that sums with an object gets an error); the
 * context's threads do the work. Results are the same, bit for bit, for any
 * number of them.
 */
#ifndef KOSHU_LAPLACE_H
#define KOSHU_LAPLACE_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/force.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_laplace;

struct koshu_laplace_options {
    size_t size; /* of this struct */
    /* Of expansions and pairs; mixed: pairs better than single, expansions
     * single. */
    enum koshu_precision precision;
    /* Of the gradient, (sum |error|^2 / sum |gradient|^2)^(1/2): chooses
     * multipole order and theta. 1e-12 to 0.1; in single and mixed precision
     * from 1e-6. 0: the two are given. */
    double tolerance;
    unsigned multipole_order; /* of the expansions, p: 1 to 20 */
    /* Cells act by their expansions where their radii together are at most this
     * part of their distance; in (0, 1). */
    double theta;
    uint64_t n_leaf; /* maximum of particles in a leaf; 0: by the multipole
                        order. With a few, neighbours act by expansions, and the
                        tolerance is not kept */
    /* The edge of a periodic box, from 1e-90 to 1e90, which begins at `corner`,
     * within 1e12 edges of 0; 0: free space. What nearly cancels in a box errs
     * by more than the tolerance, in a state near a grid 70 times at 1e-3, 13
     * at 1e-4, and less than 10 below: koshu_solver_choose() takes that into
     * account. */
    double box, corner[3];
    /* 0: infinitely many images of the box. 4 to 7: Hamada09's finite lattice,
     * of 2^image_depth boxes in each direction with the box in the middle (the
     * outermost, at both ends, count half), and no background. For charges with
     * a dipole it comes to another limit: its gradients are larger by
     *     4 pi / (3 L^3) sum_j q_j (y_j - x),
     * y_j and x in the box (the surface term of de Leeuw, Perram & Smith 1980,
     * eq. 1.3); take that away to have the infinite lattice's, with a
     * difference that falls as 4^-image_depth. */
    unsigned image_depth;
};

/* Single, tolerance 1e-5, multipole order 8, theta 0.5, n_leaf 0; no box. */
KOSHU_DECLARE_DEFAULT(koshu_laplace_options)

/*
 * n points and, where they are sources, n_rhs sets of charges and dipoles that
 * are all there: right-hand sides, summed in one pass over the same lists. The
 * charge of point i in set k is charge[k * n + i], its dipole (dipole_x[k * n +
 * i], ...). Charges or dipoles may be NULL: there are none.
 */
struct koshu_laplace_points {
    size_t size; /* of this struct */
    size_t n;
    const double *x, *y, *z;
    size_t n_rhs;         /* of sources: 1 to 1024 */
    const double *charge; /* of sources */
    const double *dipole_x, *dipole_y, *dipole_z;
};

/* No points, of one right-hand side. */
KOSHU_DECLARE_DEFAULT(koshu_laplace_points)

/*
 * What the sources' set k of charges gives at target i is element k * n + i of
 * these arrays, n being the number of targets; overwritten. NULL: not
 * requested; of the gradient and of the Hessian all are given, or none.
 */
struct koshu_laplace_result {
    size_t size; /* of this struct */
    double *potential;
    double *gradient_x, *gradient_y, *gradient_z;
    double *hessian_xx, *hessian_xy, *hessian_xz, *hessian_yy, *hessian_yz,
            *hessian_zz;
};

/* Nothing is requested. */
KOSHU_DECLARE_DEFAULT(koshu_laplace_result)

/*
 * Makes what sums, on the backend that the context names.
 * Ownership: the caller destroys *laplace, before the context.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: an option is out of its range, a
 * pointer is NULL (options may be); KOSHU_ERROR_UNSUPPORTED: the context's
 * backend has no such sums, or an option is of a later koshu;
 * KOSHU_ERROR_NO_DEVICE; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_laplace_create(struct koshu_context *context,
                     const struct koshu_laplace_options *options,
                     struct koshu_laplace **laplace);

/* Destroys it; NULL is allowed. */
KOSHU_API void koshu_laplace_destroy(struct koshu_laplace *laplace);

/*
 * Sums of all sources at all targets; targets NULL: at the sources themselves.
 * Memory is kept from one call to the next. n = 0 of either is fine. Each
 * right-hand side has the same bits as alone.
 * Shapes: n of the sources for their places, n_rhs times n for their charges; n
 * of the targets for their places, n_rhs times that for results.
 * Units: potential charge / length, gradient charge / length^2, Hessian charge
 * / length^3, dipole charge length; lengths and charges from 1e-30 to 1e30, and
 * further while the results are doubles, lengths from 1e-90 to 1e90.
 * Error: as options->tolerance says, for charges evenly or unevenly spread in
 * space; tests/unit/solve/test_laplace.c.
 * Status: KOSHU_ERROR_NOT_FINITE: a position, a charge or a dipole is infinite
 * or NaN, or lengths are beyond those; KOSHU_ERROR_UNSUPPORTED: 2^32 points or
 * more, or a struct is of a later koshu; KOSHU_ERROR_INVALID_ARGUMENT: a
 * pointer is NULL, a struct's size is not set, n_rhs is out of its range,
 * another thread is using the object; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_laplace_sums(struct koshu_laplace *laplace,
                   const struct koshu_laplace_points *sources,
                   const struct koshu_laplace_points *targets,
                   const struct koshu_laplace_result *result);

/*
 * Velocities of vortices, an element for each target; overwritten. gradient_ik
 * is du_i / dx_k. NULL: not requested; of the velocity and of its gradient all
 * are given, or none.
 */
struct koshu_laplace_velocity {
    size_t size; /* of this struct */
    double *x, *y, *z;
    double *gradient_xx, *gradient_xy, *gradient_xz;
    double *gradient_yx, *gradient_yy, *gradient_yz;
    double *gradient_zx, *gradient_zy, *gradient_zz;
};

/* Nothing is requested. */
KOSHU_DECLARE_DEFAULT(koshu_laplace_velocity)

/*
 * Velocities that vortices induce, and their gradients, by Biot and Savart's
 * law:
 *
 *     u(x) = 1 / (4 pi) sum_j alpha_j x d / |d|^3,  d = x - y_j
 *
 * alpha_j, the vorticity times the volume of source j, has its components in
 * three right-hand sides, which are summed in one pass: n_rhs = 3, alpha_x =
 * charge[j], alpha_y = charge[n + j], alpha_z = charge[2 n + j]. With these as
 * charges u is the curl of the three potentials over 4 pi; so the divergence of
 * u is 0. Stretching is the gradient times a target's own alpha.
 * Shapes: as of koshu_laplace_sums(), and n of the targets for results.
 * Units: velocity alpha / length^2, gradient alpha / length^3.
 * Error: as of gradients and of Hessians; tests/unit/solve/test_biot_savart.c.
 * Status: as of koshu_laplace_sums(), and KOSHU_ERROR_INVALID_ARGUMENT where
 * n_rhs is not 3.
 * Source: Hamada09 eqs. 1 to 3, without the core function.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_laplace_biot_savart(struct koshu_laplace *laplace,
                          const struct koshu_laplace_points *sources,
                          const struct koshu_laplace_points *targets,
                          const struct koshu_laplace_velocity *velocity);

/* Of the last sums. */
struct koshu_laplace_report {
    size_t size; /* of this struct, set by the caller */
    uint64_t multipole_order;
    double theta;
    uint64_t n_leaf;
    uint64_t cells;        /* of the sources' tree */
    uint64_t translations; /* of multipoles into local expansions */
    uint64_t pairs;        /* that were summed directly */
    struct {
        double tree;   /* and where its cells are */
        double up;     /* to the multipoles of all cells */
        double down;   /* lists, local expansions, and direct sums */
        double near;   /* the direct sums' part of that, as threads spend it */
        double lists;  /* that of the lists, on a device; 0: not told apart */
        double copies; /* to a device and back */
    } seconds;         /* of wall-clock time; of a device its kernels' */
    uint64_t copied_bytes; /* to a device and back */
};

/*
 * Writes what the last sums were, zeros before the first. The caller sets
 * report->size.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a pointer is NULL, or the size is not
 * set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_laplace_report(const struct koshu_laplace *laplace,
                     struct koshu_laplace_report *report);

#ifdef __cplusplus
}
#endif

#endif
