/* SPDX-License-Identifier: MIT */
/* Macros of the public interface. */
#ifndef KOSHU_EXPORT_H
#define KOSHU_EXPORT_H

#include <stddef.h>

#if defined(__GNUC__)
#define KOSHU_API __attribute__((visibility("default")))
#define KOSHU_MUST_CHECK __attribute__((warn_unused_result))
#define KOSHU_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define KOSHU_API
#define KOSHU_MUST_CHECK
#define KOSHU_PRINTF(text, first)
#endif

/*
 * Declares the defaults of struct NAME, which begins with its own size, `size_t
 * size`, and may grow in later versions: NAME_default() returns one whose size
 * and members are set. From other languages: NAME_set_defaults(pointer, bytes).
 */
#define KOSHU_DECLARE_DEFAULT(name)                                        \
    KOSHU_API void name##_set_defaults(struct name *options, size_t size); \
    static inline struct name name##_default(void)                         \
    {                                                                      \
        struct name options;                                               \
        name##_set_defaults(&options, sizeof options);                     \
        return options;                                                    \
    }

#endif
