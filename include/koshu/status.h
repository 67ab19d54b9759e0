/* SPDX-License-Identifier: MIT */
/*
 * Status codes: what every function of koshu that can fail returns.
 *
 * The code is the kind of failure; the message that names the file, the value
 * and the remedy is kept by the context: koshu_context_message(). Later
 * versions may have more codes.
 *
 * Threads: all functions may be called from any thread at any time, the
 * _find() functions with one thread at a time for each context.
 */
#ifndef KOSHU_STATUS_H
#define KOSHU_STATUS_H

#include <koshu/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text): one line per status. */
#define KOSHU_STATUS_LIST(X)                                               \
    X(OK, "done")                                                          \
    X(ERROR_INVALID_ARGUMENT, "an argument is outside its allowed range")  \
    X(ERROR_BAD_INPUT, "the input is not usable")                          \
    X(ERROR_BAD_FORMAT, "the file is not what its format says")            \
    X(ERROR_NOT_FOUND, "not found")                                        \
    X(ERROR_OUT_OF_MEMORY, "out of memory")                                \
    X(ERROR_IO, "reading or writing failed")                               \
    X(ERROR_UNSUPPORTED, "not supported by this build, backend or format") \
    X(ERROR_NO_DEVICE, "no such device")                                   \
    X(ERROR_DEVICE, "a device reported an error")                          \
    X(ERROR_NOT_FINITE, "a particle is no longer finite")                  \
    X(ERROR_EXTERNAL, "an external program or library failed")             \
    X(ERROR_INTERNAL, "a bug in koshu")

enum koshu_status {
#define KOSHU_STATUS_ENUM(name, text) KOSHU_##name,
    KOSHU_STATUS_LIST(KOSHU_STATUS_ENUM)
#undef KOSHU_STATUS_ENUM
};

typedef enum koshu_status koshu_status;

struct koshu_context;

/* Text of a code ("out of memory"); "unknown status" for other numbers. */
KOSHU_API const char *koshu_status_text(koshu_status status);

/* Name of a code ("KOSHU_OK"); NULL past the last. */
KOSHU_API const char *koshu_status_name(koshu_status value);

/*
 * Code of a name. context may be NULL.
 * Status: KOSHU_ERROR_NOT_FOUND: none has it; the message lists the names;
 *   KOSHU_ERROR_INVALID_ARGUMENT: name or value is NULL.
 */
KOSHU_API KOSHU_MUST_CHECK koshu_status koshu_status_find(
        struct koshu_context *context, const char *name, koshu_status *value);

#ifdef __cplusplus
}
#endif

#endif
