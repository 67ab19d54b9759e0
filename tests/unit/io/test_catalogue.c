/* SPDX-License-Identifier: MIT */
/* Group catalogues, read back with HDF5 directly. */
#include <string.h>

#include "io/hdf5_file.h"
#include "io/io.h"

#include "fixture.h"

static const uint64_t length[2] = {5, 3}, member[8] = {9, 8, 7, 6, 5, 4, 3, 2};
static const double place[6] = {1, 2, 3, 4, 5, 6};

static void
write_catalogue(size_t n, const char *path)
{
    struct koshu_snapshot_info info = koshu_snapshot_info_default();
    const struct koshu_catalogue_column columns[] = {
            {"GroupLen", "", true, 1, length},
            {"GroupPos", "Mpc/h", false, 3, place}};
    const struct koshu_catalogue_number number = {"LinkingLength", 0.25};
    info.time = 0.5;
    info.box_size = 10;
    info.hubble = 0.7;
    info.omega_m = 0.3;
    const struct koshu_catalogue c = {&info,     1,       2,       n,
                                      n ? 8 : 0, &number, columns, member};
    assert_ok(context, koshu_catalogue_write(context, path, &c));
}

static double
number_of(hid_t file, const char *object, const char *name)
{
    double value = -1;
    hid_t id = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(id >= 0);
    assert_true(H5Aread(id, H5T_NATIVE_DOUBLE, &value) >= 0);
    H5Aclose(id);
    return value;
}

static void
read_rows(hid_t file, const char *name, hid_t type, void *rows)
{
    hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(id >= 0);
    assert_true(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    H5Dclose(id);
}

static void
test_what_is_written_is_read(void **state)
{
    (void)state;
    uint64_t whole[8];
    double number[6];
    char unit[16] = "";
    write_catalogue(2, "two.hdf5");
    hid_t file = H5Fopen("two.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
    read_rows(file, "Group/GroupLen", H5T_NATIVE_UINT64, whole);
    assert_memory_equal(whole, length, sizeof length);
    read_rows(file, "Group/GroupPos", H5T_NATIVE_DOUBLE, number);
    assert_memory_equal(number, place, sizeof place);
    read_rows(file, "IDs/ID", H5T_NATIVE_UINT64, whole);
    assert_memory_equal(whole, member, sizeof member);
    assert_true(number_of(file, "Header", "Redshift") == 1);
    assert_true(number_of(file, "Header", "LinkingLength") == 0.25);
    assert_true(number_of(file, "Header", "Ngroups_Total") == 2);
    assert_true(number_of(file, "Units", "UnitLength_in_cm") == 1);
    hid_t id = H5Aopen_by_name(file, "Group/GroupPos", "Unit", H5P_DEFAULT,
                               H5P_DEFAULT),
          type = H5Aget_type(id);
    H5Aread(id, type, unit);
    assert_string_equal(unit, "Mpc/h");
    H5Tclose(type);
    H5Aclose(id);
    H5Fclose(file);
}

static void
test_no_groups(void **state)
{
    (void)state;
    write_catalogue(0, "none.hdf5");
    hid_t file = H5Fopen("none.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(number_of(file, "Header", "Ngroups_Total") == 0);
    H5Fclose(file);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_what_is_written_is_read),
            cmocka_unit_test(test_no_groups),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
