/* SPDX-License-Identifier: MIT */
/*
 * Boxes of another rank's targets, for which cells are tested. Neighbours in
 * the list are near each other: so eight of them each have a box around them,
 * eight of these again, and so on. A cell is tested against what is in a box
 * only if it has to be opened for the box: far cells against a few boxes
 * instead of thousands. Eight lanes test a cell.
 */
#ifndef KOSHU_BACKEND_CUDA_TREE_NESTED_BOXES_CUH
#define KOSHU_BACKEND_CUDA_TREE_NESTED_BOXES_CUH

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "backend/cuda/runtime/copies.cuh"
#include "backend/cuda/runtime/device.cuh"
#include "backend/cuda/runtime/kernel.cuh"

namespace koshu {

enum { BOX_LANES = 8 };

/* level[0]: the targets. */
template <class Box, int LEVELS> struct nested_boxes {
    const Box *level[LEVELS];
    uint32_t n[LEVELS];
};

/* The number of boxes around n. */
static inline size_t
boxes_around(size_t n)
{
    return (n + BOX_LANES - 1) / BOX_LANES;
}

/* The number of boxes on all levels. */
static inline size_t
count_nested(size_t n, int levels)
{
    size_t all = 0;
    for (int k = 0; k < levels; k++, n = boxes_around(n)) all += n;
    return all;
}

/* Makes to[0 ... boxes_around(n) - 1]; largest: a member of which a box has the
 * largest value in it. */
template <class Box>
static void
enclose(size_t n, const Box *box, double Box::*largest, Box *to)
{
    for (size_t k = 0; k < n; k++) {
        Box *w = &to[k / BOX_LANES];
        if (k % BOX_LANES == 0) *w = box[k];
        for (int c = 0; c < 3; c++) {
            w->low[c] = fmin(w->low[c], box[k].low[c]);
            w->high[c] = fmax(w->high[c], box[k].high[c]);
        }
        w->*largest = fmax(w->*largest, box[k].*largest);
    }
}

/* Copies targets and the boxes around them to memory for count_nested() of
 * them. */
template <class Box, int LEVELS>
static cudaError_t
upload_nested(koshu_cuda *cuda, size_t n, const Box *targets,
              double Box::*largest, Box *to, nested_boxes<Box, LEVELS> *nested)
{
    const size_t bytes = count_nested(n, LEVELS) * sizeof *targets;
    Box *const all = static_cast<Box *>(malloc(bytes));
    if (!all) return cudaErrorMemoryAllocation;
    std::copy(targets, targets + n, all);
    for (size_t k = 0, first = 0; k < LEVELS; k++) {
        nested->level[k] = to + first;
        nested->n[k] = (uint32_t)n;
        if (k + 1 < LEVELS) enclose(n, all + first, largest, all + first + n);
        first += n;
        n = boxes_around(n);
    }
    const host_copy copy = {to, all, bytes};
    const cudaError_t error = upload(cuda, &copy, 1);
    free(all);
    return error;
}

/* One bit for each of the eight lanes of a cell. */
KOSHU_DEVICE unsigned
lanes_that(bool mine)
{
    const unsigned first = threadIdx.x % WARP / BOX_LANES * BOX_LANES;
    return __ballot_sync(0xffu << first, mine) >> first & 0xffu;
}

/* Is opens(box) true of any of the eight targets, or of those in the eight
 * boxes, from `first` on? */
template <int LEVEL, class Nested, class Opens>
KOSHU_DEVICE bool
any_of_eight(const Nested &boxes, uint32_t first, const Opens &opens)
{
    const uint32_t k = first + threadIdx.x % BOX_LANES;
    unsigned left =
            lanes_that(k < boxes.n[LEVEL] && opens(boxes.level[LEVEL][k]));
    if constexpr (LEVEL > 0) {
        for (; left != 0; left &= left - 1) {
            const uint32_t inside = first + (uint32_t)__ffs((int)left) - 1;
            if (any_of_eight<LEVEL - 1>(boxes, BOX_LANES * inside, opens))
                return true;
        }
    }
    return left != 0;
}

/* Is opens(box) true of any target? It must be true of a box if it is of one of
 * those in it. */
template <class Box, int LEVELS, class Opens>
KOSHU_DEVICE bool
any_target(const nested_boxes<Box, LEVELS> &boxes, const Opens &opens)
{
    for (uint32_t first = 0; first < boxes.n[LEVELS - 1]; first += BOX_LANES)
        if (any_of_eight<LEVELS - 1>(boxes, first, opens)) return true;
    return false;
}

} /* namespace koshu */

#endif
