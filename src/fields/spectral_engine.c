/* SPDX-License-Identifier: MIT */
/* The solver when a backend keeps everything in its own memory; one rank only.
 * The host's copy of the state is what was last set or read. */
#include <math.h>
#include <string.h>

#include "backend/backend.h"
#include "base/base.h"
#include "fields/spectral_work.h"

static const double two_pi = 6.28318530717958647692;

static const struct koshu_spectral_ops *
ops_of(const struct koshu_spectral *s)
{
    return s->backend->ops->spectral;
}

static koshu_status
create(struct koshu_spectral *s)
{
    const struct koshu_spectral_sizes sizes = {
            .k = s->k,
            .m = s->m,
            .mesh = s->mesh,
            .unit = two_pi / s->options.box,
            .in_double = s->options.precision == KOSHU_PRECISION_DOUBLE,
            .planes = s->options.planes};
    return ops_of(s)->create(s->backend, &sizes, &s->engine);
}

koshu_status
koshu_spectral_engine_open(struct koshu_spectral *s)
{
    const bool automatic =
            strcmp(koshu_context_backend(s->context), "auto") == 0;
    if (koshu_context_ranks(s->context) > 1) return KOSHU_OK;
    KOSHU_TRY(koshu_backend_of(s->context, &s->backend));
    if (!ops_of(s)) return KOSHU_OK;
    const koshu_status status = create(s);
    if (status != KOSHU_ERROR_EXTERNAL || !automatic) return status;
    koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
              "backend auto: the spectral method runs on the CPU: %s",
              koshu_context_message(s->context));
    return KOSHU_OK;
}

bool
koshu_spectral_on_device(const struct koshu_spectral *s)
{
    return s->engine != NULL;
}

void
koshu_spectral_engine_close(struct koshu_spectral *s)
{
    if (s->engine) ops_of(s)->destroy(s->engine);
}

koshu_status
koshu_spectral_engine_set(struct koshu_spectral *s)
{
    return ops_of(s)->set(s->engine, s->state);
}

koshu_status
koshu_spectral_engine_get(const struct koshu_spectral *s)
{
    return ops_of(s)->get(s->engine, s->state);
}

koshu_status
koshu_spectral_engine_step(struct koshu_spectral *s, double *probe)
{
    const struct koshu_spectral_factors factors = {
            .dt = s->dt,
            .decay = s->decay,
            .gain = s->gain,
            .edge = koshu_spectral_edge(s)};
    KOSHU_TRY(ops_of(s)->step(s->engine, &factors, probe));
    if (!isfinite(*probe) || s->options.forcing_power == 0) return KOSHU_OK;
    return ops_of(s)->make_real(s->engine);
}

koshu_status
koshu_spectral_engine_sums(const struct koshu_spectral *s)
{
    return ops_of(s)->sums(s->engine, koshu_spectral_edge(s), s->slab);
}

koshu_status
koshu_spectral_engine_maxima(struct koshu_spectral *s, double max[3])
{
    return ops_of(s)->maxima(s->engine, max);
}
