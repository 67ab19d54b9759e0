/* SPDX-License-Identifier: MIT */
/* Complete checkpoints with a valid checksum whose contents this koshu would
 * not write. */
#include "foreign.h"

#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "check.h"
#include "io/io.h"
#include "scratch.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

enum { TRAILER = 16, LARGEST = 1 << 20 };

static const char text[] = "title: a run\n";

static void
write_checkpoint(void)
{
    const struct koshu_checkpoint some = {
            .clock = {.steps = 77}, .units = {1, 2, 3}, .backend = "ref"};
    struct koshu_particles *p;
    struct koshu_particle_view v = {.size = sizeof v};
    assert_ok(context, koshu_particles_create(context, 3, &p));
    assert_ok(context, koshu_particles_acquire_write(p, KOSHU_FIELD_ALL,
                                                     KOSHU_ACCESS_WRITE, &v));
    koshu_particles_release_write(p);
    assert_ok(context, koshu_checkpoint_write(p, "c.hdf5", &some, text));
    koshu_particles_destroy(p);
}

/* Closes the file with a checksum, as koshu does. */
static void
put_checksum(void)
{
    static unsigned char bytes[LARGEST];
    XXH64_canonical_t sum;
    FILE *file = fopen("c.hdf5", "rb+");
    assert_non_null(file);
    const size_t n = fread(bytes, 1, LARGEST, file);
    assert_in_range(n, 1, LARGEST - 1);
    XXH64_canonicalFromHash(&sum, XXH64(bytes, n, 0));
    assert_int_equal(fwrite("koshu-ck", 8, 1, file), 1);
    assert_int_equal(fwrite(&sum, sizeof sum, 1, file), 1);
    fclose(file);
}

/* Opens a checkpoint without its checksum. */
static hid_t
open_to_change(void)
{
    struct stat info;
    assert_int_equal(stat("c.hdf5", &info), 0);
    assert_int_equal(truncate("c.hdf5", info.st_size - TRAILER), 0);
    const hid_t file = H5Fopen("c.hdf5", H5F_ACC_RDWR, H5P_DEFAULT);
    must(file >= 0, "c.hdf5");
    return file;
}

static void
close_changed(hid_t file)
{
    must(H5Fclose(file) >= 0, "closing");
    put_checksum();
}

static void
assert_refused(const char *why)
{
    struct koshu_particles *p;
    struct koshu_checkpoint c;
    char *read_text;
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, why,
                 koshu_checkpoint_read(context, "c.hdf5", &p, &c, &read_text));
    assert_null(p);
    assert_null(read_text);
}

/* An optional attribute that is present must still hold a single number. */
static void
two_numbers_for_one_are_refused(void **state)
{
    (void)state;
    const int64_t two[] = {1, 2};
    scratch_enter();
    write_checkpoint();
    const hid_t file = open_to_change();
    const hid_t group = H5Gopen2(file, "Checkpoint", H5P_DEFAULT);
    must(group >= 0, "Checkpoint");
    replace_attribute(group, "EventRows", H5T_NATIVE_INT64, 2, two);
    H5Gclose(group);
    close_changed(file);
    assert_refused("EventRows should be at most 1 numbers");
    scratch_leave();
}

static void
parameters_that_are_no_text_are_refused(void **state)
{
    (void)state;
    const int64_t number = 7;
    scratch_enter();
    write_checkpoint();
    const hid_t file = open_to_change();
    must(H5Ldelete(file, "Parameters/Text", H5P_DEFAULT) >= 0, "Text");
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t set = H5Dcreate2(file, "Parameters/Text", H5T_NATIVE_INT64,
                                 space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    must(set >= 0 && H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL,
                              H5P_DEFAULT, &number) >= 0,
         "Text");
    H5Dclose(set);
    H5Sclose(space);
    close_changed(file);
    assert_refused("Text");
    scratch_leave();
}

/* Numbers that older files lack get their defaults, and an unknown attribute is
 * ignored. */
static void
what_is_missing_has_its_default(void **state)
{
    (void)state;
    const int64_t two[] = {1, 2};
    struct koshu_particles *p;
    struct koshu_checkpoint c;
    char *read_text;
    scratch_enter();
    write_checkpoint();
    const hid_t file = open_to_change();
    const hid_t group = H5Gopen2(file, "Checkpoint", H5P_DEFAULT);
    must(H5Adelete(group, "MassFactor") >= 0, "MassFactor");
    must(H5Adelete(group, "VelocityFactor") >= 0, "VelocityFactor");
    H5Gclose(group);
    put_attribute(file, "Other", H5T_NATIVE_INT64, 2, two);
    close_changed(file);
    assert_ok(context,
              koshu_checkpoint_read(context, "c.hdf5", &p, &c, &read_text));
    assert_int_equal(c.clock.steps, 77);
    assert_true(c.mass_factor == 1 && c.velocity_factor == 1);
    assert_string_equal(read_text, text);
    koshu_particles_destroy(p);
    free(read_text);
    scratch_leave();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(two_numbers_for_one_are_refused),
            cmocka_unit_test(parameters_that_are_no_text_are_refused),
            cmocka_unit_test(what_is_missing_has_its_default),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
