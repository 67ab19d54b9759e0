/* SPDX-License-Identifier: MIT */
/* The backend that a conformance test examines. */
#ifndef KOSHU_TESTS_SUBJECT_H
#define KOSHU_TESTS_SUBJECT_H

#include <stdbool.h>

#include <koshu/force.h>

#include "check.h"

/* A context with two threads, whatever the machine has. */
struct koshu_context *subject_context(void);

bool subject_is(const char *backend);

/* Another context on the same backend; the caller destroys it. */
struct koshu_context *subject_context_with(int threads);

/* The variants of the force, each with an error bound for a sum. */
struct variant {
    const char *name;
    enum koshu_precision precision;
    bool fast;
    double tolerance;
};
enum { N_VARIANTS = 4 };
extern const struct variant variants[N_VARIANTS];

/* Does a j-particle store round positions to float in this variant? ref always
 * uses double precision. */
bool variant_rounds(const struct variant *variant);

struct koshu_force_options
variant_options(const struct variant *variant, double eps);

/*
 * main() of a conformance test, called as PROGRAM BACKEND. Prints "skipped" and
 * returns 77 where this machine lacks the backend or the instruction set named
 * by KOSHU_ISA.
 */
#define SUBJECT_MAIN(tests)                                       \
    int main(int argc, char **argv)                               \
    {                                                             \
        int skipped = subject_open(argc, argv);                   \
        if (skipped) return skipped;                              \
        int failed = cmocka_run_group_tests((tests), NULL, NULL); \
        subject_close();                                          \
        return failed;                                            \
    }

int subject_open(int argc, char **argv);
void subject_close(void);

#endif
