/* SPDX-License-Identifier: MIT */
/* Predicts the time of tree forces over ranks: see trees.h. */
#include <math.h>

#include "performance/performance.h"

/* Messages to each rank: one with the particles that cross a cut, two with its
 * essential tree. */
enum { OF_MOVED = 1, OF_ESSENTIAL = 2, TARGETS = 512, TARGET_BYTES = 56 };
/* Collective statuses and sizes in an evaluation of forces, besides those of
 * the bisection. */
enum { SYNCS = 14 };

/* ---- one rank ------------------------------------------------------------ */

/* A cost per unit of work, for so much of it. */
struct measured_cost {
    double work, each;
};

/* The time is a line through two measurements. Where that would take time from
 * work, or give some back for none, the cost is the nearer one's. */
static double
cost_at(double work, struct measured_cost a, struct measured_cost b)
{
    const double nearer = work < b.work ? a.each : b.each;
    if (!(b.work > a.work)) return nearer;
    const double slope = (b.work * b.each - a.work * a.each) /
                         (b.work - a.work),
                 start = a.work * (a.each - slope);
    if (!(slope > 0) || (work < a.work && start < 0)) return nearer;
    return slope + start / work;
}

/* The measurements before and behind n. Beyond the first or the last, the
 * second is far enough from it for their difference to be more than noise. */
static void
find_neighbours(const struct koshu_tree_rate *rate, size_t last, double n,
                const struct koshu_tree_rate **before,
                const struct koshu_tree_rate **behind)
{
    const double apart = 1.5;
    size_t b = 0;
    while (b < last && rate[b].n < n) b++;
    if (b == 0 && last > 0) b = 1;
    size_t a = b > 0 ? b - 1 : 0;
    if (n < rate[0].n)
        while (b < last && rate[b].n < apart * rate[0].n) b++;
    if (n > rate[last].n)
        while (a > 0 && rate[last].n < apart * rate[a].n) a--;
    *before = &rate[a];
    *behind = &rate[b];
}

struct koshu_tree_rate
koshu_tree_rate_of(const struct koshu_tree_costs *costs, double n)
{
    const size_t last = costs->n_rates - 1;
    const struct koshu_tree_rate *a = costs->rate, *b = costs->rate;
    find_neighbours(costs->rate, last, n, &a, &b);
    const double pairs = n * koshu_tree_list_length(costs, n),
                 of_a = a->n * koshu_tree_list_length(costs, a->n),
                 of_b = b->n * koshu_tree_list_length(costs, b->n);
#define COST(work, of_a, of_b, member)                     \
    cost_at(work, (struct measured_cost){of_a, a->member}, \
            (struct measured_cost){of_b, b->member})
    return (struct koshu_tree_rate){n, COST(n, a->n, b->n, build),
                                    COST(pairs, of_a, of_b, walk),
                                    COST(pairs, of_a, of_b, force)};
#undef COST
}

static double
by_itself(const struct koshu_tree_costs *costs, double n)
{
    const struct koshu_tree_rate rate = koshu_tree_rate_of(costs, n);
    const double list = koshu_tree_list_length(costs, n);
    return n * (rate.build + list * (rate.walk + rate.force));
}

/* ---- messages ------------------------------------------------------------ */

static double
sync_of(const struct koshu_tree_costs *costs, int ranks)
{
    return ranks < 2 ? 0
                     : costs->sync + costs->sync_doubling * log2((double)ranks);
}

static double
messages_of(const struct koshu_tree_costs *costs, int ranks, double columns,
            double bytes)
{
    return columns * (ranks - 1) * costs->message + bytes * costs->byte;
}

/* ---- ranks --------------------------------------------------------------- */

void
koshu_tree_messages(const struct koshu_tree_costs *costs, double n, int ranks,
                    struct koshu_tree_estimate *estimate)
{
    struct koshu_tree_estimate *e = estimate;
    const double own = n / ranks, others = ranks - 1.0;
    double histograms;
    const double rounds = koshu_tree_passes(ranks, &histograms);
    const double moves = own * others / ranks;
    e->domains = rounds * sync_of(costs, ranks) + histograms * costs->byte;
    e->moved = messages_of(costs, ranks, OF_MOVED, moves * costs->moved_bytes);
    e->essential = others * TARGETS * TARGET_BYTES * costs->byte;
    e->sync = SYNCS * sync_of(costs, ranks);
}

/* The numbers of cells and particles that a rank receives, and the bytes that
 * it sends. */
static void
predict_counts(const struct koshu_tree_costs *costs, double n, int ranks,
               struct koshu_tree_estimate *e)
{
    const double own = n / ranks;
    const double shells = koshu_tree_boundary(costs, n, ranks);
    /* at most all particles of the others and as many cells; lists have at most
     * n */
    e->imported = fmin(costs->imported * shells, 2 * (n - own));
    e->list = fmin(n, koshu_tree_list_length(costs, n) *
                              (1 + costs->split * e->imported / own));
    e->bytes = costs->import_bytes * e->imported +
               costs->moved_bytes * own * (1 - 1.0 / ranks);
}

void
koshu_tree_predict(const struct koshu_tree_costs *costs, double n, int ranks,
                   struct koshu_tree_estimate *estimate)
{
    struct koshu_tree_estimate *e = estimate;
    const double own = n / ranks, busiest = ranks > 1 ? costs->imbalance : 1;
    const struct koshu_tree_rate rate = koshu_tree_rate_of(costs, own);
    double bytes;
    *e = (struct koshu_tree_estimate){.alone = by_itself(costs, n),
                                      .each = by_itself(costs, own)};
    predict_counts(costs, n, ranks, e);
    koshu_tree_messages(costs, n, ranks, e);
    e->domains += costs->domains * own * koshu_tree_passes(ranks, &bytes);
    e->moved += costs->moved * own * (ranks > 1);
    e->essential += costs->essential * e->imported;
    e->build = own * rate.build;
    e->walk = busiest * own * e->list * rate.walk;
    e->force = busiest * own * e->list * rate.force;
    e->pass = ranks > 1 ? own * costs->pass : 0;
    e->wait = fmax(0, messages_of(costs, ranks, OF_ESSENTIAL,
                                  e->imported * costs->import_bytes) -
                              (e->each - e->build));
    e->seconds = e->domains + e->moved + e->essential + e->wait + e->sync +
                 e->build + e->walk + e->force + e->pass;
}
