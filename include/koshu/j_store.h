/* SPDX-License-Identifier: MIT */
/*
 * A j-particle store, each with a time of its own: what individual and
 * block time steps sum over, and what a GRAPE-6 board holds.
 *
 * It has slots, addressed 0 ... capacity - 1. A call predicts the j-particles
 * in the slots 0 ... n_j - 1 to one common time t, in double precision,
 *
 *     x_j = x + v dt + a/2 dt^2 + jerk/6 dt^3 + snap/24 dt^4,   dt = t - t_j
 *     v_j = v + a dt + jerk/2 dt^2 + snap/6 dt^3
 *
 * and sums them on i-particles (Belleman08 section 3, G = 1): with
 * r = x_j - x_i, w = v_j - v_i, s^2 = r^2 + eps^2
 *
 *     a_i    =  sum_j m_j r / s^3
 *     jerk_i =  sum_j m_j (w / s^3 - 3 (r . w) r / s^5)
 *     pot_i  = -sum_j m_j / s
 *
 * A pair of equal ids is left out, whatever the j-particle holds (NaN too), and
 * an index that no koshu_j_store_set() has filled neither acts nor is
 * anybody's neighbour. Any other pair at zero distance gives no acceleration;
 * it gives jerk m_j w / eps^3 and potential -m_j / eps where eps > 0, and none
 * where eps = 0.
 *
 * The nearest neighbour is the j-particle of another id with the smallest
 * unsoftened r^2 (of several the lowest address); neighbours are those of
 * another id with r^2 <= h^2; both as far as the precision tells.
 *
 * The same bits from call to call, on any number of threads. rms errors against
 * double precision, for a Plummer sphere in Hénon units, eps = 0.01
 * (tests/conformance/test_jerk_accuracy holds each backend to them):
 *
 *     mixed    acceleration 2e-8, jerk 2e-6
 *     single   acceleration 1e-8 + 3e-6 / sqrt(N), jerk 2e-6, against double
 *              precision of positions at the common time rounded to float
 *     double   a few 1e-16 sqrt(N)
 */
#ifndef KOSHU_J_STORE_H
#define KOSHU_J_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/force.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_j_store;

struct koshu_j_particle {
    int64_t id; /* any; the caller's own */
    double time, mass;
    double x[3], v[3], a[3], jerk[3], snap[3];
};

struct koshu_i_particle {
    int64_t id;
    double x[3], v[3]; /* at the common time */
    double h2;         /* for neighbours; else unused */
};

#define KOSHU_NO_INDEX UINT64_MAX

struct koshu_jerk_result {
    double a[3], jerk[3];
    double potential;  /* negative */
    double nearest_r2; /* infinite where there is no neighbour */
    uint64_t nearest;  /* its address, or KOSHU_NO_INDEX */
};

struct koshu_jerk_options {
    double softening; /* eps >= 0, finite; see force.h for its range */
    bool nearest;     /* find nearest neighbours; else theirs are not set */
};

/*
 * A memory of empty slots, of which koshu_j_store_id() says the address.
 * KOSHU_ERROR_INVALID_ARGUMENT: capacity 0, unknown precision;
 * KOSHU_ERROR_UNSUPPORTED: the context's backend has no such memory;
 * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_j_store_create(
        struct koshu_context *context, enum koshu_precision precision,
        size_t capacity, struct koshu_j_store **memory);

/* NULL is allowed. */
KOSHU_API void koshu_j_store_destroy(struct koshu_j_store *memory);

KOSHU_API size_t koshu_j_store_capacity(const struct koshu_j_store *memory);

/* More slots; what is in the others stays. Fewer: nothing happens.
 * KOSHU_ERROR_OUT_OF_MEMORY: also, before any is taken, where they are more
 * than the machine, its control group, the process's limits or KOSHU_MEMORY
 * allow. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_j_store_reserve(struct koshu_j_store *memory, size_t capacity);

/*
 * Particle k goes to slot address[k] (address NULL: slot k); of several for
 * one slot the last. Copies: the arrays are the caller's again. Many single
 * calls are collected, and sent when a sum needs them.
 * KOSHU_ERROR_INVALID_ARGUMENT: an address beyond the capacity;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_j_store_set(
        struct koshu_j_store *memory, size_t n, const uint64_t *address,
        const struct koshu_j_particle *particles);

/* Id in a slot, which must be below the capacity. */
KOSHU_API int64_t koshu_j_store_id(const struct koshu_j_store *memory,
                                   uint64_t address);

/* The common time of the sums to come. KOSHU_ERROR_INVALID_ARGUMENT: not
 * finite. */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_j_store_set_time(struct koshu_j_store *memory, double time);

/*
 * Begins sums over the slots 0 ... n_j - 1, and returns while they may still
 * run. i is copied. A begin that no end follows is forgotten at the next one.
 * n_i = 0 or n_j = 0 is allowed: sums of nothing are 0.
 * KOSHU_ERROR_INVALID_ARGUMENT: n_j beyond the capacity, an impossible
 * softening; KOSHU_ERROR_UNSUPPORTED: a softening, or distances of particles
 * near the origin, that the precision cannot have beside the largest position
 * (single and mixed: smaller than 1e-18 of it); KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_j_store_start(
        struct koshu_j_store *memory, const struct koshu_jerk_options *options,
        size_t n_j, size_t n_i, const struct koshu_i_particle *i);

/* Waits for the sums begun, and writes n_i results.
 * KOSHU_ERROR_INVALID_ARGUMENT: none were begun; KOSHU_ERROR_DEVICE. */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_j_store_wait(
        struct koshu_j_store *memory, struct koshu_jerk_result *result);

/*
 * Neighbours of the i-particles of the last begin, at its time: count[k] is
 * how many i-particle k has, and address[k * most ...] are the first
 * min(count[k], most) of them, in ascending order. *overflow (may be NULL):
 * some count[k] > most. Before or after the end; particles set since do not
 * count. KOSHU_ERROR_INVALID_ARGUMENT: nothing was begun;
 * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_j_store_neighbours(struct koshu_j_store *memory, size_t most,
                         uint64_t *count, uint64_t *address, bool *overflow);

#ifdef __cplusplus
}
#endif

#endif
