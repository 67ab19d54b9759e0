/* SPDX-License-Identifier: MIT */
/* A thread that writes output during steps: see writer.h. */
#include "simulation/writer.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "backend/backend.h"
#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/simulation.h"

enum { MAX_JOBS = 4 };

struct koshu_writer {
    struct koshu_context *context; /* for the copy; used by the thread only */
    struct koshu_particles *copy;  /* the particles that it writes */
    unsigned fresh;                /* fields of the copy that are up to date */
    struct koshu_writers writers;  /* of the file that the copy is for */
    uint64_t files;
    bool idle; /* another rank writes */
    pthread_t thread;
    pthread_mutex_t lock; /* protects what follows */
    pthread_cond_t changed;
    struct koshu_job job[MAX_JOBS];
    size_t n, n_done, n_good; /* good: the first ones done, which succeeded */
    koshu_status status;      /* of the first failure */
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
        const koshu_status status =
                job->idle ? KOSHU_OK : job->work(w->copy, job);
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

/* Signals are left to the threads of the program. */
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

/* Without a log, because the run's log belongs to its own thread. */
static koshu_status
make_context(const struct koshu_simulation *s, struct koshu_context **context)
{
    struct koshu_context_options options = koshu_context_options_default();
    options.threads = s->rows_beside ? koshu_context_threads(s->context) : 1;
    return koshu_context_create(&options, context);
}

static struct koshu_writer *
make_writer(const struct koshu_simulation *s)
{
    struct koshu_writer *w = calloc(1, sizeof *w);
    if (!w || make_context(s, &w->context) != KOSHU_OK) {
        free(w);
        return NULL;
    }
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    if (start_thread(w)) return w;
    koshu_context_destroy(w->context);
    free(w);
    return NULL;
}

/* Whether all ranks have it; false also if communication fails. */
static bool
all_have(struct koshu_context *context, bool it)
{
    unsigned missing = !it;
    return koshu_collective_status(context, KOSHU_OK, &missing) == KOSHU_OK &&
           !missing;
}

void
koshu_writer_create(struct koshu_simulation *s)
{
    s->rows_beside = s->integrator->backend->ops->memory != NULL &&
                     koshu_context_ranks(s->context) == 1 &&
                     !koshu_has_criteria(s->values);
    s->writer = make_writer(s);
    if (all_have(s->context, s->writer != NULL)) return;
    koshu_writer_destroy(s->writer);
    s->writer = NULL;
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

/* The number of jobs that have succeeded on all ranks. */
static koshu_status
count_good(struct koshu_simulation *s, const struct koshu_writer *w, size_t *n)
{
    double missing = (double)(w->n - w->n_good);
    KOSHU_TRY(koshu_largest(s->context, &missing));
    *n = w->n - (size_t)missing;
    return KOSHU_OK;
}

/* Ends the jobs. The threads wait, so their data may be used. */
static koshu_status
end_jobs(struct koshu_simulation *s, struct koshu_writer *w)
{
    size_t n_good;
    koshu_status status = w->status;
    KOSHU_TRY(count_good(s, w, &n_good));
    w->n = w->n_done = w->n_good = 0;
    w->status = KOSHU_OK;
    s->row_pending = false;
    for (size_t k = 0; k < n_good; k++) KOSHU_TRY(w->job[k].end(s, &w->job[k]));
    if (status != KOSHU_OK)
        status = koshu_fail(s->context, status, "%s",
                            koshu_context_message(w->context));
    return koshu_ranks_collective_status(s->context, status);
}

koshu_status
koshu_writer_settle(struct koshu_simulation *s, bool wait)
{
    struct koshu_writer *w = s->writer;
    if (!w || w->n == 0) return KOSHU_OK;
    pthread_mutex_lock(&w->lock);
    while (wait && w->n_done < w->n) pthread_cond_wait(&w->changed, &w->lock);
    unsigned busy = w->n_done < w->n;
    pthread_mutex_unlock(&w->lock);
    KOSHU_TRY(koshu_collective_status(s->context, KOSHU_OK, &busy));
    return busy ? KOSHU_OK : end_jobs(s, w);
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

/* Whether n particles fit in half of the available memory. */
static bool
has_memory(size_t n)
{
    const uint64_t available = koshu_memory_limits(NULL, 1).available;
    return n < available / 2 / KOSHU_PARTICLE_BYTES;
}

/* Allocates the copy of the particles that this rank writes. */
static bool
reserve_copy(struct koshu_writer *w, size_t n)
{
    if (w->copy && koshu_particles_count(w->copy) == n) return true;
    koshu_particles_destroy(w->copy);
    w->copy = NULL;
    return has_memory(n) &&
           koshu_particles_create(w->context, n, &w->copy) == KOSHU_OK;
}

/* Gathers the particles of the group on the rank that writes. */
static koshu_status
gather_copy(struct koshu_writer *w, struct koshu_particles *particles,
            const struct koshu_particle_view *mine, unsigned fields)
{
    struct koshu_rows rows = koshu_writers_rows(&w->writers, particles);
    struct koshu_particle_view all;
    koshu_rows_add(&rows, mine);
    if (!koshu_is_first_rank(w->writers.context))
        return koshu_rows_serve(&rows);
    /* allocated already, as the store has no device */
    koshu_status status =
            koshu_particles_on_host(w->copy, fields, KOSHU_ACCESS_WRITE, &all);
    if (status == KOSHU_OK) status = koshu_rows_gather(&rows, mine, &all);
    const koshu_status ended = koshu_rows_end(&rows);
    return status == KOSHU_OK ? ended : status;
}

/* Fills the copies of all writers; false: some failed, and none is used. */
static bool
fill_copy(struct koshu_writer *w, struct koshu_particles *particles,
          unsigned fields)
{
    struct koshu_context *context = koshu_particles_context(particles);
    struct koshu_particle_view mine;
    const bool ready = (!koshu_is_first_rank(w->writers.context) ||
                        reserve_copy(w, w->writers.rows.n));
    if (koshu_context_ranks(context) == 1)
        return ready &&
               koshu_particles_copy(particles, fields, w->copy) == KOSHU_OK;
    return all_have(context, koshu_particles_on_host(particles, fields,
                                                     KOSHU_ACCESS_READ,
                                                     &mine) == KOSHU_OK &&
                                     ready) &&
           all_have(context,
                    gather_copy(w, particles, &mine, fields) == KOSHU_OK);
}

/* Takes a copy; false: there is none. The threads wait meanwhile. */
static bool
take_copy(struct koshu_writer *w, struct koshu_particles *particles,
          unsigned fields, uint64_t files)
{
    w->fresh = 0;
    if (koshu_writers_begin(koshu_particles_context(particles),
                            koshu_particles_total(particles), files,
                            &w->writers) != KOSHU_OK)
        return false;
    w->files = files;
    w->idle = !koshu_is_first_rank(w->writers.context);
    if (fill_copy(w, particles, fields)) w->fresh = fields;
    koshu_writers_end(&w->writers);
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
    const uint64_t files = job->files > 0 ? job->files : 1;
    const bool fresh = (fields & ~w->fresh) == 0 && files == w->files;
    if (!fresh || w->n == MAX_JOBS) {
        KOSHU_TRY(koshu_writer_settle(s, true));
        if (!fresh && !take_copy(w, s->particles, fields, files))
            return koshu_job_do(s, job);
    }
    pthread_mutex_lock(&w->lock);
    w->job[w->n] = *job;
    w->job[w->n].writers = &w->writers;
    w->job[w->n++].idle = w->idle;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return KOSHU_OK;
}
