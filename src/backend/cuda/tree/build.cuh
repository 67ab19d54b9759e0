/* SPDX-License-Identifier: MIT */
/*
 * Cells over sorted keys, all of them at once.
 *
 * Two particles that follow each other part at some level: they are in one
 * octant of each level above. The second begins a cell there where more than
 * n_leaf particles share that octant, and so does the first of all of these. So
 * each particle marks, in a row of bits for each level, where cells begin; the
 * marks before a place, counted, are the number of the cell that begins there.
 * As every cell has two children or none, the levels of one branch that no two
 * particles part at are skipped.
 *
 * A cell's number is behind those of all levels above it, and the children of a
 * cell are neighbours. Nothing depends on who comes first.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_BUILD_CUH
#define KOSHU_BACKEND_CUDA_TREE_BUILD_CUH

#include "backend/cuda/tree/cells.cuh"
#include "backend/cuda/tree/keys.cuh"

namespace koshu {

/*
 * Particles whose keys are to become cells: all of them below the root or, in
 * later passes, those of cells with too many of one key (buckets.cuh)
 * below these, side by side. Above its levels a key has the bucket's number.
 */
struct tree_pass {
    uint32_t n;
    const uint64_t *key; /* in order */
    int levels;          /* of the keys */
    uint32_t n_leaf;

    uint32_t words;         /* of a row of bits: n / 32 + 1 */
    uint32_t *bits;         /* a row for each level, and a word of zero */
    const uint32_t *before; /* of each word: bits set in those before */

    uint32_t base; /* cells that there are before */
    tree_cell *cell;
    uint32_t capacity; /* cells; where they are more, none is written */

    uint32_t buckets;
    const uint32_t *bucket; /* each a cell; NULL: the root alone */
    const uint32_t *offset; /* its first particle here; buckets + 1 */
};

/* Of all rows of bits. */
KOSHU_HD size_t
words_of_pass(const tree_pass &r)
{
    return (size_t)r.levels * r.words;
}

/* ---- particles with the same beginning of their keys --------------------- */

/* The level at which two keys part; `levels` where they are equal, < 0: they
 * are of different buckets. */
KOSHU_HD int
level_of_parting(const tree_pass &r, uint64_t a, uint64_t b)
{
    const uint64_t differ = a ^ b;
    if (differ == 0) return r.levels;
#ifdef __CUDA_ARCH__
    const int highest = 63 - __clzll((long long)differ);
#else
    const int highest = 63 - __builtin_clzll(differ);
#endif
    return r.levels - 1 - highest / 3;
}

/* Bits of a key below its first `level` levels. */
KOSHU_HD int
bits_below(const tree_pass &r, int level)
{
    return 3 * (r.levels - level);
}

/* The first of low ... k that is alike k above these bits, as all between it
 * and k are. */
KOSHU_HD uint32_t
first_alike(const tree_pass &r, uint32_t low, uint32_t k, int bits)
{
    const uint64_t same = r.key[k] >> bits;
    while (low < k) {
        const uint32_t middle = low + (k - low) / 2;
        if (r.key[middle] >> bits == same)
            k = middle;
        else
            low = middle + 1;
    }
    return k;
}

/* The first of k ... high that is not; high itself is not tested. */
KOSHU_HD uint32_t
end_alike(const tree_pass &r, uint32_t k, uint32_t high, int bits)
{
    const uint64_t same = r.key[k] >> bits;
    uint32_t low = k + 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (r.key[middle] >> bits == same)
            low = middle + 1;
        else
            high = middle;
    }
    return high;
}

/* The next step of the search. */
KOSHU_HD uint32_t
next_step(uint32_t step)
{
    return step < 1u << 30 ? 4 * step : step;
}

/* The same among all particles, searched near k first. */
KOSHU_HD uint32_t
first_of_all_alike(const tree_pass &r, uint32_t k, int bits)
{
    const uint64_t same = r.key[k] >> bits;
    for (uint32_t near = k, step = 16;; step = next_step(step)) {
        const uint32_t low = near > step ? near - step : 0;
        if (low == 0) return first_alike(r, 0, near, bits);
        if (r.key[low] >> bits != same)
            return first_alike(r, low + 1, near, bits);
        near = low;
    }
}

