// SPDX-License-Identifier: MIT
#pragma once

#include "context.hpp"

// Options of the fast multipole method from a dictionary, and back.
koshu_laplace_options laplace_options(const nb::dict &values, const char *what);
nb::dict laplace_values(const koshu_laplace_options &options);

// Of a solver, as its struct names them.
nb::dict solver_values(const koshu_solver_options &options);
nb::dict tree_errors_values(const koshu_tree_errors &errors);
