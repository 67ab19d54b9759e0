/* SPDX-License-Identifier: MIT */
/* The program as one of several processes started by mpirun. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <koshu/ranks.h>

#include "app.h"

/* The number of this process among those started together, as text; NULL where
 * it is unknown. */
static const char *
rank_by_environment(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                        "PMIX_RANK"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *text = getenv(names[k]);
        if (text) return text;
    }
    return NULL;
}

bool
is_terminal(int fd)
{
    return isatty(fd) && !rank_by_environment();
}

/* mpirun ends all ranks as soon as one ends with a failure. A delay gives the
 * first rank time to report the reason. */
static void
delay_failure(int status, void *nothing)
{
    const struct timespec a_while = {.tv_nsec = 500000000};
    (void)nothing;
    if (status != EXIT_DONE) nanosleep(&a_while, NULL);
}

/* All ranks print the same, so only the first does. What is written to the file
 * descriptor of standard error directly, as in a crash, still appears. */
static void
silence(void)
{
    FILE *nothing = fopen("/dev/null", "we");
    if (!nothing) exit(EXIT_FAILED);
    stdout = stderr = nothing;
    on_exit(delay_failure, NULL);
}

void
begin_ranks(const char *command, bool on_ranks)
{
    const char *rank = rank_by_environment();
    if (!koshu_ranks_launched()) return;
    if (rank && strtol(rank, NULL, 10) > 0) silence();
    if (!koshu_ranks_library()) {
        fprintf(stderr, "koshu: started on several ranks, but built without "
                        "MPI: build it with -DKOSHU_MPI=ON (libopenmpi-dev), "
                        "or start it without mpirun\n");
        exit(EXIT_USAGE);
    }
    if (!on_ranks) {
        fprintf(stderr,
                "koshu: `koshu %s` works on one rank: start it without "
                "mpirun\n",
                command);
        exit(EXIT_USAGE);
    }
    atexit(koshu_ranks_finalise);
}
