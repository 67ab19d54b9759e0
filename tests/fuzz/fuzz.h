/* SPDX-License-Identifier: MIT */
/*
 * A fuzz target is a file that defines these three symbols. It is linked with
 * driver.c or with libFuzzer.
 */
#ifndef KOSHU_TESTS_FUZZ_FUZZ_H
#define KOSHU_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Passes the bytes to a reader, and aborts if its result is inconsistent. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Writes seed k (0, 1, ...) to the file; returns 0 if there is no such seed. */
int fuzz_write_seed(int k, const char *path);

/* The name of the target. */
extern const char fuzz_name[];

#endif
