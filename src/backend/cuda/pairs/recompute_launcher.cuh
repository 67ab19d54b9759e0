/* SPDX-License-Identifier: MIT */
/* Launches of recompute.cuh, and their memory. */
#ifndef KOSHU_BACKEND_CUDA_PAIRS_RECOMPUTE_LAUNCHER_CUH
#define KOSHU_BACKEND_CUDA_PAIRS_RECOMPUTE_LAUNCHER_CUH

#include "backend/cuda/pairs/forces.cuh"

namespace koshu {

static inline size_t
recompute_blocks(const koshu_cuda *cuda)
{
    return 4 * cuda->multiprocessors;
}

/* Made with the device: two counters of lists, and one for each divided sum. */
static inline cudaError_t
make_counters(koshu_cuda *cuda)
{
    const size_t bytes =
            2 * sizeof(unsigned long long) +
            RECOMPUTE_ITEMS * recompute_blocks(cuda) / 2 * sizeof(unsigned);
    buffer *counters = &cuda->scratch.recompute_counters;
    KOSHU_CUDA_TRY(counters->reserve(bytes));
    return cudaMemset(counters->as<void>(), 0, bytes);
}

/* Reserves a list with a capacity of n for one sum. */
template <class P>
static cudaError_t
reserve_list(koshu_cuda *cuda, size_t n, cancellation_list<P> *list)
{
    scratch *s = &cuda->scratch;
    KOSHU_CUDA_TRY(s->cancellations.reserve(n * sizeof(cancellation<P>)));
    KOSHU_CUDA_TRY(s->recompute_partial.reserve(
            RECOMPUTE_ITEMS * recompute_blocks(cuda) * 4 * sizeof(double)));
    unsigned long long *counters =
            s->recompute_counters.as<unsigned long long>();
    list->n = counters + s->recompute_counter;
    s->recompute_counter ^= 1;
    list->next_n = counters + s->recompute_counter;
    list->arrived = reinterpret_cast<unsigned *>(counters + 2);
    list->which = s->cancellations.as<cancellation<P>>();
    list->partial = s->recompute_partial.as<double>();
    return cudaSuccess;
}

template <class P>
static void
fill_recompute(recompute_args<P> *args, const force_setup &setup,
               const progress &noted)
{
    args->soft = softening_of<P>(setup);
    args->double_soft = softening_of<double_precision>(setup);
    args->out = out_of<double_precision>(setup, noted);
}

/* For n particles on each other: prepares the arguments of the kernel that
 * fills the list, with at most `listed` entries, and of launch_recompute().
 * Does nothing in precisions that do not need it. */
template <class P>
static cudaError_t
recompute_in_store(koshu_cuda *cuda, const packed_memory &particles, size_t n,
                   const force_setup &setup, size_t listed,
                   const progress &noted, recompute_args<P> *args)
{
    if constexpr (recomputes<P>) {
        args->i = args->j = packed_of<P>(particles);
        args->whole = {0, n, 0, n};
        args->own = true;
        args->part = cancellation_part(n);
        fill_recompute(args, setup, noted);
        return reserve_list(cuda, listed, &args->list);
    }
    return cudaSuccess;
}

template <class P>
static cudaError_t
launch_recompute(const koshu_cuda *cuda, const recompute_args<P> &args)
{
    if constexpr (recomputes<P>)
        return launch(cuda, recompute_sums<P>, (unsigned)recompute_blocks(cuda),
                      RECOMPUTE_THREADS, 0, args);
    return cudaSuccess;
}

/* For sets that have been summed. */
template <class P>
static cudaError_t
recompute_in_sets(koshu_cuda *cuda, const item_list &list,
                  const force_setup &setup)
{
    recompute_args<P> args = {};
    args.i = packed_of<P>(list.i);
    args.j = packed_of<P>(list.j);
    args.sets = list.sets;
    args.self = list.self;
    fill_recompute(&args, setup, {});
    KOSHU_CUDA_TRY(reserve_list(cuda, list.n_sets * FIND_THREADS, &args.list));
    KOSHU_CUDA_TRY(launch(cuda, find_cancellations<P>, (unsigned)list.n_sets,
                          FIND_THREADS, 0, args));
    return launch_recompute(cuda, args);
}

} /* namespace koshu */

#endif
