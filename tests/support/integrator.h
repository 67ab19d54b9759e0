/* SPDX-License-Identifier: MIT */
/* Integrator options, clocks and reports for tests. */
#ifndef KOSHU_TESTS_INTEGRATOR_H
#define KOSHU_TESTS_INTEGRATOR_H

#include <koshu/integrator.h>

#include "check.h"

/* A scheme's default options, with a few of them set. */
static inline struct koshu_integrator_options
scheme_options(enum koshu_scheme scheme, enum koshu_step_rule rule, double dt,
               double eta)
{
    struct koshu_integrator_options o = koshu_integrator_options_default();
    o.scheme = scheme;
    o.step_rule = rule;
    o.dt = dt;
    o.eta = eta;
    return o;
}

static inline struct koshu_integrator_options
leapfrog_options(enum koshu_step_rule rule, double dt, double eta)
{
    return scheme_options(KOSHU_SCHEME_LEAPFROG, rule, dt, eta);
}

static inline struct koshu_integrator_options
hermite_options(void)
{
    return scheme_options(KOSHU_SCHEME_HERMITE, KOSHU_STEP_RULE_DEFAULT, 0, 0);
}

static inline struct koshu_integrator_clock
clock_of(const struct koshu_integrator *integrator)
{
    struct koshu_integrator_clock clock = {.size = sizeof clock};
    assert_int_equal(koshu_integrator_clock(integrator, &clock), KOSHU_OK);
    return clock;
}

static inline uint64_t
steps_of(const struct koshu_integrator *integrator)
{
    return clock_of(integrator).steps;
}

static inline uint64_t
interactions_of(const struct koshu_integrator *integrator)
{
    struct koshu_integrator_report report = {.size = sizeof report};
    assert_int_equal(koshu_integrator_report(integrator, &report), KOSHU_OK);
    return report.interactions;
}

#endif
