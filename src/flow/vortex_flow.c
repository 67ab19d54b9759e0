/* SPDX-License-Identifier: MIT */
/* Flows by vortex particles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "flow/vortex_flow.h"

/* ---- life
 * ---------------------------------------------------------------------- */

static void
destroy(void *state)
{
    struct vortex_flow *s = state;
    if (!s) return;
    koshu_vortices_destroy(s->vortices);
    koshu_vortex_solver_destroy(s->solver);
    if (s->filter) s->filter->destroy(s->filter);
    free(s);
}

/* Of the cores by which particles move. */
static unsigned
order_of(const struct koshu_flow_values *v, double box)
{
    if (v->core_order > 0) return (unsigned)v->core_order;
    return box > 0 ? 12 : 2;
}

/* Of a higher order they leave more of the waves beyond the lattice's, whose
 * aliases each remeshing adds up. */
static void
warn_of_overlap(const struct koshu_flow *flow, const struct vortex_flow *s)
{
    const double overlap = flow->values->flow.overlap;
    const unsigned order = s->vortices->order;
    const bool suffices = order < 10 || overlap >= 0.95;
    if (suffices || !koshu_is_first_rank(flow->context)) return;
    koshu_log(flow->context, KOSHU_LOG_LEVEL_WARNING,
              "flow.overlap = %g is little for cores of order %u: short waves "
              "grow; take 1, or flow.core_order: 8",
              overlap, order);
}

static koshu_status
equip(struct koshu_flow *flow, struct vortex_flow *s)
{
    const struct koshu_flow_values *v = &flow->values->flow;
    const double box = flow->box;
    const struct koshu_vortex_options options = {.precision = v->precision,
                                                 .tolerance = v->tolerance,
                                                 .reach = v->reach,
                                                 .box = box};
    s->context = flow->context;
    s->values = v;
    s->rules = v->vortex;
    s->rules.viscosity = flow->viscosity;
    s->remeshing = v->remesh;
    s->remeshing.context = flow->context;
    s->remeshing.spacing = box > 0 ? box / (double)v->n : v->spacing;
    s->remeshing.core = v->overlap * s->remeshing.spacing;
    KOSHU_TRY(koshu_vortices_create(flow->context, 1, &s->vortices));
    s->vortices->box = box;
    s->vortices->order = order_of(v, box);
    s->vortices->new_core = s->remeshing.core;
    KOSHU_TRY(koshu_vortex_solver_create(flow->context, &options, &s->solver));
    s->remeshing.solver = s->solver;
    return KOSHU_OK;
}

/* What remeshing fits by, in a box. */
static koshu_status
equip_fit(struct koshu_flow *flow, struct vortex_flow *s)
{
    if (!flow->fields || !(flow->box > 0)) return KOSHU_OK;
    KOSHU_TRY(flow->fields->filter(flow->context, (size_t)flow->values->flow.n,
                                   &s->filter));
    s->remeshing.filter = s->filter;
    return KOSHU_OK;
}

/* Whatever the kernel is later: the rings' Gaussians are wider than those of
 * the particles. */
static koshu_status
begin_rings(struct koshu_flow *flow, struct vortex_flow *s)
{
    struct koshu_vortex_rings rings = flow->values->flow.rings;
    struct koshu_vortex_remeshing first = s->remeshing;
    const double box = s->vortices->box;
    first.kernel = KOSHU_VORTEX_KERNEL_RADIAL_BASIS;
    first.solenoidal = false;
    first.solver = NULL;
    first.order = s->vortices->order;
    rings.centre = box / 2;
    if (rings.core < first.core)
        return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                          "flow.rings.core: %g is smaller than the core radius "
                          "of the particles, %g: make flow.spacing smaller, or "
                          "flow.n larger",
                          rings.core, first.core);
    KOSHU_TRY(koshu_vortex_make_rings(&rings, s->vortices));
    return koshu_vortex_remesh(&first, s->vortices, &s->fit);
}

static koshu_status
create(struct koshu_flow *flow, void **state)
{
    struct vortex_flow *s = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(flow->context, sizeof *s, "a flow");
    *state = s;
    KOSHU_TRY(equip(flow, s));
    warn_of_overlap(flow, s);
    KOSHU_TRY(equip_fit(flow, s));
    if (flow->values->flow.initial == KOSHU_FLOW_INITIAL_RINGS)
        return begin_rings(flow, s);
    return koshu_vortex_begin_field(flow, &s->remeshing, s->vortices, &s->fit);
}

/* ---- steps
 * ----------------------------------------------------------------------
 */

/* A step is made in parts, of a sixteenth at least. */
enum { HALVINGS = 4, WHOLE = 1 << HALVINGS };

/* From `done` sixteenths on: so many that the next begin at multiples of their
 * length. */
