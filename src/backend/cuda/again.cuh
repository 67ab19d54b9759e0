/* SPDX-License-Identifier: MIT */
/* The second sums of cancelled.cuh: their memory and launches. */
#ifndef KOSHU_BACKEND_CUDA_AGAIN_CUH
#define KOSHU_BACKEND_CUDA_AGAIN_CUH

#include "backend/cuda/setup.cuh"

namespace koshu {

static inline size_t
again_blocks(const koshu_cuda *cuda)
{
    return 4 * cuda->multiprocessors;
}

/* Made with the device: two counters of lists, and one of each that is cut. */
static inline cudaError_t
make_counters(koshu_cuda *cuda)
{
    const size_t bytes =
            2 * sizeof(unsigned long long) +
            AGAIN_ITEMS * again_blocks(cuda) / 2 * sizeof(unsigned);
    buffer *counters = &cuda->scratch.again_counters;
    KOSHU_CUDA_TRY(counters->reserve(bytes));
    return cudaMemset(counters->as<void>(), 0, bytes);
}

/* A list with room for n, for one sum. */
template <class P>
static cudaError_t
reserve_list(koshu_cuda *cuda, size_t n, cancelled_list<P> *list)
{
    scratch *s = &cuda->scratch;
    KOSHU_CUDA_TRY(s->cancelled.reserve(n * sizeof(cancelled<P>)));
    KOSHU_CUDA_TRY(s->again_partial.reserve(AGAIN_ITEMS * again_blocks(cuda) *
                                            4 * sizeof(double)));
    unsigned long long *counters = s->again_counters.as<unsigned long long>();
    list->n = counters + s->again_counter;
    s->again_counter ^= 1;
    list->next_n = counters + s->again_counter;
    list->arrived = reinterpret_cast<unsigned *>(counters + 2);
    list->which = s->cancelled.as<cancelled<P>>();
    list->partial = s->again_partial.as<double>();
    return cudaSuccess;
}

template <class P>
static void
fill_again(again_args<P> *args, const force_setup &setup, const progress &noted)
{
    args->soft = softening_of<P>(setup);
    args->double_soft = softening_of<double_precision>(setup);
    args->out = out_of<double_precision>(setup, noted);
}

/* Of n particles on each other, for the kernel that fills the list and for
 * launch_again(). In precisions that need it; elsewhere nothing is done. */
template <class P>
static cudaError_t
again_in_store(koshu_cuda *cuda, const packed_memory &particles, size_t n,
               const force_setup &setup, again_args<P> *args)
{
    if constexpr (sums_again<P>) {
        args->i = args->j = packed_of<P>(particles);
        args->whole = {0, n, 0, n};
        args->own = true;
        args->part = cancelled_part(n);
        fill_again(args, setup, cuda->progress);
        return reserve_list(cuda, n, &args->list);
    }
    return cudaSuccess;
}

template <class P>
static cudaError_t
launch_again(const koshu_cuda *cuda, const again_args<P> &args)
{
    if constexpr (sums_again<P>)
        return launch(cuda, sum_again<P>, (unsigned)again_blocks(cuda),
                      AGAIN_THREADS, 0, args);
    return cudaSuccess;
}

/* Of sets that were summed. */
template <class P>
static cudaError_t
again_in_sets(koshu_cuda *cuda, const again_list &list,
              const force_setup &setup)
{
    again_args<P> args = {};
    args.i = packed_of<P>(list.i);
    args.j = packed_of<P>(list.j);
    args.sets = list.sets;
    args.self = list.self;
    fill_again(&args, setup, {});
    KOSHU_CUDA_TRY(reserve_list(cuda, list.n_sets * FIND_THREADS, &args.list));
    KOSHU_CUDA_TRY(launch(cuda, find_cancelled<P>, (unsigned)list.n_sets,
                          FIND_THREADS, 0, args));
    return launch_again(cuda, args);
}

} /* namespace koshu */

#endif
