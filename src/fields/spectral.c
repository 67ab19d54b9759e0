/* SPDX-License-Identifier: MIT */
/* The spectral solver for flows: creation, memory and time steps. */
#include "fields/spectral.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fields/spectral_work.h"

static const double two_pi = 6.28318530717958647692;

/* ---- sizes -------------------------------------------------------------- */

static size_t
mesh_of(const struct koshu_spectral_options *o)
{
    return o->dealiasing == KOSHU_DEALIASING_TWO_THIRDS ? o->n
                                                        : (3 * o->n + 1) / 2;
}

/* The number of waves along half an axis, including zero. */
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

/* The numbers of waves of a component, and of a mixed field. */
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

/* The scheme reads the state in three of its four stages and writes it in one;
 * it writes its sum in three and reads it in three. */
double
koshu_spectral_traffic(const struct koshu_spectral_options *o)
{
    return number_bytes(o) * (3 * (3 + 1 + 3 + 3) * state_waves(o) +
                              4 * 2 * (3 + SPECTRAL_MIXED) * mixed_waves(o));
}

/* ---- life --------------------------------------------------------------- */

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
                          "a spectral method needs a box above 0, and "
                          "viscosity and forcing of 0 or more");
    if (koshu_context_ranks(context) > KOSHU_SPECTRAL_RANKS)
        return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                          "a spectral method runs on at most %d ranks, not %d",
                          KOSHU_SPECTRAL_RANKS, koshu_context_ranks(context));
    if (o->precision != KOSHU_PRECISION_MIXED) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "a spectral method works in single or double precision");
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

/* Allocates what is needed wherever the waves are kept. */
static koshu_status
make_state(struct koshu_spectral *s)
{
    const size_t rows = s->planes > s->slabs ? s->planes : s->slabs;
    s->state =
            koshu_alloc(3 * s->slabs * s->m * s->k, koshu_spectral_bytes_of(s));
    s->frequency = koshu_alloc(2 * s->m, sizeof *s->frequency);
    s->slab = koshu_alloc(s->ranks * rows, sizeof *s->slab);
    s->own = s->ranks > 1 ? koshu_alloc(rows, sizeof *s->own) : s->slab;
    if (!s->state || !s->frequency || !s->slab || !s->own)
        return koshu_fail_memory(s->context,
                                 (size_t)koshu_spectral_bytes(&s->options),
                                 "a spectral method");
    s->decay = s->frequency + s->m;
    for (size_t i = 0; i < s->m; i++)
        s->frequency[i] =
                two_pi / s->options.box * (double)koshu_mesh_frequency(s->m, i);
    return KOSHU_OK;
}

static koshu_status
make_arrays(struct koshu_spectral *s)
{
    const size_t bytes = koshu_spectral_bytes_of(s),
                 state = 3 * s->slabs * s->m * s->k;
    s->buffer_bytes = SPECTRAL_PLANE * (s->mesh * s->row + 2 * s->line) * bytes;
    const size_t mixed = s->ranks * s->planes * s->slabs * s->k;
    s->sum = koshu_alloc(state, bytes);
    s->mixed = koshu_alloc(SPECTRAL_MIXED * mixed, bytes);
    s->outgoing = s->ranks > 1 ? koshu_alloc(SPECTRAL_MIXED * mixed, bytes)
                               : s->mixed;
    s->buffer = koshu_alloc((size_t)s->threads, s->buffer_bytes);
    if (s->sum && s->mixed && s->outgoing && s->buffer) return KOSHU_OK;
    return koshu_fail_memory(s->context,
                             (size_t)koshu_spectral_bytes(&s->options),
                             "a spectral method");
}

/* Allocates what steps need: the backend's engine, or the host's buffers. */
static koshu_status
make_passes(struct koshu_spectral *s)
{
    KOSHU_TRY(koshu_spectral_engine_open(s));
    if (s->engine) return KOSHU_OK;
    KOSHU_TRY(make_transforms(s));
    return make_arrays(s);
}

/* Divides n among ranks, `part` each; returns this rank's range. */
static void
divide(size_t n, size_t part, size_t rank, size_t *first, size_t *count)
{
    const size_t end = (rank + 1) * part < n ? (rank + 1) * part : n;
    *first = rank * part < n ? rank * part : n;
    *count = end - *first;
}

static void
distribute(struct koshu_spectral *s)
{
    const size_t rank = (size_t)koshu_context_rank(s->context);
    s->ranks = (size_t)koshu_context_ranks(s->context);
    s->planes = (s->mesh + s->ranks - 1) / s->ranks;
    s->slabs = (s->m + s->ranks - 1) / s->ranks;
    divide(s->mesh, s->planes, rank, &s->first_plane, &s->n_planes);
    divide(s->m, s->slabs, rank, &s->first_slab, &s->n_slabs);
}

/* With several ranks each has its part, and mixed waves twice. */
static koshu_status
check_memory(struct koshu_context *context,
             const struct koshu_spectral_options *o)
{
    const double ranks = koshu_context_ranks(context);
    double bytes = koshu_spectral_bytes(o) / ranks;
    if (ranks > 1)
        bytes += number_bytes(o) * SPECTRAL_MIXED * mixed_waves(o) / ranks;
    return koshu_ranks_collective_status(
            context,
            koshu_require_memory(context, (size_t)bytes, "a spectral method",
                                 "take a smaller n"));
}

koshu_status
koshu_spectral_create(struct koshu_context *context,
                      const struct koshu_spectral_options *options,
                      struct koshu_spectral **spectral)
{
    *spectral = NULL;
    KOSHU_TRY(check_options(context, options));
    KOSHU_TRY(check_memory(context, options));
    struct koshu_spectral *s = koshu_alloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(context, sizeof *s, "a spectral method");
    *s = (struct koshu_spectral){.context = context,
                                 .options = *options,
                                 .k = waves_of(options),
                                 .m = 2 * waves_of(options) - 1,
                                 .mesh = mesh_of(options),
                                 .gain = 1};
    s->threads = koshu_region_threads(context, s->mesh > 16);
    distribute(s);
    koshu_status status = make_state(s);
    if (status == KOSHU_OK) status = make_passes(s);
    status = koshu_ranks_collective_status(context, status);
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
    koshu_spectral_engine_close(s);
    koshu_transform_engine_destroy(s->columns);
    koshu_transform_engine_destroy(s->to_points);
    koshu_transform_engine_destroy(s->to_waves);
    koshu_free(s->state);
    koshu_free(s->sum);
    if (s->outgoing != s->mixed) koshu_free(s->outgoing);
    koshu_free(s->mixed);
    koshu_free(s->buffer);
    koshu_free(s->frequency);
    if (s->own != s->slab) koshu_free(s->own);
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