static koshu_status
step_part(struct vortex_flow *s, double dt, unsigned *done)
{
    struct koshu_vortex_flow rules = s->rules;
    rules.halvings = HALVINGS;
    for (unsigned parts = WHOLE; *done % parts != 0; parts /= 2)
        rules.halvings--;
    KOSHU_TRY(koshu_vortex_step(s->solver, &rules,
                                dt / (1 << (HALVINGS - rules.halvings)),
                                s->vortices));
    s->last_step = s->vortices->last_step;
    *done += (unsigned)lround(s->last_step / dt * WHOLE);
    return KOSHU_OK;
}

/* After each part where it is after each step. */
static koshu_status
step(void *state, double dt)
{
    struct vortex_flow *s = state;
    const uint64_t every = s->values->remesh_steps,
                   steps = s->vortices->steps + 1;
    unsigned done = 0;
    while (done < WHOLE) {
        KOSHU_TRY(step_part(s, dt, &done));
        s->vortices->steps = steps;
        if (every == 1 || (every > 0 && done == WHOLE && steps % every == 0))
            KOSHU_TRY(koshu_vortex_remesh(&s->remeshing, s->vortices, &s->fit));
    }
    return KOSHU_OK;
}

/* ---- what a run asks for ---------------------------------------------------
 */

static void
describe(void *state, size_t size, char *text)
{
    const struct vortex_flow *s = state;
    snprintf(text, size, "%zu vortex particles, core radius %g", s->vortices->n,
             s->vortices->core);
}

/* By the fast multipole method; u: NULL where another rank gets it. */
static koshu_status
velocity(void *state, size_t n, double *u)
{
    struct vortex_flow *s = state;
    const size_t n3 = n * n * n;
    const double h = s->vortices->box / (double)n;
    double *const at = koshu_alloc(6 * n3, sizeof *at);
    if (!at) return koshu_fail_memory(s->context, 48 * n3, "a mesh");
    for (size_t p = 0; p < n3; p++) {
        at[p] = h * (double)(p / n / n);
        at[n3 + p] = h * (double)(p / n % n);
        at[2 * n3 + p] = h * (double)(p % n);
    }
    const koshu_status status = koshu_vortex_velocities(
            s->solver, s->vortices, n3, at, at + 3 * n3, NULL);
    if (status == KOSHU_OK && u) memcpy(u, at + 3 * n3, 3 * n3 * sizeof *u);
    koshu_free(at);
    return status;
}

static double
points(const void *state)
{
    return (double)((const struct vortex_flow *)state)->vortices->n;
}

/* Bytes of a particle: of the state, rates, a step, sums over cells;
 * at most: 1278 of 32^3 particles, 976 of 64^3. */
enum { BYTES = 1300 };

static double
bytes(const void *state)
{
    return BYTES * points(state);
}

/* ---- files
 * -----------------------------------------------------------------------
 */

static void
name_numbers(struct koshu_flow_file *file, const struct vortex_flow *s)
{
    const struct koshu_vortices *v = s->vortices;
    snprintf(file->kind, sizeof file->kind, "vortex");
    file->box = v->box;
    koshu_flow_file_add_number(file, "Core", v->core);
    koshu_flow_file_add_number(file, "Spacing", v->spacing);
    koshu_flow_file_add_number(file, "Residual", s->fit.residual);
    koshu_flow_file_add_number(file, "HasRate", v->has_rate);
    koshu_flow_file_add_number(file, "LastStep", v->last_step);
}

static koshu_status
keep(void *state, struct koshu_flow_file *file)
{
    struct vortex_flow *s = state;
    struct koshu_vortices *v = s->vortices;
    name_numbers(file, s);
    koshu_flow_file_add_array(file, "State", v->n, KOSHU_VORTEX_STATE,
                              v->state);
    koshu_flow_file_add_array(file, "Rates", v->n, KOSHU_VORTEX_STATE, v->rate);
    return KOSHU_OK;
}

static void
take_numbers(struct vortex_flow *s, const struct koshu_flow_file *file)
{
    struct koshu_vortices *v = s->vortices;
    v->core = file->number[0].value;
    v->spacing = file->number[1].value;
    s->fit.residual = file->number[2].value;
    v->has_rate = file->number[3].value != 0;
    v->last_step = file->number[4].value;
    v->time = file->time;
    v->steps = file->step;
}

static koshu_status
take(struct vortex_flow *s, const struct koshu_flow_file *file)
{
    struct koshu_vortices *v = s->vortices;
    const size_t n = file->array[0].dims[0], bytes = n * KOSHU_VORTEX_STATE * 8;
    if (file->array[1].dims[0] != n)
        return koshu_fail(s->context, KOSHU_ERROR_BAD_FORMAT,
                          "a checkpoint of %zu vortex particles has rates of "
                          "%zu",
                          n, file->array[1].dims[0]);
    KOSHU_TRY(koshu_vortices_renew(v, n));
    memcpy(v->state, file->array[0].data, bytes);
    memcpy(v->rate, file->array[1].data, bytes);
    take_numbers(s, file);
    return KOSHU_OK;
}

