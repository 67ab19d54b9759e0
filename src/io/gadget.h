/* SPDX-License-Identifier: MIT */
/*
 * GADGET-2 binary, formats 1 and 2: Fortran records, each between two markers
 * with its length in bytes.
 *
 *     header  256 bytes: int npart[6]; double mass[6], time, redshift;
 *             int flags[2], npart_total[6], flag, num_files;
 *             double box_size, omega0, omega_lambda, hubble; int flags[2],
 *             npart_total_high[6]; the rest unused, except for the units
 *             that koshu stores there, see AT_UNITS
 *     POS     float or double [n][3], one type after the other
 *     VEL     the same
 *     ID      4 or 8 bytes [n]
 *     MASS    [n of the types whose header mass is 0]; missing where n is 0
 *     POT     [n], optional
 *
 * Format 2 puts a record of 8 bytes before each: four letters, and the length
 * of the next record with its markers. In format 1 the position of a block says
 * what it is; the potential is the first block after the masses that has n
 * numbers (blocks of gas have fewer). Read in either byte order, which the
 * first marker shows; written little-endian. Source: Springel, User guide for
 * GADGET-2, section 6. For gadget*.c only.
 */
#ifndef KOSHU_IO_GADGET_H
#define KOSHU_IO_GADGET_H

#include "io/bytes.h"
#include "io/format.h"

enum { HEADER = 256, TAG = 8, MARKER = 4, N_TYPES = 6 };

/* Offsets in the header, in bytes. */
enum {
    AT_COUNT = 0,
    AT_MASS = 24,
    AT_TIME = 72,
    AT_REDSHIFT = 80,
    AT_TOTAL = 96,
    AT_FILES = 124,
    AT_BOX = 128,
    AT_OMEGA_M = 136,
    AT_OMEGA_LAMBDA = 144,
    AT_HUBBLE = 152,
    AT_HIGH = 168, /* of the upper 32 bits of the totals */
    /* koshu's own: UNITS_MARK, then the units of length, mass and velocity in
     * cgs, at the end of the unused bytes */
    AT_UNITS = 224
};

enum { UNITS_MARK_SIZE = 8 };
#define UNITS_MARK "koshu-u1"

enum block { POS, VEL, ID, MASS, POT, N_BLOCKS };

/* The content of a block: rows of `columns` arrays, from the first on. */
struct gadget_content {
    const char *tag, *title;
    enum koshu_array array;
    unsigned columns;
};
enum { MAX_COLUMNS = 3 };
extern const struct gadget_content koshu_gadget_contents[N_BLOCKS];

koshu_status koshu_gadget_write(struct koshu_file *file,
                                const struct koshu_snapshot *snapshot);

#endif
