/* SPDX-License-Identifier: MIT */
/* Marks of the public interface. */
#ifndef KOSHU_EXPORT_H
#define KOSHU_EXPORT_H

#if defined(__GNUC__)
#define KOSHU_API __attribute__((visibility("default")))
#define KOSHU_MUST_CHECK __attribute__((warn_unused_result))
#define KOSHU_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define KOSHU_API
#define KOSHU_MUST_CHECK
#define KOSHU_PRINTF(text, first)
#endif

#endif
