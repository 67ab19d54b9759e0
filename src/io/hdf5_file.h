/* SPDX-License-Identifier: MIT */
/*
 * HDF5 below the layout of a snapshot: files, attributes, datasets. For
 * src/io/hdf5*.c only.
 *
 * A file driver of our own passes all bytes through koshu_file and
 * koshu_reader: HDF5 never sees a write fail, which it could not handle
 * cleanly, and never reads past the end of a file.
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

/* HDF5 prints errors by default. Between begin and end they are recorded here
 * instead; then the host program's error handler is restored. */
struct koshu_hdf5_errors {
    H5E_auto2_t function;
    void *data;
    bool no_memory;   /* an allocation of HDF5's or of ours failed */
    char reason[256]; /* of the first failure, in HDF5's words; "": none */
    char last[256];   /* of the last */
    /* KOSHU_OK, or why bytes of the file could not be read */
    koshu_status read;
    char read_message[256];
};

/* For a child process, which never prints messages of HDF5. */
void koshu_hdf5_keep_errors(struct koshu_hdf5_errors *errors);

/*
 * HDF5 is only called between these two. One thread of the process does so at a
 * time: few builds of HDF5 are thread-safe, and a child that is created while
 * another thread is inside would wait for that one indefinitely.
 */
void koshu_hdf5_begin(struct koshu_hdf5_errors *errors);
void koshu_hdf5_end(const struct koshu_hdf5_errors *errors);

/* Records that an allocation of ours failed, between begin and end. */
void koshu_hdf5_no_memory(void);

/* The status of reading a file: `status`, or KOSHU_ERROR_OUT_OF_MEMORY or
 * KOSHU_ERROR_IO, with a message, where an allocation or the disk failed. Many
 * functions of HDF5 then report only that something is missing or wrong. */
koshu_status koshu_hdf5_status_of(const struct koshu_hdf5_errors *errors,
                                  const struct koshu_reader *reader,
                                  koshu_status status);

/* Held between begin and end. */
extern pthread_mutex_t koshu_hdf5_lock;

/* Why the last HDF5 call failed, in HDF5's words: "incorrect metadata
 * checksum". */
const char *koshu_hdf5_reason(void);

/* ---- files ------------------------------------------------------------ */

/* A file that HDF5 has open, between koshu_hdf5_begin() and _end(). The struct
 * must not move in memory. */
struct koshu_hdf5_file {
    hid_t id, driver;
    void *open_driver; /* the driver's data for it; NULL: closed */
};

/*
 * Creates a file in the format of HDF5 1.10, whatever the library's version:
 * its metadata has checksums. Failed writes are reported by
 * koshu_file_commit(), once it is closed. false: failed; it still has to be
 * closed.
 */
bool koshu_hdf5_create(struct koshu_file *file, struct koshu_hdf5_file *hdf5);

/* The same for reading an existing file. */
bool koshu_hdf5_open(struct koshu_reader *reader, struct koshu_hdf5_file *hdf5);

/* Closes the file and what is still open in it. false: it was not open, or HDF5
 * failed. */
bool koshu_hdf5_close(struct koshu_hdf5_file *hdf5);

/* Calls look() with the file of a path, if HDF5 can open it, then closes it.
 * Returns its status, or those of koshu_reader_open() and
 * koshu_hdf5_status_of(). */
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

/* The same where the library failed to read, with its own reason. */
koshu_status
koshu_hdf5_fail_library(const struct koshu_hdf5_place *place, const char *name);

/* Is there a link of this name, to something in this file? */
bool koshu_hdf5_has(hid_t group, const char *name);

/* Opens the group of this name until the file is closed; place->id < 0: there
 * is none. KOSHU_ERROR_BAD_FORMAT: it cannot be opened. */
KOSHU_MUST_CHECK koshu_status koshu_hdf5_enter(struct koshu_reader *reader,
                                               hid_t file, const char *name,
                                               struct koshu_hdf5_place *place);

