/* SPDX-License-Identifier: MIT */
/*
 * The way down of the FMM: each cell gets its lists from what its parent left
 * over, the local expansion of what is far, and a leaf's particles the sums of
 * what is near. Lists last only as long as their cell is at work.
 */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "base/base.h"
#include "solve/fmm_sides.h"

/* A cell, and where among a worker's pending cells the source cells are that
 * its parent has left to it. */
struct job {
    uint32_t cell;
    size_t first, n;
};

/* Memory of a thread, and what it has done. */
struct worker {
    struct koshu_fmm_lists lists;
    uint32_t *pending; /* what the cells above the present one left over */
    size_t n_pending, capacity_pending;
    double *near; /* j-particles: x y z q */
    size_t capacity_near;
    double *sums; /* of a leaf: i-particles x y z, near and far a and pot */
    size_t capacity_sums;
    uint64_t *self;
    size_t capacity_self;
    uint64_t m2l, pairs;
};

struct koshu_fmm_descent {
    struct worker top; /* of the cells above the jobs */
    struct job *job;   /* each the work of one thread; pending: of `top` */
    size_t n_jobs, capacity_job;
    int workers;
    struct worker worker[];
};

struct down {
    struct koshu_fmm *fmm;
    const struct koshu_force_task *task;
    const struct koshu_force_sums *result;
    const struct koshu_fmm_side *targets; /* perhaps the sources */
    struct koshu_fmm_criterion criterion;
};

/* ---- life ---------------------------------------------------------------- */

koshu_status
koshu_fmm_descent_create(struct koshu_context *context,
                         struct koshu_fmm_descent **descent)
{
    const int workers = koshu_context_threads(context);
    const size_t size = sizeof(struct koshu_fmm_descent) +
                        (size_t)workers * sizeof(struct worker);
    *descent = koshu_alloc(1, size);
    if (!*descent) return koshu_fail_memory(context, size, "lists of an FMM");
    (*descent)->workers = workers;
    return KOSHU_OK;
}

static void
free_worker(struct worker *w)
{
    koshu_fmm_lists_free(&w->lists);
    koshu_free(w->pending);
    koshu_free(w->near);
    koshu_free(w->sums);
    koshu_free(w->self);
}

void
koshu_fmm_descent_destroy(struct koshu_fmm_descent *descent)
{
    if (!descent) return;
    for (int k = 0; k < descent->workers; k++) free_worker(&descent->worker[k]);
    free_worker(&descent->top);
    koshu_free(descent->job);
    koshu_free(descent);
}

/* ---- a leaf -------------------------------------------------------------- */

/* The particles of a cell of c, about the centre of a cell of `at`, in its
 * lengths, to to[0][begin] ... */
static void
gather(const struct koshu_fmm_cells *c, const struct koshu_cell *cell,
       const struct koshu_fmm_cells *at, uint32_t about, double *const to[4],
       size_t begin)
{
    const double per_length = 1 / at->length[about];
    const double x = at->x[about], y = at->y[about], z = at->z[about];
    for (size_t k = 0; k < cell->n; k++) {
        const size_t i = cell->first + k;
        to[0][begin + k] = (c->px[i] - x) * per_length;
        to[1][begin + k] = (c->py[i] - y) * per_length;
        to[2][begin + k] = (c->pz[i] - z) * per_length;
    }
    for (size_t k = 0; to[3] && k < cell->n; k++)
        to[3][begin + k] = c->charge[cell->first + k] * c->per_charge;
}

static size_t
count_near(const struct koshu_fmm_cells *c, const struct koshu_fmm_lists *l)
{
    size_t n = 0;
    for (size_t k = 0; k < l->n_near; k++) n += c->cell[l->near[k]].n;
    return n;
}

/* j-particles of the near cells; *own: where the leaf's own begin, if they are
 * among them. */
static koshu_status
gather_near(const struct down *down, struct worker *w, uint32_t leaf,
            struct koshu_force_sources *j, size_t *own)
{
    const struct koshu_fmm_cells *c = &down->fmm->sources.cells;
    const struct koshu_fmm_cells *targets = &down->targets->cells;
    const size_t n = count_near(c, &w->lists);
    KOSHU_TRY(KOSHU_GROW(w, near, 4 * n, NULL, "near"));
    double *const row[4] = {w->near, w->near + n, w->near + 2 * n,
                            w->near + 3 * n};
    for (size_t k = 0, at = 0; k < w->lists.n_near; k++) {
        const uint32_t cell = w->lists.near[k];
        if (c == targets && cell == leaf) *own = at;
        gather(c, &c->cell[cell], targets, leaf, row, at);
        at += c->cell[cell].n;
    }
    *j = (struct koshu_force_sources){n, row[0], row[1], row[2], row[3]};
    return KOSHU_OK;
}

