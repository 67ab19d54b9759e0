/* SPDX-License-Identifier: MIT */
#include "backend/cuda/pairs/launch.cuh"

const koshu::precision_functions koshu::functions_single =
        koshu::table_of<koshu::single_precision>(KOSHU_SHAPES_SINGLE);
