/* SPDX-License-Identifier: MIT */
/* Reorders the bodies of a chain. */
#include "fewbody/fewbody.h"

/* From the k-th body to the j-th of a chain; at: X or V. */
static struct koshu_sum
between(const struct koshu_chain *c, size_t at, size_t k, size_t j, size_t d)
{
    struct koshu_sum sum = {0};
    const double sign = k < j ? 1 : -1;
    for (size_t i = k < j ? k : j; i < (k < j ? j : k); i++)
        koshu_sum_merge(&sum, c->y[at + 3 * i + d]);
    return (struct koshu_sum){sign * sum.sum, sign * sum.rest};
}

/* Slowed pairs keep their links; those separated by the new order are no longer
 * slowed. */
static void
move_rates(struct koshu_chain *c, const size_t *from)
{
    double rate[KOSHU_CHAIN_LINKS];
    bool stays[KOSHU_CHAIN_LINKS] = {false};
    for (size_t k = 0; k + 1 < c->n; k++) {
        const size_t a = from[k], b = from[k + 1], low = a < b ? a : b;
        const bool same = a + 1 == b || b + 1 == a;
        rate[k] = same ? c->rate[low] : 1;
        if (same) stays[low] = true;
    }
    for (size_t k = 0; k + 1 < c->n; k++)
        if (!stays[k] && c->rate[k] != 1) koshu_chain_speed_up(c, k);
    for (size_t k = 0; k + 1 < c->n; k++) c->rate[k] = rate[k];
}

/* The links of the same bodies in another order. */
static void
relink(struct koshu_chain *c, const unsigned *order)
{
    const size_t half = koshu_chain_half(c);
    size_t place[KOSHU_FEWBODY_MAX], from[KOSHU_FEWBODY_MAX];
    for (size_t k = 0; k < c->n; k++) place[c->body[k]] = k;
    for (size_t k = 0; k < c->n; k++) from[k] = place[order[k]];
    move_rates(c, from);
    const struct koshu_chain old = *c;
    for (size_t k = 0; k < c->n; k++) {
        c->body[k] = order[k];
        c->mass[k] = old.mass[from[k]];
    }
    for (size_t k = 0; k + 1 < c->n; k++)
        for (size_t d = 0; d < 3; d++) {
            const size_t a = from[k], b = from[k + 1];
            c->y[3 * k + d] = between(&old, 0, a, b, d);
            c->y[half + 3 * k + d] = between(&old, half, a, b, d);
        }
}

/* The reverse order has the same links. */
static bool
is_same_order(size_t n, const unsigned *a, const unsigned *b)
{
    bool same = true, reversed = true;
    for (size_t k = 0; k < n; k++) {
        same = same && a[k] == b[k];
        reversed = reversed && a[k] == b[n - 1 - k];
    }
    return same || reversed;
}

void
koshu_chain_renew(struct koshu_chain *chain)
{
    unsigned order[KOSHU_FEWBODY_MAX];
    double x[KOSHU_FEWBODY_MAX][3];
    if (chain->n < 3) return;
    koshu_chain_bodies(chain, x, NULL);
    koshu_chain_order(chain->n, (const double(*)[3])x, order);
    if (!is_same_order(chain->n, order, chain->body)) relink(chain, order);
}