/* To the particles, in the caller's units. */
static void
scatter(const struct down *down, uint32_t leaf, double *const near[4],
        double *const far[4])
{
    const struct koshu_fmm_side *t = down->targets;
    const struct koshu_cell *cell = &t->cells.cell[leaf];
    const struct koshu_force_sums *to = down->result;
    const double per_length = 1 / t->cells.length[leaf];
    const double potential = per_length / down->fmm->sources.cells.per_charge;
    const double acceleration = potential * per_length;
    for (size_t k = 0; k < cell->n; k++) {
        const size_t i = t->tree.order[cell->first + k];
        to->ax[i] = (near[0][k] + far[0][k]) * acceleration;
        to->ay[i] = (near[1][k] + far[1][k]) * acceleration;
        to->az[i] = (near[2][k] + far[2][k]) * acceleration;
        if (down->task->potential)
            to->potential[i] = (near[3][k] + far[3][k]) * potential;
    }
}

/* What is near, on the n particles of a leaf: row[0] ... row[2] are their
 * places, row[3] ... row[6] become the sums. */
static koshu_status
sum_near(const struct down *down, struct worker *w, uint32_t leaf, size_t n,
         double *const *row)
{
    const struct koshu_backend *backend = down->fmm->backend;
    struct koshu_force_task task = *down->task;
    struct koshu_force_sources j;
    size_t own = SIZE_MAX;
    KOSHU_TRY(gather_near(down, w, leaf, &j, &own));
    KOSHU_TRY(KOSHU_GROW(w, self, n, NULL, "sums"));
    for (size_t k = 0; own != SIZE_MAX && k < n; k++) w->self[k] = own + k;
    const struct koshu_force_targets i = {n, row[0], row[1], row[2],
                                          own == SIZE_MAX ? NULL : w->self};
    const struct koshu_force_sums sums = {row[3], row[4], row[5],
                                          task.potential ? row[6] : NULL};
    task.eps /= down->targets->cells.length[leaf];
    backend->ops->fmm->near(backend, &task, &i, &j, &sums);
    w->pairs += n * j.n;
    return KOSHU_OK;
}

static koshu_status
finish_leaf(const struct down *down, struct worker *w, uint32_t leaf)
{
    enum { ROWS = 11 };
    const struct koshu_fmm *f = down->fmm;
    const struct koshu_fmm_cells *c = &down->targets->cells;
    const size_t n = c->cell[leaf].n;
    double *row[ROWS];
    KOSHU_TRY(KOSHU_GROW(w, sums, ROWS * n, NULL, "sums"));
    for (size_t r = 0; r < ROWS; r++) row[r] = w->sums + r * n;
    double *const at[4] = {row[0], row[1], row[2], NULL};
    gather(c, &c->cell[leaf], c, leaf, at, 0);
    KOSHU_TRY(sum_near(down, w, leaf, n, row));
    f->kernels->l2p(f->expansion, c, leaf, row + 7);
    scatter(down, leaf, row + 3, row + 7);
    return KOSHU_OK;
}

/* ---- a cell -------------------------------------------------------------- */

static double
charge_of(const struct koshu_fmm_cells *c, const struct koshu_cell *cell)
{
    double charge = 0;
    for (size_t i = cell->first; i < (size_t)cell->first + cell->n; i++)
        charge += c->charge[i];
    return charge;
}

/* Cells in the very point where this one is: the potential -q / eps each, or
 * nothing (koshu/force.h). */
static void
add_same_point(const struct down *down, const struct koshu_fmm_lists *l,
               uint32_t target)
{
    const struct koshu_fmm_cells *c = &down->fmm->sources.cells;
    const struct koshu_fmm_cells *to = &down->targets->cells;
    const size_t real = down->fmm->kernels->real;
    char *local = (char *)to->local + target * to->stride * real;
    double charge = 0;
    if (down->task->eps == 0) return;
    for (size_t k = 0; k < l->n_same; k++)
        charge += charge_of(c, &c->cell[l->same[k]]);
    charge *= c->per_charge * to->length[target] / down->task->eps;
    if (real == sizeof(float))
        *(float *)local += (float)charge;
    else
        *(double *)local += charge;
}

/* Its lists, its local expansion, and its particles or its children's
 * expansions. What it leaves to its children is in the lists. */
static koshu_status
do_cell(const struct down *down, struct worker *w, const struct job *job)
{
    const struct koshu_fmm *f = down->fmm;
    const struct koshu_fmm_cells *c = &down->targets->cells;
    const struct koshu_fmm_cells *sources = &f->sources.cells;
    struct koshu_fmm_lists *l = &w->lists;
    KOSHU_TRY(koshu_fmm_lists_make(l, &down->criterion, c, job->cell, sources,
                                   job->n, w->pending + job->first));
    f->kernels->m2l(f->expansion, c, job->cell, sources, l->n_far, l->far);
    w->m2l += l->n_far;
    if (l->n_same > 0) add_same_point(down, l, job->cell);
    if (c->cell[job->cell].children == 0)
        return finish_leaf(down, w, job->cell);
    f->kernels->l2l(f->expansion, c, job->cell);
    return KOSHU_OK;
}

