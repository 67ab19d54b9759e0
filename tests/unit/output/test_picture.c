/* SPDX-License-Identifier: MIT */
#include <koshu/picture.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "png.h"
#include "draw.h"

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

/* ---- pictures ---------------------------------------------------------- */

static void
size_of(const char *path, uint32_t *width, uint32_t *height)
{
    size_t n;
    unsigned char *png = scratch_read(path, &n);
    *width = png_number(png + 16);
    *height = png_number(png + 20);
    free(png);
}

static void
panels_stand_in_rows(void **state)
{
    (void)state;
    struct koshu_density_options o = small_options();
    uint32_t width, height;
    assert_ok(context, draw_panels(&o, 1, "one.png"));
    size_of("one.png", &width, &height);
    uint32_t next = PIXELS + 6; /* a panel and the gap before it, 10 * 0.6 */
    static const uint32_t columns[] = {1, 2, 3, 4, 3, 3, 4, 4, 3};
    for (uint32_t k = 1; k <= 9; k++) {
        uint32_t c = columns[k - 1], rows = (k + c - 1) / c;
        assert_ok(context, draw_panels(&o, k, "some.png"));
        assert_png("some.png", width + (c - 1) * next,
                   height + (rows - 1) * next);
    }
    o.title = "more height";
    assert_ok(context, draw_panels(&o, 1, "some.png"));
    assert_png("some.png", width, height + 18);
}

/* With twice the pixels everything is twice as large, text and margins too. */
static void
all_grows_with_the_pixels(void **state)
{
    (void)state;
    struct koshu_density_options o = small_options();
    struct koshu_picture_view view = *o.view;
    static double fine[800 * 800];
    uint32_t width[2], height[2];
    for (int k = 0; k < 800 * 800; k++) fine[k] = 1 + k % 7;
    const struct koshu_density_panel panel = {.sigma = fine};
    const struct koshu_density_panel panels[] = {panel, panel};
    o.view = &view;
    for (int k = 0; k < 2; k++) {
        view.pixels = (size_t)400 << k;
        assert_ok(context,
                  koshu_picture_density(context, 2, panels, "some.png", &o));
        size_of("some.png", &width[k], &height[k]);
    }
    /* each margin is a whole number of pixels */
    assert_in_range(width[1], 2 * width[0] - 2, 2 * width[0] + 2);
    assert_in_range(height[1], 2 * height[0] - 2, 2 * height[0] + 2);
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
    sigma[PIXELS / 2] *= 100; /* other data give another picture */
    assert_ok(context, draw_panels(&o, 2, "b.png"));
    sigma[PIXELS / 2] /= 100;
    b = scratch_read("b.png", &n2);
    assert_true(n1 != n2 || memcmp(a, b, n1) != 0);
    free(a);
    free(b);
}

/* Any text is drawn and any name is used; none is interpreted as a command. */
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

/* gnuplot treats quotes differently depending on their position. */
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

/* A gnuplot that does not end is killed. */
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

/* ---- what is refused --------------------------------------------------- */

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

    enum { MANY = 500 * 500 }; /* of 70 pixels each: 35,000 in a row */
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

#define WITH_PATH(test) \
    cmocka_unit_test_setup_teardown(test, keep_path, restore_path)

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(panels_stand_in_rows),
            cmocka_unit_test(all_grows_with_the_pixels),
            cmocka_unit_test(identical_data_give_identical_bytes),
            cmocka_unit_test(any_text_and_any_name_will_do),
            cmocka_unit_test(titles_may_be_quotes),
            cmocka_unit_test(gnuplot_has_a_limit),
            cmocka_unit_test(impossible_pictures_are_refused),
            WITH_PATH(an_old_picture_outlives_a_failure),
            WITH_PATH(what_gnuplot_says_is_handed_on),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