/*
 * Reads the numbers of an attribute as `type`, H5T_NATIVE_DOUBLE or
 * H5T_NATIVE_INT64, at most max of them. *n: how many; 0: there is no such
 * attribute. KOSHU_ERROR_BAD_FORMAT: not numbers, too many, or unreadable.
 */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_numbers(const struct koshu_hdf5_place *place, const char *name,
                   hid_t type, void *numbers, size_t max, size_t *n);

/* Reads the first of an attribute's numbers, of which it may have 16; where
 * there is none the value stays. */
koshu_status koshu_hdf5_number(const struct koshu_hdf5_place *place,
                               const char *name, double *value);

/* Reads a string of fixed length, cut at size; "": there is none. */
void koshu_hdf5_text(const struct koshu_hdf5_place *place, const char *name,
                     char *text, size_t size);

/* A dataset of n rows. */
struct koshu_hdf5_dataset {
    const char *name;
    int columns;      /* 1: it is one-dimensional */
    H5T_class_t kind; /* H5T_FLOAT: doubles in memory; H5T_INTEGER: uint64_t */
    enum koshu_array array; /* of the particles: that of its first column */
};
enum { KOSHU_HDF5_COLUMNS = 3 }; /* max */

/*
 * Does the dataset have this name, shape and kind, is it stored in this file,
 * and no larger than the file could hold? *width: bytes of a number in the
 * file. KOSHU_ERROR_BAD_FORMAT.
 */
KOSHU_MUST_CHECK koshu_status koshu_hdf5_check(
        const struct koshu_hdf5_place *place,
        const struct koshu_hdf5_dataset *dataset, uint64_t n, size_t *width);

/* Reads some of its n rows into columns. KOSHU_ERROR_BAD_FORMAT also where it
 * is unreadable: a wrong checksum, a negative id. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_read(const struct koshu_hdf5_place *place,
                const struct koshu_hdf5_dataset *dataset, uint64_t n,
                struct koshu_slice rows, void *const column[]);

/* The same, from row `first` on into the arrays of a view, as many rows as it
 * has. */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_read_arrays(const struct koshu_hdf5_place *place,
                       const struct koshu_hdf5_dataset *dataset, uint64_t n,
                       uint64_t first, const struct koshu_particle_view *view);

/* The largest chunk that koshu writes, in rows, and the least that is read at
 * once. */
enum { KOSHU_HDF5_ROWS = 1 << 16 };

/* Reads a text written by koshu_hdf5_put_long_text(); "": there is none.
 * KOSHU_ERROR_BAD_FORMAT: it is no text, or longer than size - 1. */
KOSHU_MUST_CHECK koshu_status
koshu_hdf5_long_text(const struct koshu_hdf5_place *place, const char *name,
                     char *text, size_t size);

/* ---- hdf5_put.c: writers; false: HDF5 failed ---------------------------- */

/* Creates a group. Negative: failed. */
hid_t koshu_hdf5_put_group(hid_t file, const char *name);

/* Attributes: n numbers of a native type (stored as the same type,
 * little-endian), one double, a text. */
bool koshu_hdf5_put_numbers(hid_t group, const char *name, hid_t type,
                            hsize_t n, const void *numbers);
bool koshu_hdf5_put_number(hid_t group, const char *name, double number);
bool koshu_hdf5_put_text(hid_t group, const char *name, const char *text);

/* Datasets, with checksums (Fletcher 32). */
bool koshu_hdf5_put_long_text(hid_t group, const char *name, const char *text);
/* rows: of all ranks; arrays: of this one. */
bool koshu_hdf5_put_rows(hid_t group, const struct koshu_hdf5_dataset *dataset,
                         const struct koshu_rows *rows,
                         const struct koshu_particle_view *view);

/* ---- hdf5_write.c: snapshots, for files that are one and more ----------- */

/* Writes a snapshot and what add() (may be NULL) adds to its file; add()
 * returns false where HDF5 failed. KOSHU_ERROR_EXTERNAL. */
KOSHU_MUST_CHECK koshu_status koshu_hdf5_write_snapshot(
        struct koshu_file *file, const struct koshu_snapshot *snapshot,
        bool (*add)(hid_t file, const void *argument), const void *argument);

#endif
