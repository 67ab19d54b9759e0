/* SPDX-License-Identifier: MIT */
/* The backend for a CUDA device: its operations, and the device copy. */
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/internal.h"
#include "base/base.h"
#include "particles/particles.h"

/* What a device copy's functions are called with. */
struct device_copy {
    struct koshu_context *context;
    struct koshu_cuda *cuda;
    struct koshu_cuda_store *store;
};

/* ---- the device copy ----------------------------------------------------- */

static koshu_status
to_host(void *self, unsigned fields, const struct koshu_particle_view *host)
{
    struct device_copy *m = self;
    koshu_cuda_enter(m->cuda);
    return koshu_cuda_check(m->context,
                            koshu_cuda_store_download(m->store, fields, host),
                            "copying particles from the device");
}

static koshu_status
from_host(void *self, unsigned fields, const struct koshu_particle_view *host)
{
    struct device_copy *m = self;
    koshu_cuda_enter(m->cuda);
    return koshu_cuda_check(m->context,
                            koshu_cuda_store_upload(m->store, fields, host),
                            "copying particles to the device");
}

static void
destroy(void *self)
{
    struct device_copy *m = self;
    koshu_cuda_store_destroy(m->store);
    free(m);
}

static const struct koshu_device_copy_ops device_copy_ops = {
        .to_host = to_host, .from_host = from_host, .destroy = destroy};

bool
koshu_cuda_keeps(const struct koshu_particles *particles)
{
    return koshu_particles_device_copy(particles, &device_copy_ops) != NULL;
}

static koshu_status
make_device_copy(struct koshu_cuda_backend *b,
                 struct koshu_particles *particles, struct device_copy **copy)
{
    struct koshu_context *context = b->base.context;
    struct device_copy *m = calloc(1, sizeof *m);
    if (!m) return koshu_fail_memory(context, sizeof *m, "device copy");
    m->context = context;
    m->cuda = b->cuda;
    koshu_status status = koshu_cuda_check(
            context,
            koshu_cuda_store_create(b->cuda, koshu_particles_count(particles),
                                    &m->store),
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
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    koshu_cuda_enter(b->cuda);
    *copy = koshu_particles_device_copy(particles, &device_copy_ops);
    if (*copy) return KOSHU_OK;
    return make_device_copy(b, particles, copy);
}

koshu_status
koshu_cuda_store_of(struct koshu_backend *backend,
                    struct koshu_particles *particles,
                    struct koshu_cuda_store **store)
{
    struct device_copy *m;
    KOSHU_TRY(device_copy_of(backend, particles, &m));
    *store = m->store;
    return KOSHU_OK;
}

/* ---- what is read and written -------------------------------------------
 */

koshu_status
koshu_cuda_start_forces(struct koshu_particles *particles, unsigned fields)
{
    KOSHU_TRY(koshu_particles_on_device(particles,
                                        KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                        KOSHU_ACCESS_READ));
    return koshu_particles_on_device(particles, fields, KOSHU_ACCESS_WRITE);
}

koshu_status
koshu_cuda_start_kick(struct koshu_particles *particles)
{
    KOSHU_TRY(koshu_particles_on_device(particles, KOSHU_FIELD_ACCELERATION,
                                        KOSHU_ACCESS_READ));
    return koshu_particles_on_device(particles, KOSHU_FIELD_VELOCITY,
                                     KOSHU_ACCESS_READ_WRITE);
}

koshu_status
koshu_cuda_start_drift(struct koshu_particles *particles)
{
    KOSHU_TRY(koshu_particles_on_device(particles, KOSHU_FIELD_VELOCITY,
                                        KOSHU_ACCESS_READ));
    return koshu_particles_on_device(particles, KOSHU_FIELD_POSITION,
                                     KOSHU_ACCESS_READ_WRITE);
}

/* ---- operations --------------------------------------------------------- */

static int
devices(void)
{
    return koshu_cuda_devices();
}

static koshu_status
fail_no_device(struct koshu_context *context, int device, int there)
{
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "devices %s: there is no GPU %d; the last is %d",
                      koshu_context_devices(context), device, there - 1);
}

