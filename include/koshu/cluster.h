/* SPDX-License-Identifier: MIT */
/*
 * Star clusters: the properties of a cluster at one time.
 *
 * A pair is two stars that are each other's nearest neighbour and are bound,
 *
 *     E_b = G m1 m2 / sqrt(r^2 + eps^2) - mu v^2 / 2 > 0,  mu = m1 m2/(m1 + m2)
 *
 * The search is repeated with pairs replaced by their centres of mass: a pair
 * and a star, or two pairs, that fulfil the same condition form a hierarchy if
 * it is stable: with q = m_out / m_in and i the angle between the orbits,
 *
 *     a_out (1 - e_out) > 2.8 a_in [(1 + q)(1 + e_out) / sqrt(1 - e_out)]^(2/5)
 *                         (1 - 0.3 i / pi)    (Mardling & Aarseth 2001, eq. 90)
 *
 * A pair is hard if E_b > kT, 3/2 kT being the mean kinetic energy of bound
 * systems (Heggie 1975). Systems are the stars, with the members of hard pairs
 * and hierarchies replaced by their centres of mass: the internal motion of a
 * binary counts neither in the dispersion nor in the temperature of the
 * cluster.
 *
 * A system is bound if |v - u|^2 / 2 + phi < 0, where phi excludes its internal
 * potential and u is the mean velocity of the bound systems. External fields
 * are not included. For the N bound systems, of total mass M, about the density
 * centre:
 *
 *     T = sum m |v - u|^2 / 2,  W = sum m phi / 2,  r_v = G M^2 / (2 |W|)
 *     crossing time       2 r_v / v_rms: 2 sqrt 2 in Henon units
 *     relaxation time     0.138 N sqrt(r_h^3 / (G M)) / ln(0.11 N), of the half
 *                         mass (Spitzer 1987, eq. 2-63; 0.11: Giersz & Heggie
 *                         1994)
 *     anisotropy          1 - sum m v_t^2 / (2 sum m v_r^2)
 *
 * Threads: a cluster object does not change, and may be read by any number of
 * threads; particles are used by one thread at a time.
 */
#ifndef KOSHU_CLUSTER_H
#define KOSHU_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/diagnostics.h>
#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_cluster_options {
    size_t size;                   /* of the struct */
    double gravitational_constant; /* G > 0, in units of masses and
                                      velocities; 1 */
    double softening;              /* eps >= 0, of the pairs' potential; 0 */
    size_t n_shells;  /* of profiles, 1 or more; fewer if they would hold
                         less than 10 systems; 20 */
    size_t n_massive; /* systems in Lambda_MSR, 2 ... 1000; 10 */
    size_t n_samples; /* random sets for it, 2 or more; 200 */
    uint64_t seed;    /* of the random sets; 1 */
};

/* The defaults given above. */
KOSHU_DECLARE_DEFAULT(koshu_cluster_options)

/* Values are 0 where undefined: those of the core with fewer than 7 stars,
 * Lambda_MSR with fewer than twice n_massive systems, the relaxation time with
 * fewer than 10 systems, and everything about bound systems if there are
 * none. */
struct koshu_cluster_summary {
    size_t size;             /* of the struct, set by the caller */
    size_t n, n_systems;     /* stars; systems */
    size_t n_bound;          /* N: bound systems */
    size_t n_pairs, n_hard;  /* of two stars: all, and hard ones */
    size_t n_hierarchies;    /* hard hierarchies of three or more stars */
    double mass, bound_mass; /* of all stars; M */
    double centre[3];        /* density centre; below 7 stars the centre of
                                mass */
    double velocity[3];      /* u */
    double core_radius;      /* see Source of koshu_cluster_create() */
    double core_mass;        /* of bound systems within it */
    double lagrangian_radius[KOSHU_LAGRANGIAN_COUNT]; /* for fractions of M;
                                                         the fifth is the
                                                         half-mass radius */
    double kinetic, potential;                        /* T, W */
    double virial_ratio;                              /* T / |W| */
    double virial_radius;                             /* r_v */
    double velocity_dispersion; /* along one axis: sqrt(2 T / (3 M)) */
    double anisotropy;
    double kt; /* kT */
    double crossing_time, relaxation_time;
    double binding_energy;    /* sum of E_b of hard pairs and hierarchies */
    double segregation;       /* Lambda_MSR; above 1 the heaviest systems are
                                 closer together than random ones */
    double segregation_error; /* its standard deviation */
};

