/* SPDX-License-Identifier: MIT */
/* Compares the files of runs byte for byte. */
#ifndef KOSHU_TESTS_SAME_FILES_H
#define KOSHU_TESTS_SAME_FILES_H

#include "runs.h"
#include "fixture.h"

enum { MAX_FILES = 16 };

/* The files of a finished run. */
struct files {
    int n;
    char name[MAX_FILES][256];
    unsigned char *bytes[MAX_FILES];
    size_t size[MAX_FILES];
};

/* All files except older checkpoints, whose number depends on the stops, and
 * the one log that holds times. */
static inline struct files
collect(void)
{
    struct files f = {0};
    DIR *directory = opendir(".");
    assert_non_null(directory);
    for (struct dirent *e; (e = readdir(directory));) {
        if (e->d_name[0] == '.' || strchr(e->d_name, '-') ||
            strcmp(e->d_name, "performance.csv") == 0)
            continue;
        assert_true(f.n < MAX_FILES);
        snprintf(f.name[f.n], sizeof f.name[0], "%s", e->d_name);
        f.bytes[f.n] = scratch_read(e->d_name, &f.size[f.n]);
        f.n++;
    }
    closedir(directory);
    return f;
}

/* The files of a run without a stop. */
static inline struct files
files_of_a_whole_run(const char *const *settings)
{
    scratch_enter();
    complete(context, started(context, settings));
    struct files whole = collect();
    scratch_leave();
    return whole;
}

/* Asserts that the current directory holds these files; frees the
 * collection. */
static inline void
assert_files(struct files *f)
{
    struct files now = collect();
    assert_int_equal(now.n, f->n);
    for (int k = 0; k < f->n; k++) {
        size_t n;
        unsigned char *bytes = scratch_read(f->name[k], &n);
        if (n != f->size[k] || memcmp(bytes, f->bytes[k], n) != 0)
            fail_msg("%s differs", f->name[k]);
        free(bytes);
        free(f->bytes[k]);
        free(now.bytes[k]);
    }
}

static inline struct koshu_simulation *
restarted(const char *const *settings)
{
    struct koshu_simulation *s;
    struct koshu_parameters *p = parameters_of(context, settings);
    assert_ok(context, koshu_simulation_restart(context, p, NULL, &s));
    koshu_parameters_destroy(p);
    return s;
}

#endif
