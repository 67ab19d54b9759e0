/* SPDX-License-Identifier: MIT */
/*
 * What the files of libkoshu-g6 share. The library uses libkoshu through its
 * public interface alone.
 *
 * j-particles are collected here, in the order of their coming, and go to the
 * memory when sums begin. So sums that were begun, and lists of neighbours
 * that were found, belong to the j-particles of that moment, also where they
 * must be computed again.
 */
#ifndef KOSHU_COMPAT_G6_G6_H
#define KOSHU_COMPAT_G6_G6_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/j_store.h>

/* ---- settings.c ---------------------------------------------------------- */

enum { KOSHU_G6_MOST_CLUSTERS = 64 };

/* What the environment says: KOSHU_G6_BACKEND and so on. */
struct koshu_g6_settings {
    char backend[64]; /* not checked */
    enum koshu_precision precision;
    int threads; /* of each cluster; 0: as koshu decides */
    int npipes;
    int clusters; /* 1 ... KOSHU_G6_MOST_CLUSTERS */
    bool verbose;
};

/* -1, and a message, where a variable has an impossible value. */
int koshu_g6_settings_read(struct koshu_g6_settings *settings);

/* ---- message.c ----------------------------------------------------------- */

/* Gives a line to the handler. */
void koshu_g6_say(const char *format, ...) KOSHU_PRINTF(1, 2);

/* The same; returns -1. */
int koshu_g6_fail(const char *format, ...) KOSHU_PRINTF(1, 2);

/* ---- cluster.c ----------------------------------------------------------- */

/* j-particles on their way to the memory. */
struct koshu_g6_buffer {
    size_t n, room;
    uint64_t last; /* the highest address */
    uint64_t *address;
    struct koshu_j_particle *particle;
};

/* The sums that were begun last. */
struct koshu_g6_sums {
    bool begun;   /* since the last reset */
    bool running; /* no end followed */
    bool nearest; /* with nearest neighbours */
    size_t n_j, n_i;
    double eps2;
    size_t room; /* of the arrays */
    struct koshu_i_particle *i;
    struct koshu_jerk_result *result;
};

/* The neighbour lists of these sums. */
struct koshu_g6_lists {
    bool read;
    size_t most;       /* that a list has room for */
    uint64_t *count;   /* of each i-particle */
    uint64_t *address; /* most for each */
    size_t room_count, room_address;
};

/* i-particles that come one by one; see pipes.c. */
struct koshu_g6_pipes {
    int n_i, n_j, room;
    int *index;
    double (*x)[3], (*v)[3], *eps2, *h2;
};

struct koshu_g6_cluster {
    int number;
    struct koshu_context *context;
    struct koshu_j_store *memory;
    double time;
    bool wants_nearest, took_nearest; /* see sums.c */
    struct koshu_g6_buffer buffer;
    struct koshu_g6_sums sums;
    struct koshu_g6_lists lists;
    struct koshu_g6_pipes pipes;
};

/* The cluster with this number, any integer, opened; NULL after a message. */
struct koshu_g6_cluster *koshu_g6_cluster(int number);

/* 0 where status is KOSHU_OK; else -1, after a message with koshu's own. */
int koshu_g6_check(const struct koshu_g6_cluster *cluster, const char *function,
                   koshu_status status);

/* -1, after a message. */
int koshu_g6_no_memory(const struct koshu_g6_cluster *cluster,
                       const char *function);

/* Forgets what sums have left. */
void koshu_g6_forget(struct koshu_g6_cluster *cluster);

/* Gives the message that says what a cluster runs on. */
void koshu_g6_introduce(const struct koshu_g6_cluster *cluster);

/* ---- pipes.c ------------------------------------------------------------- */

void koshu_g6_pipes_free(struct koshu_g6_pipes *pipes);

/* ---- j_particles.c ------------------------------------------------------- */

/* Sends what was collected, and makes room for n_j slots. */
int koshu_g6_send(struct koshu_g6_cluster *cluster, size_t n_j);

#endif
