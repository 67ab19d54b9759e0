/* SPDX-License-Identifier: MIT */
/*
 * A j-particle store: j-particles, each with its own time. Individual and block
 * time steps sum over such particles; a GRAPE-6 board holds the same.
 *
 * Its particles have the indices 0 ... capacity - 1. A call predicts the
 * j-particles of the indices 0 ... n_j - 1 to one common time t, in double
 * precision,
 *
 *     x_j = x + v dt + a/2 dt^2 + jerk/6 dt^3 + snap/24 dt^4,   dt = t - t_j
 *     v_j = v + a dt + jerk/2 dt^2 + snap/6 dt^3
 *
 * and sums their forces on i-particles (Belleman08 section 3, G = 1: any
 * consistent units): with r = x_j - x_i, w = v_j - v_i, s^2 = r^2 + eps^2
 *
 *     a_i    =  sum_j m_j r / s^3
 *     jerk_i =  sum_j m_j (w / s^3 - 3 (r . w) r / s^5)
 *     pot_i  = -sum_j m_j / s
 *
 * A pair of equal ids is left out, even if the j-particle holds a NaN, and an
 * index that no koshu_j_store_set() has filled is neither a source nor a
 * neighbour. Any other pair at zero distance contributes no acceleration; it
 * contributes jerk m_j w / eps^3 and potential -m_j / eps if eps > 0, and
 * nothing if eps = 0.
 *
 * The nearest neighbour is the j-particle of another id with the smallest
 * unsoftened r^2 (of several, the one with the lowest index); neighbours are
 * those of another id with r^2 <= h^2; both within the precision.
 *
 * Results are the same bits from call to call, for any number of threads, on
 * the same list of GPUs. rms errors against double: a Plummer sphere, Hénon
 * units, eps = 0.01 (tests/conformance/test_jerk_accuracy checks each backend):
 *
 *     mixed    acceleration 2e-8, jerk 2e-6
 *     single   acceleration 1e-8 + 3e-6 / sqrt(N), jerk 2e-6, against double
 *              precision of positions at the common time rounded to float
 *     double   a few 1e-16 sqrt(N)
 *
 * Threads: one thread at a time uses a store, and those of one context; threads
 * may use stores of different contexts at the same time.
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

/* ---- the store ----------------------------------------------------------- */

struct koshu_j_store_options {
    size_t size; /* of this struct, set by koshu_j_store_options_default() */
    enum koshu_precision precision;
};

/* Defaults: mixed precision. */
KOSHU_DECLARE_DEFAULT(koshu_j_store_options)

/*
 * Creates a store whose indices are all empty: koshu_j_store_id() of an empty
 * index is the index itself.
 * Options NULL: defaults.
 * Ownership: the caller destroys *store, before the context.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a NULL argument, capacity 0, an unknown
 *     precision, options without a size; KOSHU_ERROR_UNSUPPORTED: the context's
 *     backend has no such store; KOSHU_ERROR_NO_DEVICE: the backend has no
 *     device;
 *     KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_j_store_create(struct koshu_context *context, size_t capacity,
                     const struct koshu_j_store_options *options,
                     struct koshu_j_store **store);

/*
 * Destroys a store; NULL is allowed.
 */
KOSHU_API void koshu_j_store_destroy(struct koshu_j_store *store);

/* Returns how many indices there are; 0 for NULL. */
KOSHU_API size_t koshu_j_store_capacity(const struct koshu_j_store *store);

/*
 * Increases the capacity, and keeps the particles. A capacity not larger than
 * the present one changes nothing.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: store is NULL;
 *   KOSHU_ERROR_OUT_OF_MEMORY: also, before any is taken, if this is more than
 *   the machine, its control group, the process's limits or KOSHU_MEMORY allow;
 *   KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_j_store_reserve(struct koshu_j_store *store, size_t capacity);

/* ---- particles ----------------------------------------------------------- */

/*
 * Stores the k-th of the particles at index[k] (index NULL: at k); if an index
 * occurs several times, the last particle is kept. Single particles are
 * collected, and sent to the device when a sum needs them, so that setting one
 * per call is efficient. Any number of particles may have the same id.
 * Shapes: index has particles->n elements; particles as struct
 *   koshu_j_particles says, time and derivatives optional.
 * Units: those of the caller, G = 1.
 * Ownership: copies; the arrays may change after the call.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a NULL argument or required array, an
 *   index beyond the capacity, a negative id (then nothing is set);
 *   KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_j_store_set(struct koshu_j_store *store, const uint64_t *index,
                  const struct koshu_j_particles *particles);

/* Returns the id at an index, which must be below the capacity (this is not
 * checked); KOSHU_NO_ID where store is NULL. */
KOSHU_API int64_t koshu_j_store_id(const struct koshu_j_store *store,
                                   uint64_t index);

/* ---- sums ---------------------------------------------------------------- */

struct koshu_j_store_start_options {
    size_t size;      /* of this struct, set by its _default() */
    double softening; /* eps, a length, >= 0, finite; force.h has its range */
    bool nearest;     /* find nearest neighbours as well */
};

/* Defaults: softening 0, without nearest neighbours. */
KOSHU_DECLARE_DEFAULT(koshu_j_store_start_options)

/*
 * Sets the common time of the sums to come; at first 0.
 * Units: those of the particles' times.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: store is NULL, or time is not finite.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_j_store_set_time(struct koshu_j_store *store, double time);

/*
 * Starts sums over the indices 0 ... n_j - 1 on the i-particles, which are
 * given at the common time, and returns while they may still run. Sums that
 * no koshu_j_store_wait() followed are dropped at the next start. i->n = 0 or
 * n_j = 0 is allowed: sums of nothing are 0. Options NULL: defaults.
 * Shapes: i as struct koshu_i_particles says, velocities and h2 optional.
 * Units: those of the particles, G = 1.
 * Ownership: copies; the arrays may change after the call.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a NULL argument or required array, n_j
 *     beyond the capacity, an id below KOSHU_NO_ID, an impossible softening,
 *     options without a size; KOSHU_ERROR_UNSUPPORTED: a softening, or
 *     distances of particles near the origin, that the precision cannot have
 *     beside the largest position (single and mixed: smaller than 1e-18 of it);
 *     KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_j_store_start(
        struct koshu_j_store *store, const struct koshu_i_particles *i,
        size_t n_j, const struct koshu_j_store_start_options *options);

/*
 * Waits for the sums that were started, and writes their results: the formulas
 * above. Once for each start.
 * Shapes: result as struct koshu_force_result says, of the i->n of the start.
 * Units: those of the particles, G = 1.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a NULL argument or required array, no
 *     sums were started, or nearest neighbours are requested now that were not
 *     at the start; KOSHU_ERROR_DEVICE.
 * Error: the table above.
 * Source: Belleman08 section 3.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_j_store_wait(
        struct koshu_j_store *store, const struct koshu_force_result *result);

/*
 * Finds the neighbours of the i-particles of the last start, at its time,
 * before or after the wait: count[k] is how many i-particle k has, and
 * index[k * max ...] are the first min(count[k], max) of them, in ascending
 * order. *overflow: some count[k] > max. Particles set after the start are not
 * taken into account.
 * Shapes: count has as many elements as there are i-particles, index max times
 *     as many (max = 0: may be NULL); overflow may be NULL.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: a NULL argument, nothing was started;
 *     KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_j_store_neighbours(struct koshu_j_store *store, size_t max,
                         uint64_t *count, uint64_t *index, bool *overflow);

#ifdef __cplusplus
}
#endif

#endif
