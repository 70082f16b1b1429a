// The same calls as NovaCalls, in C on libcurl. Nothing is decoded; the status and the length of each body are checked.

#include <stdio.h>
#include <string.h>

#include "curl_load.h"

#define REQUEST "{\"user_id\":\"" SAMPLE_USER "\",\"limit\":20}"
#define RESPONSE_BYTES 829

static void prepare(struct load_call *call, const struct load_options *options) {
  char url[512];
  snprintf(url, sizeof url, "%s/api/v1/graph/followers", options->url);
  add_header(call, "Accept: application/json");
  add_header(call, "Content-Type: application/json");
  add_header(call, "Grpc-Timeout: 60000m");
  add_token(call);
  curl_easy_setopt(call->easy, CURLOPT_URL, url);
  curl_easy_setopt(call->easy, CURLOPT_POSTFIELDS, REQUEST);
  curl_easy_setopt(call->easy, CURLOPT_POSTFIELDSIZE, (long)strlen(REQUEST));
  curl_easy_setopt(call->easy, CURLOPT_USERAGENT, "CurlCalls");
  long version = options->allows_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1;
  curl_easy_setopt(call->easy, CURLOPT_HTTP_VERSION, version);
}

static void check(const struct load_call *call) {
  if (call->length != RESPONSE_BYTES) fail("call failed", "unexpected length of the body");
}

int main(int count, char **arguments) {
  const struct load_client client = {.name = "libcurl", .prepare = prepare, .check = check};
  return measure_load(count, arguments, &client);
}
