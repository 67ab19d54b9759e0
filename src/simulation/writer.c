/* SPDX-License-Identifier: MIT */
#include "simulation/writer.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "base/base.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

enum { MAX_JOBS = 4 };

struct koshu_writer {
    struct koshu_context *context; /* of the copy: the thread's alone */
    struct koshu_particles *copy;
    unsigned fresh; /* fields of the copy that are what the particles are now */
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    struct koshu_job job[MAX_JOBS];
    size_t n, n_done, n_good; /* good: the first of those done */
    koshu_status status;      /* of the one that failed */
    bool leave;
    double seconds;
};

/* ---- the thread ---------------------------------------------------------- */

static void
do_next(struct koshu_writer *w)
{
    struct koshu_job *job = &w->job[w->n_done];
    if (w->status == KOSHU_OK) {
        pthread_mutex_unlock(&w->lock);
        const double start = koshu_now();
        const koshu_status status = job->work(w->copy, job);
        const double seconds = koshu_now() - start;
        pthread_mutex_lock(&w->lock);
        w->seconds += seconds;
        w->status = status;
        w->n_good += status == KOSHU_OK;
    }
    w->n_done++;
    pthread_cond_broadcast(&w->changed);
}

static void *
work(void *writer)
{
    struct koshu_writer *w = writer;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->n_done == w->n && !w->leave)
            pthread_cond_wait(&w->changed, &w->lock);
        if (w->n_done == w->n) break;
        do_next(w);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Signals go to the threads of the program. */
static bool
start_thread(struct koshu_writer *w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&w->thread, NULL, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* ---- life ---------------------------------------------------------------- */

/* Without a log: that of the run is for its own thread. */
static koshu_status
make_context(const struct koshu_simulation *s, struct koshu_context **context)
{
    struct koshu_context_options options = koshu_context_options_default();
    options.threads = s->rows_beside ? koshu_context_threads(s->context) : 1;
    return koshu_context_create(&options, context);
}

void
koshu_writer_create(struct koshu_simulation *s)
{
    if (koshu_context_ranks(s->context) > 1) return;
    s->rows_beside = s->integrator->backend->ops->memory != NULL &&
                     !koshu_has_criteria(s->values);
    struct koshu_writer *w = calloc(1, sizeof *w);
    if (!w || make_context(s, &w->context) != KOSHU_OK) {
        free(w);
        return;
    }
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    if (start_thread(w)) {
        s->writer = w;
        return;
    }
    koshu_context_destroy(w->context);
    free(w);
}

void
koshu_writer_destroy(struct koshu_writer *writer)
{
    struct koshu_writer *w = writer;
    if (!w) return;
    pthread_mutex_lock(&w->lock);
    w->leave = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    koshu_particles_destroy(w->copy);
    koshu_context_destroy(w->context);
    free(w);
}

/* ---- what has been done -------------------------------------------------- */

/* The thread waits: all is the caller's. */
static koshu_status
end_jobs(struct koshu_simulation *s, struct koshu_writer *w)
{
    const size_t n_good = w->n_good;
    const koshu_status status = w->status;
    w->n = w->n_done = w->n_good = 0;
    w->status = KOSHU_OK;
    for (size_t k = 0; k < n_good; k++) KOSHU_TRY(w->job[k].end(s, &w->job[k]));
    if (status == KOSHU_OK) return KOSHU_OK;
    return koshu_fail(s->context, status, "%s",
                      koshu_context_message(w->context));
}

koshu_status
koshu_writer_settle(struct koshu_simulation *s, bool wait)
{
    struct koshu_writer *w = s->writer;
    if (!w) return KOSHU_OK;
    pthread_mutex_lock(&w->lock);
    while (wait && w->n_done < w->n) pthread_cond_wait(&w->changed, &w->lock);
    const bool idle = w->n_done == w->n;
    pthread_mutex_unlock(&w->lock);
    return idle ? end_jobs(s, w) : KOSHU_OK;
}

void
koshu_writer_renew(struct koshu_writer *writer)
{
    if (writer) writer->fresh = 0;
}

double
koshu_writer_seconds(struct koshu_writer *writer)
{
    if (!writer) return 0;
    pthread_mutex_lock(&writer->lock);
    const double seconds = writer->seconds;
    pthread_mutex_unlock(&writer->lock);
    return seconds;
}

/* ---- jobs ---------------------------------------------------------------- */

/* Half of what is there is left to others. */
static bool
has_memory(size_t n)
{
    const uint64_t available = koshu_memory_limits(NULL, 1).available;
    return n < available / 2 / KOSHU_PARTICLE_BYTES;
}

/* false: there is no copy. The thread waits meanwhile. */
static bool
take_copy(struct koshu_writer *w, struct koshu_particles *particles,
          unsigned fields)
{
    const size_t n = koshu_particles_count(particles);
    if (!w->copy &&
        (!has_memory(n) ||
         koshu_particles_create(w->context, n, &w->copy) != KOSHU_OK))
        return false;
    w->fresh = koshu_particles_copy(particles, fields, w->copy) == KOSHU_OK
                       ? fields
                       : 0;
    return w->fresh;
}

koshu_status
koshu_job_do(struct koshu_simulation *s, const struct koshu_job *given)
{
    struct koshu_job job = *given;
    KOSHU_TRY(job.work(s->particles, &job));
    return job.end(s, &job);
}

koshu_status
koshu_writer_do(struct koshu_simulation *s, const struct koshu_job *job)
{
    struct koshu_writer *w = s->writer;
    if (!w) return koshu_job_do(s, job);
    const unsigned fields =
            job->fields ? job->fields : koshu_particles_fields(s->particles);
    const bool fresh = (fields & ~w->fresh) == 0;
    if (!fresh || w->n == MAX_JOBS) {
        KOSHU_TRY(koshu_writer_settle(s, true));
        if (!fresh && !take_copy(w, s->particles, fields))
            return koshu_job_do(s, job);
    }
    pthread_mutex_lock(&w->lock);
    w->job[w->n++] = *job;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return KOSHU_OK;
}
