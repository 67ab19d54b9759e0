/* SPDX-License-Identifier: MIT */
/*
 * HDF5 below the layout of a snapshot: files, attributes, datasets. For
 * src/io/hdf5*.c only.
 *
 * Bytes go through koshu_file and koshu_reader (a file driver of our own):
 * HDF5 never sees a write fail, which it would not survive cleanly, and never
 * reads beyond the end of a file.
 */
#ifndef KOSHU_IO_HDF5_FILE_H
#define KOSHU_IO_HDF5_FILE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hdf5.h>

#include "domain/domain.h"
#include "io/format.h"
#include "io/io.h"

/* ---- the library's errors ---------------------------------------------- */

/* HDF5 prints its errors by default; the program's own choice is put
 * back afterwards. In between it is noted what failed. */
struct koshu_hdf5_errors {
    H5E_auto2_t function;
    void *data;
    bool no_memory;    /* an allocation failed, of HDF5's or of ours */
    char reason[256];  /* of the first failure, in HDF5's words; "": none */
    char last[256];    /* of the last */
    koshu_status read; /* KOSHU_OK, or why bytes of the file did not come */
    char read_message[256];
};

/* For a child process, where no message is read. */
void koshu_hdf5_keep_errors(struct koshu_hdf5_errors *errors);

/*
 * HDF5 is called between these two. One thread of the process makes them
 * at a time: few builds of HDF5 can do with several, and a child that is made
 * while another thread is inside would wait for that one indefinitely.
 */
void koshu_hdf5_begin(struct koshu_hdf5_errors *errors);
void koshu_hdf5_end(const struct koshu_hdf5_errors *errors);

/* Notes an allocation of ours that failed, between them. */
void koshu_hdf5_no_memory(void);

/* The status of reading a file: this one, but KOSHU_ERROR_OUT_OF_MEMORY or
 * KOSHU_ERROR_IO, with a message, where an allocation failed, or the disk. Many
 * a function of HDF5 then returns only that something is not there, or not
 * right. */
koshu_status koshu_hdf5_status_of(const struct koshu_hdf5_errors *errors,
                                  const struct koshu_reader *reader,
                                  koshu_status status);

/* Held between them. */
extern pthread_mutex_t koshu_hdf5_lock;

/* Why the last HDF5 call failed, in its words: "incorrect metadata checksum".
 */
const char *koshu_hdf5_reason(void);

/* ---- files ------------------------------------------------------------ */

/* A file while HDF5 has it open, between koshu_hdf5_begin() and _end(). It
 * stays where it is in memory. */
struct koshu_hdf5_file {
    hid_t id, driver;
    void *open_driver; /* what the driver keeps for it; NULL: closed */
};

/*
 * A new file, in HDF5's format of version 1.10 whatever the library's version:
 * its metadata carries checksums. koshu_file_commit(), once it is closed, tells
 * of what could not be written. False: failed, and still to be closed.
 */
bool koshu_hdf5_create(struct koshu_file *file, struct koshu_hdf5_file *hdf5);

/* An old file, to be read. The same. */
bool koshu_hdf5_open(struct koshu_reader *reader, struct koshu_hdf5_file *hdf5);

/* Closes the file, and what is still open in it. False: it was not open, or
 * HDF5 failed. */
bool koshu_hdf5_close(struct koshu_hdf5_file *hdf5);

/* look() at the file of a path, if HDF5 opens it; closed then. Its status, or
 * as koshu_reader_open() and koshu_hdf5_status_of(). */
typedef koshu_status
koshu_hdf5_look(struct koshu_reader *reader, hid_t file, void *user);
koshu_status koshu_hdf5_inspect(struct koshu_context *context, const char *path,
                                koshu_hdf5_look *look, void *user);

/* ---- things in a file ------------------------------------------------- */

/* A place in a file, with what messages need. */
struct koshu_hdf5_place {
    struct koshu_reader *reader;
    hid_t id;         /* of a group */
    const char *name; /* "Header" */
};

/* KOSHU_ERROR_BAD_FORMAT: "PATH: PLACE/NAME MESSAGE". */
koshu_status koshu_hdf5_fail(const struct koshu_hdf5_place *place,
                             const char *name, const char *format, ...)
        KOSHU_PRINTF(3, 4);

/* The same of what the library could not read, with its own reason. */
koshu_status
koshu_hdf5_fail_library(const struct koshu_hdf5_place *place, const char *name);

