/* SPDX-License-Identifier: MIT */
/* Restarts the program with the settings of threads that it needs. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app.h"

/* OpenMP has bound this thread to a core by now, and a program started from it
 * would see no other. */
static bool
is_bound(void)
{
    return getenv("OMP_PROC_BIND") || getenv("OMP_PLACES") ||
           getenv("GOMP_CPU_AFFINITY");
}

/* The stacks of threads get their size when the program starts. */
void
raise_stack(char **argv)
{
    static const rlim_t usual = 8 << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 ||
        limit.rlim_cur >= KOSHU_STACK_BYTES ||
        limit.rlim_max < KOSHU_STACK_BYTES || is_bound())
        return;
    limit.rlim_cur = limit.rlim_max < usual ? limit.rlim_max : usual;
    if (setrlimit(RLIMIT_STACK, &limit) == 0) execv("/proc/self/exe", argv);
}

void
check_stack(void)
{
    char reason[256];
    if (koshu_has_stack(reason, sizeof reason)) return;
    fprintf(stderr, "koshu: %s\n", reason);
    exit(EXIT_FAILED);
}

/*
 * GCC's OpenMP lets a waiting thread spin for milliseconds before it sleeps. If
 * another program wants the core, that takes time from it, and from the thread
 * of ours that all others wait for: on two busy cores a step of 2048 particles
 * took ten times as long. A short spin is enough to bridge the gap between two
 * loops. The OpenMP library reads the variable when it is loaded, so the
 * program has to restart with it.
 *
 * Nothing is done if the environment sets how threads wait, or binds them to
 * cores.
 */
void
let_waiting_threads_sleep(char **argv)
{
    static const char spins[] = "3000"; /* 0.05 to 0.2 ms */
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || is_bound())
        return;
    if (setenv("GOMP_SPINCOUNT", spins, 1) != 0) return;
    /* if this fails, the program runs as it is */
    execv("/proc/self/exe", argv);
}

/* Two queues for each thread that makes lists of a tree. CUDA has 8 unless it
 * is told before it starts, and work in one queue is serialised: a million
 * particles in groups of 512 took twice as long. */
void
let_streams_overlap(void)
{
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}
