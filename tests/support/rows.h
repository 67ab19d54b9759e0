/* SPDX-License-Identifier: MIT */
/* Calls a j-particle store with arrays of structs, so that tests can change
 * single particles. */
#ifndef KOSHU_TESTS_ROWS_H
#define KOSHU_TESTS_ROWS_H

#include <stdlib.h>
#include <string.h>

#include <koshu/j_store.h>

#include "backend/j_store.h"
#include "check.h"

enum { ROW_NUMBERS = 17 }; /* of a j-particle, without its id */
_Static_assert(sizeof(struct koshu_j_particle) ==
                       (1 + ROW_NUMBERS) * sizeof(double),
               "an id and 17 numbers");

static inline double *
rows_memory(size_t n)
{
    double *memory = calloc(n ? n : 1, (ROW_NUMBERS + 1) * sizeof *memory);
    assert_non_null(memory);
    return memory;
}

static inline koshu_status
rows_create(struct koshu_context *context, enum koshu_precision precision,
            size_t capacity, struct koshu_j_store **store)
{
    struct koshu_j_store_options options = koshu_j_store_options_default();
    options.precision = precision;
    return koshu_j_store_create(context, capacity, &options, store);
}

/* Calls koshu_j_store_set(). */
static inline koshu_status
rows_set(struct koshu_j_store *store, size_t n, const uint64_t *index,
         const struct koshu_j_particle *rows)
{
    double *m = rows_memory(n), *f[ROW_NUMBERS];
    int64_t *id = (int64_t *)(m + ROW_NUMBERS * n);
    for (size_t c = 0; c < ROW_NUMBERS; c++) f[c] = m + c * n;
    for (size_t k = 0; k < n; k++) {
        /* the id, then the numbers, without padding */
        double row[1 + ROW_NUMBERS];
        memcpy(row, &rows[k], sizeof row);
        for (size_t c = 0; c < ROW_NUMBERS; c++) f[c][k] = row[1 + c];
        id[k] = rows[k].id;
    }
    const struct koshu_j_particles particles = {.n = n,
                                                .time = f[0],
                                                .mass = f[1],
                                                .x = f[2],
                                                .y = f[3],
                                                .z = f[4],
                                                .vx = f[5],
                                                .vy = f[6],
                                                .vz = f[7],
                                                .ax = f[8],
                                                .ay = f[9],
                                                .az = f[10],
                                                .jx = f[11],
                                                .jy = f[12],
                                                .jz = f[13],
                                                .sx = f[14],
                                                .sy = f[15],
                                                .sz = f[16],
                                                .id = id};
    const koshu_status status = koshu_j_store_set(store, index, &particles);
    free(m);
    return status;
}

/* Calls koshu_j_store_start(). */
static inline koshu_status
rows_start(struct koshu_j_store *store,
           const struct koshu_j_store_start_options *options, size_t n_j,
           size_t n_i, const struct koshu_i_particle *rows)
{
    double *m = rows_memory(n_i), *f[7];
    int64_t *id = (int64_t *)(m + 7 * n_i);
    for (size_t c = 0; c < 7; c++) f[c] = m + c * n_i;
    for (size_t k = 0; k < n_i; k++) {
        for (size_t c = 0; c < 3; c++) f[c][k] = rows[k].x[c];
        for (size_t c = 0; c < 3; c++) f[3 + c][k] = rows[k].v[c];
        f[6][k] = rows[k].h2;
        id[k] = rows[k].id;
    }
    const struct koshu_i_particles i = {.n = n_i,
                                        .x = f[0],
                                        .y = f[1],
                                        .z = f[2],
                                        .id = id,
                                        .vx = f[3],
                                        .vy = f[4],
                                        .vz = f[5],
                                        .h2 = f[6]};
    const koshu_status status = koshu_j_store_start(store, &i, n_j, options);
    free(m);
    return status;
}

/* Calls koshu_j_store_wait() for n i-particles; on failure the rows stay as
 * they were. */
static inline koshu_status
rows_wait(struct koshu_j_store *store, size_t n, bool nearest,
          struct koshu_jerk_result *rows)
{
    double *m = rows_memory(n), *f[8];
    uint64_t *index = (uint64_t *)(m + 8 * n);
    for (size_t c = 0; c < 8; c++) f[c] = m + c * n;
    const struct koshu_force_result result = {
            .ax = f[0],
            .ay = f[1],
            .az = f[2],
            .potential = f[6],
            .jx = f[3],
            .jy = f[4],
            .jz = f[5],
            .nearest_r2 = nearest ? f[7] : NULL,
            .nearest = nearest ? index : NULL};
    const koshu_status status = koshu_j_store_wait(store, &result);
    for (size_t k = 0; k < n && status == KOSHU_OK; k++) {
        for (size_t c = 0; c < 3; c++) rows[k].a[c] = f[c][k];
        for (size_t c = 0; c < 3; c++) rows[k].jerk[c] = f[3 + c][k];
        rows[k].potential = f[6][k];
        if (!nearest) continue;
        rows[k].nearest_r2 = f[7][k];
        rows[k].nearest = index[k];
    }
    free(m);
    return status;
}

#endif
