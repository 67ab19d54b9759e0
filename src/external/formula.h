/* SPDX-License-Identifier: MIT */
/* Potentials as formulas of x, y and z: read once, then evaluated with their
 * derivatives, which are exact. */
#ifndef KOSHU_EXTERNAL_FORMULA_H
#define KOSHU_EXTERNAL_FORMULA_H

#include <koshu/external.h>

#include "kernels/external.h"

struct koshu_formula;

/*
 * Of a text like "-G*M / sqrt(x^2 + y^2 + (z/q)^2)": numbers, x, y, z, the n
 * constants, + - * / ^ and brackets, sqrt, exp, log, sin, cos, tan, atan, sinh,
 * cosh and tanh. ^ binds closer than a sign before it, and from the right.
 * KOSHU_ERROR_BAD_INPUT says what is wrong with it, and where;
 * KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_formula_create(struct koshu_context *context, const char *text, size_t n,
                     const struct koshu_external_constant *constants,
                     struct koshu_formula **formula);

/* NULL is allowed. */
void koshu_formula_destroy(struct koshu_formula *formula);

/* Adds the field whose potential it is, at a place and a velocity. By any
 * number of threads. */
void koshu_formula_add(const struct koshu_formula *formula, const double x[3],
                       const double v[3], struct koshu_field_sum *sum);

#endif
