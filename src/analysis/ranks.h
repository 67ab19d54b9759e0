/* SPDX-License-Identifier: MIT */
/* What the parts of groups_ranks.c share: particles that are distributed, by
 * slabs of the box or by groups. */
#ifndef KOSHU_ANALYSIS_RANKS_H
#define KOSHU_ANALYSIS_RANKS_H

#include "analysis/analysis.h"
#include "domain/domain.h"

/* Columns of particles: doubles, and the bits of whole numbers. */
enum {
    COLUMN_X,
    COLUMN_Y,
    COLUMN_Z,
    COLUMN_MASS,
    COLUMN_ID,
    GHOST_COLUMNS, /* of particles beside a slab: those before, and the mass */
    COLUMN_VX = GHOST_COLUMNS,
    COLUMN_VY,
    COLUMN_VZ,
    COLUMN_INDEX, /* of all particles, in the order of the store */
    COLUMN_GROUP, /* its number */
    COLUMNS
};

struct columns {
    size_t n;
    double *of[COLUMNS];
};

/* Memory for n of each of the first `count` columns, and those they have. */
bool koshu_columns_allocate(struct columns *c, size_t n, size_t count);
void koshu_columns_free(struct columns *c);

/* As the functions of one rank have them. */
struct koshu_particle_const_view koshu_columns_view(const struct columns *c);

/* Moves the first `count` columns to owner[], which was written; *here is
 * allocated, for `extra` more. Collective. */
koshu_status koshu_columns_move(struct koshu_particle_exchange *exchange,
                                const struct columns *home, size_t count,
                                struct columns *here);

/* All ranks' items, one after the other, in *all, to be freed by koshu_free();
 * how many in *n. Collective. */
koshu_status koshu_gather_items(struct koshu_context *context, const void *mine,
                                size_t item, size_t n_mine, void **all,
                                size_t *n);

/* ---- labels.c ------------------------------------------------------------ */

/* One group has two labels, of two ranks; a label is the least id of the
 * particles that a rank has of it. */
struct label_pair {
    uint64_t a, b;
};

/* A group of this rank: what it calls it, and its own particles in it. */
struct labelled {
    uint64_t label, count;
};

/* A group of all ranks. */
struct numbered {
    uint64_t label, count; /* label: the least id of all of it */
};

/*
 * What groups there are, of `least` or more, the largest first; and the number
 * of each of this rank's (number[k] of labelled[k]; UINT64_MAX: too small).
 * Collective.
 */
koshu_status koshu_labels_number(struct koshu_context *context, size_t n_pairs,
                                 const struct label_pair *pairs,
                                 size_t n_labelled,
                                 const struct labelled *labelled, size_t least,
                                 uint64_t *number, struct numbered **groups,
                                 size_t *n_groups);

/* ---- spheres_ranks.c ----------------------------------------------------- */

/* A group that this rank measures. */
struct centre {
    uint64_t group;
    double minimum[3], mass;
};

/* The spheres of a density about all ranks' centres. Collective. */
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
    size_t ranks, slabs;   /* slabs: at most so many */
    struct columns own;    /* those in this rank's slab, all but the group */
    struct columns beside; /* of the next slab */
    uint64_t *label;       /* of each of both; then the number of its group */
    struct label_pair *pairs;
    size_t n_pairs;
    struct columns members; /* of the groups that this rank measures */
    struct centre *centres; /* of those */
    struct koshu_fof fof;   /* of members */
};

/* Particles to their slabs; of each the number of its group, in w->label
 * (UINT64_MAX: none); and how many groups there are, and how large.
 * Collective. */
koshu_status
koshu_slabs_find(struct group_work *work, struct koshu_particles *particles);

#endif
