/* SPDX-License-Identifier: MIT */
/* Pictures of logs: each kind of curve. */
#include <koshu/picture.h>

#include <stdlib.h>
#include <string.h>

#include "png.h"
#include "draw.h"

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

/* A log of a tree run is recognised by its columns. */
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

static void
logs_of_clusters_have_their_own(void **state)
{
    (void)state;
    static const char cluster[] =
            "step,time [Myr],n_pairs,n_hard,n_hierarchies,bound_mass [Msun],"
            "core_radius [pc],r50 [pc],r90 [pc],velocity_dispersion,segregation"
            "\n0,0,3,2,1,90,0.1,0.8,2,0.5,1.1\n8,1,3,1,1,80,0,0.9,2.2,0.4,1."
            "2\n";
    assert_ok(context, draw_log(cluster, KOSHU_CURVES_ALL, "c.png"));
    assert_png("c.png", 812, 66 + 16 + 260 + 4 * (18 + 210));
    assert_ok(context, draw_log(cluster, KOSHU_CURVES_CORE | KOSHU_CURVES_BOUND,
                                "two.png"));
    assert_png("two.png", 812, 66 + 16 + 260 + 18 + 210);
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "no column 'segregation'",
                 draw_log(log_text, KOSHU_CURVES_SEGREGATION, "x.png"));
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "no column 'n_pairs'",
                 draw_log(log_text, KOSHU_CURVES_BINARIES, "x.png"));
}

/* In a cosmological log only the run's energy error is drawn and lengths are
 * comoving: a single panel, whatever the total energy does. */
static void
a_log_of_a_universe_has_its_energy_error(void **state)
{
    (void)state;
    static const char universe[] =
            "step,time,kinetic [Msun km^2/s^2],potential [Msun km^2/s^2],"
            "total [Msun km^2/s^2],energy_error,virial_ratio,r50 [Mpc]\n"
            "0,0.02,1,-2,-1,0,0.5,1\n1,0.03,3,-7,-4,1e-4,0.4,1\n";
    assert_ok(context, draw_log(universe, KOSHU_CURVES_ALL, "u.png"));
    assert_png("u.png", 812, 66 + 16 + 210);
}

/* The stages of a step are stacked areas. */
static void
stages_are_stacked(void **state)
{
    (void)state;
    static const char *const logs[] = {
            "time,walk,force,gflops_38,gflops_corrected\n"
            "0.1,2,3,900,500\n0.2,2,4,950,510\n",
            "time,walk,transfer,force\n0.1,2,0,3\n0.2,2,0,4\n",
            "time,walk,force\n0.1,1,4\n0.2,2,4\n", /* other fractions */
            /* a single row fills the panel */
            "time,walk,force\n0.1,2,3\n",
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
    /* A stage that takes no time is not drawn; the boundaries are visible. */
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

/* A single row, no energy, no error, radii of zero: nothing can be divided or
 * have its logarithm taken, and it still makes a picture. */
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
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "flags 0x1000",
                 draw_log(log_text, 0x1000, "x.png"));
    assert_int_equal(access("x.png", F_OK), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(each_kind_of_curve_has_its_panel),
            cmocka_unit_test(logs_of_the_tree_have_their_own),
            cmocka_unit_test(logs_of_clusters_have_their_own),
            cmocka_unit_test(a_log_of_a_universe_has_its_energy_error),
            cmocka_unit_test(stages_are_stacked),
            cmocka_unit_test(columns_come_in_any_order),
            cmocka_unit_test(curves_without_extent_are_drawn),
            cmocka_unit_test(a_log_without_a_column_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
