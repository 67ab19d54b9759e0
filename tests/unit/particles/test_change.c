/* SPDX-License-Identifier: MIT */
/* Removing and adding particles of a store wherever its fields are. On a device
 * the result is compared with the host's. */
#include <math.h>
#include <string.h>

#include "backend/backend.h"
#include "base/base.h"
#include "fixture.h"
#include "on_backend.h"
#include "particles/particles.h"

enum {
    FIELDS = KOSHU_FIELD_ALL | KOSHU_FIELD_WORK,
    MAX = 3000,
    BOXES = 4,
    ZOOMS = 2,
    BINS = 16
};

/* The value of array k for a particle, the same in any store; work counts fit
 * into 32 bits. */
static double
value(size_t k, uint64_t id)
{
    const bool work = koshu_particle_arrays[k].field == KOSHU_FIELD_WORK;
    return work ? (double)(1 + id % 97)
                : sin(1.0 + (double)k + 0.37 * (double)id);
}

static void
write_particle(const struct koshu_particle_view *v, size_t at, uint64_t id)
{
    for (size_t k = 0; k < KOSHU_ARRAYS; k++)
        if (koshu_particle_arrays[k].field & FIELDS && k != KOSHU_ARRAY_ID)
            ((double *)koshu_particle_array(v, k))[at] = value(k, id);
    v->id[at] = id;
}

/* Ids are 0, 2, 4, ... */
static struct koshu_particles *
make_store(size_t n)
{
    const struct koshu_slice slice = {0, n};
    struct koshu_particles *p;
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_create_slice(context, n, slice, &p));
    assert_ok(context,
              koshu_particles_on_host(p, FIELDS, KOSHU_ACCESS_WRITE, &v));
    for (size_t i = 0; i < n; i++) write_particle(&v, i, 2 * i);
    return p;
}

/* false: the backend has no device. */
static bool
move_to_device(struct koshu_particles *p)
{
    struct koshu_backend *backend;
    assert_ok(context, koshu_backend_of(context, &backend));
    if (!backend->ops->keep) return false;
    assert_ok(context, backend->ops->keep(backend, p));
    assert_ok(context,
              koshu_particles_on_device(p, FIELDS & ~(unsigned)KOSHU_FIELD_ID,
                                        KOSHU_ACCESS_READ_WRITE));
    return true;
}

/* Removes every stride_go-th particle and inserts others before every
 * stride_come-th; 0: none. All numbers follow from the ids. */
struct exchange {
    uint32_t go[MAX], at[MAX];
    uint64_t come[MAX], whole[2 * MAX];
    double rows[MAX * KOSHU_ARRAYS];
    size_t n_go, n_come, n_whole;
};
static struct exchange x;

static void
plan(size_t n, size_t stride_go, size_t stride_come)
{
    size_t stay = 0;
    x.n_go = x.n_come = x.n_whole = 0;
    for (size_t i = 0; i < n; i++) {
        if (stride_go && i % stride_go == stride_go / 2)
            x.go[x.n_go++] = (uint32_t)i;
        else
            x.whole[x.n_whole++] = 2 * i, stay++;
        if (!stride_come || i % stride_come) continue;
        x.at[x.n_come] = (uint32_t)stay;
        x.come[x.n_come++] = x.whole[x.n_whole++] = 2 * i + 1;
    }
    double *to = x.rows;
    for (size_t c = 0; c < x.n_come; c++)
        for (size_t k = 0; k < KOSHU_ARRAYS; k++) {
            if (!(koshu_particle_arrays[k].field & FIELDS)) continue;
            const double number = value(k, x.come[c]);
            if (k == KOSHU_ARRAY_ID)
                memcpy(to++, &x.come[c], sizeof *to);
            else
                memcpy(to++, &number, sizeof *to);
        }
}

static void
check_rows(struct koshu_particles *p)
{
    static double rows[MAX * KOSHU_ARRAYS];
    for (size_t k = 0; k < MAX * KOSHU_ARRAYS; k++) rows[k] = NAN;
    assert_ok(context, koshu_particles_rows(p, FIELDS, x.n_go, x.go, rows));
    const double *row = rows;
    for (size_t g = 0; g < x.n_go; g++)
        for (size_t k = 0; k < KOSHU_ARRAYS; k++) {
            const uint64_t id = 2 * (uint64_t)x.go[g];
            if (!(koshu_particle_arrays[k].field & FIELDS)) continue;
            if (k == KOSHU_ARRAY_ID)
                assert_memory_equal(row++, &id, sizeof id);
            else
                assert_true(*row++ == value(k, id));
        }
}

