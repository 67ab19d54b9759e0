/* SPDX-License-Identifier: MIT */
/*
 * The exchange of particles and sums where every rank has a device; here the
 * devices are host arrays. A point holds its own number, and rank r's sum for
 * particle i is r's digit of a number, so that the total shows which ranks
 * contributed.
 */
#include <stdlib.h>

#include "backend/backend.h"
#include "host_traffic.h"

enum { MAX = 5000 };

struct koshu_backend_partition {
    struct koshu_context *context;
    size_t total;
    double points[MAX], sums[MAX], come[MAX];
    bool broken;   /* sum() fails */
    double result; /* 0: every contribution was present exactly once */
};

static struct koshu_backend_partition *last; /* the partition created last */

static koshu_status
create(struct koshu_backend *backend, int rank, int n_ranks,
       struct koshu_backend_partition **partition)
{
    assert_int_equal(rank, koshu_ranks_rank(backend->context));
    assert_int_equal(n_ranks, koshu_ranks_count(backend->context));
    last = *partition = calloc(1, sizeof **partition);
    (*partition)->context = backend->context;
    return KOSHU_OK;
}

static void
destroy(struct koshu_backend_partition *partition)
{
    free(partition);
}

static bool
has_capacity(const struct koshu_backend_partition *s,
             const struct koshu_force_task *task, size_t total)
{
    (void)task;
    return total == s->total;
}

static koshu_status
reserve(struct koshu_backend_partition *s, const struct koshu_force_task *task,
        size_t total)
{
    (void)task;
    s->total = total;
    return KOSHU_OK;
}

static koshu_status
measure(struct koshu_backend_partition *s, const struct koshu_force_task *task,
        struct koshu_particles *particles, unsigned fields,
        struct koshu_partition_extent *extent, bool *needs_all)
{
    (void)task, (void)fields;
    assert_int_equal(koshu_particles_total(particles), s->total);
    int rank = koshu_ranks_rank(s->context);
    *extent = (struct koshu_partition_extent){.low = {-rank, 0, 0},
                                              .high = {rank, 0, 1},
                                              .largest_mass = rank + 1};
    *needs_all = rank == 1; /* one rank that needs all is enough */
    s->result = 0;
    return KOSHU_OK;
}

static koshu_status
start(struct koshu_backend_partition *s,
      const struct koshu_partition_extent *all)
{
    int n = koshu_ranks_count(s->context);
    struct koshu_slice own =
            koshu_slice_of(s->total, koshu_ranks_rank(s->context), n);
    assert_int_equal(all != NULL, n > 1);
    if (all) {
        assert_near(all->low[0], 1 - n, 0);
        assert_near(all->high[0], n - 1, 0);
        assert_near(all->largest_mass, n, 0);
    }
    for (size_t i = 0; i < MAX; i++) s->points[i] = s->sums[i] = -1;
    for (size_t i = own.first; i < own.first + own.n; i++)
        s->points[i] = (double)i;
    return KOSHU_OK;
}

static double
digit(int rank)
{
    double x = 1;
    while (rank-- > 0) x *= 16;
    return x;
}

static koshu_status
sum(struct koshu_backend_partition *s)
{
    if (s->broken)
        return koshu_fail(s->context, KOSHU_ERROR_DEVICE, "is broken");
    for (size_t i = 0; i < s->total; i++) {
        if (s->points[i] != (double)i) s->result = 1;
        s->sums[i] = digit(koshu_ranks_rank(s->context));
    }
    return KOSHU_OK;
}

