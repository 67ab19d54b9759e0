/* SPDX-License-Identifier: MIT */
/*
 * Groups of particles and their properties; tables of star clusters.
 *
 * Threads: the context's threads do the work. Results do not depend on their
 *   number, bit for bit.
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
    double length; /* linking length: particles this close or closer are in
                      one group */
    size_t least;  /* minimum number of members, 1 or more */
};

/* KOSHU_ERROR_BAD_INPUT: the length exceeds a quarter of the box, or is not
 * above sqrt(3) / 2^21 of it, below which there are too many cells. */
KOSHU_MUST_CHECK koshu_status
koshu_friends_check(struct koshu_context *context,
                    const struct koshu_friends_options *options);

/* Groups, the largest first; of equal ones, first that with the smallest id. */
struct koshu_fof {
    size_t n;
    size_t *first;    /* n + 1 numbers: group g has member[first[g]] ... */
    uint32_t *member; /* particle indices, ascending within each group */
};

/*
 * Friends of friends: the smallest sets such that no particle outside is within
 * the linking length of one inside. All particles of a cell of edge length /
 * sqrt(3) belong to one group, so cells are joined rather than particles: O(N)
 * but for sorting.
 * Ownership: the caller frees *groups with koshu_fof_free(), whatever the
 *   status.
 * Status: that of koshu_friends_check(); KOSHU_ERROR_BAD_INPUT: 2^32 or more
 *   particles; KOSHU_ERROR_OUT_OF_MEMORY.
 * Source: Davis et al. 1985 (ApJ 292, 371).
 */
KOSHU_MUST_CHECK koshu_status koshu_friends_of_friends(
        struct koshu_context *context,
        const struct koshu_particle_const_view *particles,
        const struct koshu_friends_options *options, struct koshu_fof *groups);
void koshu_fof_free(struct koshu_fof *groups);

/* ---- properties.c -------------------------------------------------------- */

/* Positions are in the box; velocities are those of the particles. */
struct koshu_fof_group {
    size_t n;
    double mass;
    double centre[3], velocity[3]; /* of the centre of mass */
    double dispersion;             /* rms velocity about it, along one axis */
    double minimum[3];             /* position of the lowest potential */
    uint64_t minimum_id;           /* of the particle there */
};

/* Measures each group. The potential is that of the group's own members,
 * softened, divided by G. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_fof_measure(struct koshu_context *context,
                  const struct koshu_particle_const_view *particles,
                  const struct koshu_fof *groups, double box, double softening,
                  struct koshu_fof_group *group);

/* ---- overdensity.c ------------------------------------------------------- */

/* Particles sorted into cells, on average one in each. */
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

/* The minimum number of particles in a sphere. */
enum { KOSHU_SPHERE_MIN = 10 };

/* A first radius for a group whose members have that mass. */
double koshu_sphere_guess(double mass, double density);

/* Both 0: no sphere of that density has KOSHU_SPHERE_MIN particles. */
struct koshu_fof_sphere {
    double mass, radius;
};

enum { KOSHU_GROUP_SPHERES = 2 };

/*
 * For each group, spheres about the position of its lowest potential within
 * which the mean density is as given: M(r) = 4 pi / 3 r^3 density, counting all
 * particles. The radius is where the mean density first falls to that value
 * going outwards from where it is higher. It must be higher somewhere within
 * koshu_sphere_guess() of the group's mass and the first density; from there it
 * is followed up to half the box. Density 0: no sphere.
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_spheres_of_groups(
        struct koshu_context *context, const struct koshu_linked_cells *cells,
        size_t n, const struct koshu_fof_group *group,
        const double density[KOSHU_GROUP_SPHERES],
        struct koshu_fof_sphere *sphere[KOSHU_GROUP_SPHERES]);

/* ---- groups_ranks.c ------------------------------------------------------ */

struct koshu_friend_groups_options {
    struct koshu_friends_options friends;
    double softening;                    /* in the potential */
    double density[KOSHU_GROUP_SPHERES]; /* mean densities of spheres; 0:
                                            none. The first determines the
                                            initial radius for all */
    bool members;                        /* whether ids of members are wanted */
};

/* Groups of all ranks, the same on each rank. */
struct koshu_friend_groups {
    size_t n, n_members;
    struct koshu_fof_group *group;
    struct koshu_fof_sphere *sphere[KOSHU_GROUP_SPHERES];
    uint64_t *member; /* ids, group by group; NULL: not wanted */
};

/*
 * Finds the groups of the particles of all ranks, their properties, and the
 * spheres about them. The result is what the functions above give for all
 * particles on one rank, bit for bit. Each rank finds friends in a slab of the
 * box, and measures every K-th group. Ids must be distinct. Collective.
 * Ownership: the caller frees *groups with koshu_friend_groups_free(), whatever
 *   the status. Status: as koshu_friends_of_friends(); KOSHU_ERROR_EXTERNAL:
 *   MPI failed.
 */
KOSHU_MUST_CHECK koshu_status koshu_friend_groups_over_ranks(
        struct koshu_particles *particles,
        const struct koshu_friend_groups_options *options,
        struct koshu_friend_groups *groups);
void koshu_friend_groups_free(struct koshu_friend_groups *groups);

/* ---- halos.c ------------------------------------------------------------- */

/* The linking length of halo cores over that of groups. */
static const double KOSHU_CORE_LINKING = 0.5;

/*
 * Halos, the heaviest first: the spheres of the first density about cores
 * (groups with a short linking length), without those whose centre lies in a
 * heavier halo. Particles in the overlap of two halos belong to both, as in
 * Tinker et al. 2008 (ApJ 688, 709, section 2.2). Groups with the usual length
 * join touching halos, so there are more halos than groups.
 * Ownership: the caller frees *halo with koshu_free().
 * Status: KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_halos_of_cores(
        struct koshu_context *context, const struct koshu_friend_groups *cores,
        double box, struct koshu_fof_sphere **halo, size_t *n);

/* ---- cluster_table.c ----------------------------------------------------- */

/* Tables of struct koshu_cluster_summary, koshu_cluster_shell,
 * koshu_cluster_pair. */
enum koshu_cluster_table {
    KOSHU_CLUSTER_TABLE_SUMMARY,
    KOSHU_CLUSTER_TABLE_SHELLS,
    KOSHU_CLUSTER_TABLE_PAIRS
};

enum { KOSHU_CLUSTER_MAX_COLUMNS = 48, KOSHU_CLUSTER_HEADER = 1600 };

/* The names of the columns, with units, separated by commas: "mass [Msun],r50
 * [pc]". */
void koshu_cluster_header(enum koshu_cluster_table table,
                          const struct koshu_units *units, size_t size,
                          char *text);

/* Fills a row from one of those structs; returns the number of columns. */
size_t
koshu_cluster_row(enum koshu_cluster_table table, const void *of, double *row);

#endif
