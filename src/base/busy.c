/* SPDX-License-Identifier: MIT */
/*
 * Threads that wait on a busy machine.
 *
 * GCC's OpenMP library lets a thread that waits spin for milliseconds before it
 * sleeps. Where others want the cores, that is the time slice which it would
 * have needed when its work comes: sums on two threads took 50 times as long as
 * on one. A program may say so by the environment (GOMP_SPINCOUNT), which the
 * OpenMP library reads before anything of this library runs. But where there
 * are more threads than cores, waits are short, and how many threads there are
 * it counts: some that sleep indefinitely will do. Their memory is never
 * touched.
 */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/base.h"

/* LLVM's OpenMP library has a function for it. */
extern void kmp_set_blocktime(int milliseconds) __attribute__((weak));

enum { MAX_SLEEPERS = 256 };

bool
koshu_is_preempted(long switches, double seconds)
{
    /* slices that are shared last 3 or 4 ms: 250 a second. Else there are few
     */
    const double many = 100, long_enough = 0.02;
    return seconds >= long_enough && (double)switches > many * seconds;
}

static void *
sleep_indefinitely(void *sleepers)
{
    const int threads = *(const int *)sleepers;
#pragma omp parallel num_threads(threads)
    __asm__ volatile(""); /* a region that does nothing is left out */
    for (;;) pause();
    return NULL;
}

static bool
is_told_how_to_wait(void)
{
    return getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") ||
           getenv("KMP_BLOCKTIME");
}

/* They take addresses, if no memory. */
static bool
is_short_of_addresses(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

/* By a thread that gets no signals, nor do those which it starts. */
static void
start_sleepers(int n)
{
    static int sleepers;
    pthread_t thread;
    sigset_t all, before;
    sleepers = n;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return;
    if (pthread_create(&thread, NULL, sleep_indefinitely, &sleepers) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void
koshu_let_waiting_threads_sleep(int threads)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (is_told_how_to_wait()) return;
    if (kmp_set_blocktime) {
        kmp_set_blocktime(0); /* of the regions that this thread begins */
        return;
    }
    /* all of the team but the first, and of theirs, beyond the cores */
    const int more = omp_get_num_procs() - threads + 2;
    if (more > MAX_SLEEPERS || is_short_of_addresses() ||
        atomic_flag_test_and_set(&done))
        return;
    start_sleepers(more < 2 ? 2 : more);
}

/* ---- is it busy? --------------------------------------------------------- */

static double
seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

void
koshu_watch_preemption(int threads)
{
    enum { EACH = 8 }; /* calls: a look takes half a microsecond */
    static _Thread_local struct {
        unsigned calls;
        long switches;
        double seconds;
    } last;
    struct rusage now;
    if (last.calls++ % EACH != 0 || getrusage(RUSAGE_THREAD, &now) != 0) return;
    const double seconds = seconds_of(now.ru_utime) + seconds_of(now.ru_stime),
                 taken = seconds - last.seconds;
    const long switches = now.ru_nivcsw - last.switches;
    if (last.calls > 1 && koshu_is_preempted(switches, taken))
        koshu_let_waiting_threads_sleep(threads);
    if (last.calls > 1 && taken < 0.02) return;
    last.switches = now.ru_nivcsw;
    last.seconds = seconds;
}
