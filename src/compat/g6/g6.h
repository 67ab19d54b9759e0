/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of libkoshu-g6, which uses only the public interface of
 * libkoshu.
 *
 * j-particles are collected here, in the order in which they are set, and sent
 * to the store when sums start. So sums and neighbour lists always belong to
 * the j-particles at the moment when the sums started, even where they must be
 * recomputed.
 */
#ifndef KOSHU_COMPAT_G6_G6_H
#define KOSHU_COMPAT_G6_G6_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/j_store.h>

/* ---- message.c ----------------------------------------------------------- */

/* Passes a line to the handler. */
void koshu_g6_say(const char *format, ...) KOSHU_PRINTF(1, 2);

/* The same for a failure; returns -1. */
#define koshu_g6_fail(...) (koshu_g6_say(__VA_ARGS__), -1)

/* ---- cluster.c ----------------------------------------------------------- */

enum { KOSHU_G6_BLOCK = 64 };

/* j-particles to be sent to the store, in blocks small enough that the arrays
 * are close together in memory: most j-particles are set one by one. */
struct koshu_g6_block {
    uint64_t address[KOSHU_G6_BLOCK];
    int64_t id[KOSHU_G6_BLOCK];
    double time[KOSHU_G6_BLOCK], mass[KOSHU_G6_BLOCK];
    double x[3][KOSHU_G6_BLOCK], v[3][KOSHU_G6_BLOCK], a[3][KOSHU_G6_BLOCK],
            jerk[3][KOSHU_G6_BLOCK], snap[3][KOSHU_G6_BLOCK];
};

struct koshu_g6_buffer {
    /* particles; capacity is a multiple of the block size */
    size_t n, capacity;
    uint64_t last; /* the highest address */
    struct koshu_g6_block *block;
};

/* The sums started last. */
struct koshu_g6_sums {
    bool started; /* since the last reset */
    bool running; /* not waited for yet */
    bool nearest; /* with nearest neighbours */
    size_t n_j, n_i;
    double eps2;
    size_t capacity; /* of the arrays: */
    double *x[3], *v[3], *h2, *a[3], *jerk[3], *potential, *nearest_r2;
    int64_t *id;
    uint64_t *nearest_index;
};

/* The neighbour lists of these sums. */
struct koshu_g6_lists {
    bool read;
    size_t max;        /* capacity of a list */
    uint64_t *count;   /* neighbours of each i-particle */
    uint64_t *address; /* max for each i-particle */
    size_t capacity_count, capacity_address;
};

/* i-particles set one by one; see pipes.c. */
struct koshu_g6_pipes {
    int n_i, n_j, capacity;
    int *index;
    double (*x)[3], (*v)[3], *eps2, *h2;
};

struct koshu_g6_cluster {
    int number;
    struct koshu_context *context;
    struct koshu_j_store *store;
    double time;
    bool wants_nearest, took_nearest; /* see sums.c */
    struct koshu_g6_buffer buffer;
    struct koshu_g6_sums sums;
    struct koshu_g6_lists lists;
    struct koshu_g6_pipes pipes;
};

/* Indices of clients are any integers; ids of a store are not negative. */
static inline int64_t
koshu_g6_id_of(int index)
{
    return (int64_t)(uint32_t)index;
}

static inline int
koshu_g6_index_of(int64_t id)
{
    return (int)(uint32_t)id;
}

/* The cluster with this number, any integer, opened if necessary. NULL, after a
 * message. */
struct koshu_g6_cluster *koshu_g6_cluster(int number);

/* Returns 0 if status is KOSHU_OK; otherwise -1, after a message that includes
 * koshu's own. */
int koshu_g6_check(const struct koshu_g6_cluster *cluster, const char *function,
                   koshu_status status);

/* Returns -1, after a message. */
int koshu_g6_no_memory(const struct koshu_g6_cluster *cluster,
                       const char *function);

/* Discards the sums and their results. */
void koshu_g6_forget(struct koshu_g6_cluster *cluster);

/* Gives a message that says what a cluster runs on. */
void koshu_g6_introduce(const struct koshu_g6_cluster *cluster);

/* ---- arrays.c ------------------------------------------------------------ */

/* Allocates memory for n i-particles; the contents are lost. false: out of
 * memory. */
bool koshu_g6_sums_reserve(struct koshu_g6_sums *sums, size_t n);
bool koshu_g6_pipes_reserve(struct koshu_g6_pipes *pipes, int n);

void koshu_g6_sums_free(struct koshu_g6_sums *sums);
void koshu_g6_pipes_free(struct koshu_g6_pipes *pipes);

/* ---- sums.c -------------------------------------------------------------- */

/* Sets the forces of n i-particles to NaN and their neighbours to -1, so that
 * no client takes them for results. Any may be NULL. Returns -1. */
int koshu_g6_spoil(int n, double acc[][3], double jerk[][3], double pot[],
                   int nearest[], float distance[]);

/* ---- j_particles.c ------------------------------------------------------- */

/* Sends the collected j-particles; the store gets a capacity of n_j. */
int koshu_g6_send(struct koshu_g6_cluster *cluster, size_t n_j);

#endif
