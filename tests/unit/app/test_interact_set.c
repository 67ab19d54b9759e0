/* SPDX-License-Identifier: MIT */
/* Columns of `koshu interact` from snapshots, tables and settings. */
#include <stdlib.h>

#include <koshu/snapshot.h>

#include "../../../app/interact_set.h"
#include "fixture.h"
#include "foreign.h"

static void
write_text(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

/* Gas alone, with a column under each name of GADGET and SWIFT. */
static void
write_gas(void)
{
    struct foreign p = foreign_begin("gas.hdf5");
    const int32_t count[6] = {2};
    const hsize_t two = 2;
    const float h[] = {0.25F, 0.5F}, density[] = {3, 5};
    replace_attribute(p.header, "NumPart_ThisFile", H5T_NATIVE_INT32, 6, count);
    put_dataset(p.gas, "SmoothingLength", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1,
                &two, H5P_DEFAULT, h);
    put_dataset(p.gas, "Densities", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, &two,
                H5P_DEFAULT, density);
    foreign_end(p);
}

static void
columns_come_from_wherever_they_are(void **state)
{
    (void)state;
    write_gas();
    write_text("more.csv", "pressure,x\n7,-1\n8,-2\n");
    const char *const files[] = {"gas.hdf5", "more.csv"};
    const char *const names[] = {"x",        "id",     "h",   "density",
                                 "pressure", "Masses", "eps2"};
    const double expected[2][7] = {{100, 10, 0.25, 3, 7, 0.25, 0.01},
                                   {103, 11, 0.5, 5, 8, 0.25, 0.01}};
    struct interact_setting settings[] = {{"eps2", 0.01, false},
                                          {"y", 3, false}};
    const struct interact_settings two = {2, settings}, none = {0};
    struct interact_set set;
    double *rows;
    assert_ok(context, interact_set_read(context, 2, files, &set));
    assert_int_equal(set.n, 2);
    assert_ok(context, interact_set_rows(&set, 7, names, two, &rows));
    for (int k = 0; k < 14; k++) assert_true(rows[k] == expected[k / 7][k % 7]);
    assert_true(settings[0].used && !settings[1].used);
    free(rows);
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "no column 'viscosity'",
                 interact_set_rows(&set, 1, (const char *const[]){"viscosity"},
                                   none, &rows));
    assert_null(rows);
    interact_set_free(&set);
}

static void
files_beside_each_other_have_as_many_rows(void **state)
{
    (void)state;
    write_gas();
    write_text("one.csv", "h\n1\n");
    struct interact_set set;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT,
                 "'gas.hdf5' has 2 rows and 'one.csv' 1",
                 interact_set_read(context, 2,
                                   (const char *const[]){"gas.hdf5", "one.csv"},
                                   &set));
    interact_set_free(&set);
}

/* 2^53 + 1 is not exact as a double. */
static void
ids_that_lose_digits_are_refused(void **state)
{
    (void)state;
    write_text("a.csv", "id,mass,x,y,z,vx,vy,vz\n9007199254740993,1,0,0,0,0,"
                        "0,0\n");
    struct koshu_particles *particles;
    struct koshu_snapshot_info info = {.size = sizeof info};
    assert_ok(context,
              koshu_snapshot_read(context, "a.csv", &info, &particles));
    info.format = KOSHU_FORMAT_HDF5;
    assert_ok(context, koshu_snapshot_write(particles, "a.hdf5", &info, NULL));
    koshu_particles_destroy(particles);
    struct interact_set set;
    double *rows;
    assert_ok(context,
              interact_set_read(context, 1, (const char *const[]){"a.hdf5"},
                                &set));
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "larger than 2^53",
                 interact_set_rows(&set, 1, (const char *const[]){"id"},
                                   (struct interact_settings){0}, &rows));
    interact_set_free(&set);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(columns_come_from_wherever_they_are),
            cmocka_unit_test(files_beside_each_other_have_as_many_rows),
            cmocka_unit_test(ids_that_lose_digits_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
