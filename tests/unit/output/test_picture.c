/* SPDX-License-Identifier: MIT */
#include <koshu/picture.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "png.h"

static struct koshu_context *context;

enum { PIXELS = 64 };

static double sigma[PIXELS * PIXELS];

static struct koshu_density_options
small_options(void)
{
    struct koshu_density_options o = koshu_density_options_default();
    static struct koshu_picture_view view;
    view = koshu_picture_view_default();
    view.pixels = PIXELS;
    o.view = &view;
    return o;
}

static koshu_status
draw_panels(const struct koshu_density_options *o, size_t n, const char *path)
{
    static const struct koshu_density_panel panel = {.sigma = sigma,
                                                     .label = "t = 1"};
    struct koshu_density_panel panels[16];
    for (size_t k = 0; k < n; k++) panels[k] = panel;
    return koshu_picture_density(context, n, panels, path, o);
}

static const char log_text[] = "step,time,total,virial_ratio,r10,r50,r90\n"
                               "0,0,-0.25,0,0.4,0.8,0.97\n"
                               "1,0.5,-0.2500001,0.3,0.2,0.4,0.6\n"
                               "2,1,-0.2500002,0.6,0.1,0.3,0.9\n";

static koshu_status
draw_log(const char *text, unsigned curves, const char *path)
{
    struct koshu_curves_options o = koshu_curves_options_default();
    o.curves = curves;
    scratch_write("log.csv", text, strlen(text));
    return koshu_picture_curves(context, "log.csv", path, &o);
}

/* ---- pictures ---------------------------------------------------------- */

static void
panels_stand_in_rows(void **state)
{
    (void)state;
    struct koshu_density_options o = small_options();
    size_t n;
    assert_ok(context, draw_panels(&o, 1, "one.png"));
    unsigned char *png = scratch_read("one.png", &n);
    uint32_t width = png_number(png + 16), height = png_number(png + 20);
    free(png);
    uint32_t next = PIXELS + 10; /* a panel and the gap before it */
    static const uint32_t columns[] = {1, 2, 3, 4, 3, 3, 4, 4, 3};
    for (uint32_t k = 1; k <= 9; k++) {
        uint32_t c = columns[k - 1], rows = (k + c - 1) / c;
        assert_ok(context, draw_panels(&o, k, "some.png"));
        assert_png("some.png", width + (c - 1) * next,
                   height + (rows - 1) * next);
    }
    o.title = "more height";
    assert_ok(context, draw_panels(&o, 1, "some.png"));
    assert_png("some.png", width, height + 34);
}

static void
identical_data_give_identical_bytes(void **state)
{
    (void)state;
    struct koshu_density_options o = small_options();
    size_t n1, n2;
    assert_ok(context, draw_panels(&o, 2, "a.png"));
    assert_ok(context, draw_panels(&o, 2, "b.png"));
    unsigned char *a = scratch_read("a.png", &n1),
                  *b = scratch_read("b.png", &n2);
    assert_int_equal(n1, n2);
    assert_memory_equal(a, b, n1);
    free(b);
    sigma[PIXELS / 2] *= 100; /* and others give others */
    assert_ok(context, draw_panels(&o, 2, "b.png"));
    sigma[PIXELS / 2] /= 100;
    b = scratch_read("b.png", &n2);
    assert_true(n1 != n2 || memcmp(a, b, n1) != 0);
    free(a);
    free(b);
}

/* Whatever text or name is given, it is drawn or used, and nothing of it is
 * a command. */
static void
any_text_and_any_name_will_do(void **state)
{
    (void)state;
    static const char nasty[] =
            "it's `touch pwned` \"$(touch pwned)\"\n'; system 'touch pwned' #"
            "\\ @x %s %d {/Symbol a} _^ \xff\xfe \xe2\x98\xba \x01";
    static const char *const names[] = {
            "with space.png", "quote'.png",  "\"double\".png", "new\nline.png",
            "`tick`.png",     "$dollar.png", "-dash.png",      "no ending"};
    struct koshu_density_options o = small_options();
    o.title = nasty;
    const struct koshu_density_panel panel = {.sigma = sigma, .label = nasty};
    struct koshu_curves_options c = koshu_curves_options_default();
    c.curves = KOSHU_CURVES_VIRIAL;
    c.title = nasty;
    scratch_write("it's `a log`.csv", log_text, strlen(log_text));
    for (int k = 0; k < 8; k++) {
        assert_ok(context,
                  koshu_picture_density(context, 1, &panel, names[k], &o));
        assert_png(names[k], 0, 0);
        assert_ok(context, koshu_picture_curves(context, "it's `a log`.csv",
                                                names[k], &c));
        assert_png(names[k], 0, 0);
    }
    assert_int_equal(access("pwned", F_OK), -1);
}

