public import NovaSupport

/// Why something on PostgreSQL failed. Neither its description nor its properties contain passwords.
public struct PostgreSQLError: NovaError, Hashable {
  public enum Kind: Sendable, Hashable {
    /// The server refused the statement, with this SQLSTATE: `23505` for a value that must be unique.
    case server(sqlState: String)
    /// The server could not be reached, or the connection was lost.
    case connection
    /// The server did not answer in time.
    case timeout
    /// No connection of the pool became free in time, or too many callers wait for one already.
    case busy
    /// The pool was shut down, or the transaction has ended.
    case closed
    /// A setting, the statement, a parameter, or the type of a value is invalid.
    case invalidArgument
    /// libpq is missing on this machine.
    case missingLibrary
  }

  /// What kind of failure it is.
  public var kind: Kind
  /// The reason, from the server, libpq, or the pool.
  public var message: String
  /// Whether the statement may have had an effect: it was sent, and the server's answer did not arrive. False if the
  /// server answered, even with an error, because a statement that fails has no effect.
  public var mayHaveRun: Bool
  /// Whether the transaction may have been committed: the connection was lost, or the time was up, during the commit.
  public var mayHaveCommitted: Bool
  /// The name of the violated constraint, if the server reports one.
  public var constraint: String?
  /// More about the error, from the server. It can contain values of rows, so it is not part of the description.
  public var detail: String?

  /// Creates an error, for clients of your own and for tests.
  ///
  /// - Parameters:
  ///   - mayHaveRun: whether the statement may have had an effect. Default: no.
  ///   - mayHaveCommitted: whether the transaction may have been committed. Default: no.
  ///   - constraint: the name of the violated constraint. Default: none.
  ///   - detail: more from the server. Default: nothing.
  public init(
    _ kind: Kind, _ message: String, mayHaveRun: Bool = false, mayHaveCommitted: Bool = false,
    constraint: String? = nil, detail: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.mayHaveRun = mayHaveRun
    self.mayHaveCommitted = mayHaveCommitted
    self.constraint = constraint
    self.detail = detail
  }

  static func invalidArgument(_ message: String) -> PostgreSQLError { PostgreSQLError(.invalidArgument, message) }

  /// The server's code of the error, SQLSTATE; nil if the error is not the server's.
  public var sqlState: String? { if case .server(let state) = kind { state } else { nil } }

  /// Whether the same transaction can succeed when it is run again: after a deadlock, a serialization failure, a lock
  /// that was not available, or a failure of the connection or pool without effect.
  public var isTransient: Bool {
    switch kind {
    case .server(let state):
      ["40001", "40P01", "55P03"].contains(state) || ["08", "53", "57P"].contains { state.hasPrefix($0) }
    case .connection, .timeout, .busy: !mayHaveRun && !mayHaveCommitted
    case .closed, .invalidArgument, .missingLibrary: false
    }
  }

  public var description: String {
    var text = "\(subject): \(message)"
    if let sqlState { text += " (SQLSTATE \(sqlState))" }
    if mayHaveCommitted {
      text += "; the transaction may have been committed; read its rows before you run it again"
    } else if mayHaveRun {
      text += "; the statement may have run; repeat it only if that is safe"
    }
    if let advice { text += "; \(advice)" }
    return text
  }

  private var subject: String {
    switch kind {
    case .server: "PostgreSQL refused a statement"
    case .connection: "no connection to PostgreSQL"
    case .timeout: "PostgreSQL did not answer in time"
    case .busy: "no connection of the pool is free"
    case .closed: "closed"
    case .invalidArgument: "invalid argument"
    case .missingLibrary: "PostgreSQL cannot be used"
    }
  }

  private var advice: String? {
    switch kind {
    case .server("42501"): "grant the privilege to the role, or let an owner run the statement"
    case .connection where !mayHaveRun && !mayHaveCommitted:
      refusal?.advice ?? "check the server and its address"
    case .busy: "use more connections, shorter transactions, or a longer wait"
    default: nil
    }
  }
}
