/* SPDX-License-Identifier: MIT */
/* A live view: samples of the particles, and the server that sends them. */
#ifndef KOSHU_VIEW_VIEW_H
#define KOSHU_VIEW_VIEW_H

#include <stdatomic.h>

#include <koshu/view.h>

#include "base/base.h"

enum {
    KOSHU_VIEW_PARTICLES = 100000, /* the largest sample */
    KOSHU_VIEW_WATCHERS = 16,      /* at most */
    /* bytes that the server may write before a message */
    KOSHU_VIEW_BEFORE = 32,
    KOSHU_VIEW_TOKEN = 33
};

/* ---- frame.c: what is sent ---------------------------------------------- */

/* The header of a message, little-endian. After it come n times x, y, z
 * relative to the centre and the mass in mean masses, as floats. page.html
 * reads this format. */
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

/* NULL: out of memory. */
struct koshu_view_frame *koshu_view_frame_create(size_t max_particles);

struct koshu_view_point {
    double x, y, z, mass;
};

/* Samples this rank's particles by their ids: up to max, on all ranks
 * together. */
KOSHU_MUST_CHECK koshu_status
koshu_view_sample(struct koshu_particles *particles, size_t max,
                  struct koshu_view_point *point, size_t *n);

/* Sets the centre, and the particles relative to it. */
void koshu_view_fill(struct koshu_view_frame *frame, size_t n,
                     const struct koshu_view_point *point);

/* ---- exchange.c: frames from the run to the server ---------------------- */

/*
 * Two threads exchange frames without a lock, as the run must not wait for a
 * thread of idle priority. A frame that is not taken is replaced.
 */
struct koshu_view_exchange {
    struct koshu_view_frame *_Atomic fresh, *_Atomic spare;
};

/* A frame to fill: the spare one, or a new one; NULL: out of memory. */
struct koshu_view_frame *
koshu_view_exchange_empty(struct koshu_view_exchange *exchange, size_t max);
void koshu_view_exchange_put(struct koshu_view_exchange *exchange,
                             struct koshu_view_frame *frame);
/* Exchanges `old` for the newest frame; returns `old` if there is none. */
struct koshu_view_frame *
koshu_view_exchange_take(struct koshu_view_exchange *exchange,
                         struct koshu_view_frame *old);
void koshu_view_exchange_free(struct koshu_view_exchange *exchange);

/* ---- server.c: a thread on rank 0 ---------------------------------------- */

/* Shared by the run and the server's thread. */
struct koshu_view_channel {
    struct koshu_view_exchange frames;
    atomic_int watchers;
    atomic_bool paused, stop;
    atomic_uint steps; /* that a client has requested during a pause */
    bool control;
    char token[KOSHU_VIEW_TOKEN];
    char *log; /* its path, or NULL */
};

struct koshu_view_server;

/* Starts the server, at the port or socket of the options. */
KOSHU_MUST_CHECK koshu_status koshu_view_server_start(
        struct koshu_context *context, struct koshu_view_channel *channel,
        const struct koshu_view_options *options,
        struct koshu_view_server **server);
/* To be called when there is a new frame. */
void koshu_view_server_wake(struct koshu_view_server *server);
/* Sends the newest frame to all watchers, tells them that the run has ended,
 * and stops. NULL is allowed. */
void koshu_view_server_stop(struct koshu_view_server *server);
int koshu_view_server_port(const struct koshu_view_server *server);

/* Executes a command from a watcher; anything else is ignored. */
void koshu_view_command(struct koshu_view_channel *channel, const char *text,
                        size_t n);

/* Does a text (may be NULL) contain the token? Takes constant time. */
bool
koshu_view_admits(const struct koshu_view_channel *channel, const char *token);

/* ---- answer.c: page and log --------------------------------------------- */

/* The page, embedded in the library. */
extern const char koshu_view_page[];
extern const size_t koshu_view_page_size;

/* Up to 64 KiB of the log from an offset; the caller frees it. NULL: there is
 * no log, or no memory. */
enum { KOSHU_VIEW_LOG_BYTES = 65536 };
char *koshu_view_log_part(const char *path, long long from, size_t *n);

#endif
