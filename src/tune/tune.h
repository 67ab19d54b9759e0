/* SPDX-License-Identifier: MIT */
/*
 * The parameter study of Miki13 section 5.1 for the device in use: every shape
 * of a kernel in the build, at every size class; with several devices, every
 * exchange.
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
    size_t k; /* index of the shape in its set, or enum koshu_exchange */
    int shared_memory; /* percent; -1: the driver's choice */
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
 * Measures the shapes of the sets whose bits (1 << set) are in `sets`,
 * including the potential, on Plummer spheres with eps = 0.1 and positions
 * rounded to float, and marks the best. Afterwards the backend has its own
 * choices again. `seen`, which may be NULL, is called after each set and size.
 * Ownership: the caller frees the table, whatever the status. Status:
 * KOSHU_ERROR_UNSUPPORTED (not possible, or there are several devices), or that
 * of the backend.
 */
KOSHU_MUST_CHECK koshu_status koshu_tune_shapes(struct koshu_context *context,
                                                unsigned sets,
                                                koshu_tune_seen *seen,
                                                struct koshu_tune_table *table);

/*
 * The same for the exchanges of particles between the context's devices; N
 * counts the particles of all devices. Status: KOSHU_ERROR_UNSUPPORTED (there
 * is one device).
 */
KOSHU_MUST_CHECK koshu_status
koshu_tune_exchanges(struct koshu_context *context, unsigned sets,
                     koshu_tune_seen *seen, struct koshu_tune_table *table);

void koshu_tune_free(struct koshu_tune_table *table);

/* What a row refers to: the backend's device, or a number of them. */
const char *koshu_tune_device(const struct koshu_backend *backend);

/* Writes the name of the choice into text of KOSHU_SHAPE_NAME. */
const char *koshu_tune_choice(const struct koshu_tune_row *row, char *text);

/* ---- the file ------------------------------------------------------------ */

/*
 * Writes the best rows to the file at koshu_tuning_path(), replacing those for
 * the same model, set and n. The file appears whole or not at all; one that
 * cannot be read is replaced. path receives its name. Status: KOSHU_ERROR_IO,
 * KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_NOT_FOUND (there is no place for it).
 */
KOSHU_MUST_CHECK koshu_status
koshu_tune_save(const struct koshu_backend *backend,
                const struct koshu_tune_table *table, char *path, size_t size);

#endif
