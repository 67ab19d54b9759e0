/* SPDX-License-Identifier: MIT */
/* koshu analyse --power-spectrum: what was measured. */
#ifndef KOSHU_APP_ANALYSE_SPECTRUM_H
#define KOSHU_APP_ANALYSE_SPECTRUM_H

#include "analyse.h"

/* Of one snapshot. */
struct spectrum_of {
    struct koshu_measured_spectrum measured;
    double time, growth; /* a, or t; growth 0: of no universe */
    char label[64];      /* "z = 4" */
    char length[64];     /* "Mpc/h" */
    char wave[64];       /* "h/Mpc" */
    char time_unit[64];
    size_t grid;
};

/* A line for every few k. */
void print_spectrum(const struct analysis *w, const struct spectrum_of *s);

/* The amplitude of the longest waves against D(a). */
void print_growth(const struct analysis *w, const struct spectrum_of *s);

koshu_status
write_spectra(const struct analysis *w, const struct spectrum_of *s);
koshu_status
draw_spectra(const struct analysis *w, const struct spectrum_of *s);

#endif
