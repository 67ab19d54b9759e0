/* SPDX-License-Identifier: MIT */
/* Objects that own buffers, created without the C++ library. */
#ifndef KOSHU_BACKEND_CUDA_RUNTIME_OBJECT_CUH
#define KOSHU_BACKEND_CUDA_RUNTIME_OBJECT_CUH

#include <cstdlib>
#include <new>

namespace koshu {

/* A zeroed object with its members' initial values; NULL: no memory. */
template <class T>
T *
make_object()
{
    void *memory = calloc(1, sizeof(T));
    return memory ? new (memory) T() : nullptr;
}

template <class T>
void
free_object(T *object)
{
    object->~T();
    free(object);
}

} /* namespace koshu */

#endif
