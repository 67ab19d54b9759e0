/* SPDX-License-Identifier: MIT */
/*
 * Files, for every module that writes or reads one.
 *
 * Writing is all or nothing: the bytes go to a temporary file in the directory
 * of the target; koshu_file_commit() syncs it, renames it to the target and
 * syncs the directory. Until then, and after any failure, the target is
 * unchanged.
 *
 * A reader knows the size of its file, so that a count in the file can be
 * checked against it before memory is requested, and a file that ends too early
 * is reported with the byte where it ends.
 */
#ifndef KOSHU_IO_IO_H
#define KOSHU_IO_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/integrator.h>
#include <koshu/snapshot.h>
#include <koshu/status.h>

#include "io/catalogue.h"
#include "io/flow_file.h"

/* ---- writing ---------------------------------------------------------- */

/* A file under its temporary name; only these functions change the members. */
struct koshu_file {
    struct koshu_context *context;
    /* for fprintf(), libpng and the like; the commit, which closes it, finds
     * its errors */
    FILE *stream;
    int fd;
    /* lock of the temporary file, held until it is renamed; -1: none */
    int lock;
    char *target, *directory, *temporary;
    mode_t mode; /* permissions of the existing file; 0: there is none */
    int error;   /* errno of the first write that failed; 0: none */
};

/*
 * Opens a temporary file beside `path`. A symbolic link is followed; an
 * existing file gives the new one its permissions. Temporary files that killed
 * programs left in that directory are removed.
 * KOSHU_ERROR_IO: the directory or an existing file cannot be written; path is
 * not a regular file, or a link to none; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_file_begin(struct koshu_context *context,
                                               const char *path,
                                               struct koshu_file **file);

/* Appends n bytes to the stream. KOSHU_ERROR_IO. */
KOSHU_MUST_CHECK koshu_status koshu_file_write(struct koshu_file *file,
                                               const void *bytes, size_t n);

/* Writes n bytes at this offset; not to be mixed with the stream.
 * KOSHU_ERROR_IO. */
KOSHU_MUST_CHECK koshu_status koshu_file_write_at(struct koshu_file *file,
                                                  uint64_t at,
                                                  const void *bytes, size_t n);

/* Reads back up to n bytes from this offset on (not those of the stream).
 * Returns their number: 0 at the end, and where they cannot be read, which the
 * commit reports. */
size_t
koshu_file_read_at(struct koshu_file *file, uint64_t at, void *bytes, size_t n);

/* Truncates the file, or extends it with zeros. KOSHU_ERROR_IO. */
KOSHU_MUST_CHECK koshu_status koshu_file_resize(struct koshu_file *file,
                                                uint64_t size);

/*
 * Renames the file to the target; `file` is freed, whatever the status.
 * KOSHU_ERROR_IO: something could not be written (here or earlier); the
 * temporary file is removed and the target is unchanged.
 */
KOSHU_MUST_CHECK koshu_status koshu_file_commit(struct koshu_file *file);

/* Removes the temporary file; the target is unchanged. NULL is allowed. The
 * context's message is kept, so this can be called after a failure. */
void koshu_file_abandon(struct koshu_file *file);

/* Commits the file if the status is KOSHU_OK; otherwise abandons it, and
 * returns the status. */
KOSHU_MUST_CHECK koshu_status koshu_file_end(struct koshu_file *file,
                                             koshu_status status);

/* Writes a file of n bytes, from beginning to commit. */
KOSHU_MUST_CHECK koshu_status
koshu_file_write_whole(struct koshu_context *context, const char *path,
                       const void *bytes, size_t n);

/* Syncs a directory, so that changes of its names are durable.
 * KOSHU_ERROR_IO. */
KOSHU_MUST_CHECK koshu_status
koshu_directory_sync(struct koshu_context *context, const char *directory);

/* The prefix of temporary files, ".koshu-HOST-". It names the host because
 * other hosts may not see the locks. */
enum { KOSHU_TEMPORARY_PREFIX = 80 };
void koshu_temporary_prefix(char prefix[KOSHU_TEMPORARY_PREFIX]);

/* Removes temporary files of this host that no process has locked from a
 * directory. */
void koshu_temporaries_sweep(const char *directory);

/* ---- reading ---------------------------------------------------------- */

/* Callers may read the members; only these functions change them. Bytes are
 * read by offset, because a descriptor shared with a child process has a single
 * position. */
struct koshu_reader {
    struct koshu_context *context;
    int fd;
    char *path;
    uint64_t size, at; /* at: offset of the next byte */
    uint64_t held_at;  /* buffer holds the bytes held_at ... + held - 1 */
    size_t held;
    unsigned char buffer[1 << 16];
};

/*
 * KOSHU_ERROR_NOT_FOUND: no such file; KOSHU_ERROR_BAD_INPUT: a directory, a
 * device, an empty file; KOSHU_ERROR_IO: it cannot be read;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_reader_open(struct koshu_context *context,
                                                const char *path,
                                                struct koshu_reader **reader);

/* NULL is allowed. */
void koshu_reader_close(struct koshu_reader *reader);

