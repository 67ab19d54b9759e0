/* SPDX-License-Identifier: MIT */
/* Finds the fastest size of groups: see n_crit.h. */
#include "solve/n_crit.h"

enum { FIRST = 4 }; /* 64 */

static uint64_t
size_at(int k)
{
    static const uint64_t sizes[KOSHU_N_CRITS] = {
            16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
    return sizes[k];
}

struct koshu_n_crit
koshu_n_crit_begin(uint64_t n_crit, uint64_t max)
{
    int first = FIRST;
    if (n_crit > 0)
        return (struct koshu_n_crit){.now = n_crit < max ? n_crit : max};
    while (size_at(first) > max) first--;
    return (struct koshu_n_crit){.now = size_at(first),
                                 .max = max,
                                 .learning = true,
                                 .at = first,
                                 .best = first};
}

/* Of the neighbours of the best size, one that has not been tried, the larger
 * first; -1: both have been, so the best is found. */
static int
next_to_try(const struct koshu_n_crit *n)
{
    const int up = n->best + 1, down = n->best - 1;
    if (up < KOSHU_N_CRITS && size_at(up) <= n->max && n->seconds[up] == 0)
        return up;
    if (down >= 0 && n->seconds[down] == 0) return down;
    return -1;
}

void
koshu_n_crit_learn(struct koshu_n_crit *n, double seconds)
{
    if (!n->learning) return;
    double *least = &n->seconds[n->at];
    if (n->tries == 0 || seconds < *least)
        *least = seconds > 0 ? seconds : 1e-300;
    if (++n->tries < KOSHU_N_CRIT_TRIES) return;
    n->tries = 0;
    if (*least < n->seconds[n->best]) n->best = n->at;
    const int next = next_to_try(n);
    n->learning = next >= 0;
    n->at = next >= 0 ? next : n->best;
    n->now = size_at(n->at);
}
