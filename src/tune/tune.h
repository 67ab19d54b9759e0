/* SPDX-License-Identifier: MIT */
/*
 * The parameter study of Miki13 section 5.1 for the device at hand: every
 * shape of a kernel that the build has, at every size class.
 */
#ifndef KOSHU_TUNE_TUNE_H
#define KOSHU_TUNE_TUNE_H

#include "backend/backend.h"

/* One shape at one size. */
struct koshu_tune_row {
    enum koshu_shape_set set;
    unsigned size_class;
    size_t n; /* koshu_size_of_class() */
    const struct koshu_shape *shape;
    size_t k;          /* its number in the set */
    int shared_memory; /* percent; -1: as the driver likes */
    double seconds;    /* of one sum, launches included */
    double error;      /* largest |a - a_ref| / max(|a_ref|, A / 10), where A is
                        * the largest |a_ref|; ref: double on the device */
    bool right;        /* is that below the bound of the precision? */
    bool best;         /* the fastest right one of its set and n */
};

struct koshu_tune_table {
    struct koshu_tune_row *rows; /* by set, n, shape; owned */
    size_t n_rows, capacity;
};

/* Is there something to tune? */
bool koshu_tune_possible(const struct koshu_backend *backend);

/*
 * Measures the sets whose bits (1 << set) are in `sets`, with the potential,
 * on Plummer spheres with eps = 0.1, positions as floats, and marks the best.
 * The backend has its own choices afterwards. `seen`, which may be NULL, is
 * called after each set and size. KOSHU_ERROR_UNSUPPORTED: not possible, or
 * there are several devices; and what a backend returns. The caller frees the
 * table, whatever the status.
 */
KOSHU_MUST_CHECK koshu_status
koshu_tune_measure(struct koshu_context *context, unsigned sets,
                   void (*seen)(void *user, const struct koshu_tune_row *best),
                   void *user, struct koshu_tune_table *table);

void koshu_tune_free(struct koshu_tune_table *table);

/* What is summed of a set, and its first size class: mixed precision is double
 * below. */
struct koshu_force_task koshu_tune_task(enum koshu_shape_set set);
unsigned koshu_tune_first_class(enum koshu_shape_set set);

/* So many sums over the store; what each takes, to the end of its last kernel.
 * (The device's own count of seconds leaves out most of that kernel.) */
KOSHU_MUST_CHECK koshu_status koshu_tune_sum(
        struct koshu_backend *backend, const struct koshu_force_task *task,
        struct koshu_particles *particles, size_t sums, double *seconds);

/* ---- several devices ----------------------------------------------------- */

/* The exchanges at one size, N of all devices together. */
struct koshu_exchange_row {
    enum koshu_shape_set set;
    unsigned size_class;
    size_t n;
    double seconds[KOSHU_EXCHANGES]; /* of one sum; AUTO's is not used */
    enum koshu_exchange best;
};

struct koshu_exchange_table {
    struct koshu_exchange_row rows[KOSHU_SHAPE_SETS * KOSHU_SIZE_CLASSES];
    size_t n_rows;
};

/*
 * The same for the ways in which the context's devices exchange particles.
 * KOSHU_ERROR_UNSUPPORTED: there is one device.
 */
typedef void
koshu_exchange_seen(void *user, const struct koshu_exchange_row *row);
KOSHU_MUST_CHECK koshu_status koshu_tune_exchanges(
        struct koshu_context *context, unsigned sets, koshu_exchange_seen *seen,
        void *user, struct koshu_exchange_table *table);

/* ---- the file ------------------------------------------------------------ */

/*
 * Puts the best rows into the file at koshu_tuning_path(), in place of those
 * for the same model, set and n; whole or not at all. A file that cannot
 * be read is replaced. path gets its name. KOSHU_ERROR_IO,
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_NOT_FOUND: there is no place for it.
 */
KOSHU_MUST_CHECK koshu_status
koshu_tune_save(const struct koshu_backend *backend,
                const struct koshu_tune_table *table, char *path, size_t size);

/* The same of exchanges, for as many devices of this model. */
KOSHU_MUST_CHECK koshu_status koshu_tune_save_exchanges(
        const struct koshu_backend *backend,
        const struct koshu_exchange_table *table, char *path, size_t size);

#endif
