/* SPDX-License-Identifier: MIT */
/* koshu init cosmology, where there are Fourier transforms. */
#ifndef KOSHU_APP_INIT_H
#define KOSHU_APP_INIT_H

int init_cosmology(int argc, char **argv);

#endif