/* ---- all cells ----------------------------------------------------------- */

static koshu_status
push_pending(struct worker *w, size_t n, const uint32_t *source)
{
    KOSHU_TRY(KOSHU_GROW(w, pending, w->n_pending + n, NULL, "pending"));
    if (n > 0) memcpy(w->pending + w->n_pending, source, n * sizeof *source);
    w->n_pending += n;
    return KOSHU_OK;
}

static koshu_status
add_job(struct koshu_fmm_descent *d, const struct job *job)
{
    KOSHU_TRY(KOSHU_GROW(d, job, d->n_jobs + 1, NULL, "jobs"));
    d->job[d->n_jobs++] = *job;
    return KOSHU_OK;
}

/* Cells of so many particles, and all below, are the work of one thread. */
static size_t
part_of(const struct koshu_fmm_side *targets)
{
    const size_t n = targets->tree.n / 256;
    return n > 1024 ? n : 1024;
}

/* A cell and all below it; by `top`, which keeps what is pending, those above
 * the jobs alone. */
static koshu_status
descend(const struct down *down, struct worker *w, const struct job *job)
{
    struct koshu_fmm_descent *d = down->fmm->descent;
    const struct koshu_cell *cell = &down->targets->cells.cell[job->cell];
    if (w == &d->top &&
        (cell->n <= part_of(down->targets) || cell->children == 0))
        return add_job(d, job);
    KOSHU_TRY(do_cell(down, w, job));
    if (cell->children == 0) return KOSHU_OK;
    struct job child = {.first = w->n_pending, .n = w->lists.n_pending};
    KOSHU_TRY(push_pending(w, child.n, w->lists.pending));
    for (uint32_t k = 0; k < cell->children; k++) {
        child.cell = cell->child + k;
        KOSHU_TRY(descend(down, w, &child));
    }
    if (w != &d->top) w->n_pending = child.first;
    return KOSHU_OK;
}

static koshu_status
do_job(const struct down *down, struct worker *w, const struct job *job)
{
    const struct worker *top = &down->fmm->descent->top;
    w->n_pending = 0;
    KOSHU_TRY(push_pending(w, job->n, top->pending + job->first));
    return descend(down, w, &(struct job){.cell = job->cell, .n = job->n});
}

static koshu_status
do_jobs(const struct down *down)
{
    struct koshu_fmm *f = down->fmm;
    struct koshu_fmm_descent *d = f->descent;
    const int threads =
            koshu_region_threads(f->backend->context, d->n_jobs > 1);
    size_t failures = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) \
        reduction(+ : failures)
    for (size_t k = 0; k < d->n_jobs; k++)
        failures += do_job(down, &d->worker[omp_get_thread_num()],
                           &d->job[k]) != KOSHU_OK;
    return failures > 0 ? KOSHU_ERROR_OUT_OF_MEMORY : KOSHU_OK;
}

static koshu_status
do_all(const struct down *down)
{
    struct koshu_fmm *f = down->fmm;
    struct koshu_fmm_descent *d = f->descent;
    const struct koshu_fmm_cells *c = &down->targets->cells;
    const uint32_t root = 0;
    memset(c->local, 0, c->stride * f->kernels->real);
    d->top.n_pending = d->n_jobs = 0;
    KOSHU_TRY(push_pending(&d->top, 1, &root));
    KOSHU_TRY(descend(down, &d->top, &(struct job){.cell = root, .n = 1}));
    return do_jobs(down);
}

static void
report_work(struct koshu_laplace_report *report, struct worker *w)
{
    report->translations += w->m2l;
    report->pairs += w->pairs;
    w->m2l = w->pairs = 0;
}

koshu_status
koshu_fmm_descend(struct koshu_fmm *fmm, const struct koshu_force_task *task,
                  bool apart, const struct koshu_force_sums *result)
{
    const struct down down = {.fmm = fmm,
                              .task = task,
                              .result = result,
                              .targets = apart ? &fmm->targets : &fmm->sources,
                              .criterion.theta = fmm->options.theta};
    struct koshu_fmm_descent *d = fmm->descent;
    const koshu_status status = do_all(&down);
    for (int k = 0; k < d->workers; k++)
        report_work(&fmm->report, &d->worker[k]);
    report_work(&fmm->report, &d->top);
    if (status == KOSHU_OK) return KOSHU_OK;
    return koshu_fail(fmm->backend->context, KOSHU_ERROR_OUT_OF_MEMORY,
                      "out of memory for the lists of an FMM");
}
