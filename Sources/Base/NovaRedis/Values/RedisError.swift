public import NovaSupport

/// The reason why a command has no reply, or an error as its reply.
///
/// Its text never contains a password, a key, or a value.
public struct RedisError: NovaError, Hashable {
  /// The kind of failure.
  public enum Kind: Sendable, Hashable {
    /// The server replied with an error; `code` is its first word, such as `WRONGPASS`, `READONLY`, `OOM`, `LOADING`,
    /// or `NOSCRIPT`.
    case server(code: String)
    /// There is no connection, or it was lost.
    case connection
    /// No reply arrived in time.
    case timeout
    /// What the server sent is not the Redis protocol, or exceeds a limit.
    case `protocol`
    /// The pool was shut down.
    case closed
    /// Too many commands wait, or the command exceeds a limit.
    case overloaded
    /// The URL or another setting is invalid.
    case configuration
  }

  /// The kind of failure.
  public var kind: Kind
  /// Whether the server may have run the command, completely or in part. `false` only if it certainly did not.
  public var mayHaveRun: Bool
  package var text: ErrorText

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - kind: the kind of failure.
  ///   - subject: what failed, in lower case, without secrets.
  ///   - reason: why; nil if unknown.
  ///   - advice: what to do next; nil for nothing.
  ///   - mayHaveRun: whether the server may have run the command.
  public init(
    _ kind: Kind, _ subject: String, reason: String? = nil, advice: String? = nil, mayHaveRun: Bool
  ) {
    self.kind = kind
    self.mayHaveRun = mayHaveRun
    text = ErrorText(subject, reason: reason, advice: advice)
  }

  /// What failed, why, and what to do next.
  public var description: String { text.sentence }

  /// The code of a server's error, such as `NOSCRIPT`; nil for other failures.
  public var code: String? { if case .server(let code) = kind { code } else { nil } }

  /// The same failure for a command that may have run.
  package func havingRun(_ mayHaveRun: Bool) -> RedisError {
    var error = self
    error.mayHaveRun = mayHaveRun
    return error
  }
}

extension RedisError {
  /// Codes with which a server refuses a command before it runs anything.
  private static let refusals: Set = [
    "NOAUTH", "NOPERM", "WRONGPASS", "LOADING", "READONLY", "MASTERDOWN", "NOSCRIPT", "OOM", "MISCONF", "NOREPLICAS",
    "CLUSTERDOWN", "MOVED", "ASK", "BUSY",
  ]

  /// Creates the error of a server's reply.
  init(reply line: [UInt8]) {
    let line = String(decoding: line.prefix(1024), as: UTF8.self)
    let word = line.prefix { $0 != " " }
    let isCode = !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
    let code = isCode ? String(word) : "ERR"
    // A script may have written before a command of it was refused, except for these codes. Its error has its line.
    let isOfScript =
      !["OOM", "READONLY", "LOADING", "NOSCRIPT"].contains(code)
      && (line.contains(" script: ") || line.contains("user_script"))
    self.init(
      .server(code: code), "Redis refused the command", reason: Self.shown(line), advice: Self.advice(code),
      mayHaveRun: isOfScript || !Self.refusals.contains(code))
  }

  /// The text of a server's error, without the arguments that some versions repeat in it.
  private static func shown(_ line: String) -> String {
    var text = Substring(line)
    for start in [", with args beginning with", "`", "'", "\""] {
      if let place = text.firstRange(of: start) { text = text[..<place.lowerBound] + "…" }
    }
    return String(text).printable(to: 200)
  }

  private static func advice(_ code: String) -> String? {
    switch code {
    case "NOAUTH", "WRONGPASS": "set the user and password in the URL"
    case "NOPERM": "allow the command and key to the user (ACL SETUSER)"
    case "OOM": "raise maxmemory, or set a maxmemory-policy that evicts"
    case "READONLY": "list all hosts of the master and its replicas in the URL"
    case "LOADING": "wait until the server has loaded its data"
    case "MOVED", "ASK", "CLUSTERDOWN": "use a server that is not a cluster"
    case "MISCONF": "check the server's disk"
    default: nil
    }
  }
}
