/* SPDX-License-Identifier: MIT */
/* koshu analyse --power-spectrum: its results. */
#ifndef KOSHU_APP_ANALYSE_SPECTRUM_H
#define KOSHU_APP_ANALYSE_SPECTRUM_H

#include "analyse.h"

/* The spectrum of one snapshot. */
struct spectrum_of {
    struct koshu_measured_spectrum measured;
    double time, growth; /* time: a, or t; growth 0: not cosmological */
    char label[64];      /* "z = 4" */
    char length[64];     /* "Mpc/h" */
    char wave[64];       /* "h/Mpc" */
    char time_unit[64];
    size_t grid;
};

/* Prints a row for every few k. */
void print_spectrum(const struct analysis *w, const struct spectrum_of *s);

/* Prints the amplitude of the longest waves compared with D(a). */
void print_growth(const struct analysis *w, const struct spectrum_of *s);

koshu_status
write_spectra(const struct analysis *w, const struct spectrum_of *s);
koshu_status
draw_spectra(const struct analysis *w, const struct spectrum_of *s);

#endif
