/* SPDX-License-Identifier: MIT */
/* Chooses the method and its parameters for a requested accuracy. */
#include <math.h>
#include <stddef.h>

#include "backend/backend.h"
#include "base/base.h"
#include "solve/solve.h"

/* ---- measurements -------------------------------------------------------- */

/*
 * Errors and costs of tree and FMM. The errors are the largest over a Plummer
 * sphere, a cube and a Hernquist model with 16,384 and 65,536 particles. The
 * costs per particle are the means over those with 65,536, in single precision
 * on a CPU:
 *
 *     koshu bench accuracy --n 65536 --model plummer (cube, hernquist)
 *         --error sample --order 2,3,...,14 --alpha 0.05,0.02,...
 *
 * Orders above 14 were measured in double precision, with costs in pairs of
 * that precision; these are rough. With theta = 0.7 an FMM of the same median
 * error takes half as long, but the errors of single particles are so much
 * larger that no table holds for other particle sets.
 */
struct measured {
    double parameter; /* alpha, or the order with theta = 0.5 */
    double error, pairs;
};
struct table {
    size_t n;
    const struct measured *row;
};
#define TABLE(rows)                          \
    {                                        \
        sizeof(rows) / sizeof(rows)[0], rows \
    }

static const struct measured tree[] = {
        {0.05, 1.5e-3, 4330},   {0.02, 1.1e-3, 4610},   {0.008, 6.7e-4, 5170},
        {0.003, 3.4e-4, 6260},  {0.0012, 1.9e-4, 7870}, {0.0005, 1.0e-4, 9620},
        {0.0002, 5.7e-5, 12400}};
static const struct measured fmm[] = {
        {2, 4.5e-2, 9850},   {3, 1.5e-2, 11900},  {4, 5.3e-3, 12500},
        {5, 2.0e-3, 14300},  {6, 7.8e-4, 15900},  {7, 3.2e-4, 17500},
        {8, 1.3e-4, 20700},  {9, 5.1e-5, 25100},  {10, 2.0e-5, 31900},
        {12, 3.6e-6, 42700}, {14, 7.3e-7, 68100}, {16, 1.4e-7, 67000},
        {18, 3.9e-8, 89000}, {20, 7.2e-9, 85000}};

/* The same for 1,048,576 particles on one H200, in units of its direct pairs.
 * Direct pairs are so fast there that a tree costs less than an FMM for every
 * accuracy that it reaches. */
static const struct measured tree_on_device[] = {
        {0.02, 9.0e-4, 4440},    {0.008, 4.8e-4, 5060},
        {0.003, 2.5e-4, 6180},   {0.0012, 1.4e-4, 8420},
        {0.0005, 7.1e-5, 11600}, {0.0002, 3.7e-5, 15700}};
static const struct measured fmm_on_device[] = {
        {4, 1.6e-3, 91000},  {5, 5.5e-4, 99000},  {6, 2.4e-4, 226000},
        {7, 8.7e-5, 249000}, {8, 3.6e-5, 286000}, {10, 5.6e-6, 460000},
        {12, 9.5e-7, 671000}};

/* The fixed cost of a device, in pairs. A step of the tree takes 0.95 ms with
 * 131,072 particles and 2.41 ms with 1,048,576 (alpha = 0.002,
 * docs/performance.md), hence 0.74 ms with none, at 2e12 pairs a second. */
static const double fixed_on_device = 1.5e9;

/*
 * FMM in periodic boxes. Forces cancel there, most of all near a grid. These
 * are the errors for a grid of 32^3 whose particles are displaced by a
 * twentieth of its spacing, from
 *
 *     koshu bench fmm --file FILE --periodic 1 --order 4,6,... --error sample
 *
 * and costs as above times what a box adds. The tree's relative criterion uses
 * the actual forces, so its errors are as above, within a factor, at many times
 * the cost.
 */
static const struct measured fmm_in_box[] = {
        {6, 1.6e-2, 22000},  {7, 6.4e-3, 24000},  {8, 8.4e-4, 29000},
        {9, 7.1e-4, 28000},  {10, 1.4e-4, 34000}, {12, 1.7e-5, 39000},
        {14, 9.2e-7, 47000}, {16, 1.1e-7, 94000}, {18, 2.3e-8, 125000},
        {20, 1.7e-9, 119000}};
static const double tree_in_box[2] = {3, 12}; /* factors of errors and costs */

/* Factor of errors, because other models have other errors, and because the
 * errors come from a sample. */
#define MARGIN 1.5

/* Rounding limits the error to these: direct sums, tree, FMM. */
static const double rounding[][3] = {
        [KOSHU_PRECISION_SINGLE] = {5e-7, 5e-6, 1e-6},
        [KOSHU_PRECISION_MIXED] = {5e-8, 5e-6, 1e-6},
        [KOSHU_PRECISION_DOUBLE] = {1e-14, INFINITY, 1e-12}};

/* Factor of rounding in a box, where large terms cancel. */
static const double rounding_in_box = 20;

/* The cost of a pair relative to single precision. */
static const double cost_of[] = {[KOSHU_PRECISION_SINGLE] = 1,
                                 [KOSHU_PRECISION_MIXED] = 1.5,
                                 [KOSHU_PRECISION_DOUBLE] = 2.5};

/* ---- candidates ---------------------------------------------------------- */

struct wanted {
    double accuracy;
    double fixed; /* pairs per particle that do not depend on the method */
    bool box;
    double offset; /* at least 1 */
    const struct koshu_backend *backend;
    struct koshu_solver_choice best;
};

