/* SPDX-License-Identifier: MIT */
#include "backend/cuda/pairs/shapes.cuh"

const koshu::shape_list koshu::more_fast =
        koshu::list_of(koshu::float_shapes<koshu::fast_precision>::kernels);