/* Those that the context names, or the first; ranks of a host take them, or all
 * there are, in turn, one each. */
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

static koshu_status
open_one(struct koshu_context *context, int device,
         struct koshu_backend **backend)
{
    struct koshu_cuda_backend *b = calloc(1, sizeof *b);
    if (!b) return koshu_fail_memory(context, sizeof *b, "cuda backend");
    b->base.ops = &koshu_backend_cuda;
    b->base.context = context;
    struct koshu_cuda_names names;
    koshu_status status = koshu_cuda_check(
            context, koshu_cuda_open(context, device, &b->cuda, &names),
            "opening the device");
    if (status != KOSHU_OK) {
        free(b);
        return status;
    }
    memcpy(b->base.device, names.device, sizeof names.device);
    memcpy(b->base.model, names.model, sizeof names.model);
    memcpy(b->base.unit, names.unit, sizeof names.unit);
    *backend = &b->base;
    return KOSHU_OK;
}

static koshu_status
open_cuda(struct koshu_context *context, struct koshu_backend **backend)
{
    struct koshu_device_list list;
    KOSHU_TRY(find_devices(context, &list));
    KOSHU_TRY(list.n > 1 ? koshu_cuda_open_several(context, &list, backend)
                         : open_one(context, list.number[0], backend));
    koshu_cuda_select_builtin_tuning(*backend);
    koshu_tuning_apply(*backend);
    return KOSHU_OK;
}

static void
close_cuda(struct koshu_backend *backend)
{
    if (!backend) return;
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    for (int k = 0; k < 2; k++)
        koshu_cuda_walk_memory.destroy(b->walk_memory[k]);
    koshu_cuda_close(b->cuda);
    free(b);
}

bool
koshu_cuda_can_soften(enum koshu_precision precision, double eps)
{
    const double smallest = 1e-36, largest = 1e18;
    return precision == KOSHU_PRECISION_DOUBLE || eps == 0 ||
           (eps >= smallest && eps <= largest);
}

static bool
can(const struct koshu_backend *backend, const struct koshu_force_task *task)
{
    const double smallest = 1e-90, largest = 1e90;
    (void)backend;
    return task->eps == 0 || task->precision == KOSHU_PRECISION_DOUBLE ||
           (task->eps >= smallest && task->eps <= largest);
}

static koshu_status
force(struct koshu_backend *backend, const struct koshu_force_task *task,
      const struct koshu_force_batch *batch)
{
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    koshu_cuda_enter(b->cuda);
    return koshu_cuda_check(backend->context,
                            koshu_cuda_batch(b->cuda, task, batch),
                            "summing forces");
}

/* With few particles the host prepares the next steps while a sum runs, or the
 * device would wait for it; with many, that is nothing beside the sum, and the
 * caller sees its true time and a signal is answered at once. */
static unsigned
may_run_ahead(const struct koshu_particles *particles)
{
    const size_t few = 32768;
    return koshu_particles_count(particles) < few ? 4 : 0;
}

static koshu_status
force_store(struct koshu_backend *backend, const struct koshu_force_task *task,
            struct koshu_particles *particles, unsigned fields)
{
    struct device_copy *m;
    KOSHU_TRY(device_copy_of(backend, particles, &m));
    KOSHU_TRY(koshu_cuda_start_forces(particles, fields));
    KOSHU_TRY(koshu_cuda_check(backend->context,
                               koshu_cuda_store_forces(m->store, task),
                               "summing forces"));
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    return koshu_cuda_check(
            backend->context,
            koshu_cuda_keep_pace(b->cuda, may_run_ahead(particles)),
            "summing forces");
}

static double
seconds(const struct koshu_backend *backend)
{
    return koshu_cuda_seconds(
            ((const struct koshu_cuda_backend *)backend)->cuda);
}

static koshu_status
wait_cuda(struct koshu_backend *backend)
{
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    koshu_cuda_enter(b->cuda);
    return koshu_cuda_check(backend->context, koshu_cuda_wait(b->cuda),
                            "waiting for the device");
}

