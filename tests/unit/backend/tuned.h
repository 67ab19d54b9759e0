/* SPDX-License-Identifier: MIT */
/* A backend that only records which shapes are chosen, and a tuning file. */
#ifndef KOSHU_TESTS_TUNED_H
#define KOSHU_TESTS_TUNED_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/backend.h"
#include "check.h"
#include "scratch.h"
#include "tune/tune.h"

static const struct koshu_shape shapes[] = {
        {"direct", 32, 8, 4, 2, 32, 2},
        {"mutual", 128, 1, 8, 2, 4, 3},
};

static inline const struct koshu_shape *
shape_at(enum koshu_shape_set set, size_t k)
{
    (void)set;
    return k < 2 ? &shapes[k] : NULL;
}

struct chosen {
    size_t calls, k;
    enum koshu_shape_set set;
    unsigned size_class;
    int shared_memory;
};
static struct chosen chosen;

static inline void
choose(struct koshu_backend *backend, enum koshu_shape_set set,
       unsigned size_class, size_t k, int shared_memory)
{
    (void)backend;
    chosen = (struct chosen){chosen.calls + 1, k, set, size_class,
                             shared_memory};
}

static const struct koshu_backend_ops ops = {
        .name = "fake", .shape_at = shape_at, .select_shape = choose};

static size_t warnings;

static inline void
note_warning(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    if (level == KOSHU_LOG_LEVEL_WARNING && strstr(message, "tune.json"))
        warnings++;
}

static inline struct koshu_backend
fake(const char *model)
{
    struct koshu_context_options options = koshu_context_options_default();
    options.backend = "ref";
    options.log = note_warning;
    struct koshu_backend backend = {.ops = &ops};
    assert_int_equal(koshu_context_create(&options, &backend.context),
                     KOSHU_OK);
    snprintf(backend.model, sizeof backend.model, "%s", model);
    chosen = (struct chosen){.k = 99};
    warnings = 0;
    return backend;
}

static char here[2048], path[4096];

/* Sets up an empty cache. */
static inline int
begin(void **state)
{
    (void)state;
    scratch_enter();
    assert_non_null(getcwd(here, sizeof here));
    setenv("XDG_CACHE_HOME", here, 1);
    unsetenv("KOSHU_TUNE");
    assert_true(koshu_tuning_path(path, sizeof path));
    return 0;
}

static inline int
end(void **state)
{
    (void)state;
    unlink(path);
    rmdir("koshu");
    scratch_leave();
    return 0;
}

static inline void
save(const char *model, size_t k, unsigned size_class)
{
    struct koshu_tune_row row = {.set = KOSHU_SHAPES_MIXED,
                                 .size_class = size_class,
                                 .n = koshu_size_of_class(size_class),
                                 .shape = &shapes[k],
                                 .shared_memory = 100,
                                 .seconds = 1e-3,
                                 .right = true,
                                 .best = true};
    struct koshu_tune_table table = {&row, 1, 1};
    struct koshu_backend backend = fake(model);
    char name[4096];
    assert_ok(backend.context,
              koshu_tune_save(&backend, &table, name, sizeof name));
    assert_string_equal(name, path);
    koshu_context_destroy(backend.context);
}

#endif
