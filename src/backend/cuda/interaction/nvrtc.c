/* SPDX-License-Identifier: MIT */
/*
 * NVRTC, NVIDIA's compiler library, loaded when it is needed: koshu also runs
 * without it. Its headers are not used, because their package may be missing.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/compiled/compiled.h"
#include "backend/cuda/interaction/interaction.h"
#include "base/base.h"

struct nvrtc_program;

/* NVRTC's functions; all return 0 or an error. */
struct nvrtc {
    const char *(*error_text)(int error);
    int (*count_architectures)(int *n);
    int (*list_architectures)(int *architectures);
    int (*create)(struct nvrtc_program **program, const char *text,
                  const char *name, int n_files, const char *const *files,
                  const char *const *names);
    int (*destroy)(struct nvrtc_program **program);
    int (*compile)(struct nvrtc_program *program, int n,
                   const char *const *options);
    int (*log_size)(struct nvrtc_program *program, size_t *size);
    int (*log)(struct nvrtc_program *program, char *log);
    int (*cubin_size)(struct nvrtc_program *program, size_t *size);
    int (*cubin)(struct nvrtc_program *program, char *cubin);
    int (*ptx_size)(struct nvrtc_program *program, size_t *size);
    int (*ptx)(struct nvrtc_program *program, char *ptx);
};

/* ---- the library --------------------------------------------------------- */

static void *
open_library(void)
{
    static const char *const names[] = {
            "libnvrtc.so.13",
            "libnvrtc.so.12",
            "libnvrtc.so.11.2",
            "/usr/local/cuda/lib64/libnvrtc.so.13",
            "/usr/local/cuda/lib64/libnvrtc.so.12",
            "/usr/local/cuda/lib64/libnvrtc.so.11.2",
            NULL,
    };
    return koshu_open_library("KOSHU_NVRTC", names);
}

/* The library is never unloaded: loading it takes longer than most
 * compilations. */
static koshu_status
find_nvrtc(struct koshu_context *context, struct nvrtc *found)
{
    void *library = open_library();
    if (!library)
        return koshu_fail(
                context, KOSHU_ERROR_EXTERNAL,
                "cuda: interactions are compiled by NVRTC, which cannot be "
                "loaded (%s): install the package cuda-nvrtc-13-0 of NVIDIA, "
                "or libnvrtc12 of Ubuntu; or set KOSHU_NVRTC to the library's "
                "path",
                dlerror());
    const struct koshu_function wanted[] = {
            {"nvrtcGetErrorString", &found->error_text},
            {"nvrtcGetNumSupportedArchs", &found->count_architectures},
            {"nvrtcGetSupportedArchs", &found->list_architectures},
            {"nvrtcCreateProgram", &found->create},
            {"nvrtcDestroyProgram", &found->destroy},
            {"nvrtcCompileProgram", &found->compile},
            {"nvrtcGetProgramLogSize", &found->log_size},
            {"nvrtcGetProgramLog", &found->log},
            {"nvrtcGetCUBINSize", &found->cubin_size},
            {"nvrtcGetCUBIN", &found->cubin},
            {"nvrtcGetPTXSize", &found->ptx_size},
            {"nvrtcGetPTX", &found->ptx},
    };
    const char *missing = koshu_find_functions(
            library, sizeof wanted / sizeof wanted[0], wanted);
    if (!missing) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_EXTERNAL,
                      "cuda: NVRTC is too old, or no NVRTC (there is no %s in "
                      "it): install that of CUDA 11.7 or newer",
                      missing);
}

/* ---- messages ------------------------------------------------------------ */

koshu_status
koshu_nvrtc_fail(const struct koshu_kernel_source *source, const char *log)
{
    char message[600];
    if (koshu_compiler_error(log, source, message, sizeof message))
        return koshu_fail(source->context, KOSHU_ERROR_BAD_INPUT, "%s",
                          message);
    const char *error = strstr(log, "error");
    while (error && error > log && error[-1] != '\n') error--;
    const char *text = error ? error : log;
    return koshu_fail(source->context, KOSHU_ERROR_EXTERNAL,
                      "cuda: NVRTC cannot compile the interaction %s: %.*s",
                      source->name, (int)strcspn(text, "\n"), text);
}

/* ---- compiling ----------------------------------------------------------- */

struct job {
    const struct koshu_kernel_source *source;
    struct nvrtc nvrtc;
    struct nvrtc_program *program;
    int architecture; /* for which code is compiled */
    bool supported;   /* it is the device's own */
};

