// AES-256-GCM.

#include <limits.h>

#include "load.h"

// The constants of <openssl/evp.h>; check.c compares them.
enum { DECRYPT = 0, ENCRYPT = 1, GET_TAG = 0x10, SET_TAG = 0x11 };

static bool update(struct evp_cipher_ctx_st *context, uint8_t *out, const void *bytes, size_t count) {
  int size = 0;
  return count == 0 || (nova_crypto.EVP_CipherUpdate(context, out, &size, bytes, (int)count) == 1 && size == (int)count);
}

static struct evp_cipher_ctx_st *start(
    int direction, const uint8_t *key, const uint8_t *nonce, const void *authenticated, size_t count) {
  struct evp_cipher_ctx_st *context = nova_crypto.EVP_CIPHER_CTX_new();
  // GCM expects nonces of 12 bytes by default.
  if (context
      && nova_crypto.EVP_CipherInit_ex(context, nova_crypto.EVP_aes_256_gcm(), NULL, key, nonce, direction) == 1
      && update(context, NULL, authenticated, count))
    return context;
  nova_crypto.EVP_CIPHER_CTX_free(context);
  return NULL;
}

static bool fits(size_t one, size_t other) { return one <= INT_MAX && other <= INT_MAX; }

bool nova_aes_gcm_seal(
    const uint8_t *key, const uint8_t *nonce, const void *authenticated, size_t authenticated_count, const void *bytes,
    size_t count, uint8_t *sealed) {
  if (!fits(authenticated_count, count)) return false;
  struct evp_cipher_ctx_st *context = start(ENCRYPT, key, nonce, authenticated, authenticated_count);
  if (!context) return false;
  int rest = 0;
  bool is_done = update(context, sealed, bytes, count)
                 && nova_crypto.EVP_CipherFinal_ex(context, sealed + count, &rest) == 1
                 && nova_crypto.EVP_CIPHER_CTX_ctrl(context, GET_TAG, NOVA_GCM_TAG_SIZE, sealed + count) == 1;
  nova_crypto.EVP_CIPHER_CTX_free(context);
  return is_done;
}

bool nova_aes_gcm_open(
    const uint8_t *key, const uint8_t *nonce, const void *authenticated, size_t authenticated_count,
    const uint8_t *sealed, size_t count, uint8_t *opened) {
  if (!fits(authenticated_count, count)) return false;
  struct evp_cipher_ctx_st *context = start(DECRYPT, key, nonce, authenticated, authenticated_count);
  if (!context) return false;
  int rest = 0;
  uint8_t nothing[16];
  bool is_right = update(context, opened, sealed, count)
                  && nova_crypto.EVP_CIPHER_CTX_ctrl(context, SET_TAG, NOVA_GCM_TAG_SIZE, (void *)(sealed + count)) == 1
                  && nova_crypto.EVP_CipherFinal_ex(context, nothing, &rest) == 1;
  nova_crypto.EVP_CIPHER_CTX_free(context);
  return is_right;
}
