#include "multi.h"

#ifndef __linux__

bool nova_multi_prepare(nova_curl_multi *multi) { return pthread_mutex_init(&multi->lock, NULL) == 0 && multi->multi; }

void nova_multi_release(nova_curl_multi *multi) { pthread_mutex_destroy(&multi->lock); }

void nova_curl_multi_close(nova_curl_multi *multi) {
  pthread_mutex_lock(&multi->lock);
  CURLM *closing = multi->multi;
  multi->multi = NULL;
  pthread_mutex_unlock(&multi->lock);
  if (closing) nova_curl.multi_cleanup(closing);
}

void nova_curl_wake(nova_curl_multi *multi) {
  pthread_mutex_lock(&multi->lock);
  if (multi->multi) nova_curl.multi_wakeup(multi->multi);
  pthread_mutex_unlock(&multi->lock);
}

void nova_curl_wait(nova_curl_multi *multi, int milliseconds) {
  nova_curl.multi_poll(multi->multi, NULL, 0, milliseconds, NULL);
}

const char *nova_curl_perform(nova_curl_multi *multi) {
  int running = 0;
  CURLMcode code = nova_curl.multi_perform(multi->multi, &running);
  return code == CURLM_OK ? NULL : nova_curl.multi_strerror(code);
}

int nova_curl_multi_take_socket_error(nova_curl_multi *multi) {
  (void)multi;
  return 0;
}

bool nova_curl_track_sockets(CURL *easy, nova_curl_multi *multi) {
  (void)easy;
  (void)multi;
  return true;
}

#endif
