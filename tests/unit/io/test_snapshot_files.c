/* SPDX-License-Identifier: MIT */
/* Snapshots in several files: written, found, read, and refused if they do not
 * belong together. */
#include <stdlib.h>
#include <unistd.h>

#include "io/io.h"
#include "models.h"
#include "fixture.h"

enum { N = 1001 };

/* Writes a snapshot of the model to so many files. */
static void
write_files(const char *path, enum koshu_format format, size_t n,
            uint64_t files)
{
    struct koshu_particles *model = model_particles(context, n);
    struct koshu_snapshot_info info = model_info(format);
    info.files = files;
    assert_ok(context, koshu_snapshot_write(model, path, &info, "a: 1\n"));
    koshu_particles_destroy(model);
}

/* Asserts that this name reads as the model. */
static void
check_read(const char *path, struct koshu_particles *model, uint64_t files)
{
    struct koshu_particles *read;
    struct koshu_snapshot_info info = {.size = sizeof info}, again = info;
    assert_ok(context, koshu_snapshot_inspect(context, path, &info));
    assert_int_equal(info.files, files);
    assert_int_equal(info.n, koshu_particles_count(model));
    assert_ok(context, koshu_snapshot_read(context, path, &again, &read));
    assert_int_equal(again.n, info.n);
    assert_true(again.time == model_info(info.format).time);
    assert_true(again.has_potential);
    assert_true(model_equal(context, model, read));
    koshu_particles_destroy(read);
}

static void
any_file_and_the_base_name_give_all_particles(void **state)
{
    (void)state;
    static const struct {
        enum koshu_format format;
        const char *path, *names[4];
    } kinds[] = {{KOSHU_FORMAT_HDF5,
                  "a.hdf5",
                  {"a", "a.hdf5", "a.0.hdf5", "a.3.hdf5"}},
                 {KOSHU_FORMAT_GADGET1,
                  "b.gad1",
                  {"b", "b.gad1", "b.1.gad1", "b.2.gad1"}},
                 {KOSHU_FORMAT_GADGET2, "c", {"c", "c.0", "c.1", "c.3"}}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct koshu_particles *model = model_particles(context, N);
        if (kinds[k].format != KOSHU_FORMAT_HDF5) model_round(context, model);
        write_files(kinds[k].path, kinds[k].format, N, 4);
        assert_int_not_equal(access(kinds[k].path, F_OK), 0);
        for (int name = 0; name < 4; name++)
            check_read(kinds[k].names[name], model, 4);
        koshu_particles_destroy(model);
    }
}

static void
parameters_and_columns_are_of_all_files(void **state)
{
    (void)state;
    char *text;
    double potential[N];
    struct koshu_particles *model = model_particles(context, N);
    struct koshu_particle_view v;
    write_files("a.hdf5", KOSHU_FORMAT_HDF5, N, 3);
    assert_ok(context, koshu_snapshot_parameters(context, "a", &text));
    assert_string_equal(text, "a: 1\n");
    free(text);
    assert_ok(context,
              koshu_snapshot_column(context, "a", "Potential", N, potential));
    assert_ok(context, koshu_particles_on_host(model, KOSHU_FIELD_POTENTIAL,
                                               KOSHU_ACCESS_READ, &v));
    assert_memory_equal(potential, v.potential, sizeof potential);
    koshu_particles_destroy(model);
}

static void
no_file_is_empty(void **state)
{
    (void)state;
    struct koshu_particles *model = model_particles(context, 3);
    write_files("few.hdf5", KOSHU_FORMAT_HDF5, 3, 100);
    check_read("few", model, 3);
    assert_int_not_equal(access("few.3.hdf5", F_OK), 0);
    write_files("one.hdf5", KOSHU_FORMAT_HDF5, 3, 1);
    check_read("one.hdf5", model, 1);
    koshu_particles_destroy(model);
}

static void
formats_of_one_file_refuse_several(void **state)
{
    (void)state;
    struct koshu_particles *model = model_particles(context, 4);
    for (int f = KOSHU_FORMAT_TIPSY; f <= KOSHU_FORMAT_CSV; f++) {
        struct koshu_snapshot_info info = model_info((enum koshu_format)f);
        info.files = 2;
        assert_fails(context, KOSHU_ERROR_UNSUPPORTED, "of several files",
                     koshu_snapshot_write(model, "a", &info, NULL));
    }
    koshu_particles_destroy(model);
}

