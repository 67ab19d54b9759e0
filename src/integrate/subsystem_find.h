/* SPDX-License-Identifier: MIT */
/* Finds few-body groups from positions and velocities. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_FIND_H
#define KOSHU_INTEGRATE_SUBSYSTEM_FIND_H

#include <math.h>
#include <stdbool.h>

#include "fewbody/fewbody.h"

/* A body, or several that are near each other. */
struct koshu_clump {
    double mass, x[3], v[3];
    double radius; /* 0: one body */
    size_t n;      /* bodies */
    /* of the linked list of its bodies: see koshu_find_subsystems() */
    size_t first, last;
};

/* The criteria. */
struct koshu_grouping {
    /* For bodies of the usual mass: two bodies belong to one group if they are
     * nearer than this, or form a binary with a smaller semi-major axis. */
    double distance;
    double wider; /* factor of the distance */
    double usual; /* mass */
    bool slows;   /* binaries in chains can be slowed down */
};

/* A group continues until it would not be one at a distance larger by this
 * factor. */
static const double koshu_grouping_stays = 1.3;

/* The distance for n bodies of total mass `mass`. It grows with the cube root
 * of the mean mass, so that massive bodies revolve as fast as usual ones and
 * take block steps as short. It does not shrink for light bodies. */
static inline double
koshu_grouping_distance(const struct koshu_grouping *how, double mass, size_t n)
{
    const double usual = (double)n * how->usual,
                 distance = how->wider * how->distance;
    return mass > usual ? distance * cbrt(mass / usual) : distance;
}

/* No two bodies farther apart than this form a group: it is the largest
 * separation of a pair whose semi-major axis is the distance. */
static inline double
koshu_grouping_limit(const struct koshu_grouping *how, double mass, size_t n)
{
    return 2 * koshu_grouping_distance(how, mass, n);
}

/* The mass-weighted mean mass of n bodies. Massless bodies do not count, and
 * light ones contribute little. */
double koshu_usual_mass(size_t n, const double *mass);

/*
 * Joins clusters that belong together until none are left; *n becomes their
 * number. next[k] is the body after k in the list of its cluster, unless k is
 * the last. A cluster has at most KOSHU_FEWBODY_MAX bodies. The result depends
 * only on the clusters and their order. KOSHU_ERROR_UNSUPPORTED: more bodies
 * than that are near each other; KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_find_subsystems(struct koshu_context *context,
                                   const struct koshu_grouping *how, size_t *n,
                                   struct koshu_clump *cluster, size_t *next);

/* The largest separation of two bodies at separation x with relative velocity
 * v, 0 if they are not bound; and their semi-major axis. */
double koshu_pair_apocentre(double mass, const double *x, const double *v,
                            double *semi_major);

#endif
