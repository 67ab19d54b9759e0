/* SPDX-License-Identifier: MIT */
/* Counts neighbouring domains on one host, and behind one switch. */
#include <stdlib.h>
#include <string.h>

#include "domain/domain.h"

/* The numbers of each rank's host and switch. */
struct places {
    int ranks;
    int *host;
    uint64_t *leaf; /* 0: unknown */
};

/* Slurm's "s0.s4.tux1" names the switches from the top of the network to the
 * node. Returns a hash of those above the node; 0: Slurm does not tell. */
static uint64_t
find_switch(void)
{
    const char *address = getenv("SLURM_TOPOLOGY_ADDR");
    const char *node = address ? strrchr(address, '.') : NULL;
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    if (!node) return 0;
    for (; address < node; address++)
        hash = (hash ^ (unsigned char)*address) * 1099511628211u;
    return hash;
}

/* ---- pairs --------------------------------------------------------------- */

/* Whether ranks first ... first + n - 1 have the same number. */
static bool
is_one_host(const struct places *p, int first, int n)
{
    for (int r = first + 1; r < first + n; r++)
        if (p->host[r] != p->host[first]) return false;
    return true;
}

static bool
is_one_switch(const struct places *p, int first, int n)
{
    for (int r = first + 1; r < first + n; r++)
        if (p->leaf[r] != p->leaf[first]) return false;
    return true;
}

/* Pairs of ranks `step` apart along a grid axis of length n. */
static struct koshu_pairs
count_neighbours(const struct places *p, int n, int step)
{
    struct koshu_pairs c = {0};
    for (int r = 0; r < p->ranks; r++) {
        if (r / step % n == n - 1) continue;
        c.all++;
        c.on_host += p->host[r] == p->host[r + step];
        c.on_switch += p->leaf[r] == p->leaf[r + step];
    }
    return c;
}

/* Cut parts of a recursive bisection of n ranks from `first` on. */
static void
count_cuts(const struct places *p, int first, int n, struct koshu_pairs *c)
{
    if (n < 2) return;
    c->all++;
    c->on_host += is_one_host(p, first, n);
    c->on_switch += is_one_switch(p, first, n);
    count_cuts(p, first, n / 2, c);
    count_cuts(p, first + n / 2, n - n / 2, c);
}

/* ---- hosts and switches -------------------------------------------------- */

static void
count_hosts(const struct places *places, struct koshu_placement *p)
{
    p->fewest = places->ranks;
    for (int r = 0; r < places->ranks; r++) {
        int n = 0;
        if (places->host[r] != r) continue;
        for (int k = 0; k < places->ranks; k++) n += places->host[k] == r;
        if (n < p->fewest) p->fewest = n;
        if (n > p->largest) p->largest = n;
        p->hosts++;
    }
}

/* 0: at least one is unknown. */
static int
count_switches(const struct places *places)
{
    int n = 0;
    for (int r = 0; r < places->ranks; r++) {
        bool first = true;
        if (places->leaf[r] == 0) return 0;
        for (int k = 0; k < r && first; k++)
            first = places->leaf[k] != places->leaf[r];
        n += first;
    }
    return n;
}

static void
fill(const struct places *places, struct koshu_placement *p)
{
    const int *g = p->grid;
    count_hosts(places, p);
    p->switches = count_switches(places);
    if (g[0] == 0) {
        count_cuts(places, 0, places->ranks, &p->pairs[0]);
        return;
    }
    p->pairs[0] = count_neighbours(places, g[0], g[1] * g[2]);
    p->pairs[1] = count_neighbours(places, g[1], g[2]);
    p->pairs[2] = count_neighbours(places, g[2], 1);
}

koshu_status
koshu_placement_of(struct koshu_context *context, struct koshu_placement *p)
{
    const int ranks = koshu_context_ranks(context);
    const uint64_t mine = find_switch();
    struct places places = {ranks, calloc((size_t)ranks, sizeof(int)),
                            calloc((size_t)ranks, sizeof(uint64_t))};
    koshu_status status = KOSHU_OK;
    *p = (struct koshu_placement){.ranks = ranks};
    koshu_ranks_grid(context, p->grid);
    if (!places.host || !places.leaf)
        status = koshu_fail_memory(context, (size_t)ranks * sizeof *places.leaf,
                                   "places of ranks");
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) status = koshu_ranks_hosts(context, places.host);
    if (status == KOSHU_OK)
        status = koshu_all_gather(context, &mine, sizeof mine, places.leaf);
    if (status == KOSHU_OK) fill(&places, p);
    free(places.host);
    free(places.leaf);
    return status;
}