/* The number of bytes left. */
static inline uint64_t
koshu_reader_left(const struct koshu_reader *reader)
{
    return reader->size - reader->at;
}

/* KOSHU_ERROR_BAD_FORMAT: `at` is beyond the end of the file; KOSHU_ERROR_IO.
 */
KOSHU_MUST_CHECK koshu_status koshu_reader_seek(struct koshu_reader *reader,
                                                uint64_t at);

/*
 * Reads the next n bytes; `what` they are is for messages: "positions".
 * KOSHU_ERROR_BAD_FORMAT: the file ends before; KOSHU_ERROR_IO.
 */
KOSHU_MUST_CHECK koshu_status koshu_reader_read(struct koshu_reader *reader,
                                                void *bytes, size_t n,
                                                const char *what);

/*
 * Reads the next line, without its end (\n or \r\n), as a string. The last line
 * of the file may lack its end; `whole` (may be NULL) becomes false then.
 * KOSHU_ERROR_BAD_FORMAT: longer than size - 1, has a zero byte, or there is no
 * line left; KOSHU_ERROR_IO.
 */
KOSHU_MUST_CHECK koshu_status koshu_reader_line(struct koshu_reader *reader,
                                                char *line, size_t size,
                                                bool *whole);

/*
 * Can the rest of the file hold count items of `size` bytes? To be called
 * before memory is requested. KOSHU_ERROR_BAD_FORMAT.
 */
KOSHU_MUST_CHECK koshu_status
koshu_reader_expect(const struct koshu_reader *reader, uint64_t count,
                    uint64_t size, const char *what);

/* KOSHU_ERROR_BAD_FORMAT: "PATH, byte AT: MESSAGE". */
koshu_status koshu_reader_fail(const struct koshu_reader *reader,
                               const char *format, ...) KOSHU_PRINTF(2, 3);

/* Fails with the given status: "PATH: MESSAGE". */
koshu_status koshu_reader_refuse(const struct koshu_reader *reader,
                                 koshu_status status, const char *format, ...)
        KOSHU_PRINTF(3, 4);

/*
 * Reads a whole text file, zero-terminated, to be freed; `what` it is is for
 * messages. KOSHU_ERROR_BAD_INPUT: longer than max, or it has a zero byte; and
 * the statuses of koshu_reader_open() and koshu_reader_read().
 */
KOSHU_MUST_CHECK koshu_status koshu_text_read(struct koshu_context *context,
                                              const char *path,
                                              const char *what, uint64_t max,
                                              char **text);

/* ---- formats ---------------------------------------------------------- */

/* Of n names, keeps those that do not belong to the same snapshot as an earlier
 * one. Returns how many are kept. */
size_t koshu_snapshot_names_once(struct koshu_context *context, size_t n,
                                 const char **paths);

/* koshu_reader_open() for a snapshot, or for the first of its files. */
KOSHU_MUST_CHECK koshu_status
koshu_reader_open_snapshot(struct koshu_context *context, const char *path,
                           struct koshu_reader **reader);

/* If `path` is the base name of a snapshot of several files, as snapshot_0001
 * or snapshot_0001.hdf5 is of snapshot_0001.0.hdf5, the path of the first; else
 * the same path. To be freed. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_snapshot_find(struct koshu_context *context,
                                                  const char *path,
                                                  char **found);

/* The ending of file names: ".hdf5". */
const char *koshu_format_ending(enum koshu_format format);

/* Can a snapshot of this format consist of several files? */
bool koshu_format_in_files(enum koshu_format format);

/*
 * Reads numbers of a snapshot's n particles, in their order, for which the
 * store has no field, by their name in the file: in HDF5 a dataset "Density" of
 * every type that has particles. KOSHU_ERROR_NOT_FOUND: not all particles have
 * one, or the format has no such numbers; KOSHU_ERROR_BAD_INPUT: a number is
 * not finite, or there are not n particles; and the statuses of
 * koshu_snapshot_read().
 */
KOSHU_MUST_CHECK koshu_status
koshu_snapshot_column(struct koshu_context *context, const char *path,
                      const char *name, size_t n, double *values);

/* ---- tables ------------------------------------------------------------ */

/* The text without spaces at both ends. */
char *koshu_trim(char *text);

/* Numbers in named columns. */
struct koshu_table {
    const char *path; /* the caller's, for messages */
    /* capacity: rows that fit into values */
    size_t n_columns, n_rows, capacity;
    /* point into text; the unit of "time [Myr]" is "Myr", or "" */
    char **names, **units;
    double *values; /* values[row * n_columns + column] */
    char *text;     /* of the file, split into words */
};

enum koshu_table_kind {
    /* The log of a run, which may still be running: a last line without an end
     * is being written, and is dropped. */
    KOSHU_TABLE_LOG,
    /* A user's numbers: the last line may lack its end, and every number must
     * be finite. */
    KOSHU_TABLE_DATA
};