/* Is there a link of this name, to something in this file? */
bool koshu_hdf5_has(hid_t group, const char *name);

/* Opens the group of this name, until the file is closed; place->id < 0 where
 * there is none. KOSHU_ERROR_BAD_FORMAT: there is, but it cannot be opened. */
KOSHU_MUST_CHECK koshu_status koshu_hdf5_enter(struct koshu_reader *reader,
                                               hid_t file, const char *name,
                                               struct koshu_hdf5_place *place);

/*
 * The numbers of an attribute as H5T_NATIVE_DOUBLE or H5T_NATIVE_INT64 (type),
 * at most max of them; *n is how many, 0 where there is no such attribute.
 * KOSHU_ERROR_BAD_FORMAT: not numbers, too many, or unreadable.
 */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_numbers(const struct koshu_hdf5_place *place, const char *name,
                   hid_t type, void *numbers, size_t max, size_t *n);

/* The first of an attribute's numbers, of at most 16; the value stays where
 * there is none. */
koshu_status koshu_hdf5_number(const struct koshu_hdf5_place *place,
                               const char *name, double *value);

/* A string of fixed length, cut at size; "" where there is none. */
void koshu_hdf5_text(const struct koshu_hdf5_place *place, const char *name,
                     char *text, size_t size);

/* A dataset of n rows. */
struct koshu_hdf5_dataset {
    const char *name;
    int columns;      /* 1: the dataset has one dimension */
    H5T_class_t kind; /* H5T_FLOAT: doubles in memory; H5T_INTEGER: uint64_t */
    enum koshu_array array; /* of particles, its first column */
};
enum { KOSHU_HDF5_COLUMNS = 3 }; /* at most */

/*
 * Is the dataset of this name, shape and kind, stored in this file, and no
 * larger than the file could hold? *width: bytes of a number in the file.
 * KOSHU_ERROR_BAD_FORMAT.
 */
KOSHU_MUST_CHECK koshu_status koshu_hdf5_check(
        const struct koshu_hdf5_place *place,
        const struct koshu_hdf5_dataset *dataset, uint64_t n, size_t *width);

/* Some of its n rows, column by column. The same, and it is unreadable: a
 * checksum that does not fit, a negative id. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_read(const struct koshu_hdf5_place *place,
                const struct koshu_hdf5_dataset *dataset, uint64_t n,
                struct koshu_slice rows, void *const column[]);

/* The same from row `first` on into the arrays of a view, as many as it has. */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_read_arrays(const struct koshu_hdf5_place *place,
                       const struct koshu_hdf5_dataset *dataset, uint64_t n,
                       uint64_t first, const struct koshu_particle_view *view);

/* At most of a chunk that koshu writes; at least of a read. */
enum { KOSHU_HDF5_ROWS = 1 << 16 };

/* The text of a dataset that koshu_hdf5_put_long_text() wrote; "" where there
 * is none. KOSHU_ERROR_BAD_FORMAT: it is no text, or longer than size - 1. */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_long_text(const struct koshu_hdf5_place *place, const char *name,
                     char *text, size_t size);

/* ---- hdf5_put.c: writers; false: HDF5 failed ---------------------------- */

/* Negative: failed. */
hid_t koshu_hdf5_put_group(hid_t file, const char *name);

/* Attributes: n numbers of a native type (a file keeps them as such,
 * little-endian), one double, a text. */
bool koshu_hdf5_put_numbers(hid_t group, const char *name, hid_t type,
                            hsize_t n, const void *numbers);
bool koshu_hdf5_put_number(hid_t group, const char *name, double number);
bool koshu_hdf5_put_text(hid_t group, const char *name, const char *text);

/* Datasets, with checksums (Fletcher 32). */
bool koshu_hdf5_put_long_text(hid_t group, const char *name, const char *text);
/* Rows of all ranks, arrays of this one. */
bool koshu_hdf5_put_rows(hid_t group, const struct koshu_hdf5_dataset *dataset,
                         const struct koshu_rows *rows,
                         const struct koshu_particle_view *view);

/* ---- hdf5_write.c: snapshots, for files that are one and more ----------- */

/* Writes a snapshot, and what add() (may be NULL) puts into its file; false:
 * HDF5 failed. KOSHU_ERROR_EXTERNAL. */
KOSHU_MUST_CHECK koshu_status koshu_hdf5_write_snapshot(
        struct koshu_file *file, const struct koshu_snapshot *snapshot,
        bool (*add)(hid_t file, const void *argument), const void *argument);

#endif
