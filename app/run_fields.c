/* SPDX-License-Identifier: MIT */
/* Flows in builds with Fourier transforms. */
#include "app.h"
#include "run.h"

const struct koshu_flow_fields *
flow_fields(void)
{
    return &koshu_flow_fields;
}
