/* SPDX-License-Identifier: MIT */
/* The cuda backend on several devices: stores are spread over them, all else is
 * done by the first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/devices/devices.h"
#include "backend/cuda/internal.h"
#include "particles/particles.h"

struct several {
    struct koshu_cuda_backend first;
    struct koshu_backend_ops ops; /* of one device, and those below */
    struct koshu_cuda_group *group;
};

static struct several *
several_of(const struct koshu_backend *backend)
{
    return (struct several *)backend;
}

/* As koshu_cuda_check(), naming the device. */
static koshu_status
check(struct koshu_context *context, const struct koshu_cuda_group *group,
      int error, const char *doing)
{
    char text[96];
    if (error == 0) return KOSHU_OK;
    snprintf(text, sizeof text, "GPU %d: %s",
             group ? koshu_cuda_group_failed(group) : 0, doing);
    return koshu_cuda_check(context, error, text);
}

/* ---- the device copy ----------------------------------------------------- */

struct device_copy {
    struct several *b;
    struct koshu_cuda_group_store *store;
};

static koshu_status
to_host(void *self, unsigned fields, const struct koshu_particle_view *host)
{
    struct device_copy *m = self;
    return check(m->b->first.base.context, m->b->group,
                 koshu_cuda_group_store_download(m->store, fields, host),
                 "copying particles from the device");
}

static koshu_status
from_host(void *self, unsigned fields, const struct koshu_particle_view *host)
{
    struct device_copy *m = self;
    return check(m->b->first.base.context, m->b->group,
                 koshu_cuda_group_store_upload(m->store, fields, host),
                 "copying particles to the device");
}

static void
destroy(void *self)
{
    struct device_copy *m = self;
    koshu_cuda_group_store_destroy(m->store);
    free(m);
}

static const struct koshu_device_copy_ops device_copy_ops = {
        .to_host = to_host, .from_host = from_host, .destroy = destroy};

static koshu_status
make_device_copy(struct several *b, struct koshu_particles *particles,
                 struct device_copy **copy)
{
    struct koshu_context *context = b->first.base.context;
    struct device_copy *m = calloc(1, sizeof *m);
    if (!m) return koshu_fail_memory(context, sizeof *m, "device copy");
    m->b = b;
    koshu_status status = check(
            context, b->group,
            koshu_cuda_group_store_create(
                    b->group, koshu_particles_count(particles), &m->store),
            "making room for the particles on the device");
    if (status == KOSHU_OK)
        status =
                koshu_particles_set_device_copy(particles, &device_copy_ops, m);
    if (status != KOSHU_OK) {
        destroy(m);
        return status;
    }
    *copy = m;
    return KOSHU_OK;
}

static koshu_status
device_copy_of(struct koshu_backend *backend, struct koshu_particles *particles,
               struct device_copy **copy)
{
    *copy = koshu_particles_device_copy(particles, &device_copy_ops);
    if (*copy) return KOSHU_OK;
    return make_device_copy(several_of(backend), particles, copy);
}

/* ---- operations ---------------------------------------------------------- */

static void
close_several(struct koshu_backend *backend)
{
    if (!backend) return;
    struct several *b = several_of(backend);
    for (int k = 0; k < 2; k++)
        koshu_cuda_walk_memory.destroy(b->first.walk_memory[k]);
    koshu_cuda_group_close(b->group);
    free(b);
}

static enum koshu_exchange
exchange(const struct koshu_backend *backend,
         const struct koshu_force_task *task, size_t n)
{
    const struct several *b = several_of(backend);
    const enum koshu_exchange given =
            koshu_context_exchange(b->first.base.context);
    return given != KOSHU_EXCHANGE_AUTO
                   ? given
                   : koshu_cuda_group_exchange(b->group, task, n);
}

/* As one device, with as many particles each; of many, the next sum is begun
 * while this one is at work, as several devices must first synchronise. */
static unsigned
may_run_ahead(const struct several *b, const struct koshu_particles *particles)
{
    const size_t few = 32768;
    const size_t n = koshu_particles_count(particles);
    return n < few * koshu_cuda_group_devices(b->group) ? 4 : 1;
}

static koshu_status
force_store(struct koshu_backend *backend, const struct koshu_force_task *task,
            struct koshu_particles *particles, unsigned fields)
{
    struct several *b = several_of(backend);
    struct device_copy *m;
    KOSHU_TRY(device_copy_of(backend, particles, &m));
    KOSHU_TRY(koshu_cuda_start_forces(particles, fields));
    const enum koshu_exchange scheme =
            exchange(backend, task, koshu_particles_count(particles));
    KOSHU_TRY(check(backend->context, b->group,
                    koshu_cuda_group_store_forces(m->store, task, scheme),
                    "summing forces"));
    return check(
            backend->context, b->group,
            koshu_cuda_group_keep_pace(b->group, may_run_ahead(b, particles)),
            "summing forces");
}

static double
seconds(const struct koshu_backend *backend)
{
    return koshu_cuda_group_seconds(several_of(backend)->group);
}

static koshu_status
wait_several(struct koshu_backend *backend)
{
    struct several *b = several_of(backend);
    return check(backend->context, b->group, koshu_cuda_group_wait(b->group),
                 "waiting for the device");
}

