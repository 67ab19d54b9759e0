/* SPDX-License-Identifier: MIT */
/* Potentials given as formulas of x, y and z: parsed once, then evaluated with
 * exact derivatives. */
#ifndef KOSHU_EXTERNAL_FORMULA_H
#define KOSHU_EXTERNAL_FORMULA_H

#include <koshu/external.h>

#include "kernels/external.h"

struct koshu_formula;

/*
 * Parses a text like "-G*M / sqrt(x^2 + y^2 + (z/q)^2)": numbers, x, y, z, the
 * n constants, + - * / ^ and brackets, sqrt, exp, log, sin, cos, tan, atan,
 * sinh, cosh and tanh. ^ binds closer than a preceding sign, and is
 * right-associative. KOSHU_ERROR_BAD_INPUT: the message tells what is wrong,
 * and where; KOSHU_ERROR_OUT_OF_MEMORY.
 */
koshu_status
koshu_formula_create(struct koshu_context *context, const char *text, size_t n,
                     const struct koshu_external_constant *constants,
                     struct koshu_formula **formula);

/* Accepts NULL. */
void koshu_formula_destroy(struct koshu_formula *formula);

/* Adds the field of that potential at a position and velocity. May be called by
 * any number of threads. */
void koshu_formula_add(const struct koshu_formula *formula, const double x[3],
                       const double v[3], struct koshu_field_sum *sum);

#endif
