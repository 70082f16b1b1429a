/// Why a server, a pooler, or libpq refuses a connection. libpq reports no code for this, so it is read from the English
/// texts of PostgreSQL and PgBouncer; a refusal in another language is not recognized, and is treated as an outage.
package enum ConnectionRefusal: CaseIterable, Sendable {
  case missingPassword
  /// The user or the password is wrong, or the server identifies users in another way.
  case authentication
  case unknownRole
  case unknownDatabase
  /// The role is known, and may not log in or use the database.
  case roleNotAllowed
  /// `pg_hba.conf` has no entry for the address, or rejects it.
  case addressNotAllowed
  case serverIsFull
  case poolerIsFull
  /// The server starts, or recovers after a failure.
  case starting
  /// TLS is needed and not to be had, or a certificate is missing or not trusted.
  case certificate
  case unsupportedProtocol

  /// Reads the message of a failed connection; nil for failures without a refusal, such as a server that is away.
  package init?(_ message: String) {
    guard let refusal = Self.allCases.first(where: { $0.isIn(message) }) else { return nil }
    self = refusal
  }

  private func isIn(_ message: String) -> Bool {
    let has = { (text: String) in message.contains(text) }
    return switch self {
    case .missingPassword: has("no password supplied")
    case .authentication: has("authentication failed")
    case .unknownRole: has("no such user") || has("role \"") && has("does not exist")
    case .unknownDatabase: has("no such database") || has("database \"") && has("does not exist")
    case .roleNotAllowed: has("is not permitted to log in") || has("permission denied for database")
    case .addressNotAllowed: has("no pg_hba.conf entry") || has("pg_hba.conf rejects")
    case .serverIsFull: has("too many clients") || has("too many connections") || has("connection slots are reserved")
    case .poolerIsFull: has("no more connections allowed")
    case .starting: has("starting up") || has("recovery mode") || has("not yet accepting connections")
    // The path of a Unix socket that is not there may have the word, too.
    case .certificate: has("does not support SSL") || has("certificate") && !has("No such file or directory")
    case .unsupportedProtocol: has("unsupported frontend protocol")
    }
  }

  /// Whether the server or the pooler is there, and it is worth waiting for a connection.
  var isOfBusyServer: Bool {
    switch self {
    case .serverIsFull, .poolerIsFull, .starting: true
    default: false
    }
  }

  /// What to do about it.
  var advice: String {
    switch self {
    case .missingPassword: "set the password, in the URL or in ~/.pgpass"
    case .authentication: "correct the user and the password"
    case .unknownRole: "correct the user, or create the role"
    case .unknownDatabase: "correct the name of the database, or create it"
    case .roleNotAllowed: "connect as another role, or let this one connect to the database"
    case .addressNotAllowed: "allow the user and the address in pg_hba.conf"
    case .serverIsFull: "use smaller pools, a pooler, or a greater max_connections"
    case .poolerIsFull: "use smaller pools, or a greater max_client_conn"
    case .starting: "wait until the server has started"
    case .certificate: "check `sslmode`, `sslrootcert`, and the name in the server's certificate"
    case .unsupportedProtocol: "use a newer server"
    }
  }
}

extension PostgreSQLError {
  /// The SQLSTATE of a connection that the server ended because it was idle.
  static let idleSessionTimeout = "57P05"

  /// Whether the server, or PgBouncer, ended the connection because it was idle, and so did not read the statement that
  /// was sent to it at this moment.
  static func isOfIdleConnection(_ message: String) -> Bool {
    message.contains("idle-session timeout") || message.contains("client_idle_timeout")
  }

  /// Why the connection was refused; nil for all other failures.
  package var refusal: ConnectionRefusal? { kind == .connection ? ConnectionRefusal(message) : nil }

  /// Whether the server or a pooler has no connection left, or is starting: it is worth waiting for.
  var isOfBusyServer: Bool { refusal?.isOfBusyServer ?? false }

  /// Whether connecting again cannot succeed until a setting is changed.
  var isFinal: Bool {
    if kind != .connection { return true }
    return refusal.map { !$0.isOfBusyServer } ?? false
  }
}
