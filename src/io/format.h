/* SPDX-License-Identifier: MIT */
/*
 * The interface of a snapshot format: a table of functions for each, in the
 * file named after it. For src/io only.
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

/* The snapshot that a file belongs to. */
struct koshu_snapshot_set {
    uint64_t files; /* 1: it is the whole snapshot */
    /* particles in all files; readers set 0 where it is not stated */
    uint64_t n;
    uint64_t parameters; /* set by readers: a hash of the text */
};

/* A snapshot to be written. */
struct koshu_snapshot {
    /* of all ranks whose rows go into this file */
    const struct koshu_rows *rows;
    /* all particles or, with by_rows, those of this rank */
    const struct koshu_particle_view *view;
    const struct koshu_snapshot_info *info;
    const char *parameters; /* the text of a parameter file; NULL: none */
    struct koshu_snapshot_set set;
};

/* Numbers are read and written in the C locale. */
struct koshu_format_ops {
    const char *name;
    const char *endings[3]; /* of file names; ends with NULL */
    bool single;            /* it stores floats, where others store doubles */
    bool by_rows;           /* write() fetches the rows of other ranks */
    bool in_files;          /* a snapshot may consist of several files */

    /* Could a file that begins with these n bytes be of this format? n = 512,
     * or the size of a shorter file. */
    bool (*recognise)(const unsigned char *head, size_t n);

    /* Fills info, which is preset with the format, dimensionless units and
     * zeros, without reading the particles. Checks that n particles fit into
     * the file. set: preset for a single file. The reader is at byte 0. */
    koshu_status (*inspect)(struct koshu_reader *reader,
                            struct koshu_snapshot_info *info,
                            struct koshu_snapshot_set *set);

    /* Fills id, mass, position, velocity and, with info->has_potential,
     * potential of the view with the particles of the file from `first` on.
     * info is what inspect() found. The reader is at byte 0. */
    koshu_status (*read)(struct koshu_reader *reader,
                         const struct koshu_snapshot_info *info, uint64_t first,
                         const struct koshu_particle_view *view);

    /* The text of the parameter file that is stored with the particles, to be
     * freed; NULL where there is none. The function pointer is NULL where the
     * format stores none. */
    koshu_status (*parameters)(struct koshu_reader *reader, char **text);

    /* Numbers of all info->n particles for which the store has no field, by
     * their name in the file. KOSHU_ERROR_NOT_FOUND, without a message: not all
     * particles have one. The function pointer is NULL where the format stores
     * none. */
    koshu_status (*column)(struct koshu_reader *reader,
                           const struct koshu_snapshot_info *info,
                           const char *name, double *values);

    /* Writes particles that are finite and, where the format stores floats, fit
     * into floats. Failures of the stream are reported by the commit. */
    koshu_status (*write)(struct koshu_file *file,
                          const struct koshu_snapshot *snapshot);
};

extern const struct koshu_format_ops koshu_format_hdf5, koshu_format_gadget1,
        koshu_format_gadget2, koshu_format_tipsy, koshu_format_csv;

enum { KOSHU_FORMATS = KOSHU_FORMAT_CSV + 1 };
extern const struct koshu_format_ops *const koshu_formats[KOSHU_FORMATS];

/*
 * Writes one file from the rows of this rank and all others: the first rank
 * writes, the others send what it requests. Collective; returns what write()
 * returned.
 */
typedef koshu_status koshu_write_file(struct koshu_context *context,
                                      const char *path, const void *content);
KOSHU_MUST_CHECK koshu_status
koshu_file_from_ranks(struct koshu_context *context, const char *path,
                      const struct koshu_rows *rows, koshu_write_file *write,
                      const void *content);

/* Finds the format of a file; the reader is at byte 0, before and after.
 * KOSHU_ERROR_BAD_FORMAT: none. */
KOSHU_MUST_CHECK koshu_status
koshu_format_recognise(struct koshu_reader *reader, enum koshu_format *format);

/* ---- what a snapshot holds ---------------------------------------------- */

enum {
    KOSHU_SNAPSHOT_FIELDS = KOSHU_FIELD_ID | KOSHU_FIELD_MASS |
                            KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY |
                            KOSHU_FIELD_POTENTIAL
};

/* The number of particle arrays, from the first, that it has. */
static inline size_t
koshu_snapshot_arrays(const struct koshu_snapshot_info *info)
{
    return info->has_potential ? KOSHU_SNAPSHOT_ARRAYS : KOSHU_ARRAY_POTENTIAL;
}

/* A view of particles first ... first + n - 1 of a view. */
struct koshu_particle_view
koshu_snapshot_part(const struct koshu_particle_view *view, size_t first,
                    size_t n);

/* The view has particles of a file from `first` on. Returns those of them that
 * are in the group; maybe none. *row: their first index in the group. */
struct koshu_particle_view
koshu_snapshot_group(const struct koshu_particle_view *view, uint64_t first,
                     struct koshu_slice group, uint64_t *row);

/* KOSHU_ERROR_BAD_INPUT: the file changed while it was read. */
koshu_status koshu_snapshot_fail_changed(const struct koshu_reader *reader);

/* What is wrong with the numbers of an info; NULL: nothing. */
const char *koshu_snapshot_fault(const struct koshu_snapshot_info *info);

/* Is the time the scale factor of the redshift? Files of isolated systems may
 * have densities and h too, with a redshift of 0; of another one that does not
 * fit it sets info->inconsistent. */
bool
koshu_snapshot_fits_redshift(struct koshu_snapshot_info *info, double redshift);

/* koshu_particles_check(), for the potential too, where there is one. */
KOSHU_MUST_CHECK koshu_status
koshu_snapshot_check(struct koshu_particles *particles,
                     const struct koshu_particle_view *view,
                     const struct koshu_snapshot_info *info);

#endif
