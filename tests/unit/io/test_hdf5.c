/* SPDX-License-Identifier: MIT */
/* HDF5 files written by other programs. */
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "foreign.h"
#include "io/hdf5_file.h"
#include "io/io.h"
#include "models.h"
#include "slices.h"
#include "fixture.h"
#include "particles/particles.h"

/* ---- what is read ----------------------------------------------------- */

static void
all_types_are_read_in_order(void **state)
{
    (void)state;
    struct koshu_particles *p;
    struct koshu_particle_view v;
    struct koshu_snapshot_info info = {.size = sizeof info};
    foreign_end(foreign_begin("a.hdf5"));
    assert_ok(context, koshu_snapshot_read(context, "a.hdf5", &info, &p));
    assert_int_equal(info.n, 5);
    assert_int_equal(info.n_types, 2);
    assert_true(info.single && !info.has_potential);
    assert_true(info.time == 0.75 && info.box_size == 10);
    assert_true(info.units.length_cm == 1 && info.units.velocity_cm_s == 1);
    assert_string_equal(info.program, "");
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    const uint64_t ids[] = {10, 11, 20, 21, 22};
    const double x[] = {100, 103, 100, 103, 106};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(v.id[i], ids[i]);
        assert_true(v.x[i] == x[i] && v.z[i] == x[i] + 2);
        assert_true(v.mass[i] == 0.25 && v.vx[i] == 0);
    }
    check_slices("a.hdf5", 5);
    koshu_particles_destroy(p);
}

static void
other_datasets_are_columns(void **state)
{
    (void)state;
    struct foreign p = foreign_begin("a.hdf5");
    const hsize_t two[2] = {2, 3}, three[2] = {3, 3};
    const float gas[] = {0.5F, 2, 0, 0, 0, 0}, dark[] = {4, 8, 16};
    const double hole[] = {1, NAN};
    put_dataset(p.gas, "Density", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, two,
                H5P_DEFAULT, gas);
    put_dataset(p.dark, "Density", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, three,
                H5P_DEFAULT, dark);
    put_dataset(p.gas, "OfGas", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, two,
                H5P_DEFAULT, gas);
    put_dataset(p.gas, "Hole", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, two,
                H5P_DEFAULT, hole);
    put_dataset(p.dark, "Hole", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, three,
                H5P_DEFAULT, dark);
    put_dataset(p.gas, "Wide", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 2, two,
                H5P_DEFAULT, gas);
    foreign_end(p);

    double values[6];
    for (int k = 0; k < 6; k++) values[k] = NAN;
    assert_ok(context,
              koshu_snapshot_column(context, "a.hdf5", "Density", 5, values));
    const double expected[] = {0.5, 2, 4, 8, 16};
    for (int k = 0; k < 5; k++) assert_true(values[k] == expected[k]);
    assert_true(isnan(values[5]));

    const struct {
        const char *name;
        size_t n;
        koshu_status status;
        const char *words;
    } faults[] = {
            {"OfGas", 5, KOSHU_ERROR_NOT_FOUND,
             "not all particles have a 'OfGas'"},
            {"Absent", 5, KOSHU_ERROR_NOT_FOUND, "'Absent'"},
            {"Hole", 5, KOSHU_ERROR_BAD_INPUT, "particle 1: Hole = nan"},
            {"Wide", 5, KOSHU_ERROR_BAD_FORMAT, "Wide"},
            {"Density", 4, KOSHU_ERROR_BAD_INPUT, "changed while it was read"}};
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++)
        assert_fails(context, faults[k].status, faults[k].words,
                     koshu_snapshot_column(context, "a.hdf5", faults[k].name,
                                           faults[k].n, values));
    model_write(context, "a.csv", KOSHU_FORMAT_CSV, 5);
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "a.csv",
                 koshu_snapshot_column(context, "a.csv", "Density", 5, values));
}

