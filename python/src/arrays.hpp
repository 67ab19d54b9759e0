// SPDX-License-Identifier: MIT
// Arrays of numpy as koshu takes them, and koshu's as arrays of numpy.
#pragma once

#include <cstdlib>
#include <memory>

#include <nanobind/ndarray.h>

#include "context.hpp"

using Vector = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Vectors = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using Ids = nb::ndarray<const int64_t, nb::ndim<1>, nb::device::cpu>;
using Indices = nb::ndarray<const uint64_t, nb::ndim<1>, nb::device::cpu>;

// The columns of an array, each without gaps in memory: those of the array
// itself where they lie so, else a copy.
class Columns {
  public:
    Columns() = default;
    Columns(const Vectors &a);
    Columns(const Vector &a);

    const double *operator[](size_t column) const
    {
        return first ? first + static_cast<int64_t>(column) * pitch : nullptr;
    }

    size_t n = 0, n_columns = 0;

  private:
    void gather(const double *data, int64_t row, int64_t column);

    const double *first = nullptr;
    int64_t pitch = 0; // from column to column
    std::unique_ptr<double, void (*)(void *)> copy{nullptr, std::free};
};

// Throws Failure (KOSHU_ERROR_NOT_FINITE) that names the first element which is
// infinite or NaN.
void check_finite(const Columns &columns, const char *name);

// New memory of count doubles, not set. Throws Failure
// (KOSHU_ERROR_OUT_OF_MEMORY).
double *new_doubles(size_t count);

// Who frees it: an owner for arrays.
nb::capsule owner_of(double *memory);

using Array = nb::ndarray<nb::numpy, double>;
using ConstArray = nb::ndarray<nb::numpy, const double>;

// n rows of `columns` numbers, a column behind the other, at `stride`.
inline nb::object
rows(double *memory, size_t n, size_t columns, size_t stride, nb::handle owner)
{
    return nb::cast(Array(memory, {n, columns}, owner,
                          {1, static_cast<int64_t>(stride)}));
}

inline nb::object
row(double *memory, size_t n, nb::handle owner)
{
    return nb::cast(Array(memory, {n}, owner));
}
