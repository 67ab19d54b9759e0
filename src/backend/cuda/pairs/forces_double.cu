/* SPDX-License-Identifier: MIT */
#include "backend/cuda/pairs/launch.cuh"

const koshu::precision_functions koshu::functions_double =
        koshu::table_of<koshu::double_precision>(KOSHU_SHAPES_DOUBLE);
