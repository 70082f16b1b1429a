// Finds libcurl at run time.

#include "load.h"

#include <CNovaLoader.h>

struct nova_curl_functions nova_curl;

#define SYMBOL(name) {"curl_" #name, &nova_curl.name},

static const nova_symbol symbols[] = {NOVA_CURL_FUNCTIONS(SYMBOL){NULL, NULL}};

static const char *const file_names[] = {
#ifdef __APPLE__
    "libcurl.4.dylib", "/usr/lib/libcurl.4.dylib",
#else
    // The first is the OpenSSL variant, the second is what a minimal system may have instead.
    "libcurl.so.4", "libcurl-gnutls.so.4",
#endif
    NULL};

static const char *initialize(void) {
  CURLcode code = nova_curl.global_init(CURL_GLOBAL_DEFAULT);
  return code == CURLE_OK ? NULL : nova_curl.easy_strerror(code);
}

const char *nova_curl_version(void) {
  const char *version = nova_curl.version();
  return version == NULL ? "" : version;
}

const char *nova_curl_load(void) {
  static nova_library library = {
      .title = "libcurl",
      .oldest_version = "7.68",
      .installation = "Debian, Ubuntu: apt-get install libcurl4; Fedora, RHEL: dnf install libcurl; Alpine: apk add libcurl",
      .file_names = file_names,
      .symbols = symbols,
      .initialize = initialize,
      NOVA_LIBRARY_STATE};
  return nova_library_load(&library);
}
