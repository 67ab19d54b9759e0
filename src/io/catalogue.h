/* SPDX-License-Identifier: MIT */
/*
 * Catalogues of groups, in HDF5, with GADGET-4's names:
 *
 *     /Header   attributes Time, BoxSize, Ngroups_Total; with cosmology also
 *               Redshift, Omega0, OmegaLambda, HubbleParam; and given numbers
 *     /Units    as in a snapshot
 *     /Code     as in a snapshot
 *     /Group    a dataset for each column, with the attribute Unit
 *     /IDs      dataset ID: of the members, group by group; where they are
 * given
 */
#ifndef KOSHU_IO_CATALOGUE_H
#define KOSHU_IO_CATALOGUE_H

#include <koshu/context.h>
#include <koshu/snapshot.h>
#include <koshu/status.h>

/* A dataset: rows of one or more numbers. */
struct koshu_catalogue_column {
    const char *name, *unit; /* "GroupMass", "1e10 Msun/h" */
    bool whole;              /* uint64_t, else double */
    size_t columns;
    const void *rows;
};

struct koshu_catalogue_number {
    const char *name;
    double value;
};

struct koshu_catalogue {
    const struct koshu_snapshot_info *info;
    size_t n_numbers, n_columns, n_groups, n_members;
    const struct koshu_catalogue_number *number;
    const struct koshu_catalogue_column *column;
    const uint64_t *member; /* NULL: not written */
};

/* The file is written completely or not at all. KOSHU_ERROR_IO,
 * KOSHU_ERROR_EXTERNAL, KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_catalogue_write(struct koshu_context *context, const char *path,
                      const struct koshu_catalogue *catalogue);

#endif
