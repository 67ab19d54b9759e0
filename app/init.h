/* SPDX-License-Identifier: MIT */
/* koshu init of more than one model: a universe, where there are Fourier
 * transforms, and several models in one file. */
#ifndef KOSHU_APP_INIT_H
#define KOSHU_APP_INIT_H

int init_cosmology(int argc, char **argv);
int init_components(int argc, char **argv);

#endif
