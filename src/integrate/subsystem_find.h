/* SPDX-License-Identifier: MIT */
/* Which bodies belong together, by where they are and how they move. */
#ifndef KOSHU_INTEGRATE_SUBSYSTEM_FIND_H
#define KOSHU_INTEGRATE_SUBSYSTEM_FIND_H

#include <math.h>
#include <stdbool.h>

#include "fewbody/fewbody.h"

/* A body, or some that are near each other. */
struct koshu_clump {
    double mass, x[3], v[3];
    double radius;      /* 0: one body */
    size_t n;           /* bodies */
    size_t first, last; /* of their list: see koshu_find_subsystems() */
};

/* By what. */
struct koshu_grouping {
    /* Bodies that are nearer are of one group; and the two of a binary, where
     * its semi-major axis is smaller: where they are of the usual mass */
    double distance;
    double wider; /* the distance counts this many times */
    double usual; /* mass */
    bool slows;   /* binaries of chains can be slowed */
};

/* What is a group stays one until it would be none by a distance so much wider.
 */
static const double koshu_grouping_stays = 1.3;

/* The distance for n bodies of that mass together. At the cube root of their
 * mean mass heavy ones revolve as fast as usual ones, and take block steps that
 * are as short: what is lighter has its own. */
static inline double
koshu_grouping_distance(const struct koshu_grouping *how, double mass, size_t n)
{
    const double usual = (double)n * how->usual,
                 distance = how->wider * how->distance;
    return mass > usual ? distance * cbrt(mass / usual) : distance;
}

/* Further than this from each other no two of them are one group: no further
 * can those of a pair be whose semi-major axis is the distance. */
static inline double
koshu_grouping_limit(const struct koshu_grouping *how, double mass, size_t n)
{
    return 2 * koshu_grouping_distance(how, mass, n);
}

/* The usual mass of n bodies: that in which a piece of their mass is, on
 * average. Bodies without mass do not count, and light ones do little. */
double koshu_usual_mass(size_t n, const double *mass);

/*
 * Joins clusters that belong together, until none do; *n becomes their number.
 * next[k] is the body after k in the list of its cluster, where it is not the
 * last. Bodies of one cluster are at most KOSHU_FEWBODY_MAX. The same for the
 * same clusters in the same order. KOSHU_ERROR_UNSUPPORTED: more than that are
 * near each other; KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_find_subsystems(struct koshu_context *context,
                                   const struct koshu_grouping *how, size_t *n,
                                   struct koshu_clump *cluster, size_t *next);

/* Two bodies, of distance x and its rate v: how far apart they come, 0 where
 * they are not bound; their semi-major axis. */
double koshu_pair_apocentre(double mass, const double *x, const double *v,
                            double *semi_major);

#endif
