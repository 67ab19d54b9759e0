/* SPDX-License-Identifier: MIT */
/*
 * The treecode: forces by Barnes' modified tree algorithm (Barnes & Hut 1986;
 * Barnes 1990; Hamada09 section 2).
 *
 * Particles are sorted along a space-filling curve, and an octree is built over
 * them. Neighbours form groups of at most n_crit particles; the tree is walked
 * once for each group, and the particles and cells found act on all of it. So
 * walks are cheap, but lists are longer than those of single particles.
 *
 * A cell acts as a whole, by its mass and second moments, on groups whose box
 * is far enough from its centre of mass:
 *
 *     geometric    d >= l / theta + delta
 *     relative     M l^p / d^(p + 2) <= alpha a,  and d >= l / 1.25 + delta
 *
 * l is the longest side of the bounding box of the cell's particles, delta the
 * distance of its centre of mass from the box's centre, a the smallest
 * acceleration in the group at the last step (Springel 2005, eq. 18), p = 2 for
 * monopoles and 3 with quadrupoles. If all accelerations are 0, as before the
 * first step, they are found by the geometric criterion first, with theta = 1,
 * in a periodic box 0.5; errors are then the same as later. delta makes the
 * criterion safe for lopsided mass distributions (Salmon & Warren 1994; Barnes
 * 1994).
 *
 * In a periodic box a group walks the box and its images, two to each side, in
 * the same way; all other images act by the box's multipoles, and a uniform
 * background cancels the mean density, so that forces are those of Ewald sums
 * (koshu/ewald.h); tests/unit/solve/test_treecode_periodic.c. Softening applies
 * to all images.
 *
 * With several ranks (koshu/ranks.h) each has the particles of a domain, from
 * orthogonal recursive bisection of all particles, weighted by the interactions
 * of the last forces (Hamada10 section 3). It sums over its own tree, and over
 * the parts of other ranks' trees that its groups need (local essential trees:
 * Salmon 1990; Warren & Salmon 1992), with the same criterion. Errors are those
 * of one rank: tests/mpi/test_tree_forces.c.
 *
 * Results do not depend on the number of threads, bit for bit. Units of lengths
 * and masses may be anything from 1e-30 to 1e30 of the caller's: if units
 * differ by powers of two, so do results, but for last bits of the relative
 * criterion. Lists are of floats, scaled if necessary. KOSHU_ERROR_UNSUPPORTED
 * if floats do not cover the range: a softening more than 1e27 times the box
 * or, on a CPU with particles at the same place, less than 1e-30 of it; masses
 * below 1e-36 of the total, on a GPU below 1e-33; without softening, pairs so
 * close that m / r^3 is beyond float: 1e-22 of the box for two that have all
 * the mass, on a GPU 1e-20.
 *
 * Threads: everything here may be called from any thread at any time, but with
 * a context only by the thread that uses it.
 */
#ifndef KOSHU_TREE_H
#define KOSHU_TREE_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which multipoles of a cell act on a group. */
enum koshu_multipole_order {
    KOSHU_MULTIPOLE_ORDER_MONOPOLE, /* the mass, as in the papers */
    KOSHU_MULTIPOLE_ORDER_QUADRUPOLE
};

/* Which cells act as a whole: the formulas are above. */
enum koshu_opening_criterion {
    KOSHU_OPENING_CRITERION_GEOMETRIC,
    KOSHU_OPENING_CRITERION_RELATIVE
};

/* The curve that particles are sorted along. */
enum koshu_space_filling_curve {
    KOSHU_SPACE_FILLING_CURVE_AUTO, /* Morton on the host, Hilbert if a
                                       device traverses the tree */
    KOSHU_SPACE_FILLING_CURVE_MORTON,
    KOSHU_SPACE_FILLING_CURVE_HILBERT
};

/* Where the tree is traversed if there is a device: on the device, or by the
 * host's threads, which make lists while the device sums others (Hamada09
 * section 2.3). */
enum koshu_traversal {
    KOSHU_TRAVERSAL_AUTO, /* the device if it can; else the host */
    KOSHU_TRAVERSAL_DEVICE,
    KOSHU_TRAVERSAL_HOST
};

struct koshu_tree_options {
    size_t size; /* of this struct */
    enum koshu_multipole_order multipole_order;
    enum koshu_opening_criterion opening_criterion;
    double theta;    /* of the geometric criterion, in (0, 1] */
    double alpha;    /* of the relative criterion, > 0 */
    uint64_t n_crit; /* maximum number of particles in a group; 0: found by
                        measurement. A device that traverses the tree takes
                        no more than 64 */
    uint64_t n_leaf; /* maximum number of particles in a leaf; 0: 8 on the
                        host, or what suits the device that traverses the
                        tree */
    enum koshu_space_filling_curve space_filling_curve;
    enum koshu_traversal traversal;
    double box;       /* edge of a periodic box; 0: free space */
    double corner[3]; /* its smallest coordinates */
};

