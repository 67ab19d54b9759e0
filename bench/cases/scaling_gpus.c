/* SPDX-License-Identifier: MIT */
/* koshu bench scaling: GPUs of one process (Miki13 section 3). */
#include <stdio.h>
#include <string.h>

#include <koshu/device.h>

#include "bench/cases/scaling.h"

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

/* On n GPUs. */
static koshu_status
make_context_on(const struct bench *b, size_t n, struct koshu_context **context)
{
    struct koshu_context_options options = koshu_context_options_default();
    int number[KOSHU_MAX_DEVICES];
    char text[8 * KOSHU_MAX_DEVICES] = "", *end = text;
    scaling_gpus(b->context, number);
    for (size_t k = 0; k < n; k++)
        end += snprintf(end, 8, "%s%d", k ? "," : "", number[k]);
    options.backend = "cuda";
    options.devices = text;
    options.exchange = ((const struct scaling_options *)b->own)->exchange;
    options.threads = koshu_context_threads(b->context);
    const koshu_status status = koshu_context_create(&options, context);
    return bench_status_of(b, NULL, status);
}

/* ---- what else there is -------------------------------------------------- */

enum { PACKED = 16 }; /* bytes of a particle */

struct spending {
    struct koshu_backend *backend;
    size_t n;
};

static koshu_status
sync_once(void *user)
{
    const struct spending *s = user;
    return s->backend->ops->cost(s->backend, KOSHU_COST_WAIT, s->n, NULL);
}

static koshu_status
transfer_once(void *user)
{
    const struct spending *s = user;
    return s->backend->ops->cost(s->backend, KOSHU_COST_BETWEEN, s->n * PACKED,
                                 NULL);
}

/* ---- all of it ----------------------------------------------------------- */

static koshu_status
measure(const struct bench *b, struct scaling *s, size_t k)
{
    struct koshu_context *c = b->context;
    struct spending spending = {0};
    const struct koshu_force_task task = {.precision = b->options->precision};
    const size_t n = s->ranks.value[k],
                 largest = s->per_rank.value[s->per_rank.n - 1] * n;
    KOSHU_TRY(koshu_backend_of(c, &spending.backend));
    KOSHU_TRY(scaling_sums(b, n, s));
    if (n == 1) return bench_launch_cost(c, 0, &s->launch);
    const enum koshu_exchange scheme =
            spending.backend->ops->exchange(spending.backend, &task, largest);
    s->costs.costs.shared = scheme == KOSHU_EXCHANGE_MUTUAL;
    snprintf(s->exchange, sizeof s->exchange, "%s",
             koshu_exchange_name(scheme));
    KOSHU_TRY(scaling_time_line(c, sync_once, &spending, &spending.n, 1, 256,
                                &s->sync[k]));
    if (s->transfer.n > 0) return KOSHU_OK;
    return scaling_time_line(c, transfer_once, &spending, &spending.n, 64,
                             1 << 22, &s->transfer);
}

koshu_status
scaling_measure_gpus(const struct bench *b, struct scaling *s, size_t k)
{
    struct bench part = *b;
    KOSHU_TRY(make_context_on(b, s->ranks.value[k], &part.context));
    const koshu_status status =
            bench_status_of(b, part.context, measure(&part, s, k));
    koshu_context_destroy(part.context);
    return status;
}
