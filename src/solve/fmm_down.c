/* SPDX-License-Identifier: MIT */
/*
 * The downward pass of the FMM. Each cell takes its interaction lists from what
 * its parent left pending, and gets the local expansion of the far cells. The
 * particles of a leaf get the sums over the near cells. Lists exist only while
 * their cell is processed.
 */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "solve/fmm_sides.h"

/* A target cell; first, n: the source cells that its parent left to it, among a
 * worker's pending cells. */
struct job {
    uint32_t cell;
    size_t first, n;
    double work; /* of each particle, from the cells above */
};

struct koshu_fmm_descent {
    struct koshu_fmm_worker top; /* for the cells above the jobs */
    struct job *job;             /* each for one thread; pending: in `top` */
    size_t n_jobs, capacity_job;
    int workers;
    struct koshu_fmm_worker worker[];
};

/* ---- life ---------------------------------------------------------------- */

koshu_status
koshu_fmm_descent_create(struct koshu_context *context,
                         struct koshu_fmm_descent **descent)
{
    const int workers = koshu_context_threads(context);
    const size_t size = sizeof(struct koshu_fmm_descent) +
                        (size_t)workers * sizeof(struct koshu_fmm_worker);
    *descent = koshu_alloc(1, size);
    if (!*descent) return koshu_fail_memory(context, size, "lists of an FMM");
    (*descent)->workers = workers;
    return KOSHU_OK;
}

