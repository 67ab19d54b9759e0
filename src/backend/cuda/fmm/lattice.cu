/* SPDX-License-Identifier: MIT */
/* The effect of a periodic box's images that are not cells, and the
 * neutralising background (solve/fmm_box.c), on the device. */
#include "backend/cuda/fmm/box.cuh"
#include "backend/cuda/runtime/for_each.cuh"

namespace koshu {

struct source_args {
    fmm_view view;
    const double *dipole[3]; /* or NULL */
    double *sums;            /* two for each block */
};

/* Sums over all sources, in units of the box's edge: the charge and, about the
 * centre, sum_j q_j y_j^2 + 2 p_j y_j. The number of blocks is the same on any
 * device, and so are the results. */
static __global__ void
__launch_bounds__(ITEM_THREADS)
        sum_sources(const __grid_constant__ source_args a)
{
    wait_for_previous_kernel();
    const fmm_view &v = a.view;
    const double per_edge = 1 / v.images.edge;
    double charge = 0, second = 0;
    for (size_t j = (size_t)blockIdx.x * ITEM_THREADS + threadIdx.x; j < v.n;
         j += (size_t)SUM_BLOCKS * ITEM_THREADS) {
        const double x = (v.x[j] - v.images.middle[0]) * per_edge,
                     y = (v.y[j] - v.images.middle[1]) * per_edge,
                     z = (v.z[j] - v.images.middle[2]) * per_edge;
        const double q = v.mass[j] * v.per_mass;
        charge += q;
        second += q * (x * x + y * y + z * z);
        if (a.dipole[0])
            second += 2 * v.per_mass * per_edge *
                      (a.dipole[0][j] * x + a.dipole[1][j] * y +
                       a.dipole[2][j] * z);
    }
    sum_block(&charge, &second);
    if (threadIdx.x > 0) return;
    a.sums[2 * blockIdx.x] = charge;
    a.sums[2 * blockIdx.x + 1] = second;
}

struct lattice_args {
    fmm_view view;        /* of the double-precision expansions */
    const double *matrix; /* of the lattice: local = matrix times multipole */
    const double *sums;
    double *background; /* NULL: no background */
    koshu_lattice_softening soft;
    int p;
};

/* The factor of the background, and of the part of softening of the same
 * form. */
KOSHU_DEVICE double
factor_of(const koshu_lattice_softening &soft)
{
    return 4 * 3.14159265358979323846 / 3 - soft.curvature;
}

/* The harmonic part of the background, from multipoles in units of the edge. */
KOSHU_DEVICE double
harmonic_of(const koshu_lattice_softening &soft, double charge, double second,
            const double *multipole, int k)
{
    if (k == 0) return factor_of(soft) / 2 * second + soft.mean * charge;
    return k < 4 ? -factor_of(soft) * multipole[k] : 0;
}

/* ratio^n, n being the degree of term k */
KOSHU_DEVICE double
scale_of(double ratio, int k)
{
    double factor = 1;
    for (int n = 1; n * n <= k; n++) factor *= ratio;
    return factor;
}

/* One block: adds to the root's local expansion. */
static __global__ void
__launch_bounds__(ITEM_THREADS)
        apply_lattice(const __grid_constant__ lattice_args a)
{
    /* one more than there are terms, as the compiler reads two at a time */
    __shared__ double
            multipole[(KOSHU_MAX_ORDER + 1) * (KOSHU_MAX_ORDER + 1) + 1];
    wait_for_previous_kernel();
    const int terms = (a.p + 1) * (a.p + 1);
    const double ratio = length_of(a.view.place[0]) / a.view.images.edge;
    const double *from = static_cast<const double *>(a.view.multipole);
    double *to = static_cast<double *>(a.view.local);
    double charge = 0, second = 0;
    for (unsigned k = threadIdx.x; k < SUM_BLOCKS; k += ITEM_THREADS) {
        charge += a.sums[2 * k];
        second += a.sums[2 * k + 1];
    }
    sum_block(&charge, &second);
    for (int k = (int)threadIdx.x; k < terms; k += ITEM_THREADS)
        multipole[k] = from[k] * scale_of(ratio, k);
    __syncthreads();
    for (int k = (int)threadIdx.x; k < terms; k += ITEM_THREADS) {
        double sum = 0;
        for (int n = 0; n < terms; n++)
            sum += a.matrix[(size_t)n * terms + k] * multipole[n];
        if (a.background)
            sum += harmonic_of(a.soft, charge, second, multipole, k);
        to[k] += sum * ratio * scale_of(ratio, k);
    }
    if (a.background && threadIdx.x == 0)
        *a.background = factor_of(a.soft) * charge;
}

cudaError_t
sum_all_sources(const fmm_step &s)
{
    return launch(s.cuda, sum_sources, dim3(SUM_BLOCKS), ITEM_THREADS, 0,
                  source_args{s.view,
                              {s.dipole[0], s.dipole[1], s.dipole[2]},
                              s.fmm->sums.as<double>()});
}

cudaError_t
add_lattice(const fmm_step &wide)
{
    const koshu_fmm_engine *f = wide.fmm;
    const double *sums = f->sums.as<double>();
    KOSHU_CUDA_TRY(sum_all_sources(wide));
    const fmm_view &v = wide.view;
    const koshu_lattice_softening soft =
            koshu_lattice_soften(f->options.images, v.eps / v.images.edge);
    return launch(wide.cuda, apply_lattice, dim3(1), ITEM_THREADS, 0,
                  lattice_args{v, f->lattice.as<double>(), sums,
                               const_cast<double *>(v.background), soft,
                               f->options.order});
}

/* Adds to the local expansions of a level's cells the difference of the
 * background between their centres and their parents'. */
cudaError_t
shift_background(const fmm_step &s, const fmm_level &level)
{
    const fmm_view v = s.view;
    if (!v.background) return cudaSuccess;
    const double per_edge = 1 / v.images.edge;
    const other_rows to = others_of(s, v.local);
    return for_each(s.cuda, level.end - level.begin, [=] __device__(size_t k) {
        const size_t child = level.begin + k, at = child * v.stride;
        const fmm_place own = v.place[child], from = v.place[v.parent[child]];
        const double length = length_of(own) * per_edge;
        const double x = (own.x - from.x) * per_edge,
                     y = (own.y - from.y) * per_edge,
                     z = (own.z - from.z) * per_edge;
        const double b = *v.background * length;
        to.put(at, to.get(at) + b * (x * x + y * y + z * z) / 2);
        to.put(at + 1, to.get(at + 1) + b * length * y);
        to.put(at + 2, to.get(at + 2) + b * length * z);
        to.put(at + 3, to.get(at + 3) + b * length * x);
    });
}

} /* namespace koshu */
