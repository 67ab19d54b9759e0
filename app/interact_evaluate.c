/* SPDX-License-Identifier: MIT */
/*
 * koshu interact: the evaluation and its progress. One call does the whole
 * evaluation. Its time is estimated from a first part of the i-particles, and a
 * separate thread reports which fraction of that time has passed.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "app.h"
#include "interact.h"

/* The first part must be enough work to be timed, and enough i-particles to
 * keep a GPU busy. It is not worth while where the whole is only a few times as
 * large. */
static const double part_pairs = 5e7;
enum { PART_PARTICLES = 4096, WORTH_PARTS = 16 };
static const double worth_seconds = 3;

/* Seconds between two lines; on a terminal the line is rewritten. */
static const double terminal_seconds = 0.5, plain_seconds = 10;

struct progress {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t done;
    bool is_done, terminal;
    double start, expected; /* seconds */
};

static void
print_progress(const struct progress *p)
{
    double past = koshu_now() - p->start;
    double part = past < p->expected ? past / p->expected : 1;
    fprintf(stderr, "%skoshu: %3.0f %% of about %.0f s%s",
            p->terminal ? "\r" : "", 100 * part, p->expected,
            p->terminal ? " " : "\n");
    fflush(stderr);
}

static void *
progress_thread(void *user)
{
    struct progress *p = user;
    double interval = p->terminal ? terminal_seconds : plain_seconds;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    pthread_mutex_lock(&p->mutex);
    while (!p->is_done) {
        until.tv_nsec += (long)(interval * 1e9) % 1000000000L;
        until.tv_sec += (time_t)interval + until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        while (!p->is_done &&
               pthread_cond_timedwait(&p->done, &p->mutex, &until) == 0)
            continue;
        if (!p->is_done) print_progress(p);
    }
    pthread_mutex_unlock(&p->mutex);
    if (p->terminal) fprintf(stderr, "\r%40s\r", "");
    return NULL;
}

/* false: no thread could be started, and progress is not reported. */
static bool
begin_progress(struct progress *p, double expected)
{
    *p = (struct progress){.mutex = PTHREAD_MUTEX_INITIALIZER,
                           .terminal = isatty(STDERR_FILENO),
                           .start = koshu_now(),
                           .expected = expected};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&p->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (p->terminal) print_progress(p);
    return pthread_create(&p->thread, NULL, progress_thread, p) == 0;
}

static void
end_progress(struct progress *p)
{
    pthread_mutex_lock(&p->mutex);
    p->is_done = true;
    pthread_cond_signal(&p->done);
    pthread_mutex_unlock(&p->mutex);
    pthread_join(p->thread, NULL);
}

static koshu_status
evaluate(struct interact_work *w, size_t n_i, double *seconds)
{
    double start = koshu_now();
    koshu_status status = koshu_interaction_evaluate(
            w->interaction, n_i, w->n_j, w->i, w->j, w->out);
    *seconds = koshu_now() - start;
    return status;
}

/* The estimated time of the whole; 0: not long. */
static koshu_status
expect(struct interact_work *w, double *seconds)
{
    size_t n_i = w->i_set.n, part = PART_PARTICLES;
    double n_j = (double)w->n_j;
    *seconds = 0;
    if ((double)part * n_j < part_pairs) part = (size_t)(part_pairs / n_j);
    if (n_i / WORTH_PARTS < part) return KOSHU_OK;
    /* a first evaluation warms up memory, caches and clocks */
    KOSHU_TRY(evaluate(w, part, seconds));
    KOSHU_TRY(evaluate(w, part, seconds));
    *seconds *= (double)n_i / (double)part;
    if (*seconds < worth_seconds) *seconds = 0;
    return KOSHU_OK;
}

koshu_status
interact_evaluate(struct interact_work *w, double *seconds)
{
    struct progress progress;
    double expected;
    KOSHU_TRY(expect(w, &expected));
    bool reported = expected > 0 && begin_progress(&progress, expected);
    koshu_status status = evaluate(w, w->i_set.n, seconds);
    if (reported) end_progress(&progress);
    return status;
}
