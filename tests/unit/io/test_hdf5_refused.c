/* SPDX-License-Identifier: MIT */
/* Deliberately malformed HDF5 files. */
#include <math.h>

#include "foreign.h"
#include "io/io.h"
#include "models.h"
#include "fixture.h"
#include "particles/particles.h"

/* The file must be refused with these words, however it is read. */
static void
refuse(struct foreign p, koshu_status status, const char *words)
{
    struct koshu_particles *particles = NULL;
    foreign_end(p);
    assert_fails(context, status, words,
                 koshu_snapshot_read(context, "a.hdf5", NULL, &particles));
    assert_null(particles);
}

static void
counts_that_lie_are_refused(void **state)
{
    (void)state;
    struct foreign p;
    const int64_t huge[6] = {(int64_t)1 << 60, 3}, negative[6] = {2, -3};
    const int64_t none[6] = {0}, more[6] = {2, 4}, missing[6] = {2, 3, 1};
    const int64_t many[100] = {0};
    struct {
        const int64_t *count;
        hsize_t n;
        koshu_status status;
        const char *words;
    } lies[] = {
            {huge, 6, KOSHU_ERROR_BAD_FORMAT, "not a number of particles"},
            {negative, 6, KOSHU_ERROR_BAD_FORMAT, "has -3 for type 1"},
            {none, 6, KOSHU_ERROR_BAD_INPUT, "holds no particles"},
            {more, 6, KOSHU_ERROR_BAD_FORMAT,
             "a.hdf5: PartType1/Coordinates should be 4 x 3 reals"},
            {missing, 6, KOSHU_ERROR_BAD_FORMAT, "PartType2/ is missing"},
            {many, 100, KOSHU_ERROR_BAD_FORMAT, "should be at most 16 numbers"},
    };
    for (size_t k = 0; k < sizeof lies / sizeof lies[0]; k++) {
        p = foreign_begin("a.hdf5");
        replace_attribute(p.header, "NumPart_ThisFile", H5T_NATIVE_INT64,
                          lies[k].n, lies[k].count);
        refuse(p, lies[k].status, lies[k].words);
    }
    p = foreign_begin("a.hdf5");
    H5Adelete(p.header, "NumPart_ThisFile");
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "Header/NumPart_ThisFile is missing");
    p = foreign_begin("a.hdf5");
    H5Ldelete(p.file, "Header", H5P_DEFAULT);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "this is not a GADGET or SWIFT snapshot");
}

static void
headers_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const double nan = NAN, table[6] = {0, -1}, minus = -1;
    const int32_t files = 8;
    struct foreign p = foreign_begin("a.hdf5");
    put_attribute(p.header, "NumFilesPerSnapshot", H5T_NATIVE_INT32, 0, &files);
    refuse(p, KOSHU_ERROR_BAD_INPUT, "one of the 8 files of a snapshot");
    p = foreign_begin("a.hdf5");
    replace_attribute(p.header, "MassTable", H5T_NATIVE_DOUBLE, 6, table);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "MassTable has -1 for type 1");
    p = foreign_begin("a.hdf5");
    replace_attribute(p.header, "Time", H5T_NATIVE_DOUBLE, 0, &nan);
    refuse(p, KOSHU_ERROR_BAD_INPUT, "the time is not a number");
    p = foreign_begin("a.hdf5");
    replace_attribute(p.header, "BoxSize", H5T_NATIVE_DOUBLE, 0, &minus);
    refuse(p, KOSHU_ERROR_BAD_INPUT, "the box size is negative");
    p = foreign_begin("a.hdf5");
    H5Adelete(p.header, "Time");
    put_text(p.header, "Time", "noon");
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "Header/Time should be at most");
}

static void
boxes_that_are_no_cubes_are_refused(void **state)
{
    (void)state;
    const double flat[3] = {10, 10, 5}, tall[3] = {8, 10, 10},
                 plane[2] = {3, 3};
    struct foreign p = foreign_begin("a.hdf5");
    replace_attribute(p.header, "BoxSize", H5T_NATIVE_DOUBLE, 3, flat);
    refuse(p, KOSHU_ERROR_BAD_FORMAT,
           "Header/BoxSize is 10 x 10 x 5, but koshu's boxes are cubes");
    p = foreign_begin("a.hdf5");
    replace_attribute(p.header, "BoxSize", H5T_NATIVE_DOUBLE, 3, tall);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "is 8 x 10 x 10");
    p = foreign_begin("a.hdf5");
    replace_attribute(p.header, "BoxSize", H5T_NATIVE_DOUBLE, 2, plane);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "is 3 x 3 x 0");
}

