// The functions of OpenSSL's libcrypto for Swift. Most calls of the SDK don't need it, and loading it takes
// milliseconds, so all calls use function pointers that nova_crypto_load() resolves. Call nothing in the second part
// before nova_crypto_load() has returned NULL.

#ifndef NOVA_OPENSSL_H
#define NOVA_OPENSSL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads libcrypto once. Returns NULL if it is ready, or a sentence that names what is missing.
const char *_Nullable nova_crypto_load(void);

/// The version of OpenSSL: "OpenSSL 3.5.4 30 Sep 2025".
const char *nova_crypto_version(void);

/// Whether `count` bytes are equal, in a time that does not depend on where they differ. Does not need libcrypto.
bool nova_equal_bytes(const void *_Nullable left, const void *_Nullable right, size_t count);

// MARK: SHA-256. The functions that return bool report success.

enum { NOVA_SHA256_SIZE = 32 };

/// Returns NULL without memory.
void *_Nullable nova_sha256_new(void);
/// Creates a digest of the same bytes so far. Returns NULL without memory.
void *_Nullable nova_sha256_copy(const void *context);
void nova_sha256_free(void *context);
bool nova_sha256_update(void *context, const void *_Nullable bytes, size_t count);
/// Writes NOVA_SHA256_SIZE bytes. Afterwards, the context can only be freed.
bool nova_sha256_finish(void *context, uint8_t *digest);

/// Writes NOVA_SHA256_SIZE bytes.
bool nova_hmac_sha256(
    const void *_Nullable key, size_t key_size, const void *_Nullable bytes, size_t count, uint8_t *code);

/// PBKDF2 (RFC 8018) over HMAC-SHA-256. Writes `size` bytes.
bool nova_pbkdf2_sha256(
    const void *_Nullable password, size_t password_size, const void *_Nullable salt, size_t salt_size,
    int iterations, uint8_t *key, size_t size);

// MARK: AES-256-GCM (NIST SP 800-38D), with nonces of 96 bits and tags of 128.

enum { NOVA_AES_KEY_SIZE = 32, NOVA_GCM_NONCE_SIZE = 12, NOVA_GCM_TAG_SIZE = 16 };

/// Encrypts `count` bytes. Writes the same number of bytes to `sealed`, followed by the tag.
bool nova_aes_gcm_seal(
    const uint8_t *key, const uint8_t *nonce, const void *_Nullable authenticated, size_t authenticated_count,
    const void *_Nullable bytes, size_t count, uint8_t *sealed);

/// Decrypts `count` bytes, which are followed by the tag. Writes `count` bytes to `opened`. Don't use them unless this
/// returns true.
bool nova_aes_gcm_open(
    const uint8_t *key, const uint8_t *nonce, const void *_Nullable authenticated, size_t authenticated_count,
    const uint8_t *sealed, size_t count, uint8_t *opened);

#pragma clang assume_nonnull end

#endif
