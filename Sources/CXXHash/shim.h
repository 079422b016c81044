// xxHash: what tells a block on disk that is whole from one that is torn or rotten.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif

/// XXH3 of 64 bits, a stable format since version 0.8.0; by the widest instructions of the machine where there is a
/// choice (the header's macros see to that).
static inline uint64_t jb_xxh3(const void *bytes, size_t count) { return XXH3_64bits(bytes, count); }
