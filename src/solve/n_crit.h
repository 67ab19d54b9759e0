/* SPDX-License-Identifier: MIT */
/*
 * The size of groups that is the fastest. Small groups make many walks, large
 * ones long lists (Barnes 1990; Hamada09 section 2.1); where the best is
 * depends on the machine and on the particles, so it is measured.
 */
#ifndef KOSHU_SOLVE_N_CRIT_H
#define KOSHU_SOLVE_N_CRIT_H

#include <stdbool.h>
#include <stdint.h>

/* Sizes that are tried: each about 1.4 times the one before. The least time of
 * so many counts, as the first with a size may find memory to be grown. */
enum { KOSHU_N_CRITS = 13, KOSHU_N_CRIT_TRIES = 3 };

struct koshu_n_crit {
    uint64_t now, max; /* for the next forces; for all */
    bool learning;
    int at, best;                  /* among the sizes */
    int tries;                     /* of the one at `at` */
    double seconds[KOSHU_N_CRITS]; /* of a particle; 0: not tried */
};

/* n_crit = 0: to be found; any other stays. No group has more than `max`, >=
 * 16. */
struct koshu_n_crit koshu_n_crit_begin(uint64_t n_crit, uint64_t max);

/* What walk and force of a particle took with `now`; after its last try chooses
 * the next: uphill until it gets slower, then downhill, then the best of all.
 */
void koshu_n_crit_learn(struct koshu_n_crit *n, double seconds);

#endif
