// Checks the types of load.h against libpq's own header, if it is installed (as in CI).

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#define HAS_HEADER
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#define HAS_HEADER
#endif

#ifdef HAS_HEADER

#include "load.h"

struct real {
  NOVA_PG_FUNCTIONS(NOVA_PG_DECLARE, PQconninfoOption, PGnotify, ConnStatusType, ExecStatusType, PGTransactionStatusType)
};

#define CHECK(name, result, parameters)                                                                       \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&name), __typeof__(((struct real *)0)->name)), #name);

NOVA_PG_FUNCTIONS(CHECK, , , , , )

_Static_assert(sizeof(PQconninfoOption) == sizeof(struct nova_pg_option), "PQconninfoOption");
_Static_assert(offsetof(PQconninfoOption, val) == offsetof(struct nova_pg_option, val), "PQconninfoOption");
_Static_assert(sizeof(PGnotify) == sizeof(struct nova_pg_notification), "PGnotify");
_Static_assert(offsetof(PGnotify, extra) == offsetof(struct nova_pg_notification, extra), "PGnotify");
_Static_assert(sizeof(ExecStatusType) == sizeof(unsigned), "ExecStatusType");
_Static_assert(CONNECTION_OK == NOVA_PG_STATUS_OK && PGRES_EMPTY_QUERY == NOVA_PG_EMPTY_QUERY, "status");
_Static_assert(PGRES_COMMAND_OK == NOVA_PG_COMMAND_OK && PGRES_TUPLES_OK == NOVA_PG_TUPLES_OK, "results");
_Static_assert(PGRES_COPY_OUT == NOVA_PG_COPY_OUT && PGRES_COPY_IN == NOVA_PG_COPY_IN, "copies");
_Static_assert(PGRES_COPY_BOTH == NOVA_PG_COPY_BOTH, "copies");
_Static_assert(PQTRANS_IDLE == NOVA_PG_TRANSACTION_IDLE && PQTRANS_INTRANS == NOVA_PG_TRANSACTION_OPEN, "transaction");
_Static_assert(PQTRANS_INERROR == NOVA_PG_TRANSACTION_FAILED, "transaction");

#endif
