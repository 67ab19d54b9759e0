/* SPDX-License-Identifier: MIT */
/* koshu analyse: the star cluster of each snapshot. */
#ifndef KOSHU_APP_ANALYSE_CLUSTER_H
#define KOSHU_APP_ANALYSE_CLUSTER_H

#include "analyse.h"

struct cluster_of {
    char label[64]; /* "t = 10 Myr" */
    uint64_t step;
    double time;
    /* of the bound mass, since the snapshot before; NaN in the first */
    double escape_rate;
    struct koshu_cluster *cluster;
    struct koshu_cluster_summary summary;
    size_t n_shells, n_pairs;
    const struct koshu_cluster_shell *shell;
    const struct koshu_cluster_pair *pair;
};

/* ---- analyse_cluster_print.c: of the k-th -------------------------------- */

void print_cluster(const struct analysis *w, const struct cluster_of *c);
void print_profile(const struct analysis *w, const struct cluster_of *c);
void print_binaries(const struct analysis *w, const struct cluster_of *c);

/* ---- analyse_cluster_write.c, analyse_cluster_draw.c: of all ------------- */

koshu_status
write_clusters(const struct analysis *w, const struct cluster_of *c);
koshu_status
draw_clusters(const struct analysis *w, const struct cluster_of *c);

#endif
