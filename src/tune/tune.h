/* SPDX-License-Identifier: MIT */
/*
 * The parameter study of Miki13 section 5.1 for the device at hand: every
 * shape of a kernel that the build has, at every size class; of several
 * devices, every exchange.
 */
#ifndef KOSHU_TUNE_TUNE_H
#define KOSHU_TUNE_TUNE_H

#include "backend/backend.h"

/* A choice at one size: a shape of the kernels, or an exchange. */
struct koshu_tune_row {
    enum koshu_shape_set set;
    unsigned size_class;
    size_t n;                        /* koshu_size_of_class() */
    const struct koshu_shape *shape; /* NULL: an exchange */
    size_t k; /* the shape's number in the set, or enum koshu_exchange */
    int shared_memory; /* percent; -1: as the driver likes */
    double seconds;    /* of one sum, launches included */
    double error;      /* largest |a - a_ref| / max(|a_ref|, A / 10), where A is
                        * the largest |a_ref|; ref: double on the device */
    bool right;        /* is that below the bound of the precision? */
    bool best;         /* the fastest right one of its set and n */
};

struct koshu_tune_table {
    struct koshu_tune_row *rows; /* by set, n, choice; owned */
    size_t n_rows, capacity;
};

typedef void koshu_tune_seen(const struct koshu_tune_row *best);

/*
 * Measures the shapes of the sets whose bits (1 << set) are in `sets`, with the
 * potential, on Plummer spheres with eps = 0.1, positions as floats, and marks
 * the best. The backend has its own choices afterwards. `seen`, which may be
 * NULL, is called after each set and size. KOSHU_ERROR_UNSUPPORTED: not
 * possible, or there are several devices; and what a backend returns. The
 * caller frees the table, whatever the status.
 */
KOSHU_MUST_CHECK koshu_status koshu_tune_shapes(struct koshu_context *context,
                                                unsigned sets,
                                                koshu_tune_seen *seen,
                                                struct koshu_tune_table *table);

/*
 * The same for the ways in which the context's devices exchange particles, N of
 * all devices together. KOSHU_ERROR_UNSUPPORTED: there is one device.
 */
KOSHU_MUST_CHECK koshu_status
koshu_tune_exchanges(struct koshu_context *context, unsigned sets,
                     koshu_tune_seen *seen, struct koshu_tune_table *table);

void koshu_tune_free(struct koshu_tune_table *table);

/* What a row is of: the backend's device, or as many of them. */
const char *koshu_tune_device(const struct koshu_backend *backend);

/* The name of what was chosen, into text of KOSHU_SHAPE_NAME. */
const char *koshu_tune_choice(const struct koshu_tune_row *row, char *text);

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

#endif
