/* SPDX-License-Identifier: MIT */
#include "backend/cuda/j_store/table.cuh"

const koshu::j_functions koshu::j_functions_single =
        koshu::j_table_of<koshu::jerk_single>();