/* Replaces the best choice if this one meets the accuracy at a lower cost. */
static void
consider(struct wanted *w, const struct koshu_solver_choice *c)
{
    if (c->error <= w->accuracy &&
        (w->best.pairs == 0 || c->pairs < w->best.pairs))
        w->best = *c;
}

/* Considers the measured rows of a method, with factors for errors and
 * costs. */
static void
consider_rows(struct wanted *w, const struct koshu_solver_choice *like,
              const struct table *table, const double factor[2])
{
    struct koshu_solver_choice c = *like;
    const bool is_tree = c.method == KOSHU_METHOD_TREE;
    const double floor =
            rounding[c.precision][c.method] * (w->box ? rounding_in_box : 1);
    for (const struct measured *row = table->row; row < table->row + table->n;
         row++) {
        c.error = fmax(MARGIN * row->error * factor[0], floor);
        c.pairs = row->pairs * cost_of[c.precision] * factor[1] + w->fixed;
        if (is_tree)
            c.alpha = row->parameter;
        else
            c.multipole_order = (unsigned)row->parameter;
        consider(w, &c);
    }
}

static const double once[2] = {1, 1};

static void
consider_tree(struct wanted *w, const struct koshu_solver_choice *c)
{
    static const struct table of[2] = {TABLE(tree), TABLE(tree_on_device)};
    const struct koshu_backend_ops *ops = w->backend->ops;
    if (w->box && !ops->fmm && !ops->fmm_engine) return;
    if (ops->walks_in_caller || ops->walk_memory || ops->tree)
        consider_rows(w, c, &of[ops->tree != NULL],
                      w->box ? tree_in_box : once);
}

static void
consider_fmm(struct wanted *w, struct koshu_solver_choice *c)
{
    static const struct table of[2] = {TABLE(fmm), TABLE(fmm_on_device)},
                              in_box = TABLE(fmm_in_box);
    const struct koshu_backend_ops *ops = w->backend->ops;
    c->theta = 0.5;
    /* over ranks with GPUs the tree has been faster so far, except in boxes */
    if (ops->fmm_engine && !w->box &&
        koshu_context_ranks(w->backend->context) > 1)
        return;
    if (ops->fmm || ops->fmm_engine)
        consider_rows(w, c, w->box ? &in_box : &of[ops->fmm_engine != NULL],
                      once);
}

static void
consider_method(struct wanted *w, struct koshu_solver_choice *c, uint64_t n)
{
    const struct koshu_backend_ops *ops = w->backend->ops;
    const struct koshu_force_task task = {.precision = c->precision};
    if (ops->can && !ops->can(w->backend, &task)) return;
    switch (c->method) {
    case KOSHU_METHOD_DIRECT:
        c->error = rounding[c->precision][c->method];
        if (c->precision == KOSHU_PRECISION_SINGLE) c->error *= w->offset;
        c->pairs = (double)n * cost_of[c->precision];
        if (!w->box) consider(w, c);
        return;
    case KOSHU_METHOD_TREE: consider_tree(w, c); return;
    case KOSHU_METHOD_FMM: consider_fmm(w, c); return;
    case KOSHU_METHOD_INTERACTION: return; /* it sums another force */
    }
}

/* ---- all ----------------------------------------------------------------- */

static bool
is_allowed(unsigned allowed, int value)
{
    return allowed == 0 || (allowed & 1u << value);
}

static void
consider_all(struct wanted *w, uint64_t n, unsigned methods,
             unsigned precisions)
{
    for (int p = 0; koshu_precision_name((enum koshu_precision)p); p++)
        for (int m = 0; koshu_method_name((enum koshu_method)m); m++) {
            struct koshu_solver_choice c = {.method = (enum koshu_method)m,
                                            .precision =
                                                    (enum koshu_precision)p};
            if (is_allowed(precisions, p) && is_allowed(methods, m))
                consider_method(w, &c, n);
        }
}

/* Whether the caller's struct has the member: structs of earlier releases may
 * not. */
#define SAYS(c, member) \
    ((c)->size >=       \
     offsetof(struct koshu_solver_choice, member) + sizeof(c)->member)

static bool
is_periodic(const struct koshu_solver_choice *c)
{
    return SAYS(c, boundary) && c->boundary == KOSHU_BOUNDARY_PERIODIC;
}

static double
offset_of(const struct koshu_solver_choice *c)
{
    return SAYS(c, offset) && c->offset > 1 ? c->offset : 1;
}

koshu_status
koshu_solver_choose(struct koshu_context *context, uint64_t n, double accuracy,
                    unsigned methods, unsigned precisions,
                    struct koshu_solver_choice *choice)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, choice);
    struct koshu_backend *backend;
    if (!(accuracy > 0 && accuracy < 1))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "accuracy = %g: it must be in (0, 1)", accuracy);
    KOSHU_TRY(koshu_backend_of(context, &backend));
    struct wanted w = {.accuracy = accuracy,
                       .box = is_periodic(choice),
                       .offset = offset_of(choice),
                       .backend = backend};
    if (backend->ops->tree && n > 0) w.fixed = fixed_on_device / (double)n;
    consider_all(&w, n, methods, precisions);
    if (w.best.pairs == 0)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "no method keeps an accuracy of %g here; take a "
                          "larger one, or leave method and precision open",
                          accuracy);
    w.best.boundary = w.box ? KOSHU_BOUNDARY_PERIODIC : KOSHU_BOUNDARY_ISOLATED;
    w.best.offset = w.offset;
    return koshu_report_write(context, "koshu_solver_choice", choice, &w.best,
                              sizeof w.best);
}
