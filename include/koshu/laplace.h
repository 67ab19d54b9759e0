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
 * and the Hessian is the gradient's derivative: for charges, sum_j q_j (3 d d^T
 * / |d|^2 - 1) / |d|^3.
 *
 * A source at exactly a target's position contributes nothing to it, whether or
 * not it is the target itself. In a periodic box the sums include all images
 * and a neutralising background, as defined in koshu/ewald.h; a source at a
 * target's position then contributes through its other images.
 *
 * Threads: an object, its context and the arrays given to it are used by one
 * thread at a time (a second one that sums with an object gets an error); the
 * context's threads do the work. Results do not depend on their number, bit for
 * bit.
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
    /* For expansions and pairs; mixed: pairs better than single, expansions
     * single. */
    enum koshu_precision precision;
    /* The rms relative error of the gradient, (sum |error|^2 / sum
     * |gradient|^2)^(1/2), from which multipole order and theta are chosen.
     * 1e-12 to 0.1; in single and mixed precision from 1e-6. 0: order and theta
     * are given. */
    double tolerance;
    unsigned multipole_order; /* p of the expansions: 1 to 20 */
    /* Cells interact through expansions if the sum of their radii is at most
     * this fraction of their distance; in (0, 1). */
    double theta;
    uint64_t n_leaf; /* maximum number of particles in a leaf; 0: from the
                        multipole order. With very few, neighbours act by
                        expansions, and the tolerance is not kept */
    /* The edge of a periodic box, from 1e-90 to 1e90, which begins at `corner`,
     * within 1e12 edges of 0; 0: free space. In a box, forces that nearly
     * cancel have errors above the tolerance: for particles near a grid 70
     * times at 1e-3, 13 times at 1e-4, and less than 10 times below.
     * koshu_solver_choose() takes that into account. */
    double box, corner[3];
    /* 0: infinitely many images of the box. 4 to 7: Hamada09's finite lattice
     * of 2^image_depth boxes in each direction, with the box in the middle (the
     * outermost, at both ends, count half), and no background. For charges with
     * a dipole it has another limit: its gradients are larger by
     *     4 pi / (3 L^3) sum_j q_j (y_j - x),
     * y_j and x in the box (the surface term of de Leeuw, Perram & Smith 1980,
     * eq. 1.3). Without that term, the difference from the infinite lattice
     * falls as 4^-image_depth. */
    unsigned image_depth;
};

/* Single, tolerance 1e-5, multipole order 8, theta 0.5, n_leaf 0; no box. */
KOSHU_DECLARE_DEFAULT(koshu_laplace_options)

/*
 * n points and, if they are sources, n_rhs sets of charges and dipoles:
 * right-hand sides, summed in one pass over the same lists. The charge of point
 * i in set k is charge[k * n + i], its dipole (dipole_x[k * n + i], ...).
 * Charges or dipoles may be NULL: there are none.
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
 * The field of the sources' set k at target i is element k * n + i of these
 * arrays, n being the number of targets; overwritten. NULL: not requested; the
 * components of the gradient, and those of the Hessian, are given all or none.
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
 * Creates a solver of such sums on the context's backend.
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
 * Sums over all sources at all targets; targets NULL: at the sources
 * themselves. Memory is kept from one call to the next. n may be 0 for either.
 * Each right-hand side gives the same bits as if it were alone.
 * Shapes: n of the sources for their positions, n_rhs times n for their
 * charges; n of the targets for their positions, n_rhs times that for results.
 * Units: potential charge / length, gradient charge / length^2, Hessian charge
 * / length^3, dipole charge length; lengths and charges from 1e-30 to 1e30, and
 * beyond as long as results are in the range of double, lengths from 1e-90 to
 * 1e90.
 * Error: as options->tolerance says, for charges evenly or unevenly distributed
 * in space; tests/unit/solve/test_laplace.c.
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
 * Velocities induced by vortices, an element for each target; overwritten.
 * gradient_ik is du_i / dx_k. NULL: not requested; the components of the
 * velocity, and those of its gradient, are given all or none.
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
 * Computes the velocities that vortices induce, and their gradients, by the
 * Biot-Savart law:
 *
 *     u(x) = 1 / (4 pi) sum_j alpha_j x d / |d|^3,  d = x - y_j
 *
 * alpha_j, vorticity times volume of source j, has its components in three
 * right-hand sides, which are summed in one pass: n_rhs = 3, alpha_x =
 * charge[j], alpha_y = charge[n + j], alpha_z = charge[2 n + j]. u is the curl
 * of the three potentials of these charges over 4 pi, so its divergence is 0.
 * Stretching is the gradient times a target's own alpha.
 * Shapes: as for koshu_laplace_sums(), and n of the targets for results.
 * Units: velocity alpha / length^2, gradient alpha / length^3.
 * Error: as for gradients and Hessians; tests/unit/solve/test_biot_savart.c.
 * Status: as koshu_laplace_sums(), and KOSHU_ERROR_INVALID_ARGUMENT if n_rhs is
 * not 3.
 * Source: Hamada09 eqs. 1 to 3, without the core function.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_laplace_biot_savart(struct koshu_laplace *laplace,
                          const struct koshu_laplace_points *sources,
                          const struct koshu_laplace_points *targets,
                          const struct koshu_laplace_velocity *velocity);

/* What the last sums took. */
struct koshu_laplace_report {
    size_t size; /* of this struct, set by the caller */
    uint64_t multipole_order;
    double theta;
    uint64_t n_leaf;
    uint64_t cells;        /* of the sources' tree */
    uint64_t translations; /* multipole-to-local translations */
    uint64_t pairs;        /* summed directly */
    struct {
        double tree;   /* making the tree, and finding its cells' centres */
        double up;     /* multipoles of all cells */
        double down;   /* lists, local expansions, and direct sums */
        double near;   /* the direct sums' share of that, by threads' time */
        double lists;  /* the lists' share, on a device; 0: not known */
        double copies; /* to a device and back */
    } seconds;         /* wall-clock time; on a device that of kernels */
    uint64_t copied_bytes; /* to a device and back */
};

/*
 * Reports the last sums, zeros before the first. The caller sets report->size.
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
