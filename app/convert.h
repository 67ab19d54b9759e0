/* SPDX-License-Identifier: MIT */
/* koshu convert: its arguments, the snapshots that it reads, and the changes
 * that it makes. */
#ifndef KOSHU_APP_CONVERT_H
#define KOSHU_APP_CONVERT_H

#include <stdbool.h>

#include <koshu/snapshot.h>

#include "app.h"

/* A change of the particles, as on the command line. */
struct change {
    const struct change_kind *kind;
    const char *text; /* its value; NULL: none */
    /* k: for the k-th file, counted from 1; 0: for everything that is
     * written */
    size_t file;
};

struct convert_arguments {
    struct word_list files; /* IN, and OUT where there is no --output */
    struct change *change;  /* in order; to be freed */
    size_t n_changes, n_in, seed;
    size_t before_out;                /* files before --output */
    size_t n_files;                   /* of OUT */
    const char *out, *format, *units; /* NULL: not given */
    bool force;
};

/* A snapshot that was read, or is to be written. */
struct snapshot {
    const char *path;
    struct koshu_particles *particles;
    struct koshu_snapshot_info info; /* n: of the file */
    struct koshu_units before;       /* of the file */
    char *parameters;                /* NULL: none */
};

koshu_status read_snapshot(struct koshu_context *context, const char *path,
                           struct snapshot *s);
void free_snapshot(struct snapshot *s);

bool same_units(const struct koshu_units *a, const struct koshu_units *b);

/* ---- convert_change.c, convert_move.c, convert_select.c ------------------ */

/* The snapshot that a change is applied to. */
struct changing {
    struct koshu_context *context;
    struct snapshot *s;
    const char *option, *text;
    size_t seed;
};

typedef koshu_status apply_change(const struct changing *c);

/* Records an option that is a change. It is a parse() of options.h whose member
 * is the struct of all arguments. */
void note_change(struct argp_state *state, const char *option, char *text,
                 void *arguments);

/* The --from of the k-th file, or of all; NULL: not given. */
const char *units_given(const struct convert_arguments *a, size_t k);

/* Applies the changes of the k-th file; 0: of what is written. */
koshu_status apply_changes(struct koshu_context *context,
                           const struct convert_arguments *a, size_t k,
                           struct snapshot *s);

apply_change select_ids, select_every, select_fraction, cut_sphere, cut_box,
        shift_positions, boost_velocities, move_centre, rotate_particles,
        scale_mass, scale_position, scale_velocity;

/* The centre of mass ("mass") or of density ("density"). */
koshu_status
find_centre(const struct changing *c, const char *name, double centre[3]);

/* ---- convert_value.c ----------------------------------------------------- */

/* Reads n numbers of a quantity in the units of the snapshot: "10,0,0", "10
 * pc,0,0", "10,0,0 pc". A unit after the last number applies to those without
 * one. */
koshu_status read_quantities(const struct changing *c, const char *text,
                             enum koshu_quantity quantity, size_t n,
                             double *values);

/* A number without a unit. */
koshu_status
read_number(const struct changing *c, const char *text, double *value);

/* The number of words that are separated by commas. */
size_t count_words(const char *text);

/* Fails with "--shift: '1,2': WHAT", KOSHU_ERROR_BAD_INPUT. */
koshu_status refuse_value(const struct changing *c, const char *what);

/* ---- convert_units.c, convert_join.c, convert_losses.c ------------------- */

/* Applies --from to a file that does not state its units. */
koshu_status
take_from(struct koshu_context *context, const char *units, struct snapshot *s);

/* Applies --units; NULL: the snapshot keeps its units. */
koshu_status convert_units(struct koshu_context *context, const char *units,
                           struct snapshot *s);

/* Converts to these units, which must not be dimensionless, unless its own
 * are. */
koshu_status to_units(struct snapshot *s, const struct koshu_units *to);

/* Joins snapshots, in the units of the first. */
koshu_status join_snapshots(struct koshu_context *context, size_t n,
                            struct snapshot *parts, struct snapshot *joined);

/* Reports what was lost: `out` was read from the file just written. */
koshu_status report_losses(const char *path, const struct snapshot *in,
                           const struct snapshot *out);

#endif
