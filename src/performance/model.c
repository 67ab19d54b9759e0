/* SPDX-License-Identifier: MIT */
/*
 * Miki13's model of the time of direct summation, with the names of section
 * 6.1:
 *
 *     B_tot   blocks in all           N_SM    units
 *     B_SM    blocks that a unit works on together
 *     N_tot   blocks of the busiest unit, eq. 4
 *     N_hide  groups of B_SM of them; N_rem: those that remain (the groups,
 *             full or not, are ceil(N_tot / B_SM))
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "performance/performance.h"

static size_t
divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

/*
 * The factors of calc and latency, eq. 5. The lanes of a unit share the
 * evaluations of all its blocks. Each group of blocks begins and ends once or,
 * if blocks begin while others are running, all of them do together. The
 * latency of loading j-particles is hidden, because they are loaded while the
 * previous tile is summed (eq. 3, with T_tot C_calc > L).
 */
static struct koshu_fit_point
terms(const struct koshu_force_shape *s)
{
    size_t n_tot = divide_up(s->blocks, s->units);
    size_t groups = s->overlapped ? 1 : divide_up(n_tot, s->at_once);
    return (struct koshu_fit_point){
            .p = (double)n_tot * s->tiles * s->evaluations / (double)s->lanes,
            .q = 2.0 * (double)groups + (double)s->joins,
    };
}

/* The time of the launches; if they overlap with sums, a lower bound for a
 * sum. */
static double
launching(const struct koshu_force_shape *s, double launch)
{
    return launch * (double)s->launches;
}

/* Whether a measurement contains information about sums. If launches overlap
 * and units have less than a tile to sum, most of the time is launching and
 * waiting. */
static bool
tells(const struct koshu_force_shape *shape)
{
    double n_tot = (double)divide_up(shape->blocks, shape->units);
    return !shape->overlapped || n_tot * shape->tiles >= 1;
}

static struct koshu_model_kernel *
find(const struct koshu_time_model *model, const char *name)
{
    for (size_t k = 0; k < model->n_kernels; k++)
        if (strcmp(model->kernels[k].name, name) == 0)
            return (struct koshu_model_kernel *)&model->kernels[k];
    return NULL;
}

static koshu_status
list_kernels(const struct koshu_model_point *points, size_t n,
             struct koshu_time_model *model)
{
    for (size_t k = 0; k < n; k++) {
        const char *name = points[k].shape.kernel;
        struct koshu_model_kernel *kernel = find(model, name);
        if (!kernel) {
            if (model->n_kernels == KOSHU_MODEL_KERNELS)
                return KOSHU_ERROR_INVALID_ARGUMENT;
            kernel = &model->kernels[model->n_kernels++];
            memcpy(kernel->name, name, sizeof kernel->name);
        }
        kernel->points++;
    }
    return KOSHU_OK;
}

/* scratch: for as many points as the kernel has. If none contains information,
 * all are used. */
static koshu_status
fit_kernel(const struct koshu_model_point *points, size_t n, double launch,
           struct koshu_model_kernel *kernel, struct koshu_fit_point *scratch)
{
    size_t used = 0;
    for (int all = 0; all < 2 && used == 0; all++)
        for (size_t k = 0; k < n; k++) {
            const struct koshu_force_shape *shape = &points[k].shape;
            if (strcmp(shape->kernel, kernel->name) != 0) continue;
            if (!all && !tells(shape)) continue;
            scratch[used] = terms(shape);
            if (!shape->overlapped)
                scratch[used].known = launching(shape, launch);
            scratch[used++].t = points[k].seconds;
        }
    struct koshu_fit fit;
    KOSHU_TRY(koshu_least_squares(scratch, used, &fit));
    kernel->calc = fit.a;
    kernel->latency = fit.b;
    return KOSHU_OK;
}

double
koshu_model_predict(const struct koshu_time_model *model,
                    const struct koshu_force_shape *shape)
{
    const struct koshu_model_kernel *kernel = find(model, shape->kernel);
    if (!kernel) return NAN;
    const struct koshu_fit_point t = terms(shape);
    double sums = kernel->calc * t.p + kernel->latency * t.q;
    double launches = launching(shape, model->launch);
    return shape->overlapped ? fmax(sums, launches) : sums + launches;
}

koshu_status
koshu_model_fit(const struct koshu_model_point *points, size_t n, double launch,
                struct koshu_time_model *model)
{
    *model = (struct koshu_time_model){.launch = launch};
    KOSHU_TRY(list_kernels(points, n, model));
    if (n == 0) return KOSHU_ERROR_INVALID_ARGUMENT;
    struct koshu_fit_point *scratch = calloc(n, sizeof *scratch);
    if (!scratch) return KOSHU_ERROR_OUT_OF_MEMORY;
    koshu_status status = KOSHU_OK;
    for (size_t k = 0; status == KOSHU_OK && k < model->n_kernels; k++)
        status = fit_kernel(points, n, launch, &model->kernels[k], scratch);
    free(scratch);
    if (status != KOSHU_OK) return status;
    for (size_t k = 0; k < n; k++) {
        double t = koshu_model_predict(model, &points[k].shape);
        model->largest = fmax(model->largest, fabs(t / points[k].seconds - 1));
    }
    return KOSHU_OK;
}
