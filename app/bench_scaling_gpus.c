/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: GPUs of one process (Miki13 section 3). */
#include <stdio.h>
#include <string.h>

#include <koshu/device.h>

#include "bench_scaling.h"
#include "internal.h"

size_t
scaling_gpus(struct koshu_context *context, int number[KOSHU_MAX_DEVICES])
{
    const struct koshu_device_list *list = koshu_context_device_list(context);
    struct koshu_device device = {.size = sizeof device};
    size_t n = list->n;
    memcpy(number, list->number, n * sizeof *number);
    if (n > 0) return n;
    const size_t listed = koshu_device_count(context);
    for (size_t k = 0; k < listed; k++)
        if (koshu_device_get(context, k, &device) == KOSHU_OK &&
            device.usable && device.number >= 0 && n < KOSHU_MAX_DEVICES)
            number[n++] = device.number;
    return n;
}

static koshu_status
make_context_on(const struct scaling_options *o, const struct scaling *s,
                size_t n, struct koshu_context **context)
{
    struct koshu_context_options options = koshu_context_options_default();
    int number[KOSHU_MAX_DEVICES];
    char text[8 * KOSHU_MAX_DEVICES] = "", *end = text;
    scaling_gpus(s->whole, number);
    for (size_t k = 0; k < n; k++)
        end += snprintf(end, 8, "%s%d", k ? "," : "", number[k]);
    options.backend = "cuda";
    options.devices = text;
    if (o->exchange)
        KOSHU_TRY(
                koshu_exchange_find(s->whole, o->exchange, &options.exchange));
    options.threads = koshu_context_threads(s->whole);
    const koshu_status status = koshu_context_create(&options, context);
    if (status == KOSHU_OK) return status;
    return koshu_fail(s->whole, status, "%s", koshu_context_message(NULL));
}

/* ---- what else there is -------------------------------------------------- */

struct spending {
    struct koshu_backend *backend;
    enum koshu_cost what;
    size_t n;
};

static koshu_status
spend(void *user)
{
    const struct spending *s = user;
    return s->backend->ops->cost(s->backend, s->what, s->n, NULL);
}

static koshu_status
measure_sync(struct koshu_context *c, struct koshu_backend *backend,
             struct scaling_line *line)
{
    for (size_t n = 1; n <= 256; n *= 4, line->n++) {
        struct spending s = {backend, KOSHU_COST_WAIT, n};
        size_t repeats = 0;
        line->x[line->n] = (double)n;
        KOSHU_TRY(scaling_time(c, spend, &s, &repeats, &line->t[line->n]));
    }
    return scaling_fit_line(line);
}

/* Of packed particles. */
static koshu_status
measure_transfer(struct koshu_context *c, struct koshu_backend *backend,
                 struct scaling_line *line)
{
    const size_t packed = 16, largest = 1 << 22;
    for (size_t n = 64; n <= largest; n *= 4, line->n++) {
        struct spending s = {backend, KOSHU_COST_BETWEEN, n * packed};
        size_t repeats = 0;
        line->x[line->n] = (double)n;
        KOSHU_TRY(scaling_time(c, spend, &s, &repeats, &line->t[line->n]));
    }
    return scaling_fit_line(line);
}

/* ---- all of it ----------------------------------------------------------- */

static koshu_status
measure(struct koshu_context *c, const struct scaling_options *o,
        struct scaling *s, size_t k)
{
    struct koshu_backend *backend;
    const struct koshu_force_task task = {.precision = o->problem.precision};
    const size_t n = o->ranks[k], largest = o->per_rank[o->n_sizes - 1] * n;
    KOSHU_TRY(koshu_backend_of(c, &backend));
    KOSHU_TRY(scaling_sums(c, n, o, s));
    if (n == 1) return bench_launch_cost(c, 0, &s->launch);
    const enum koshu_exchange scheme =
            backend->ops->exchange(backend, &task, largest);
    s->costs.costs.shared = scheme == KOSHU_EXCHANGE_MUTUAL;
    snprintf(s->exchange, sizeof s->exchange, "%s",
             koshu_exchange_name(scheme));
    KOSHU_TRY(measure_sync(c, backend, &s->sync[k]));
    if (s->transfer.n > 0) return KOSHU_OK;
    return measure_transfer(c, backend, &s->transfer);
}

koshu_status
scaling_measure_gpus(const struct scaling_options *options, struct scaling *s,
                     size_t k)
{
    struct koshu_context *c;
    KOSHU_TRY(make_context_on(options, s, options->ranks[k], &c));
    koshu_status status = measure(c, options, s, k);
    if (status != KOSHU_OK)
        status = koshu_fail(s->whole, status, "%s", koshu_context_message(c));
    koshu_context_destroy(c);
    return status;
}
