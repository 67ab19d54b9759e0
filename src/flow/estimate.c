/* SPDX-License-Identifier: MIT */
/* Estimates memory and time of a run by timing a coarser one. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "flow/flow.h"

/* Points along an edge that suffice for the timing. */
enum { SAMPLE = 32 };

/* Times the second of two steps: the first one also sets up work space. */
static koshu_status
measure(struct koshu_flow *f, double *seconds)
{
    const double dt = f->values->integrator.dt;
    KOSHU_TRY(f->ops->create(f, &f->state));
    KOSHU_TRY(f->ops->step(f->state, dt));
    const double began = koshu_now();
    KOSHU_TRY(f->ops->step(f->state, dt));
    *seconds = koshu_now() - began;
    return KOSHU_OK;
}

static double
array_bytes(const struct koshu_flow_file *file)
{
    double bytes = 0;
    for (size_t k = 0; k < file->n_arrays; k++)
        bytes += 8 * (double)file->array[k].columns *
                 (double)koshu_flow_array_points(&file->array[k]);
    return bytes;
}

static koshu_status
find_file_bytes(struct koshu_flow *f, double *snapshot, double *checkpoint)
{
    struct koshu_flow_file file = {.time = 0}, kept = {.time = 0};
    const koshu_status status = f->ops->snapshot(f->state, &file);
    *snapshot = array_bytes(&file);
    koshu_flow_file_free(&file);
    KOSHU_TRY(status);
    KOSHU_TRY(f->ops->keep(f->state, &kept));
    *checkpoint = array_bytes(&kept);
    return KOSHU_OK;
}

/* ---- the sample --------------------------------------------------------- */

/* Points along an edge for the timing: in free space as in the run; for
 * turbulence as many as its spectrum needs. */
static uint64_t
sample_of(const struct koshu_flow *f)
{
    const struct koshu_flow_values *v = &f->values->flow;
    const bool turbulent = v->initial == KOSHU_FLOW_INITIAL_TURBULENCE;
    const double need = turbulent ? 6 * v->turbulence.wave_number + 4 : SAMPLE;
    const uint64_t n = (uint64_t)fmax(SAMPLE, need);
    return f->box > 0 && v->n > n ? n : v->n;
}

static koshu_status
make_sample(const struct koshu_flow *f, struct koshu_flow **sample,
            double *scale)
{
    struct koshu_parameters *p;
    char text[32];
    const uint64_t n = sample_of(f);
    *scale = pow((double)f->values->flow.n / (double)n, 3);
    KOSHU_TRY(koshu_parameters_copy(f->context, f->parameters, &p));
    snprintf(text, sizeof text, "%llu", (unsigned long long)n);
    koshu_status status = koshu_parameters_set(p, "flow.n", text);
    if (status == KOSHU_OK)
        status = koshu_flow_prepare(f->context, p, f->fields, sample);
    koshu_parameters_destroy(p);
    return status;
}

/* ---- all ---------------------------------------------------------------- */

static uint64_t
whole(double x)
{
    return x < 0x1p63 ? (uint64_t)x : INT64_MAX;
}

/* Scales the timing with the volume. A step's extra logarithm is neglected. */
static koshu_status
estimate(const struct koshu_flow *f, struct koshu_estimate *e)
{
    struct koshu_flow *sample = NULL;
    double scale, step = 0, snapshot = 0, checkpoint = 0;
    koshu_status status = make_sample(f, &sample, &scale);
    if (status == KOSHU_OK) status = measure(sample, &step);
    if (status == KOSHU_OK)
        status = find_file_bytes(sample, &snapshot, &checkpoint);
    if (status == KOSHU_OK) {
        const double points = sample->ops->points(sample->state);
        e->n = whole(round(scale * points));
        e->bytes = whole(scale * sample->ops->bytes(sample->state));
        e->snapshot_bytes = whole(scale * snapshot);
        e->checkpoint_bytes = whole(scale * checkpoint);
        e->seconds = (double)e->steps * scale * step;
    }
    koshu_flow_destroy(sample);
    return status;
}

koshu_status
koshu_flow_estimate(struct koshu_context *context,
                    const struct koshu_parameters *parameters,
                    const struct koshu_flow_fields *fields,
                    struct koshu_estimate *e)
{
    struct koshu_flow *f = NULL;
    koshu_status status = koshu_flow_prepare(context, parameters, fields, &f);
    *e = (struct koshu_estimate){.size = sizeof *e};
    if (status == KOSHU_OK) {
        koshu_estimate_count(f->values, f->values->integrator.dt, e);
        status = estimate(f, e);
    }
    koshu_flow_destroy(f);
    return status;
}
