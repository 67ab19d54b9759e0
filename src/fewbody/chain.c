/* SPDX-License-Identifier: MIT */
/* Which body is next to which, and the way between bodies and links. */
#include <math.h>

#include "fewbody/fewbody.h"

/* ---- the order ----------------------------------------------------------- */

static double
distance2(const double *a, const double *b)
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* The two nearest bodies. */
static void
find_pair(size_t n, const double (*x)[3], unsigned *a, unsigned *b)
{
    double least = INFINITY;
    *a = 0;
    *b = 1;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++) {
            const double r2 = distance2(x[i], x[j]);
            if (!(r2 < least)) continue;
            least = r2;
            *a = i;
            *b = j;
        }
}

/* The free body nearest to that one. */
static unsigned
find_nearest(size_t n, const double (*x)[3], const bool *taken, unsigned end,
             double *r2)
{
    unsigned nearest = 0;
    *r2 = INFINITY;
    for (unsigned i = 0; i < n; i++) {
        const double d2 = distance2(x[i], x[end]);
        if (taken[i] || !(d2 < *r2)) continue;
        *r2 = d2;
        nearest = i;
    }
    return nearest;
}

/* From the nearest pair on: what is nearest to either end is the next. */
static void
find_order(size_t n, const double (*x)[3], unsigned *order)
{
    unsigned both[2 * KOSHU_FEWBODY_MAX], low = KOSHU_FEWBODY_MAX,
                                          high = low + 1;
    bool taken[KOSHU_FEWBODY_MAX] = {false};
    find_pair(n, x, &both[low], &both[high]);
    taken[both[low]] = taken[both[high]] = true;
    while (high - low + 1 < n) {
        double to_low, to_high;
        const unsigned a = find_nearest(n, x, taken, both[low], &to_low),
                       b = find_nearest(n, x, taken, both[high], &to_high);
        if (to_low < to_high)
            both[--low] = a;
        else
            both[++high] = b;
        taken[to_low < to_high ? a : b] = true;
    }
    for (size_t k = 0; k < n; k++) order[k] = both[low + k];
}

/* ---- links --------------------------------------------------------------- */

/* From the k-th body to the j-th of a chain, of X or of V. */
static struct koshu_sum
between(const struct koshu_chain *c, size_t at, size_t k, size_t j, size_t d)
{
    struct koshu_sum sum = {0};
    const double sign = k < j ? 1 : -1;
    for (size_t i = k < j ? k : j; i < (k < j ? j : k); i++)
        koshu_sum_merge(&sum, c->y[at + 3 * i + d]);
    return (struct koshu_sum){sign * sum.sum, sign * sum.rest};
}

/* Slowed pairs stay with their links; those that the order parts are slowed no
 * more. */
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

/* The links of another order of the same bodies. */
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

/* A chain that runs the other way has the same links. */
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
    find_order(chain->n, x, order);
    if (!is_same_order(chain->n, order, chain->body)) relink(chain, order);
}

/* ---- bodies -------------------------------------------------------------- */

/* The difference with what rounding takes from it. */
static struct koshu_sum
difference(double a, double b)
{
    struct koshu_sum sum = {a, 0};
    koshu_sum_add(&sum, -b);
    return sum;
}

void
koshu_chain_make(struct koshu_chain *chain, size_t n, const double *mass,
                 const double (*x)[3], const double (*v)[3], double time)
{
    struct koshu_chain *c = chain;
    c->n = n;
    c->total_mass = 0;
    const size_t half = koshu_chain_half(c);
    find_order(n, x, c->body);
    for (size_t k = 0; k < n; k++) {
        c->mass[k] = mass[c->body[k]];
        c->total_mass += c->mass[k];
    }
    for (size_t k = 0; k + 1 < n; k++) {
        const unsigned a = c->body[k], b = c->body[k + 1];
        c->rate[k] = 1;
        for (size_t d = 0; d < 3; d++) {
            c->y[3 * k + d] = difference(x[b][d], x[a][d]);
            c->y[half + 3 * k + d] = difference(v[b][d], v[a][d]);
        }
    }
    c->y[2 * half] = (struct koshu_sum){time, 0};
    koshu_chain_bind(c);
}

/* Sums along the chain, less their centre of mass. */
static void
along(const struct koshu_chain *c, size_t at, double (*out)[3])
{
    for (size_t d = 0; d < 3; d++) {
        struct koshu_sum place[KOSHU_FEWBODY_MAX], centre = {0}, sum = {0};
        for (size_t k = 0; k < c->n; k++) {
            if (k > 0) koshu_sum_merge(&sum, c->y[at + 3 * (k - 1) + d]);
            place[k] = sum;
            koshu_sum_add(&centre, c->mass[k] * sum.sum);
            koshu_sum_add(&centre, c->mass[k] * sum.rest);
        }
        const double middle = koshu_sum_value(centre) / c->total_mass;
        for (size_t k = 0; k < c->n; k++) {
            koshu_sum_add(&place[k], -middle);
            out[c->body[k]][d] = koshu_sum_value(place[k]);
        }
    }
}

void
koshu_chain_bodies(const struct koshu_chain *chain, double (*x)[3],
                   double (*v)[3])
{
    if (x) along(chain, 0, x);
    if (v) along(chain, koshu_chain_half(chain), v);
}