static size_t
find_chunks(const struct koshu_backend_partition *s,
            const struct koshu_traffic_range *range,
            struct koshu_traffic_chunk chunks[KOSHU_TRAFFIC_CHUNKS])
{
    int n = koshu_ranks_count(s->context);
    struct koshu_slice a = koshu_slice_of(s->total, range->first, n);
    struct koshu_slice b =
            koshu_slice_of(s->total, range->first + range->n - 1, n);
    const double *from =
            range->array == KOSHU_PARTITION_POINTS ? s->points + a.first
            : range->array == KOSHU_PARTITION_SUMS ? s->sums + a.first
                                                   : s->come;
    chunks[0].memory = (void *)(uintptr_t)from;
    chunks[0].bytes = (b.first + b.n - a.first) * sizeof(double);
    return 1;
}

static koshu_status
add(struct koshu_backend_partition *s, const struct koshu_traffic_range *to,
    const struct koshu_traffic_range *come)
{
    struct koshu_traffic_chunk a[KOSHU_TRAFFIC_CHUNKS], b[KOSHU_TRAFFIC_CHUNKS];
    find_chunks(s, to, a);
    find_chunks(s, come, b);
    double *sums = a[0].memory;
    const double *others = b[0].memory;
    for (size_t i = 0; i < a[0].bytes / sizeof(double); i++)
        sums[i] += others[i];
    return KOSHU_OK;
}

/* Checks that each rank's digit is present once. */
static koshu_status
finish(struct koshu_backend_partition *s)
{
    int n = koshu_ranks_count(s->context);
    struct koshu_slice own =
            koshu_slice_of(s->total, koshu_ranks_rank(s->context), n);
    double all = 0;
    for (int r = 0; r < n; r++) all += digit(r);
    for (size_t i = own.first; i < own.first + own.n; i++)
        if (s->sums[i] != all) s->result = 2;
    return KOSHU_OK;
}

/* ---- arrays, and copies by the host -------------------------------------- */

static struct koshu_device_arrays *
arrays_of(struct koshu_backend_partition *s)
{
    return (struct koshu_device_arrays *)s;
}

static size_t
chunks(const struct koshu_device_arrays *arrays,
       const struct koshu_traffic_range *range,
       struct koshu_traffic_chunk chunks[KOSHU_TRAFFIC_CHUNKS])
{
    return find_chunks((const struct koshu_backend_partition *)arrays, range,
                       chunks);
}

static const struct koshu_traffic_ops traffic_ops = {.wait = do_nothing,
                                                     .chunks = chunks,
                                                     .start = do_nothing,
                                                     .finish = do_nothing,
                                                     .stage = &host_stage};
static const struct koshu_partition_ops partition_ops = {
        .create = create,
        .destroy = destroy,
        .has_capacity = has_capacity,
        .reserve = reserve,
        .measure = measure,
        .start = start,
        .sum = sum,
        .add = add,
        .finish = finish,
        .arrays = arrays_of,
        .traffic = &traffic_ops};
static const struct koshu_backend_ops ops = {.name = "fake",
                                             .partition = &partition_ops};

/* ---- tests --------------------------------------------------------------- */

static const struct koshu_force_task task = {.precision =
                                                     KOSHU_PRECISION_SINGLE};

static struct koshu_device_exchange_options
options_of(struct koshu_backend *backend, enum koshu_transport transport)
{
    *backend = (struct koshu_backend){.ops = &ops, .context = context};
    return (struct koshu_device_exchange_options){.ops = &partition_ops,
                                                  .backend = backend,
                                                  .model = "",
                                                  .one_each = true,
                                                  .transport = transport,
                                                  .capacity = MAX,
                                                  .task = &task};
}

static struct koshu_device_exchange *
make(struct koshu_backend *backend, enum koshu_transport transport)
{
    const struct koshu_device_exchange_options options =
            options_of(backend, transport);
    struct koshu_device_exchange *x;
    assert_ok(context, koshu_device_exchange_create(context, &options, &x));
    return x;
}

static koshu_status
forces(struct koshu_device_exchange *x, size_t n)
{
    struct koshu_particles *p;
    assert_ok(context, koshu_particles_create(context, n, &p));
    koshu_status status = koshu_device_exchange_forces(
            x, &task, p, n, KOSHU_FIELD_ACCELERATION);
    koshu_particles_destroy(p);
    return status;
}

