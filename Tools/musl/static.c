// A statically linked program that asks for every library. Prints why each cannot be used.
#include <CNovaCurl.h>
#include <CNovaHTTP2.h>
#include <CNovaOpenSSL.h>
#include <CNovaPostgreSQL.h>
#include <CNovaSQLite.h>
#include <CNovaZlib.h>
#include <stdio.h>

static void show(const char *problem) { puts(problem ? problem : "loaded"); }

int main(void) {
  show(nova_curl_load());
  show(nova_h2_load());
  show(nova_crypto_load());
  show(nova_sqlite_load());
  show(nova_postgresql_load());
  show(nova_zlib_load());
  return 0;
}