static void
refuse(const char *path, koshu_status status, const char *words)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_particles *read;
    assert_fails(context, status, words,
                 koshu_snapshot_inspect(context, path, &info));
    assert_fails(context, status, words,
                 koshu_snapshot_read(context, path, NULL, &read));
    assert_null(read);
}

static void
a_missing_file_is_named(void **state)
{
    (void)state;
    write_files("m.hdf5", KOSHU_FORMAT_HDF5, N, 4);
    assert_int_equal(unlink("m.2.hdf5"), 0);
    refuse("m.1.hdf5", KOSHU_ERROR_NOT_FOUND,
           "'m.2.hdf5' is missing: 'm.1.hdf5' is one of the 4 files");
    refuse("m", KOSHU_ERROR_NOT_FOUND, "'m.2.hdf5' is missing");
    refuse("m.2.hdf5", KOSHU_ERROR_NOT_FOUND, "cannot read 'm.2.hdf5'");
    assert_int_equal(rename("m.0.hdf5", "alone.hdf5"), 0);
    refuse("alone.hdf5", KOSHU_ERROR_BAD_INPUT, "has no number");
}

/* Replaces the second file of a snapshot with that of another. */
static void
mix(enum koshu_format format, const struct koshu_snapshot_info *other, size_t n,
    const char *text, const char *words)
{
    struct koshu_particles *model = model_particles(context, n);
    struct koshu_snapshot_info info = *other;
    info.format = format;
    write_files("x.hdf5", format, N, 3);
    assert_ok(context, koshu_snapshot_write(model, "y.hdf5", &info, text));
    assert_int_equal(rename("y.1.hdf5", "x.1.hdf5"), 0);
    refuse("x.2.hdf5", KOSHU_ERROR_BAD_INPUT, words);
    koshu_particles_destroy(model);
}

static void
files_of_two_snapshots_are_refused(void **state)
{
    (void)state;
    struct koshu_snapshot_info info = model_info(KOSHU_FORMAT_HDF5);
    info.files = 3;
    const char *same = "a: 1\n";
    mix(KOSHU_FORMAT_HDF5, &info, N + 1, same,
        "x.1.hdf5: it is of another snapshot than 'x.2.hdf5': its number of "
        "particles");
    mix(KOSHU_FORMAT_HDF5, &info, N, "a: 2\n", "its parameter file differs");
    info.time += 1;
    mix(KOSHU_FORMAT_HDF5, &info, N, same, "its time differs");
    mix(KOSHU_FORMAT_GADGET2, &info, N, same, "its time differs");
    info.time -= 1;
    info.files = 4;
    mix(KOSHU_FORMAT_HDF5, &info, N, same, "its number of files differs");
    /* the headers agree, but the numbers of particles do not add up */
    write_files("x.hdf5", KOSHU_FORMAT_HDF5, N, 2);
    assert_int_equal(unlink("x.1.hdf5"), 0);
    assert_int_equal(link("x.0.hdf5", "x.1.hdf5"), 0);
    refuse("x", KOSHU_ERROR_BAD_INPUT, "one is of another snapshot");
}

static void
names_of_one_snapshot_are_one(void **state)
{
    (void)state;
    write_files("p.hdf5", KOSHU_FORMAT_HDF5, N, 3);
    write_files("q.0.hdf5", KOSHU_FORMAT_HDF5, N, 1);
    write_files("q.1.hdf5", KOSHU_FORMAT_HDF5, N, 1);
    const char *paths[] = {"p.0.hdf5", "q.0.hdf5", "p.1.hdf5", "q.1.hdf5",
                           "p.2.hdf5"};
    assert_int_equal(koshu_snapshot_names_once(context, 5, paths), 3);
    assert_string_equal(paths[1], "q.0.hdf5");
    assert_string_equal(paths[2], "q.1.hdf5");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(any_file_and_the_base_name_give_all_particles),
            cmocka_unit_test(parameters_and_columns_are_of_all_files),
            cmocka_unit_test(no_file_is_empty),
            cmocka_unit_test(formats_of_one_file_refuse_several),
            cmocka_unit_test(a_missing_file_is_named),
            cmocka_unit_test(files_of_two_snapshots_are_refused),
            cmocka_unit_test(names_of_one_snapshot_are_one),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
