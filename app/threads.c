/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "app.h"

/*
 * GCC's OpenMP lets a thread that waits spin for milliseconds before it
 * sleeps. Where another program wants the core that is the other program's
 * time, and the time of our own thread that everyone waits for: on two busy
 * cores a step of 2048 particles took ten times as long. A short spin bridges
 * the gap between two loops as well. The OpenMP library reads the variable
 * when it is loaded, so the program has to start again with it.
 *
 * Not where the environment says how threads wait, or binds them to cores:
 * the library has bound this thread by now, and a program started from it
 * would see one core.
 */
void
let_waiting_threads_sleep(char **argv)
{
    static const char spins[] = "3000"; /* 0.05 to 0.2 ms */
    static const char *const set_by_user[] = {
            "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_PROC_BIND", "OMP_PLACES",
            "GOMP_CPU_AFFINITY"};
    for (size_t k = 0; k < sizeof set_by_user / sizeof set_by_user[0]; k++)
        if (getenv(set_by_user[k])) return;
    if (setenv("GOMP_SPINCOUNT", spins, 1) != 0) return;
    execv("/proc/self/exe", argv); /* where that fails, we run as we are */
}

/* Two for each thread that makes lists of a tree: CUDA has 8 queues unless it
 * is told before it begins, and what shares a queue waits for each other. A
 * million particles in groups of 512 took twice as long. */
void
let_streams_overlap(void)
{
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}
