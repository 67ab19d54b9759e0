/* SPDX-License-Identifier: MIT */
/*
 * Builds cells over sorted keys, all in parallel.
 *
 * Two consecutive particles separate at some level: above it they are in the
 * same octants. The second one starts a cell at that level if more than n_leaf
 * particles share the parent octant, and so does the first of these particles.
 * So each particle marks, in a row of bits per level, where cells start; the
 * number of marks before a position is the number of the cell that starts
 * there. As every cell has no children or at least two, levels at which the
 * particles of a branch do not separate are skipped.
 *
 * A cell's number is higher than those of all levels above it, and the children
 * of a cell are contiguous. Nothing depends on the order of execution.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_BUILD_CUH
#define KOSHU_BACKEND_CUDA_TREE_BUILD_CUH

#include "backend/cuda/tree/cells.cuh"
#include "backend/cuda/tree/keys.cuh"

namespace koshu {

/*
 * Particles whose keys become cells in one pass: at first all of them, below
 * the root; in later passes those of duplicate-key buckets (buckets.cuh), below
 * these, one after another. Above its levels a key has the bucket's number.
 */
struct tree_pass {
    uint32_t n;
    const uint64_t *key; /* sorted */
    int levels;          /* of the keys */
    uint32_t n_leaf;

    uint32_t words;         /* per row of bits: n / 32 + 1 */
    uint32_t *bits;         /* a row for each level, then a zero word */
    const uint32_t *before; /* number of bits set before each word */

    uint32_t base; /* cells of earlier passes */
    tree_cell *cell;
    uint32_t capacity; /* of cell[]; if there are more cells, none is written */

    uint32_t buckets;
    const uint32_t *bucket; /* cell of each; NULL: only the root */
    const uint32_t *offset; /* its first particle in this pass; buckets + 1
                             * entries */
};

/* The number of words in all rows of bits. */
KOSHU_HD size_t
words_of_pass(const tree_pass &r)
{
    return (size_t)r.levels * r.words;
}

/* ---- particles with a common key prefix ---------------------------------- */

/* The level at which two keys separate; `levels` if they are equal, negative if
 * they are in different buckets. */
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

/* The first of low ... k whose key agrees with that of k above these bits; all
 * particles in between agree. */
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

/* The first of k ... high whose key differs from that of k above these bits;
 * high itself is not tested. */
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

/* The next step of the exponential search. */
KOSHU_HD uint32_t
next_step(uint32_t step)
{
    return step < 1u << 30 ? 4 * step : step;
}

/* The same among all particles, starting the search near k. */
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

/* Marks the cells whose start follows from particle k >= 1 and the one before
 * it. */
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

/* The number of the first cell of a level that starts at k or after it. */
KOSHU_HD uint32_t
cell_at(const tree_pass &r, int level, uint32_t k)
{
    const size_t word = (size_t)level * r.words + k / 32;
    const uint32_t lower = r.bits[word] & ((1u << k % 32) - 1);
    return r.base + r.before[word] + count_bits(lower);
}

/* The number of cells of all passes so far. */
KOSHU_HD uint32_t
cells_of(const tree_pass &r)
{
    return r.base + r.before[(size_t)r.levels * r.words];
}

/* The index in the tree of the pass's particle k. */
KOSHU_HD uint32_t
place_of(const tree_pass &r, uint32_t k)
{
    if (!r.bucket) return k;
    const uint64_t number = r.key[k] >> 3 * r.levels;
    return r.cell[r.bucket[number]].first + (k - r.offset[number]);
}

/* Finds the cell's children, if particles k ... end - 1 are too many for a
 * leaf. Returns whether it is a bucket: too many particles with one key. */
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

/* Makes the cells that start in one word of bits; returns how many are
 * buckets. */
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

/* Gives the root, or a bucket, its children. Returns whether it is a bucket
 * again. */
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
