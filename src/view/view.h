/* SPDX-License-Identifier: MIT */
/* A live view: samples of the particles, and the server that sends them. */
#ifndef KOSHU_VIEW_VIEW_H
#define KOSHU_VIEW_VIEW_H

#include <stdatomic.h>

#include <koshu/view.h>

#include "base/base.h"

enum {
    KOSHU_VIEW_PARTICLES = 100000, /* of a sample at most */
    KOSHU_VIEW_WATCHERS = 16,      /* at most */
    KOSHU_VIEW_BEFORE = 32,        /* bytes that the server may write before a
                                      message */
    KOSHU_VIEW_TOKEN = 33
};

/* ---- frame.c: what is sent ---------------------------------------------- */

/* Little-endian; behind it n times x y z, as of the centre, and the mass, in
 * mean masses, float. The page reads the same. */
struct koshu_view_header {
    uint32_t magic, n;
    double total, step, time, end, energy_error, centre[3];
    uint32_t flags, serial;
};
enum { KOSHU_VIEW_MAGIC = 0x3156534b }; /* "KSV1" */
enum { KOSHU_VIEW_PAUSED = 1, KOSHU_VIEW_CONTROL = 2, KOSHU_VIEW_LOG = 4 };

struct koshu_view_frame {
    size_t bytes; /* of the message */
    char before[KOSHU_VIEW_BEFORE];
    struct koshu_view_header header;
    float particle[][4];
};

/* NULL: no memory. */
struct koshu_view_frame *koshu_view_frame_create(size_t max_particles);

struct koshu_view_point {
    double x, y, z, mass;
};

/* Those of this rank whose ids are of the sample: up to max, on all ranks. */
KOSHU_MUST_CHECK koshu_status
koshu_view_sample(struct koshu_particles *particles, size_t max,
                  struct koshu_view_point *point, size_t *n);

/* Centre, and particles about it. */
void koshu_view_fill(struct koshu_view_frame *frame, size_t n,
                     const struct koshu_view_point *point);

/* ---- exchange.c: frames from the run to the server ---------------------- */

/*
 * Two threads hand frames to each other without a lock: the run must not wait
 * for a thread that the processor serves last. What is not taken is replaced.
 */
struct koshu_view_exchange {
    struct koshu_view_frame *_Atomic fresh, *_Atomic spare;
};

/* A frame to be filled: the spare one, or a new one; NULL: no memory. */
struct koshu_view_frame *
koshu_view_exchange_empty(struct koshu_view_exchange *exchange, size_t max);
void koshu_view_exchange_put(struct koshu_view_exchange *exchange,
                             struct koshu_view_frame *frame);
/* The newest in the place of `old`; `old` itself where there is none. */
struct koshu_view_frame *
koshu_view_exchange_take(struct koshu_view_exchange *exchange,
                         struct koshu_view_frame *old);
void koshu_view_exchange_free(struct koshu_view_exchange *exchange);

/* ---- server.c: a thread on rank 0 ---------------------------------------- */

/* What the run and the server's thread both see. */
struct koshu_view_channel {
    struct koshu_view_exchange frames;
    atomic_int watchers;
    atomic_bool paused, stop;
    atomic_uint steps; /* to be made in a pause */
    bool control;
    char token[KOSHU_VIEW_TOKEN];
    char *log; /* its path, or NULL */
};

struct koshu_view_server;

/* Starts it, at the port or socket of the options. */
KOSHU_MUST_CHECK koshu_status koshu_view_server_start(
        struct koshu_context *context, struct koshu_view_channel *channel,
        const struct koshu_view_options *options,
        struct koshu_view_server **server);
/* There is a new frame. */
void koshu_view_server_wake(struct koshu_view_server *server);
/* Those who watch get the newest frame, and are told the end. NULL is allowed.
 */
void koshu_view_server_stop(struct koshu_view_server *server);
int koshu_view_server_port(const struct koshu_view_server *server);

/* What one who watches has sent; a message that is none does nothing. */
void koshu_view_command(struct koshu_view_channel *channel, const char *text,
                        size_t n);

/* Does a text, NULL among them, hold the token? In constant time. */
bool
koshu_view_admits(const struct koshu_view_channel *channel, const char *token);

/* ---- answer.c: page and log --------------------------------------------- */

/* The page, in the library. */
extern const char koshu_view_page[];
extern const size_t koshu_view_page_size;

/* Up to 64 KiB of the log from a place in it; the caller frees it; NULL: there
 * is none, or no memory. */
enum { KOSHU_VIEW_LOG_BYTES = 65536 };
char *koshu_view_log_part(const char *path, long long from, size_t *n);

#endif
