/* SPDX-License-Identifier: MIT */
/* A live view, updated between the steps of its caller. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "devices/devices.h"
#include "particles/particles.h"
#include "view/view.h"

enum { ADDRESS = 4096 };

struct koshu_view {
    struct koshu_context *context;
    struct koshu_view_channel channel;
    struct koshu_view_server *server; /* of rank 0 */
    size_t max;
    uint32_t serial;
    double due;                     /* the time of the next sample */
    struct koshu_view_point *point; /* this rank's sample, max points */
    size_t *counts;                 /* the size of each rank's sample */
    char address[ADDRESS];
};

KOSHU_DEFINE_DEFAULT(koshu_view_options, 0)

/* ---- opening ------------------------------------------------------------ */

static koshu_status
make_token(struct koshu_context *context, char token[KOSHU_VIEW_TOKEN])
{
    unsigned char bytes[(KOSHU_VIEW_TOKEN - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return koshu_fail_errno(context, KOSHU_ERROR_IO,
                                "there are no random numbers for the view");
    for (size_t k = 0; k < sizeof bytes; k++)
        snprintf(token + 2 * k, 3, "%02x", bytes[k]);
    return KOSHU_OK;
}

static koshu_status
check_options(struct koshu_context *context,
              const struct koshu_view_options *options)
{
    if (options->port < 0 || options->port > 65535)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "port %d of a view is not in 0 ... 65535",
                          options->port);
    if (options->max_particles > KOSHU_VIEW_PARTICLES)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a view shows %d particles at most, got %zu",
                          KOSHU_VIEW_PARTICLES, options->max_particles);
    return KOSHU_OK;
}

static koshu_status
allocate(struct koshu_view *view, const struct koshu_view_options *options)
{
    const size_t n_ranks = (size_t)koshu_ranks_count(view->context);
    view->max = options->max_particles ? options->max_particles
                                       : KOSHU_VIEW_PARTICLES;
    view->point = malloc(view->max * sizeof *view->point);
    view->counts = malloc(n_ranks * sizeof *view->counts);
    if (options->log) view->channel.log = strdup(options->log);
    if (view->point && view->counts && (view->channel.log || !options->log))
        return KOSHU_OK;
    return koshu_fail_memory(view->context, view->max * sizeof *view->point,
                             "view");
}

static koshu_status
serve(struct koshu_view *view, const struct koshu_view_options *options)
{
    struct koshu_view_channel *channel = &view->channel;
    channel->control = options->control;
    KOSHU_TRY(make_token(view->context, channel->token));
    KOSHU_TRY(koshu_view_server_start(view->context, channel, options,
                                      &view->server));
    if (options->socket)
        snprintf(view->address, ADDRESS, "%s /?token=%s", options->socket,
                 channel->token);
    else
        snprintf(view->address, ADDRESS, "http://127.0.0.1:%d/?token=%s",
                 koshu_view_server_port(view->server), channel->token);
    return KOSHU_OK;
}

static koshu_status
open_view(struct koshu_view *view, const struct koshu_view_options *given)
{
    struct koshu_view_options options;
    KOSHU_TRY(KOSHU_READ_OPTIONS(view->context, koshu_view_options, given,
                                 &options));
    KOSHU_TRY(check_options(view->context, &options));
    KOSHU_TRY(allocate(view, &options));
    return koshu_is_first_rank(view->context) ? serve(view, &options)
                                              : KOSHU_OK;
}

koshu_status
koshu_view_create(struct koshu_context *context,
                  const struct koshu_view_options *options,
                  struct koshu_view **view)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, view);
    koshu_status status = KOSHU_OK;
    *view = calloc(1, sizeof **view);
    if (!*view)
        status = koshu_fail_memory(context, sizeof **view, "view");
    else {
        (*view)->context = context;
        status = open_view(*view, options);
    }
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_view_destroy(*view);
    *view = NULL;
    return status;
}

void
koshu_view_destroy(struct koshu_view *view)
{
    if (!view) return;
    koshu_view_server_stop(view->server);
    koshu_view_exchange_free(&view->channel.frames);
    free(view->channel.log);
    free(view->point);
    free(view->counts);
    free(view);
}

const char *
koshu_view_address(const struct koshu_view *view)
{
    return view ? view->address : "";
}

int
koshu_view_watchers(const struct koshu_view *view)
{
    return view ? atomic_load(&view->channel.watchers) : 0;
}

/* ---- between steps ------------------------------------------------------ */

static void
fill_header(struct koshu_view *view, const struct koshu_view_state *state,
            size_t total, struct koshu_view_header *header)
{
    const struct koshu_view_channel *channel = &view->channel;
    const bool paused = atomic_load(&channel->paused);
    *header = (struct koshu_view_header){
            .magic = KOSHU_VIEW_MAGIC,
            .total = (double)total,
            .step = (double)state->step,
            .time = state->time,
            .end = state->end,
            .energy_error = state->energy_error,
            .flags = (paused ? KOSHU_VIEW_PAUSED : 0) |
                     (channel->control ? KOSHU_VIEW_CONTROL : 0) |
                     (channel->log ? KOSHU_VIEW_LOG : 0),
            .serial = ++view->serial};
}

