// The contract of the control protocol as bytes of the program.
#pragma once
#include <stddef.h>

/// `protocol/openrpc.json` as it is in the repository.
///
/// A function, since Swift would take a large array for a tuple of as many members.
static inline const unsigned char *jb_contract(size_t *count) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
    static const unsigned char bytes[] = {
#embed "../../../protocol/openrpc.json"
    };
#pragma clang diagnostic pop
    *count = sizeof bytes;
    return bytes;
}
