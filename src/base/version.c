/* SPDX-License-Identifier: MIT */
#include <koshu/version.h>

const char *
koshu_version(void)
{
    return KOSHU_VERSION_STRING;
}

const char *
koshu_version_commit(void)
{
    return KOSHU_GIT_COMMIT;
}
