/* SPDX-License-Identifier: MIT */
/* Signals that ask a run to stop. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

/* SIGUSR1 is a signal that mpirun passes on to all ranks. */
static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
enum { N_STOPPING = sizeof stopping / sizeof stopping[0] };

/* Atomic, as any thread of the process may receive the signal. */
static struct koshu_simulation *_Atomic running;
static struct koshu_flow *_Atomic flowing;
static atomic_bool requested;
static struct sigaction before[N_STOPPING];

static double
seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* timeout(1) and some batch systems send the same signal to a process and to
 * its group within a short time; that is one request. */
static bool
is_again(void)
{
    static double first;
    if (!requested) first = seconds_now();
    return requested && seconds_now() - first > 1;
}

/* The first signal is a request; later ones have their default action. */
static void
request(int number, siginfo_t *signal, void *nothing)
{
    (void)nothing;
    const int error = errno;
    if (is_again()) {
        const struct sigaction by_default = {.sa_handler = SIG_DFL};
        sigaction(number, &by_default, NULL);
        raise(number);
        return;
    }
    if (requested) return;
    if (number == SIGTERM) farewell(signal);
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
    (void)written; /* if the stream is closed, nothing is lost */
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
    /* save all actions before the first signal can come: request() reads
     * them */
    for (int k = 0; k < N_STOPPING; k++)
        sigaction(stopping[k], NULL, &before[k]);
    /* nohup, and shells for background jobs, ignore some */
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
    running = NULL;
    flowing = NULL;
    if (requested) return; /* the second of two signals may still come */
    for (int k = 0; k < N_STOPPING; k++)
        sigaction(stopping[k], &before[k], NULL);
}
