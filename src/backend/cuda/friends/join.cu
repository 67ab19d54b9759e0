/* SPDX-License-Identifier: MIT */
/*
 * Joins cells that hold friends, in parallel. As in analysis/friends.c, of two
 * cells that may hold friends one examines the other: in the rest of its own
 * row, and in twelve of the 25 rows around it. The smaller root becomes the
 * parent of the larger, so that in the end the root of a set is its first cell,
 * whatever the order of threads.
 */
#include "backend/cuda/friends/friends.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

struct join_args {
    size_t n_cells;
    uint64_t edge;
    int shift; /* from keys to their bucket */
    const uint64_t *key;
    const uint32_t *first, *start;
    uint32_t *parent;
    const double *x, *y, *z;
    double box, length2;
};

/* ---- sets ---------------------------------------------------------------- */

KOSHU_DEVICE uint32_t
parent_of(const uint32_t *parent, uint32_t c)
{
    return *(const volatile uint32_t *)&parent[c];
}

/* Shortens paths on the way: whatever another thread stores there meanwhile is
 * also in the same set. */
KOSHU_DEVICE uint32_t
root_of(uint32_t *parent, uint32_t c)
{
    for (;;) {
        const uint32_t up = parent_of(parent, c);
        if (up == c) return c;
        const uint32_t next = parent_of(parent, up);
        if (next != up) *(volatile uint32_t *)&parent[c] = next;
        c = next;
    }
}

/* The root, while other threads write final roots: nothing but roots is
 * stored. */
KOSHU_DEVICE uint32_t
last_of(const uint32_t *parent, uint32_t c)
{
    for (;;) {
        const uint32_t up = parent_of(parent, c);
        if (up == c) return c;
        c = up;
    }
}

KOSHU_DEVICE void
join(uint32_t *parent, uint32_t a, uint32_t b)
{
    for (;;) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        if (a == b) return;
        const uint32_t low = a < b ? a : b, high = a < b ? b : a;
        if (atomicCAS(&parent[high], high, low) == high) return;
    }
}

/* ---- two cells ----------------------------------------------------------- */

KOSHU_DEVICE double
distance_along(double a, double b, double box)
{
    const double d = fabs(a - b);
    return d < box - d ? d : box - d;
}

/* With the host's rounding. */
KOSHU_DEVICE bool
are_linked(const join_args &s, size_t a, size_t b)
{
    for (uint32_t i = s.first[a]; i < s.first[a + 1]; i++)
        for (uint32_t j = s.first[b]; j < s.first[b + 1]; j++) {
            const double x = distance_along(s.x[i], s.x[j], s.box),
                         y = distance_along(s.y[i], s.y[j], s.box),
                         z = distance_along(s.z[i], s.z[j], s.box);
            const double xy = __dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y));
            if (__dadd_rn(xy, __dmul_rn(z, z)) <= s.length2) return true;
        }
    return false;
}

/* ---- rows ---------------------------------------------------------------- */

/* The first cell whose key is not less than this. */
KOSHU_DEVICE uint32_t
find(const join_args &s, uint64_t key)
{
    const uint64_t bucket = key >> s.shift;
    uint32_t from = s.start[bucket], to = s.start[bucket + 1];
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        if (s.key[middle] < key)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Joins the cell with those whose keys are in the range. */
KOSHU_DEVICE void
join_range(const join_args &s, uint32_t c, uint64_t low, uint64_t high)
{
    for (uint32_t k = find(s, low); k < s.n_cells && s.key[k] <= high; k++)
        if (root_of(s.parent, c) != root_of(s.parent, k) && are_linked(s, c, k))
            join(s.parent, c, k);
}

/* A row relative to the cell's own. */
struct beside {
    int i, j;
};

/* Cells up to this far away on each axis may hold friends. */
enum { REACH = 2 };

/* Rows are periodic: cells beyond one end of the row are at its other end,
 * so positions along it are those of three rows of which the second is this
 * one. */
KOSHU_DEVICE void
join_row(const join_args &s, uint32_t c, const beside &row)
{
    const uint64_t n = s.edge, column = s.key[c] / n, at = s.key[c] % n,
                   own = row.i == 0 && row.j == 0;
    const uint64_t i = (column / n + (uint64_t)row.i) % n,
                   j = (column % n + n + (uint64_t)(int64_t)row.j) % n;
    const uint64_t base = (i * n + j) * n,
                   low = at + n + own - (own ? 0 : REACH),
                   high = at + n + REACH;
    const uint64_t from = low > n ? low - n : 0,
                   to = high < 2 * n ? high - n : n - 1;
    if (from <= to) join_range(s, c, base + from, base + to);
    if (low < n) join_range(s, c, base + low, base + n - 1);
    if (high >= 2 * n)
        join_range(s, c, base + (low > 2 * n ? low - 2 * n : 0),
                   base + high - 2 * n);
}

static cudaError_t
join_rows(koshu_cuda *cuda, const join_args &s)
{
    for (int i = 0; i <= REACH; i++)
        for (int j = i > 0 ? -REACH : 0; j <= REACH; j++) {
            const beside row = {i, j};
            KOSHU_CUDA_TRY(for_each(cuda, s.n_cells, [=] __device__(size_t c) {
                join_row(s, (uint32_t)c, row);
            }));
        }
    return cudaSuccess;
}

/* ---- all ----------------------------------------------------------------- */

/* Divides the keys evenly into buckets, about one per two cells; start: the
 * first cell of each bucket whose key is not less than its first key. */
static cudaError_t
make_buckets(koshu_cuda *cuda, friends *f, int *shift)
{
    const uint64_t edge = f->task->edge, last = edge * edge * edge - 1;
    *shift = 0;
    while (last >> *shift > f->n_cells / 2 + 1) ++*shift;
    const uint64_t buckets = (last >> *shift) + 1;
    KOSHU_CUDA_TRY(f->start.reserve((buckets + 1) * sizeof(uint32_t)));
    const uint64_t *const key = f->cell_key();
    uint32_t *const start = f->start.as<uint32_t>();
    const size_t n_cells = f->n_cells;
    const int by = *shift;
    return for_each(cuda, n_cells + 1, [=] __device__(size_t c) {
        const uint64_t from = c == 0 ? 0 : (key[c - 1] >> by) + 1,
                       to = c == n_cells ? buckets : key[c] >> by;
        for (uint64_t k = from; k <= to; k++) start[k] = (uint32_t)c;
    });
}

cudaError_t
join_cells(koshu_cuda *cuda, friends *f)
{
    int shift;
    KOSHU_CUDA_TRY(make_buckets(cuda, f, &shift));
    KOSHU_CUDA_TRY(f->parent.reserve(f->n_cells * sizeof(uint32_t)));
    uint32_t *const parent = f->parent.as<uint32_t>();
    const double length = f->task->length;
    const join_args s = {f->n_cells,    f->task->edge, shift,
                         f->cell_key(), f->first(),    f->start.as<uint32_t>(),
                         parent,        f->x(0),       f->x(1),
                         f->x(2),       f->task->box,  length * length};
    KOSHU_CUDA_TRY(for_each(cuda, f->n_cells, [=] __device__(size_t c) {
        parent[c] = (uint32_t)c;
    }));
    KOSHU_CUDA_TRY(join_rows(cuda, s));
    return for_each(cuda, f->n_cells, [=] __device__(size_t c) {
        parent[c] = last_of(parent, (uint32_t)c);
    });
}

} /* namespace koshu */
