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

/// Undoes AES-128 in CBC mode (NIST SP 800-38A) of whole blocks of 16 bytes, padding included; returns 1, or 0 when
/// there is no memory or no library for it.
static inline int jb_aes128_cbc_undo(
    const unsigned char *key, const unsigned char *vector, const unsigned char *bytes, int count,
    unsigned char *result) {
    __typeof__(&EVP_CIPHER_CTX_new) make = JB_CRYPTO(EVP_CIPHER_CTX_new);
    __typeof__(&EVP_CIPHER_CTX_free) release = JB_CRYPTO(EVP_CIPHER_CTX_free);
    __typeof__(&EVP_aes_128_cbc) cipher = JB_CRYPTO(EVP_aes_128_cbc);
    __typeof__(&EVP_DecryptInit_ex) begin = JB_CRYPTO(EVP_DecryptInit_ex);
    __typeof__(&EVP_CIPHER_CTX_set_padding) pad = JB_CRYPTO(EVP_CIPHER_CTX_set_padding);
    __typeof__(&EVP_DecryptUpdate) update = JB_CRYPTO(EVP_DecryptUpdate);
    if (!make || !release || !cipher || !begin || !pad || !update) return 0;
    EVP_CIPHER_CTX *context = make();
    if (context == NULL) return 0;
    int length = 0;
    int done = begin(context, cipher(), NULL, key, vector) == 1 && pad(context, 0) == 1
        && update(context, result, &length, bytes, count) == 1 && length == count;
    release(context);
    return done;
}
