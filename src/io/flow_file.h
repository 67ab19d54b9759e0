/* SPDX-License-Identifier: MIT */
/*
 * Files of flows: fields on grids, or vortex particles. HDF5 with
 *
 *     /Header      Time, Step, BoxSize
 *     /Flow        attributes: Kind and the numbers; datasets: the arrays
 *     /Code, /Parameters as in snapshots of particles
 *
 * and, of a checkpoint, the checksum trailer behind it.
 */
#ifndef KOSHU_IO_FLOW_FILE_H
#define KOSHU_IO_FLOW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/status.h>

/* rank dimensions, and columns numbers at each of their points; column after
 * column in memory, point after point in the file. */
struct koshu_flow_array {
    const char *name;
    size_t columns, rank, dims[3];
    double *data;
};

struct koshu_flow_number {
    const char *name;
    double value;
};

enum { KOSHU_FLOW_NUMBERS = 24, KOSHU_FLOW_ARRAYS = 8 };

struct koshu_flow_file {
    char kind[32]; /* "vortex" */
    double time, box;
    uint64_t step;
    size_t n_numbers, n_arrays;
    struct koshu_flow_number number[KOSHU_FLOW_NUMBERS];
    struct koshu_flow_array array[KOSHU_FLOW_ARRAYS];
    const char *parameters; /* written; NULL: none */
    bool is_checkpoint;
};

size_t koshu_flow_array_points(const struct koshu_flow_array *array);

/* Whole or not at all. KOSHU_ERROR_IO, KOSHU_ERROR_EXTERNAL,
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_flow_file_write(struct koshu_context *context, const char *path,
                      const struct koshu_flow_file *file);

/*
 * Reads the numbers and arrays that are named; dims of the arrays are set, and
 * their data are the caller's, to be freed by koshu_flow_file_free(), whatever
 * the status. KOSHU_ERROR_BAD_FORMAT: it is no such file, or something is
 * missing; of a checkpoint the checksum is compared.
 */
KOSHU_MUST_CHECK koshu_status
koshu_flow_file_read(struct koshu_context *context, const char *path,
                     struct koshu_flow_file *file);
void koshu_flow_file_free(struct koshu_flow_file *file);

/*
 * What the file of a flow says of itself: time, step, box, kind, and how many
 * points along the edge of a grid, or particles. is_flow: false where it is
 * another file, whatever that is. As koshu_flow_file_read().
 */
struct koshu_flow_summary {
    char kind[32], program[64];
    double time, box;
    uint64_t step, points, particles; /* 0: it is of the other kind */
};
KOSHU_MUST_CHECK koshu_status
koshu_flow_file_inspect(struct koshu_context *context, const char *path,
                        struct koshu_flow_summary *summary, bool *is_flow);

/* An XDMF file beside an HDF5 file of a flow, by which ParaView and VisIt open
 * it: its first array is that of the places where there are particles; grids
 * begin at 0. KOSHU_ERROR_IO. */
KOSHU_MUST_CHECK koshu_status koshu_flow_file_write_xdmf(
        struct koshu_context *context, const char *path, const char *hdf5,
        const struct koshu_flow_file *file);

#endif
