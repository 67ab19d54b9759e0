/* SPDX-License-Identifier: MIT */
/* The live view of a run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <koshu/ranks.h>

#include "app.h"
#include "run.h"

/* Printed even with --quiet, as the user needs the address. */
static void
print_address(const char *address, bool control)
{
    const char *token = strchr(address, ' ');
    if (!token)
        printf("view       %s%s\n", address, control ? "" : " (read-only)");
    else
        printf("view       a socket: ssh -L 8080:%.*s HOST, then "
               "http://127.0.0.1:8080%s\n",
               (int)(token - address), address, token + 1);
    fflush(stdout);
}

static koshu_status
read_place(struct koshu_context *context, const char *place,
           struct koshu_view_options *options)
{
    char *end;
    const long port = strtol(place, &end, 10);
    if (strchr(place, '/'))
        options->socket = place;
    else if (*end == '\0' && port >= 0 && port <= 65535)
        options->port = (int)port;
    else
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "--view: '%s' is neither a port nor a path with a /",
                          place);
    return KOSHU_OK;
}

koshu_status
run_view_open(struct koshu_context *context, const char *place, bool control,
              const char *directory, struct koshu_view **view)
{
    struct koshu_view_options options = koshu_view_options_default();
    char log[4096];
    if (!place) return KOSHU_OK;
    KOSHU_TRY(read_place(context, place, &options));
    snprintf(log, sizeof log, "%s/energy.csv", directory);
    options.control = control;
    options.log = log;
    KOSHU_TRY(koshu_view_create(context, &options, view));
    if (koshu_ranks_rank(context) == 0)
        print_address(koshu_view_address(*view), control);
    return KOSHU_OK;
}

/* A failure of the view does not end the run. */
static void
give_up(struct koshu_view **view, const struct koshu_context *context)
{
    fprintf(stderr, "koshu: the view has ended: %s\n",
            koshu_context_message(context));
    koshu_view_destroy(*view);
    *view = NULL;
}

static void
sleep_a_little(void)
{
    const struct timespec fiftieth = {.tv_nsec = 20000000};
    nanosleep(&fiftieth, NULL);
}

void
run_view_update(struct koshu_view **view, struct koshu_simulation *simulation)
{
    struct koshu_particles *particles = koshu_simulation_particles(simulation);
    struct koshu_view_request request = {.size = sizeof request};
    while (*view) {
        const struct koshu_progress p = run_progress(simulation);
        const struct koshu_view_state state = {
                .size = sizeof state,
                .step = p.step,
                .time = p.time,
                .end = p.end,
                .energy_error = p.log_rows ? p.energy_error : NAN,
                .interrupted = signals_requested() ||
                               koshu_simulation_stopped(simulation)};
        if (koshu_view_update(*view, particles, &state, &request) != KOSHU_OK)
            give_up(view, koshu_particles_context(particles));
        if (request.stop) koshu_simulation_request_stop(simulation);
        if (!*view || !request.pause) return;
        sleep_a_little();
    }
}
