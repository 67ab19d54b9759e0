/* SPDX-License-Identifier: MIT */
/* Samples of particles: one of each part, in order, anywhere within it. */
#include "kernels/sample.h"

#include <stddef.h>

#include "check.h"

static void
expect_sample(uint64_t n, uint64_t all)
{
    uint64_t before = 0, particle = 0;
    for (uint64_t k = 0; k < n; k++) {
        particle = koshu_sample_particle(k, n, all);
        assert_true(particle >= k * all / n && particle < (k + 1) * all / n);
        assert_true(k == 0 || particle > before);
        assert_int_equal(koshu_sample_before(particle, n, all), k);
        assert_int_equal(koshu_sample_before(particle + 1, n, all), k + 1);
        before = particle;
    }
    assert_int_equal(koshu_sample_before(0, n, all), 0);
    assert_int_equal(koshu_sample_before(all, n, all), n);
}

static void
test_one_of_each_part(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 255, 256, 1000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const uint64_t n = sizes[k];
        for (uint64_t all = n; all < n + 50; all++) expect_sample(n, all);
        expect_sample(n, 262144);
        expect_sample(n, UINT32_MAX);
    }
}

static void
test_all_of_them(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 100; k++)
        assert_int_equal(koshu_sample_particle(k, 100, 100), k);
}

/* On a lattice of 64^3, numbered along z, y, x, a sample of 1024 has every
 * place in cells of 4^3 about as often. */
static void
test_places_in_cells_of_a_lattice(void **state)
{
    (void)state;
    int times[4][4] = {0};
    for (uint64_t k = 0; k < 1024; k++) {
        const uint64_t particle = koshu_sample_particle(k, 1024, 262144);
        times[particle % 4][particle / 64 % 4]++;
    }
    for (int z = 0; z < 4; z++)
        for (int y = 0; y < 4; y++)
            assert_true(times[z][y] > 32 && times[z][y] < 96);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_one_of_each_part),
            cmocka_unit_test(test_all_of_them),
            cmocka_unit_test(test_places_in_cells_of_a_lattice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
