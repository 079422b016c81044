// Libraries that are loaded when they are first needed, not when the program starts: with what they bring along they
// cost an idle daemon memory, and its start time, for nothing.
#pragma once
#include <dlfcn.h>
#include <stddef.h>

/// The address of a function of a library (its soname), which is loaded for it and stays; NULL when there is none.
/// `slot` keeps it, for any thread.
static inline void *jb_late_function(const char *library, const char *name, void **slot) {
    void *function = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (function != NULL) return function;
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL) return NULL;
    function = dlsym(handle, name);
    __atomic_store_n(slot, function, __ATOMIC_RELEASE);
    return function;
}

/// A function of a library in its own type.
#define JB_LATE(library, function)                                                        \
    ({                                                                                    \
        static void *jb_slot;                                                             \
        (__typeof__(&function))jb_late_function(library, #function, &jb_slot);            \
    })