/* Where quotes stand decides what gnuplot makes of them. */
static void
titles_may_be_quotes(void **state)
{
    (void)state;
    static const char *const titles[] = {"'",  "'''a", "a''b", "\"",
                                         "\\", "`id`", "a\\n", "@x"};
    struct koshu_density_options o = small_options();
    for (size_t k = 0; k < sizeof titles / sizeof titles[0]; k++) {
        const struct koshu_density_panel panel = {.sigma = sigma,
                                                  .label = titles[k]};
        o.title = titles[k];
        assert_ok(context,
                  koshu_picture_density(context, 1, &panel, "q.png", &o));
        assert_png("q.png", 0, 0);
    }
}

/* A gnuplot that never ends is ended. */
static void
gnuplot_has_a_limit(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH")), here[4096], both[16384];
    struct koshu_density_options o = small_options();
    const struct koshu_density_panel panel = {.sigma = sigma};
    static const char sleeper[] = "#!/bin/sh\nexec sleep 1000\n";
    scratch_write("gnuplot", sleeper, strlen(sleeper));
    assert_int_equal(chmod("gnuplot", 0700), 0);
    assert_non_null(getcwd(here, sizeof here));
    snprintf(both, sizeof both, "%s:%s", here, path);
    setenv("PATH", both, 1);
    setenv("KOSHU_GNUPLOT_SECONDS", "0.1", 1);
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "slow.png: gnuplot was stopped: it did not end within 0.1",
                 koshu_picture_density(context, 1, &panel, "slow.png", &o));
    assert_int_equal(access("slow.png", F_OK), -1);
    unsetenv("KOSHU_GNUPLOT_SECONDS");
    setenv("PATH", path, 1);
    unlink("gnuplot");
    free(path);
}

static void
each_kind_of_curve_has_its_panel(void **state)
{
    (void)state;
    assert_ok(context, draw_log(log_text, KOSHU_CURVES_ENERGY, "e.png"));
    assert_png("e.png", 812, 66 + 16 + 210);
    assert_ok(context, draw_log(log_text, KOSHU_CURVES_LAGRANGIAN, "l.png"));
    assert_png("l.png", 812, 66 + 16 + 340);
    assert_ok(context, draw_log(log_text, KOSHU_CURVES_ALL, "all.png"));
    assert_png("all.png", 812, 66 + 16 + 210 + 18 + 210 + 18 + 340);
}

/* What a log of the tree has is found by its columns. */
static void
logs_of_the_tree_have_their_own(void **state)
{
    (void)state;
    static const char performance[] = "step,time,walk,force,list_length,"
                                      "list_cells\n1,0.1,2,3,900,500\n"
                                      "2,0.2,2,4,950,510\n",
                      errors[] = "step,time,err_median,err_p99,list_length\n"
                                 "1,0,1e-4,1e-3,900\n";
    assert_ok(context, draw_log(performance, KOSHU_CURVES_ALL, "p.png"));
    assert_png("p.png", 812, 66 + 16 + 340 + 18 + 210);
    assert_ok(context, draw_log(errors, KOSHU_CURVES_ALL, "e.png"));
    assert_png("e.png", 812, 66 + 16 + 210 + 18 + 260);
    assert_ok(context, draw_log(errors, KOSHU_CURVES_ERRORS, "o.png"));
    assert_png("o.png", 812, 66 + 16 + 260);
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "no column 'walk'",
                 draw_log(errors, KOSHU_CURVES_STAGES, "x.png"));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "no column 'gflops_38'",
                 draw_log(performance, KOSHU_CURVES_RATES, "x.png"));
}

