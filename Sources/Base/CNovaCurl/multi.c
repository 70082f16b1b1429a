#include "multi.h"

#include <stdlib.h>

nova_curl_multi *nova_curl_multi_new(long max_connections, long max_per_host) {
  nova_curl_multi *multi = calloc(1, sizeof *multi);
  if (!multi) return NULL;
  multi->multi = nova_curl.multi_init();
  if (!nova_multi_prepare(multi) || !multi->multi) {
    nova_curl_multi_close(multi);
    nova_curl_multi_free(multi);
    return NULL;
  }
  nova_curl.multi_setopt(multi->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, max_connections);
  nova_curl.multi_setopt(multi->multi, CURLMOPT_MAX_HOST_CONNECTIONS, max_per_host);
  return multi;
}

void nova_curl_multi_keep(nova_curl_multi *multi, long connections) {
  nova_curl.multi_setopt(multi->multi, CURLMOPT_MAXCONNECTS, connections);
}

void nova_curl_multi_free(nova_curl_multi *multi) {
  nova_multi_release(multi);
  free(multi);
}

bool nova_curl_next_finished(nova_curl_multi *multi, void **context, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = nova_curl.multi_info_read(multi->multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    char *private = NULL;
    *result = message->data.result;
    nova_curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
    *context = private;
    return true;
  }
  return false;
}

CURLMcode nova_curl_add(nova_curl_multi *multi, CURL *easy) { return nova_curl.multi_add_handle(multi->multi, easy); }

void nova_curl_remove(nova_curl_multi *multi, CURL *easy) { nova_curl.multi_remove_handle(multi->multi, easy); }

CURLcode nova_curl_resume(CURL *easy) {
  CURLcode code = nova_curl.easy_pause(easy, CURLPAUSE_CONT);
  // There is no connection now: libcurl is about to retry, and will request the body again.
  return code == CURLE_BAD_FUNCTION_ARGUMENT ? CURLE_OK : code;
}
