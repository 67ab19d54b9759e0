/* SPDX-License-Identifier: MIT */
/* Brings the host's charges and dipoles to the device, in the order of the tree
 * and in a unit that suits floats. */
#include <cmath>
#include <cstring>

#include "backend/cuda/fmm/laplace.cuh"
#include "backend/cuda/tree/keys.cuh"
#include "base/base.h"
#include "tree/tree.h"

namespace koshu {

/* The host's arrays, one for each strength of a call; NULL: zeros. */
struct given_strengths {
    const double *array[FMM_MAX_STRENGTHS];
    int n, charges; /* n: how many; charges: how many of these, the first,
                       are charges */
};

static given_strengths
strengths_of(const laplace_call &c, size_t rhs)
{
    const koshu_fmm_points &p = *c.sources;
    given_strengths g = {};
    g.charges = g.n = c.step.sets;
    for (int set = 0; set < c.step.sets && p.charge; set++)
        g.array[set] = p.charge + (rhs + set) * p.n;
    for (int d = 0; d < 3 && c.kind.dipole; d++)
        g.array[g.n++] = p.dipole[d] + rhs * p.n;
    return g;
}

/* ---- the largest --------------------------------------------------------- */

/* Compares bits of |x|, which are ordered as the numbers are; NaN's are
 * largest. */
static __global__ void
__launch_bounds__(ITEM_THREADS)
        find_largest(const double *x, size_t n, unsigned long long *largest)
{
    wait_for_previous_kernel();
    const size_t step = (size_t)gridDim.x * ITEM_THREADS;
    unsigned long long own = 0;
    for (size_t k = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x; k < n;
         k += step)
        own = max(own, (unsigned long long)__double_as_longlong(fabs(x[k])));
    for (unsigned other = WARP / 2; other > 0; other /= 2)
        own = max(own, __shfl_xor_sync(~0u, own, other));
    if (threadIdx.x % WARP == 0) atomicMax(largest, own);
}

/* The maxima of charges and of dipoles; NaN or infinite if one of them is. */
static cudaError_t
read_largest(const laplace_call &c, const given_strengths &g, double *charge,
             double *dipole)
{
    const koshu_cuda *cuda = c.fmm->cuda;
    auto *found = c.fmm->largest.as<unsigned long long>();
    const dim3 blocks(std::min(blocks_of(c.sources->n).x,
                               (unsigned)(8 * cuda->multiprocessors)));
    const double *given = c.fmm->given.as<double>();
    double largest[2];
    KOSHU_CUDA_TRY(cudaMemsetAsync(found, 0, sizeof largest, cuda->stream));
    for (int k = 0; k < g.n; k++, given += c.sources->n)
        if (g.array[k])
            KOSHU_CUDA_TRY(launch(cuda, find_largest, blocks, ITEM_THREADS, 0,
                                  given, c.sources->n,
                                  found + (k >= g.charges)));
    const host_copy copy = {found, largest, sizeof largest};
    KOSHU_CUDA_TRY(download(c.fmm->cuda, &copy, 1));
    *charge = largest[0];
    *dipole = largest[1];
    return cudaSuccess;
}

/* As for a tree's masses; dipoles count divided by the root's length. */
static cudaError_t
set_unit(laplace_call *c, const given_strengths &g)
{
    const double side = box_of(c->step.tree.tree->seen->extent).side;
    double charge, dipole;
    KOSHU_CUDA_TRY(read_largest(*c, g, &charge, &dipole));
    if (!std::isfinite(charge + dipole)) c->outcome = KOSHU_ERROR_NOT_FINITE;
    const double largest = fmax(charge, side > 0 ? dipole / side : dipole);
    c->step.view.per_mass =
            1 / power_of_two(largest * sqrt((double)c->step.view.n));
    return cudaSuccess;
}

/* ---- the order of the tree ----------------------------------------------- */

/* Sorts by the tree's order; targets have no strengths. */
static cudaError_t
sort(const laplace_call &c, const double *from, double *to)
{
    const particle_tag *tag = c.fmm->points->tag;
    const size_t sources = c.sources->n;
    return for_each(c.fmm->cuda, c.step.view.n, [=] __device__(size_t k) {
        const uint32_t origin = tag[k].origin;
        to[k] = from && origin < sources ? from[origin] : 0;
    });
}

static cudaError_t
send_strengths(const laplace_call &c, const given_strengths &g)
{
    host_copy copies[FMM_MAX_STRENGTHS];
    size_t n = 0;
    const size_t points = c.sources->n, bytes = points * sizeof(double);
    KOSHU_CUDA_TRY(c.fmm->given.reserve(g.n * bytes));
    KOSHU_CUDA_TRY(c.fmm->largest.reserve(2 * sizeof(double)));
    for (int k = 0; k < g.n; k++)
        if (g.array[k])
            copies[n++] = {c.fmm->given.as<double>() + k * points,
                           const_cast<double *>(g.array[k]), bytes};
    return send(c, copies, n);
}

/* Puts each strength where expansions and pairs look for it. */
static cudaError_t
sort_strengths(laplace_call *c, const given_strengths &g, field_task *task)
{
    const size_t n = c->step.view.n;
    KOSHU_CUDA_TRY(c->fmm->strengths.reserve(g.n * n * sizeof(double)));
    for (int k = 0; k < g.n; k++) {
        double *const to = c->fmm->strengths.as<double>() + k * n;
        const double *from = c->fmm->given.as<double>() + k * c->sources->n;
        KOSHU_CUDA_TRY(sort(*c, g.array[k] ? from : nullptr, to));
        task->strength[k] = to;
        if (k < g.charges)
            c->step.charge[k] = to;
        else
            c->step.dipole[k - g.charges] = to;
    }
    return cudaSuccess;
}

cudaError_t
take_strengths(laplace_call *c, size_t rhs, field_task *task)
{
    const given_strengths g = strengths_of(*c, rhs);
    const double pi = 3.14159265358979323846;
    task->kind = c->kind;
    task->unit = c->kind.vortex ? 1 / (4 * pi) : 1;
    task->core = c->to->core;
    task->tag = c->fmm->points->tag;
    task->skip = is_apart(*c) ? (uint32_t)c->sources->n : 0;
    KOSHU_CUDA_TRY(send_strengths(*c, g));
    KOSHU_CUDA_TRY(set_unit(c, g));
    return sort_strengths(c, g, task);
}

/* ---- messages ------------------------------------------------------------ */

static bool
are_finite(const koshu_fmm_points &p)
{
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < p.n; i++)
            if (!std::isfinite(p.x[d][i])) return false;
    return true;
}

static koshu_status
name_strength(koshu_context *context, const koshu_fmm_points &p,
              const double *of, const char *kind)
{
    for (size_t k = 0; of && k < p.n_rhs * p.n; k++)
        if (!std::isfinite(of[k]))
            return koshu_fail(context, KOSHU_ERROR_NOT_FINITE,
                              "particle %zu of an FMM has the %s %g", k % p.n,
                              kind, of[k]);
    return KOSHU_OK;
}

koshu_status
name_culprit(const laplace_call &c)
{
    koshu_context *context = c.fmm->backend->context;
    for (const koshu_fmm_points *p : {c.sources, c.targets})
        if (!are_finite(*p))
            return koshu_tree_name_culprit(context, p->n, p->x[0], p->x[1],
                                           p->x[2]);
    KOSHU_TRY(name_strength(context, *c.sources, c.sources->charge, "charge"));
    for (const double *dipole : c.sources->dipole)
        KOSHU_TRY(name_strength(context, *c.sources, dipole, "dipole"));
    return koshu_tree_name_culprit(context, 0, nullptr, nullptr, nullptr);
}

} /* namespace koshu */
