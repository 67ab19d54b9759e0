/* SPDX-License-Identifier: MIT */
#include "backend/cuda/pairs/shapes.cuh"

const koshu::shape_list koshu::more_single =
        koshu::list_of(koshu::float_shapes<koshu::single_precision>::kernels);