static void
test_everything_arrives_once(void **state)
{
    (void)state;
    static const size_t sizes[] = {1024, 1031, 4999, 1500};
    struct koshu_backend backend;
    struct koshu_device_exchange *x = make(&backend, KOSHU_TRANSPORT_AUTO);
    assert_non_null(x);
    if (koshu_ranks_count(context) > 1)
        assert_non_null(
                strstr(koshu_ranks_transport(context), "host-staged, "));
    for (int times = 0; times < 2; times++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            assert_true(koshu_device_exchange_can(x, sizes[k]));
            assert_ok(context, forces(x, sizes[k]));
            assert_near(last->result, 0, 0);
        }
    assert_true(koshu_device_exchange_exposed(x) >= 0);
    koshu_device_exchange_destroy(x);
}

/* Too few particles, or more than the capacity, must take another route. */
static void
test_says_what_it_can(void **state)
{
    (void)state;
    size_t n = (size_t)koshu_ranks_count(context);
    struct koshu_backend backend;
    struct koshu_device_exchange *x = make(&backend, KOSHU_TRANSPORT_HOST);
    assert_true(koshu_device_exchange_can(x, MAX));
    assert_false(koshu_device_exchange_can(x, MAX + 1));
    assert_true(koshu_device_exchange_can(x, 128 * n));
    assert_false(koshu_device_exchange_can(x, 128 * n - 1));
    koshu_device_exchange_destroy(x);
}

/* If one rank fails, all finish the exchange and all get the error. */
static void
test_a_failure_is_everybodys(void **state)
{
    (void)state;
    int n = koshu_ranks_count(context);
    struct koshu_backend backend;
    struct koshu_device_exchange *x = make(&backend, KOSHU_TRANSPORT_HOST);
    last->broken = koshu_ranks_rank(context) == n - 1;
    assert_fails(context, KOSHU_ERROR_DEVICE, "is broken", forces(x, 2000));
    last->broken = false;
    assert_ok(context, forces(x, 2000));
    assert_near(last->result, 0, 0);
    koshu_device_exchange_destroy(x);
}

/* Transports that these devices do not have. */
static void
test_refuses_a_transport(void **state)
{
    (void)state;
    static const enum koshu_transport not_there[] = {KOSHU_TRANSPORT_PEER,
                                                     KOSHU_TRANSPORT_CUDA_AWARE,
                                                     KOSHU_TRANSPORT_NCCL};
    struct koshu_backend backend;
    struct koshu_device_exchange *x;
    for (int k = 0; k < 3; k++) {
        const struct koshu_device_exchange_options options =
                options_of(&backend, not_there[k]);
        assert_fails(context, KOSHU_ERROR_UNSUPPORTED,
                     koshu_transport_name(not_there[k]),
                     koshu_device_exchange_create(context, &options, &x));
        assert_null(x);
    }
    assert_null(koshu_transport_name(
            (enum koshu_transport)(KOSHU_TRANSPORT_HOST + 1)));
}

/* If one rank has no device, there is no exchange between devices. */
static void
test_needs_a_device_on_each(void **state)
{
    (void)state;
    struct koshu_backend backend;
    struct koshu_device_exchange *x;
    struct koshu_device_exchange_options options =
            options_of(&backend, KOSHU_TRANSPORT_AUTO);
    if (koshu_ranks_rank(context) == koshu_ranks_count(context) - 1)
        options.ops = NULL;
    assert_ok(context, koshu_device_exchange_create(context, &options, &x));
    assert_null(x);
    koshu_device_exchange_destroy(x);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_arrives_once),
        cmocka_unit_test(test_says_what_it_can),
        cmocka_unit_test(test_a_failure_is_everybodys),
        cmocka_unit_test(test_refuses_a_transport),
        cmocka_unit_test(test_needs_a_device_on_each),
};
RANKS_MAIN(tests)
