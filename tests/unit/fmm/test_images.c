/* SPDX-License-Identifier: MIT */
/* Images of a periodic box: those treated as cells, and the lattice of all
 * others. */
#include <math.h>

#include "check.h"
#include "fixture.h"
#include "fmm/fmm.h"
#include "kernels/wrapped.h"

static struct koshu_fmm_images
images_of(double edge, double theta, unsigned depth)
{
    const struct koshu_fmm_box box = {
            .edge = edge, .corner = {-1, 0, 1e6}, .depth = depth};
    struct koshu_fmm_images images;
    assert_ok(context, koshu_fmm_images_make(context, &box, theta, &images));
    return images;
}

static double
wrapped(const struct koshu_fmm_images *in, int d, double x)
{
    return koshu_wrapped(x, in->corner[d], in->edge);
}

static void
each_image_is_there_once(void **state)
{
    (void)state;
    for (double theta = 0.22; theta < 1; theta += 0.12) {
        struct koshu_fmm_images in = images_of(2, theta, 0);
        const int reach = in.reach, width = 2 * reach + 1;
        size_t met[15 * 15 * 15] = {0};
        assert_true(sqrt(3) / (reach + 1) <= theta);
        for (uint32_t k = 0; k < in.n; k++) {
            const double *shift = in.shift[k];
            int at = 0;
            for (int d = 0; d < 3; d++)
                at = at * width + (int)(shift[d] / 2) + reach;
            met[at]++;
            assert_true((k == 0) ==
                        (shift[0] == 0 && shift[1] == 0 && shift[2] == 0));
        }
        assert_int_equal(in.n, width * width * width);
        for (size_t k = 0; k < in.n; k++) assert_int_equal(met[k], 1);
        koshu_fmm_images_free(&in);
    }
}

/* Every cell that the bits of its image hold, in every image. */
static void
check_code(const struct koshu_fmm_images *in, uint32_t near_cells,
           uint32_t far_cells)
{
    for (uint32_t k = 0; k < in->n; k++) {
        const uint32_t cells = k < 27 ? near_cells : far_cells,
                       root = koshu_entry_of_image(&in->code, k);
        const uint32_t some[] = {0, 5, far_cells / 2 + 1, cells - 1};
        for (size_t c = 0; c < sizeof some / sizeof some[0]; c++) {
            assert_int_equal(koshu_fmm_image_of(in, root + some[c]), k);
            assert_int_equal(koshu_fmm_cell_of(in, root + some[c]), some[c]);
        }
    }
    assert_true(koshu_fmm_code_fits(&in->code, near_cells));
    assert_false(koshu_fmm_code_fits(&in->code, (size_t)near_cells + 1));
}

/* The nearest images have more bits where theta and softening
 * are such that farther ones are met by large cells only. */
static void
entries_name_a_cell_and_an_image(void **state)
{
    (void)state;
    static const struct {
        double of_images, theta, apart;
        uint32_t near_cells, far_cells;
    } codes[] = {{0.5, 0.5, 1.01, 1 << 23, 1 << 23},
                 {0.5, 0.5, 1, 1 << 27, 1 << 17},
                 {0.22, 0.22, 0, 1 << 20, 1 << 20},
                 {0.22, 0.5, 0, 1 << 27, 1 << 17},
                 {0.9, 0.9, 0, 1 << 27, 1 << 27}};
    for (size_t k = 0; k < sizeof codes / sizeof codes[0]; k++) {
        struct koshu_fmm_images in = images_of(2, codes[k].of_images, 0);
        in.code = koshu_fmm_code_of(&in, codes[k].theta, codes[k].apart);
        check_code(&in, codes[k].near_cells, codes[k].far_cells);
        koshu_fmm_images_free(&in);
    }
}

static void
nearest_images_come_first(void **state)
{
    (void)state;
    struct koshu_fmm_images in = images_of(2, 0.5, 0);
    for (int k = 0; k < 27; k++)
        for (int d = 0; d < 3; d++) assert_true(fabs(in.shift[k][d]) <= 2);
    check_code(&in, 1 << 23, 1 << 23);
    koshu_fmm_images_free(&in);
}

static void
positions_are_wrapped(void **state)
{
    (void)state;
    struct koshu_fmm_images in = images_of(2, 0.5, 0);
    assert_true(wrapped(&in, 0, -1) == -1);
    assert_true(wrapped(&in, 0, 0.123) == 0.123);
    assert_true(wrapped(&in, 0, 1) == -1);
    assert_true(wrapped(&in, 0, -1 - 1e-30) == -1);
    assert_near(wrapped(&in, 0, -1.25), 0.75, 0);
    assert_near(wrapped(&in, 0, 100.5), 0.5, 1e-13);
    assert_near(wrapped(&in, 2, 0.5), 1e6 + 0.5, 1e-9);
    assert_true(isnan(wrapped(&in, 0, INFINITY)));
    assert_true(isnan(wrapped(&in, 0, NAN)));
    for (double x = 1; x < 1e300; x *= -7.3) {
        const double at = wrapped(&in, 1, x);
        assert_true(at >= 0 && at < 2);
    }
    koshu_fmm_images_free(&in);
}

/* A charge's potential at its own place, from the near images and the lattice
 * of all others, is that of the whole lattice, however many images count as
 * near. */
static void
the_lattice_has_the_other_images(void **state)
{
    (void)state;
    for (double theta = 0.22; theta < 1; theta += 0.12) {
        struct koshu_fmm_images in = images_of(1, theta, 0);
        struct koshu_lattice *lattice;
        const double charge[] = {1, 0, 0, 0, 0, 0, 0, 0, 0};
        double local[9];
        assert_ok(context, koshu_lattice_create(context, 2, &in, 0, &lattice));
        koshu_lattice_apply(lattice, charge, local);
        double sum = local[0];
        for (size_t k = 1; k < in.n; k++)
            sum += 1 /
                   hypot(hypot(in.shift[k][0], in.shift[k][1]), in.shift[k][2]);
        assert_near(sum, -2.837297479480620, 1e-11);
        for (int k = 1; k < 9; k++) assert_near(local[k], 0, 0);
        koshu_lattice_destroy(lattice);
        koshu_fmm_images_free(&in);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(each_image_is_there_once),
            cmocka_unit_test(entries_name_a_cell_and_an_image),
            cmocka_unit_test(nearest_images_come_first),
            cmocka_unit_test(positions_are_wrapped),
            cmocka_unit_test(the_lattice_has_the_other_images),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
