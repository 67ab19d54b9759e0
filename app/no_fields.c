/* SPDX-License-Identifier: MIT */
/* Commands of builds without Fourier transforms: they say that these are
 * missing. */
#include <stdio.h>

#include "analyse.h"
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

void
parse_assignment_of_mesh(struct argp_state *state, const char *option,
                         char *text, void *member)
{
    (void)state;
    (void)option;
    (void)text;
    (void)member;
}

koshu_status
analyse_flows(struct analysis *analysis)
{
    return koshu_fail(analysis->context, KOSHU_ERROR_UNSUPPORTED,
                      "this koshu was built without Fourier transforms, which "
                      "flows in a box need: install libfftw3-dev (or "
                      "libkissfft-dev) and build it again");
}

koshu_status
begin_spectra(struct analysis *analysis)
{
    return koshu_fail(analysis->context, KOSHU_ERROR_UNSUPPORTED,
                      "this koshu was built without Fourier transforms, which "
                      "power spectra need: install libfftw3-dev (or "
                      "libkissfft-dev) and build it again");
}

/* Never called, as no such run starts. */

koshu_status
measure_spectrum(struct analysis *analysis,
                 const struct analyse_snapshot *snapshot)
{
    (void)snapshot;
    return begin_spectra(analysis);
}

koshu_status
finish_spectra(const struct analysis *analysis)
{
    (void)analysis;
    return KOSHU_OK;
}

void
end_spectra(struct analysis *analysis)
{
    (void)analysis;
}
