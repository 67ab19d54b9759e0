/* SPDX-License-Identifier: MIT */
/*
 * System calls interrupted by signals: a full pipe with a slow reader, under a
 * handler without SA_RESTART.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "check.h"

enum { N = 1 << 20, SIGNALS = 50 };

static atomic_int interrupted;
static int ends[2];
static unsigned char sent[N], received[N];

static void
on_signal(int number)
{
    (void)number;
    interrupted++;
}

/* Interrupts the writer repeatedly, each time after it has received the last
 * signal, and reads what it writes in between. */
static void *
interrupt_and_read(void *writer)
{
    size_t n = 0;
    for (int k = 1; k <= SIGNALS; k++) {
        pthread_kill(*(pthread_t *)writer, SIGUSR1);
        while (interrupted < k) sched_yield();
        n += (size_t)read(ends[0], received + n, 1000);
    }
    for (ssize_t got; (got = read(ends[0], received + n, N - n)) > 0;)
        n += (size_t)got;
    return (void *)(n == N && memcmp(sent, received, N) == 0 ? NULL : "wrong");
}

static bool
write_plainly(void)
{
    return koshu_write_all(ends[1], sent, N);
}

static bool
write_by_stream(void)
{
    int error = 0;
    FILE *stream = koshu_stream_on(ends[1], &error);
    bool good = fwrite(sent, 1, N, stream) == N;
    return fclose(stream) == 0 && good && error == 0;
}

static void
write_under_signals(bool (*write_it)(void))
{
    const struct sigaction plain = {.sa_handler = on_signal};
    struct sigaction before;
    pthread_t self = pthread_self(), other;
    void *wrong;
    for (size_t i = 0; i < N; i++) sent[i] = (unsigned char)(i * 37 >> 3);
    memset(received, 0, N);
    interrupted = 0;
    assert_int_equal(sigaction(SIGUSR1, &plain, &before), 0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(pthread_create(&other, NULL, interrupt_and_read, &self),
                     0);
    bool good = write_it();
    close(ends[1]);
    assert_int_equal(pthread_join(other, &wrong), 0);
    close(ends[0]);
    sigaction(SIGUSR1, &before, NULL);
    assert_true(good);
    assert_null(wrong);
}

static void
signals_end_no_write(void **state)
{
    (void)state;
    write_under_signals(write_plainly);
    write_under_signals(write_by_stream);
}

static void
failures_are_told(void **state)
{
    (void)state;
    int error = 0;
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    FILE *stream = koshu_stream_on(full, &error);
    fputs("x", stream);
    assert_int_equal(fflush(stream), EOF);
    assert_true(ferror(stream));
    assert_int_equal(error, ENOSPC);
    fclose(stream);
    assert_false(koshu_write_all(full, "x", 1));
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(koshu_close(full), 0);
    assert_int_equal(koshu_close(full), EBADF);
    assert_int_equal(koshu_sync(full), EBADF);
    assert_false(koshu_write_all_at(full, "x", 1, 0));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(signals_end_no_write),
            cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
