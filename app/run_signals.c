/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "run.h"

/* SIGUSR1 is what mpirun passes on to all ranks and lets them end by. */
static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
enum { N_STOPPING = sizeof stopping / sizeof stopping[0] };

/* Any thread of the process may be the one that a signal comes to. */
static struct koshu_simulation *_Atomic running;
static struct sigaction before[N_STOPPING];

/* The first signal asks; from then on signals do what they do by default. */
static void
request(int number)
{
    (void)number;
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    for (int k = 0; k < N_STOPPING; k++)
        if (before[k].sa_handler != SIG_IGN)
            sigaction(stopping[k], &by_default, NULL);
    struct koshu_simulation *simulation = running;
    if (simulation) koshu_simulation_request_stop(simulation);
}

static_assert(ATOMIC_POINTER_LOCK_FREE == 2, "atomic pointers take a lock");

void
signals_stop(struct koshu_simulation *simulation)
{
    const struct sigaction ask = {.sa_handler = request,
                                  .sa_flags = SA_RESTART};
    running = simulation;
    /* all are known before the first can come: request() reads them */
    for (int k = 0; k < N_STOPPING; k++)
        sigaction(stopping[k], NULL, &before[k]);
    /* nohup, and a shell for what runs in its background, ignore some */
    for (int k = 0; k < N_STOPPING; k++)
        if (before[k].sa_handler != SIG_IGN) sigaction(stopping[k], &ask, NULL);
}

void
signals_restore(void)
{
    for (int k = 0; k < N_STOPPING; k++)
        sigaction(stopping[k], &before[k], NULL);
    running = NULL;
}