KOSHU_HD uint32_t
end_of_all_alike(const tree_pass &r, uint32_t k, int bits)
{
    const uint64_t same = r.key[k] >> bits;
    for (uint32_t near = k, step = 16;; step = next_step(step)) {
        if (r.n - near <= step) return end_alike(r, near, r.n, bits);
        if (r.key[near + step] >> bits != same)
            return end_alike(r, near, near + step, bits);
        near += step;
    }
}

/* ---- marks --------------------------------------------------------------- */

KOSHU_HD void
set_bit(uint32_t *bits, size_t word, uint32_t k)
{
    const uint32_t bit = 1u << k % 32;
#ifdef __CUDA_ARCH__
    if (!(bits[word + k / 32] & bit)) atomicOr(&bits[word + k / 32], bit);
#else
    bits[word + k / 32] |= bit;
#endif
}

KOSHU_HD uint32_t
count_bits(uint32_t word)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__popc(word);
#else
    return (uint32_t)__builtin_popcount(word);
#endif
}

/* Of particle k >= 1: the cells that it begins, or shows to begin. */
KOSHU_HD void
mark(const tree_pass &r, uint32_t k)
{
    const int level = level_of_parting(r, r.key[k - 1], r.key[k]);
    if (level < 0 || level >= r.levels) return;
    const int bits = bits_below(r, level);
    const uint32_t low = k > r.n_leaf ? k - r.n_leaf : 0;
    const uint32_t high = r.n - k > r.n_leaf ? k + r.n_leaf + 1 : r.n;
    const uint32_t left = k - first_alike(r, low, k, bits);
    const uint32_t right = end_alike(r, k, high, bits) - k;
    if (left + right <= r.n_leaf) return;
    const size_t row = (size_t)level * r.words;
    set_bit(r.bits, row, k);
    set_bit(r.bits, row, first_of_all_alike(r, k, bits));
}

/* ---- cells --------------------------------------------------------------- */

/* The number of the first cell of a level that begins at k or behind. */
KOSHU_HD uint32_t
cell_at(const tree_pass &r, int level, uint32_t k)
{
    const size_t word = (size_t)level * r.words + k / 32;
    const uint32_t lower = r.bits[word] & ((1u << k % 32) - 1);
    return r.base + r.before[word] + count_bits(lower);
}

/* Of all passes so far. */
KOSHU_HD uint32_t
cells_of(const tree_pass &r)
{
    return r.base + r.before[(size_t)r.levels * r.words];
}

/* Where particle k of the pass is in the tree. */
KOSHU_HD uint32_t
place_of(const tree_pass &r, uint32_t k)
{
    if (!r.bucket) return k;
    const uint64_t number = r.key[k] >> 3 * r.levels;
    return r.cell[r.bucket[number]].first + (k - r.offset[number]);
}

/* Its children, where particles k ... end - 1 are too many for a leaf. Is it
 * a bucket: too many, and all of one key? */
KOSHU_HD bool
find_children(const tree_pass &r, uint32_t k, uint32_t end, tree_cell *cell)
{
    if (end - k <= r.n_leaf) return false;
    const int level = level_of_parting(r, r.key[k], r.key[end - 1]);
    if (level >= r.levels) return true;
    cell->child = cell_at(r, level, k);
    cell->children = cell_at(r, level, end) - cell->child;
    return false;
}

/* Cells that begin in a word of bits; returns how many of them are buckets. */
KOSHU_HD uint32_t
make_cells(const tree_pass &r, size_t word)
{
    const int level = (int)(word / r.words);
    const uint32_t begin = (uint32_t)(word % r.words) * 32;
    uint32_t left = r.bits[word], buckets = 0;
    uint32_t number = r.base + r.before[word];
    for (; left != 0; left &= left - 1, number++) {
        const uint32_t k = begin + count_bits((left & -left) - 1);
        const uint32_t end = end_of_all_alike(r, k, bits_below(r, level + 1));
        tree_cell cell = {place_of(r, k), end - k, 0, 0};
        buckets += find_children(r, k, end, &cell);
        r.cell[number] = cell;
    }
    return buckets;
}

/* The root, or a bucket, gets its children; is it a duplicate-key bucket again?
 */
KOSHU_HD bool
finish_bucket(const tree_pass &r, uint32_t number)
{
    if (!r.bucket) {
        tree_cell root = {0, r.n, 0, 0};
        const bool bucket = find_children(r, 0, r.n, &root);
        r.cell[0] = root;
        return bucket;
    }
    return find_children(r, r.offset[number], r.offset[number + 1],
                         &r.cell[r.bucket[number]]);
}

} /* namespace koshu */

#endif