static koshu_status
check(const struct job *job, int error, const char *doing)
{
    if (error == 0) return KOSHU_OK;
    return koshu_fail(job->source->context, KOSHU_ERROR_EXTERNAL,
                      "cuda: NVRTC, %s: %s", doing,
                      job->nvrtc.error_text(error));
}

/* The device's architecture, or the newest older one that NVRTC knows. */
static koshu_status
select_architecture(struct job *job, int capability)
{
    int supported[256], n = 0;
    KOSHU_TRY(check(job, job->nvrtc.count_architectures(&n), "asking it"));
    if (n > (int)(sizeof supported / sizeof supported[0])) n = 0;
    if (n > 0)
        KOSHU_TRY(check(job, job->nvrtc.list_architectures(supported),
                        "asking for architectures"));
    job->architecture = 0;
    for (int k = 0; k < n; k++)
        if (supported[k] <= capability && supported[k] > job->architecture)
            job->architecture = supported[k];
    job->supported = job->architecture == capability;
    if (job->architecture) return KOSHU_OK;
    return koshu_fail(job->source->context, KOSHU_ERROR_EXTERNAL,
                      "cuda: this NVRTC does not compile for compute "
                      "capability %d.%d: install that of a newer CUDA",
                      capability / 10, capability % 10);
}

static koshu_status
create(struct job *job, const char *text)
{
    enum { MAX_FILES = 16 };
    const char *names[MAX_FILES], *files[MAX_FILES];
    int n = 0;
    for (; koshu_pair_files[n].name; n++) {
        names[n] = koshu_pair_files[n].name;
        files[n] = koshu_pair_files[n].text;
    }
    return check(job,
                 job->nvrtc.create(&job->program, text, "interaction.cu", n,
                                   files, names),
                 "taking the program");
}

static koshu_status
fail_with_log(struct job *job, int error)
{
    size_t size = 0;
    KOSHU_TRY(check(job, job->nvrtc.log_size(job->program, &size), "log"));
    char *log = calloc(size + 1, 1);
    if (!log)
        return koshu_fail_memory(job->source->context, size,
                                 "NVRTC's messages");
    koshu_status status = check(job, job->nvrtc.log(job->program, log), "log");
    if (status == KOSHU_OK)
        status = log[0] ? koshu_nvrtc_fail(job->source, log)
                        : check(job, error, "compiling");
    free(log);
    return status;
}

/* Float arithmetic is that of the built-in kernels: subnormal numbers become
 * zero, and 1 / sqrt(x) and x / y have errors of up to 2 units in the last
 * place. */
static koshu_status
compile(struct job *job)
{
    char architecture[48];
    snprintf(architecture, sizeof architecture, "--gpu-architecture=%s_%d",
             job->supported ? "sm" : "compute", job->architecture);
    const char *options[] = {
            architecture,       "--std=c++17",       "--ftz=true",
            "--prec-div=false", "--prec-sqrt=false", "--disable-warnings",
    };
    int error = job->nvrtc.compile(
            job->program, (int)(sizeof options / sizeof options[0]), options);
    return error ? fail_with_log(job, error) : KOSHU_OK;
}

static koshu_status
take_code(struct job *job, struct koshu_pair_code *code)
{
    const struct nvrtc *n = &job->nvrtc;
    KOSHU_TRY(check(job,
                    (job->supported ? n->cubin_size : n->ptx_size)(job->program,
                                                                   &code->size),
                    "asking for the size"));
    code->bytes = malloc(code->size);
    if (!code->bytes)
        return koshu_fail_memory(job->source->context, code->size,
                                 "device code");
    koshu_status status = check(
            job,
            (job->supported ? n->cubin : n->ptx)(job->program, code->bytes),
            "asking for the code");
    if (status == KOSHU_OK) return KOSHU_OK;
    free(code->bytes);
    *code = (struct koshu_pair_code){0};
    return status;
}

koshu_status
koshu_nvrtc_compile(const struct koshu_kernel_source *source, const char *text,
                    int capability, struct koshu_pair_code *code)
{
    struct job job = {.source = source};
    *code = (struct koshu_pair_code){0};
    KOSHU_TRY(find_nvrtc(source->context, &job.nvrtc));
    KOSHU_TRY(select_architecture(&job, capability));
    koshu_status status = create(&job, text);
    if (status == KOSHU_OK) status = compile(&job);
    if (status == KOSHU_OK) status = take_code(&job, code);
    if (job.program) job.nvrtc.destroy(&job.program);
    return status;
}
