/* SPDX-License-Identifier: MIT */
/* What the files on star clusters share. */
#ifndef KOSHU_ANALYSIS_CLUSTER_H
#define KOSHU_ANALYSIS_CLUSTER_H

#include <stdbool.h>

#include <koshu/cluster.h>

/* A star, or a pair in one place. phi: the potential of all others. */
struct koshu_cluster_body {
    double mass, x[3], v[3], phi;
    uint64_t id;  /* the smallest of its stars */
    int64_t pair; /* -1: a star */
    bool bound;
};

/* Bodies in an array that they leave when pairs take their places. */
struct koshu_cluster_bodies {
    size_t n;
    struct koshu_cluster_body *body;
};

struct koshu_cluster {
    struct koshu_context *context;
    struct koshu_cluster_options options;
    size_t n;
    struct koshu_cluster_body *star; /* n */
    /* Pairs, at most n - 1, and what each has put in the place of its members.
     * child: of members, indices into star or pair_body. */
    size_t n_pairs;
    struct koshu_cluster_pair *pair;
    struct koshu_cluster_body *pair_body;
    uint32_t (*child)[2];
    struct koshu_cluster_bodies systems; /* at most n */
    size_t n_shells;
    struct koshu_cluster_shell *shell;
    struct koshu_cluster_summary summary;
};

/* A bound system's place in the order of distances. */
struct koshu_cluster_ranked {
    double r;
    uint32_t index; /* of systems */
};

/* ---- cluster_orbit.c ----------------------------------------------------- */

/* Orbit and binding energy of two bodies; `unit`: the direction of its angular
 * momentum. False: they are not bound, or in one place. */
bool koshu_cluster_orbit_of(const struct koshu_cluster_options *options,
                            const struct koshu_cluster_body *a,
                            const struct koshu_cluster_body *b,
                            struct koshu_cluster_pair *pair, double unit[3]);

/* One body in the place of two. */
struct koshu_cluster_body
koshu_cluster_body_of(const struct koshu_cluster_options *options,
                      const struct koshu_cluster_body *a,
                      const struct koshu_cluster_body *b);

/* May the outer orbit be about the inner one? */
bool koshu_hierarchy_is_stable(const struct koshu_cluster_pair *inner,
                               const struct koshu_cluster_pair *outer,
                               double mass_in, double mass_out,
                               double inclination);

/* ---- cluster_pairs.c, cluster_systems.c, cluster_profile.c, ------------
 * ---- cluster_segregation.c: in this order ------------------------------ */

/* Fills pair, pair_body, child. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_cluster_find_pairs(struct koshu_cluster *cluster);

/* Fills systems, kT, hard, and sums of the summary. */
void koshu_cluster_find_systems(struct koshu_cluster *cluster);

/* Radii and times of the summary, and shells. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_cluster_measure_radii(struct koshu_cluster *cluster);

/* Lambda_MSR. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_cluster_measure_segregation(struct koshu_cluster *cluster);

#endif
