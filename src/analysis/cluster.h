/* SPDX-License-Identifier: MIT */
/* Shared by the files that measure star clusters. */
#ifndef KOSHU_ANALYSIS_CLUSTER_H
#define KOSHU_ANALYSIS_CLUSTER_H

#include <stdbool.h>

#include <koshu/cluster.h>

/* A star, or a pair as one body. phi: the potential due to all other bodies. */
struct koshu_cluster_body {
    double mass, x[3], v[3], phi;
    uint64_t id;  /* the smallest id of its stars */
    int64_t pair; /* -1: a star */
    bool bound;
};

/* An array of bodies, from which members are removed when pairs replace
 * them. */
struct koshu_cluster_bodies {
    size_t n;
    struct koshu_cluster_body *body;
};

struct koshu_cluster {
    struct koshu_context *context;
    struct koshu_cluster_options options;
    size_t n;
    struct koshu_cluster_body *star; /* n stars */
    /* Pairs, n - 1 at most, and the body that replaces each pair's members.
     * child: members of each pair, as indices into star or pair_body. */
    size_t n_pairs;
    struct koshu_cluster_pair *pair;
    struct koshu_cluster_body *pair_body;
    uint32_t (*child)[2];
    struct koshu_cluster_bodies systems; /* n at most */
    size_t n_shells;
    struct koshu_cluster_shell *shell;
    struct koshu_cluster_summary summary;
};

/* A bound system and its distance from the centre, for sorting. */
struct koshu_cluster_ranked {
    double r;
    uint32_t index; /* of the system */
};

/* ---- cluster_orbit.c ----------------------------------------------------- */

/* The orbit and binding energy of two bodies; `unit`: direction of the angular
 * momentum. false: they are not bound, or at the same position. */
bool koshu_cluster_orbit_of(const struct koshu_cluster_options *options,
                            const struct koshu_cluster_body *a,
                            const struct koshu_cluster_body *b,
                            struct koshu_cluster_pair *pair, double unit[3]);

/* One body that replaces two. */
struct koshu_cluster_body
koshu_cluster_body_of(const struct koshu_cluster_options *options,
                      const struct koshu_cluster_body *a,
                      const struct koshu_cluster_body *b);

/* Whether a hierarchy of these orbits is stable. */
bool koshu_hierarchy_is_stable(const struct koshu_cluster_pair *inner,
                               const struct koshu_cluster_pair *outer,
                               double mass_in, double mass_out,
                               double inclination);

/* ---- the steps of an analysis ------------------------------------------- */

/* To be called in this order. In cluster_pairs.c, cluster_systems.c,
 * cluster_profile.c and cluster_segregation.c. */

/* Fills pair, pair_body, child. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_cluster_find_pairs(struct koshu_cluster *cluster);

/* Fills systems, kT, hard, and sums of the summary. */
void koshu_cluster_find_systems(struct koshu_cluster *cluster);

/* Fills radii and times of the summary, and shells. KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status
koshu_cluster_measure_radii(struct koshu_cluster *cluster);

/* Fills Lambda_MSR. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_cluster_measure_segregation(struct koshu_cluster *cluster);

#endif
