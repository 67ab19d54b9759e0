/* SPDX-License-Identifier: MIT */
/*
 * Particles that are distributed to ranks: sums over all of them, columns of
 * all for a file, and domains: the particles of a part of space, on the rank
 * that owns it. In a context of one rank these do the same without others.
 */
#ifndef KOSHU_DOMAIN_DOMAIN_H
#define KOSHU_DOMAIN_DOMAIN_H

#include <koshu/particles.h>

#include "base/base.h"
#include "devices/devices.h"

/* ---- rows.c: a column of all ----------------------------------------------
 */

/* Collective. A column of the particles of all ranks, in their order; mine:
 * this rank's. */
koshu_status koshu_gather_column(struct koshu_particles *particles,
                                 const double *mine, double *all);

/* ---- sum.c: sums over all particles -------------------------------------- */

/* Adds what particles begin ... end - 1 (of this rank's arrays) give to the
 * sums, in their order. */
typedef void koshu_add_particles(const void *user, size_t begin, size_t end,
                                 struct koshu_sum *sums);

struct koshu_summation {
    struct koshu_context *context;
    int threads;
    struct koshu_slice slice; /* of this rank, and of how many in all */
    size_t total;
    size_t block; /* particles that are summed by one thread in their order;
                     blocks are added in theirs */
    size_t n_sums;
    koshu_add_particles *add;
    const void *user;
};

/* A summation over the particles of a store: the rest is to be filled in. */
struct koshu_summation koshu_summation_of(struct koshu_particles *particles);

/*
 * The sums over the particles of all ranks, the same on each; and the same bits
 * for any number of ranks and threads: a block that lies on two ranks is begun
 * by the one and ended by the other. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_sum_particles(const struct koshu_summation *summation, double *sums);

/* ---- rows.c: what rank 0 writes and reads for all ------------------------ */

enum { KOSHU_ROWS_COLUMNS = 40 };

/* Columns of 8 bytes a particle that lie on all ranks, each with its part. */
struct koshu_rows {
    struct koshu_context *context;
    size_t total;             /* rows in all */
    struct koshu_slice slice; /* of this rank */
    size_t n_columns;
    const void *column[KOSHU_ROWS_COLUMNS];
};

/* No columns yet. */
struct koshu_rows koshu_rows_of(const struct koshu_particles *particles);
/* The view's arrays, those that it has; the same call on each rank. */
void
koshu_rows_add(struct koshu_rows *rows, const struct koshu_particle_view *view);

/*
 * For rank 0: n rows of a column (one of its own that was added) from `first`
 * on, in the buffer or where they lie. The other ranks are in
 * koshu_rows_serve(), which returns after koshu_rows_end().
 */
koshu_status koshu_rows_get(const struct koshu_rows *rows, const void *column,
                            size_t first, size_t n, void *buffer,
                            const void **at);
koshu_status koshu_rows_end(const struct koshu_rows *rows);
koshu_status koshu_rows_serve(const struct koshu_rows *rows);

/* For rank 0, as koshu_rows_get(): the arrays that `all` has of a view of all
 * rows, from those of the ranks; mine: this one's, which were added. */
koshu_status koshu_rows_gather(const struct koshu_rows *rows,
                               const struct koshu_particle_view *mine,
                               const struct koshu_particle_view *all);

/* ---- writers.c: ranks that write the files of a snapshot ----------------- */

/*
 * Consecutive ranks, which have consecutive particles, form a group; its first
 * rank writes a file of what all of them have, or several files where there are
 * more of them than ranks with particles. Ranks of a host follow each other as
 * mpirun and srun start them, so that as many files as hosts have a writer on
 * each. What is in a file depends on the particles and on the numbers of files
 * and ranks alone.
 */
struct koshu_writers {
    struct koshu_context *whole, *context; /* of all ranks, and of the group */
    int groups;
    size_t total;             /* particles of all groups */
    struct koshu_slice rows;  /* of these, the group's */
    uint64_t n_files;         /* of all groups */
    struct koshu_slice files; /* of these, the group's */
};

/* For at most so many files, none of them empty; 0: 1. Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status
koshu_writers_begin(struct koshu_context *context, size_t total, uint64_t files,
                    struct koshu_writers *writers);
void koshu_writers_end(struct koshu_writers *writers);

/* The status of a group's context, for all. Collective. */
KOSHU_MUST_CHECK koshu_status
koshu_writers_status(const struct koshu_writers *writers, koshu_status status);

/* Those of a store that are the group's; without columns. */
struct koshu_rows koshu_writers_rows(const struct koshu_writers *writers,
                                     const struct koshu_particles *particles);

/* ---- first_rank.c: what one rank alone can do ---------------------------- */

/*
 * All particles of a store come to rank 0, in their order; the other ranks have
 * none. What is written there, and particles that leave, all ranks have when
 * they have been divided again, as a new store of so many would be. On one rank
 * nothing is done. Collective. KOSHU_ERROR_OUT_OF_MEMORY;
 * KOSHU_ERROR_INVALID_ARGUMENT: a view is not released.
 */
KOSHU_MUST_CHECK koshu_status
koshu_particles_to_first_rank(struct koshu_particles *particles);
KOSHU_MUST_CHECK koshu_status
koshu_particles_to_all_ranks(struct koshu_particles *particles);

/* ---- bisection.c: which rank owns which particle ------------------------- */

