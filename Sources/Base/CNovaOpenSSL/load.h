// The functions of libcrypto that we call, as pointers that are NULL until nova_crypto_load() has run.
//
// Their types are declared here instead of including <openssl/evp.h>, so that building requires no OpenSSL headers.
// They have not changed since 1.1.0; check.c compares them if the headers are installed.

#ifndef NOVA_OPENSSL_LOAD_H
#define NOVA_OPENSSL_LOAD_H

#include "CNovaOpenSSL.h"

struct evp_md_st;
struct evp_md_ctx_st;
struct evp_cipher_st;
struct evp_cipher_ctx_st;
struct engine_st;

#define NOVA_CRYPTO_FUNCTIONS(DO)                                                                                 \
  DO(OpenSSL_version, const char *, (int))                                                                        \
  DO(EVP_sha256, const struct evp_md_st *, (void))                                                                \
  DO(EVP_MD_CTX_new, struct evp_md_ctx_st *, (void))                                                              \
  DO(EVP_MD_CTX_free, void, (struct evp_md_ctx_st *))                                                             \
  DO(EVP_DigestInit_ex, int, (struct evp_md_ctx_st *, const struct evp_md_st *, struct engine_st *))              \
  DO(EVP_DigestUpdate, int, (struct evp_md_ctx_st *, const void *, size_t))                                       \
  DO(EVP_MD_CTX_copy_ex, int, (struct evp_md_ctx_st *, const struct evp_md_ctx_st *))                             \
  DO(EVP_DigestFinal_ex, int, (struct evp_md_ctx_st *, unsigned char *, unsigned int *))                          \
  DO(HMAC, unsigned char *,                                                                                       \
     (const struct evp_md_st *, const void *, int, const unsigned char *, size_t, unsigned char *, unsigned int *)) \
  DO(PKCS5_PBKDF2_HMAC, int,                                                                                      \
     (const char *, int, const unsigned char *, int, int, const struct evp_md_st *, int, unsigned char *))          \
  DO(EVP_aes_256_gcm, const struct evp_cipher_st *, (void))                                                         \
  DO(EVP_CIPHER_CTX_new, struct evp_cipher_ctx_st *, (void))                                                        \
  DO(EVP_CIPHER_CTX_free, void, (struct evp_cipher_ctx_st *))                                                       \
  DO(EVP_CIPHER_CTX_ctrl, int, (struct evp_cipher_ctx_st *, int, int, void *))                                      \
  DO(EVP_CipherInit_ex, int,                                                                                        \
     (struct evp_cipher_ctx_st *, const struct evp_cipher_st *, struct engine_st *, const unsigned char *,          \
      const unsigned char *, int))                                                                                  \
  DO(EVP_CipherUpdate, int, (struct evp_cipher_ctx_st *, unsigned char *, int *, const unsigned char *, int))       \
  DO(EVP_CipherFinal_ex, int, (struct evp_cipher_ctx_st *, unsigned char *, int *))

#define NOVA_CRYPTO_DECLARE(name, result, parameters) result (*name) parameters;

struct nova_crypto_functions {
  NOVA_CRYPTO_FUNCTIONS(NOVA_CRYPTO_DECLARE)
};

extern struct nova_crypto_functions nova_crypto;

#endif
