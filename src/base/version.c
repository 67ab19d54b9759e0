/* SPDX-License-Identifier: MIT */
/* The version of the library, and the commit that it was built from. */
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
