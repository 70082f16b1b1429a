// Checks the types of load.h against OpenSSL's own headers, if they are installed (as in CI).

#include "load.h"

#if __has_include(<openssl/evp.h>) && __has_include(<openssl/hmac.h>)

#include <openssl/evp.h>
#include <openssl/hmac.h>

#define CHECK(name, result, parameters)                                                                       \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&name), __typeof__(nova_crypto.name)), #name);

NOVA_CRYPTO_FUNCTIONS(CHECK)

// The constants that cipher.c writes as numbers.
_Static_assert(EVP_CTRL_GCM_GET_TAG == 0x10 && EVP_CTRL_GCM_SET_TAG == 0x11, "EVP_CTRL_GCM");

#endif
