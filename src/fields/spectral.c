/* SPDX-License-Identifier: MIT */
#include "fields/spectral.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fields/spectral_work.h"

static const double two_pi = 6.28318530717958647692;

/* ---- sizes -----------------------------------------------------------------
 */

static size_t
mesh_of(const struct koshu_spectral_options *o)
{
    return o->dealiasing == KOSHU_DEALIASING_TWO_THIRDS ? o->n
                                                        : (3 * o->n + 1) / 2;
}

/* Waves along half an axis, zero among them. */
static size_t
waves_of(const struct koshu_spectral_options *o)
{
    return o->dealiasing == KOSHU_DEALIASING_TWO_THIRDS ? (o->n - 1) / 3 + 1
                                                        : (o->n + 1) / 2;
}

static double
number_bytes(const struct koshu_spectral_options *o)
{
    return o->precision == KOSHU_PRECISION_DOUBLE ? 16 : 8;
}

/* Waves of a component, and those of a mixed field. */
static double
state_waves(const struct koshu_spectral_options *o)
{
    const double k = (double)waves_of(o), m = 2 * k - 1;
    return k * m * m;
}

static double
mixed_waves(const struct koshu_spectral_options *o)
{
    const double k = (double)waves_of(o), m = 2 * k - 1;
    return k * m * (double)mesh_of(o);
}

double
koshu_spectral_bytes(const struct koshu_spectral_options *o)
{
    return number_bytes(o) *
           (6 * state_waves(o) + SPECTRAL_MIXED * mixed_waves(o));
}

/* The scheme reads the state in three stages of four and writes it in one; its
 * sum is written in three and read in three. */
double
koshu_spectral_traffic(const struct koshu_spectral_options *o)
{
    return number_bytes(o) * (3 * (3 + 1 + 3 + 3) * state_waves(o) +
                              4 * 2 * (3 + SPECTRAL_MIXED) * mixed_waves(o));
}

/* ---- life ------------------------------------------------------------------
 */

static koshu_status
check_options(struct koshu_context *context,
              const struct koshu_spectral_options *o)
{
    if (o->n < 4 || o->n > 2 * KOSHU_SPECTRAL_MAX)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a spectral method has 4 to %d points along an edge, "
                          "not %zu",
                          2 * KOSHU_SPECTRAL_MAX, o->n);
    if (!(o->box > 0) || !isfinite(o->box) || !(o->viscosity >= 0) ||
        !(o->forcing_power >= 0))
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "a spectral method has a box above 0, and viscosity "
                          "and forcing of 0 or more");
    if (o->precision != KOSHU_PRECISION_MIXED) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "a spectral method is in single or double precision");
}

static koshu_status
make_transforms(struct koshu_spectral *s)
{
    const bool in_double = s->options.precision == KOSHU_PRECISION_DOUBLE;
    const struct koshu_mesh columns = {{s->mesh, 1, 2 * s->k - 2}, {1, 1, 1}},
                            to_points = {{1, SPECTRAL_PLANE, s->mesh},
                                         {1, 1, 1}},
                            to_waves = {{1, 3, s->mesh}, {1, 1, 1}};
    s->row = koshu_mesh_row(&columns);
    s->line = koshu_mesh_row(&to_points);
    KOSHU_TRY(koshu_transform_engine_create(s->context, &columns, in_double,
                                            &s->columns));
    KOSHU_TRY(koshu_transform_engine_create(s->context, &to_points, in_double,
                                            &s->to_points));
    return koshu_transform_engine_create(s->context, &to_waves, in_double,
                                         &s->to_waves);
}

static koshu_status
make_arrays(struct koshu_spectral *s)
{
    const size_t bytes = koshu_spectral_bytes_of(s), plane = s->m * s->k,
                 state = 3 * s->m * plane;
    s->buffer_bytes = SPECTRAL_PLANE * (s->mesh * s->row + 2 * s->line) * bytes;
    s->state = koshu_alloc(state, bytes);
    s->sum = koshu_alloc(state, bytes);
    s->mixed = koshu_alloc(s->mesh * SPECTRAL_MIXED * plane, bytes);
    s->buffer = koshu_alloc((size_t)s->threads, s->buffer_bytes);
    s->frequency = koshu_alloc(2 * s->m, sizeof *s->frequency);
    s->slab = koshu_alloc(s->mesh, sizeof *s->slab);
    if (!s->state || !s->sum || !s->mixed || !s->buffer || !s->frequency ||
        !s->slab)
        return koshu_fail_memory(s->context,
                                 (size_t)koshu_spectral_bytes(&s->options),
                                 "a spectral method");
    s->decay = s->frequency + s->m;
    for (size_t i = 0; i < s->m; i++)
        s->frequency[i] =
                two_pi / s->options.box * (double)koshu_mesh_frequency(s->m, i);
    return KOSHU_OK;
}

