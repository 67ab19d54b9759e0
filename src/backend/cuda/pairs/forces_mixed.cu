/* SPDX-License-Identifier: MIT */
#include "backend/cuda/pairs/launch.cuh"

const koshu::precision_functions koshu::functions_mixed =
        koshu::table_of<koshu::mixed_precision>(KOSHU_SHAPES_MIXED);
