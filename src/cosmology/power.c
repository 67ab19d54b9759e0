/* SPDX-License-Identifier: MIT */
/* The linear power spectrum, from a fit or a table. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cosmology/cosmology.h"

/* ---- a table ------------------------------------------------------------- */

/* Linear in ln k and ln P; beyond the ends, by the slopes there. */
static double
from_table(const struct koshu_power *p, double k)
{
    const double x = log(k);
    size_t low = 0, high = p->n - 1;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (p->ln_k[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    const double t = (x - p->ln_k[low]) / (p->ln_k[high] - p->ln_k[low]);
    return exp(p->ln_p[low] + t * (p->ln_p[high] - p->ln_p[low]));
}

/* Reads one line; false: it is not a valid row, or k does not increase. */
static bool
take_row(struct koshu_power *p, const char *line)
{
    char *end;
    const double k = strtod(line, &end), value = strtod(end, NULL);
    if (!(k > 0 && value > 0 && isfinite(k) && isfinite(value))) return false;
    if (p->n > 0 && log(k) <= p->ln_k[p->n - 1]) return false;
    p->ln_k[p->n] = log(k);
    p->ln_p[p->n++] = log(value);
    return true;
}

static bool
is_skipped(const char *line)
{
    while (isspace((unsigned char)*line)) line++;
    return *line == '\0' || *line == '#';
}

static koshu_status
take_rows(struct koshu_context *context, const char *path, char *text,
          struct koshu_power *p)
{
    int number = 0;
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n"))) {
        number++;
        if (is_skipped(line) || take_row(p, line)) continue;
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "%s:%d: expected k in h/Mpc and P in (Mpc/h)^3, both "
                          "> 0, k increasing from line to line",
                          path, number);
    }
    if (p->n >= 2) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s: a table of P(k) needs at least two lines", path);
}

koshu_status
koshu_power_read(struct koshu_context *context, const char *path, char *text,
                 struct koshu_power *p)
{
    size_t lines = 1;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    p->transfer = KOSHU_SPECTRUM_TABLE;
    p->amplitude = 1;
    p->n = 0;
    p->ln_k = koshu_alloc(lines, sizeof(double));
    p->ln_p = koshu_alloc(lines, sizeof(double));
    if (!p->ln_k || !p->ln_p)
        return koshu_fail_memory(context, 2 * lines * sizeof(double),
                                 "a table of P(k)");
    locale_t users = koshu_plain_numbers();
    const koshu_status status = take_rows(context, path, text, p);
    uselocale(users);
    return status;
}

koshu_status
koshu_power_covers(struct koshu_context *context, const struct koshu_power *p,
                   double from, double to)
{
    if (p->transfer != KOSHU_SPECTRUM_TABLE) return KOSHU_OK;
    const double first = exp(p->ln_k[0]), last = exp(p->ln_k[p->n - 1]);
    if (first <= from * (1 + 1e-12) && last >= to * (1 - 1e-12))
        return KOSHU_OK;
    return koshu_fail(
            context, KOSHU_ERROR_BAD_INPUT,
            "the table of P(k) covers k = %.4g to %.4g h/Mpc, but %.4g to %.4g "
            "is needed: use a longer table, or another box or grid",
            first, last, from, to);
}

void
koshu_power_free(struct koshu_power *p)
{
    koshu_free(p->ln_k);
    koshu_free(p->ln_p);
    p->ln_k = p->ln_p = NULL;
}

/* ---- P(k) ---------------------------------------------------------------- */

double
koshu_power_at(const struct koshu_power *p, double k)
{
    if (k <= 0) return 0;
    if (p->transfer == KOSHU_SPECTRUM_TABLE)
        return p->amplitude * from_table(p, k);
    const double t = koshu_transfer_of(p->transfer, &p->matter, k);
    return p->amplitude * pow(k, p->matter.n_s) * t * t;
}

/* The transform of a sphere, 3 j1(x) / x. */
static double
top_hat(double x)
{
    if (x < 1e-3) return 1 - x * x / 10;
    return 3 * (sin(x) - x * cos(x)) / (x * x * x);
}

/* The variance by waves in this range of ln k, by Simpson's rule. */
static double
variance(const struct koshu_power *p, double radius, double begin, double end)
{
    enum { N = 4096 };
    const double h = (end - begin) / N;
    double sum = 0;
    for (int i = 0; i <= N; i++) {
        const double k = exp(begin + i * h), w = top_hat(k * radius);
        const double weight = i == 0 || i == N ? 1 : i % 2 ? 4 : 2;
        sum += weight * koshu_power_at(p, k * (1 - 1e-15)) * k * k * k * w * w;
    }
    return sum * h / 3 / (2 * M_PI * M_PI);
}

/* For a table, over its whole range. */
double
koshu_power_sigma(const struct koshu_power *p, double radius)
{
    const bool table = p->transfer == KOSHU_SPECTRUM_TABLE;
    const double begin = table ? p->ln_k[0] : log(1e-6 / radius * 8),
                 end = table ? p->ln_k[p->n - 1] : log(1e3 / radius);
    return sqrt(variance(p, radius, begin, end));
}

double
koshu_power_sigma_missing(const struct koshu_power *p, double radius)
{
    if (p->transfer != KOSHU_SPECTRUM_TABLE) return 0;
    const double begin = p->ln_k[0], end = p->ln_k[p->n - 1];
    const double inside = variance(p, radius, begin, end);
    double outside = 0;
    if (begin > log(1e-6 / radius * 8))
        outside += variance(p, radius, log(1e-6 / radius * 8), begin);
    if (end < log(1e3 / radius))
        outside += variance(p, radius, end, log(1e3 / radius));
    return 1 - sqrt(inside / (inside + outside));
}

koshu_status
koshu_power_covers_sigma(struct koshu_context *context,
                         const struct koshu_power *p, double radius)
{
    const double missing = koshu_power_sigma_missing(p, radius);
    if (missing <= KOSHU_SIGMA_MISSING_MAX) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "the table of P(k) covers k = %.4g to %.4g h/Mpc, "
                      "without %.2g %% of the rms density in spheres of %.4g "
                      "Mpc/h: use a longer table",
                      exp(p->ln_k[0]), exp(p->ln_k[p->n - 1]), 100 * missing,
                      radius);
}

void
koshu_power_set_sigma_8(struct koshu_power *p, double sigma_8)
{
    p->amplitude = 1;
    const double ratio = sigma_8 / koshu_power_sigma(p, 8);
    p->amplitude = ratio * ratio;
}

void
koshu_power_set_a_s(struct koshu_power *p, double a_s, double d1)
{
    const double c_h0 = 2997.92458; /* c / H0 in Mpc/h */
    const double pivot = 0.05 / p->matter.h, om = p->matter.omega_m;
    p->amplitude = 8 * M_PI * M_PI / 25 * a_s * pow(c_h0, 4) / (om * om) *
                   pow(pivot, 1 - p->matter.n_s) * d1 * d1;
}