/* Quadrupole, relative, theta 0.5, alpha 0.002, n_crit 64, n_leaf 0, auto
 * space-filling curve and traversal, free space. */
KOSHU_DECLARE_DEFAULT(koshu_tree_options)

/* "monopole", "quadrupole"; NULL past the last: count up from 0 to list. */
KOSHU_API const char *
koshu_multipole_order_name(enum koshu_multipole_order value);

/* "geometric", "relative"; NULL past the last. */
KOSHU_API const char *
koshu_opening_criterion_name(enum koshu_opening_criterion value);

/* "auto", "morton", "hilbert"; NULL past the last. */
KOSHU_API const char *
koshu_space_filling_curve_name(enum koshu_space_filling_curve value);

/* "auto", "device", "host"; NULL past the last. */
KOSHU_API const char *koshu_traversal_name(enum koshu_traversal value);

/*
 * Finds the value of a name; context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: no value has the name, the message lists them;
 * KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_multipole_order_find(struct koshu_context *context, const char *name,
                           enum koshu_multipole_order *value);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_opening_criterion_find(struct koshu_context *context, const char *name,
                             enum koshu_opening_criterion *value);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_space_filling_curve_find(struct koshu_context *context, const char *name,
                               enum koshu_space_filling_curve *value);
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_traversal_find(struct koshu_context *context, const char *name,
                     enum koshu_traversal *value);

/* Evaluations of forces, and their cost. For the FMM: build is all of its tree,
 * moments the expansions from the leaves to the root, walk its lists and the
 * expansions from the root to the leaves, force the direct sums; there are no
 * groups. */
struct koshu_tree_report {
    size_t size; /* of this struct, set by the caller */
    uint64_t evaluations;
    /*
     * Wall-clock seconds of the stages. The time of threads that alternate
     * between walk and force is divided in proportion. If a device sums lists
     * that the host's threads make meanwhile, only the threads' waiting counts
     * as transfer and force, in the proportion of the device's times. If a
     * device traverses the tree, walk includes force, and stages are timed by
     * its clock.
     */
    struct {
        double keys, sort, build, moments, groups, walk, transfer, force;
    } seconds;
    /* For a device that sums lists of the host: seconds in which it copied and
     * summed, whether or not the host waited; batches and bytes. */
    struct {
        double up, sums, down;
        uint64_t batches, bytes_up, bytes_down;
    } device;
    uint64_t particles, cells, groups;
    uint64_t interactions;   /* of a particle with a particle or cell */
    uint64_t with_cells;     /* of which with cells */
    uint64_t cells_tested;   /* against the opening criterion */
    uint64_t n_crit, n_leaf; /* of the last evaluation */
    enum koshu_space_filling_curve space_filling_curve;
    uint64_t bytes;        /* maximum of device memory so far, including that of
                              particles, if the tree is on a device */
    uint64_t translations; /* FMM: multipole-to-local translations */
    /* With several ranks counts above are those of all, seconds those of this
     * one; `exposed` is the time in which it only moved particles and
     * waited. */
    uint64_t largest_interactions; /* the largest number of interactions of a
                                      rank; times ranks over `interactions`
                                      it is the imbalance. For an FMM
                                      translations are included, scaled to
                                      the sum of `interactions` */
    uint64_t imported;             /* cells and particles of essential trees */
    uint64_t bytes_sent;           /* of essential trees and particles */
    double exposed;
    /* The parts of `exposed`: finding the domains; sending particles to their
     * owners, and sums back; making the parts of the tree that other ranks
     * need; waiting for theirs. */
    struct {
        double domains, particles, essential, wait;
    } exposed_seconds;
};

/* Errors |a - a_direct| / |a_direct| (Hamada07 eq. 3) of a sample of particles,
 * and the Barnes-Hut list length: the number of interactions per particle in
 * the algorithm of Barnes & Hut (1986), with a walk for each particle, in a
 * tree down to single particles, with the same criterion; 0 if the method is
 * not a tree. The papers' corrected rates count these. */
struct koshu_tree_errors {
    size_t size; /* of this struct, set by the caller */
    size_t sample;
    double median, p90, p99, max;
    double barnes_hut_length; /* 0 with several ranks: not measured */
    double rms;               /* root mean square */
    double l2; /* the rms of |a - a_direct| over the rms of |a_direct| */
};

#ifdef __cplusplus
}
#endif

#endif
