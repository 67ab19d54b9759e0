/* SPDX-License-Identifier: MIT */
/* Loads programs of user-defined interactions; the operations of the
 * backend. */
#include "backend/cuda/interaction/program.cuh"
#include "backend/cuda/cuda.h"
#include "backend/cuda/runtime/object.cuh"

using namespace koshu;

/* ---- loading ------------------------------------------------------------- */

/* The function of a shape, and the bytes of local memory that it needs. */
static cudaError_t
find_function(const koshu_interaction_program *program,
              const koshu_pair_shape &shape, CUfunction *function, int *local)
{
    const koshu_driver &driver = program->driver;
    char name[KOSHU_PAIR_NAME];
    koshu_pair_name(&shape, name);
    KOSHU_CUDA_TRY(of_driver(driver.function(function, program->module, name)));
    return of_driver(driver.attribute(local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                      *function));
}

/* Keeps a kernel unless its registers spill while those of the narrowest shape
 * do not; the narrowest comes last, except for the one with many warps. */
static cudaError_t
find_kernel(koshu_interaction_program *program, const koshu_pair_shape &shape,
            int max_local)
{
    const koshu_driver &driver = program->driver;
    pair_kernel *kernel = &program->kernels[program->n_kernels];
    int local = 0, at_once = 0;
    *kernel = {shape, nullptr, 0, koshu_pair_step(&program->size, &shape)};
    KOSHU_CUDA_TRY(find_function(program, shape, &kernel->function, &local));
    KOSHU_CUDA_TRY(of_driver(driver.set_attribute(
            kernel->function,
            CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
            SHARED_MEMORY)));
    KOSHU_CUDA_TRY(of_driver(driver.occupancy(&at_once, kernel->function,
                                              (int)kernel->threads(), 0)));
    kernel->at_once = (size_t)at_once;
    if (at_once > 0 && local <= max_local) program->n_kernels++;
    return cudaSuccess;
}

static cudaError_t
find_kernels(koshu_interaction_program *program)
{
    koshu_pair_shape shapes[KOSHU_PAIR_SHAPES];
    const size_t n = koshu_pair_shapes(&program->size, shapes);
    CUfunction function;
    int max_local = 0;
    for (size_t k = 0; k < n; k++)
        if (shapes[k].per_thread == 1 && shapes[k].warps == 4)
            KOSHU_CUDA_TRY(
                    find_function(program, shapes[k], &function, &max_local));
    for (size_t k = 0; k < n; k++)
        KOSHU_CUDA_TRY(find_kernel(program, shapes[k], max_local));
    return program->n_kernels > 0 ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

static cudaError_t
load(koshu_interaction_program *program, const koshu_pair_code &code)
{
    koshu_driver *driver = &program->driver;
    if (!koshu_driver_find(driver)) return cudaErrorInsufficientDriver;
    KOSHU_CUDA_TRY(cudaFree(nullptr)); /* makes the runtime's context current */
    KOSHU_CUDA_TRY(program->cuda->pairs.open());
    KOSHU_CUDA_TRY(of_driver(driver->load(&program->module, code.bytes)));
    return find_kernels(program);
}

/* ---- operations ---------------------------------------------------------- */

static void
destroy(koshu_interaction_program *program)
{
    if (!program) return;
    koshu_cuda_enter(program->cuda);
    if (program->module) program->driver.unload(program->module);
    free_object(program);
}

static koshu_status
create(koshu_cuda *cuda, const koshu_kernel_source *source,
       const koshu_pair_code &code, koshu_interaction_program **program)
{
    auto *p = make_object<koshu_interaction_program>();
    if (!p) return koshu_fail_memory(cuda->context, sizeof *p, "interaction");
    p->cuda = cuda;
    p->size = koshu_pair_size_of(source);
    p->n_j_fields = source->list[KOSHU_LIST_J].n;
    const cudaError_t error = load(p, code);
    if (error == cudaSuccess)
        *program = p;
    else
        destroy(p);
    return status_of(cuda, error, "loading an interaction");
}

/* 90: 9.0 */
static cudaError_t
capability_of(const koshu_cuda *cuda, int *capability)
{
    int major = 0, minor = 0;
    KOSHU_CUDA_TRY(cudaDeviceGetAttribute(
            &major, cudaDevAttrComputeCapabilityMajor, cuda->device));
    KOSHU_CUDA_TRY(cudaDeviceGetAttribute(
            &minor, cudaDevAttrComputeCapabilityMinor, cuda->device));
    *capability = 10 * major + minor;
    return cudaSuccess;
}

static koshu_status
compile(koshu_backend *backend, const koshu_kernel_source *source,
        koshu_interaction_program **program)
{
    koshu_cuda *cuda = enter(backend);
    int capability = 0;
    koshu_pair_code code;
    KOSHU_TRY(status_of(cuda, capability_of(cuda, &capability),
                        "asking for the compute capability"));
    KOSHU_TRY(koshu_pair_code_of(source, capability, &code));
    const koshu_status status = create(cuda, source, code, program);
    free(code.bytes);
    return status;
}

static koshu_status
evaluate(koshu_interaction_program *program, size_t n_i, const double *i,
         size_t n_j, const double *j, double *out)
{
    koshu_cuda_enter(program->cuda);
    return status_of(program->cuda,
                     evaluate_pairs(program, n_i, i, n_j, j, out),
                     "evaluating an interaction");
}

const koshu_interaction_ops koshu_cuda_interaction = {.always_double = false,
                                                      .compile = compile,
                                                      .destroy = destroy,
                                                      .evaluate = evaluate};
