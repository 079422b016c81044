// OpenSSL's libcrypto, which libcurl brings along: keyed hashes.
#pragma once
#include "../CLinux/include/LateLibrary.h"
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stddef.h>

#define JB_STRING_OF(text) #text
#define JB_STRING(number) JB_STRING_OF(number)
/// The library that belongs to the headers.
#define JB_CRYPTO(function) JB_LATE("libcrypto.so." JB_STRING(OPENSSL_SHLIB_VERSION), function)

/// HMAC-SHA256 (RFC 2104) into 32 bytes; returns 1, or 0 when there is no memory or no library for it.
static inline int jb_hmac(
    const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *result) {
    unsigned int length = 32;
    __typeof__(&HMAC) hmac = JB_CRYPTO(HMAC);
    __typeof__(&EVP_sha256) sha256 = JB_CRYPTO(EVP_sha256);
    if (hmac == NULL || sha256 == NULL) return 0;
    return hmac(sha256(), key, (int)key_count, (const unsigned char *)bytes, count, result, &length) != NULL;
}
