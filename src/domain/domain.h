/* SPDX-License-Identifier: MIT */
/*
 * Particles distributed over ranks: sums over all of them, columns of all for a
 * file, and domains, that is, the particles in a part of space on the rank that
 * owns it. With one rank these functions do the same without communication.
 */
#ifndef KOSHU_DOMAIN_DOMAIN_H
#define KOSHU_DOMAIN_DOMAIN_H

#include <koshu/particles.h>

#include "base/base.h"
#include "devices/devices.h"

/* ---- rows.c: a column of all -------------------------------------------- */

/* Collective. A column of the particles of all ranks, in rank order; mine: this
 * rank's. */
koshu_status koshu_gather_column(struct koshu_particles *particles,
                                 const double *mine, double *all);

/* ---- sum.c: sums over all particles -------------------------------------- */

/* Adds the contributions of particles begin ... end - 1 (of this rank's arrays)
 * to the sums, in order. */
typedef void koshu_add_particles(const void *user, size_t begin, size_t end,
                                 struct koshu_sum *sums);

struct koshu_summation {
    struct koshu_context *context;
    int threads;
    struct koshu_slice slice; /* this rank's particles, and the number of all */
    size_t total;
    size_t block; /* particles summed by one thread in order; blocks are
                     added in order */
    size_t n_sums;
    koshu_add_particles *add;
    const void *user;
};

/* A summation over the particles of a store; the caller sets the other
 * members. */
struct koshu_summation koshu_summation_of(struct koshu_particles *particles);

/*
 * The sums over the particles of all ranks, the same on each, and independent
 * of the number of ranks and threads, bit for bit: a block that spans two ranks
 * is begun on one and finished on the other. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_sum_particles(const struct koshu_summation *summation, double *sums);

/* ---- rows.c: what rank 0 writes and reads for all ------------------------ */

enum { KOSHU_ROWS_COLUMNS = 40 };

/* Columns of 8 bytes per particle, distributed over the ranks. */
struct koshu_rows {
    struct koshu_context *context;
    size_t total;             /* rows of all ranks */
    struct koshu_slice slice; /* of this rank */
    size_t n_columns;
    const void *column[KOSHU_ROWS_COLUMNS];
};

/* No columns yet. */
struct koshu_rows koshu_rows_of(const struct koshu_particles *particles);
/* Adds the arrays that the view has; the same call on each rank. */
void
koshu_rows_add(struct koshu_rows *rows, const struct koshu_particle_view *view);

/*
 * On rank 0: n rows of a column (one of its own that was added) from `first`
 * on. *at is the buffer, or where they are already. The other ranks must be in
 * koshu_rows_serve(), which returns after koshu_rows_end().
 */
koshu_status koshu_rows_get(const struct koshu_rows *rows, const void *column,
                            size_t first, size_t n, void *buffer,
                            const void **at);
koshu_status koshu_rows_end(const struct koshu_rows *rows);
koshu_status koshu_rows_serve(const struct koshu_rows *rows);

/* On rank 0, like koshu_rows_get(): fills the arrays of `all`, a view of all
 * rows, from the ranks'; mine: this rank's arrays, which were added. */
koshu_status koshu_rows_gather(const struct koshu_rows *rows,
                               const struct koshu_particle_view *mine,
                               const struct koshu_particle_view *all);

/* ---- writers.c: ranks that write the files of a snapshot ----------------- */

/*
 * Consecutive ranks, which hold consecutive particles, form a group. Its first
 * rank writes one file with the group's particles, or several if there are more
 * files than ranks with particles. mpirun and srun number the ranks of a host
 * consecutively, so that with as many files as hosts each host has one writer.
 * A file's contents depend only on the particles and the numbers of files and
 * ranks.
 */
struct koshu_writers {
    struct koshu_context *whole, *context; /* of all ranks, and of the group */
    int groups;
    size_t total;             /* particles of all groups */
    struct koshu_slice rows;  /* the group's part of them */
    uint64_t n_files;         /* of all groups */
    struct koshu_slice files; /* the group's part of them */
};

/* Divides the ranks for at most that many files, none of them empty; 0: one.
 * Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_writers_begin(struct koshu_context *context, size_t total, uint64_t files,
                    struct koshu_writers *writers);
void koshu_writers_end(struct koshu_writers *writers);

/* Makes the status of a group's context that of all. Collective. */
KOSHU_MUST_CHECK koshu_status
koshu_writers_status(const struct koshu_writers *writers, koshu_status status);

/* The group's rows of a store; without columns. */
struct koshu_rows koshu_writers_rows(const struct koshu_writers *writers,
                                     const struct koshu_particles *particles);

/* ---- first_rank.c: what one rank alone can do ---------------------------- */

/*
 * Moves all particles of a store to rank 0, in order; the other ranks then have
 * none. The counterpart divides them again as a new store of that size would,
 * with all changes made on rank 0, also to their number. Does nothing on one
 * rank. Collective. KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_INVALID_ARGUMENT: a
 * view is not released.
 */
KOSHU_MUST_CHECK koshu_status
koshu_particles_to_first_rank(struct koshu_particles *particles);
KOSHU_MUST_CHECK koshu_status
koshu_particles_to_all_ranks(struct koshu_particles *particles);

/* ---- bisection.c: which rank owns which particle ------------------------- */

struct koshu_cube {
    double corner[3], side;
};

