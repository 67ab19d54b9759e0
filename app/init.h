/* SPDX-License-Identifier: MIT */
/* koshu init for other things than a single model: cosmological initial
 * conditions, if there are Fourier transforms, and several models in one
 * file. */
#ifndef KOSHU_APP_INIT_H
#define KOSHU_APP_INIT_H

int init_cosmology(int argc, char **argv);
int init_components(int argc, char **argv);

#endif