static koshu_status
shape(struct koshu_backend *backend, const struct koshu_force_task *task,
      size_t n, struct koshu_force_shape *shape)
{
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    koshu_cuda_enter(b->cuda);
    return koshu_cuda_check(backend->context,
                            koshu_cuda_shape(b->cuda, task, n, shape),
                            "asking for the kernel's shape");
}

static koshu_status
cost(struct koshu_backend *backend, enum koshu_cost what, size_t n, void *host)
{
    struct koshu_cuda_backend *b = (struct koshu_cuda_backend *)backend;
    koshu_cuda_enter(b->cuda);
    return koshu_cuda_check(backend->context,
                            koshu_cuda_cost(b->cuda, what, n, host),
                            "measuring launches and copies");
}

/* Kicks and drifts run while the host goes on: one that made a number that is
 * not finite is reported by a later one. */
static koshu_status
finite(struct device_copy *m)
{
    return koshu_cuda_store_not_finite(m->store) ? KOSHU_ERROR_NOT_FINITE
                                                 : KOSHU_OK;
}

static koshu_status
kick(struct koshu_backend *backend, struct koshu_particles *particles,
     double dt)
{
    struct device_copy *m;
    KOSHU_TRY(device_copy_of(backend, particles, &m));
    KOSHU_TRY(koshu_cuda_start_kick(particles));
    KOSHU_TRY(koshu_cuda_check(backend->context,
                               koshu_cuda_store_kick(m->store, dt),
                               "kicking particles"));
    return finite(m);
}

static koshu_status
drift(struct koshu_backend *backend, struct koshu_particles *particles,
      double dt)
{
    struct device_copy *m;
    KOSHU_TRY(device_copy_of(backend, particles, &m));
    KOSHU_TRY(koshu_cuda_start_drift(particles));
    KOSHU_TRY(koshu_cuda_check(backend->context,
                               koshu_cuda_store_drift(m->store, dt),
                               "moving particles"));
    return finite(m);
}

static koshu_status
largest_acceleration(struct koshu_backend *backend,
                     struct koshu_particles *particles, double *a2)
{
    struct device_copy *m;
    KOSHU_TRY(device_copy_of(backend, particles, &m));
    KOSHU_TRY(koshu_particles_on_device(particles, KOSHU_FIELD_ACCELERATION,
                                        KOSHU_ACCESS_READ));
    return koshu_cuda_check(backend->context,
                            koshu_cuda_store_largest_acceleration(m->store, a2),
                            "finding the largest acceleration");
}

static struct koshu_memory_limits
memory(const struct koshu_backend *backend)
{
    struct koshu_memory_limits l = {UINT64_MAX, UINT64_MAX, "the GPU"};
    size_t free, total;
    koshu_cuda_enter(((const struct koshu_cuda_backend *)backend)->cuda);
    if (koshu_cuda_memory(&free, &total) != 0) return l;
    l.capacity = total;
    l.available = free;
    return l;
}

static void
select_shape(struct koshu_backend *backend, enum koshu_shape_set set,
             unsigned size_class, size_t k, int shared_memory)
{
    koshu_cuda_select_shape(((struct koshu_cuda_backend *)backend)->cuda, set,
                            size_class, k, shared_memory);
}

const struct koshu_backend_ops koshu_backend_cuda = {
        .name = "cuda",
        .devices = devices,
        .describe = koshu_cuda_describe,
        .numbered = true,
        .open = open_cuda,
        .close = close_cuda,
        .memory = memory,
        .can = can,
        .force = force,
        .walks = koshu_cuda_walks,
        .walk_memory = &koshu_cuda_walk_memory,
        .force_store = force_store,
        .seconds = seconds,
        .wait = wait_cuda,
        .shape = shape,
        .cost = cost,
        .kick = kick,
        .drift = drift,
        .largest_acceleration = largest_acceleration,
        .shape_at = koshu_cuda_shape_at,
        .select_shape = select_shape,
        .partition = &koshu_cuda_partition,
        .j_store = &koshu_cuda_j_store_ops,
        .block = &koshu_cuda_block,
        .interaction = &koshu_cuda_interaction,
        .tree = &koshu_cuda_tree_ops,
};