koshu_status
koshu_spectral_create(struct koshu_context *context,
                      const struct koshu_spectral_options *options,
                      struct koshu_spectral **spectral)
{
    *spectral = NULL;
    KOSHU_TRY(check_options(context, options));
    KOSHU_TRY(koshu_require_memory(context,
                                   (size_t)koshu_spectral_bytes(options),
                                   "a spectral method", "take a smaller n"));
    struct koshu_spectral *s = koshu_alloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(context, sizeof *s, "a spectral method");
    *s = (struct koshu_spectral){.context = context,
                                 .options = *options,
                                 .k = waves_of(options),
                                 .m = 2 * waves_of(options) - 1,
                                 .mesh = mesh_of(options),
                                 .gain = 1};
    s->threads = koshu_region_threads(context, s->mesh > 16);
    koshu_status status = make_transforms(s);
    if (status == KOSHU_OK) status = make_arrays(s);
    if (status == KOSHU_OK)
        *spectral = s;
    else
        koshu_spectral_destroy(s);
    return status;
}

void
koshu_spectral_destroy(struct koshu_spectral *s)
{
    if (!s) return;
    koshu_transform_engine_destroy(s->columns);
    koshu_transform_engine_destroy(s->to_points);
    koshu_transform_engine_destroy(s->to_waves);
    koshu_free(s->state);
    koshu_free(s->sum);
    koshu_free(s->mixed);
    koshu_free(s->buffer);
    koshu_free(s->frequency);
    koshu_free(s->slab);
    koshu_free(s);
}

long
koshu_spectral_largest(const struct koshu_spectral *s)
{
    return (long)s->k - 1;
}

size_t
koshu_spectral_mesh(const struct koshu_spectral *s)
{
    return s->mesh;
}

/* ---- steps -----------------------------------------------------------------
 */

static koshu_status
status_of(const struct koshu_spectral *s, bool fine)
{
    if (fine) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_OUT_OF_MEMORY,
                      "out of memory for the work space of a transform");
}

koshu_status
koshu_spectral_ready(struct koshu_spectral *s)
{
    return status_of(s, koshu_spectral_columns(s, SPECTRAL_PREPARE));
}

/* What is not finite at one point spoils all waves. */
static koshu_status
check_finite(const struct koshu_spectral *s)
{
    const double first = koshu_spectral_at(s, 2 * s->k + 2);
    if (isfinite(first)) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_NOT_FINITE,
                      "the velocity is not finite any more: a smaller "
                      "integrator.dt may help");
}

/* Both factors of half a step: forcing adds its power times dt. */
static void
set_factors(struct koshu_spectral *s, double dt)
{
    const double nu = s->options.viscosity, power = s->options.forcing_power;
    for (size_t i = 0; i < s->m; i++)
        s->decay[i] = exp(-nu * s->frequency[i] * s->frequency[i] * dt / 2);
    s->gain = 1;
    s->dt = dt;
    if (!(power > 0)) return;
    const double energy = koshu_spectral_low_energy(s);
    if (energy > 0) s->gain = pow(1 + power * dt / energy, 0.25);
}

koshu_status
koshu_spectral_step(struct koshu_spectral *s, double dt)
{
    bool fine = true;
    set_factors(s, dt);
    for (enum spectral_stage stage = SPECTRAL_FIRST; stage <= SPECTRAL_FOURTH;
         stage++)
        fine = koshu_spectral_planes(s, false) &&
               koshu_spectral_columns(s, stage) && fine;
    KOSHU_TRY(status_of(s, fine));
    KOSHU_TRY(check_finite(s));
    if (s->options.forcing_power == 0) return KOSHU_OK;
    koshu_spectral_make_real(s);
    return koshu_spectral_ready(s);
}
