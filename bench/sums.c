/* SPDX-License-Identifier: MIT */
/* The arrays of a caller of direct sums and of j-particle stores. */
#include <stdlib.h>

#include "bench/bench.h"

enum { POSITIONS = 6, RESULTS = 8, NUMBERS = POSITIONS + RESULTS + 2 };

/* Assigns columns of n numbers: positions and velocities, results, ids. */
static void
lend(struct bench_sums *s, size_t n, unsigned what)
{
    double *x = s->memory, *v = x + 3 * n, *a = x + POSITIONS * n,
           *jerk = a + 4 * n, *ids = a + RESULTS * n;
    s->i = (struct koshu_i_particles){
            .n = n, .x = x, .y = x + n, .z = x + 2 * n, .id = (int64_t *)ids};
    s->result = (struct koshu_force_result){a, a + n, a + 2 * n};
    if (what & BENCH_NEAREST) {
        s->result.nearest_r2 = jerk + 3 * n;
        s->result.nearest = (uint64_t *)ids + n;
    }
    if (!(what & BENCH_JERKS)) return;
    s->i.vx = v, s->i.vy = v + n, s->i.vz = v + 2 * n;
    s->result.jx = jerk, s->result.jy = jerk + n, s->result.jz = jerk + 2 * n;
    s->result.potential = a + 3 * n;
}

koshu_status
bench_sums_make(const struct bench *b,
                const struct koshu_particle_const_view *v, size_t of, size_t n,
                unsigned what, struct bench_sums *sums)
{
    const double *const from[POSITIONS] = {v->x,  v->y,  v->z,
                                           v->vx, v->vy, v->vz};
    double *m = calloc(n, NUMBERS * sizeof *m);
    *sums = (struct bench_sums){.memory = m};
    if (!m)
        return koshu_fail_memory(b->context, n * NUMBERS * sizeof *m, "sums");
    lend(sums, n, what);
    sums->j = (struct koshu_j_particles){.n = v->n,
                                         .x = v->x,
                                         .y = v->y,
                                         .z = v->z,
                                         .mass = v->mass,
                                         .vx = v->vx,
                                         .vy = v->vy,
                                         .vz = v->vz};
    int64_t *id = (int64_t *)(m + (POSITIONS + RESULTS) * n);
    for (size_t k = 0; k < n; k++) {
        id[k] = (int64_t)koshu_sample_particle(koshu_sample_particle(k, n, of),
                                               of, v->n);
        for (size_t c = 0; c < POSITIONS && from[c]; c++)
            m[c * n + k] = from[c][id[k]];
    }
    return KOSHU_OK;
}

void
bench_sums_free(struct bench_sums *sums)
{
    free(sums->memory);
}
