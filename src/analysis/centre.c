/* SPDX-License-Identifier: MIT */
/* Finds the member of a group with the lowest potential. */
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

/* The largest count such that cells with at least as many members hold enough
 * candidates; found bit by bit. */
static uint32_t
fullness(const uint32_t *count)
{
    uint32_t limit = 0;
    for (uint32_t bit = UINT32_C(1) << 31; bit > 0; bit >>= 1)
        if (members_in(count, limit | bit) >= KOSHU_CENTRE_CANDIDATES)
            limit |= bit;
    return limit;
}

/* Chooses the members of the fullest cells, thinned evenly if there are too
 * many. */
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

/* ---- in single precision ------------------------------------------------- */

/* Positions and masses in columns, and the candidates' depths. */
struct rough {
    float *x, *y, *z, *mass, *depth;
};

static void
fill(size_t n, const double *place, float *memory, struct rough *r)
{
    *r = (struct rough){memory, memory + n, memory + 2 * n, memory + 3 * n,
                        memory + 4 * n};
    for (size_t i = 0; i < n; i++) {
        r->x[i] = (float)place[4 * i];
        r->y[i] = (float)place[4 * i + 1];
        r->z[i] = (float)place[4 * i + 2];
        r->mass[i] = (float)place[4 * i + 3];
    }
}

/* The depth at particle i. The sum includes i itself, which is subtracted;
 * needs eps2 > 0. */
static float
depth_at(size_t n, const struct rough *r, float eps2, size_t i)
{
    const float *restrict x = r->x, *restrict y = r->y, *restrict z = r->z,
                          *restrict mass = r->mass;
    const float at[3] = {x[i], y[i], z[i]};
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t j = 0; j < n; j++) {
        const float dx = x[j] - at[0], dy = y[j] - at[1], dz = z[j] - at[2];
        sum += mass[j] / sqrtf(dx * dx + dy * dy + dz * dz + eps2);
    }
    return sum - mass[i] / sqrtf(eps2);
}

/* Keeps the candidates that may be deepest, given an error of 1e-5 in single
 * precision; returns how many. */
static size_t
keep_deepest(size_t n, const double *place, double softening, float *memory,
             size_t n_candidates, size_t *candidate)
{
    const float margin = 0.999F, eps2 = (float)(softening * softening);
    float deepest = 0;
    size_t kept = 0;
    struct rough r;
    fill(n, place, memory, &r);
    for (size_t k = 0; k < n_candidates; k++) {
        r.depth[k] = depth_at(n, &r, eps2, candidate[k]);
        deepest = fmaxf(deepest, r.depth[k]);
    }
    for (size_t k = 0; k < n_candidates; k++)
        if (r.depth[k] >= margin * deepest) candidate[kept++] = candidate[k];
    return kept;
}

/* ---- all ----------------------------------------------------------------- */

static size_t
lowest_of(size_t n, const double *place, double softening, size_t n_candidates,
          const size_t *candidate)
{
    size_t lowest = candidate[0];
    double depth = INFINITY;
    for (size_t k = 0; k < n_candidates; k++) {
        const double potential =
                potential_at(n, place, softening, candidate[k]);
        if (potential < depth) lowest = candidate[k];
        depth = fmin(depth, potential);
    }
    return lowest;
}

static koshu_status
choose_fullest(size_t n, const double *place, size_t *candidate, size_t *chosen)
{
    uint32_t *count = koshu_alloc(ALL_CELLS, sizeof *count);
    if (!count) return KOSHU_ERROR_OUT_OF_MEMORY;
    *chosen = choose(n, place, count, candidate);
    koshu_free(count);
    return KOSHU_OK;
}

koshu_status
koshu_lowest_potential(size_t n, const double *place, double softening,
                       size_t *lowest)
{
    size_t chosen = n, *candidate = koshu_alloc(n, sizeof *candidate);
    float *memory = koshu_alloc(n, 5 * sizeof *memory);
    koshu_status status =
            candidate && memory ? KOSHU_OK : KOSHU_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; status == KOSHU_OK && i < n; i++) candidate[i] = i;
    if (status == KOSHU_OK && n > KOSHU_CENTRE_CANDIDATES)
        status = choose_fullest(n, place, candidate, &chosen);
    if (status == KOSHU_OK && (float)(softening * softening) > 0)
        chosen = keep_deepest(n, place, softening, memory, chosen, candidate);
    if (status == KOSHU_OK)
        *lowest = lowest_of(n, place, softening, chosen, candidate);
    koshu_free(candidate);
    koshu_free(memory);
    return status;
}
