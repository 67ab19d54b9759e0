/* SPDX-License-Identifier: MIT */
/* The order of a grid in memory, in the HDF5 file and in its XDMF. */
#include <hdf5.h>
#include <string.h>

#include "base/base.h"
#include "fixture.h"
#include "io/io.h"

enum { X = 19, Y = 3, Z = 4, N = X * Y * Z };

static double
value(size_t x, size_t y, size_t z, size_t c)
{
    return (double)(1000 * x + 100 * y + 10 * z + c);
}

/* A vector and a scalar, whose values tell where they belong. */
static struct koshu_flow_file
grids(double *vector, double *scalar)
{
    for (size_t x = 0; x < X; x++)
        for (size_t y = 0; y < Y; y++)
            for (size_t z = 0; z < Z; z++) {
                const size_t i = (x * Y + y) * Z + z;
                for (size_t c = 0; c < 3; c++)
                    vector[c * N + i] = value(x, y, z, c);
                scalar[i] = value(x, y, z, 0);
            }
    return (struct koshu_flow_file){
            .kind = "spectral",
            .box = 12,
            .n_arrays = 2,
            .array = {{"Vector", 3, 3, {X, Y, Z}, vector},
                      {"Scalar", 1, 3, {X, Y, Z}, scalar}}};
}

static void
write_grids(void)
{
    static double vector[3 * N], scalar[N];
    const struct koshu_flow_file file = grids(vector, scalar);
    assert_ok(context, koshu_flow_file_write(context, "a.hdf5", &file));
    assert_ok(context,
              koshu_flow_file_write_xdmf(context, "a.xdmf", "a.hdf5", &file));
}

static void
z_is_the_slowest_index_of_the_file(void **state)
{
    (void)state;
    static double read[Z][Y][X][3];
    hsize_t size[4] = {0};
    write_grids();
    hid_t file = H5Fopen("a.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT),
          id = H5Dopen2(file, "Flow/Vector", H5P_DEFAULT),
          space = H5Dget_space(id);
    assert_int_equal(H5Sget_simple_extent_dims(space, size, NULL), 4);
    const hsize_t expected[4] = {Z, Y, X, 3};
    assert_memory_equal(size, expected, sizeof size);
    assert_true(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                        read) >= 0);
    for (size_t i = 0; i < N; i++) {
        const size_t x = i % X, y = i / X % Y, z = i / X / Y;
        for (size_t c = 0; c < 3; c++)
            assert_true(read[z][y][x][c] == value(x, y, z, c));
    }
    H5Sclose(space);
    H5Dclose(id);
    H5Fclose(file);
}

static void
grids_are_read_as_they_were_written(void **state)
{
    (void)state;
    static double vector[3 * N], scalar[N];
    struct koshu_flow_file old = grids(vector, scalar), new = old;
    write_grids();
    memset(new.array[0].dims, 0xff, sizeof new.array[0].dims);
    assert_ok(context, koshu_flow_file_read(context, "a.hdf5", &new));
    for (size_t k = 0; k < 2; k++) {
        const struct koshu_flow_array *a = &old.array[k], *b = &new.array[k];
        assert_memory_equal(a->dims, b->dims, sizeof a->dims);
        assert_memory_equal(a->data, b->data, a->columns * N * sizeof *a->data);
    }
    koshu_flow_file_free(&new);
}

static void
xdmf_has_the_sizes_of_the_file(void **state)
{
    (void)state;
    char text[4096] = "";
    write_grids();
    FILE *from = fopen("a.xdmf", "r");
    assert_non_null(from);
    assert_true(fread(text, 1, sizeof text - 1, from) > 0);
    fclose(from);
    assert_non_null(strstr(text, "3DCoRectMesh\" Dimensions=\"4 3 19\""));
    assert_non_null(
            strstr(text, "Dimensions=\"4 3 19 3\">a.hdf5:/Flow/Vector"));
    assert_non_null(strstr(text, "Dimensions=\"4 3 19\">a.hdf5:/Flow/Scalar"));
    assert_non_null(strstr(text, "\">3 4 0.63"));
}

static void
another_order_is_refused(void **state)
{
    (void)state;
    static double vector[3 * N], scalar[N];
    struct koshu_flow_file flow = grids(vector, scalar);
    write_grids();
    hid_t file = H5Fopen("a.hdf5", H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Adelete_by_name(file, "Flow", "Order", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "is not in the order z, y, x",
                 koshu_flow_file_read(context, "a.hdf5", &flow));
    koshu_flow_file_free(&flow);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(z_is_the_slowest_index_of_the_file),
            cmocka_unit_test(grids_are_read_as_they_were_written),
            cmocka_unit_test(xdmf_has_the_sizes_of_the_file),
            cmocka_unit_test(another_order_is_refused),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
