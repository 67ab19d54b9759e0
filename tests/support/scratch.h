/* SPDX-License-Identifier: MIT */
/* A scratch directory for a test, and whole files in it. */
#ifndef KOSHU_TESTS_SCRATCH_H
#define KOSHU_TESTS_SCRATCH_H

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

/* Creates an empty directory and changes to it, so that file names need no
 * path. */
static inline void
scratch_enter(void)
{
    char name[] = "/tmp/koshu-test-XXXXXX";
    assert_non_null(mkdtemp(name));
    assert_int_equal(chdir(name), 0);
}

/* Removes the directory, which must not contain directories. */
static inline void
scratch_leave(void)
{
    char name[256];
    assert_non_null(getcwd(name, sizeof name));
    assert_non_null(strstr(name, "koshu-test-"));
    DIR *directory = opendir(".");
    assert_non_null(directory);
    for (struct dirent *e; (e = readdir(directory));)
        if (e->d_name[0] != '.' || strstr(e->d_name, ".koshu"))
            unlink(e->d_name);
    closedir(directory);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(name), 0);
}

/* Number of entries in the directory, without ., .. and the lock of a running
 * process. */
static inline int
scratch_count(void)
{
    int n = 0;
    DIR *directory = opendir(".");
    assert_non_null(directory);
    for (struct dirent *e; (e = readdir(directory));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
            strcmp(e->d_name, ".koshu.lock") != 0)
            n++;
    closedir(directory);
    return n;
}

/* Unlinks the file first: some file systems sync a file that is overwritten. */
static inline void
scratch_write(const char *name, const void *bytes, size_t n)
{
    unlink(name);
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Returns the bytes of a file followed by a zero; the caller frees them. */
static inline unsigned char *
scratch_read(const char *name, size_t *n)
{
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *n = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = malloc(*n + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n, f), *n);
    bytes[*n] = 0;
    fclose(f);
    return bytes;
}

/* Asserts that the file holds exactly this text. */
static inline void
scratch_expect(const char *name, const char *text)
{
    size_t n;
    unsigned char *bytes = scratch_read(name, &n);
    assert_string_equal((char *)bytes, text);
    assert_int_equal(n, strlen(text));
    free(bytes);
}

#endif
