/* SPDX-License-Identifier: MIT */
/* The fast multipole method on host threads: trees, and multipoles from the
 * leaves to the root. */
#include "solve/fmm.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "solve/fmm_sides.h"

/* ---- life ---------------------------------------------------------------- */

static koshu_status
check(const struct koshu_backend *backend,
      const struct koshu_fmm_options *options)
{
    struct koshu_context *context = backend->context;
    if (options->order < 1 || options->order > KOSHU_MAX_ORDER)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "multipole order %d: it must be from 1 to %d",
                          options->order, KOSHU_MAX_ORDER);
    if (!(options->theta > 0 && options->theta < 1))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "theta = %g: it must be in (0, 1)", options->theta);
    if (!backend->ops->fmm && !backend->ops->fmm_engine)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "backend %s has no fast multipole method; take "
                          "--backend cpu, or solver.method: tree",
                          backend->ops->name);
    return KOSHU_OK;
}

/* Particles in a leaf, such that the pairs with neighbouring leaves cost as
 * much as the expansions. */
static uint64_t
n_leaf_of(int order)
{
    return (uint64_t)(24 + 6 * order);
}

static koshu_status
allocate(struct koshu_fmm *f)
{
    struct koshu_context *context = f->backend->context;
    const struct koshu_fmm_options *o = &f->options;
    KOSHU_TRY(koshu_fmm_images_make(context, &o->box, o->theta, &f->images));
    if (o->box.edge > 0)
        KOSHU_TRY(koshu_lattice_create(context, o->order, &f->images,
                                       o->box.depth, &f->lattice));
    if (o->softened) KOSHU_TRY(koshu_fmm_prepare_softening(f));
    if (f->backend->ops->fmm_engine) return koshu_fmm_engine_open(f);
    f->kernels = f->backend->ops->fmm->kernels(f->backend, o->precision);
    f->precise =
            f->backend->ops->fmm->kernels(f->backend, KOSHU_PRECISION_DOUBLE);
    KOSHU_TRY(koshu_fmm_descent_create(context, &f->descent));
    return koshu_expansion_create(context, o->order, &f->expansion);
}

koshu_status
koshu_fmm_create(struct koshu_backend *backend,
                 const struct koshu_fmm_options *options,
                 struct koshu_fmm **fmm)
{
    *fmm = NULL;
    KOSHU_TRY(check(backend, options));
    struct koshu_fmm *f = calloc(1, sizeof *f);
    if (!f) return koshu_fail_memory(backend->context, sizeof *f, "FMM");
    f->backend = backend;
    f->options = *options;
    f->opening = koshu_opening_of_all(options->theta);
    if (f->options.n_leaf == 0 && backend->ops->fmm)
        f->options.n_leaf = n_leaf_of(options->order);
    f->sources.tree.context = f->targets.tree.context = backend->context;
    const koshu_status status = allocate(f);
    if (status == KOSHU_OK)
        *fmm = f;
    else
        koshu_fmm_destroy(f);
    return status;
}

static void
free_side(struct koshu_fmm_side *side)
{
    koshu_tree_free(&side->tree);
    koshu_fmm_cells_free(&side->cells);
    koshu_free(side->strength);
    koshu_free(side->wrapped);
    koshu_free(side->top_rows);
}

void
koshu_fmm_destroy(struct koshu_fmm *fmm)
{
    if (!fmm) return;
    koshu_fmm_engine_close(fmm);
    koshu_expansion_destroy(fmm->expansion);
    koshu_cartesian_destroy(fmm->cartesian);
    koshu_fmm_descent_destroy(fmm->descent);
    koshu_fmm_images_free(&fmm->images);
    koshu_lattice_destroy(fmm->lattice);
    koshu_free(fmm->background);
    free_side(&fmm->sources);
    free_side(&fmm->targets);
    free(fmm);
}

/* The images remain those of a smaller theta, which are valid here too. */
void
koshu_fmm_set_opening(struct koshu_fmm *fmm,
                      const struct koshu_opening *opening)
{
    fmm->opening = *opening;
    koshu_fmm_follow_softening(fmm);
    if (fmm->engine)
        fmm->backend->ops->fmm_engine->set_opening(fmm->engine, opening);
}

const struct koshu_opening *
koshu_fmm_opening(const struct koshu_fmm *fmm)
{
    return &fmm->opening;
}

/* ---- up ------------------------------------------------------------------ */

/* The multipole of a cell from its children, or from the particles of a
 * leaf. */
