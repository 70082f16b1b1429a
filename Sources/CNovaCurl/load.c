// Finds libcurl at run time.

#include "load.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct nova_curl_functions nova_curl;

static char problem[512];

#define QUOTED(name) #name

#define RESOLVE(name)                                                     \
  if (!(nova_curl.name = (__typeof__(nova_curl.name))dlsym(library, QUOTED(curl_##name)))) { \
    snprintf(problem, sizeof problem,                                     \
             "libcurl is too old: it has no curl_" #name " (7.68 or later is needed)");     \
    return;                                                               \
  }

static void *open_library(void) {
#ifdef __APPLE__
  static const char *const names[] = {"libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"};
#else
  // The first is OpenSSL's flavour, the others are what a minimal system may have instead.
  static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
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
             "libcurl could not be loaded; install it (Debian, Ubuntu: apt-get install libcurl4; Fedora, RHEL: "
             "dnf install libcurl; Alpine: apk add libcurl)");
    return;
  }
  NOVA_CURL_FUNCTIONS(RESOLVE)
  CURLcode code = nova_curl.global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) {
    snprintf(problem, sizeof problem, "libcurl could not be initialised: %s", nova_curl.easy_strerror(code));
  }
}

const char *nova_curl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}
