/* SPDX-License-Identifier: MIT */
/* koshu convert: its arguments, the snapshots that it reads, and what it does
 * with them. */
#ifndef KOSHU_APP_CONVERT_H
#define KOSHU_APP_CONVERT_H

#include <stdbool.h>

#include <koshu/snapshot.h>

#include "app.h"

/* A change of the particles, in the words of the command line. */
struct change {
    const struct change_kind *kind;
    const char *text; /* of its value; NULL: it has none */
    size_t file;      /* k: of the k-th file, from 1 on; 0: of all that is
                         written */
};

struct convert_arguments {
    struct word_list files; /* IN, and OUT where there is no --output */
    struct change *change;  /* in their order; to be freed */
    size_t n_changes, n_in, seed;
    size_t before_out;                /* files in front of --output */
    size_t n_files;                   /* of OUT */
    const char *out, *format, *units; /* NULL: not given */
    bool force;
};

/* A snapshot that was read, or one that is to be written. */
struct snapshot {
    const char *path;
    struct koshu_particles *particles;
    struct koshu_snapshot_info info; /* n: of the file */
    struct koshu_units before;       /* those of the file */
    char *parameters;                /* NULL: none */
};

koshu_status read_snapshot(struct koshu_context *context, const char *path,
                           struct snapshot *s);
void free_snapshot(struct snapshot *s);

bool same_units(const struct koshu_units *a, const struct koshu_units *b);

/* ---- convert_change.c, convert_move.c, convert_select.c ------------------ */

/* What a change is applied to. */
struct changing {
    struct koshu_context *context;
    struct snapshot *s;
    const char *option, *text;
    size_t seed;
};

typedef koshu_status apply_change(const struct changing *c);

/* Notes an option that is a change; parse() of options.h, the member is the
 * whole of the arguments. */
void note_change(struct argp_state *state, const char *option, char *text,
                 void *arguments);

/* --from of the k-th file, or of all; NULL: not given. */
const char *units_given(const struct convert_arguments *a, size_t k);

/* Changes of the k-th file; 0: of what is to be written. */
koshu_status apply_changes(struct koshu_context *context,
                           const struct convert_arguments *a, size_t k,
                           struct snapshot *s);

apply_change select_ids, select_every, select_fraction, cut_sphere, cut_box,
        shift_positions, boost_velocities, move_centre, rotate_particles,
        scale_mass, scale_position, scale_velocity;

/* The centre of mass, or of density: "mass", "density". */
koshu_status
find_centre(const struct changing *c, const char *name, double centre[3]);

/* ---- convert_value.c ----------------------------------------------------- */

/* "10,0,0", "10 pc,0,0", "10,0,0 pc": n numbers of a quantity, in the units of
 * the snapshot; the unit behind the last is that of those without one. */
koshu_status read_quantities(const struct changing *c, const char *text,
                             enum koshu_quantity quantity, size_t n,
                             double *values);

/* A number without a unit. */
koshu_status
read_number(const struct changing *c, const char *text, double *value);

/* How many words commas part. */
size_t count_words(const char *text);

/* "--shift: '1,2': WHAT": KOSHU_ERROR_BAD_INPUT. */
koshu_status refuse_value(const struct changing *c, const char *what);

/* ---- convert_units.c, convert_join.c, convert_losses.c ------------------- */

/* What --from says of units, where the file states none. */
koshu_status
take_from(struct koshu_context *context, const char *units, struct snapshot *s);

/* --units: NULL is those that the snapshot has. */
koshu_status convert_units(struct koshu_context *context, const char *units,
                           struct snapshot *s);

/* The same, to units that are known, dimensionless where its own are. */
koshu_status to_units(struct snapshot *s, const struct koshu_units *to);

/* Snapshots as one, in the units of the first. */
koshu_status join_snapshots(struct koshu_context *context, size_t n,
                            struct snapshot *parts, struct snapshot *joined);

/* Reports what differs: `out` was read from the file just written. */
koshu_status report_losses(const char *path, const struct snapshot *in,
                           const struct snapshot *out);

#endif
