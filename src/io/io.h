/* SPDX-License-Identifier: MIT */
/*
 * Files, for every module that writes or reads one.
 *
 * Writing is whole or nothing: the bytes go to a temporary name in the
 * directory of the target; koshu_file_commit() syncs them, renames the file
 * over the target and syncs the directory. Until then, and after any failure,
 * the target is what it was.
 *
 * Reading is counted: a reader has the size of its file, so that a count in
 * the file can be compared with it before memory is requested, and a file that
 * ends too early is reported with the byte where it ends.
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

/* A file under its temporary name; only these functions write the members. */
struct koshu_file {
    struct koshu_context *context;
    FILE *stream; /* for fprintf(), libpng and the like; errors are found by
                     the commit, which closes it */
    int fd;
    int lock; /* of the temporary file, held until it has its name; -1: none */
    char *target, *directory, *temporary;
    mode_t mode; /* permissions of an old file; 0: there is none */
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

/* Reads back at most n bytes from this offset on, of those that were not
 * written to the stream; 0 at the end, and where they cannot be read, which the
 * commit reports. */
size_t
koshu_file_read_at(struct koshu_file *file, uint64_t at, void *bytes, size_t n);

/* Cuts the file, or lengthens it with zeros. KOSHU_ERROR_IO. */
KOSHU_MUST_CHECK koshu_status koshu_file_resize(struct koshu_file *file,
                                                uint64_t size);

/*
 * Puts the file in its place; `file` is gone afterwards, whatever the status.
 * KOSHU_ERROR_IO: something could not be written (here or earlier); the
 * temporary file is removed and the target is unchanged.
 */
KOSHU_MUST_CHECK koshu_status koshu_file_commit(struct koshu_file *file);

/* Removes the temporary file; the target is unchanged. NULL is allowed. The
 * context's message is left alone, so this fits after a failure. */
void koshu_file_abandon(struct koshu_file *file);

/* The commit where the status is KOSHU_OK; otherwise the file is abandoned, and
 * the status returned. */
KOSHU_MUST_CHECK koshu_status koshu_file_end(struct koshu_file *file,
                                             koshu_status status);

/* A file of n bytes, from its beginning to its commit. */
KOSHU_MUST_CHECK koshu_status
koshu_file_write_whole(struct koshu_context *context, const char *path,
                       const void *bytes, size_t n);

/* Names that were given, changed or removed in it, to the disk. KOSHU_ERROR_IO.
 */
KOSHU_MUST_CHECK koshu_status
koshu_directory_sync(struct koshu_context *context, const char *directory);

/* What names of temporary files begin with, ".koshu-HOST-": other hosts may not
 * see who has locked one. */
enum { KOSHU_TEMPORARY_PREFIX = 80 };
void koshu_temporary_prefix(char prefix[KOSHU_TEMPORARY_PREFIX]);

/* Removes temporary files that no process has locked, made on this host, from a
 * directory. */
void koshu_temporaries_sweep(const char *directory);

/* ---- reading ---------------------------------------------------------- */

/* Any caller may read the members; only these functions write them. Bytes are
 * fetched by offset: a descriptor that a child process shares has but one
 * position. */
struct koshu_reader {
    struct koshu_context *context;
    int fd;
    char *path;
    uint64_t size, at; /* at: where the next byte comes from */
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

/* How many bytes are left. */
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
 * The next n bytes. `what` they are goes into the message: "positions".
 * KOSHU_ERROR_BAD_FORMAT: the file ends before; KOSHU_ERROR_IO.
 */
KOSHU_MUST_CHECK koshu_status koshu_reader_read(struct koshu_reader *reader,
                                                void *bytes, size_t n,
                                                const char *what);

/*
 * The next line, without its end (\n or \r\n), as a string. The last line of
 * the file may lack its end; `whole` (may be NULL) is whether it had one.
 * KOSHU_ERROR_BAD_FORMAT: longer than size - 1, holds a zero byte, or there is
 * no line left; KOSHU_ERROR_IO.
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

/* This status: "PATH: MESSAGE". */
koshu_status koshu_reader_refuse(const struct koshu_reader *reader,
                                 koshu_status status, const char *format, ...)
        KOSHU_PRINTF(3, 4);

/*
 * All of a file of text, with a 0 at its end, to be freed; `what` it is goes
 * into messages. KOSHU_ERROR_BAD_INPUT: longer than max, or a zero byte in it;
 * and as koshu_reader_open() and koshu_reader_read().
 */
KOSHU_MUST_CHECK koshu_status koshu_text_read(struct koshu_context *context,
                                              const char *path,
                                              const char *what, uint64_t max,
                                              char **text);

/* ---- formats ---------------------------------------------------------- */

/* Of n names, those that are not of another file of a snapshot that an earlier
 * one names; how many they are. */
size_t koshu_snapshot_names_once(struct koshu_context *context, size_t n,
                                 const char **paths);

/* koshu_reader_open() of a snapshot, or of the first of its files. */
KOSHU_MUST_CHECK koshu_status
koshu_reader_open_snapshot(struct koshu_context *context, const char *path,
                           struct koshu_reader **reader);

/* The path, to be freed, of the first file where `path` is the base name of a
 * snapshot of several, as snapshot_0001 or snapshot_0001.hdf5 is of
 * snapshot_0001.0.hdf5; else the same path. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_snapshot_find(struct koshu_context *context,
                                                  const char *path,
                                                  char **found);

/* The ending of its files' names: ".hdf5". */
const char *koshu_format_ending(enum koshu_format format);

/* Has it snapshots of several files? */
bool koshu_format_in_files(enum koshu_format format);

/*
 * Numbers of a snapshot's n particles, in their order, that the store has no
 * field for, by their name in the file: an HDF5 dataset "Density" of every
 * type that has particles. KOSHU_ERROR_NOT_FOUND: not all particles have one,
 * or the format keeps none; KOSHU_ERROR_BAD_INPUT: a number is not finite, or
 * there are not n particles; and the statuses of koshu_snapshot_read().
 */
KOSHU_MUST_CHECK koshu_status
koshu_snapshot_column(struct koshu_context *context, const char *path,
                      const char *name, size_t n, double *values);

/* ---- tables ------------------------------------------------------------ */

/* The text, with spaces cut from both ends. */
char *koshu_trim(char *text);

/* Numbers in named columns. */
struct koshu_table {
    const char *path;                   /* the reader's, for messages */
    size_t n_columns, n_rows, capacity; /* capacity: rows there is room for */
    char **names, **units; /* into text; units: of "time [Myr]", "Myr"; "" */
    double *values;        /* values[row * n_columns + column] */
    char *text;            /* of the file, cut into words */
};

enum koshu_table_kind {
    /* Of a run, which may be at work: a last line without an end is still
     * being written, and left out. */
    KOSHU_TABLE_LOG,
    /* A user's numbers: a last line may lack its end, and every number is
     * finite. */
    KOSHU_TABLE_DATA
};

/*
 * Reads CSV: names in the first line, with units in brackets or without,
 * numbers in the others; empty lines and those that begin with # are skipped.
 * path must outlive the table. KOSHU_ERROR_BAD_FORMAT names the line: no names,
 * two that are the same, no rows, too few or too many fields, a field that is
 * no number; KOSHU_ERROR_NOT_FOUND, KOSHU_ERROR_BAD_INPUT, KOSHU_ERROR_IO,
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status koshu_table_read(struct koshu_context *context,
                                               const char *path,
                                               enum koshu_table_kind kind,
                                               struct koshu_table *table);

void koshu_table_free(struct koshu_table *table);

/* The place of the column of this name. KOSHU_ERROR_BAD_FORMAT lists the
 * columns that there are. */
KOSHU_MUST_CHECK koshu_status koshu_table_find(struct koshu_context *context,
                                               const struct koshu_table *table,
                                               const char *name,
                                               size_t *column);

/* What the numbers of a store are times what a file is to have. */
struct koshu_file_factors {
    double mass, velocity;
};

/*
 * koshu_snapshot_write() of particles whose masses and velocities are these
 * factors times what the file has.
 */
KOSHU_MUST_CHECK koshu_status koshu_snapshot_write_divided(
        struct koshu_particles *particles, const char *path,
        const struct koshu_snapshot_info *info, const char *parameters,
        struct koshu_file_factors factors);

/*
 * Of a store that has all particles of a group of writers, which this context
 * of one rank writes the files of.
 */
struct koshu_writers;
KOSHU_MUST_CHECK koshu_status koshu_snapshot_write_group(
        struct koshu_particles *particles, const char *path,
        const struct koshu_snapshot_info *info, const char *parameters,
        struct koshu_file_factors factors, const struct koshu_writers *writers);

/* ---- checkpoints ------------------------------------------------------- */

/*
 * What a run goes on from, besides its particles. A checkpoint is an HDF5
 * snapshot (every reader of snapshots takes it) with one group more,
 *
 *     /Checkpoint   attributes of the members below; dataset Accelerations
 *                   [n][3]; with block time steps also Jerks [n][3], Ticks,
 *                   Steps [n]; and where particles are not at one time,
 *                   Coordinates, Velocities [n][3] as they are there, while
 *                   the snapshot has them predicted to the clock's time
 *
 * and, after HDF5's last byte, a checksum of all bytes before (XXH64).
 */
#define KOSHU_NOT_COUNTED UINT64_MAX

struct koshu_checkpoint {
    struct koshu_integrator_clock clock;
    uint64_t snapshots; /* written */
    /* of these snapshots, those whose loss was accepted; rows of the logs;
     * KOSHU_NOT_COUNTED: written by koshu 0.1 */
    uint64_t lost_snapshots, energy_rows, performance_rows, error_rows,
            cluster_rows;
    double begin; /* time of the run's beginning */
    double initial_energy, energy_error;
    double softening, box_size;
    struct koshu_units units; /* of the run */
    double mass_factor;       /* masses of the particles are times it; 0: 1. The
                                 file states the unit of mass in which they are
                                 what they are; koshu_snapshot_read() divides
                                 them. */
    /* Velocities of the particles are times it what files have; 0: 1. */
    double velocity_factor;
    double omega_m, omega_lambda, hubble; /* as in koshu_snapshot_info */
    double kinetic_integral; /* of a universe: int T da since the beginning */
    double removed_energy;   /* that events and mass loss have taken so far */
    uint64_t event_rows;     /* as the other rows */
    char backend[16];
};

/* Whole or not at all. Collective. KOSHU_ERROR_NOT_FINITE: a particle is not;
 * KOSHU_ERROR_IO; KOSHU_ERROR_EXTERNAL; KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_checkpoint_write(
        struct koshu_particles *particles, const char *path,
        const struct koshu_checkpoint *checkpoint, const char *parameters);

/*
 * The particles, of which each rank reads its own, with all fields
 * (KOSHU_FIELD_JERK and KOSHU_FIELD_STEP where they were there), and the text
 * of the parameters, both the caller's; rank 0 compares the checksum before.
 * Collective. KOSHU_ERROR_NOT_FOUND; KOSHU_ERROR_BAD_FORMAT,
 * KOSHU_ERROR_BAD_INPUT: it is not a checkpoint, or not what was written;
 * KOSHU_ERROR_IO; KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status
koshu_checkpoint_read(struct koshu_context *context, const char *path,
                      struct koshu_particles **particles,
                      struct koshu_checkpoint *checkpoint, char **parameters);

/* Does the file end as a checkpoint does? Its checksum is not compared. As
 * koshu_reader_open(), koshu_reader_read(). */
KOSHU_MUST_CHECK koshu_status koshu_is_checkpoint(struct koshu_context *context,
                                                  const char *path,
                                                  bool *is_checkpoint);

/* Is this a whole checkpoint, by its checksum? KOSHU_OK, or what
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
