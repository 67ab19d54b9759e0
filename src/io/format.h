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

struct koshu_format_ops {
    const char *name;
    const char *endings[3]; /* of file names; NULL after the last */
    bool single;            /* it keeps floats, where others keep doubles */
    bool by_rows;           /* write() fetches the rows of other ranks */

    /* Could a file of `size` bytes that begins with these n bytes (n = 512, or
     * all of a shorter file) be of this format? */
    bool (*recognise)(const unsigned char *head, size_t n, uint64_t size);

    /* Fills info (which comes with the format, dimensionless units and zeros)
     * without reading the particles. After it, n particles are known to fit
     * into the file. The reader is at byte 0. */
    koshu_status (*inspect)(struct koshu_reader *reader,
                            struct koshu_snapshot_info *info);

    /* Fills id, mass, position, velocity and, with info->has_potential,
     * potential of the view's n = info->n particles. info is what inspect()
     * found. The reader is at byte 0. */
    koshu_status (*read)(struct koshu_reader *reader,
                         const struct koshu_snapshot_info *info,
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
     * keeps no doubles. The view has all of them, or, by_rows, those of this
     * rank. */
    koshu_status (*write)(struct koshu_file *file,
                          const struct koshu_rows *rows,
                          const struct koshu_particle_view *view,
                          const struct koshu_snapshot_info *info,
                          const char *parameters);
};

extern const struct koshu_format_ops koshu_format_hdf5;
extern const struct koshu_format_ops koshu_format_gadget1;
extern const struct koshu_format_ops koshu_format_gadget2;
extern const struct koshu_format_ops koshu_format_tipsy;
extern const struct koshu_format_ops koshu_format_csv;

#endif