/* The stages of a step are areas on top of each other. */
static void
stages_are_stacked(void **state)
{
    (void)state;
    static const char *const logs[] = {
            "time,walk,force,gflops_38,gflops_corrected\n"
            "0.1,2,3,900,500\n0.2,2,4,950,510\n",
            "time,walk,transfer,force\n0.1,2,0,3\n0.2,2,0,4\n",
            "time,walk,force\n0.1,1,4\n0.2,2,4\n", /* other parts */
            "time,walk,force\n0.1,2,3\n",          /* one row fills it */
            "time,walk,force\n0.1,0,nan\n0.2,0,0\n"};
    unsigned char *png[3];
    size_t n[3];
    assert_ok(context,
              draw_log(logs[0], KOSHU_CURVES_RATES | KOSHU_CURVES_STAGES,
                       "both.png"));
    assert_png("both.png", 812, 66 + 16 + 340 + 18 + 210);
    for (int k = 0; k < 5; k++) {
        assert_ok(context, draw_log(logs[k], KOSHU_CURVES_STAGES, "s.png"));
        assert_png("s.png", 812, 66 + 16 + 340);
        if (k < 3) png[k] = scratch_read("s.png", &n[k]);
    }
    /* A stage that takes no time is not there; where the cut lies is seen. */
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(png[0], png[1], n[0]);
    assert_true(n[0] != n[2] || memcmp(png[0], png[2], n[0]) != 0);
    for (int k = 0; k < 3; k++) free(png[k]);
}

static void
columns_come_in_any_order(void **state)
{
    (void)state;
    size_t n1, n2;
    assert_ok(context, draw_log(log_text, KOSHU_CURVES_ALL, "a.png"));
    assert_ok(context, draw_log("r90,virial_ratio,r10,other,time,r50,total\n"
                                "0.97,0,0.4,9,0,0.8,-0.25\n"
                                "0.6,0.3,0.2,9,0.5,0.4,-0.2500001\n"
                                "0.9,0.6,0.1,9,1,0.3,-0.2500002\n",
                                KOSHU_CURVES_ALL, "b.png"));
    unsigned char *a = scratch_read("a.png", &n1),
                  *b = scratch_read("b.png", &n2);
    assert_int_equal(n1, n2);
    assert_memory_equal(a, b, n1);
    free(a);
    free(b);
}

/* One row, no energy, no error at all, radii of zero: nothing to divide by or
 * take the logarithm of, and still a picture. */
static void
curves_without_extent_are_drawn(void **state)
{
    (void)state;
    assert_ok(context, draw_log("time,total,virial_ratio,r50\n3,0,0,0\n",
                                KOSHU_CURVES_ALL, "c.png"));
    assert_ok(context, draw_log("time,total,virial_ratio,r50\n3,0,0,0\n"
                                "4,1e-300,nan,1e300\n5,-inf,0,inf\n",
                                KOSHU_CURVES_ALL, "c.png"));
    assert_ok(context, draw_log("time,total,virial_ratio,r50\n"
                                "3,-1,0.5,1\n4,-1,0.5,1\n",
                                KOSHU_CURVES_ALL, "c.png"));
    assert_png("c.png", 812, 0);
}

/* ---- what is refused --------------------------------------------------- */

static void
a_log_without_a_column_is_refused(void **state)
{
    (void)state;
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "no column 'time'",
                 draw_log("step,total\n1,2\n", KOSHU_CURVES_ENERGY, "x.png"));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "no column 'total'",
                 draw_log("time,x\n1,2\n", KOSHU_CURVES_ENERGY, "x.png"));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "no column 'virial_ratio'",
                 draw_log("time,x\n1,2\n", KOSHU_CURVES_VIRIAL, "x.png"));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "no column 'r50'",
                 draw_log("time,r5,rho,r00\n1,2,3,4\n", KOSHU_CURVES_LAGRANGIAN,
                          "x.png"));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "flags 0",
                 draw_log(log_text, 0, "x.png"));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "flags 0x80",
                 draw_log(log_text, 0x80, "x.png"));
    assert_int_equal(access("x.png", F_OK), -1);
}