/* Of one device, where it is not about several. */
static koshu_status
cost(struct koshu_backend *backend, enum koshu_cost what, size_t n, void *host)
{
    struct several *b = several_of(backend);
    int error;
    if (what == KOSHU_COST_WAIT)
        error = koshu_cuda_group_waits(b->group, n);
    else if (what == KOSHU_COST_BETWEEN)
        error = koshu_cuda_group_copies(b->group, n);
    else
        return koshu_backend_cuda.cost(backend, what, n, host);
    return check(backend->context, b->group, error,
                 "measuring waits and copies");
}

static koshu_status
finite(struct device_copy *m)
{
    return koshu_cuda_group_store_not_finite(m->store) ? KOSHU_ERROR_NOT_FINITE
                                                       : KOSHU_OK;
}

/* What the first device has to itself, for a tree, it moves by itself. */
static koshu_status
kick(struct koshu_backend *backend, struct koshu_particles *particles,
     double dt)
{
    struct device_copy *m;
    if (koshu_cuda_keeps(particles))
        return koshu_backend_cuda.kick(backend, particles, dt);
    KOSHU_TRY(device_copy_of(backend, particles, &m));
    KOSHU_TRY(koshu_cuda_start_kick(particles));
    KOSHU_TRY(check(backend->context, m->b->group,
                    koshu_cuda_group_store_kick(m->store, dt),
                    "kicking particles"));
    return finite(m);
}

static koshu_status
drift(struct koshu_backend *backend, struct koshu_particles *particles,
      double dt)
{
    struct device_copy *m;
    if (koshu_cuda_keeps(particles))
        return koshu_backend_cuda.drift(backend, particles, dt);
    KOSHU_TRY(device_copy_of(backend, particles, &m));
    KOSHU_TRY(koshu_cuda_start_drift(particles));
    KOSHU_TRY(check(backend->context, m->b->group,
                    koshu_cuda_group_store_drift(m->store, dt),
                    "moving particles"));
    return finite(m);
}

static koshu_status
largest_acceleration(struct koshu_backend *backend,
                     struct koshu_particles *particles, double *a2)
{
    struct device_copy *m;
    if (koshu_cuda_keeps(particles))
        return koshu_backend_cuda.largest_acceleration(backend, particles, a2);
    KOSHU_TRY(device_copy_of(backend, particles, &m));
    KOSHU_TRY(koshu_particles_on_device(particles, KOSHU_FIELD_ACCELERATION,
                                        KOSHU_ACCESS_READ));
    return check(backend->context, m->b->group,
                 koshu_cuda_group_store_largest_acceleration(m->store, a2),
                 "finding the largest acceleration");
}

static void
select_shape(struct koshu_backend *backend, enum koshu_shape_set set,
             unsigned size_class, size_t k, int shared_memory)
{
    koshu_cuda_group_select_shape(several_of(backend)->group, set, size_class,
                                  k, shared_memory);
}

static void
select_exchange(struct koshu_backend *backend, enum koshu_shape_set set,
                unsigned size_class, enum koshu_exchange scheme)
{
    koshu_cuda_group_select_exchange(several_of(backend)->group, set,
                                     size_class, scheme);
}

/* ---- opening ------------------------------------------------------------- */

static void
fill_ops(struct koshu_backend_ops *ops)
{
    *ops = koshu_backend_cuda;
    ops->close = close_several;
    ops->force_store = force_store;
    ops->seconds = seconds;
    ops->wait = wait_several;
    ops->shape = NULL; /* it is of one device */
    ops->cost = cost;
    ops->kick = kick;
    ops->drift = drift;
    ops->largest_acceleration = largest_acceleration;
    ops->select_shape = select_shape;
    ops->exchange = exchange;
    ops->select_exchange = select_exchange;
}

/* "2 x NVIDIA H200, 132 multiprocessors, 139 GiB" and which they are. */
static void
name_devices(struct several *b, const struct koshu_device_list *list,
             const char *one)
{
    char *text = b->first.base.device;
    const size_t size = sizeof b->first.base.device;
    int n = snprintf(text, size, "%zu x %.80s; GPUs", list->n, one);
    for (size_t k = 0; k < list->n && n > 0 && (size_t)n < size; k++)
        n += snprintf(text + n, size - (size_t)n, "%s %d", k ? "," : "",
                      list->number[k]);
}

koshu_status
koshu_cuda_open_several(struct koshu_context *context,
                        const struct koshu_device_list *list,
                        struct koshu_backend **backend)
{
    struct several *b = calloc(1, sizeof *b);
    struct koshu_cuda_names names;
    if (!b) return koshu_fail_memory(context, sizeof *b, "cuda backend");
    fill_ops(&b->ops);
    b->first.base.ops = &b->ops;
    b->first.base.context = context;
    int error = koshu_cuda_group_open(context, list->number, list->n, &b->group,
                                      &names);
    koshu_status status = check(context, b->group, error, "opening the device");
    if (status != KOSHU_OK) {
        close_several(&b->first.base);
        return status;
    }
    b->first.cuda = koshu_cuda_group_first(b->group);
    name_devices(b, list, names.device);
    memcpy(b->first.base.model, names.model, sizeof names.model);
    snprintf(b->first.base.group_model, sizeof b->first.base.group_model,
             "%zu x %s", list->n, names.model);
    memcpy(b->first.base.unit, names.unit, sizeof names.unit);
    if (!koshu_cuda_group_has_peers(b->group))
        koshu_log(context, KOSHU_LOG_LEVEL_WARNING,
                  "these GPUs cannot read each other's memory: particles "
                  "between them pass through the host");
    *backend = &b->first.base;
    return KOSHU_OK;
}
