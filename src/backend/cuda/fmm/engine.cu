/* SPDX-License-Identifier: MIT */
/* The fast multipole method on the device: creation, and the backend's
 * operations. */
#include <cstring>

#include "backend/cuda/cuda.h"
#include "backend/cuda/fmm/laplace.cuh"
#include "backend/cuda/fmm/ranks.cuh"
#include "backend/cuda/runtime/object.cuh"
#include "particles/particles.h"
#include "tree/tree.h"

using namespace koshu;

/* ---- life ---------------------------------------------------------------- */

static cudaError_t
upload(buffer *to, const void *from, size_t bytes)
{
    KOSHU_CUDA_TRY(to->reserve(bytes));
    return cudaMemcpy(to->as<void>(), from, bytes, cudaMemcpyHostToDevice);
}

/* Uploads the coefficients of the operators. */
static cudaError_t
upload_coefficients(koshu_fmm_engine *f)
{
    const koshu_expansion *e = f->expansion;
    const size_t f64 = e->n * sizeof *e->f64, f32 = e->n * sizeof *e->f32;
    KOSHU_CUDA_TRY(f->coefficients.reserve(f64 + f32));
    char *const to = f->coefficients.as<char>();
    KOSHU_CUDA_TRY(cudaMemcpy(to, e->f64, f64, cudaMemcpyHostToDevice));
    KOSHU_CUDA_TRY(cudaMemcpy(to + f64, e->f32, f32, cudaMemcpyHostToDevice));
    f->on_device = *e;
    f->on_device.exchange = f->on_device.along = nullptr;
    f->on_device.f64 = reinterpret_cast<double *>(to);
    f->on_device.f32 = reinterpret_cast<float *>(to + f64);
    return upload_fragments(*e, &f->matrices, &f->fragments);
}

/* Uploads what softening and a periodic box need, if they are requested. */
static cudaError_t
upload_options(koshu_fmm_engine *f, const double *lattice)
{
    const koshu_cartesian *c = f->options.cartesian;
    const koshu_fmm_images *images = f->options.images;
    const size_t p = (size_t)f->options.order, terms = (p + 1) * (p + 1);
    if (c) KOSHU_CUDA_TRY(upload(&f->cartesian, c, koshu_cartesian_bytes(c)));
    if (!lattice) return cudaSuccess;
    KOSHU_CUDA_TRY(
            upload(&f->lattice, lattice, terms * terms * sizeof *lattice));
    return upload(&f->shifts, images->shift, images->n * sizeof *images->shift);
}

static cudaError_t
open(koshu_fmm_engine *f, const double *lattice)
{
    KOSHU_CUDA_TRY(f->counts.reserve(sizeof(fmm_counts)));
    KOSHU_CUDA_TRY(f->counts_on_host.reserve(sizeof(fmm_counts)));
    for (event &end : f->event) KOSHU_CUDA_TRY(end.open(cudaEventDefault));
    KOSHU_CUDA_TRY(upload_options(f, lattice));
    return upload_coefficients(f);
}

static void
destroy(koshu_fmm_engine *f)
{
    if (!f) return;
    koshu_cuda_enter(f->cuda);
    cudaStreamSynchronize(f->cuda->stream);
    koshu_cuda_tree_ops.destroy(f->tree);
    free_rank_step(f->rank_step);
    destroy_store(f->points);
    koshu_expansion_destroy(f->expansion);
    free_object(f);
}

static koshu_status
fill(koshu_fmm_engine *f)
{
    koshu_context *context = f->backend->context;
    KOSHU_TRY(koshu_expansion_create(context, f->options.order, &f->expansion));
    const koshu_tree_images none = {};
    KOSHU_TRY(koshu_cuda_tree_ops.create(f->backend, &none, &f->tree));
    double *lattice = nullptr;
    if (f->options.lattice)
        KOSHU_TRY(koshu_lattice_matrix(context, f->options.lattice, &lattice));
    const cudaError_t error = open(f, lattice);
    koshu_free(lattice);
    return status_of(f->cuda, error, "making an FMM on the device");
}

static koshu_status
create(koshu_backend *backend, const koshu_fmm_engine_options *options,
       koshu_fmm_engine **engine)
{
    koshu_cuda *cuda = enter(backend);
    koshu_fmm_engine *f = make_object<koshu_fmm_engine>();
    *engine = nullptr;
    if (!f) return koshu_fail_memory(backend->context, sizeof *f, "FMM");
    f->backend = backend;
    f->cuda = cuda;
    f->options = *options;
    const koshu_status status = fill(f);
    if (status == KOSHU_OK)
        *engine = f;
    else
        destroy(f);
    return status;
}

static void
set_opening(koshu_fmm_engine *engine, const koshu_opening *opening)
{
    engine->options.opening = *opening;
}

/* ---- forces -------------------------------------------------------------- */

static koshu_status
forces(koshu_fmm_engine *engine, const koshu_force_task *task,
       koshu_particles *particles, unsigned fields,
       koshu_fmm_engine_report *report)
{
    const size_t n = koshu_particles_count(particles);
    koshu_cuda_store *store;
    koshu_status outcome = KOSHU_OK;
    KOSHU_TRY(koshu_tree_check_size(engine->backend->context, n, "device"));
    KOSHU_TRY(koshu_cuda_store_of(engine->backend, particles, &store));
    KOSHU_TRY(acquire_for_fmm(particles, fields));
    const cudaError_t error =
            do_fmm_step(engine, store, *task, report, &outcome);
    return status_of_fmm(engine, particles, error, outcome);
}

/* ---- a periodic box as a whole ------------------------------------------- */

static koshu_status
root(koshu_fmm_engine *engine, koshu_particles *particles, koshu_fmm_root *root)
{
    koshu_cuda_store *store;
    *root = {};
    if (koshu_particles_count(particles) == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_cuda_store_of(engine->backend, particles, &store));
    KOSHU_TRY(koshu_particles_on_device(particles,
                                        KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
                                        KOSHU_ACCESS_READ));
    return status_of_fmm(engine, particles, sum_root(engine, *store, root),
                         KOSHU_OK);
}

static koshu_status
add_field(koshu_fmm_engine *engine, const koshu_fmm_box_field *field,
          koshu_particles *particles, unsigned fields)
{
    koshu_cuda_store *store;
    if (koshu_particles_count(particles) == 0) return KOSHU_OK;
    KOSHU_TRY(koshu_cuda_store_of(engine->backend, particles, &store));
    KOSHU_TRY(koshu_particles_on_device(particles, KOSHU_FIELD_POSITION,
                                        KOSHU_ACCESS_READ));
    KOSHU_TRY(koshu_particles_on_device(particles, fields,
                                        KOSHU_ACCESS_READ_WRITE));
    cudaError_t error = add_box_field(engine, *store, *field,
                                      (fields & KOSHU_FIELD_POTENTIAL) != 0);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(engine->cuda->stream);
    return status_of_fmm(engine, particles, error, KOSHU_OK);
}

const koshu_fmm_engine_ops koshu_cuda_fmm_ops = {.create = create,
                                                 .destroy = destroy,
                                                 .forces = forces,
                                                 .laplace = laplace,
                                                 .root = root,
                                                 .add_box_field = add_field,
                                                 .set_opening = set_opening,
                                                 .parts = &fmm_parts_ops};
