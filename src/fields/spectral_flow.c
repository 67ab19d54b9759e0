/* SPDX-License-Identifier: MIT */
/* Flows simulated with the spectral method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "fields/filter.h"
#include "fields/flow_spectrum.h"
#include "fields/spectral.h"
#include "fields/turbulence.h"

static const double two_pi = 6.28318530717958647692;

struct spectral_flow {
    struct koshu_context *context;
    struct koshu_spectral_options options;
    struct koshu_spectral *spectral;
    double *numbers; /* the state read from a checkpoint */
    double dt;
    bool warned; /* of a long step */
};

/* ---- life --------------------------------------------------------------- */

static void
destroy(void *state)
{
    struct spectral_flow *s = state;
    if (!s) return;
    koshu_spectral_destroy(s->spectral);
    koshu_free(s->numbers);
    free(s);
}

static koshu_status
equip(struct koshu_flow *flow, void **state)
{
    const struct koshu_flow_values *v = &flow->values->flow;
    struct spectral_flow *s = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(flow->context, sizeof *s, "a flow");
    *state = s;
    s->context = flow->context;
    s->dt = flow->values->integrator.dt;
    s->options = (struct koshu_spectral_options){
            .n = v->n,
            .box = flow->box,
            .precision = koshu_flow_precision(v),
            .dealiasing = v->dealiasing == KOSHU_FLOW_DEALIASING_TWO_THIRDS
                                  ? KOSHU_DEALIASING_TWO_THIRDS
                                  : KOSHU_DEALIASING_THREE_HALVES,
            .viscosity = flow->viscosity,
            .forcing_power = v->forcing_power,
            .forcing_wave_number = v->forcing_wave_number};
    return koshu_spectral_create(flow->context, &s->options, &s->spectral);
}

/* Allocates vectors at n3 points. If only the first rank has values, *to is
 * NULL on the others. */
static koshu_status
allocate(const struct spectral_flow *s, size_t n3, bool on_all,
         const char *what, double **to)
{
    const bool mine = on_all || koshu_is_first_rank(s->context);
    *to = mine ? koshu_alloc(3 * n3, sizeof **to) : NULL;
    return koshu_ranks_collective_status(
            s->context, *to || !mine
                                ? KOSHU_OK
                                : koshu_fail_memory(s->context, 24 * n3, what));
}

/* ---- initial flows ------------------------------------------------------ */

/* The Taylor-Green vortex of speed 1: (sin x cos y cos z, -cos x sin y cos z,
 * 0). of: sines and cosines along an axis. */
static void
put_taylor_green(const struct spectral_flow *s, const double (*of)[2],
                 double *u)
{
    const size_t n = s->options.n, n3 = n * n * n;
    const int threads = koshu_region_threads(s->context, n > 16);
#pragma omp parallel for num_threads(threads)
    for (size_t p = 0; p < n3; p++) {
        const double *const x = of[p / n / n], *const y = of[p / n % n],
                            *const z = of[p % n];
        u[p] = x[0] * y[1] * z[1];
        u[n3 + p] = -x[1] * y[0] * z[1];
        u[2 * n3 + p] = 0;
    }
}

static koshu_status
begin_taylor_green(struct spectral_flow *s)
{
    const size_t n = s->options.n;
    double *u = NULL;
    KOSHU_TRY(allocate(s, n * n * n + n, true, "a velocity", &u));
    double(*const of)[2] = (void *)(u + 3 * n * n * n);
    for (size_t i = 0; i < n; i++) {
        const double x = two_pi / (double)n * (double)i;
        of[i][0] = sin(x);
        of[i][1] = cos(x);
    }
    put_taylor_green(s, of, u);
    const koshu_status status = koshu_spectral_set_values(s->spectral, u);
    koshu_free(u);
    return status;
}

static koshu_status
begin_turbulence(struct spectral_flow *s, const struct koshu_turbulence *t)
{
    const struct koshu_mesh mesh = koshu_mesh_cube(s->options.n, t->box);
    struct koshu_transform *transform;
    void *field[3] = {NULL};
    KOSHU_TRY(koshu_ranks_collective_status(
            s->context,
            koshu_transform_create(s->context, &mesh, KOSHU_PRECISION_DOUBLE,
                                   &transform)));
    koshu_status status = koshu_turbulence_fields(transform, t, false, field);
    status = koshu_ranks_collective_status(s->context, status);
    if (status == KOSHU_OK) {
        const double complex *const u[3] = {field[0], field[1], field[2]};
        status = koshu_spectral_set_waves(s->spectral, u);
    }
    for (int c = 0; c < 3; c++) koshu_free(field[c]);
    koshu_transform_destroy(transform);
    return status;
}