/* What is to be cut into as many domains as there are ranks. */
struct koshu_decomposition {
    struct koshu_context *context;
    size_t n; /* particles of this rank */
    const double *x[3];
    const double *weight;   /* an integer of each; NULL, or less: 1 */
    double low[3], high[3]; /* the box of all ranks' particles */
    double *last; /* the cuts of the last time, as many as ranks, the same on
                     each; NAN: none. They are tried first, and written;
                     nothing else depends on them. NULL: they are not kept */
};

/*
 * owner[i]: the rank whose domain particle i is in: by the grid that the ranks
 * are arranged in, else boxes are cut along their longest sides. Domains have
 * equal weights, to 1/128 for each level of cuts, where particles are at
 * different places; within that a cut is where it was for a little other
 * weights. All bits depend on the particles alone, not on where they are.
 * Collective.
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_bisect(const struct koshu_decomposition *decomposition, uint32_t *owner);

/* ---- placement.c: where domains are -------------------------------------- */

/* Pairs of domains, and how many of them are on one host, and on hosts of one
 * switch. */
struct koshu_pairs {
    int all, on_host, on_switch;
};

struct koshu_placement {
    int ranks, hosts;
    int fewest, largest; /* ranks of a host */
    int switches;        /* 0: not known */
    int grid[3];         /* 0 0 0: none */
    /* Neighbours: slabs, columns of a slab, boxes of a column. Without a grid
     * the first is of the two sides of the cuts: all of them on one host. */
    struct koshu_pairs pairs[3];
};

/* Switches are those that Slurm tells (SLURM_TOPOLOGY_ADDR, of topology/tree).
 * Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_placement_of(struct koshu_context *context,
                                                 struct koshu_placement *p);

/* ---- exchange.c: columns of particles to their owners, and back ---------- */

/* Begun as {0} but for the context. */
struct koshu_particle_exchange {
    struct koshu_context *context;
    size_t n_home, n_here; /* particles that this rank has, and that it owns */
    size_t first;          /* of all, where owners trace what is here */
    uint32_t *owner;       /* of each that it has: the caller's to write */
    uint32_t *order;       /* those, in the order of their owners */
    size_t *out, *in;      /* how many go to each rank, and come from each */
    uint64_t bytes_sent;   /* so far */
    size_t *counts;
    double *column;
    struct koshu_message *messages;
    size_t capacity_owner, capacity_order, capacity_counts, capacity_column,
            capacity_messages;
};

/* Memory for n particles of this rank. KOSHU_ERROR_OUT_OF_MEMORY. Collective,
 * as all of these. */
koshu_status
koshu_particle_exchange_begin(struct koshu_particle_exchange *exchange,
                              size_t n);

/* Once the owners are written: how many go where. Those that come to a rank
 * are in the order of the ranks that have them, and of those' own. */
koshu_status
koshu_particle_exchange_count(struct koshu_particle_exchange *exchange);

/* Or by what owners know: of `total` particles, of which ranks have slices,
 * those of index[n] are here, ascending. */
koshu_status
koshu_particle_exchange_trace(struct koshu_particle_exchange *exchange,
                              size_t total, size_t n, void *index);

/* A column of the particles that a rank has, home[n_home], to their owners,
 * here[n_here]; and one of those back. */
koshu_status
koshu_particle_exchange_send(struct koshu_particle_exchange *exchange,
                             const double *home, double *here);
koshu_status
koshu_particle_exchange_return(struct koshu_particle_exchange *exchange,
                               double *here, double *home);
void koshu_particle_exchange_free(struct koshu_particle_exchange *exchange);

/* ---- copy.c: the particles of a domain, as the copy of a store ----------- */

/*
 * The device copy of a store (particles/particles.h) whose "device" is the
 * ranks that own the particles, which have them in a store of their own: its
 * fields are on the host, or on a device of the rank. What is valid there alone
 * comes back when the store is to have it, which all ranks then do.
 */
struct koshu_domain_copy;

/* Gives the store one, if it has none; each rank owns what it has in the store.
 * The store destroys it. Collective. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_domain_copy_attach(struct koshu_particles *particles);
/* NULL: the store has none. */
struct koshu_domain_copy *
koshu_domain_copy_of(const struct koshu_particles *particles);

/*
 * The store of those that this rank owns, in the order of the whole, with these
 * fields for use: to be acquired there, on whichever side. The store itself
 * where it has no such copy. Collective then. KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status koshu_particles_at_owners(struct koshu_particles *particles,
                                       unsigned fields,
                                       enum koshu_access access,
                                       struct koshu_particles **here);

/* Bytes that this rank has sent since the last call. */
uint64_t koshu_domain_copy_take_bytes(struct koshu_domain_copy *copy);

/* migration.c: finds who owns which particle, by positions and weights of those
 * here, as in the decomposition or, where x is NULL, on the device; then those
 * that have crossed a cut go to their new owners, with all that the copy has of
 * them. Collective. KOSHU_ERROR_OUT_OF_MEMORY, KOSHU_ERROR_UNSUPPORTED: too
 * many for one rank. */
koshu_status koshu_domain_copy_divide(struct koshu_domain_copy *copy,
                                      const struct koshu_decomposition *cuts);
koshu_status koshu_domain_copy_migrate(struct koshu_domain_copy *copy);

#endif