static void
make_multipole(const struct koshu_fmm *f, uint32_t k)
{
    const struct koshu_fmm_cells *cells = &f->sources.cells;
    const bool leaf = cells->cell[k].children == 0;
    (leaf ? f->kernels->p2m : f->kernels->m2m)(f->expansion, cells, k);
    koshu_fmm_soften_up(f, k);
}

static void
make_multipoles(struct koshu_fmm *f)
{
    const struct koshu_tree *tree = &f->sources.tree;
    const int threads = koshu_region_threads(tree->context, tree->n > 1 << 12);
    for (size_t level = tree->n_levels; level-- > 0;) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
        for (size_t k = tree->level[level]; k < tree->level[level + 1]; k++)
            make_multipole(f, (uint32_t)k);
    }
}

/* ---- sums ---------------------------------------------------------------- */

static double
lap(double *time)
{
    const double before = *time;
    *time = koshu_now();
    return *time - before;
}

/* All points may coincide: half = 0. */
koshu_status
koshu_fmm_check_half(struct koshu_context *context, double half)
{
    if (half == 0 || (half >= KOSHU_MIN_LENGTH && half <= KOSHU_MAX_LENGTH))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                      "points of an FMM are up to %g from their middle: it "
                      "must be from %g to %g; take another unit of length",
                      half, KOSHU_MIN_LENGTH, KOSHU_MAX_LENGTH);
}

static koshu_status
check_lengths(const struct koshu_tree *tree)
{
    const struct koshu_group g = koshu_group_of(tree, 0, (uint32_t)tree->n);
    return koshu_fmm_check_half(tree->context,
                                fmax(fmax(g.half_x, g.half_y), g.half_z));
}

static koshu_status
make_side(const struct koshu_fmm *f, struct koshu_fmm_side *side,
          const struct koshu_laplace_points *points, size_t n_rhs)
{
    const int order = f->options.order,
              terms = (order + 1) * (order + 1) + koshu_fmm_soft_terms(f);
    struct koshu_laplace_points p = *points;
    struct koshu_tree_seconds seconds;
    if (f->lattice) KOSHU_TRY(koshu_fmm_wrap(f, side, &p));
    side->cells.images = f->images;
    side->cells.whole = f->lattice ? 0 : f->whole.radius;
    side->tree.options = koshu_tree_options_default();
    side->tree.options.n_leaf = f->options.n_leaf;
    KOSHU_TRY(koshu_tree_cut(&side->tree, p.n, p.x, p.y, p.z, NULL, &seconds));
    KOSHU_TRY(check_lengths(&side->tree));
    return koshu_fmm_cells_make(&side->cells, &side->tree, n_rhs, terms,
                                f->kernels->real);
}

koshu_status
koshu_fmm_make_trees(struct koshu_fmm *fmm,
                     const struct koshu_laplace_points *sources,
                     const struct koshu_laplace_points *targets)
{
    struct koshu_fmm *f = fmm;
    double time = koshu_now();
    KOSHU_TRY(make_side(f, &f->sources, sources, sources->n_rhs));
    KOSHU_TRY(koshu_fmm_take_strengths(&f->sources, &f->whole, sources));
    if (targets) KOSHU_TRY(make_side(f, &f->targets, targets, sources->n_rhs));
    f->report.cells = f->sources.tree.n_cells;
    f->report.seconds.tree = lap(&time);
    return KOSHU_OK;
}

/* List entries hold a cell and an image in 32 bits. */
static koshu_status
set_code(struct koshu_fmm *f, double eps, bool own_sources)
{
    const struct koshu_fmm_criterion c = koshu_fmm_criterion_of(f, eps);
    const size_t cells = f->sources.tree.n_cells;
    struct koshu_image_code *const code = &f->sources.cells.images.code;
    *code = f->images.code;
    if (own_sources)
        *code = koshu_fmm_code_of(&f->images, c.opening.theta[0], c.apart);
    return koshu_fmm_check_code(f->backend->context, code, cells,
                                c.opening.theta[0]);
}

koshu_status
koshu_fmm_rise(struct koshu_fmm *fmm, double eps,
               struct koshu_fmm_side *targets)
{
    double time = koshu_now();
    koshu_fmm_set_softening(fmm, eps);
    KOSHU_TRY(set_code(fmm, eps, targets == &fmm->sources));
    make_multipoles(fmm);
    if (fmm->lattice) KOSHU_TRY(koshu_fmm_top_up(fmm, targets));
    fmm->report.seconds.up += lap(&time);
    return KOSHU_OK;
}

