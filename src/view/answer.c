/* SPDX-License-Identifier: MIT */
/* The parts of the server that do not depend on the network library: commands,
 * token, log. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "view/view.h"

bool
koshu_view_admits(const struct koshu_view_channel *channel, const char *token)
{
    const size_t n = KOSHU_VIEW_TOKEN - 1;
    unsigned char differs = 0;
    if (!token || strlen(token) != n) return false;
    for (size_t k = 0; k < n; k++)
        differs |= (unsigned char)(token[k] ^ channel->token[k]);
    return differs == 0;
}

void
koshu_view_command(struct koshu_view_channel *channel, const char *text,
                   size_t n)
{
    static const char *const words[] = {"pause", "continue", "step", "stop"};
    size_t k = 0;
    if (!channel->control) return;
    while (k < 4 && (strlen(words[k]) != n || memcmp(words[k], text, n) != 0))
        k++;
    switch (k) {
    case 0: atomic_store(&channel->paused, true); break;
    case 1: atomic_store(&channel->paused, false); break;
    case 2:
        atomic_store(&channel->paused, true);
        atomic_store(&channel->steps, 1);
        break;
    case 3: atomic_store(&channel->stop, true); break;
    default: break;
    }
}

char *
koshu_view_log_part(const char *path, long long from, size_t *n)
{
    const int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0) return NULL;
    char *part = malloc(KOSHU_VIEW_BEFORE + KOSHU_VIEW_LOG_BYTES);
    ssize_t got = -1;
    if (part)
        got = pread(fd, part + KOSHU_VIEW_BEFORE, KOSHU_VIEW_LOG_BYTES, from);
    close(fd);
    *n = got > 0 ? (size_t)got : 0;
    return part;
}
