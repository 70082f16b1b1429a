public import NovaSupport

/// Why an outbox in PostgreSQL could not be used. Contains no secrets, and nothing of a request.
public struct FleetOutboxError: NovaError, Hashable {
  /// The kind of failure.
  public enum Kind: Sendable, Hashable {
    /// An argument is not valid.
    case invalidArgument
    /// There is no such entry.
    case notFound
    /// The entry is not in a state that allows it.
    case failedPrecondition
    /// The tables are of another version, or missing.
    case schema
    /// Another replica has the lease.
    case leaseLost
  }

  /// The kind of failure.
  public let kind: Kind
  /// What failed, and why.
  package let reason: String
  private let advice: String?

  init(_ kind: Kind, _ reason: String, advice: String? = nil) {
    (self.kind, self.reason, self.advice) = (kind, reason, advice)
  }

  /// What failed, why, and what to do.
  public var message: String { advice.map { "\(reason); \($0)" } ?? reason }

  public var description: String { message }

  static let leaseLost = FleetOutboxError(.leaseLost, "another replica delivers the writes of this subject")
}