static void
impossible_pictures_are_refused(void **state)
{
    (void)state;
    struct koshu_density_options o = small_options();
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "at least one panel",
                 draw_panels(&o, 0, "x.png"));
    o.min = 3;
    o.max = 3;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "from 3 to 3",
                 draw_panels(&o, 1, "x.png"));
    o = small_options();
    struct koshu_picture_view inside_out = koshu_picture_view_default();
    inside_out.half_width = -1;
    o.view = &inside_out;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "half-width",
                 draw_panels(&o, 1, "x.png"));

    static double nothing[PIXELS * PIXELS];
    const struct koshu_density_panel empty = {.sigma = nothing};
    o.size = 0;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 draw_panels(&o, 1, "x.png"));
    o = small_options();
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "surface density",
                 koshu_picture_density(context, 1, &empty, "x.png", &o));

    enum { MANY = 500 * 500 }; /* of 74 pixels: 37,000 */
    struct koshu_density_panel *many = calloc(MANY, sizeof *many);
    assert_non_null(many);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "larger than",
                 koshu_picture_density(context, MANY, many, "x.png", &o));
    free(many);
    assert_int_equal(access("x.png", F_OK), -1);
}

static void
an_old_picture_outlives_a_failure(void **state)
{
    (void)state;
    struct koshu_density_options o = small_options();
    assert_fails(context, KOSHU_ERROR_IO, "absent",
                 draw_panels(&o, 1, "absent/x.png"));
    scratch_write("old.png", "old", 3);
    setenv("PATH", "/nonexistent", 1);
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "install the package gnuplot-nox",
                 draw_panels(&o, 1, "old.png"));
    scratch_expect("old.png", "old");
}

/* ---- gnuplot that fails ------------------------------------------------ */

static void
put_gnuplot(const char *script)
{
    scratch_write("gnuplot", script, strlen(script));
    assert_int_equal(chmod("gnuplot", 0755), 0);
}

static void
what_gnuplot_says_is_handed_on(void **state)
{
    (void)state;
    struct koshu_density_options o = small_options();
    char *here = getcwd(NULL, 0);
    setenv("PATH", here, 1);
    free(here);
    scratch_write("old.png", "old", 3);
    put_gnuplot("#!/bin/sh\necho first >&2\necho '  line 0: oh no ' >&2\n"
                "echo >&2\nexit 3\n");
    assert_fails(context, KOSHU_ERROR_EXTERNAL,
                 "gnuplot failed with exit status 3: line 0: oh no",
                 draw_panels(&o, 1, "old.png"));
    put_gnuplot("#!/bin/sh\nexit 1\n");
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "it gave no reason",
                 draw_panels(&o, 1, "old.png"));
    put_gnuplot("#!/bin/sh\nkill -9 $$\n");
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "was ended by signal 9",
                 draw_panels(&o, 1, "old.png"));
    put_gnuplot("#!/bin/sh\nprintf '\\211PNG\\r\\n\\032\\n and a half'\n");
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "gnuplot made no picture",
                 draw_panels(&o, 1, "old.png"));
    put_gnuplot("no program at all");
    assert_fails(context, KOSHU_ERROR_EXTERNAL, "",
                 draw_panels(&o, 1, "old.png"));
    scratch_expect("old.png", "old");
}

static char path[4096];

static int
keep_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    return 0;
}

static int
restore_path(void **state)
{
    (void)state;
    return setenv("PATH", path, 1);
}

static int
set_up(void **state)
{
    (void)state;
    context = test_context(NULL, 1);
    scratch_enter();
    for (int k = 0; k < PIXELS * PIXELS; k++)
        sigma[k] = exp(-1e-2 * (k % PIXELS) - 1e-3 * k);
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    scratch_leave();
    koshu_context_destroy(context);
    return 0;
}

#define WITH_PATH(test) \
    cmocka_unit_test_setup_teardown(test, keep_path, restore_path)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(panels_stand_in_rows),
            cmocka_unit_test(identical_data_give_identical_bytes),
            cmocka_unit_test(any_text_and_any_name_will_do),
            cmocka_unit_test(titles_may_be_quotes),
            cmocka_unit_test(gnuplot_has_a_limit),
            cmocka_unit_test(each_kind_of_curve_has_its_panel),
            cmocka_unit_test(logs_of_the_tree_have_their_own),
            cmocka_unit_test(stages_are_stacked),
            cmocka_unit_test(columns_come_in_any_order),
            cmocka_unit_test(curves_without_extent_are_drawn),
            cmocka_unit_test(a_log_without_a_column_is_refused),
            cmocka_unit_test(impossible_pictures_are_refused),
            WITH_PATH(an_old_picture_outlives_a_failure),
            WITH_PATH(what_gnuplot_says_is_handed_on),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
