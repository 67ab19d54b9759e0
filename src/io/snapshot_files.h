/* SPDX-License-Identifier: MIT */
/* Reading the files of a snapshot: one, or several that belong together. For
 * src/io only. */
#ifndef KOSHU_IO_SNAPSHOT_FILES_H
#define KOSHU_IO_SNAPSHOT_FILES_H

#include "io/file_names.h"
#include "io/format.h"

struct koshu_snapshot_files {
    char *path; /* of one of them */
    struct koshu_file_name name;
    struct koshu_snapshot_set set;
    struct koshu_snapshot_info info; /* of all files; each has its format */
    uint64_t *n;                     /* particles of each file */
};

/*
 * Finds all files from the name of one, or from their base name, and reads
 * their headers. KOSHU_ERROR_NOT_FOUND: one is missing; KOSHU_ERROR_BAD_INPUT:
 * one is of another snapshot, or its name has no number; and the statuses of a
 * reader.
 */
KOSHU_MUST_CHECK koshu_status
koshu_snapshot_files_open(struct koshu_context *context, const char *path,
                          struct koshu_snapshot_files *files);
void koshu_snapshot_files_close(struct koshu_snapshot_files *files);

/* Copies those of rank 0 to all ranks, where they must be {0} before.
 * Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_snapshot_files_broadcast(
        struct koshu_context *context, struct koshu_snapshot_files *files);

/* Calls visit() for each file that has some of these particles, in order, with
 * the reader at byte 0; info: of the file, with a potential only where all
 * files have one; first: the number among all of its first particle.
 * KOSHU_ERROR_BAD_INPUT: a file has changed since they were opened. */
typedef koshu_status koshu_visit_file(struct koshu_reader *reader,
                                      const struct koshu_snapshot_info *info,
                                      uint64_t first, void *argument);
KOSHU_MUST_CHECK koshu_status koshu_snapshot_files_visit(
        struct koshu_context *context, const struct koshu_snapshot_files *files,
        struct koshu_slice of, koshu_visit_file *visit, void *argument);

#endif
