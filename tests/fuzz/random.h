/* SPDX-License-Identifier: MIT */
/* Random numbers from a seed. */
#ifndef KOSHU_TESTS_FUZZ_RANDOM_H
#define KOSHU_TESTS_FUZZ_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static uint64_t random_state;

/* SplitMix64 (Steele, Lea & Flood 2014). */
static inline uint64_t
random_bits(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* 0 ... n - 1; 0 for n = 0. */
static inline size_t
below(size_t n)
{
    return n ? (size_t)(random_bits() % n) : 0;
}

#endif
