#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "curl_load.h"

void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static int64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
  struct load_call *call = context;
  size_t length = size * count;
  if (call->length + length > sizeof call->body) return 0;
  memcpy(call->body + call->length, bytes, length);
  call->length += length;
  return length;
}

void add_header(struct load_call *call, const char *line) {
  call->headers = curl_slist_append(call->headers, line);
  if (!call->headers) fail(line, "out of memory");
}

void add_token(struct load_call *call) {
  char authorization[512] = "Authorization: Bearer ";
  for (int part = 0; part < 12; part++) strcat(authorization, "abcdefghijklmnopqrstuvwxyz012345");
  strcat(authorization, ".x.y");
  add_header(call, authorization);
}

static void prepare(struct load_call *call, const struct load_options *options, const struct load_client *client) {
  CURL *easy = call->easy = curl_easy_init();
  if (!easy) fail("libcurl", "no handle");
  add_header(call, "X-Request-ID: 9f8b6c1e-4d2a-4b7e-8c3d-000000000000");
  call->request_id = call->headers->data + strlen("X-Request-ID: ");
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, call);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, call);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 60000L);
  curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  if (options->ca_file) curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file);
  client->prepare(call, options);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, call->headers);
}

static void start(CURLM *multi, struct load_call *call, long number) {
  char digits[13];
  snprintf(digits, sizeof digits, "%012lu", (unsigned long)number % 1000000000000);
  memcpy(call->request_id + 24, digits, 12);
  call->length = 0;
  call->has_status = 0;
  call->started = nanoseconds(CLOCK_MONOTONIC);
  CURLMcode code = curl_multi_add_handle(multi, call->easy);
  if (code != CURLM_OK) fail("call not started", curl_multi_strerror(code));
}

static struct load_call *ended_call(const CURLMsg *message) {
  struct load_call *call = NULL;
  long status = 0;
  if (message->data.result != CURLE_OK) fail("call failed", curl_easy_strerror(message->data.result));
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&call);
  curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) fail("call failed", "unexpected status");
  return call;
}

struct load {
  const struct load_client *client;
  CURLM *multi;
  struct load_call *calls;
  int in_flight;
  uint32_t *latencies;
};

/// Makes calls with all handles, and writes their latencies in nanoseconds.
static void run(const struct load *load, long calls) {
  long started = 0, ended = 0;
  while (started < load->in_flight && started < calls) {
    start(load->multi, &load->calls[started], started);
    started++;
  }
  while (ended < calls) {
    int running = 0, left = 0;
    CURLMcode code = curl_multi_perform(load->multi, &running);
    if (code != CURLM_OK) fail("calls failed", curl_multi_strerror(code));
    long ended_before = ended;
    for (CURLMsg *message; (message = curl_multi_info_read(load->multi, &left));) {
      struct load_call *call = ended_call(message);
      load->client->check(call);
      load->latencies[ended++] = (uint32_t)(nanoseconds(CLOCK_MONOTONIC) - call->started);
      curl_multi_remove_handle(load->multi, call->easy);
      if (started < calls) start(load->multi, call, started++);
    }
    if (ended == ended_before) curl_multi_poll(load->multi, NULL, 0, 1000, NULL);
  }
}

/// Makes the first call, which opens the connection that all calls use.
static void open_connection(struct load *load) {
  load->client->before_first(load->multi, &load->calls[0]);
  run(load, 1);
  load->client->after_first(load->calls, load->in_flight);
}

static int compare(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static long peak_memory(void) {
  char line[256];
  long kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
  if (file) fclose(file);
  return kilobytes;
}

static struct load_options parse(int count, char **arguments) {
  struct load_options options = {.in_flight = 1, .calls = 10000, .allows_http2 = 1};
  for (int index = 1; index + 1 < count; index += 2) {
    const char *name = arguments[index], *value = arguments[index + 1];
    if (!strcmp(name, "--url")) options.url = value;
    else if (!strcmp(name, "--in-flight")) options.in_flight = atoi(value);
    else if (!strcmp(name, "--calls")) options.calls = atol(value);
    else if (!strcmp(name, "--ca-file")) options.ca_file = value;
    else if (!strcmp(name, "--http-version")) options.allows_http2 = !strcmp(value, "2");
    else fail("invalid argument", name);
  }
  if (!options.url || options.in_flight < 1 || options.calls < options.in_flight)
    fail("invalid arguments", "use --url URL --in-flight N --calls K [--ca-file FILE] [--http-version 1.1|2]");
  return options;
}

int measure_load(int count, char **arguments, const struct load_client *client) {
  struct load_options options = parse(count, arguments);
  long warm_up = options.in_flight * 4 > 512 ? options.in_flight * 4 : 512;
  long capacity = options.calls > warm_up ? options.calls : warm_up;
  curl_global_init(CURL_GLOBAL_ALL);
  struct load load = {
      client, curl_multi_init(), calloc(options.in_flight, sizeof *load.calls), options.in_flight,
      calloc(capacity, sizeof *load.latencies)};
  if (!load.multi || !load.calls || !load.latencies) fail("client not started", "out of memory");
  curl_multi_setopt(load.multi, CURLMOPT_MAXCONNECTS, (long)options.in_flight + 8);
  for (int index = 0; index < options.in_flight; index++) prepare(&load.calls[index], &options, client);
  if (client->before_first) open_connection(&load);

  run(&load, warm_up);
  int64_t start = nanoseconds(CLOCK_MONOTONIC), processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  run(&load, options.calls);
  int64_t used = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
  int64_t elapsed = nanoseconds(CLOCK_MONOTONIC) - start;
  long memory = peak_memory();
  qsort(load.latencies, options.calls, sizeof *load.latencies, compare);
  printf(
      "{\"client\": \"%s\", \"version\": \"%s\", \"in_flight\": %d, \"calls\": %ld, \"seconds\": %.6f, "
      "\"cpu_us\": %.1f, \"peak_kb\": %ld, \"p50_us\": %.3f, \"p99_us\": %.3f}\n",
      client->name, curl_version_info(CURLVERSION_NOW)->version, options.in_flight, options.calls, elapsed / 1e9,
      used / 1e3, memory, load.latencies[options.calls / 2] / 1e3, load.latencies[options.calls * 99 / 100] / 1e3);
  return 0;
}
