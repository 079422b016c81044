// OpenSSL's libcrypto, which libcurl has in memory anyway: keyed hashes and random bytes.
#pragma once
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stddef.h>

/// HMAC-SHA256 (RFC 2104) into 32 bytes; returns 1, or 0 when there is no memory for it.
static inline int jb_hmac(
    const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *result) {
    unsigned int length = 32;
    return HMAC(EVP_sha256(), key, (int)key_count, (const unsigned char *)bytes, count, result, &length) != NULL;
}
