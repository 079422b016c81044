// libutf8proc: folds text for search (utf8proc.h). Its options are an enumeration that Swift cannot combine.
#pragma once
#include <stdlib.h>
#include <utf8proc.h>

/// Case, accents and compatibility forms folded, look-alikes of punctuation made one; the caller frees the result.
/// Returns its length, below 0 on error.
static inline long jb_fold(const uint8_t *bytes, long count, uint8_t **result) {
    return utf8proc_map(bytes, count, result,
        (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD
            | UTF8PROC_STRIPMARK | UTF8PROC_IGNORE | UTF8PROC_LUMP));
}
