/* SPDX-License-Identifier: MIT */
/* Shared by the parts of groups_ranks.c: particles distributed by slabs of the
 * box or by groups. */
#ifndef KOSHU_ANALYSIS_RANKS_H
#define KOSHU_ANALYSIS_RANKS_H

#include "analysis/analysis.h"
#include "domain/domain.h"

/* Columns of particles: doubles, or integers stored by their bits. */
enum {
    COLUMN_X,
    COLUMN_Y,
    COLUMN_Z,
    COLUMN_MASS,
    COLUMN_ID,
    GHOST_COLUMNS, /* columns of particles next to a slab: those before, and
                      the mass */
    COLUMN_VX = GHOST_COLUMNS,
    COLUMN_VY,
    COLUMN_VZ,
    COLUMN_INDEX, /* index among all particles, in the store's order */
    COLUMN_GROUP, /* number of its group */
    COLUMNS
};

struct columns {
    size_t n;
    double *of[COLUMNS];
};

/* Allocates n numbers for each of the first `count` columns. */
bool koshu_columns_allocate(struct columns *c, size_t n, size_t count);
void koshu_columns_free(struct columns *c);

/* The columns as a view, for the functions that work on one rank. */
struct koshu_particle_const_view koshu_columns_view(const struct columns *c);

/* Moves the first `count` columns to the ranks in owner[], which the caller has
 * written; allocates *here with `extra` more columns. Collective. */
koshu_status koshu_columns_move(struct koshu_particle_exchange *exchange,
                                const struct columns *home, size_t count,
                                struct columns *here);

/* Gathers all ranks' items in rank order in *all, freed with koshu_free(); *n:
 * how many. Collective. */
koshu_status koshu_gather_items(struct koshu_context *context, const void *mine,
                                size_t item, size_t n_mine, void **all,
                                size_t *n);

/* ---- labels.c ------------------------------------------------------------ */

/* Two labels, on two ranks, of the same group. A label is the smallest id of
 * the group's particles that a rank has. */
struct label_pair {
    uint64_t a, b;
};

/* A group on this rank: its label, and how many own particles it has. */
struct labelled {
    uint64_t label, count;
};

/* A group of all ranks. */
struct numbered {
    uint64_t label, count; /* label: the smallest id in the whole group */
};

/*
 * Finds the groups with `least` or more particles, the largest first, and the
 * number of each group on this rank (number[k] for labelled[k]; UINT64_MAX: too
 * small). Collective.
 */
koshu_status koshu_labels_number(struct koshu_context *context, size_t n_pairs,
                                 const struct label_pair *pairs,
                                 size_t n_labelled,
                                 const struct labelled *labelled, size_t least,
                                 uint64_t *number, struct numbered **groups,
                                 size_t *n_groups);

/* ---- spheres_ranks.c ----------------------------------------------------- */

/* The centre of a group that this rank measures. */
struct centre {
    uint64_t group;
    double minimum[3], mass;
};

/* Finds spheres of that density about all ranks' centres. Collective. */
koshu_status koshu_spheres_over_ranks(struct koshu_context *context,
                                      const struct columns *particles,
                                      double box, double density,
                                      double density_of_guess, size_t n,
                                      const struct centre *centres,
                                      struct koshu_fof_sphere *spheres);

/* ---- groups_ranks.c, slabs.c --------------------------------------------- */

struct group_work {
    struct koshu_context *context;
    const struct koshu_friend_groups_options *o;
    struct koshu_friend_groups *groups;
    size_t ranks, slabs;   /* slabs: their maximum number */
    struct columns own;    /* particles in this rank's slab, without their
                              group */
    struct columns beside; /* those of the next slab near its lower face */
    uint64_t *label;       /* of the particles of both; later the number of
                              their group */
    struct label_pair *pairs;
    size_t n_pairs;
    struct columns members; /* of the groups that this rank measures */
    struct centre *centres; /* of these groups */
    struct koshu_fof fof;   /* of the members */
};

/* Moves particles to their slabs. Fills w->label with the number of each one's
 * group (UINT64_MAX: none), and the number and sizes of groups. Collective. */
koshu_status
koshu_slabs_find(struct group_work *work, struct koshu_particles *particles);

#endif
