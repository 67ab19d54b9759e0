/* SPDX-License-Identifier: MIT */
/* The terms of a Cartesian expansion, and which are products of which. */
#include <stdlib.h>

#include "base/base.h"
#include "fmm/fmm.h"

/* The index of (i, j, k): ordered by degree, then falling i, then falling j. */
static int
at(int i, int j, int k)
{
    const int rest = j + k;
    return koshu_cartesian_terms(i + rest - 1) + rest * (rest + 1) / 2 + k;
}

/* Records one factor of the term: an axis, and the term without it. */
static void
write_term(struct koshu_cartesian *c, const int power[3])
{
    const int axis = power[0] ? 0 : power[1] ? 1 : 2;
    const int a = at(power[0], power[1], power[2]), n = power[axis];
    int less[3] = {power[0], power[1], power[2]};
    c->degree[a] = (uint8_t)(power[0] + power[1] + power[2]);
    if (n == 0) return;
    less[axis] = n - 1;
    c->axis[a] = (uint8_t)axis;
    c->inverse[a] = 1.0 / n;
    c->parent[a] = (uint16_t)at(less[0], less[1], less[2]);
    if (n == 1) return;
    less[axis] = n - 2;
    c->less[a] = n - 1;
    c->grand[a] = (uint16_t)at(less[0], less[1], less[2]);
}

/* Parents precede their children. */
static void
write_factors(struct koshu_cartesian *c)
{
    c->factor[0] = 1;
    for (int a = 1; a < c->terms; a++)
        c->factor[a] = c->inverse[a] * c->factor[c->parent[a]];
}

/* The exponents of term a. */
static void
powers_of(const struct koshu_cartesian *c, int a, int power[3])
{
    power[0] = power[1] = power[2] = 0;
    for (; a > 0; a = c->parent[a]) power[c->axis[a]]++;
}

static void
write_products(struct koshu_cartesian *c)
{
    uint32_t n = 0;
    for (int a = 0; a < c->terms; a++) {
        int p[3], q[3];
        powers_of(c, a, p);
        c->first[a] = n;
        for (int b = 0; b < koshu_cartesian_terms(c->order - c->degree[a]);
             b++) {
            powers_of(c, b, q);
            c->product[n++] =
                    (uint16_t)at(p[0] + q[0], p[1] + q[1], p[2] + q[2]);
        }
    }
}

/* The number of pairs of terms whose degrees add up to `order` or less, each
 * pair having a product. It equals the number of terms in six variables. */
static size_t
count_products(int order)
{
    size_t n = 1;
    for (int k = 1; k <= 6; k++) n = n * (size_t)(order + k) / (size_t)k;
    return n;
}

size_t
koshu_cartesian_bytes(const struct koshu_cartesian *cartesian)
{
    return sizeof *cartesian +
           count_products(cartesian->order) * sizeof(uint16_t);
}

koshu_status
koshu_cartesian_create(struct koshu_context *context, int order, size_t begin,
                       struct koshu_cartesian **cartesian)
{
    const size_t products = count_products(order) * sizeof(uint16_t);
    struct koshu_cartesian *c = calloc(1, sizeof *c + products);
    *cartesian = c;
    if (!c)
        return koshu_fail_memory(context, sizeof *c + products,
                                 "terms of expansions");
    c->order = order;
    c->terms = koshu_cartesian_terms(order);
    c->begin = begin;
    for (int i = 0; i <= order; i++)
        for (int j = 0; i + j <= order; j++)
            for (int k = 0; i + j + k <= order; k++)
                write_term(c, (int[3]){i, j, k});
    write_factors(c);
    write_products(c);
    return KOSHU_OK;
}

void
koshu_cartesian_destroy(struct koshu_cartesian *cartesian)
{
    free(cartesian);
}
