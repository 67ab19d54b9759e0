/* SPDX-License-Identifier: MIT */
/*
 * What each snapshot format is: one table of functions per format, each in
 * the file named after it. For src/io only.
 */
#ifndef KOSHU_IO_FORMAT_H
#define KOSHU_IO_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/particles.h>
#include <koshu/snapshot.h>

#include "domain/domain.h"
#include "io/io.h"
#include "particles/particles.h"

/* The snapshot that a file is one of. */
struct koshu_snapshot_set {
    uint64_t files; /* 1: it is all of it */
    uint64_t n;     /* particles in all of them; of readers 0: not stated */
    uint64_t parameters; /* of readers: a hash of their text */
};

/* What is written. */
struct koshu_snapshot {
    const struct koshu_rows *rows; /* of all ranks, in this file */
    /* all particles, or, by_rows, those of this rank */
    const struct koshu_particle_view *view;
    const struct koshu_snapshot_info *info;
    const char *parameters; /* the text of a parameter file; NULL: none */
    struct koshu_snapshot_set set;
};

/* Numbers are read and written in the C locale. */
struct koshu_format_ops {
    const char *name;
    const char *endings[3]; /* of file names; NULL after the last */
    bool single;            /* it keeps floats, where others keep doubles */
    bool by_rows;           /* write() fetches the rows of other ranks */
    bool in_files;          /* a snapshot may be several files */

    /* Could a file that begins with these n bytes (n = 512, or all of a shorter
     * file) be of this format? */
    bool (*recognise)(const unsigned char *head, size_t n);

    /* Fills info (which comes with the format, dimensionless units and zeros)
     * without reading the particles. After it, n particles are known to fit
     * into the file. set: comes as of one file. The reader is at byte 0. */
    koshu_status (*inspect)(struct koshu_reader *reader,
                            struct koshu_snapshot_info *info,
                            struct koshu_snapshot_set *set);

    /* Fills id, mass, position, velocity and, with info->has_potential,
     * potential of the view, which are the particles of the file from `first`
     * on. info is what inspect() found. The reader is at byte 0. */
    koshu_status (*read)(struct koshu_reader *reader,
                         const struct koshu_snapshot_info *info, uint64_t first,
                         const struct koshu_particle_view *view);

    /* The text of the parameter file that is kept with the particles, to be
     * freed; NULL where there is none. NULL itself where the format keeps
     * none. */
    koshu_status (*parameters)(struct koshu_reader *reader, char **text);

    /* Numbers of all info->n particles that the store has no field for, by
     * their name in the file. KOSHU_ERROR_NOT_FOUND, without a message: not all
     * particles have one. NULL itself where the format keeps none. */
    koshu_status (*column)(struct koshu_reader *reader,
                           const struct koshu_snapshot_info *info,
                           const char *name, double *values);

    /* Writes particles that are finite, and fit into float where the format
     * keeps no doubles. What cannot be written to the stream is found by the
     * commit. */
    koshu_status (*write)(struct koshu_file *file,
                          const struct koshu_snapshot *snapshot);
};

extern const struct koshu_format_ops koshu_format_hdf5, koshu_format_gadget1,
        koshu_format_gadget2, koshu_format_tipsy, koshu_format_csv;

enum { KOSHU_FORMATS = KOSHU_FORMAT_CSV + 1 };
extern const struct koshu_format_ops *const koshu_formats[KOSHU_FORMATS];

/*
 * The file of a rank's rows and those of all others: the first rank writes it,
 * the others send what it requests. Collective; what write() returned.
 */
typedef koshu_status koshu_write_file(struct koshu_context *context,
                                      const char *path, const void *content);
KOSHU_MUST_CHECK koshu_status
koshu_file_from_ranks(struct koshu_context *context, const char *path,
                      const struct koshu_rows *rows, koshu_write_file *write,
                      const void *content);

/* Which format a file begins like; the reader is at byte 0, before and after.
 * KOSHU_ERROR_BAD_FORMAT: none. */
KOSHU_MUST_CHECK koshu_status
koshu_format_recognise(struct koshu_reader *reader, enum koshu_format *format);

/* ---- what a snapshot holds ---------------------------------------------- */

enum {
    KOSHU_SNAPSHOT_FIELDS = KOSHU_FIELD_ID | KOSHU_FIELD_MASS |
                            KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY |
                            KOSHU_FIELD_POTENTIAL
};

/* How many of the particles' arrays, from the first, it has. */
static inline size_t
koshu_snapshot_arrays(const struct koshu_snapshot_info *info)
{
    return info->has_potential ? KOSHU_SNAPSHOT_ARRAYS : KOSHU_ARRAY_POTENTIAL;
}

/* The arrays of particles first ... first + n - 1 of a view. */
struct koshu_particle_view
koshu_snapshot_part(const struct koshu_particle_view *view, size_t first,
                    size_t n);

/* Of a view, which has particles of a file from `first` on, those that are in a
 * group of these too; maybe none. *row: where in the group they begin. */
struct koshu_particle_view
koshu_snapshot_group(const struct koshu_particle_view *view, uint64_t first,
                     struct koshu_slice group, uint64_t *row);

/* KOSHU_ERROR_BAD_INPUT: the file changed while it was read. */
koshu_status koshu_snapshot_fail_changed(const struct koshu_reader *reader);

/* What is wrong with the numbers of an info; NULL: nothing. */
const char *koshu_snapshot_fault(const struct koshu_snapshot_info *info);

/* koshu_particles_check(), and of the potential, where there is one. */
KOSHU_MUST_CHECK koshu_status
koshu_snapshot_check(struct koshu_particles *particles,
                     const struct koshu_particle_view *view,
                     const struct koshu_snapshot_info *info);

#endif