/*
 * Reads CSV: names in the first line, with or without units in brackets, and
 * numbers in the others. Empty lines and those that begin with # are skipped.
 * path must outlive the table. KOSHU_ERROR_BAD_FORMAT, with the line: no names,
 * two equal names, no rows, too few or too many fields, a field that is not a
 * number; KOSHU_ERROR_NOT_FOUND, KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_IO,
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_table_read(struct koshu_context *context,
                                               const char *path,
                                               enum koshu_table_kind kind,
                                               struct koshu_table *table);

void koshu_table_free(struct koshu_table *table);

/* The index of the column of this name. KOSHU_ERROR_BAD_FORMAT, with a list of
 * the columns. */
KOSHU_MUST_CHECK koshu_status koshu_table_find(struct koshu_context *context,
                                               const struct koshu_table *table,
                                               const char *name,
                                               size_t *column);

/* The store's numbers are the file's numbers times these factors. */
struct koshu_file_factors {
    double mass, velocity;
};

/*
 * koshu_snapshot_write() with masses and velocities divided by these factors.
 */
KOSHU_MUST_CHECK koshu_status koshu_snapshot_write_divided(
        struct koshu_particles *particles, const char *path,
        const struct koshu_snapshot_info *info, const char *parameters,
        struct koshu_file_factors factors);

/*
 * The same for a store with all particles of a group of writers, whose files
 * this rank writes; its context has one rank.
 */
struct koshu_writers;
KOSHU_MUST_CHECK koshu_status koshu_snapshot_write_group(
        struct koshu_particles *particles, const char *path,
        const struct koshu_snapshot_info *info, const char *parameters,
        struct koshu_file_factors factors, const struct koshu_writers *writers);

/* ---- checkpoints ------------------------------------------------------- */

/*
 * What a run needs to continue, besides its particles. A checkpoint is an HDF5
 * snapshot (every reader of snapshots accepts it) with another group,
 *
 *     /Checkpoint   attributes of the members below; dataset Accelerations
 *                   [n][3]; with block time steps also Jerks [n][3], Ticks,
 *                   Steps [n]; and where particles are at different times,
 *                   their Coordinates, Velocities [n][3], while the
 *                   snapshot has them predicted to the clock's time
 *
 * and, after HDF5's last byte, a checksum of all bytes before (XXH64).
 */
#define KOSHU_NOT_COUNTED UINT64_MAX

struct koshu_checkpoint {
    struct koshu_integrator_clock clock;
    uint64_t snapshots; /* written */
    /* lost_snapshots: those of them whose loss was accepted; *_rows: rows of
     * the logs. KOSHU_NOT_COUNTED: written by koshu 0.1 */
    uint64_t lost_snapshots, energy_rows, performance_rows, error_rows,
            cluster_rows;
    double begin; /* the time at which the run began */
    double initial_energy, energy_error;
    double softening, box_size;
    struct koshu_units units; /* of the run */
    /* the particles' masses are those in the run's unit times this; 0: 1. The
     * file states the unit in which they are as stored; koshu_snapshot_read()
     * divides them. */
    double mass_factor;
    /* The particles' velocities are those of files times this; 0: 1. */
    double velocity_factor;
    double omega_m, omega_lambda, hubble; /* as in koshu_snapshot_info */
    double kinetic_integral; /* cosmological: int T da since the beginning */
    double removed_energy;   /* energy removed by events and mass loss so far */
    uint64_t event_rows;     /* like the other rows */
    char backend[16];
};

/* The file is written completely or not at all. Collective.
 * KOSHU_ERROR_NOT_FINITE: of a particle; KOSHU_ERROR_IO; KOSHU_ERROR_EXTERNAL;
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_checkpoint_write(
        struct koshu_particles *particles, const char *path,
        const struct koshu_checkpoint *checkpoint, const char *parameters);

/*
 * Reads the particles (each rank its own) with all fields, KOSHU_FIELD_JERK and
 * KOSHU_FIELD_STEP if the file has them, and the text of the parameters; both
 * belong to the caller. Rank 0 compares the checksum first. Collective.
 * KOSHU_ERROR_NOT_FOUND; KOSHU_ERROR_BAD_FORMAT, KOSHU_ERROR_BAD_INPUT: it is
 * not a checkpoint, or is damaged; KOSHU_ERROR_IO; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status
koshu_checkpoint_read(struct koshu_context *context, const char *path,
                      struct koshu_particles **particles,
                      struct koshu_checkpoint *checkpoint, char **parameters);

/* Does the file end like a checkpoint? Its checksum is not compared. Statuses
 * of koshu_reader_open() and koshu_reader_read(). */
KOSHU_MUST_CHECK koshu_status koshu_is_checkpoint(struct koshu_context *context,
                                                  const char *path,
                                                  bool *is_checkpoint);

/* Is this an intact checkpoint, by its checksum? KOSHU_OK, or what
 * koshu_checkpoint_read() would return. */
KOSHU_MUST_CHECK koshu_status
koshu_checkpoint_check(struct koshu_context *context, const char *path);

/* ---- catalogue.c --------------------------------------------------------- */

/* Is the HDF5 file a catalogue? KOSHU_ERROR_NOT_FOUND, KOSHU_ERROR_BAD_FORMAT,
 * KOSHU_ERROR_IO, KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_is_catalogue(struct koshu_context *context,
                                                 const char *path,
                                                 bool *is_catalogue);

#endif
