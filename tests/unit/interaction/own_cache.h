/* SPDX-License-Identifier: MIT */
/* Gives each test of compiled interactions its own cache, below a directory
 * that is removed at the end. */
#ifndef KOSHU_TESTS_OWN_CACHE_H
#define KOSHU_TESTS_OWN_CACHE_H

#include <dirent.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <koshu/interaction.h>

#include "backend/compiled/compiled.h"
#include "check.h"

static char base[4096];  /* holds all that a test writes */
static char cache[4128]; /* compiled interactions */

static inline int
remove_one(const char *path, const struct stat *what, int kind, struct FTW *f)
{
    (void)what, (void)kind, (void)f;
    return remove(path);
}

static inline int
set_up(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(base, sizeof base, "%s/koshu-test-XXXXXX",
             parent ? parent : "/tmp");
    if (!mkdtemp(base)) return -1;
    snprintf(cache, sizeof cache, "%s/koshu/interactions", base);
    unsetenv("KOSHU_CC");
    return setenv("XDG_CACHE_HOME", base, 1);
}

static inline int
tear_down(void **state)
{
    (void)state;
    return nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const char text[] = "//! i: x\n//! j: x\n//! out: f\n"
                           "OUTPUT[0] += INPUT_I[0] * INPUT_J[0];\n";

/* Creates and evaluates the interaction; checks the result. */
static inline koshu_status
try_it(struct koshu_context *context)
{
    struct koshu_interaction *a;
    koshu_status status = koshu_interaction_create(context, text, NULL, &a);
    if (status != KOSHU_OK) return status;
    const double i = 3, j[2] = {1, 4};
    double out = 0;
    status = koshu_interaction_evaluate(a, 1, 2, &i, j, &out);
    koshu_interaction_destroy(a);
    return out == 15 ? status : KOSHU_ERROR_INTERNAL;
}

/* Number of files in the cache with this ending, and the path of the last. */
static inline int
count_files(const char *directory, const char *end, char path[4608])
{
    int n = 0;
    DIR *d = opendir(directory);
    if (!d) return 0;
    for (struct dirent *e; (e = readdir(d));) {
        const size_t length = strlen(e->d_name), tail = strlen(end);
        if (length < tail || strcmp(e->d_name + length - tail, end) != 0)
            continue;
        if (path) snprintf(path, 4608, "%s/%s", directory, e->d_name);
        n++;
    }
    closedir(d);
    return n;
}

static inline int
count_prefixed(const char *directory, const char *prefix)
{
    int n = 0;
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n += strncmp(e->d_name, prefix, strlen(prefix)) == 0;
    closedir(d);
    return n;
}

/* Installs a compiler that records each run in `base`/runs and then does
 * `action`. */
static inline void
wrap_compiler(const char *action)
{
    char path[4160];
    snprintf(path, sizeof path, "%s/cc", base);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\necho run >>'%s/runs'\n%s\n", base, action);
    fclose(f);
    assert_int_equal(chmod(path, 0700), 0);
    setenv("KOSHU_CC", path, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
