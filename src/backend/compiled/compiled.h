/* SPDX-License-Identifier: MIT */
/*
 * Interactions on a CPU: the description becomes a C file, the system's
 * compiler makes a shared object of it, kept in a private cache, and that is
 * loaded. The program does one piece of a plan in a call and needs no OpenMP;
 * threads are koshu's.
 */
#ifndef KOSHU_BACKEND_COMPILED_COMPILED_H
#define KOSHU_BACKEND_COMPILED_COMPILED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/backend.h"
#include "backend/simd/plan.h"

/* What the object is made for. */
struct compiled_target {
    size_t vector_bytes;   /* 0: one pair after the other, as it stands */
    const char *flags[12]; /* of the compiler: instruction set; NULL-ended */
};

/* ---- the object ---------------------------------------------------------- */

/*
 * i-particles i_first ... i_first + n_i - 1 of rows `i` against the
 * j-particles j_first ... j_first + n_j - 1 of rows `j`; `out` gets n_i rows.
 * The generated file says the same.
 */
struct compiled_job {
    size_t i_first, n_i;
    const double *i;
    size_t j_first, n_j;
    const double *j;
    const double *constants;
    double *out;
};

typedef void compiled_function(const struct compiled_job *job);
#define COMPILED_FUNCTION "koshu_interaction"

/* The generated file, to be freed; of vector_body, or of body.
 * KOSHU_OUT_OF_MEMORY. */
koshu_status koshu_compiled_write(struct koshu_context *context,
                                  const struct koshu_interaction_source *source,
                                  const struct compiled_target *target,
                                  bool vectors, char **text);

/* ---- the compiler -------------------------------------------------------- */

struct compiler {
    char path[4096];
    /* changes when the file does: its size, times and place */
    char identity[128];
};

/* $KOSHU_CC, else cc, gcc or clang on the PATH, without running it.
 * KOSHU_EXTERNAL: there is none. */
koshu_status
koshu_compiler_find(struct koshu_context *context, struct compiler *compiler);

/*
 * Runs the program `argv[0]`, no shell; stderr and stdout go to *said, to be
 * freed, cut at 64 KiB. Killed with what it started after `seconds`.
 * KOSHU_EXTERNAL: it cannot be run, or took too long; KOSHU_OUT_OF_MEMORY.
 */
koshu_status koshu_run(struct koshu_context *context, char *const argv[],
                       double seconds, int *exit_status, char **said);

/* What it is told for every file of this kind, but where files are: at most
 * COMPILER_FLAGS, NULL-ended. */
enum { COMPILER_FLAGS = 40 };
void koshu_compiler_flags(const struct compiled_target *target,
                          const char *flags[COMPILER_FLAGS + 1]);

/*
 * The shared object `to` of the C file `from`; NULL: only looks for errors.
 * KOSHU_BAD_INPUT: the compiler says so, of the user's text: "name:line: ...";
 * KOSHU_EXTERNAL: it failed.
 */
koshu_status koshu_compiler_run(struct koshu_context *context,
                                const struct compiler *compiler,
                                const struct compiled_target *target,
                                const struct koshu_interaction_source *source,
                                const char *from, const char *to);

/*
 * The first error about the user's text in what a compiler said, as
 * "name:line: ..." into message; false: there is none. The column is left out:
 * what was compiled is not laid out as the text is.
 */
bool koshu_compiler_error(const char *said,
                          const struct koshu_interaction_source *source,
                          char *message, size_t size);

/* ---- the cache ----------------------------------------------------------- */

/*
 * A directory of our own that nobody else can write to. `kept`: the cache;
 * else it is removed by koshu_cache_close().
 */
struct cache {
    char directory[4096];
    bool kept;
};

/*
 * $XDG_CACHE_HOME/koshu/interactions, else that in ~/.cache, made if need be;
 * where there is no home, or it cannot be written, a temporary directory, and
 * a warning. KOSHU_IO: the directory is not ours, or others may write to it;
 * or there is no temporary one either.
 */
koshu_status
koshu_cache_open(struct koshu_context *context, struct cache *cache);
void koshu_cache_close(struct cache *cache);

/* Of all that a compiled object depends on: the name of its file. */
enum { KOSHU_CACHE_KEY = 32 };
void koshu_cache_key(const char *const *texts, size_t n,
                     char key[KOSHU_CACHE_KEY + 1]);

/* A name that nobody else uses for a file that is being made: several processes
 * may make the same object at once. */
void koshu_cache_own_name(char *name, size_t size);

/* Writes n bytes to the file `path`, new. KOSHU_IO. */
koshu_status koshu_cache_write(struct koshu_context *context, const char *path,
                               const void *bytes, size_t n);

/* Adds a checksum to the end of the object. KOSHU_IO. */
koshu_status koshu_cache_seal(struct koshu_context *context, const char *path);
/* Is it there, ours, and unchanged since it was sealed? */
bool koshu_cache_is_sealed(const char *path);
/* What was sealed, to be freed; NULL: it is not as above. */
char *koshu_cache_read(const char *path, size_t *size);
/* Writes and seals a file under a name of its own, and renames it. KOSHU_IO. */
koshu_status koshu_cache_keep(struct koshu_context *context, const char *path,
                              const void *bytes, size_t n);

/* A file of the cache is used. */
void koshu_cache_used(const char *path);
/* After something new is kept: where there are more files than MOST, those that
 * were used longest ago go, but none that was used in the last day, until LEFT
 * are left. */
enum { KOSHU_CACHE_MOST = 1024, KOSHU_CACHE_LEFT = 768 };
void koshu_cache_trim(const struct cache *cache);

/* ---- the operations ------------------------------------------------------ */

koshu_status
koshu_compiled_create(struct koshu_backend *backend,
                      const struct koshu_interaction_source *source,
                      const struct compiled_target *target,
                      struct koshu_interaction_program **program);
void koshu_compiled_destroy(struct koshu_interaction_program *program);
koshu_status koshu_compiled_evaluate(struct koshu_interaction_program *program,
                                     size_t n_i, const double *i, size_t n_j,
                                     const double *j, double *out);

#endif
