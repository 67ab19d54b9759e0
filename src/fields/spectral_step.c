/* SPDX-License-Identifier: MIT */
/* A step of the spectral method: four stages of Runge and Kutta. */
#include <math.h>

#include "base/base.h"
#include "fields/spectral_work.h"

/* A single value that is not finite spoils all waves, so one number
 * suffices. */
static koshu_status
check_finite(const struct koshu_spectral *s, double number)
{
    if (isfinite(number)) return KOSHU_OK;
    return koshu_fail(s->context, KOSHU_ERROR_NOT_FINITE,
                      "the velocity is no longer finite: a smaller "
                      "integrator.dt may help");
}

/* The factors of half a step: decay by viscosity, and gain by forcing, which
 * adds its power times dt. */
static koshu_status
set_factors(struct koshu_spectral *s, double dt)
{
    const double nu = s->options.viscosity, power = s->options.forcing_power;
    double energy = 0;
    for (size_t i = 0; i < s->m; i++)
        s->decay[i] = exp(-nu * s->frequency[i] * s->frequency[i] * dt / 2);
    s->gain = 1;
    s->dt = dt;
    if (!(power > 0)) return KOSHU_OK;
    KOSHU_TRY(koshu_spectral_low_energy(s, &energy));
    if (energy > 0) s->gain = pow(1 + power * dt / energy, 0.25);
    return KOSHU_OK;
}

static koshu_status
make_stage(struct koshu_spectral *s, enum spectral_stage stage, bool *fine)
{
    *fine = koshu_spectral_planes(s, false) && *fine;
    KOSHU_TRY(koshu_spectral_exchange(s, koshu_spectral_fields_back(s)));
    *fine = koshu_spectral_columns(s, stage) && *fine;
    return koshu_spectral_exchange(s, SPECTRAL_MIXED);
}

static koshu_status
make_stages(struct koshu_spectral *s)
{
    bool fine = true;
    for (enum spectral_stage stage = SPECTRAL_FIRST; stage <= SPECTRAL_FOURTH;
         stage++)
        KOSHU_TRY(make_stage(s, stage, &fine));
    koshu_status status = koshu_spectral_status(s, fine);
    if (status == KOSHU_OK)
        status = check_finite(s, koshu_spectral_at(s, 2 * s->k + 2));
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    if (s->options.forcing_power == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_spectral_make_real(s));
    return koshu_spectral_ready(s);
}

koshu_status
koshu_spectral_step(struct koshu_spectral *s, double dt)
{
    double probe;
    KOSHU_TRY(set_factors(s, dt));
    if (!s->engine) return make_stages(s);
    KOSHU_TRY(koshu_spectral_engine_step(s, &probe));
    return check_finite(s, probe);
}
