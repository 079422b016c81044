// jansson's macros as functions, which Swift can call (jansson.readthedocs.io, "API Reference").
#pragma once
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

// MARK: Memory of one parse

// A message is parsed, copied and forgotten at once, and most of what that costs is malloc and free for some
// dozens of small pieces. So a parse takes its pieces one after the other from a block that its caller lends, and
// the caller takes all of them back at once; what does not fit there comes from malloc, as for anybody else.

struct jb_block {
    uintptr_t start, next, end;
    int spilled;
};

/// The block lent to this thread's parse; without one, all pieces are malloc's. (A variable of the function,
/// since Swift leaves those of a header out.)
static inline struct jb_block *jb_json_block(void) {
    static _Thread_local struct jb_block block;
    return &block;
}

static inline void *jb_json_malloc(size_t count) {
    struct jb_block *block = jb_json_block();
    size_t size = (count + 15) & ~(size_t)15;
    // Larger or equal also when the sum went round.
    if (size < count || size > block->end - block->next) {
        block->spilled = 1;
        return malloc(count);
    }
    void *piece = (void *)block->next;
    block->next += size;
    return piece;
}

static inline void jb_json_free(void *piece) {
    const struct jb_block *block = jb_json_block();
    if ((uintptr_t)piece - block->start >= block->end - block->start) free(piece);
}

/// Makes jansson ask here for memory, for the whole process; before the first parse, once.
static inline void jb_json_prepare(void) {
    json_set_alloc_funcs(jb_json_malloc, jb_json_free);
    // The kernel has given each process 16 random bytes (getauxval(3)): jansson need not open /dev/urandom for its
    // hashes. A seed of 0 would have it do that.
    size_t seed = 0;
    const void *random = (const void *)getauxval(AT_RANDOM);
    if (random != NULL) memcpy(&seed, random, sizeof seed);
    json_object_seed(seed);
}

/// Lends a block, aligned to 16 bytes, to the parses of this thread until `jb_json_take_back`.
static inline void jb_json_lend(void *bytes, size_t count) {
    struct jb_block *block = jb_json_block();
    block->start = block->next = (uintptr_t)bytes;
    block->end = (uintptr_t)bytes + count;
    block->spilled = 0;
}

/// Takes the block back with all that was made in it; `root` may be NULL.
static inline void jb_json_take_back(json_t *root) {
    struct jb_block *block = jb_json_block();
    if (block->spilled) json_decref(root);
    block->start = block->next = block->end = 0;
}

// MARK: Parsing

/// Parses any JSON value; a raw NUL, bad UTF-8, a lone surrogate or a name twice in an object is an error.
static inline json_t *jb_json_load(const char *bytes, size_t count, json_error_t *error) {
    return json_loadb(bytes, count, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, error);
}

/// `json_typeof` as a number, since its enumeration is anonymous to Swift.
static inline int jb_json_type(const json_t *value) { return (int)json_typeof(value); }

static inline const char *jb_json_error_text(const json_error_t *error) { return error->text; }
static inline int jb_json_error_position(const json_error_t *error) { return error->position; }
