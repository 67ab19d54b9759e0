/* SPDX-License-Identifier: MIT */
/*
 * The message of a run on several ranks when mpirun ends it: the first rank or,
 * if it is the one that died, the next one on its host prints one line, which
 * names a rank on this host that has died and says how to continue. mpirun
 * sends SIGTERM to its processes as soon as one of them has died, and kills
 * them a second later.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <koshu/ranks.h>

#include "app.h"
#include "run.h"

/* A signal handler reads this once `ready` is set. */
static struct {
    volatile sig_atomic_t ready;
    int ranks, rank;
    pid_t *process; /* of each rank on this host; 0: on another */
    char remedy[256];
} run;

/* Keeps the process ids of ranks on this host. */
static void
keep_processes(struct koshu_context *context, const int *host,
               const pid_t *process)
{
    const int first = host[koshu_ranks_rank(context)];
    for (int r = 0; r < run.ranks; r++)
        run.process[r] = host[r] == first ? process[r] : 0;
}

void
farewell_prepare(struct koshu_context *context, const char *directory)
{
    const size_t ranks = (size_t)koshu_ranks_count(context);
    const pid_t mine = getpid();
    if (ranks == 1) return;
    int *host = calloc(ranks, sizeof *host);
    pid_t *process = calloc(ranks, sizeof *process);
    run.process = calloc(ranks, sizeof *run.process);
    run.ranks = (int)ranks;
    run.rank = koshu_ranks_rank(context);
    char name[128]; /* safe to print on a terminal */
    koshu_printable(name, sizeof name, directory, "");
    snprintf(run.remedy, sizeof run.remedy,
             "; --restart goes on from the newest checkpoint in '%s'\n", name);
    koshu_status status = koshu_ranks_collective_status(
            context, host && process && run.process
                             ? KOSHU_OK
                             : KOSHU_ERROR_OUT_OF_MEMORY);
    if (status == KOSHU_OK) status = koshu_ranks_hosts(context, host);
    if (status == KOSHU_OK)
        status = koshu_all_gather(context, &mine, sizeof mine, process);
    if (status == KOSHU_OK) keep_processes(context, host, process);
    run.ready = status == KOSHU_OK;
    free(host);
    free(process);
}

/* ---- in a signal handler ------------------------------------------------- */

static void
put(const char *text, size_t n)
{
    ssize_t written = write(STDERR_FILENO, text, n);
    (void)written; /* if the stream is closed, nothing is lost */
}

static void
put_number(int number)
{
    char text[16];
    size_t at = sizeof text;
    do text[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    put(text + at, sizeof text - at);
}

/* Whether a rank of this host has died. */
static bool
is_gone(int rank)
{
    return run.process[rank] > 0 && kill(run.process[rank], 0) != 0 &&
           errno == ESRCH;
}

/* The first of them; -1: none. */
static int
find_gone(void)
{
    for (int r = 0; r < run.ranks; r++)
        if (is_gone(r)) return r;
    return -1;
}

/* Whether this rank speaks for all. */
static bool
is_speaker(void)
{
    for (int r = 0; r < run.rank; r++)
        if (run.process[r] > 0 && !is_gone(r)) return false;
    return run.process[0] > 0;
}

void
farewell(const siginfo_t *signal)
{
    static const char
            rank[] = "koshu: rank ",
            gone[] = " was killed or has crashed (the system's log says "
                     "whether memory ran out), and mpirun ends the "
                     "run",
            stopped[] = "koshu: mpirun ends the run: it was stopped, "
                        "or a rank on another host has ended";
    if (!run.ready || signal->si_pid != getppid() || !is_speaker()) return;
    const int dead = find_gone();
    if (dead >= 0) {
        put(rank, sizeof rank - 1);
        put_number(dead);
        put(gone, sizeof gone - 1);
    } else {
        put(stopped, sizeof stopped - 1);
    }
    put(run.remedy, strlen(run.remedy));
}
