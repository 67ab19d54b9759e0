/* SPDX-License-Identifier: MIT */
/*
 * A sample of n of N numbered particles: one of each n-th part of the numbers.
 * Which one follows from the part's number like a random number. On a lattice
 * those at the beginning of all parts could have the same place in cells of a
 * tree, and errors that are not those of all particles.
 */
#ifndef KOSHU_KERNELS_SAMPLE_H
#define KOSHU_KERNELS_SAMPLE_H

#include <stdint.h>

#include "kernels/kernels.h"

/* 64 bits that differ for each k (Steele, Lea & Flood 2014, SplitMix). */
KOSHU_HD uint64_t
koshu_sample_bits(uint64_t k)
{
    uint64_t z = (k + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The k-th of the sample, k < n <= all; they ascend. n * all is below 2^64. */
KOSHU_HD uint64_t
koshu_sample_particle(uint64_t k, uint64_t n, uint64_t all)
{
    const uint64_t first = k * all / n, end = (k + 1) * all / n;
    return first + koshu_sample_bits(k) % (end - first);
}

/* The number of those before a particle; for particle = all: of all. */
KOSHU_HD uint64_t
koshu_sample_before(uint64_t particle, uint64_t n, uint64_t all)
{
    const uint64_t part = ((particle + 1) * n - 1) / all;
    if (part >= n) return n;
    return part + (koshu_sample_particle(part, n, all) < particle);
}

#endif
