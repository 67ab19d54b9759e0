/* SPDX-License-Identifier: MIT */
/* koshu analyse: the groups of one snapshot. */
#ifndef KOSHU_APP_ANALYSE_GROUPS_H
#define KOSHU_APP_ANALYSE_GROUPS_H

#include "analyse.h"

struct found_groups {
    struct koshu_friend_groups of;    /* spheres: M200m, M200c */
    size_t total;                     /* particles of all ranks */
    double length;                    /* the linking length */
    double mass;                      /* of all particles */
    double density, critical_density; /* comoving; 0: not cosmological */
    size_t n_halos;                   /* by find_halos() */
    struct koshu_fof_sphere *halo;    /* M200m */
};

enum { MEAN, CRITICAL }; /* spheres */

/* To be freed by found_free(), whatever the status. */
koshu_status find_groups(struct analysis *w, struct analyse_snapshot *snapshot,
                         struct found_groups *found);

/* To be called after find_groups(): finds halos around the cores of all of its
 * groups. */
koshu_status find_halos(struct analysis *w, struct analyse_snapshot *snapshot,
                        struct found_groups *found);
void found_free(struct found_groups *found);

/* Prints the groups, and writes them where requested. Collective. */
koshu_status show_groups(const struct analysis *w,
                         const struct analyse_snapshot *snapshot,
                         const struct found_groups *found);

/* ---- analyse_masses.c ---------------------------------------------------- */

koshu_status begin_masses(struct analysis *w);

/* KOSHU_ERROR_BAD_INPUT: the table of P(k) is too short for sigma of the
 * smallest groups, or of clusters. */
koshu_status
check_masses(const struct analysis *w, const struct analyse_snapshot *snapshot);

/* Finds the halos, counts them by mass, and prints. */
koshu_status show_masses(struct analysis *w, struct analyse_snapshot *snapshot,
                         struct found_groups *found);

/* Writes the mass functions of all files. Collective. */
koshu_status finish_masses(const struct analysis *w);

#endif
