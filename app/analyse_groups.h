/* SPDX-License-Identifier: MIT */
/* koshu analyse: the groups of one snapshot. */
#ifndef KOSHU_APP_ANALYSE_GROUPS_H
#define KOSHU_APP_ANALYSE_GROUPS_H

#include "analyse.h"

struct found_groups {
    struct koshu_friend_groups of;    /* spheres: M200m, M200c */
    size_t total;                     /* particles of all ranks */
    double length;                    /* linking */
    double mass;                      /* of all particles */
    double density, critical_density; /* comoving; 0: of no universe */
};

enum { MEAN, CRITICAL }; /* spheres */

/* Frees by found_free(), whatever the status. */
koshu_status find_groups(struct analysis *w, struct analyse_snapshot *snapshot,
                         struct found_groups *found);
void found_free(struct found_groups *found);

#endif
