/* SPDX-License-Identifier: MIT */
/*
 * Radix sort from the least significant digit. Each thread has a part of its
 * own: it counts digits, gets offsets from the counts of all threads, and moves
 * its elements. The sort is stable, so that the result is the same for any
 * number of threads. Digits that all keys share cost nothing.
 */
#include <omp.h>
#include <string.h>

#include "base/base.h"

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, MAX_THREADS = 64 };
enum { FEW = 1 << 14 }; /* one thread sorts these before another wakes */

struct arrays {
    uint64_t *key;
    uint32_t *index;
};

static uint64_t
differing_bits(size_t n, const uint64_t *key, int threads)
{
    uint64_t bits = 0;
#pragma omp parallel for num_threads(threads) reduction(| : bits)
    for (size_t i = 0; i < n; i++) bits |= key[i] ^ key[0];
    return bits;
}

static void
count(const uint64_t *key, size_t first, size_t last, int shift,
      size_t counts[DIGITS])
{
    memset(counts, 0, DIGITS * sizeof counts[0]);
    for (size_t i = first; i < last; i++)
        counts[key[i] >> shift & (DIGITS - 1)]++;
}

/* Turns counts into offsets: digit by digit, thread by thread. */
static void
find_places(int parts, size_t *const counts[])
{
    size_t place = 0;
    for (int digit = 0; digit < DIGITS; digit++)
        for (int p = 0; p < parts; p++) {
            size_t here = counts[p][digit];
            counts[p][digit] = place;
            place += here;
        }
}

static void
move(struct arrays from, struct arrays to, size_t first, size_t last, int shift,
     size_t place[DIGITS])
{
    for (size_t i = first; i < last; i++) {
        size_t k = place[from.key[i] >> shift & (DIGITS - 1)]++;
        to.key[k] = from.key[i];
        to.index[k] = from.index[i];
    }
}

/* Sorts by one digit, from one pair of arrays into the other. */
static void
sort_digit(size_t n, struct arrays from, struct arrays to, int shift,
           int threads)
{
    size_t *counts[MAX_THREADS]; /* each on the stack of its thread */
#pragma omp parallel num_threads(threads)
    {
        size_t own[DIGITS];
        const int parts = omp_get_num_threads(), p = omp_get_thread_num();
        const size_t first = n * (size_t)p / (size_t)parts;
        const size_t last = n * (size_t)(p + 1) / (size_t)parts;
        counts[p] = own;
        count(from.key, first, last, shift, own);
#pragma omp barrier
#pragma omp single
        find_places(parts, counts);
        move(from, to, first, last, shift, own);
    }
}

void
koshu_sort_keys(size_t n, uint64_t *key, uint32_t *index, uint64_t *key_other,
                uint32_t *index_other, int threads)
{
    struct arrays from = {key, index}, to = {key_other, index_other};
    if (n < 2) return;
    if (n < FEW) threads = 1;
    if (threads > MAX_THREADS) threads = MAX_THREADS;
    const uint64_t bits = differing_bits(n, key, threads);
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (!(bits >> shift & (DIGITS - 1))) continue;
        sort_digit(n, from, to, shift, threads);
        struct arrays swap = from;
        from = to;
        to = swap;
    }
    if (from.key == key) return;
    memcpy(key, from.key, n * sizeof *key);
    memcpy(index, from.index, n * sizeof *index);
}