static koshu_status
resume(struct koshu_flow *flow, const char *path, void **state)
{
    struct koshu_flow_file file = {.is_checkpoint = true};
    struct vortex_flow *s = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(flow->context, sizeof *s, "a flow");
    *state = s;
    KOSHU_TRY(equip(flow, s));
    KOSHU_TRY(equip_fit(flow, s));
    koshu_status status = keep(s, &file);
    if (status == KOSHU_OK)
        status = koshu_flow_file_read(flow->context, path, &file);
    if (status == KOSHU_OK) status = take(s, &file);
    koshu_flow_file_free(&file);
    return status;
}

static koshu_status
take_snapshot(struct vortex_flow *s, const struct koshu_flow_file *file)
{
    struct koshu_vortices *v = s->vortices;
    const size_t n = file->array[0].dims[0];
    if (file->array[1].dims[0] != n)
        return koshu_fail(s->context, KOSHU_ERROR_BAD_FORMAT,
                          "a snapshot of %zu vortex particles has strengths of "
                          "%zu",
                          n, file->array[1].dims[0]);
    KOSHU_TRY(koshu_vortices_renew(v, n));
    memcpy(v->state, file->array[0].data, 24 * n);
    memcpy(koshu_vortices_strength(v, 0), file->array[1].data, 24 * n);
    take_numbers(s, file);
    v->has_rate = false;
    return KOSHU_OK;
}

static koshu_status
load(struct koshu_flow *flow, const char *path, void **state)
{
    struct koshu_flow_file file = {.is_checkpoint = false};
    struct vortex_flow *s = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(flow->context, sizeof *s, "a flow");
    *state = s;
    KOSHU_TRY(equip(flow, s));
    name_numbers(&file, s);
    koshu_flow_file_add_array(&file, "Coordinates", 0, 3, NULL);
    koshu_flow_file_add_array(&file, "Strengths", 0, 3, NULL);
    koshu_status status = koshu_flow_file_read(flow->context, path, &file);
    if (status == KOSHU_OK) status = take_snapshot(s, &file);
    koshu_flow_file_free(&file);
    return status;
}

/* A copy of columns of the state, or zeros. */
static koshu_status
add_columns(struct vortex_flow *s, struct koshu_flow_file *file,
            const char *name, const double *from)
{
    const size_t n = s->vortices->n;
    double *data = koshu_alloc(3 * n, sizeof *data);
    if (!data) return koshu_fail_memory(s->context, 24 * n, "a snapshot");
    if (from) memcpy(data, from, 3 * n * sizeof *data);
    koshu_flow_file_add_array(file, name, n, 3, data);
    return KOSHU_OK;
}

/* In a box the vorticity is the curl of the velocity, as in energy.csv: a sum
 * of cores takes the host far longer than all else. */
static koshu_status
find_fields(struct vortex_flow *s, double *velocity, double *vorticity)
{
    struct koshu_vortices *v = s->vortices;
    const size_t n = v->n;
    double *gradient = NULL;
    if (v->box > 0) {
        gradient = koshu_vortex_solver_work(s->solver, 9 * n);
        if (!gradient)
            return koshu_fail_memory(s->context, 72 * n, "a snapshot");
    }
    KOSHU_TRY(
            koshu_vortex_velocities(s->solver, v, n, NULL, velocity, gradient));
    if (!gradient) return koshu_vortex_vorticity(v, n, v->state, vorticity);
    koshu_vortex_curls(s->context, n, gradient, vorticity);
    return KOSHU_OK;
}

static koshu_status
snapshot(void *state, struct koshu_flow_file *file)
{
    struct vortex_flow *s = state;
    struct koshu_vortices *v = s->vortices;
    name_numbers(file, s);
    KOSHU_TRY(add_columns(s, file, "Coordinates", v->state));
    KOSHU_TRY(add_columns(s, file, "Strengths", koshu_vortices_strength(v, 0)));
    KOSHU_TRY(add_columns(s, file, "Velocities", NULL));
    KOSHU_TRY(add_columns(s, file, "Vorticities", NULL));
    return find_fields(s, file->array[2].data, file->array[3].data);
}

const struct koshu_flow_ops koshu_vortex_flow = {
        .log_header = koshu_vortex_log_header,
        .create = create,
        .destroy = destroy,
        .step = step,
        .log = koshu_vortex_write_log,
        .describe = describe,
        .velocity = velocity,
        .points = points,
        .bytes = bytes,
        .keep = keep,
        .resume = resume,
        .load = load,
        .snapshot = snapshot};
