/* SPDX-License-Identifier: MIT */
#include "analysis/centre.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"

static double
potential_at(size_t n, const double *place, double softening, size_t i)
{
    const double *p = place + 4 * i, eps2 = softening * softening;
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        const double *q = place + 4 * j;
        const double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
        const double r2 = x * x + y * y + z * z + eps2;
        sum -= j != i && r2 > 0 ? q[3] / sqrt(r2) : 0;
    }
    return sum;
}

/* ---- the fullest cells --------------------------------------------------- */

enum { CELLS = 32 };

struct range {
    double low[3], edge; /* of a cell */
};

static struct range
range_of(size_t n, const double *place)
{
    struct range r = {.low = {INFINITY, INFINITY, INFINITY}};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++) {
            r.low[a] = fmin(r.low[a], place[4 * i + (size_t)a]);
            high[a] = fmax(high[a], place[4 * i + (size_t)a]);
        }
    for (int a = 0; a < 3; a++)
        r.edge = fmax(r.edge, (high[a] - r.low[a]) / CELLS);
    return r;
}

static size_t
cell_of(const struct range *r, const double *p)
{
    size_t cell = 0;
    for (int a = 0; a < 3; a++) {
        const size_t k =
                r->edge > 0 ? (size_t)((p[a] - r->low[a]) / r->edge) : 0;
        cell = cell * CELLS + (k < CELLS ? k : CELLS - 1);
    }
    return cell;
}

enum { ALL_CELLS = CELLS * CELLS * CELLS };

static size_t
members_in(const uint32_t *count, uint32_t limit)
{
    size_t members = 0;
    for (size_t c = 0; c < ALL_CELLS; c++)
        members += count[c] >= limit ? count[c] : 0;
    return members;
}

/* The largest limit of cells that have enough candidates, bit by bit. */
static uint32_t
fullness(const uint32_t *count)
{
    uint32_t limit = 0;
    for (uint32_t bit = UINT32_C(1) << 31; bit > 0; bit >>= 1)
        if (members_in(count, limit | bit) >= KOSHU_CENTRE_CANDIDATES)
            limit |= bit;
    return limit;
}

/* Those of the fullest cells, or every so-manieth of them. */
static size_t
choose(size_t n, const double *place, uint32_t *count, size_t *candidate)
{
    const struct range r = range_of(n, place);
    for (size_t i = 0; i < n; i++) count[cell_of(&r, place + 4 * i)]++;
    const uint32_t limit = fullness(count);
    const size_t stride = members_in(count, limit) / KOSHU_CENTRE_CANDIDATES;
    size_t chosen = 0, seen = 0;
    for (size_t i = 0; i < n; i++) {
        if (count[cell_of(&r, place + 4 * i)] < limit) continue;
        if (seen++ % stride == 0) candidate[chosen++] = i;
    }
    return chosen;
}

/* ---- all ----------------------------------------------------------------- */

static size_t
lowest_of(size_t n, const double *place, double softening, size_t n_candidates,
          const size_t *candidate)
{
    size_t lowest = candidate ? candidate[0] : 0;
    double depth = INFINITY;
    for (size_t k = 0; k < n_candidates; k++) {
        const size_t i = candidate ? candidate[k] : k;
        const double potential = potential_at(n, place, softening, i);
        if (potential < depth) lowest = i;
        depth = fmin(depth, potential);
    }
    return lowest;
}

koshu_status
koshu_lowest_potential(size_t n, const double *place, double softening,
                       size_t *lowest)
{
    if (n <= KOSHU_CENTRE_CANDIDATES) {
        *lowest = lowest_of(n, place, softening, n, NULL);
        return KOSHU_OK;
    }
    uint32_t *count = koshu_alloc(ALL_CELLS, sizeof *count);
    size_t *candidate = koshu_alloc(n, sizeof *candidate);
    const bool good = count && candidate;
    if (good) {
        const size_t chosen = choose(n, place, count, candidate);
        *lowest = lowest_of(n, place, softening, chosen, candidate);
    }
    koshu_free(count);
    koshu_free(candidate);
    return good ? KOSHU_OK : KOSHU_ERROR_OUT_OF_MEMORY;
}
