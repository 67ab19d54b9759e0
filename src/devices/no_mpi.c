/* SPDX-License-Identifier: MIT */
/* The functions on ranks of a build without MPI: there is one rank. */
#include "devices/devices.h"

bool
koshu_transfer_reads_devices(void)
{
    return false;
}

const char *
koshu_ranks_library(void)
{
    return NULL;
}

koshu_status
koshu_ranks_initialise(struct koshu_context *context)
{
    KOSHU_REQUIRE(context, context);
    return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                      "this koshu was built without MPI: build it with "
                      "-DKOSHU_MPI=ON (libopenmpi-dev), or start one process");
}

koshu_status
koshu_ranks_initialise_from(struct koshu_context *context, int communicator)
{
    KOSHU_REQUIRE(context, context);
    (void)communicator;
    return koshu_ranks_initialise(context);
}

void
koshu_ranks_finalise(void)
{
}
