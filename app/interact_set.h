/* SPDX-License-Identifier: MIT */
/*
 * The i- or j-particles of `koshu interact`: numbers in named columns, from
 * files with the same rows. A snapshot has id, mass, x, y, z, vx, vy, vz and
 * maybe potential; any other text is a table (CSV) with its own names. Further
 * columns of HDF5 snapshots are their datasets, by name ("Density"); `h`,
 * `density` and `pressure` are also found under GADGET's and SWIFT's names.
 */
#ifndef KOSHU_APP_INTERACT_SET_H
#define KOSHU_APP_INTERACT_SET_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/context.h>
#include <koshu/status.h>

struct interact_file;

struct interact_set {
    struct koshu_context *context;
    size_t n; /* rows */
    size_t n_files;
    struct interact_file *files;
};

/* name = value, for all particles. */
struct interact_setting {
    const char *name;
    double value;
    bool used;
};
struct interact_settings {
    size_t n;
    struct interact_setting *setting; /* NULL: none */
};

/*
 * Reads the files, which must have the same number of rows. Statuses of
 * koshu_snapshot_read() and koshu_table_read(). The caller frees the set,
 * whatever the status; paths must outlive it.
 */
KOSHU_MUST_CHECK koshu_status interact_set_read(struct koshu_context *context,
                                                size_t n_files,
                                                const char *const *paths,
                                                struct interact_set *set);
void interact_set_free(struct interact_set *set);

/*
 * Makes rows of numbers with these names: each is the setting of that name or
 * else the column of the first file that has one. Marks settings as used. *rows
 * is to be freed. KOSHU_ERROR_BAD_INPUT: a name is not found (the message lists
 * those there are), or an id does not fit into a double;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_MUST_CHECK koshu_status
interact_set_rows(const struct interact_set *set, size_t n_names,
                  const char *const *names, struct interact_settings settings,
                  double **rows);

#endif