/* The particles to be divided into as many domains as ranks. */
struct koshu_decomposition {
    struct koshu_context *context;
    bool on_device;         /* with their weights: the next members are unset */
    size_t n;               /* particles of this rank */
    const double *x[3];     /* of none: NULL is allowed */
    const double *weight;   /* integers; NULL, or below 1: 1 */
    double low[3], high[3]; /* bounding box of all ranks' particles */
    double *last; /* the previous cuts, KOSHU_CUTS_OF(ranks) and the same on
                     each; NAN: none. They are tried first, and updated; the
                     result depends on them within the tolerance only. NULL:
                     not kept */
    /* The root cube for trees of all ranks. If not NULL, it is placed so that
     * the first cut along each axis is at its middle, where no cell is divided:
     * half cells on both sides make interaction lists longer. NULL: it is the
     * cube with the corner `low` and the longest side of the bounding box. */
    struct koshu_cube *cube;
};

/* A cut between domains each, and the middle of the cube along two axes. */
#define KOSHU_CUTS_OF(ranks) ((size_t)(ranks) + 1)

/*
 * owner[i]: the rank that owns the domain of particle i. Boxes are cut along
 * the axes of the ranks' grid or, without one, along their longest sides.
 * Domains have equal weights to 1/128 for each level of cuts, provided that
 * particles are at different positions. Within that tolerance a cut stays in
 * place when weights change a little. The result does not depend on where the
 * particles are held, bit for bit. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_bisect(const struct koshu_decomposition *decomposition, uint32_t *owner);

/* ---- placement.c: where domains are -------------------------------------- */

/* Pairs of domains: how many there are, on one host, and on hosts of one
 * switch. */
struct koshu_pairs {
    int all, on_host, on_switch;
};

struct koshu_placement {
    int ranks, hosts;
    int fewest, largest; /* ranks per host */
    int switches;        /* 0: unknown */
    int grid[3];         /* 0 0 0: none */
    /* Neighbours: slabs, columns of a slab, boxes of a column. Without a grid
     * only the first is used, and counts cuts: on one host if all ranks of both
     * sides are. */
    struct koshu_pairs pairs[3];
};

/* Switches are taken from Slurm (SLURM_TOPOLOGY_ADDR, of topology/tree).
 * Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_placement_of(struct koshu_context *context,
                                                 struct koshu_placement *p);

/* ---- exchange.c: columns of particles to their owners, and back ---------- */

/* {0} at first, but for the context. */
struct koshu_particle_exchange {
    struct koshu_context *context;
    size_t n_home, n_here; /* particles that this rank holds, and that it
                              owns */
    size_t first;          /* number of the first held one in the whole, if
                              owners trace */
    uint32_t *owner;       /* of each held particle; written by the caller */
    uint32_t *order;       /* held particles, sorted by owner */
    size_t *out, *in;      /* numbers sent to and received from each rank */
    uint64_t bytes_sent;   /* so far */
    size_t *counts;
    double *column;
    struct koshu_message *messages;
    size_t capacity_owner, capacity_order, capacity_counts, capacity_column,
            capacity_messages;
};

/* Reserves memory for n particles of this rank. KOSHU_ERROR_OUT_OF_MEMORY.
 * Collective, like all of these. */
koshu_status
koshu_particle_exchange_begin(struct koshu_particle_exchange *exchange,
                              size_t n);

/* Once the owners are written: exchanges the counts. A rank receives particles
 * in the order of the ranks that hold them, and within a rank in its order. */
koshu_status
koshu_particle_exchange_count(struct koshu_particle_exchange *exchange);

/* The alternative when owners know what they need: of `total` particles, of
 * which ranks hold slices, this rank owns index[0 ... n - 1], ascending. */
koshu_status
koshu_particle_exchange_trace(struct koshu_particle_exchange *exchange,
                              size_t total, size_t n, void *index);

/* Sends a column of held particles, home[n_home], to their owners,
 * here[n_here]; and sends one back. */
koshu_status
koshu_particle_exchange_send(struct koshu_particle_exchange *exchange,
                             const double *home, double *here);
koshu_status
koshu_particle_exchange_return(struct koshu_particle_exchange *exchange,
                               double *here, double *home);
void koshu_particle_exchange_free(struct koshu_particle_exchange *exchange);

/* ---- copy.c: the particles of a domain, as the copy of a store ----------- */

/*
 * A copy of a store (particles/particles.h) like that on a device, where the
 * "device" is the ranks that own the particles. They hold them in a store of
 * their own, with fields on the host or on the rank's device. Fields valid only
 * there are sent back when the store needs them, collectively.
 */
struct koshu_domain_copy;

/* Attaches one to the store, if it has none; each rank then owns what it has in
 * the store, which destroys the copy. Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_domain_copy_attach(struct koshu_particles *particles);
/* NULL: the store has none. */
struct koshu_domain_copy *
koshu_domain_copy_of(const struct koshu_particles *particles);

/*
 * The store of the particles that this rank owns, in the order of the whole,
 * with these fields ready to be acquired on host or device. The store itself if
 * it has no such copy. Collective if it has. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_particles_at_owners(struct koshu_particles *particles,
                                       unsigned fields,
                                       enum koshu_access access,
                                       struct koshu_particles **here);

/* Bytes that this rank has sent since the last call. */
uint64_t koshu_domain_copy_take_bytes(struct koshu_domain_copy *copy);

/* migration.c: finds the owners of the particles here from their positions and
 * weights; then sends those that have crossed a cut to their new owners, with
 * all the copy's fields. Collective. KOSHU_ERROR_OUT_OF_MEMORY,
 * KOSHU_ERROR_UNSUPPORTED: too many for one rank. */
koshu_status koshu_domain_copy_divide(struct koshu_domain_copy *copy,
                                      const struct koshu_decomposition *cuts);
koshu_status koshu_domain_copy_migrate(struct koshu_domain_copy *copy);

#endif
