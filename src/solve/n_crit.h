/* SPDX-License-Identifier: MIT */
/*
 * Finds the fastest size of groups. Small groups need many walks, large ones
 * long lists (Barnes 1990; Hamada09 section 2.1). The optimum depends on the
 * machine and on the particles, so it is measured.
 */
#ifndef KOSHU_SOLVE_N_CRIT_H
#define KOSHU_SOLVE_N_CRIT_H

#include <stdbool.h>
#include <stdint.h>

/* The number of sizes tried, each about 1.4 times the one before, and of
 * measurements for each. The shortest counts, because the first with a size may
 * include memory allocation. */
enum { KOSHU_N_CRITS = 13, KOSHU_N_CRIT_TRIES = 3 };

struct koshu_n_crit {
    uint64_t now, max; /* for the next forces; upper limit */
    bool learning;
    int at, best;                  /* indices of sizes */
    int tries;                     /* measurements of the size `at` */
    double seconds[KOSHU_N_CRITS]; /* per particle; 0: not tried */
};

/* n_crit = 0: to be found; otherwise fixed. No group exceeds `max`, which is >=
 * 16. */
struct koshu_n_crit koshu_n_crit_begin(uint64_t n_crit, uint64_t max);

/* Takes the time per particle of walk and force with size `now`. After the last
 * measurement of a size chooses the next: larger until it gets slower, then
 * smaller, then the best of all. */
void koshu_n_crit_learn(struct koshu_n_crit *n, double seconds);

#endif
