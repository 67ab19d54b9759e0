/* SPDX-License-Identifier: MIT */
/* Rows of an extrapolation computed side by side, compared with each alone. */
#include "chain_of.h"

static const unsigned substeps[KOSHU_GBS_ROWS] = {2,  3,  4,  6, 8,
                                                  12, 16, 24, 32};

/* A user-defined field that depends on position, body and time. */
static void
add_field(const void *user, double time, size_t n, const double (*x)[3],
          double (*f)[3])
{
    const double strength = *(const double *)user;
    for (size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++)
            f[k][d] -= strength * (x[k][d] + (double)k * time);
}

static struct koshu_perturber bodies[] = {
        {.mass = 0.5, .x = {3, 2, 1}, .v = {0.1, -0.2, 0.3}},
        {.mass = 0.3, .x = {-2, 4, 1}, .a = {0.01, 0, 0.1}, .jerk = {0, 1, 0}}};
static const double strength = 0.01;

/* Everything that can surround a chain. */
static const struct koshu_perturbers around[] = {
        {.n = 0},
        {.n = 2, .time = 1, .body = bodies},
        {.n = 2,
         .time = 1,
         .body = bodies,
         .field = add_field,
         .user = &strength}};
enum { AROUND = sizeof around / sizeof around[0] };

enum { MANY = 9 };

static struct koshu_chain
chain_of_some(size_t n)
{
    double mass[MANY], x[MANY][3], v[MANY][3];
    struct koshu_chain c;
    for (size_t k = 0; k < n; k++) {
        mass[k] = 1 / (double)(k + 2);
        for (size_t d = 0; d < 3; d++) {
            x[k][d] = sin((double)(7 * k + 3 * d + 1));
            v[k][d] = cos((double)(5 * k + 2 * d));
        }
    }
    koshu_chain_make(&c, n, mass, (const double(*)[3])x, (const double(*)[3])v,
                     1);
    return c;
}

static void
assert_rows_are_each_alone(const struct koshu_chain *c, unsigned first,
                           unsigned end)
{
    static struct koshu_increment all[KOSHU_GBS_ROWS];
    struct koshu_increment one;
    const struct koshu_gbs_rows rows = {0.125, first, end, substeps, all};
    koshu_chain_rows(c, &rows);
    for (unsigned row = first; row < end; row++) {
        koshu_chain_leapfrog(c, rows.s, substeps[row], &one);
        for (size_t k = 0; k < koshu_chain_size(c); k++) {
            assert_true(all[row].sum[k] == one.sum[k]);
            assert_true(all[row].rest[k] == one.rest[k]);
        }
        assert_true(one.sum[0] != 0);
    }
}

static void
assert_all_rows(const struct koshu_chain *c)
{
    for (unsigned first = 0; first < KOSHU_GBS_ROWS; first += 2)
        for (unsigned end = first + 1; end <= KOSHU_GBS_ROWS; end++)
            assert_rows_are_each_alone(c, first, end);
}

/* Two to eight bodies in vector lanes, more of them one by one; also slowed
 * pairs, and with any surroundings. */
static void
rows_have_the_bits_of_each_alone(void **state)
{
    (void)state;
    for (size_t n = 2; n <= MANY; n++) {
        struct koshu_chain c = chain_of_some(n);
        assert_all_rows(&c);
        c.rate[n - 2] = 0.25;
        koshu_chain_bind(&c);
        assert_all_rows(&c);
        for (int k = 0; k < AROUND; k++) {
            c.perturbers = &around[k];
            assert_all_rows(&c);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(rows_have_the_bits_of_each_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
