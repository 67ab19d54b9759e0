/* SPDX-License-Identifier: MIT */
/*
 * How many threads a parallel region gets, and what becomes of them in a child
 * of fork().
 *
 * A child has only the thread that called fork(). If that thread had a team of
 * OpenMP threads, the OpenMP library in the child waits for its members
 * indefinitely. New threads of the child get teams of their own.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "base/base.h"
#include "base/context.h"

static atomic_uint forks; /* between the first process and this one */

/* The process in which this thread had a team, as its `forks` + 1; 0: none. */
static _Thread_local unsigned team_of;

static void
count_fork(void)
{
    atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
}

static void
watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, count_fork);
}

static unsigned
this_process(void)
{
    return atomic_load_explicit(&forks, memory_order_relaxed) + 1;
}

static bool
team_is_lost(void)
{
    return team_of != 0 && team_of != this_process();
}

int
koshu_region_threads(const struct koshu_context *context, bool worth)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const int threads =
            worth ? koshu_context_threads(context) - context->left : 1;
    if (threads <= 1 || team_is_lost()) return 1;
    if (team_of == 0) {
        pthread_once(&once, watch_forks);
        team_of = this_process();
    }
    koshu_watch_preemption(threads);
    return threads;
}

void
koshu_leave_threads(struct koshu_context *context, int n)
{
    context->left = n;
}

koshu_status
koshu_check_threads(struct koshu_context *context)
{
    if (koshu_context_threads(context) == 1 || !team_is_lost()) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "this process is a child of one that has computed on "
                      "several threads, which it has not inherited: compute "
                      "with one thread here (a context with threads = 1), or "
                      "in a thread of its own, or only after fork()");
}