/* Bound systems in a shell. Used in arrays, so the struct never grows. */
struct koshu_cluster_shell {
    size_t n;                     /* systems */
    double inner, outer, radius;  /* of the shell; mean, weighted by mass */
    double mass, mass_within;     /* of the shell; inside the outer radius */
    double density;               /* mass / volume */
    double number_density;        /* systems / volume */
    double mean_mass;             /* per system */
    double radial_velocity;       /* mean, weighted by mass */
    double radial_dispersion;     /* sigma_r, about that mean */
    double tangential_dispersion; /* sigma_t, along one axis */
    double velocity_dispersion;   /* sqrt((sigma_r^2 + 2 sigma_t^2) / 3) */
    double anisotropy;            /* 1 - sigma_t^2 / sigma_r^2 */
};

/* Two members in orbit about each other. Used in arrays, so the struct never
 * grows. */
struct koshu_cluster_pair {
    size_t n;         /* number of stars */
    uint64_t id[2];   /* of the members; for a pair the smallest id in it */
    int64_t inner[2]; /* if a member is itself a pair: its index in the same
                         array; -1: a star */
    int64_t outer;    /* index of the pair of which this one is a member; -1:
                         none */
    double mass[2];   /* of the members */
    double separation, semi_major_axis, eccentricity;
    double period;
    double inclination; /* relative to the orbit of the closest inner pair,
                           in radians */
    double energy;      /* E_b */
    double energy_kt;   /* E_b / kT; 0 if kT is 0 */
    double position[3], velocity[3]; /* of the centre of mass */
    double radius;                   /* distance from the density centre */
    int hard;                        /* 1; 0: soft */
};

struct koshu_cluster;

/*
 * Measures a cluster from masses, positions, velocities and potentials of the
 * same time, as computed by koshu_solver_forces() or stored in a snapshot.
 * options NULL: the defaults. Collective: each rank gets the result for all
 * particles, the same bits for any number of threads and ranks. O(N log N),
 * with a k-d tree. The potential of a hard pair is what remains of its members'
 * after subtracting their mutual one, so potentials must be of
 * KOSHU_PRECISION_MIXED, or better KOSHU_PRECISION_DOUBLE.
 * Units: those of the particles; potentials include G.
 * Ownership: the caller destroys *cluster, before the context.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: an option out of its range, several
 * particles with masses and all potentials 0 (they have not been computed), or
 * NULL; KOSHU_ERROR_UNSUPPORTED: options of a later koshu, or 2^32 particles;
 * KOSHU_ERROR_BAD_INPUT: a negative mass, or no mass at all;
 * KOSHU_ERROR_NOT_FINITE: a particle is not finite; KOSHU_ERROR_OUT_OF_MEMORY;
 * KOSHU_ERROR_DEVICE: a copy from a device failed.
 * Source: density centre and densities from six neighbours: Casertano & Hut
 * 1985, ApJ 298, 80; core radius r_c^2 = sum rho^2 r^2 / sum rho^2: McMillan,
 * Hut & Makino 1990, ApJ 362, 522; Lambda_MSR = <l_random> / l_massive, lengths
 * of minimum spanning trees: Allison et al. 2009, MNRAS 395, 1449; Heggie 1975,
 * MNRAS 173, 729; Giersz & Heggie 1994, MNRAS 268, 257; Mardling & Aarseth
 * 2001, MNRAS 321, 398.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_cluster_create(struct koshu_particles *particles,
                     const struct koshu_cluster_options *options,
                     struct koshu_cluster **cluster);

/* NULL is allowed. */
KOSHU_API void koshu_cluster_destroy(struct koshu_cluster *cluster);

/*
 * Returns the properties of the cluster as a whole.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, or summary->size is not set.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_cluster_summary(const struct koshu_cluster *cluster,
                      struct koshu_cluster_summary *summary);

/*
 * Returns the profile: shells with equal numbers of bound systems, from the
 * density centre outwards. *n: their number; n may be NULL. NULL, and 0 shells,
 * if cluster is NULL.
 * Units: those of the particles.
 * Ownership: the cluster's.
 */
KOSHU_API const struct koshu_cluster_shell *
koshu_cluster_shells(const struct koshu_cluster *cluster, size_t *n);

/*
 * Returns the pairs and hierarchies, in descending order of binding energy. *n:
 * their number; n may be NULL. NULL, and 0 pairs, if cluster is NULL.
 * Units: those of the particles.
 * Ownership: the cluster's.
 */
KOSHU_API const struct koshu_cluster_pair *
koshu_cluster_pairs(const struct koshu_cluster *cluster, size_t *n);

#ifdef __cplusplus
}
#endif

#endif
