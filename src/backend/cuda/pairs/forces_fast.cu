/* SPDX-License-Identifier: MIT */
#include "backend/cuda/pairs/launch.cuh"

const koshu::precision_functions koshu::functions_fast =
        koshu::table_of<koshu::fast_precision>(KOSHU_SHAPES_FAST);