static void
free_worker(struct koshu_fmm_worker *w)
{
    koshu_fmm_lists_free(&w->lists);
    koshu_free(w->pending);
    koshu_free(w->near);
    koshu_free(w->sums);
    koshu_free(w->order);
    koshu_free(w->soft);
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

/* ---- a cell -------------------------------------------------------------- */

static double
charge_of(const struct koshu_fmm_cells *c, const struct koshu_cell *cell)
{
    double charge = 0;
    for (size_t i = cell->first; i < (size_t)cell->first + cell->n; i++)
        charge += c->charge[i];
    return charge;
}

/* Source cells that coincide with this one in a single point have the potential
 * q / eps each, or none (koshu/force.h). Only gravity is softened, and it has
 * one right-hand side. */
static void
add_same_point(const struct koshu_fmm_down *down,
               const struct koshu_fmm_lists *l, uint32_t target)
{
    const struct koshu_fmm_cells *c = &down->sources->cells;
    const bool top = target < down->targets->n_top;
    const struct koshu_fmm_cells *to =
            top ? &down->targets->top : &down->targets->cells;
    const size_t row = target * to->n_rhs * to->stride;
    double charge = 0;
    if (down->task->eps == 0) return;
    for (size_t k = 0; k < l->n_same; k++)
        charge += charge_of(c, &c->cell[l->same[k]]);
    charge *= c->per_charge[0] * to->length[target] / down->task->eps;
    if (!top && down->fmm->kernels->real == sizeof(float))
        ((float *)to->local)[row] += (float)charge;
    else
        ((double *)to->local)[row] += charge;
}

/* Adds the far cells to the cell's local expansion. */
static void
add_far(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w,
        uint32_t cell)
{
    const struct koshu_fmm *f = down->fmm;
    const struct koshu_fmm_side *t = down->targets;
    struct koshu_fmm_lists *l = &w->lists;
    if (cell < t->n_top)
        koshu_fmm_top_far(f, down->sources, t, cell, l->n_far, l->far);
    else
        f->kernels->m2l(f->expansion, &t->cells, cell, &down->sources->cells,
                        l->n_far, l->far);
    if (l->n_same > 0) add_same_point(down, l, cell);
    w->m2l += l->n_far;
}

/* Passes the local expansion on to the children. */
static void
give(const struct koshu_fmm *f, const struct koshu_fmm_side *t, uint32_t cell)
{
    const bool top = cell < t->n_top, leaf = t->cells.cell[cell].children == 0;
    if (top)
        koshu_fmm_top_give(f, t, cell);
    else if (!leaf)
        f->kernels->l2l(f->expansion, &t->cells, cell);
    if (leaf) return;
    koshu_fmm_soften_children(f, &t->cells, cell);
    if (f->background && !top)
        koshu_fmm_shift_background(f, &t->cells, f->kernels->real, cell);
}

double
koshu_fmm_pairs_of_translation(const struct koshu_fmm *fmm)
{
    const double p = fmm->options.order + 1;
    /* fitted on a CPU with AVX-512 for p from 6 to 16 */
    return 100 + p * p * p / 4;
}

/* The work of each particle so far, including the cell's translations. */
static double
work_of(const struct koshu_fmm_down *down, const struct koshu_fmm_worker *w,
        const struct job *job)
{
    const struct koshu_cell *cell = &down->targets->cells.cell[job->cell];
    return job->work + (double)w->lists.n_far / cell->n *
                               koshu_fmm_pairs_of_translation(down->fmm);
}

/* Processes a cell: its lists, its local expansion, and its particles or its
 * children's expansions. What is left to the children is in the lists. */
static koshu_status
do_cell(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w,
        const struct job *job)
{
    const struct koshu_fmm *f = down->fmm;
    const struct koshu_fmm_cells *c = &down->targets->cells;
    KOSHU_TRY(koshu_fmm_lists_make(&w->lists, &down->criterion, c, job->cell,
                                   &down->sources->cells, job->n,
                                   w->pending + job->first));
    add_far(down, w, job->cell);
    if (koshu_fmm_soft_order(f, c, job->cell) > 0)
        KOSHU_TRY(koshu_fmm_soften(down, w, job->cell));
    give(f, down->targets, job->cell);
    if (c->cell[job->cell].children > 0) return KOSHU_OK;
    return koshu_fmm_finish_leaf(down, w, job->cell, work_of(down, w, job));
}

/* ---- all cells ----------------------------------------------------------- */

static koshu_status
push_pending(struct koshu_fmm_worker *w, size_t n, const uint32_t *source)
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

/* A cell with at most so many particles, and all below it, is one job. */
static size_t
part_of(const struct koshu_fmm_side *targets)
{
    const size_t n = targets->tree.n / 256;
    return n > 1024 ? n : 1024;
}

/* Processes a cell and all below it. `top` processes only the cells above the
 * jobs, and keeps what is pending for these. */
static koshu_status
descend(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w,
        const struct job *job)
{
    struct koshu_fmm_descent *d = down->fmm->descent;
    const struct koshu_cell *cell = &down->targets->cells.cell[job->cell];
    if (w == &d->top &&
        (cell->n <= part_of(down->targets) || cell->children == 0))
        return add_job(d, job);
    KOSHU_TRY(do_cell(down, w, job));
    if (cell->children == 0) return KOSHU_OK;
    struct job child = {.first = w->n_pending,
                        .n = w->lists.n_pending,
                        .work = work_of(down, w, job)};
    KOSHU_TRY(push_pending(w, child.n, w->lists.pending));
    for (uint32_t k = 0; k < cell->children; k++) {
        child.cell = cell->child + k;
        KOSHU_TRY(descend(down, w, &child));
    }
    if (w != &d->top) w->n_pending = child.first;
    return KOSHU_OK;
}

static koshu_status
do_job(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w,
       const struct job *job)
{
    const struct koshu_fmm_worker *top = &down->fmm->descent->top;
    w->n_pending = 0;
    KOSHU_TRY(push_pending(w, job->n, top->pending + job->first));
    const struct job own = {.cell = job->cell, .n = job->n, .work = job->work};
    return descend(down, w, &own);
}

/* Lets MPI make progress, which it does only when called, and only from the
 * first thread. A failure shows again when the messages are waited for. */
static void
move_messages(const struct koshu_fmm_down *down)
{
    if (down->pass->moves_messages && omp_get_thread_num() == 0)
        (void)koshu_transfer_progress(down->fmm->backend->context);
}

static koshu_status
do_jobs(const struct koshu_fmm_down *down)
{
    struct koshu_fmm *f = down->fmm;
    struct koshu_fmm_descent *d = f->descent;
    const int threads =
            koshu_region_threads(f->backend->context, d->n_jobs > 1);
    size_t failures = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) \
        reduction(+ : failures)
    for (size_t k = 0; k < d->n_jobs; k++) {
        failures += do_job(down, &d->worker[omp_get_thread_num()],
                           &d->job[k]) != KOSHU_OK;
        move_messages(down);
    }
    return failures > 0 ? KOSHU_ERROR_OUT_OF_MEMORY : KOSHU_OK;
}