static void
masses_come_from_the_table_where_there_is_no_dataset(void **state)
{
    (void)state;
    struct koshu_particles *particles;
    struct koshu_particle_view v;
    struct foreign p = foreign_begin("a.hdf5");
    const double table[6] = {9, 0.125};
    replace_attribute(p.header, "MassTable", H5T_NATIVE_DOUBLE, 6, table);
    assert_true(H5Ldelete(p.dark, "Masses", H5P_DEFAULT) >= 0);
    foreign_end(p);
    assert_ok(context,
              koshu_snapshot_read(context, "a.hdf5", NULL, &particles));
    assert_ok(context, koshu_particles_on_host(particles, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ, &v));
    assert_true(v.mass[1] == 0.25 && v.mass[2] == 0.125 && v.mass[4] == 0.125);
    koshu_particles_destroy(particles);
}

/* SWIFT's names and shapes; compressed chunks that do not divide the data
 * evenly. */
static void
swift_files_are_read(void **state)
{
    (void)state;
    struct koshu_particles *particles;
    struct koshu_particle_view v;
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct foreign p = foreign_begin("a.hdf5");
    const double time[1] = {3}, box[3] = {4, 4, 4};
    const double length = 100, mass = 7, second = 5, table[7] = {0};
    const float phi[3] = {-1, -2, -3};
    const int64_t count[7] = {2, 3};
    const hsize_t n[2] = {3, 3}, chunk[2] = {2, 2};
    const double x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    replace_attribute(p.header, "NumPart_ThisFile", H5T_NATIVE_INT64, 7, count);
    replace_attribute(p.header, "MassTable", H5T_NATIVE_DOUBLE, 7, table);
    replace_attribute(p.header, "Time", H5T_NATIVE_DOUBLE, 1, time);
    replace_attribute(p.header, "BoxSize", H5T_NATIVE_DOUBLE, 3, box);
    put_dataset(p.gas, "Potentials", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1,
                (hsize_t[]){2}, H5P_DEFAULT, phi);
    put_dataset(p.dark, "Potentials", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, n,
                H5P_DEFAULT, phi);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, chunk);
    H5Pset_deflate(list, 4);
    put_dataset(p.dark, "Coordinates", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, n,
                list, x);
    H5Pclose(list);
    hid_t units = put_group(p.file, "Units"), code = put_group(p.file, "Code");
    put_attribute(units, "Unit length in cgs (U_L)", H5T_NATIVE_DOUBLE, 0,
                  &length);
    put_attribute(units, "Unit mass in cgs (U_M)", H5T_NATIVE_DOUBLE, 0, &mass);
    put_attribute(units, "Unit time in cgs (U_t)", H5T_NATIVE_DOUBLE, 0,
                  &second);
    put_text(code, "Code", "SWIFT");
    put_text(code, "Code Version", "1.0.0");
    H5Gclose(units);
    H5Gclose(code);
    foreign_end(p);
    assert_ok(context,
              koshu_snapshot_read(context, "a.hdf5", &info, &particles));
    assert_true(info.time == 3 && info.box_size == 4 && info.has_potential);
    assert_true(info.units.length_cm == 100 && info.units.mass_g == 7 &&
                info.units.velocity_cm_s == 20);
    assert_string_equal(info.program, "SWIFT 1.0.0");
    assert_ok(context, koshu_particles_on_host(particles, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    assert_true(v.potential[1] == -2 && v.potential[4] == -3);
    for (int i = 0; i < 3; i++)
        assert_true(v.x[2 + i] == x[3 * i] && v.z[2 + i] == x[3 * i + 2]);
    koshu_particles_destroy(particles);
}

static void
a_potential_of_some_particles_is_left_aside(void **state)
{
    (void)state;
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct foreign p = foreign_begin("a.hdf5");
    const float phi[2] = {-1, -2};
    put_dataset(p.gas, "Potential", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1,
                (hsize_t[]){2}, H5P_DEFAULT, phi);
    foreign_end(p);
    assert_ok(context, koshu_snapshot_inspect(context, "a.hdf5", &info));
    assert_false(info.has_potential);
}

/* ---- use beside the program's own HDF5 ----------------------------------- */

static herr_t
own_voice(hid_t stack, void *user)
{
    (void)stack;
    ++*(int *)user;
    return 0;
}

static void
hdf5_is_silent_and_the_callers_choice_kept(void **state)
{
    (void)state;
    int heard = 0;
    H5E_auto2_t function;
    void *data;
    struct koshu_hdf5_errors voice;
    H5Eset_auto2(H5E_DEFAULT, own_voice, &heard);
    koshu_hdf5_begin(&voice);
    assert_true(H5Fopen("none", H5F_ACC_RDONLY, H5P_DEFAULT) < 0);
    assert_int_equal(heard, 0);
    assert_non_null(strstr(koshu_hdf5_reason(), "unable to open file"));
    koshu_hdf5_end(&voice);
    model_write(context, "b.hdf5", KOSHU_FORMAT_HDF5, 3);
    assert_true(H5Eget_auto2(H5E_DEFAULT, &function, &data) >= 0);
    assert_true(function == own_voice && data == &heard);
    assert_true(H5Fopen("none", H5F_ACC_RDONLY, H5P_DEFAULT) < 0);
    assert_int_equal(heard, 1);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* The calling program may close HDF5 and use it again. */
static void
hdf5_may_be_ended_between_files(void **state)
{
    (void)state;
    model_write(context, "b.hdf5", KOSHU_FORMAT_HDF5, 3);
    for (int k = 0; k < 3; k++) {
        struct koshu_particles *p;
        if (k == 1) assert_true(H5close() >= 0);
        assert_ok(context, koshu_snapshot_read(context, "b.hdf5", NULL, &p));
        if (k == 2) assert_true(H5close() >= 0);
        model_write(context, "b.hdf5", KOSHU_FORMAT_HDF5, 3);
        koshu_particles_destroy(p);
    }
    /* no object of ours is left open */
    assert_int_equal(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* ---- several threads --------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 12 };

/* Writes and reads its own file; returns the number of failures. */
static void *
write_and_read(void *argument)
{
    const int number = *(const int *)argument;
    struct koshu_context *own;
    uintptr_t wrong = 0;
    char path[16];
    snprintf(path, sizeof path, "t%d.hdf5", number);
    if (koshu_context_create(NULL, &own) != KOSHU_OK) return (void *)1;
    struct koshu_particles *p = model_particles(own, 100), *q;
    const struct koshu_snapshot_info info = model_info(KOSHU_FORMAT_HDF5);
    for (int k = 0; k < ROUNDS; k++) {
        if (koshu_snapshot_write(p, path, &info, NULL) != KOSHU_OK ||
            koshu_snapshot_read(own, path, NULL, &q) != KOSHU_OK) {
            wrong++;
            continue;
        }
        wrong += !model_equal(own, p, q);
        koshu_particles_destroy(q);
    }
    koshu_particles_destroy(p);
    koshu_context_destroy(own);
    return (void *)wrong;
}

/* A file is read in a child process. One forked while another thread writes
 * must not wait for that thread, which does not exist in the child. */
static void
threads_do_not_meet(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    /* ThreadSanitizer's allocator does not hold its locks over fork(), as
     * libc's does: in one run of twenty a child waited for a thread that it
     * does not have. */
    skip();
#endif
    pthread_t thread[THREADS];
    int number[THREADS];
    alarm(100); /* instead of waiting indefinitely */
    for (int t = 0; t < THREADS; t++) {
        number[t] = t;
        assert_int_equal(
                pthread_create(&thread[t], NULL, write_and_read, &number[t]),
                0);
    }
    for (int t = 0; t < THREADS; t++) {
        void *wrong;
        assert_int_equal(pthread_join(thread[t], &wrong), 0);
        assert_null(wrong);
    }
    alarm(0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(all_types_are_read_in_order),
            cmocka_unit_test(other_datasets_are_columns),
            cmocka_unit_test(
                    masses_come_from_the_table_where_there_is_no_dataset),
            cmocka_unit_test(swift_files_are_read),
            cmocka_unit_test(a_potential_of_some_particles_is_left_aside),
            cmocka_unit_test(hdf5_is_silent_and_the_callers_choice_kept),
            cmocka_unit_test(hdf5_may_be_ended_between_files),
            cmocka_unit_test(threads_do_not_meet),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
