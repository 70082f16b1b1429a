// Digests, authentication codes, and keys, all based on SHA-256.

#include <limits.h>

#include "load.h"

bool nova_equal_bytes(const void *left, const void *right, size_t count) {
  // volatile, so that no optimizer stops at the first difference.
  const volatile uint8_t *one = left, *other = right;
  uint8_t difference = 0;
  for (size_t i = 0; i < count; i++) difference |= one[i] ^ other[i];
  return difference == 0;
}

void *nova_sha256_new(void) {
  struct evp_md_ctx_st *context = nova_crypto.EVP_MD_CTX_new();
  if (context && nova_crypto.EVP_DigestInit_ex(context, nova_crypto.EVP_sha256(), NULL) != 1) {
    nova_crypto.EVP_MD_CTX_free(context);
    return NULL;
  }
  return context;
}

void *nova_sha256_copy(const void *context) {
  struct evp_md_ctx_st *copy = nova_crypto.EVP_MD_CTX_new();
  if (copy && nova_crypto.EVP_MD_CTX_copy_ex(copy, context) != 1) {
    nova_crypto.EVP_MD_CTX_free(copy);
    return NULL;
  }
  return copy;
}

void nova_sha256_free(void *context) { nova_crypto.EVP_MD_CTX_free(context); }

bool nova_sha256_update(void *context, const void *bytes, size_t count) {
  return count == 0 || nova_crypto.EVP_DigestUpdate(context, bytes, count) == 1;
}

bool nova_sha256_finish(void *context, uint8_t *digest) {
  unsigned int size = 0;
  return nova_crypto.EVP_DigestFinal_ex(context, digest, &size) == 1 && size == NOVA_SHA256_SIZE;
}

// For libcrypto, a NULL key means "the previous key".
static const void *non_null(const void *bytes) { return bytes ? bytes : ""; }

bool nova_hmac_sha256(const void *key, size_t key_size, const void *bytes, size_t count, uint8_t *code) {
  unsigned int size = 0;
  return key_size <= INT_MAX
         && nova_crypto.HMAC(nova_crypto.EVP_sha256(), non_null(key), (int)key_size, non_null(bytes), count, code, &size)
         && size == NOVA_SHA256_SIZE;
}

bool nova_pbkdf2_sha256(
    const void *password, size_t password_size, const void *salt, size_t salt_size, int iterations, uint8_t *key,
    size_t size) {
  return password_size <= INT_MAX && salt_size <= INT_MAX && size <= INT_MAX && iterations > 0
         && nova_crypto.PKCS5_PBKDF2_HMAC(
                non_null(password), (int)password_size, non_null(salt), (int)salt_size, iterations,
                nova_crypto.EVP_sha256(), (int)size, key) == 1;
}
