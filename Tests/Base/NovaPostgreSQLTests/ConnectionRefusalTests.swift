import NovaTestSupport
import Testing

@testable import NovaPostgreSQL

/// Messages of PostgreSQL 13 to 17, libpq, and PgBouncer.
struct ConnectionRefusalTests {
  @Test(
    arguments: [
      ("fe_sendauth: no password supplied", .missingPassword),
      (#"FATAL:  password authentication failed for user "app""#, .authentication),
      (#"FATAL:  Peer authentication failed for user "app""#, .authentication),
      ("FATAL:  SASL authentication failed", .authentication),
      (#"FATAL:  certificate authentication failed for user "app""#, .authentication),
      (#"FATAL:  role "nobody" does not exist"#, .unknownRole),
      ("FATAL:  no such user", .unknownRole),
      (#"FATAL:  database "nope" does not exist"#, .unknownDatabase),
      ("FATAL:  no such database: nope", .unknownDatabase),
      (#"FATAL:  role "locked" is not permitted to log in"#, .roleNotAllowed),
      (#"FATAL:  permission denied for database "d" DETAIL:  User does not have CONNECT privilege."#, .roleNotAllowed),
      (#"FATAL:  no pg_hba.conf entry for host "::1", user "app", database "d", no encryption"#, .addressNotAllowed),
      (#"FATAL:  pg_hba.conf rejects connection for host "::1", user "app", database "d""#, .addressNotAllowed),
      ("FATAL:  sorry, too many clients already", .serverIsFull),
      (#"FATAL:  too many connections for role "app""#, .serverIsFull),
      (#"FATAL:  too many connections for database "d""#, .serverIsFull),
      ("FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute", .serverIsFull),
      ("FATAL:  no more connections allowed (max_client_conn)", .poolerIsFull),
      ("FATAL:  the database system is starting up", .starting),
      ("FATAL:  the database system is in recovery mode", .starting),
      ("FATAL:  the database system is not yet accepting connections", .starting),
      ("SSL error: certificate verify failed", .certificate),
      (#"server certificate for "a" does not match host name "b""#, .certificate),
      (#"root certificate file "/root/.postgresql/root.crt" does not exist"#, .certificate),
      ("server does not support SSL, but SSL was required", .certificate),
      ("FATAL:  unsupported frontend protocol 3.0: server supports 1.0 to 2.0", .unsupportedProtocol),
      // One of several hosts is away, and the other refuses.
      (
        #"connection to server at "a" (127.0.0.1), port 1 failed: Connection refused Is the server running on that host "#
          + #"and accepting TCP/IP connections? connection to server at "b" failed: FATAL:  role "x" does not exist"#,
        .unknownRole
      ),
      ("connection refused", nil), ("timeout expired", nil), ("FATAL:  terminating connection", nil),
      (#"connection to server on socket "/certificate/s" failed: No such file or directory"#, nil),
      (#"could not translate host name "role" to address: Name or service not known"#, nil),
      (#"FATAL:  la base de données « nope » n'existe pas"#, nil),
    ] as [(String, ConnectionRefusal?)]) func messagesAreRead(_ message: String, refusal: ConnectionRefusal?)
  {
    #expect(PostgreSQLError(.connection, message).refusal == refusal)
  }

  @Test(arguments: ConnectionRefusal.allCases) func aRefusalIsWaitedForOrFinal(_ refusal: ConnectionRefusal) {
    #expect(refusal.isOfBusyServer == [.serverIsFull, .poolerIsFull, .starting].contains(refusal))
  }

  @Test(arguments: [
    (#"FATAL:  role "nobody" does not exist"#, "correct the user, or create the role"),
    (#"FATAL:  too many connections for role "app""#, "use smaller pools, a pooler, or a greater max_connections"),
    ("Connection refused", "check the server and its address"),
  ]) func adviceFitsTheFailure(_ message: String, advice: String) {
    let text = PostgreSQLError(.connection, message).description
    #expect(text == "no connection to PostgreSQL: \(message); \(advice)")
  }

  @Test func onlyFailuresToConnectAreRefusals() {
    let error = PostgreSQLError(.server(sqlState: "28P01"), "password authentication failed")
    #expect(error.refusal == nil && error.isFinal && !error.isOfBusyServer)
  }
}
