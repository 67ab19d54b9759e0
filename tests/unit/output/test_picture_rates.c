/* SPDX-License-Identifier: MIT */
#include "output/output.h"
#include "png.h"

static struct koshu_context *context;

/* Two candidates at each of two sizes, of which the better counts; one of
 * each. */
static double all[] = {1024, 2e11, 1024, 1e11, 2048, 8e11, 2048, 5e11};
static double best[] = {1024, 2e11, 2048, 8e11};
static const struct koshu_curve of_two[] = {{"each shape", KOSHU_CURVE_DOTS, 4,
                                             all},
                                            {"fastest", KOSHU_CURVE_LINE, 2,
                                             best}},
                                of_one[] = {{"", KOSHU_CURVE_DOTS, 1, all},
                                            {"", KOSHU_CURVE_LINE, 1, best}};
static const struct koshu_rates two_sizes = {"single", 2, of_two, NULL},
                                one_size = {"mixed", 2, of_one, NULL};

static koshu_status
draw(const char *title, const struct koshu_rates *rates, size_t n,
     const char *path)
{
    struct koshu_rates panels[4];
    for (size_t k = 0; k < n; k++) panels[k] = rates[k % 2];
    return koshu_picture_rates(context, title, NULL, "rate", panels, n, path);
}

static const struct koshu_rates both[2] = {two_sizes, one_size};

static bool
same_bytes(const char *path_a, const char *path_b)
{
    size_t n_a, n_b;
    unsigned char *a = scratch_read(path_a, &n_a),
                  *b = scratch_read(path_b, &n_b);
    const bool same = n_a == n_b && memcmp(a, b, n_a) == 0;
    free(a);
    free(b);
    return same;
}

static void
panels_stand_beside_each_other(void **state)
{
    (void)state;
    const uint32_t alone = 90 + 380 + 30, next = 380 + 70;
    for (uint32_t n = 1; n <= 4; n++) {
        assert_ok(context, draw("GPU", both, n, "rates.png"));
        assert_png("rates.png", alone + (n - 1) * next, 70 + 380 + 60);
    }
}

static void
what_is_given_is_drawn(void **state)
{
    (void)state;
    assert_ok(context, draw("GPU", both, 2, "a.png"));
    assert_ok(context, draw("GPU", both, 2, "b.png"));
    assert_true(same_bytes("a.png", "b.png"));
    double *const points[] = {&all[7], &best[3]};
    for (int k = 0; k < 2; k++) {
        *points[k] /= 3;
        assert_ok(context, draw("GPU", both, 2, "b.png"));
        *points[k] *= 3;
        assert_false(same_bytes("a.png", "b.png"));
    }
    assert_ok(context, draw("another GPU", both, 2, "b.png"));
    assert_false(same_bytes("a.png", "b.png"));
    struct koshu_curve curves[] = {of_two[0], of_two[1]};
    const struct koshu_rates renamed[2] = {{"single", 2, curves, NULL},
                                           one_size};
    curves[0].name = "dots";
    assert_ok(context, draw("GPU", renamed, 2, "b.png"));
    assert_false(same_bytes("a.png", "b.png"));
}

/* Curves have different styles, those without points are left out, and if there
 * are more than two their names are beside the panel. */
static void
curves_are_told_apart(void **state)
{
    (void)state;
    struct koshu_curve curves[] = {
            {"ours", KOSHU_CURVE_LINE, 2, best},
            {"theirs", KOSHU_CURVE_LINE, 4, all},
            {"none", KOSHU_CURVE_DASHED, 0, NULL},
    };
    const struct koshu_rates panel = {"GPU", 3, curves, NULL};
    assert_ok(context, draw("", &panel, 1, "a.png"));
    assert_png("a.png", 90 + 380 + 400, 70 + 380 + 60);
    curves[1].style = KOSHU_CURVE_DASHED;
    assert_ok(context, draw("", &panel, 1, "b.png"));
    assert_false(same_bytes("a.png", "b.png"));
}

static void
any_text_will_do(void **state)
{
    (void)state;
    static const char nasty[] =
            "it's `touch pwned` \"$(touch pwned)\"\n'; system 'touch pwned' #"
            "\\ @x %s %d {/Symbol a} _^ \xff\xfe \x01";
    const struct koshu_curve curve = {nasty, KOSHU_CURVE_LINE, 2, best};
    const struct koshu_rates rates = {nasty, 1, &curve, NULL};
    assert_ok(context, koshu_picture_rates(context, nasty, nasty, nasty, &rates,
                                           1, "n.png"));
    assert_png("n.png", 0, 0);
    assert_int_equal(access("pwned", F_OK), -1);
}

/* A digit changed, also one that follows a number, gives another picture. */
static void
digits_stand_for_themselves(void **state)
{
    (void)state;
    assert_ok(context, draw("AVX-512", both, 1, "a.png"));
    assert_ok(context, draw("AVXm12", both, 1, "b.png"));
    assert_false(same_bytes("a.png", "b.png"));
}

static void
an_old_picture_outlives_a_failure(void **state)
{
    (void)state;
    assert_fails(context, KOSHU_ERROR_IO, "absent",
                 draw("GPU", both, 2, "absent/rates.png"));
    scratch_write("old.png", "old", 3);
    setenv("PATH", "/nonexistent", 1);
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "install the package gnuplot-nox",
                 draw("GPU", both, 2, "old.png"));
    scratch_expect("old.png", "old");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(panels_stand_beside_each_other),
            cmocka_unit_test(what_is_given_is_drawn),
            cmocka_unit_test(curves_are_told_apart),
            cmocka_unit_test(any_text_will_do),
            cmocka_unit_test(digits_stand_for_themselves),
            cmocka_unit_test(an_old_picture_outlives_a_failure),
    };
    scratch_enter();
    context = test_context("cpu", 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    koshu_context_destroy(context);
    scratch_leave();
    return failed;
}
