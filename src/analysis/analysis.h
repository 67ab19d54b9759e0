/* SPDX-License-Identifier: MIT */
/*
 * Groups of particles, and what they are like; tables of star clusters.
 *
 * Threads: those of the context do the work; results are the same, bit for bit,
 * for any number of them.
 */
#ifndef KOSHU_ANALYSIS_ANALYSIS_H
#define KOSHU_ANALYSIS_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/cluster.h>
#include <koshu/context.h>
#include <koshu/particles.h>
#include <koshu/status.h>
#include <koshu/units.h>

/* ---- friends.c ----------------------------------------------------------- */

struct koshu_friends_options {
    double box;    /* edge of the periodic cube */
    double length; /* particles at most this far apart are of one group */
    size_t least;  /* members of a group, 1 or more */
};

/* Groups, the largest first; of equal ones that with the smallest id. */
struct koshu_fof {
    size_t n;
    size_t *first;    /* n + 1: group g has member[first[g]] ... */
    uint32_t *member; /* indices of particles, ascending in each group */
};

/*
 * Friends of friends: the smallest sets such that no particle outside is within
 * the linking length of one inside. Cells of edge length / sqrt(3) have all
 * their particles in one group, so it is cells that are joined: O(N) but for
 * sorting.
 * Ownership: the caller frees *groups by koshu_fof_free(), whatever the
 * status.
 * Status: KOSHU_ERROR_BAD_INPUT: the length is more than a quarter of the box,
 * or not above 0; 2^32 particles; KOSHU_ERROR_OUT_OF_MEMORY.
 * Source: Davis et al. 1985 (ApJ 292, 371).
 */
KOSHU_MUST_CHECK koshu_status koshu_friends_of_friends(
        struct koshu_context *context,
        const struct koshu_particle_const_view *particles,
        const struct koshu_friends_options *options, struct koshu_fof *groups);
void koshu_fof_free(struct koshu_fof *groups);

/* ---- properties.c -------------------------------------------------------- */

/* Places are in the box; velocities are those of the particles. */
struct koshu_fof_group {
    size_t n;
    double mass;
    double centre[3], velocity[3]; /* of mass */
    double dispersion;             /* rms velocity about it, along one axis */
    double minimum[3];             /* the place of the lowest potential */
    uint64_t minimum_id;           /* of the particle there */
};

/* Of each group. The potential is that of the group's own members, softened,
 * over G. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_fof_measure(struct koshu_context *context,
                  const struct koshu_particle_const_view *particles,
                  const struct koshu_fof *groups, double box, double softening,
                  struct koshu_fof_group *group);

/* ---- overdensity.c ------------------------------------------------------- */

/* Particles in cells, one of them in each on average. */
struct koshu_linked_cells {
    const struct koshu_particle_const_view *particles;
    double box;
    size_t n; /* along an edge */
    uint32_t *first;
    uint32_t *index;
};

KOSHU_MUST_CHECK koshu_status
koshu_linked_cells_create(struct koshu_context *context,
                          const struct koshu_particle_const_view *particles,
                          double box, struct koshu_linked_cells *cells);
void koshu_linked_cells_free(struct koshu_linked_cells *cells);

/* Particles that a sphere has at least. */
enum { KOSHU_SPHERE_MIN = 10 };

/* A radius to begin with, of a group whose friends have so much mass. */
double koshu_sphere_guess(double mass, double density);

/* 0, 0: none so dense with KOSHU_SPHERE_MIN particles. */
struct koshu_fof_sphere {
    double mass, radius;
};

enum { KOSHU_GROUP_SPHERES = 2 };

/*
 * Of each group the spheres about the place of its lowest potential whose mean
 * density falls to these, going outward from where it is higher: M(r) = 4 pi /
 * 3 r^3 density, of all particles. It has to be higher somewhere within
 * koshu_sphere_guess() of the group's mass and the first density; from there it
 * is followed up to half the box. Density 0: none. KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_spheres_of_groups(
        struct koshu_context *context, const struct koshu_linked_cells *cells,
        size_t n, const struct koshu_fof_group *group,
        const double density[KOSHU_GROUP_SPHERES],
        struct koshu_fof_sphere *sphere[KOSHU_GROUP_SPHERES]);

/* ---- groups_ranks.c ------------------------------------------------------ */

struct koshu_friend_groups_options {
    struct koshu_friends_options friends;
    double softening;                    /* of the potential */
    double density[KOSHU_GROUP_SPHERES]; /* of spheres; 0: not wanted. The first
                                            of them gives the guess of all */
    bool members;                        /* their ids are wanted */
};

/* Of all ranks, the same on each. */
struct koshu_friend_groups {
    size_t n, n_members;
    struct koshu_fof_group *group;
    struct koshu_fof_sphere *sphere[KOSHU_GROUP_SPHERES];
    uint64_t *member; /* ids, group after group; NULL: not wanted */
};

/*
 * Groups of the particles of all ranks, what they are like, and the spheres
 * about them: what the functions above make of all particles on one rank, bit
 * for bit. Each rank has a slab of the box for its friends, and every K-th
 * group to measure. Ids have to differ. Collective.
 * Ownership: the caller frees *groups by koshu_friend_groups_free(), whatever
 * the status. Status: as koshu_friends_of_friends(); KOSHU_ERROR_EXTERNAL: MPI
 * failed.
 */
KOSHU_MUST_CHECK koshu_status koshu_friend_groups_over_ranks(
        struct koshu_particles *particles,
        const struct koshu_friend_groups_options *options,
        struct koshu_friend_groups *groups);
void koshu_friend_groups_free(struct koshu_friend_groups *groups);

/* ---- halos.c ------------------------------------------------------------- */

/* Of a group's own linking length, that of the cores which have halos. */
static const double KOSHU_CORE_LINKING = 0.5;

/*
 * Halos, the heaviest first: the first spheres of cores (groups by a short
 * linking length) that have one, without those whose centre is in a heavier
 * halo's; particles where two overlap are in both, as Tinker et al. 2008 count
 * them (ApJ 688, 709, section 2.2). Groups by the usual length join halos that
 * touch: so there are more halos than groups.
 * Ownership: the caller frees *halo by koshu_free().
 * Status: KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_halos_of_cores(
        struct koshu_context *context, const struct koshu_friend_groups *cores,
        double box, struct koshu_fof_sphere **halo, size_t *n);

/* ---- cluster_table.c ----------------------------------------------------- */

/* Of struct koshu_cluster_summary, koshu_cluster_shell, koshu_cluster_pair. */
enum koshu_cluster_table {
    KOSHU_CLUSTER_TABLE_SUMMARY,
    KOSHU_CLUSTER_TABLE_SHELLS,
    KOSHU_CLUSTER_TABLE_PAIRS
};

enum { KOSHU_CLUSTER_MAX_COLUMNS = 48, KOSHU_CLUSTER_HEADER = 1600 };

/* The names of the columns, with commas and units, "mass [Msun],r50 [pc]". */
void koshu_cluster_header(enum koshu_cluster_table table,
                          const struct koshu_units *units, size_t size,
                          char *text);

/* Their numbers, of one of those structs; how many. */
size_t
koshu_cluster_row(enum koshu_cluster_table table, const void *of, double *row);

#endif
