/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "run.h"

/* SIGUSR1 is what mpirun passes on to all ranks and lets them end by. */
static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
enum { N_STOPPING = sizeof stopping / sizeof stopping[0] };

/* Any thread of the process may be the one that a signal comes to. */
static struct koshu_simulation *_Atomic running;
static struct koshu_flow *_Atomic flowing;
static atomic_bool requested;
static struct sigaction before[N_STOPPING];

/* The first signal is a request; from then on signals do what they do by
 * default. */
static void
request(int number, siginfo_t *signal, void *nothing)
{
    (void)nothing;
    const int error = errno;
    if (number == SIGTERM) farewell(signal);
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    for (int k = 0; k < N_STOPPING; k++)
        if (before[k].sa_handler != SIG_IGN)
            sigaction(stopping[k], &by_default, NULL);
    requested = true;
    struct koshu_simulation *simulation = running;
    struct koshu_flow *flow = flowing;
    if (simulation || flow) {
        koshu_simulation_request_stop(simulation);
        koshu_flow_request_stop(flow);
        errno = error;
        return;
    }
    static const char waits[] = "koshu: stops as soon as the run has started; "
                                "a second signal ends it now\n";
    ssize_t written = write(STDERR_FILENO, waits, sizeof waits - 1);
    (void)written; /* a closed stream: nothing is lost */
    errno = error;
}

bool
signals_requested(void)
{
    return requested;
}

static_assert(ATOMIC_POINTER_LOCK_FREE == 2, "atomic pointers take a lock");
static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "atomic flags take a lock");

void
signals_catch(void)
{
    const struct sigaction catch = {.sa_sigaction = request,
                                    .sa_flags = SA_RESTART | SA_SIGINFO};
    /* all are known before the first can come: request() reads them */
    for (int k = 0; k < N_STOPPING; k++)
        sigaction(stopping[k], NULL, &before[k]);
    /* nohup, and a shell for what runs in its background, ignore some */
    for (int k = 0; k < N_STOPPING; k++)
        if (before[k].sa_handler != SIG_IGN)
            sigaction(stopping[k], &catch, NULL);
}

void
signals_stop(struct koshu_simulation *simulation)
{
    running = simulation;
    if (requested) koshu_simulation_request_stop(simulation);
}

void
signals_stop_flow(struct koshu_flow *flow)
{
    flowing = flow;
    if (requested) koshu_flow_request_stop(flow);
}

void
signals_restore(void)
{
    for (int k = 0; k < N_STOPPING; k++)
        sigaction(stopping[k], &before[k], NULL);
    running = NULL;
    flowing = NULL;
}