static koshu_status
create(struct koshu_flow *flow, void **state)
{
    KOSHU_TRY(equip(flow, state));
    if (flow->values->flow.initial == KOSHU_FLOW_INITIAL_TURBULENCE)
        return begin_turbulence(*state, &flow->turbulence);
    return begin_taylor_green(*state);
}

static koshu_status
step(void *state, double dt)
{
    struct spectral_flow *s = state;
    return koshu_spectral_step(s->spectral, dt);
}

/* ---- the log ------------------------------------------------------------ */

static const char log_header[] =
        "step,time,energy,enstrophy,dissipation,helicity,max_vorticity,"
        "max_velocity,courant,k_max_eta,reynolds_lambda,skewness\n";

static double
largest_wave(const struct spectral_flow *s)
{
    return two_pi / s->options.box *
           (double)koshu_spectral_largest(s->spectral);
}

/* At the n^3 points of the flow. */
static koshu_status
velocity(void *state, size_t n, double *u)
{
    struct spectral_flow *s = state;
    (void)n; /* n is always that of the flow */
    return koshu_spectral_values(s->spectral, u, NULL);
}

static koshu_status
set_velocity(void *state, const double *u)
{
    struct spectral_flow *s = state;
    return koshu_spectral_set_values(s->spectral, u);
}

/* Warns once; koshu_spectral_report tells the limit. */
static void
warn_of_long_step(struct spectral_flow *s, double courant)
{
    if (!(courant > 2.8) || s->warned || !koshu_is_first_rank(s->context))
        return;
    s->warned = true;
    koshu_log(s->context, KOSHU_LOG_LEVEL_WARNING,
              "integrator.dt = %g is a Courant number of %.2g: above 2.8 the "
              "velocity may grow without bounds (column courant of energy.csv)",
              s->dt, courant);
}

static koshu_status
write_log(void *state, double *row, size_t *n)
{
    struct spectral_flow *s = state;
    struct koshu_spectral_report r;
    double skewness;
    KOSHU_TRY(koshu_spectral_report(s->spectral, &r));
    KOSHU_TRY(koshu_spectral_skewness(s->spectral, &skewness));
    const double k = largest_wave(s);
    const double numbers[] = {
            r.energy,        r.enstrophy,    r.dissipation,         r.helicity,
            r.max_vorticity, r.max_velocity, r.max_sum * k * s->dt, k * r.eta,
            r.reynolds,      skewness};
    memcpy(row, numbers, sizeof numbers);
    *n = sizeof numbers / sizeof numbers[0];
    warn_of_long_step(s, r.max_sum * k * s->dt);
    return KOSHU_OK;
}

static void
describe(void *state, size_t size, char *text)
{
    const struct spectral_flow *s = state;
    snprintf(text, size,
             "spectral, %zu^3 points, waves to %ld, products at %zu^3 points, "
             "%s%s",
             s->options.n, koshu_spectral_largest(s->spectral),
             koshu_spectral_mesh(s->spectral),
             koshu_precision_name(s->options.precision),
             koshu_spectral_on_device(s->spectral) ? ", on the device" : "");
}

static double
points(const void *state)
{
    return pow((double)((const struct spectral_flow *)state)->options.n, 3);
}

/* Memory of the solver; of a snapshot: two vectors, one of them also in the
 * file's order, and a transform; of a checkpoint: its numbers. */
static double
bytes(const void *state)
{
    const struct spectral_flow *s = state;
    return koshu_spectral_bytes(&s->options) + 13 * 8 * points(state);
}

/* ---- files -------------------------------------------------------------- */

static void
name_numbers(struct koshu_flow_file *file, const struct spectral_flow *s)
{
    snprintf(file->kind, sizeof file->kind, "spectral");
    file->box = s->options.box;
    koshu_flow_file_add_number(file, "Points", (double)s->options.n);
    koshu_flow_file_add_number(file, "Viscosity", s->options.viscosity);
    koshu_flow_file_add_number(file, "LargestWave",
                               (double)koshu_spectral_largest(s->spectral));
}

