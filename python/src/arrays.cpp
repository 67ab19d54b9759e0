// SPDX-License-Identifier: MIT
// Checks and copies arrays of numpy.
#include "arrays.hpp"

#include <cmath>
#include <string>

double *
new_doubles(size_t count)
{
    auto *memory = static_cast<double *>(
            std::malloc((count ? count : 1) * sizeof(double)));
    if (!memory)
        throw Failure{KOSHU_ERROR_OUT_OF_MEMORY, "too little memory for " +
                                                         std::to_string(count) +
                                                         " numbers"};
    return memory;
}

nb::capsule
owner_of(double *memory)
{
    return nb::capsule(memory, [](void *p) noexcept { std::free(p); });
}

Columns::Columns(const Vectors &a) : n(a.shape(0)), n_columns(a.shape(1))
{
    gather(a.data(), a.stride(0), a.stride(1));
}

Columns::Columns(const Vector &a) : n(a.shape(0)), n_columns(1)
{
    gather(a.data(), a.stride(0), 0);
}

// Rows of x, y, z are the usual case; here the compiler knows the strides.
static void
of_triples(double *to, size_t n, const double *data)
{
    double *x = to, *y = to + n, *z = to + 2 * n;
    for (size_t i = 0; i < n; i++) {
        x[i] = data[3 * i];
        y[i] = data[3 * i + 1];
        z[i] = data[3 * i + 2];
    }
}

static void
of_any(double *to, size_t n, size_t columns, const double *data, int64_t row,
       int64_t column)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < columns; k++)
            to[k * n + i] = data[static_cast<int64_t>(i) * row +
                                 static_cast<int64_t>(k) * column];
}

void
Columns::gather(const double *data, int64_t row, int64_t column)
{
    if (n == 0 || row == 1) {
        first = data;
        pitch = column;
        return;
    }
    copy.reset(new_doubles(n * n_columns));
    double *to = copy.get();
    if (n_columns == 3 && row == 3 && column == 1)
        of_triples(to, n, data);
    else
        of_any(to, n, n_columns, data, row, column);
    first = to;
    pitch = static_cast<int64_t>(n);
}

// x - x is 0 if x is finite, and NaN otherwise. There are several sums,
// because the additions of one would depend on each other.
static bool
all_finite(const double *x, size_t n)
{
    enum { LANES = 8 };
    double sum[LANES] = {};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) sum[k] += x[i + k] - x[i + k];
    for (; i < n; i++) sum[0] += x[i] - x[i];
    for (size_t k = 1; k < LANES; k++) sum[0] += sum[k];
    return sum[0] == 0;
}

[[noreturn]] static void
refuse(const Columns &columns, size_t column, const char *name)
{
    const double *x = columns[column];
    size_t i = 0;
    while (std::isfinite(x[i])) i++;
    std::string place = std::to_string(i);
    if (columns.n_columns > 1) place += ", " + std::to_string(column);
    throw Failure{KOSHU_ERROR_NOT_FINITE,
                  std::string(name) + "[" + place + "] is " +
                          std::to_string(x[i]) +
                          ": every number of it must be finite"};
}

void
check_finite(const Columns &columns, const char *name)
{
    if (columns.n == 0) return;
    for (size_t k = 0; k < columns.n_columns; k++)
        if (!all_finite(columns[k], columns.n)) refuse(columns, k, name);
}