static void
check_store(struct koshu_particles *p)
{
    struct koshu_particle_view v;
    assert_int_equal(koshu_particles_count(p), x.n_whole);
    assert_ok(context,
              koshu_particles_on_host(p, FIELDS, KOSHU_ACCESS_READ, &v));
    for (size_t i = 0; i < x.n_whole; i++) {
        assert_int_equal(v.id[i], x.whole[i]);
        for (size_t k = KOSHU_ARRAY_MASS; k < KOSHU_ARRAYS; k++)
            if (koshu_particle_arrays[k].field & FIELDS)
                assert_true(((double *)koshu_particle_array(&v, k))[i] ==
                            value(k, v.id[i]));
    }
}

static void
check_change(size_t n, size_t stride_go, size_t stride_come, bool device)
{
    struct koshu_particles *p = make_store(n);
    plan(n, stride_go, stride_come);
    if (!device || move_to_device(p)) {
        const struct koshu_change change = {FIELDS, x.n_go, x.n_come,
                                            x.go,   x.at,   x.rows};
        check_rows(p);
        assert_ok(context, koshu_particles_change(p, &change));
        check_store(p);
    }
    koshu_particles_destroy(p);
}

/* More removed than added, as many, fewer; none, and all. */
static const size_t strides[][2] = {{3, 7}, {5, 5}, {7, 3}, {0, 1},
                                    {1, 0}, {1, 1}, {0, 2}, {2, 0}};
static const size_t sizes[] = {1, 2, 7, 300, 1500};

static void
particles_go_and_come(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t k = 0; k < sizeof strides / sizeof strides[0]; k++)
            for (int device = 0; device < 2; device++)
                check_change(sizes[s], strides[k][0], strides[k][1], device);
}

/* ---- ids while all other fields are on a device -------------------------- */

/* A device that does nothing: only the ids are checked. */
static koshu_status
copy_nothing(void *self, unsigned fields,
             const struct koshu_particle_view *host)
{
    (void)self, (void)fields, (void)host;
    return KOSHU_OK;
}

static koshu_status
change_nothing(void *self, const struct koshu_change *change, unsigned there)
{
    (void)self, (void)change;
    assert_int_equal(there, FIELDS & ~(unsigned)KOSHU_FIELD_ID);
    return KOSHU_OK;
}

static void
destroy_nothing(void *self)
{
    (void)self;
}

static const struct koshu_resident_ops resident = {.change = change_nothing};
static const struct koshu_device_copy_ops no_device = {
        .to_host = copy_nothing,
        .from_host = copy_nothing,
        .destroy = destroy_nothing,
        .resident = &resident};

/* Two exchanges: the particles added are removed again, whether or not the host
 * has done its part before. */
static void
check_ids(size_t n, size_t stride_go, size_t stride_come, bool settles)
{
    struct koshu_particles *p = make_store(n);
    struct koshu_particle_view v;
    plan(n, stride_go, stride_come);
    const struct koshu_change change = {FIELDS, x.n_go, x.n_come,
                                        x.go,   x.at,   x.rows};
    assert_ok(context, koshu_particles_set_device_copy(p, &no_device, NULL));
    assert_ok(context,
              koshu_particles_on_device(p, FIELDS & ~(unsigned)KOSHU_FIELD_ID,
                                        KOSHU_ACCESS_READ_WRITE));
    assert_ok(context, koshu_particles_change(p, &change));
    if (settles) koshu_particles_settle(p);
    static uint32_t back[MAX];
    for (size_t k = 0; k < x.n_come; k++) back[k] = x.at[k] + (uint32_t)k;
    const struct koshu_change undo = {FIELDS, x.n_come, 0, back, NULL, NULL};
    if (!settles) assert_ok(context, koshu_particles_change(p, &undo));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ID,
                                               KOSHU_ACCESS_READ, &v));
    size_t found = 0;
    for (size_t k = 0; k < x.n_whole; k++)
        if (settles || x.whole[k] % 2 == 0)
            assert_int_equal(v.id[found++], x.whole[k]);
    assert_int_equal(v.n, found);
    koshu_particles_destroy(p);
}

static void
ids_come_into_order_later(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t k = 0; k < sizeof strides / sizeof strides[0]; k++)
            for (int settles = 0; settles < 2; settles++)
                check_ids(sizes[s], strides[k][0], strides[k][1], settles);
}

/* ---- what a device computes about its particles -------------------------- */

