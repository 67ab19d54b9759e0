/* SPDX-License-Identifier: MIT */
/*
 * A fuzz target is a file that defines these three. It is linked with
 * driver.c, or with libFuzzer.
 */
#ifndef KOSHU_TESTS_FUZZ_FUZZ_H
#define KOSHU_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Gives the bytes to a reader, and aborts where its answer is none. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Writes seed k (0, 1, ...) into the file; 0: there is no such seed. */
int fuzz_write_seed(int k, const char *path);

/* The name of the target. */
extern const char fuzz_name[];

#endif
