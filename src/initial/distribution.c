/* SPDX-License-Identifier: MIT */
/* Distributions in segments: normalising them, and inverting their integral. */
#include "initial/distribution.h"

#include <math.h>

/* A constant of Kroupa 1995. */
static const double eta = 45;

double
koshu_segment_density(const struct koshu_segment *p, double x)
{
    const double l = log10(x);
    switch (p->kind) {
    case KOSHU_SEGMENT_POWER: return p->coefficient * pow(x, p->power);
    case KOSHU_SEGMENT_NORMAL:
        return p->coefficient / x *
               exp(-(l - p->mean) * (l - p->mean) / (2 * p->sigma * p->sigma));
    case KOSHU_SEGMENT_BIRTH:
        return p->coefficient / x * (l - 1) / (eta + (l - 1) * (l - 1));
    }
    return 0;
}

/* The indefinite integral of the density. */
static double
integral(const struct koshu_segment *p, double x)
{
    const double l = log10(x), c = p->coefficient;
    switch (p->kind) {
    case KOSHU_SEGMENT_POWER:
        return p->power == -1 ? c * log(x)
                              : c * pow(x, p->power + 1) / (p->power + 1);
    case KOSHU_SEGMENT_NORMAL:
        return c * M_LN10 * p->sigma * sqrt(M_PI / 2) *
               erf((l - p->mean) / (M_SQRT2 * p->sigma));
    case KOSHU_SEGMENT_BIRTH:
        return c * M_LN10 / 2 * log(eta + (l - 1) * (l - 1));
    }
    return 0;
}

/* Inverts the integral of a normal segment, which increases with x, to
 * rounding. */
static double
bisect(const struct koshu_segment *p, double value)
{
    double low = log10(p->low), high = log10(p->high);
    for (;;) {
        const double l = (low + high) / 2;
        if (l <= low || l >= high) return pow(10, l);
        if (integral(p, pow(10, l)) < value)
            low = l;
        else
            high = l;
    }
}

static double
inverse(const struct koshu_segment *p, double value)
{
    const double c = p->coefficient, s = p->power + 1;
    switch (p->kind) {
    case KOSHU_SEGMENT_POWER:
        return s == 0 ? exp(value / c) : pow(value * s / c, 1 / s);
    case KOSHU_SEGMENT_NORMAL: return bisect(p, value);
    case KOSHU_SEGMENT_BIRTH:
        return pow(10, 1 + sqrt(fmax(0, exp(2 * value / (c * M_LN10)) - eta)));
    }
    return 0;
}

bool
koshu_distribution_limit(struct koshu_distribution *d, double low, double high)
{
    double all = 0;
    size_t n = 0;
    for (size_t k = 0; k < d->n; k++) {
        struct koshu_segment p = d->segment[k];
        p.low = fmax(p.low, low);
        p.high = fmin(p.high, high);
        if (!(p.low < p.high)) continue;
        p.before = all;
        all += integral(&p, p.high) - integral(&p, p.low);
        d->segment[n++] = p;
    }
    d->n = n;
    for (size_t k = 0; k < n; k++) {
        d->segment[k].before /= all;
        d->segment[k].coefficient /= all;
    }
    return all > 0;
}

double
koshu_distribution_at(const struct koshu_distribution *d, double u)
{
    size_t first = 0, last = d->n - 1;
    while (first < last) {
        const size_t k = (first + last + 1) / 2;
        if (d->segment[k].before <= u)
            first = k;
        else
            last = k - 1;
    }
    const struct koshu_segment *p = &d->segment[first];
    const double x = inverse(p, integral(p, p->low) + (u - p->before));
    return fmin(fmax(x, p->low), p->high);
}
