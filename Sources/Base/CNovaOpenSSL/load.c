// Finds libcrypto at run time.

#include "load.h"

#include <CNovaLoader.h>

struct nova_crypto_functions nova_crypto;

#define SYMBOL(name, result, parameters) {#name, &nova_crypto.name},

static const nova_symbol symbols[] = {NOVA_CRYPTO_FUNCTIONS(SYMBOL){NULL, NULL}};

static const char *const file_names[] = {
#ifdef __APPLE__
    // Not /usr/lib/libcrypto.dylib: macOS ends any process that loads it.
    "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib", "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
    "libcrypto.3.dylib",
#else
    "libcrypto.so.3", "libcrypto.so.1.1",
#endif
    NULL};

// 0 is OPENSSL_VERSION.
const char *nova_crypto_version(void) { return nova_crypto.OpenSSL_version(0); }

const char *nova_crypto_load(void) {
  static nova_library library = {
      .title = "OpenSSL's libcrypto",
      .oldest_version = "1.1.0",
      .installation = "Debian, Ubuntu: apt-get install openssl; Fedora, RHEL: dnf install openssl-libs; Alpine: apk add "
                      "libcrypto3; macOS: brew install openssl@3",
      .file_names = file_names,
      .symbols = symbols,
      NOVA_LIBRARY_STATE};
  return nova_library_load(&library);
}
