/* SPDX-License-Identifier: MIT */
/* The growth of the longest waves from snapshot to snapshot of a run, compared
 * with linear theory. */
#include <math.h>
#include <stdio.h>

#include "analyse_spectrum.h"

enum { BINS = 2 }; /* of the longest waves: 1 and 2 per edge */

/* From the modes that stay linear longest. In snapshots of one run they have
 * the same random numbers, which cancel in ratios. */
static double
amplitude(const struct spectrum_of *s)
{
    double sum = 0;
    for (size_t b = 0; b < BINS && b < s->measured.n; b++)
        sum += s->measured.bin[b].modes * s->measured.bin[b].power;
    return sqrt(fmax(sum, 0));
}

void
print_growth(const struct analysis *w, const struct spectrum_of *s)
{
    printf("growth of waves up to k = %.3g %s since %s\n"
           "  %12s  %12s  %12s  %8s\n",
           s->measured.bin[BINS - 1].k, s->wave, s->label, "", "measured",
           "D(a)", "ratio");
    for (size_t k = 0; k < w->a->files.n; k++) {
        const double d = amplitude(&s[k]) / amplitude(&s[0]);
        const double linear = s[k].growth / s[0].growth;
        printf("  %12s  %12.5g  %12.5g  %8.4f\n", s[k].label, d, linear,
               d / linear);
    }
}
