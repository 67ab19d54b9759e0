/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "check.h"
#include "models.h"
#include "particles/particles.h"
#include "scratch.h"

static struct koshu_context *context;
static char last_log[256];

static void
keep_log(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    (void)level;
    snprintf(last_log, sizeof last_log, "%s", message);
}

static void
write_text(const char *text)
{
    scratch_write("a.csv", text, strlen(text));
}

static struct koshu_particle_view
read_text(const char *text, struct koshu_particles **p,
          struct koshu_snapshot_info *info)
{
    struct koshu_particle_view v;
    write_text(text);
    assert_ok(context, koshu_snapshot_read(context, "a.csv", info, p));
    assert_ok(context, koshu_particles_on_host(*p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    return v;
}

static void
refuse(const char *text, koshu_status status, const char *words)
{
    struct koshu_particles *p = NULL;
    write_text(text);
    assert_fails(context, status, words,
                 koshu_snapshot_read(context, "a.csv", NULL, &p));
    assert_null(p);
}

static void
a_file_written_by_hand_is_read(void **state)
{
    (void)state;
    struct koshu_particles *p;
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_particle_view v = read_text("\xef\xbb\xbf# time = 1.5\r\n"
                                             "# a comment\n"
                                             "mass, vx,vy,vz, z,y,x, colour\r\n"
                                             "\n"
                                             "1,2,3,4,5,6,7,blue\n"
                                             "  .5 ,0,0,-1e-3,0,0,-0x1p3,\n"
                                             "# softening = 0.125\n"
                                             "1,1,1,1,1,1,1,red",
                                             &p, &info);
    assert_int_equal(info.n, 3);
    assert_true(info.time == 1.5 && info.softening == 0.125);
    assert_true(!info.has_potential && !info.single);
    assert_string_equal(info.program, "");
    assert_true(v.mass[0] == 1 && v.vx[0] == 2 && v.z[0] == 5 && v.x[0] == 7);
    assert_true(v.mass[1] == 0.5 && v.vz[1] == -1e-3 && v.x[1] == -8);
    assert_int_equal(v.id[2], 2);
    assert_string_equal(last_log, "a.csv: these columns are ignored: colour");
    koshu_particles_destroy(p);
}

static void
large_ids_are_exact(void **state)
{
    (void)state;
    struct koshu_particles *p;
    struct koshu_particle_view v =
            read_text("id,mass,x,y,z,vx,vy,vz\n"
                      "18446744073709551615,1,0,0,0,0,0,0\n"
                      "9007199254740993,1,1,0,0,0,0,0\n",
                      &p, NULL);
    assert_int_equal(v.id[0], UINT64_MAX);
    assert_int_equal(v.id[1], 9007199254740993);
    koshu_particles_destroy(p);
}

#define NAMES "id,mass,x,y,z,vx,vy,vz\n"

static void
bad_files_are_refused_with_the_line(void **state)
{
    (void)state;
    const struct {
        const char *text;
        koshu_status status;
        const char *words;
    } bad[] = {
            {"id,mass,x,y\n", KOSHU_ERROR_BAD_FORMAT,
             "a.csv, line 1: there is no column 'z'; the first line must name "
             "the columns id,mass,x,y,z,vx,vy,vz and may name potential"},
            {"# only\n# comments\n", KOSHU_ERROR_BAD_FORMAT,
             "line 2: the file ends before the column names"},
            {"id,mass,x,x,y,z,vx,vy,vz\n", KOSHU_ERROR_BAD_FORMAT,
             "two columns are named 'x'"},
            {NAMES, KOSHU_ERROR_BAD_INPUT, "a.csv: it holds no particles"},
            {"#\n\n" NAMES "0,1,0,0,0,0,0,0\n1,1,0,0\n", KOSHU_ERROR_BAD_FORMAT,
             "line 5: 8 columns are expected, but there are 4"},
            {NAMES "0,1,0,0,0,0,0,0,0\n", KOSHU_ERROR_BAD_FORMAT,
             "line 2: there are more than the 8 columns"},
            {NAMES "0,1,0,zero,0,0,0,0\n", KOSHU_ERROR_BAD_FORMAT,
             "line 2: 'zero' is not a finite number for 'y'"},
            {NAMES "0,1,0,nan,0,0,0,0\n", KOSHU_ERROR_BAD_FORMAT, "'nan'"},
            {NAMES "0,1,0,1e999,0,0,0,0\n", KOSHU_ERROR_BAD_FORMAT, "'1e999'"},
            {NAMES "0,1,0,1 2,0,0,0,0\n", KOSHU_ERROR_BAD_FORMAT, "'1 2'"},
            {NAMES "0,1,0,,0,0,0,0\n", KOSHU_ERROR_BAD_FORMAT,
             "'' is not a finite"},
            {NAMES "-1,1,0,0,0,0,0,0\n", KOSHU_ERROR_BAD_FORMAT,
             "'-1' is not an integer for 'id'"},
            {NAMES "1.5,1,0,0,0,0,0,0\n", KOSHU_ERROR_BAD_FORMAT,
             "'1.5' is not an int"},
            {NAMES "18446744073709551616,1,0,0,0,0,0,0\n",
             KOSHU_ERROR_BAD_FORMAT, "is not an integer"},
            {NAMES "0,-1,0,0,0,0,0,0\n", KOSHU_ERROR_BAD_FORMAT,
             "line 2: the mass -1 is negative"},
            {"# time = late\n" NAMES "0,1,0,0,0,0,0,0\n",
             KOSHU_ERROR_BAD_FORMAT,
             "line 1: 'late' is not a number for 'time'"},
            {"# softening = -1\n" NAMES "0,1,0,0,0,0,0,0\n",
             KOSHU_ERROR_BAD_INPUT, "the softening is negative"},
            {"# unit_mass_g = 0\n" NAMES "0,1,0,0,0,0,0,0\n",
             KOSHU_ERROR_BAD_INPUT, "a unit is not a positive number"},
            {"# n = 2\n" NAMES "0,1,0,0,0,0,0,0\n", KOSHU_ERROR_BAD_FORMAT,
             "the file says n = 2, but has 1 rows; it is truncated"},
            {"# n = 1\n" NAMES "0,1,0,0,0,0,0,0.12", KOSHU_ERROR_BAD_FORMAT,
             "the line has no end; it is truncated"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        refuse(bad[k].text, bad[k].status, bad[k].words);
}

/* Units after the column names, as people write them. */
#define WITH_UNITS(vz, z)                                              \
    "mass [Msun],x [pc],y [pc],z" z ",vx [km/s],vy [km/s],vz " vz "\n" \
    "1,2,0,0,3,0,0\n"

static void
columns_have_units(void **state)
{
    (void)state;
    struct koshu_particles *p;
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_units units;
    read_text(WITH_UNITS("[km/s]", "[pc]"), &p, &info);
    koshu_particles_destroy(p);
    assert_ok(context, koshu_units_find(context, "pc, Msun, km/s", &units));
    assert_true(info.has_units);
    assert_memory_equal(&info.units, &units, sizeof units);
    refuse(WITH_UNITS("[m/s]", ""), KOSHU_ERROR_BAD_INPUT,
           "the columns vy and vz are in different units ([m/s])");
    refuse(WITH_UNITS("[kg]", ""), KOSHU_ERROR_BAD_INPUT,
           "column vz: 'kg': expected a unit of velocity");
    refuse("# unit_length_cm = 1\n" WITH_UNITS("", ""), KOSHU_ERROR_BAD_INPUT,
           "its unit_length_cm is 1, but the column y is in units of 3.0856");
    refuse("mass [Msun],x [pc],y,z,vx,vy,vz\n1,2,0,0,3,0,0\n",
           KOSHU_ERROR_BAD_INPUT,
           "the column mass has a unit, and vx has none; give both");
    refuse("mass [g],x [cm],y,z,vx [cm/s],vy,vz\n1,2,0,0,3,0,0\n",
           KOSHU_ERROR_BAD_INPUT, "taken for units without dimension");
    /* the unit of a potential is the square of that of velocity */
    read_text("mass [Msun],x [pc],y,z,vx [km/s],vy,vz,potential [km^2/s^2]\n"
              "1,2,0,0,3,0,0,-5\n",
              &p, &info);
    koshu_particles_destroy(p);
    assert_memory_equal(&info.units, &units, sizeof units);
    refuse("mass [Msun],x [pc],y,z,vx [km/s],vy,vz,potential [m^2/s^2]\n"
           "1,2,0,0,3,0,0,-5\n",
           KOSHU_ERROR_BAD_INPUT,
           "the columns vx and potential are in different units ([m^2/s^2])");
}

#define UNIVERSE(m, h) "# time = 0.5\n# omega_m = " m "\n# hubble = " h "\n"
#define ROW NAMES "0,1,0,0,0,0,0,0\n"

static void
a_universe_is_stated_whole(void **state)
{
    (void)state;
    static const char *const parts[] = {
            UNIVERSE("0.3", "0.7") ROW,
            "# omega_lambda = 0.7\n" ROW,
            UNIVERSE("0", "0.7") "# omega_lambda = 1\n" ROW,
            UNIVERSE("0.3", "0") "# omega_lambda = 0.7\n" ROW,
    };
    struct koshu_particles *p;
    struct koshu_snapshot_info info = {.size = sizeof info};
    read_text(UNIVERSE("0.3", "0.7") ROW "# omega_lambda = 0.6\n", &p, &info);
    assert_true(info.time == 0.5 && info.omega_m == 0.3 &&
                info.omega_lambda == 0.6 && info.hubble == 0.7);
    koshu_particles_destroy(p);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        refuse(parts[k], KOSHU_ERROR_BAD_INPUT,
               "give all three comments, or none");
}

static void
lines_that_are_none_are_refused(void **state)
{
    (void)state;
    char text[6000];
    memset(text, ' ', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    refuse(text, KOSHU_ERROR_BAD_FORMAT,
           "line 1: it is longer than 4095 letters");
    for (size_t k = 0; k + 2 < sizeof text; k += 2) memcpy(text + k, "a,", 2);
    text[3000] = '\0';
    refuse(text, KOSHU_ERROR_BAD_FORMAT, "more than 256 columns");
    memcpy(text, NAMES, strlen(NAMES));
    memset(text + strlen(NAMES), ' ', 1000);
    text[900] = '\0'; /* beyond the bytes that identify the format */
    text[901] = '\n';
    scratch_write("a.csv", text, 902);
    struct koshu_particles *p = NULL;
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "or holds a zero byte",
                 koshu_snapshot_read(context, "a.csv", NULL, &p));
}

static int
set_up(void **state)
{
    (void)state;
    struct koshu_context_options options = koshu_context_options_default();
    options.log = keep_log;
    assert_int_equal(koshu_context_create(&options, &context), KOSHU_OK);
    scratch_enter();
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

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_file_written_by_hand_is_read),
            cmocka_unit_test(large_ids_are_exact),
            cmocka_unit_test(columns_have_units),
            cmocka_unit_test(bad_files_are_refused_with_the_line),
            cmocka_unit_test(a_universe_is_stated_whole),
            cmocka_unit_test(lines_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
