// Finds libcrypto at run time.

#include "load.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct nova_crypto_functions nova_crypto;

static char problem[512];

#define RESOLVE(name, result, parameters)                                                            \
  if (!(nova_crypto.name = (__typeof__(nova_crypto.name))dlsym(library, #name))) {                   \
    snprintf(problem, sizeof problem,                                                                \
             "OpenSSL's libcrypto is too old: it has no " #name " (1.1.0 or later is needed)");      \
    return;                                                                                          \
  }

static void *open_library(void) {
#ifdef __APPLE__
  // Never /usr/lib/libcrypto.dylib: macOS ends a process that loads it.
  static const char *const names[] = {
      "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib", "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
      "libcrypto.3.dylib"};
#else
  static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
#endif
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
  }
  return NULL;
}

static void load(void) {
  void *library = open_library();
  if (!library) {
    snprintf(problem, sizeof problem,
             "OpenSSL's libcrypto could not be loaded; install it (Debian, Ubuntu: apt-get install openssl; Fedora, "
             "RHEL: dnf install openssl-libs; Alpine: apk add libcrypto3; macOS: brew install openssl@3)");
    return;
  }
  NOVA_CRYPTO_FUNCTIONS(RESOLVE)
}

const char *nova_crypto_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}
