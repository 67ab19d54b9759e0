/* SPDX-License-Identifier: MIT */
/* Luescher's random number generator. */
#include "fields/ranlux.h"

enum {
    LAG = KOSHU_RANLUX_LAG,
    SHORT_LAG = 5,
    LUXURY = 202, /* numbers generated, of which the last LAG are used */
    DIGITS = 48,
    SEED_BITS = 31,
    SEED_LAG = 18
};

static const uint64_t one = (uint64_t)1 << DIGITS;

/* Seeds from a shift register, b_n = b_{n-31} + b_{n-13} mod 2, inverted: 48
 * bits for each number, highest first. */
struct koshu_ranlux
koshu_ranlux_seeded(uint32_t seed)
{
    struct koshu_ranlux r = {.taken = LAG};
    unsigned bit[SEED_BITS], at = 0;
    if (seed == 0) seed = 1;
    for (int k = 0; k < SEED_BITS; k++) bit[k] = seed >> k & 1;
    for (int k = 0; k < LAG; k++)
        for (int d = 0; d < DIGITS; d++) {
            r.x[k] = 2 * r.x[k] + (bit[at] ^ 1);
            bit[at] ^= bit[(at + SEED_LAG) % SEED_BITS];
            at = (at + 1) % SEED_BITS;
        }
    return r;
}

static void
step(struct koshu_ranlux *r)
{
    unsigned i = r->oldest, j = (i + LAG - SHORT_LAG) % LAG;
    for (int k = 0; k < LUXURY; k++) {
        const uint64_t difference = r->x[j] - r->x[i] - r->carry;
        r->carry = difference >> 63;
        r->x[i] = difference & (one - 1);
        i = i + 1 < LAG ? i + 1 : 0;
        j = j + 1 < LAG ? j + 1 : 0;
    }
    r->oldest = i;
    r->taken = 0;
}

double
koshu_ranlux_next(struct koshu_ranlux *r)
{
    if (r->taken == LAG) step(r);
    const uint64_t x = r->x[(r->oldest + r->taken++) % LAG];
    return (double)x * 0x1p-48;
}
