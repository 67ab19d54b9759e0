/* SPDX-License-Identifier: MIT */
/* The spectrum, scales and viscosity of the initial isotropic turbulence. */
#include "flow/turbulence.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"

static const double pi = 3.14159265358979323846;

/* The largest Re_lambda of Hamada09. */
static const double max_reynolds = 100;

static double
shape(double s, double peak)
{
    return pow(s, 4) * exp(-2 * s * s / (peak * peak));
}

/* The largest wave number of the grid, in units of 2 pi / box. */
static size_t
largest_of(const struct koshu_flow_values *v)
{
    return v->method == KOSHU_FLOW_METHOD_SPECTRAL &&
                           v->dealiasing == KOSHU_FLOW_DEALIASING_TWO_THIRDS
                   ? (v->n - 1) / 3
                   : (v->n + 1) / 2 - 1;
}

/* The number of waves in each shell, and the sum of their k^2. */
static void
count_waves(size_t shells, double *waves, double *square)
{
    const long m = (long)shells;
    for (long a = -m; a <= m; a++)
        for (long b = -m; b <= m; b++)
            for (long c = -m; c <= m; c++) {
                const double k2 = (double)(a * a + b * b + c * c);
                const size_t s = (size_t)lround(sqrt(k2));
                if (s >= shells) continue;
                waves[s] += 1;
                square[s] += k2;
            }
}

/* The energy of each wave from E(s), and sums over the shells. */
static void
find_energies(const struct koshu_turbulence_values *v,
              struct koshu_turbulence *t, double *waves, double *squares)
{
    const double unit = 2 * pi / t->box, all = 3 * v->speed * v->speed / 2;
    double total = 0, inverse = 0;
    for (size_t s = 1; s < 8 * (size_t)ceil(v->wave_number) + 8; s++)
        total += shape((double)s, v->wave_number);
    count_waves(t->shells, waves, squares);
    for (size_t s = 1; s < t->shells; s++) {
        const double e = all * shape((double)s, v->wave_number) / total;
        t->square[s] = 2 * e / waves[s];
        t->energy += e;
        t->enstrophy += e * unit * unit * squares[s] / waves[s];
        inverse += e / (unit * (double)s);
    }
    t->speed = sqrt(2 * t->energy / 3);
    t->length = pi / (2 * t->speed * t->speed) * inverse;
    t->turnover = t->length / t->speed;
}

/* ---- viscosity ---------------------------------------------------------- */

/* Re_lambda = u' lambda / nu, lambda^2 = 15 nu u'^2 / (2 nu enstrophy). */
static double
reynolds_of(const struct koshu_turbulence *t, double nu)
{
    return t->speed * t->speed * sqrt(7.5 / t->enstrophy) / nu;
}

/* k_max eta at the largest dissipation of the decay: where nu is small,
 * dissipation grows to about u'^3 / L before it falls. */
static double
resolution_of(const struct koshu_turbulence *t, double nu)
{
    const double cascade = 0.6 * pow(t->speed, 3) / t->length,
                 dissipation = 2 * nu * t->enstrophy + cascade,
                 k = 2 * pi / t->box * (double)t->largest;
    return k * pow(nu * nu * nu / dissipation, 0.25);
}

/* By bisection, as resolution grows with viscosity. */
static double
resolved_viscosity(const struct koshu_turbulence *t)
{
    double low = 1e-12 * t->speed * t->length, high = 1e18 * low;
    for (int k = 0; k < 200; k++) {
        const double middle = sqrt(low * high);
        if (resolution_of(t, middle) < 1)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void
choose_viscosity(const struct koshu_flow_values *v, struct koshu_turbulence *t)
{
    const double wanted = v->turbulence.reynolds;
    if (v->vortex.viscosity > 0)
        t->viscosity = v->vortex.viscosity;
    else if (wanted > 0)
        t->viscosity = reynolds_of(t, wanted);
    else
        t->viscosity =
                fmax(reynolds_of(t, max_reynolds), resolved_viscosity(t));
    t->reynolds = reynolds_of(t, t->viscosity);
    t->resolution = resolution_of(t, t->viscosity);
}

/* ---- all ---------------------------------------------------------------- */

static koshu_status
check_grid(struct koshu_context *context, const struct koshu_flow_values *v)
{
    const double largest = (double)largest_of(v);
    if (largest >= 2 * v->turbulence.wave_number) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "flow.n: %zu points only resolve waves up to %g, less "
                      "than twice flow.turbulence.wave_number, %g: make flow.n "
                      "larger, or the wave number smaller",
                      (size_t)v->n, largest, v->turbulence.wave_number);
}

koshu_status
koshu_turbulence_prepare(struct koshu_context *context,
                         const struct koshu_flow_values *v, double box,
                         struct koshu_turbulence *t)
{
    *t = (struct koshu_turbulence){
            .largest = largest_of(v), .box = box, .seed = v->turbulence.seed};
    KOSHU_TRY(check_grid(context, v));
    /* beyond 5 k0 E is 1e-21 of its maximum */
    t->shells = 1 + (size_t)fmin((double)t->largest,
                                 ceil(5 * v->turbulence.wave_number));
    double *numbers = koshu_alloc(3 * t->shells, sizeof *numbers);
    if (!numbers)
        return koshu_fail_memory(context, 24 * t->shells, "turbulence");
    t->square = numbers;
    find_energies(&v->turbulence, t, numbers + t->shells,
                  numbers + 2 * t->shells);
    choose_viscosity(v, t);
    return KOSHU_OK;
}

void
koshu_turbulence_free(struct koshu_turbulence *t)
{
    koshu_free(t->square);
    t->square = NULL;
}
