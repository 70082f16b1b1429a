#include "load.h"

CURLM *nova_curl_multi_new(long cached_connections, long max_per_host) {
  CURLM *multi = nova_curl.multi_init();
  if (!multi) return NULL;
  nova_curl.multi_setopt(multi, CURLMOPT_MAXCONNECTS, cached_connections);
  nova_curl.multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, max_per_host);
  return multi;
}

void nova_curl_multi_free(CURLM *multi) { nova_curl.multi_cleanup(multi); }

void nova_curl_wake(CURLM *multi) { nova_curl.multi_wakeup(multi); }

void nova_curl_wait(CURLM *multi, int milliseconds) { nova_curl.multi_poll(multi, NULL, 0, milliseconds, NULL); }

const char *nova_curl_perform(CURLM *multi) {
  int running = 0;
  CURLMcode code = nova_curl.multi_perform(multi, &running);
  return code == CURLM_OK ? NULL : nova_curl.multi_strerror(code);
}

bool nova_curl_next_finished(CURLM *multi, void **context, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = nova_curl.multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    char *private = NULL;
    *result = message->data.result;
    nova_curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
    *context = private;
    return true;
  }
  return false;
}

CURLMcode nova_curl_add(CURLM *multi, CURL *easy) { return nova_curl.multi_add_handle(multi, easy); }

void nova_curl_remove(CURLM *multi, CURL *easy) { nova_curl.multi_remove_handle(multi, easy); }

CURLcode nova_curl_resume(CURL *easy) {
  CURLcode code = nova_curl.easy_pause(easy, CURLPAUSE_CONT);
  // No connection at the moment: libcurl is about to try again, and then asks for the body anew.
  return code == CURLE_BAD_FUNCTION_ARGUMENT ? CURLE_OK : code;
}
