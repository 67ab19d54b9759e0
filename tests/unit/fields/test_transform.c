/* SPDX-License-Identifier: MIT */
/* Transforms compared with sums over all cells, round trips, plane waves and
 * Parseval's theorem, in both precisions. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "fields/fields.h"
#include "fixture.h"

static const double two_pi = 6.28318530717958647692;

static const struct koshu_mesh meshes[] = {{{1, 1, 1}, {1, 1, 1}},
                                           {{2, 3, 4}, {1, 2, 3}},
                                           {{5, 1, 7}, {1, 1, 1}},
                                           {{8, 6, 9}, {1, 1, 1}},
                                           {{7, 10, 2}, {1, 1, 1}}};
enum { MESHES = sizeof meshes / sizeof *meshes };

struct pair {
    struct koshu_transform *transform;
    bool in_double;
    const struct koshu_mesh *mesh;
    void *field;
};

static struct pair
make(struct koshu_context *in, const struct koshu_mesh *mesh, bool in_double)
{
    struct pair p = {.in_double = in_double, .mesh = mesh};
    assert_ok(in, koshu_transform_create(in, mesh,
                                         in_double ? KOSHU_PRECISION_DOUBLE
                                                   : KOSHU_PRECISION_SINGLE,
                                         &p.transform));
    assert_ok(in, koshu_field_create(p.transform, "a test", &p.field));
    memset(p.field, 0xff, koshu_field_bytes(p.transform)); /* NaN */
    return p;
}

static void
release(struct pair p)
{
    koshu_free(p.field);
    koshu_transform_destroy(p.transform);
}

static size_t
place(const struct koshu_mesh *g, size_t i, size_t j)
{
    return (i * g->n[1] + j) * koshu_mesh_row(g);
}

static void
set(struct pair p, size_t i, size_t j, size_t l, double value)
{
    size_t at = 2 * place(p.mesh, i, j) + l;
    if (p.in_double)
        ((double *)p.field)[at] = value;
    else
        ((float *)p.field)[at] = (float)value;
}

static double
get(struct pair p, size_t i, size_t j, size_t l)
{
    size_t at = 2 * place(p.mesh, i, j) + l;
    return p.in_double ? ((double *)p.field)[at]
                       : (double)((float *)p.field)[at];
}

static double complex
wave(struct pair p, size_t i, size_t j, size_t l)
{
    size_t at = place(p.mesh, i, j) + l;
    return p.in_double ? ((double complex *)p.field)[at]
                       : (double complex)((float complex *)p.field)[at];
}

/* Random numbers of rms about 1. */
static double
noise(size_t i, size_t j, size_t l)
{
    return 1.4 * sin(12.9898 * (double)(i + 1) + 78.233 * (double)(j * j) +
                     37.719 * (double)(l * l * l + i * j));
}

#define EACH_CELL(g)                           \
    for (size_t i = 0; i < (g)->n[0]; i++)     \
        for (size_t j = 0; j < (g)->n[1]; j++) \
            for (size_t l = 0; l < (g)->n[2]; l++)

#define EACH_WAVE(g)                           \
    for (size_t i = 0; i < (g)->n[0]; i++)     \
        for (size_t j = 0; j < (g)->n[1]; j++) \
            for (size_t l = 0; l < koshu_mesh_waves(g); l++)

static double complex
sum_over_cells(const struct koshu_mesh *g, size_t a, size_t b, size_t c)
{
    double complex sum = 0;
    EACH_CELL(g)
    {
        double phase = (double)(a * i) / (double)g->n[0] +
                       (double)(b * j) / (double)g->n[1] +
                       (double)(c * l) / (double)g->n[2];
        sum += noise(i, j, l) * cexp(-I * two_pi * phase);
    }
    return sum / (double)koshu_mesh_cells(g);
}

/* Tolerance of 6 sigma, which some hundred numbers do not exceed by chance. */
static double
bound(struct pair p)
{
    return 6 * koshu_transform_error(p.transform);
}

