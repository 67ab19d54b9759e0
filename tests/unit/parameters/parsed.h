/* SPDX-License-Identifier: MIT */
/* Parses parameters from text for tests. */
#ifndef KOSHU_TESTS_PARSED_H
#define KOSHU_TESTS_PARSED_H

#include "check.h"
#include "integrate/integrate.h"
#include "parameters/parameters.h"

#define FIXTURE_BACKEND "ref"
#include "fixture.h"

static inline struct koshu_parameters *
fresh(void)
{
    struct koshu_parameters *p;
    assert_ok(context, koshu_parameters_create(context, &p));
    return p;
}

static inline struct koshu_parameters *
parsed(const char *text)
{
    struct koshu_parameters *p = fresh();
    assert_ok(context, koshu_parameters_parse(p, "run.yaml", text));
    return p;
}

static const char whole[] = "title: a run\n"
                            "initial: {model: sphere, n: 100, seed: 7}\n"
                            "solver:\n"
                            "  softening: 1/64\n"
                            "  precision: mixed\n"
                            "integrator: {dt: -1/256, end: -1}\n"
                            "output:\n"
                            "  snapshot:\n"
                            "    times: [0, -1/4,\n"
                            "            -0.5]\n"
                            "    first: no\n"
                            "run: {backend: ref, threads: 2}\n";

#endif