static koshu_status
add_lattice(struct koshu_fmm *f, double eps,
            const struct koshu_fmm_side *targets)
{
    struct koshu_fmm_root root;
    KOSHU_TRY(koshu_fmm_reserve_background(f, f->sources.cells.n_rhs));
    for (size_t rhs = 0; rhs < f->sources.cells.n_rhs; rhs++) {
        koshu_fmm_sum_root(f, rhs, &root);
        koshu_fmm_add_lattice(f, eps, rhs, &root, targets);
    }
    return KOSHU_OK;
}

static koshu_status
sum(struct koshu_fmm *f, const struct koshu_force_task *task,
    const struct koshu_laplace_points *sources,
    const struct koshu_laplace_points *targets,
    const struct koshu_fmm_results *to)
{
    struct koshu_laplace_report *r = &f->report;
    struct koshu_fmm_side *const at = targets ? &f->targets : &f->sources;
    const struct koshu_fmm_pass pass = {
            .sources = &f->sources, .targets = at, .roots = 1};
    KOSHU_TRY(koshu_fmm_make_trees(f, sources, targets));
    KOSHU_TRY(koshu_fmm_rise(f, task->eps, at));
    if (f->lattice) KOSHU_TRY(add_lattice(f, task->eps, at));
    double time = koshu_now();
    KOSHU_TRY(koshu_fmm_descend(f, task, &pass, to));
    r->seconds.down = lap(&time);
    r->seconds.near /= koshu_region_threads(f->backend->context, true);
    return KOSHU_OK;
}

static void
write_zeros(double *const *to, size_t arrays, size_t n)
{
    for (size_t k = 0; k < arrays; k++)
        for (size_t i = 0; to[k] && i < n; i++) to[k][i] = 0;
}

void
koshu_fmm_start_report(struct koshu_fmm *fmm)
{
    fmm->report = (struct koshu_laplace_report){
            .multipole_order = (uint64_t)fmm->options.order,
            .theta = fmm->opening.theta[0],
            .n_leaf = fmm->options.n_leaf};
}

koshu_status
koshu_fmm_laplace(struct koshu_fmm *fmm, const struct koshu_force_task *task,
                  const struct koshu_laplace_points *sources,
                  const struct koshu_laplace_points *targets,
                  const struct koshu_fmm_results *to)
{
    const size_t n = targets ? targets->n : sources->n;
    koshu_fmm_start_report(fmm);
    if (sources->n > 0 && n > 0 && fmm->engine)
        return koshu_fmm_engine_laplace(fmm, task, sources, targets, to);
    if (sources->n > 0 && n > 0) return sum(fmm, task, sources, targets, to);
    write_zeros(to->field, KOSHU_FMM_FIELDS + 1, sources->n_rhs * n);
    write_zeros(to->velocity, 3, n);
    write_zeros(to->velocity_gradient, 9, n);
    return KOSHU_OK;
}

/* NULL: no points. */
static struct koshu_laplace_points
points_of(const struct koshu_force_sources *p)
{
    if (!p) return (struct koshu_laplace_points){0};
    return (struct koshu_laplace_points){.n = p->n,
                                         .x = p->x,
                                         .y = p->y,
                                         .z = p->z,
                                         .n_rhs = 1,
                                         .charge = p->mass};
}

koshu_status
koshu_fmm_sums(struct koshu_fmm *fmm, const struct koshu_force_task *task,
               const struct koshu_force_sources *j,
               const struct koshu_force_sources *i,
               const struct koshu_force_sums *result)
{
    const struct koshu_laplace_points sources = points_of(j),
                                      targets = points_of(i);
    const size_t n = i ? i->n : j->n;
    const struct koshu_fmm_results to = {
            .field = {result->potential, result->ax, result->ay, result->az}};
    KOSHU_TRY(koshu_fmm_laplace(fmm, task, &sources, i ? &targets : NULL, &to));
    for (size_t k = 0; result->potential && k < n; k++)
        result->potential[k] = -result->potential[k];
    return KOSHU_OK;
}

struct koshu_laplace_report
koshu_fmm_last(const struct koshu_fmm *fmm)
{
    return fmm->report;
}

const struct koshu_tree *
koshu_fmm_tree(const struct koshu_fmm *fmm)
{
    return &fmm->sources.tree;
}

const struct koshu_fmm_images *
koshu_fmm_images(const struct koshu_fmm *fmm)
{
    return &fmm->images;
}
