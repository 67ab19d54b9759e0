/* SPDX-License-Identifier: MIT */
/*
 * A live view: a page in a browser that shows the particles while they move.
 *
 *     koshu_view_create(context, NULL, &view);
 *     printf("%s\n", koshu_view_address(view));
 *     for each step:
 *         koshu_view_update(view, particles, &state, &request);
 *
 * The page is part of the library, and loads nothing from a network. It is
 * served only on the loopback interface, or through a Unix socket, and only to
 * those who know the random token in its address. It cannot change anything
 * unless the options allow that.
 *
 * The view shows a sample of the particles, the same ones at all times. A
 * separate thread of the lowest priority sends it; slow receivers miss some
 * samples. Samples are made so rarely that they take less than a hundredth of
 * the time, and not at all while the page is not open.
 *
 * Threads: one at a time per view.
 */
#ifndef KOSHU_VIEW_H
#define KOSHU_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <koshu/context.h>
#include <koshu/export.h>
#include <koshu/particles.h>
#include <koshu/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct koshu_view;

struct koshu_view_options {
    size_t size;
    const char *socket;   /* path of a Unix socket to be made; NULL: serve on
                             127.0.0.1 */
    int port;             /* on 127.0.0.1; 0: any free one */
    bool control;         /* whether the page may pause, single-step and stop */
    size_t max_particles; /* of a sample; 0: 100,000, which is the maximum */
    const char *log;      /* path of a file like energy.csv, whose rows the
                             page shows; NULL: none */
};

/* A free port of 127.0.0.1, no control, 100,000 particles, no log. */
KOSHU_DECLARE_DEFAULT(koshu_view_options)

/*
 * Opens a view, on rank 0. Collective.
 * Ownership: the caller destroys the view, before its context; *view is NULL
 * after a failure. The strings are copied.
 * Status: KOSHU_ERROR_UNSUPPORTED: built without libwebsockets, or options of a
 * later koshu; KOSHU_ERROR_BAD_INPUT: the port is taken, a file is at the path
 * of the socket, or it cannot be made there; KOSHU_ERROR_INVALID_ARGUMENT:
 * NULL, an impossible port, more than 100,000 particles;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_view_create(
        struct koshu_context *context, const struct koshu_view_options *options,
        struct koshu_view **view);

/* Sends the last sample to all watchers, and ends the view, which the page
 * reports. Takes half a second if a watcher is slow. Collective; NULL is
 * allowed. */
KOSHU_API void koshu_view_destroy(struct koshu_view *view);

/* The address to open: "http://127.0.0.1:PORT/?token=..."; for a socket its
 * path, a space, and the part after the port. "" on ranks other than the first,
 * and for NULL.
 * Ownership: the view's. */
KOSHU_API const char *koshu_view_address(const struct koshu_view *view);

/* The number of watchers; 0 on ranks other than the first, and for NULL. */
KOSHU_API int koshu_view_watchers(const struct koshu_view *view);

/* The state of the caller's run, which the page shows beside the particles. */
struct koshu_view_state {
    size_t size;
    uint64_t step;
    double time, end;    /* end: infinite if there is none */
    double energy_error; /* NaN: unknown */
    bool interrupted;    /* the caller is about to stop: ends a pause, and
                            takes a sample even if none is due */
};

/* What the watchers request; the same on all ranks. */
struct koshu_view_request {
    size_t size;
    bool stop;  /* after this step, with a checkpoint */
    bool pause; /* make no step, but sleep a little and update again */
};

/*
 * To be called between steps: shows the particles if the page is open and a
 * sample is due. While a pause is requested, the caller calls it again, about
 * fifty times a second. The pause ends when the last watcher who may control
 * has left. A sample of up to max_particles is chosen by a hash of ids.
 * Collective.
 * Status: KOSHU_ERROR_INVALID_ARGUMENT: NULL, or a size is not set;
 * KOSHU_ERROR_OUT_OF_MEMORY; KOSHU_ERROR_DEVICE: a copy failed. The caller may
 * go on without the view.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status
koshu_view_update(struct koshu_view *view, struct koshu_particles *particles,
                  const struct koshu_view_state *state,
                  struct koshu_view_request *request);

#ifdef __cplusplus
}
#endif

#endif