static void
a_device_finds_the_outline(void **state)
{
    (void)state;
    struct koshu_particles *p = make_store(1000);
    struct koshu_particle_outline o;
    void *self;
    if (!move_to_device(p)) {
        koshu_particles_destroy(p);
        skip();
    }
    const struct koshu_resident_ops *ops = koshu_particles_resident(p, &self);
    assert_ok(context, ops->outline(self, true, &o));
    assert_true(o.finite && o.has_accelerations);
    double low = INFINITY, largest = 0, least = INFINITY;
    for (uint64_t id = 0; id < 2000; id += 2) {
        const double m = fabs(value(KOSHU_ARRAY_MASS, id));
        low = fmin(low, value(KOSHU_ARRAY_X + 1, id));
        largest = fmax(largest, m);
        if (m > 0) least = fmin(least, m);
    }
    assert_true(o.low[1] == low);
    assert_true(o.largest_mass == largest && o.least_mass == least);
    koshu_particles_destroy(p);
}

/* Two cuts: which box each particle is in, computed on the host. */
static const struct koshu_cut cuts[2][2] = {
        {{.axis = 0, .divides = true, .at = 0.25}},
        {{.axis = 1, .divides = true, .at = 0, .next = 0},
         {.axis = 2, .divides = true, .at = -0.5, .next = 2}}};

static uint32_t
box_of(uint64_t id)
{
    const bool behind = value(KOSHU_ARRAY_X, id) >= 0.25;
    return behind ? 2 + (value(KOSHU_ARRAY_X + 2, id) >= -0.5)
                  : 0 + (value(KOSHU_ARRAY_X + 1, id) >= 0);
}

static void
check_counts(const struct koshu_cut_ops *ops, void *self, size_t n)
{
    static const double end[ZOOMS][2] = {{-0.5, 1}, {0.25, 0.5}};
    struct koshu_cut looking[BOXES * ZOOMS] = {{0}};
    uint64_t count[BOXES * ZOOMS * BINS] = {0},
                                   wanted[BOXES * ZOOMS * BINS] = {0};
    for (int k = ZOOMS; k < BOXES * ZOOMS; k++)
        looking[k] = (struct koshu_cut){.axis = 1,
                                        .is_sought = true,
                                        .from = end[k % ZOOMS][0],
                                        .to = end[k % ZOOMS][1]};
    for (uint64_t k = 0; k < ZOOMS * n; k++) {
        const double *e = end[k % ZOOMS];
        const uint64_t id = 2 * (k / ZOOMS), box = box_of(id);
        const double y = value(KOSHU_ARRAY_X + 1, id),
                     at = (y - e[0]) / ((e[1] - e[0]) / BINS);
        if (box == 0 || y < e[0] || y > e[1]) continue;
        const size_t bin = at < BINS - 1 ? (size_t)at : BINS - 1;
        wanted[(box * ZOOMS + k % ZOOMS) * BINS + bin] +=
                (uint64_t)value(KOSHU_ARRAY_WORK, id);
    }
    assert_ok(context, ops->count(self, BOXES, ZOOMS, looking, BINS, count));
    assert_memory_equal(count, wanted, sizeof count);
}

static void
check_others(const struct koshu_cut_ops *ops, void *self, size_t n)
{
    static uint64_t other[MAX];
    size_t n_others, expected = 0;
    for (uint64_t i = 0; i < n; i++) expected += box_of(2 * i) != 2;
    assert_ok(context, ops->others(self, 2, expected - 1, other, &n_others));
    assert_int_equal(n_others, expected);
    assert_ok(context, ops->others(self, 2, expected, other, &n_others));
    assert_int_equal(n_others, expected);
    for (size_t k = 0; k < n_others; k++)
        assert_int_equal((uint32_t)other[k], box_of(2 * (other[k] >> 32)));
}

static void
a_device_cuts_boxes(void **state)
{
    (void)state;
    enum { N = 1200 };
    struct koshu_particles *p = make_store(N);
    void *self;
    if (!move_to_device(p)) {
        koshu_particles_destroy(p);
        skip();
    }
    const struct koshu_cut_ops *ops = &koshu_particles_resident(p, &self)->cuts;
    assert_ok(context, ops->start(self));
    assert_ok(context, ops->divide(self, 1, cuts[0]));
    assert_ok(context, ops->divide(self, 2, cuts[1]));
    check_counts(ops, self, N);
    check_others(ops, self, N);
    koshu_particles_destroy(p);
}

static int
begin(void **state)
{
    (void)state;
    context = test_context(on_backend("cpu"), 1);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(particles_go_and_come),
            cmocka_unit_test(ids_come_into_order_later),
            cmocka_unit_test(a_device_finds_the_outline),
            cmocka_unit_test(a_device_cuts_boxes),
    };
    return cmocka_run_group_tests(tests, begin, context_end);
}
