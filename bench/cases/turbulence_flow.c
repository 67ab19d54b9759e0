/* SPDX-License-Identifier: MIT */
/* Decaying turbulence, by one method. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/run.h"
#include "bench/cases/turbulence.h"

/* As in examples/turbulence.yaml, with longer steps. */
static const char *const flow[] = {
        "flow.initial=turbulence",     "flow.turbulence.wave_number=2",
        "flow.turbulence.reynolds=10", "flow.reach=5",
        "flow.tolerance=1e-3",         "flow.remesh.steps=1",
        "integrator.dt=0.1",           "integrator.end=1"}; /* not used */
enum { SETTINGS = sizeof flow / sizeof flow[0] };

/* Rows per turnover time. */
static const double rows_of_time = 2;

/* ---- parameters --------------------------------------------------------- */

static koshu_status
set(struct koshu_parameters *p, const char *setting)
{
    char key[128];
    const size_t n = strcspn(setting, "=");
    snprintf(key, sizeof key, "%.*s", (int)n, setting);
    return koshu_parameters_set(p, key, setting + n + 1);
}

static koshu_status
set_all(const struct turbulence_options *o, const char *method,
        const char *initial, struct koshu_parameters *p)
{
    char points[32];
    snprintf(points, sizeof points, "%zu", o->points);
    for (size_t k = 0; k < SETTINGS; k++) KOSHU_TRY(set(p, flow[k]));
    KOSHU_TRY(koshu_parameters_set(p, "flow.n", points));
    if (initial) KOSHU_TRY(koshu_parameters_set(p, "flow.initial", initial));
    for (size_t k = 0; k < o->settings.n; k++)
        KOSHU_TRY(set(p, o->settings.word[k]));
    return koshu_parameters_set(p, "flow.method", method);
}

koshu_status
turbulence_prepare(struct bench *b, const char *method, const char *initial,
                   struct koshu_flow **f)
{
    struct koshu_parameters *p = NULL;
    koshu_status status = koshu_parameters_create(b->context, &p);
    if (status == KOSHU_OK) status = set_all(b->own, method, initial, p);
    if (status == KOSHU_OK)
        status = koshu_flow_prepare(b->context, p, flow_fields(), f);
    koshu_parameters_destroy(p);
    return status;
}

/* ---- the run ------------------------------------------------------------ */

static koshu_status
add_row(struct koshu_flow *f, double time, struct turbulence_run *r)
{
    const size_t n3 = r->n * r->n * r->n;
    struct koshu_sum square = {0};
    KOSHU_TRY(f->ops->velocity(f->state, r->n, r->velocity));
    for (size_t k = 0; k < 3 * n3; k++)
        koshu_sum_add(&square, r->velocity[k] * r->velocity[k]);
    r->time[r->rows] = time;
    r->energy[r->rows++] = koshu_sum_value(square) / (2 * (double)n3);
    return KOSHU_OK;
}

/* Makes steps of equal length, no longer than integrator.dt. */
static koshu_status
go(struct koshu_flow *f, double interval, struct turbulence_run *r)
{
    const double steps = ceil(interval / f->values->integrator.dt),
                 began = koshu_now();
    for (double k = 0; k < steps; k++)
        KOSHU_TRY(f->ops->step(f->state, interval / steps));
    r->seconds += koshu_now() - began;
    r->steps += (size_t)steps;
    return KOSHU_OK;
}

static koshu_status
decay(struct koshu_flow *f, double turnovers, struct turbulence_run *r)
{
    const double rows = ceil(turnovers * rows_of_time), part = turnovers / rows;
    KOSHU_TRY(f->ops->create(f, &f->state));
    KOSHU_TRY(add_row(f, 0, r));
    for (double k = 1; k <= rows; k++) {
        KOSHU_TRY(go(f, part * r->turnover, r));
        KOSHU_TRY(add_row(f, k * part, r));
    }
    return KOSHU_OK;
}

static koshu_status
allocate(struct bench *b, struct turbulence_run *r)
{
    const size_t n3 = r->n * r->n * r->n;
    r->velocity = koshu_alloc(3 * n3, sizeof(double));
    r->invariant = koshu_alloc(n3, sizeof(double));
    if (r->velocity && r->invariant) return KOSHU_OK;
    return koshu_fail_memory(b->context, 32 * n3, "a flow");
}

static void
describe(const struct koshu_flow *f, struct turbulence_run *r)
{
    r->n = f->values->flow.n;
    r->box = f->box;
    r->turnover = f->turbulence.turnover;
    r->reynolds = f->turbulence.reynolds;
    r->resolution = f->turbulence.resolution;
}

/* Checks the flow: without turbulence there is no turnover time. */
static koshu_status
check(struct bench *b, const struct koshu_flow *f)
{
    if (f->turbulence.turnover > 0) return KOSHU_OK;
    return koshu_fail(b->context, KOSHU_ERROR_BAD_INPUT,
                      "--set: this benchmark is of flow.initial: turbulence");
}

static koshu_status
make(struct bench *b, struct koshu_flow *f, struct turbulence_run *r)
{
    const struct turbulence_options *o = b->own;
    KOSHU_TRY(check(b, f));
    describe(f, r);
    KOSHU_TRY(allocate(b, r));
    KOSHU_TRY(decay(f, o->turnovers, r));
    KOSHU_TRY(f->fields->spectrum(b->context, r->n, r->box, r->velocity,
                                  &r->spectrum));
    return f->fields->invariant(b->context, r->n, r->box, r->velocity,
                                r->invariant);
}

koshu_status
turbulence_run_make(struct bench *b, const char *method,
                    struct turbulence_run *run)
{
    struct koshu_flow *f = NULL;
    *run = (struct turbulence_run){.name = method};
    koshu_status status = turbulence_prepare(b, method, NULL, &f);
    if (status == KOSHU_OK) status = make(b, f, run);
    koshu_flow_destroy(f);
    return status;
}

void
turbulence_run_free(struct turbulence_run *run)
{
    koshu_free(run->velocity);
    koshu_free(run->invariant);
    koshu_free(run->spectrum.energy);
}