static koshu_status
keep(void *state, struct koshu_flow_file *file)
{
    struct spectral_flow *s = state;
    const size_t n = koshu_spectral_size(s->spectral);
    const bool mine = koshu_is_first_rank(s->context);
    koshu_status status = KOSHU_OK;
    if (mine && !s->numbers) s->numbers = koshu_alloc(n, sizeof *s->numbers);
    if (mine && !s->numbers)
        status = koshu_fail_memory(s->context, 8 * n, "a checkpoint");
    KOSHU_TRY(koshu_ranks_collective_status(s->context, status));
    KOSHU_TRY(koshu_spectral_get(s->spectral, s->numbers));
    name_numbers(file, s);
    koshu_flow_file_add_array(file, "Waves", n, 1, s->numbers);
    return KOSHU_OK;
}

static koshu_status
check_size(struct spectral_flow *s, const struct koshu_flow_file *file)
{
    if (file->array[0].dims[0] == koshu_spectral_size(s->spectral))
        return KOSHU_OK;
    return koshu_fail(
            s->context, KOSHU_ERROR_BAD_FORMAT,
            "a checkpoint of %zu^3 points has %zu numbers instead of %zu",
            s->options.n, file->array[0].dims[0],
            koshu_spectral_size(s->spectral));
}

static koshu_status
resume(struct koshu_flow *flow, const char *path, void **state)
{
    struct koshu_flow_file file = {.is_checkpoint = true};
    KOSHU_TRY(equip(flow, state));
    struct spectral_flow *s = *state;
    name_numbers(&file, s);
    koshu_flow_file_add_array(&file, "Waves", 0, 1, NULL);
    koshu_status status = koshu_flow_file_read(flow->context, path, &file);
    if (status == KOSHU_OK) status = check_size(s, &file);
    status = koshu_ranks_collective_status(s->context, status);
    if (status == KOSHU_OK)
        status = koshu_spectral_set(s->spectral, file.array[0].data);
    koshu_flow_file_free(&file);
    return status;
}

static koshu_status
load(struct koshu_flow *flow, const char *path, void **state)
{
    struct koshu_flow_file file = {.is_checkpoint = false};
    KOSHU_TRY(equip(flow, state));
    struct spectral_flow *s = *state;
    const size_t n = s->options.n;
    name_numbers(&file, s);
    koshu_flow_file_add_grid(&file, "Velocity", 0, 3, NULL);
    koshu_status status = koshu_flow_file_read(flow->context, path, &file);
    if (status == KOSHU_OK &&
        koshu_flow_array_points(&file.array[0]) != n * n * n)
        status = koshu_fail(s->context, KOSHU_ERROR_BAD_FORMAT,
                            "a snapshot of %zu^3 points has velocities at %zu",
                            n, koshu_flow_array_points(&file.array[0]));
    if (status == KOSHU_OK)
        status = koshu_spectral_set_values(s->spectral, file.array[0].data);
    koshu_flow_file_free(&file);
    return status;
}

static koshu_status
add_grid(struct spectral_flow *s, struct koshu_flow_file *file,
         const char *name)
{
    const size_t n = s->options.n;
    double *data;
    KOSHU_TRY(allocate(s, n * n * n, false, "a snapshot", &data));
    koshu_flow_file_add_grid(file, name, n, 3, data);
    return KOSHU_OK;
}

static koshu_status
snapshot(void *state, struct koshu_flow_file *file)
{
    struct spectral_flow *s = state;
    name_numbers(file, s);
    KOSHU_TRY(add_grid(s, file, "Velocity"));
    KOSHU_TRY(add_grid(s, file, "Vorticity"));
    return koshu_spectral_values(s->spectral, file->array[0].data,
                                 file->array[1].data);
}

static const struct koshu_flow_ops spectral_flow = {.log_header = log_header,
                                                    .create = create,
                                                    .destroy = destroy,
                                                    .step = step,
                                                    .log = write_log,
                                                    .describe = describe,
                                                    .velocity = velocity,
                                                    .set_velocity =
                                                            set_velocity,
                                                    .points = points,
                                                    .bytes = bytes,
                                                    .keep = keep,
                                                    .resume = resume,
                                                    .load = load,
                                                    .snapshot = snapshot};

const struct koshu_flow_fields koshu_flow_fields = {
        .spectral = &spectral_flow,
        .vorticity = koshu_turbulence_vorticity,
        .filter = koshu_wave_filter_create,
        .spectrum = koshu_flow_spectrum_find,
        .invariant = koshu_flow_invariant};