static void
datasets_of_another_shape_or_kind_are_refused(void **state)
{
    (void)state;
    const hsize_t flat[1] = {9}, two[2] = {3, 2}, n[1] = {3};
    const double zero[9] = {0};
    const int64_t negative[3] = {1, -2, 3};
    struct foreign p = foreign_begin("a.hdf5");
    put_dataset(p.dark, "Coordinates", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1,
                flat, H5P_DEFAULT, zero);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "Coordinates should be 3 x 3 reals");
    p = foreign_begin("a.hdf5");
    put_dataset(p.dark, "Velocities", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, two,
                H5P_DEFAULT, zero);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "Velocities should be 3 x 3 reals");
    p = foreign_begin("a.hdf5");
    put_dataset(p.dark, "ParticleIDs", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, n,
                H5P_DEFAULT, zero);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "ParticleIDs should be 3 x 1 integers");
    p = foreign_begin("a.hdf5");
    put_dataset(p.dark, "ParticleIDs", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, n,
                H5P_DEFAULT, negative);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "ParticleIDs has a negative number");
    p = foreign_begin("a.hdf5");
    H5Ldelete(p.gas, "Velocities", H5P_DEFAULT);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "PartType0/Velocities is missing");
    p = foreign_begin("a.hdf5");
    H5Ldelete(p.gas, "Masses", H5P_DEFAULT);
    H5Gclose(put_group(p.gas, "Masses"));
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "PartType0/Masses cannot be read");
}

static void
particles_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const hsize_t n[2] = {3, 3};
    const double x[9] = {0, 0, 0, 0, NAN}, m[3] = {1, 1, -1};
    struct foreign p = foreign_begin("a.hdf5");
    put_dataset(p.dark, "Coordinates", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, n,
                H5P_DEFAULT, x);
    refuse(p, KOSHU_ERROR_BAD_INPUT, "a.hdf5: particle 3 (id 21): y = ");
    p = foreign_begin("a.hdf5");
    put_dataset(p.dark, "Masses", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, n,
                H5P_DEFAULT, m);
    refuse(p, KOSHU_ERROR_BAD_INPUT, "particle 4 (id 22): mass = -1");
}

/* A dataset may claim data that were never written and expand to zeros. */
static void
datasets_without_data_are_refused(void **state)
{
    (void)state;
    const hsize_t n[2] = {(hsize_t)1 << 40, 3}, chunk[2] = {1 << 20, 3};
    const int64_t count[6] = {2, (int64_t)1 << 40};
    struct foreign p = foreign_begin("a.hdf5");
    replace_attribute(p.header, "NumPart_ThisFile", H5T_NATIVE_INT64, 6, count);
    put_dataset(p.dark, "Coordinates", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, n,
                H5P_DEFAULT, NULL);
    refuse(p, KOSHU_ERROR_BAD_FORMAT,
           "Coordinates should hold 1099511627776 rows");
    p = foreign_begin("a.hdf5");
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, chunk);
    H5Pset_deflate(list, 1);
    replace_attribute(p.header, "NumPart_ThisFile", H5T_NATIVE_INT64, 6, count);
    put_dataset(p.dark, "Coordinates", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, n,
                list, NULL);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "for which the file has not the bytes");
    const hsize_t small[2] = {3, 3}; /* a chunk of 1.5 GiB in a small file */
    const hsize_t wide[2] = {1 << 27, 3};
    p = foreign_begin("a.hdf5");
    H5Pset_chunk(list, 2, wide);
    put_dataset(p.dark, "Coordinates", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2,
                small, list, NULL);
    H5Pclose(list);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "for which the file has not the bytes");
}

static void
data_in_other_files_is_refused(void **state)
{
    (void)state;
    const hsize_t n[2] = {3, 3};
    const float x[9] = {0};
    struct foreign p = foreign_begin("a.hdf5");
    H5Ldelete(p.dark, "Coordinates", H5P_DEFAULT);
    H5Lcreate_external("b.hdf5", "/x", p.dark, "Coordinates", H5P_DEFAULT,
                       H5P_DEFAULT);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "a link to another file");
    p = foreign_begin("a.hdf5");
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(list, "raw.bin", 0, H5F_UNLIMITED);
    put_dataset(p.dark, "Coordinates", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, n,
                list, x);
    H5Pclose(list);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "is kept in other files");
    p = foreign_begin("a.hdf5");
    list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(2, n, NULL);
    H5Pset_virtual(list, space, "b.hdf5", "/x", space);
    put_dataset(p.dark, "Coordinates", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, n,
                list, NULL);
    H5Sclose(space);
    H5Pclose(list);
    refuse(p, KOSHU_ERROR_BAD_FORMAT, "is kept in other files");
}

static void
a_parameter_text_that_is_none_is_refused(void **state)
{
    (void)state;
    const hsize_t n[1] = {3};
    const double zero[3] = {0};
    char *text = NULL;
    struct foreign p = foreign_begin("a.hdf5");
    hid_t group = put_group(p.file, "Parameters");
    put_dataset(group, "Text", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, n,
                H5P_DEFAULT, zero);
    H5Gclose(group);
    foreign_end(p);
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT,
                 "Parameters/Text should be a text of less than 1048576 "
                 "letters, and is not",
                 koshu_snapshot_parameters(context, "a.hdf5", &text));
    assert_null(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(counts_that_lie_are_refused),
            cmocka_unit_test(headers_that_make_no_sense_are_refused),
            cmocka_unit_test(boxes_that_are_no_cubes_are_refused),
            cmocka_unit_test(datasets_of_another_shape_or_kind_are_refused),
            cmocka_unit_test(particles_that_make_no_sense_are_refused),
            cmocka_unit_test(datasets_without_data_are_refused),
            cmocka_unit_test(data_in_other_files_is_refused),
            cmocka_unit_test(a_parameter_text_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
