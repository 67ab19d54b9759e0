/* SPDX-License-Identifier: MIT */
/*
 * Files of flows: fields on grids, or vortex particles. HDF5 with
 *
 *     /Header      Time, Step, BoxSize
 *     /Flow        attributes: Kind, Order of a grid ("zyx"), and the numbers;
 *                  datasets: the arrays
 *     /Code, /Parameters   as in snapshots of particles
 *
 * A checkpoint also ends with the checksum trailer.
 */
#ifndef KOSHU_IO_FLOW_FILE_H
#define KOSHU_IO_FLOW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/status.h>

/* An array of `rank` dimensions, 1 or 3, with `columns` numbers at each point:
 * column by column in memory, point by point in the file. Of a grid, x is the
 * slowest index in memory, and z in the file, as visualisation programs expect
 * it. */
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

/* The file is written completely or not at all. KOSHU_ERROR_IO,
 * KOSHU_ERROR_EXTERNAL, KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_flow_file_write(struct koshu_context *context, const char *path,
                      const struct koshu_flow_file *file);

/*
 * Reads the named numbers and arrays. The dims of the arrays are set; their
 * data are to be freed by koshu_flow_file_free(), whatever the status. Compares
 * the checksum of a checkpoint. KOSHU_ERROR_BAD_FORMAT: it is not such a file,
 * or something is missing.
 */
KOSHU_MUST_CHECK koshu_status
koshu_flow_file_read(struct koshu_context *context, const char *path,
                     struct koshu_flow_file *file);
void koshu_flow_file_free(struct koshu_flow_file *file);

/*
 * The summary of a flow's file: time, step, box, kind, and the number of points
 * along the edge of a grid, or of particles. is_flow becomes false for any
 * other file. Statuses of koshu_flow_file_read().
 */
struct koshu_flow_summary {
    char kind[32], program[64];
    double time, box;
    uint64_t step, points, particles; /* 0: the flow is of the other kind */
};
KOSHU_MUST_CHECK koshu_status
koshu_flow_file_inspect(struct koshu_context *context, const char *path,
                        struct koshu_flow_summary *summary, bool *is_flow);

/* Writes an XDMF file beside the HDF5 file of a flow, with which ParaView and
 * VisIt open it. Of particles the first array must be the positions; grids
 * begin at 0. KOSHU_ERROR_IO. */
KOSHU_MUST_CHECK koshu_status koshu_flow_file_write_xdmf(
        struct koshu_context *context, const char *path, const char *hdf5,
        const struct koshu_flow_file *file);

#endif