/* The number of images that are cells; without a periodic box, the box
 * itself. */
static size_t
images_of(const struct koshu_fmm *f)
{
    if (f->options.beyond) return 0;
    return f->lattice ? f->images.n : 1;
}

/* Makes every root of the sources pending, in every image. */
static koshu_status
push_roots(const struct koshu_fmm_down *down, struct koshu_fmm_worker *w)
{
    const struct koshu_fmm *f = down->fmm;
    const struct koshu_image_code *code = &down->sources->cells.images.code;
    for (size_t k = 0; k < images_of(f); k++) {
        const uint32_t first = koshu_entry_of_image(code, (uint32_t)k);
        for (size_t root = 0; root < down->pass->roots; root++) {
            const uint32_t entry = first | (uint32_t)root;
            KOSHU_TRY(push_pending(w, 1, &entry));
        }
    }
    return KOSHU_OK;
}

static koshu_status
do_all(const struct koshu_fmm_down *down)
{
    struct koshu_fmm *f = down->fmm;
    struct koshu_fmm_descent *d = f->descent;
    const struct koshu_fmm_cells *c = &down->targets->cells;
    memset(c->local, 0, c->n_rhs * c->stride * f->kernels->real);
    d->top.n_pending = d->n_jobs = 0;
    KOSHU_TRY(push_roots(down, &d->top));
    KOSHU_TRY(descend(down, &d->top, &(struct job){.n = d->top.n_pending}));
    return do_jobs(down);
}

static void
report_work(struct koshu_laplace_report *report, struct koshu_fmm_worker *w)
{
    report->translations += w->m2l;
    report->pairs += w->pairs;
    report->seconds.near += w->near_seconds;
    w->m2l = w->pairs = 0;
    w->near_seconds = 0;
}

static koshu_status
descend_all(const struct koshu_fmm_down *down)
{
    struct koshu_fmm *f = down->fmm;
    struct koshu_fmm_descent *d = f->descent;
    const koshu_status status = do_all(down);
    for (int k = 0; k < d->workers; k++) report_work(&f->report, &d->worker[k]);
    report_work(&f->report, &d->top);
    if (status == KOSHU_OK) return KOSHU_OK;
    return koshu_fail(f->backend->context, KOSHU_ERROR_OUT_OF_MEMORY,
                      "out of memory for the lists of an FMM");
}

struct koshu_fmm_criterion
koshu_fmm_criterion_of(const struct koshu_fmm *fmm, double eps)
{
    const struct koshu_fmm_softening *s = &fmm->softening;
    struct koshu_fmm_criterion c = {.apart = s->reach[s->order] * eps};
    if (!fmm->whole.leaf) c.opening = fmm->opening;
    return c;
}

koshu_status
koshu_fmm_descend(struct koshu_fmm *fmm, const struct koshu_force_task *task,
                  const struct koshu_fmm_pass *pass,
                  const struct koshu_fmm_results *to)
{
    const struct koshu_fmm_down down = {
            .fmm = fmm,
            .task = task,
            .to = to,
            .hessian = to->field[KOSHU_FMM_HESSIAN] || to->velocity_gradient[0],
            .pass = pass,
            .sources = pass->sources,
            .targets = pass->targets,
            .criterion = koshu_fmm_criterion_of(fmm, task->eps)};
    return descend_all(&down);
}
