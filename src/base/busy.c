/* SPDX-License-Identifier: MIT */
/*
 * Makes waiting OpenMP threads sleep on a busy machine.
 *
 * GCC's OpenMP library lets a waiting thread spin for milliseconds before it
 * sleeps. Where other processes want the cores, spinning uses up the time slice
 * that the thread needs once its work arrives: sums on two threads took 50
 * times as long as on one. The environment variable GOMP_SPINCOUNT shortens the
 * spinning, but the OpenMP library reads it before any code of this library
 * runs. However, the OpenMP library also spins only briefly where there are
 * more threads than cores, and it counts all threads, even idle ones. So this
 * file starts some threads that sleep indefinitely. Their memory is never
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

/* LLVM's OpenMP library has a function for this. */
extern void kmp_set_blocktime(int milliseconds) __attribute__((weak));

enum { MAX_SLEEPERS = 256 };

bool
koshu_is_preempted(long switches, double seconds)
{
    /* time slices of a shared core last 3 or 4 ms, about 250 switches a second;
     * on an idle machine there are few */
    const double many = 100, long_enough = 0.02;
    return seconds >= long_enough && (double)switches > many * seconds;
}

static void *
sleep_indefinitely(void *sleepers)
{
    const int threads = *(const int *)sleepers;
#pragma omp parallel num_threads(threads)
    /* keeps the compiler from removing the empty region */
    __asm__ volatile("");
    for (;;) pause();
    return NULL;
}

static bool
is_told_how_to_wait(void)
{
    return getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") ||
           getenv("KMP_BLOCKTIME");
}

/* The sleepers reserve address space, though no memory. Where that is limited,
 * none are started. */
static bool
is_short_of_addresses(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

/* Starts them from a thread that blocks all signals; they inherit the mask. */
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
        kmp_set_blocktime(0); /* for the regions that this thread starts */
        return;
    }
    /* enough that both teams together, this one less its first thread and that
     * of the sleepers, exceed the cores */
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
    /* calls between two checks: each takes half a microsecond */
    enum { EACH = 8 };
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
