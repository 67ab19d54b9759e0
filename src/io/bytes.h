/* SPDX-License-Identifier: MIT */
/* Loads and stores numbers as bytes of either order. `big`: most significant
 * byte first. */
#ifndef KOSHU_IO_BYTES_H
#define KOSHU_IO_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t
load_u32(const unsigned char *from, bool big)
{
    uint32_t v;
    memcpy(&v, from, sizeof v);
    return big ? be32toh(v) : le32toh(v);
}

static inline uint64_t
load_u64(const unsigned char *from, bool big)
{
    uint64_t v;
    memcpy(&v, from, sizeof v);
    return big ? be64toh(v) : le64toh(v);
}

static inline double
load_f32(const unsigned char *from, bool big)
{
    uint32_t bits = load_u32(from, big);
    float v;
    memcpy(&v, &bits, sizeof v);
    return (double)v;
}

static inline double
load_f64(const unsigned char *from, bool big)
{
    uint64_t bits = load_u64(from, big);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline void
store_u32(unsigned char *to, uint32_t v, bool big)
{
    v = big ? htobe32(v) : htole32(v);
    memcpy(to, &v, sizeof v);
}

static inline void
store_u64(unsigned char *to, uint64_t v, bool big)
{
    v = big ? htobe64(v) : htole64(v);
    memcpy(to, &v, sizeof v);
}

static inline void
store_f32(unsigned char *to, double v, bool big)
{
    float single = (float)v;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    store_u32(to, bits, big);
}

static inline void
store_f64(unsigned char *to, double v, bool big)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    store_u64(to, bits, big);
}

#endif
