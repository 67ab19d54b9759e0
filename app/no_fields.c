/* SPDX-License-Identifier: MIT */
/* What a koshu without Fourier transforms says. */
#include <stdio.h>

#include "app.h"
#include "init.h"
#include "run.h"

int
init_cosmology(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    fprintf(stderr, "koshu: this koshu was built without Fourier transforms, "
                    "which initial conditions of a universe need: install "
                    "libfftw3-dev (or libkissfft-dev) and build it again\n");
    return EXIT_FAILED;
}

const struct koshu_flow_fields *
flow_fields(void)
{
    return NULL;
}