static void
check_one(const struct koshu_mesh *g, bool in_double)
{
    struct pair p = make(context, g, in_double);
    EACH_CELL(g) set(p, i, j, l, noise(i, j, l));
    assert_ok(context, koshu_transform_forward(p.transform, p.field));
    EACH_WAVE(g)
    {
        double error = cabs(wave(p, i, j, l) - sum_over_cells(g, i, j, l));
        assert_true(error <= bound(p));
    }
    assert_ok(context, koshu_transform_backward(p.transform, p.field));
    EACH_CELL(g)
    assert_true(fabs(get(p, i, j, l) - noise(i, j, l)) <= bound(p));
    release(p);
}

static void
test_transforms_are_the_sums_they_stand_for(void **state)
{
    (void)state;
    for (size_t k = 0; k < MESHES; k++)
        for (int in_double = 0; in_double < 2; in_double++)
            check_one(&meshes[k], in_double);
}

/* cos(k x) with frequencies (3, -2, 1) is the wave (3, n - 2, 1) alone. */
static void
test_a_plane_wave_is_one_wave(void **state)
{
    (void)state;
    struct koshu_mesh g = {{16, 12, 10}, {1, 1, 1}};
    for (int in_double = 0; in_double < 2; in_double++) {
        struct pair p = make(context, &g, in_double);
        EACH_CELL(&g)
        set(p, i, j, l,
            cos(two_pi *
                (3 * (double)i / 16 - 2 * (double)j / 12 + (double)l / 10)));
        assert_ok(context, koshu_transform_forward(p.transform, p.field));
        EACH_WAVE(&g)
        {
            double expected = i == 3 && j == 10 && l == 1 ? 0.5 : 0;
            assert_true(cabs(wave(p, i, j, l) - expected) <= bound(p));
        }
        release(p);
    }
}

static void
test_waves_have_the_power_of_the_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < MESHES; k++) {
        const struct koshu_mesh *g = &meshes[k];
        struct pair p = make(context, g, true);
        double values = 0, waves = 0;
        EACH_CELL(g)
        {
            set(p, i, j, l, noise(i, j, l));
            values += noise(i, j, l) * noise(i, j, l);
        }
        assert_ok(context, koshu_transform_forward(p.transform, p.field));
        EACH_WAVE(g)
        waves += koshu_mesh_multiplicity(g, l) * cabs(wave(p, i, j, l)) *
                 cabs(wave(p, i, j, l));
        values /= (double)koshu_mesh_cells(g);
        assert_true(fabs(values / waves - 1) <= bound(p));
        release(p);
    }
}

/* Threads divide planes and columns; each is one thread's work. */
static void
test_bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    struct koshu_mesh g = {{24, 20, 18}, {1, 1, 1}};
    struct koshu_context *two = test_context("ref", 3);
    struct pair a = make(context, &g, true), b = make(two, &g, true);
    memset(a.field, 0, koshu_field_bytes(a.transform));
    memset(b.field, 0, koshu_field_bytes(b.transform));
    EACH_CELL(&g)
    {
        set(a, i, j, l, noise(i, j, l));
        set(b, i, j, l, noise(i, j, l));
    }
    assert_ok(context, koshu_transform_forward(a.transform, a.field));
    assert_ok(two, koshu_transform_forward(b.transform, b.field));
    EACH_WAVE(&g)
    {
        double complex x = wave(a, i, j, l), y = wave(b, i, j, l);
        assert_memory_equal(&x, &y, sizeof x);
    }
    release(a);
    release(b);
    koshu_context_destroy(two);
}

static void
test_bad_requests_are_refused(void **state)
{
    (void)state;
    struct koshu_mesh none = koshu_mesh_cube(0, 1), g = koshu_mesh_cube(4, 1);
    struct koshu_transform *transform = NULL;
    assert_int_equal(koshu_transform_create(context, &none,
                                            KOSHU_PRECISION_DOUBLE, &transform),
                     KOSHU_ERROR_INVALID_ARGUMENT);
    assert_int_equal(koshu_transform_create(context, &g, KOSHU_PRECISION_MIXED,
                                            &transform),
                     KOSHU_ERROR_INVALID_ARGUMENT);
    assert_null(transform);
    koshu_transform_destroy(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_transforms_are_the_sums_they_stand_for),
            cmocka_unit_test(test_a_plane_wave_is_one_wave),
            cmocka_unit_test(test_waves_have_the_power_of_the_values),
            cmocka_unit_test(test_bits_do_not_depend_on_threads),
            cmocka_unit_test(test_bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
