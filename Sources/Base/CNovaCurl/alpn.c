// Offers HTTP/2 in the TLS handshake without libcurl's own HTTP/2, which would take over the connection.

#define _GNU_SOURCE  // dladdr
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "load.h"

// From OpenSSL's headers, which are not needed to build.
#define SSL_CTRL_MODE 33
#define SSL_MODE_ENABLE_PARTIAL_WRITE 1L
#define SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER 2L

static const unsigned char h2[] = {2, 'h', '2'};

// Looks a function up in the TLS library of this libcurl: others may be loaded as well.
static void *find(const char *name) {
  Dl_info info;
  void *address, *function = NULL;
  memcpy(&address, &nova_curl.easy_init, sizeof address);
  if (!dladdr(address, &info) || !info.dli_fname) return NULL;
  void *library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return NULL;
  function = dlsym(library, name);
  // It stays loaded: the loader has opened it, too.
  dlclose(library);
  return function;
}

// Called for the handshake with a proxy over TLS as well, which must not choose HTTP/2.
static CURLcode offer(CURL *easy, void *context, void *argument) {
  nova_curl_alpn *alpn = argument;
  long proxy_status = 0;
  nova_curl.easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
  if (alpn->awaits_tunnel && proxy_status == 0) return CURLE_OK;
  int (*set_protocols)(void *, const unsigned char *, unsigned);
  long (*control)(void *, int, long, void *);
  void *functions[] = {find("SSL_CTX_set_alpn_protos"), find("SSL_CTX_ctrl")};
  if (!functions[0] || !functions[1]) return CURLE_NOT_BUILT_IN;
  memcpy(&set_protocols, &functions[0], sizeof set_protocols);
  memcpy(&control, &functions[1], sizeof control);
  if (set_protocols(context, h2, sizeof h2) != 0) return CURLE_OUT_OF_MEMORY;
  // A write that must wait may be repeated with more bytes, at another place.
  control(context, SSL_CTRL_MODE, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, NULL);
  alpn->was_offered = true;
  return CURLE_OK;
}

CURLcode nova_curl_offer_http2(CURL *easy, nova_curl_alpn *alpn) {
  CURLcode code = nova_curl.easy_setopt(easy, CURLOPT_SSL_ENABLE_ALPN, 0L);
  if (code == CURLE_OK) code = nova_curl.easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, offer);
  if (code == CURLE_OK) code = nova_curl.easy_setopt(easy, CURLOPT_SSL_CTX_DATA, alpn);
  // Otherwise, a handshake could be resumed whose context offered something else.
  if (code == CURLE_OK) nova_curl.easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
  return code == CURLE_UNKNOWN_OPTION ? CURLE_NOT_BUILT_IN : code;
}

bool nova_curl_chose_http2(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  if (nova_curl.easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session || !session->internals) {
    return false;
  }
  void (*get_selected)(const void *, const unsigned char **, unsigned *);
  void *function = find("SSL_get0_alpn_selected");
  if (!function) return false;
  memcpy(&get_selected, &function, sizeof get_selected);
  const unsigned char *name = NULL;
  unsigned size = 0;
  get_selected(session->internals, &name, &size);
  return size == h2[0] && memcmp(name, h2 + 1, size) == 0;
}

static bool environment_has_proxy(const char *scheme) {
  // libcurl reads the first one in lower case only, because a request's header could set the other one in a CGI program.
  const char *names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && *value && strncasecmp(value, scheme, strlen(scheme)) == 0) return true;
  }
  return false;
}

bool nova_curl_environment_has_proxy(void) { return environment_has_proxy(""); }

bool nova_curl_environment_has_secure_proxy(void) { return environment_has_proxy("https://"); }