/* Gathers the samples of all ranks. *all is view->point where there is one
 * rank. */
static koshu_status
gather(struct koshu_view *view, size_t mine, struct koshu_view_point **all,
       size_t *n)
{
    struct koshu_context *context = view->context;
    const int n_ranks = koshu_ranks_count(context);
    *all = view->point;
    *n = mine;
    if (n_ranks == 1) return KOSHU_OK;
    KOSHU_TRY(koshu_all_gather(context, &mine, sizeof mine, view->counts));
    *n = 0;
    for (int k = 0; k < n_ranks; k++) *n += view->counts[k];
    *all = malloc((*n + 1) * sizeof **all);
    koshu_status status =
            *all ? KOSHU_OK
                 : koshu_fail_memory(context, *n * sizeof **all, "view");
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK)
        status = koshu_all_gather_parts(context, view->point, sizeof **all,
                                        view->counts, *all);
    if (status != KOSHU_OK) free(*all);
    return status;
}

static koshu_status
show(struct koshu_view *view, const struct koshu_view_state *state,
     size_t total, size_t n, const struct koshu_view_point *point)
{
    struct koshu_view_exchange *frames = &view->channel.frames;
    if (!view->server) return KOSHU_OK;
    struct koshu_view_frame *frame =
            koshu_view_exchange_empty(frames, view->max);
    if (!frame) return koshu_fail_memory(view->context, view->max, "view");
    fill_header(view, state, total, &frame->header);
    koshu_view_fill(frame, n < view->max ? n : view->max, point);
    koshu_view_exchange_put(frames, frame);
    koshu_view_server_wake(view->server);
    return KOSHU_OK;
}

static koshu_status
sample(struct koshu_view *view, struct koshu_particles *particles,
       const struct koshu_view_state *state)
{
    struct koshu_view_point *all;
    size_t mine, n;
    koshu_status status =
            koshu_view_sample(particles, view->max, view->point, &mine);
    KOSHU_TRY(koshu_ranks_collective_status(view->context, status));
    KOSHU_TRY(gather(view, mine, &all, &n));
    status = show(view, state, koshu_particles_total(particles), n, all);
    if (all != view->point) free(all);
    return koshu_ranks_collective_status(view->context, status);
}

/* ---- what is requested -------------------------------------------------- */

/* Flags from rank 0, and INTERRUPTED from any rank. */
enum { DUE = 1, PAUSE = 2, STOP = 4, INTERRUPTED = 8 };

static unsigned
flags_of(struct koshu_view *view, const struct koshu_view_state *state)
{
    struct koshu_view_channel *channel = &view->channel;
    unsigned flags = state->interrupted ? INTERRUPTED : 0;
    if (!view->server) return flags;
    if (atomic_exchange(&channel->stop, false)) flags |= STOP;
    if (atomic_load(&channel->paused) && !atomic_exchange(&channel->steps, 0))
        flags |= PAUSE;
    const bool due = state->interrupted || koshu_now() >= view->due;
    if (koshu_view_watchers(view) > 0 && due) flags |= DUE;
    return flags;
}

/* Samples at most 30 times a second, and for less than a hundredth of the
 * time. */
static koshu_status
sample_if_due(struct koshu_view *view, struct koshu_particles *particles,
              const struct koshu_view_state *state)
{
    const double begin = koshu_now();
    KOSHU_TRY(sample(view, particles, state));
    const double end = koshu_now(), rest = 125 * (end - begin);
    view->due = rest > 1.0 / 30 ? end + rest : begin + 1.0 / 30;
    return KOSHU_OK;
}

static koshu_status
check_sizes(struct koshu_context *context, const struct koshu_view_state *state,
            const struct koshu_view_request *request)
{
    if (state->size >= sizeof *state && request->size >= sizeof *request)
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "koshu_view_update: set the sizes of state and request");
}

koshu_status
koshu_view_update(struct koshu_view *view, struct koshu_particles *particles,
                  const struct koshu_view_state *state,
                  struct koshu_view_request *request)
{
    KOSHU_REQUIRE(NULL, view);
    KOSHU_REQUIRE(view->context, particles);
    KOSHU_REQUIRE(view->context, state);
    KOSHU_REQUIRE(view->context, request);
    KOSHU_TRY(check_sizes(view->context, state, request));
    unsigned flags = flags_of(view, state);
    KOSHU_TRY(koshu_collective_status(view->context, KOSHU_OK, &flags));
    request->stop = flags & STOP;
    request->pause = (flags & PAUSE) && !(flags & (STOP | INTERRUPTED));
    return flags & DUE ? sample_if_due(view, particles, state) : KOSHU_OK;
}
