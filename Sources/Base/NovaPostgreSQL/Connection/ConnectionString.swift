internal import CNovaPostgreSQL
import NovaSupport

/// The options of a connection string, as libpq reads them: a URL or `key=value` pairs.
struct ConnectionString: Sendable {
  /// In order. Contains the password.
  private(set) var options: [(keyword: String, value: String)] = []

  /// Reads the text. Neither the error nor libpq's later ones contain parts of a password.
  init(_ text: String) throws(PostgreSQLError) {
    if let problem = nova_postgresql_load() { throw PostgreSQLError(.missingLibrary, String(cString: problem)) }
    let invalid = PostgreSQLError.invalidArgument(
      "the connection string of PostgreSQL is not valid; write postgresql://user:password@host:5432/database with "
        + "characters such as @ : / ? % of the password percent-encoded, or host=… user=… with values in single quotes")
    guard !text.utf8.contains(0), !text.isEmpty else { throw invalid }
    final class Box { var options: [(keyword: String, value: String)] = [] }
    let box = Box()
    let isValid = nova_pg_parse(text, Unmanaged.passUnretained(box).toOpaque()) { context, keyword, value in
      guard let context else { return }
      let box = Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
      box.options.append((String(cString: keyword), String(cString: value)))
    }
    options = box.options
    // A password that is not encoded ends up in these, and errors would quote them.
    let isSplit = ["host", "hostaddr", "port", "dbname"].contains { value($0)?.contains("@") ?? false }
    let isPortValid = value("port")?.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ",") } ?? true
    guard isValid != 0, !isSplit, isPortValid else { throw invalid }
  }

  func value(_ keyword: String) -> String? { options.last { $0.keyword == keyword }?.value }

  /// Sets an option, unless the text does.
  mutating func setDefault(_ keyword: String, _ value: String) {
    if self.value(keyword) == nil { options.append((keyword, value)) }
  }

  mutating func set(_ keyword: String, _ value: String) {
    options.removeAll { $0.keyword == keyword }
    options.append((keyword, value))
  }

  /// With what the pool needs: UTF-8, a limit for connecting, and signs of life that notice a lost network.
  func completed(_ limits: PostgreSQLPoolOptions) -> ConnectionString {
    var completed = self
    completed.set("client_encoding", "UTF8")
    completed.setDefault("fallback_application_name", "NovaSDK")
    completed.setDefault("connect_timeout", "\(max(2, limits.connectTimeout.components.seconds))")
    completed.setDefault("keepalives_idle", "30")
    completed.setDefault("keepalives_interval", "10")
    completed.setDefault("keepalives_count", "3")
    completed.setDefault("tcp_user_timeout", "30000")
    return completed
  }

  /// The message on one line, without the password.
  func masked(_ message: String, password: String?) -> String {
    // libpq's further lines have hints, in sentences of their own.
    var text = message.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }
      .joined(separator: "; ")
    for secret in [value("password"), value("sslpassword"), password] {
      if let secret, secret.utf8.count > 2 {
        text = text.split(separator: secret, omittingEmptySubsequences: false)
          .joined(separator: SecretText.mask)
      }
    }
    return text.printable(to: 500)
  }
}

extension UInt8 {
  fileprivate var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
