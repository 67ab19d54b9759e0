/* SPDX-License-Identifier: MIT */
/* The backend for CUDA devices: the choice of devices, and its table of
 * operations. */
#include <stdlib.h>

#include "backend/cuda/cuda.h"
#include "base/base.h"

static koshu_status
fail_no_device(struct koshu_context *context, int device, int there)
{
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "devices %s: there is no GPU %d; the last is %d",
                      koshu_context_devices(context), device, there - 1);
}

/* The devices that the context names, or the first one; ranks on one host take
 * them, or all existing ones, in turn, one each. */
static koshu_status
find_devices(struct koshu_context *context, struct koshu_device_list *list)
{
    const int there = koshu_cuda_devices();
    const bool shared = koshu_context_ranks(context) > 1;
    *list = *koshu_context_device_list(context);
    if (list->n == 0) {
        const bool all = list->all || shared;
        list->n = all ? (size_t)there : 1;
        if (list->n > KOSHU_MAX_DEVICES) list->n = KOSHU_MAX_DEVICES;
        for (size_t k = 0; k < list->n; k++) list->number[k] = (int)k;
    }
    for (size_t k = 0; k < list->n; k++)
        if (list->number[k] >= there)
            return fail_no_device(context, list->number[k], there);
    if (!shared) return KOSHU_OK;
    const size_t turn = (size_t)koshu_context_local_rank(context) % list->n;
    list->number[0] = list->number[turn];
    list->n = 1;
    return KOSHU_OK;
}

static void
close_cuda(struct koshu_backend *backend)
{
    if (!backend) return;
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    for (int k = 0; k < 2; k++)
        koshu_cuda_walk_memory.destroy(b->walk_memory[k]);
    koshu_cuda_group_close(b->group);
    free(b);
}

static koshu_status
open_cuda(struct koshu_context *context, struct koshu_backend **backend)
{
    struct koshu_device_list list;
    KOSHU_TRY(find_devices(context, &list));
    struct koshu_cuda_backend *b = calloc(1, sizeof *b);
    if (!b) return koshu_fail_memory(context, sizeof *b, "cuda backend");
    b->base.ops = &koshu_backend_cuda;
    b->base.context = context;
    koshu_status status = koshu_cuda_group_open(b, &list);
    if (status != KOSHU_OK) {
        close_cuda(&b->base);
        return status;
    }
    *backend = &b->base;
    koshu_cuda_select_builtin_tuning(*backend);
    koshu_tuning_apply(*backend);
    return KOSHU_OK;
}

static bool
can(const struct koshu_backend *backend, const struct koshu_force_task *task)
{
    const double smallest = 1e-90, largest = 1e90;
    (void)backend;
    return task->eps == 0 || task->precision == KOSHU_PRECISION_DOUBLE ||
           (task->eps >= smallest && task->eps <= largest);
}

const struct koshu_backend_ops koshu_backend_cuda = {
        .name = "cuda",
        .devices = koshu_cuda_devices,
        .describe = koshu_cuda_describe,
        .numbered = true,
        .open = open_cuda,
        .close = close_cuda,
        .memory = koshu_cuda_memory,
        .can = can,
        .force = koshu_cuda_force,
        .walks = koshu_cuda_walks,
        .walk_memory = &koshu_cuda_walk_memory,
        .force_store = koshu_cuda_force_store,
        .seconds = koshu_cuda_seconds,
        .wait = koshu_cuda_wait,
        .shape = koshu_cuda_shape,
        .cost = koshu_cuda_cost,
        .keep = koshu_cuda_keep,
        .kick = koshu_cuda_kick,
        .drift = koshu_cuda_drift,
        .wrap = koshu_cuda_wrap,
        .ewald = koshu_cuda_ewald,
        .friends = koshu_cuda_friends,
        .power = koshu_cuda_power,
        .largest_acceleration = koshu_cuda_largest_acceleration,
        .shape_at = koshu_cuda_shape_at,
        .select_shape = koshu_cuda_select_shape,
        .exchange = koshu_cuda_exchange,
        .select_exchange = koshu_cuda_select_exchange,
        .partition = &koshu_cuda_partition,
        .j_store = &koshu_cuda_j_store_ops,
        .block = &koshu_cuda_block,
        .interaction = &koshu_cuda_interaction,
        .tree = &koshu_cuda_tree_ops,
        .fmm_engine = &koshu_cuda_fmm_ops,
        .spectral = &koshu_cuda_spectral_ops,
};
