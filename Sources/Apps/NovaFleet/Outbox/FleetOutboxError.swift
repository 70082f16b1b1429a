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
  /// What failed, why, and what to do.
  public let message: String

  init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

  public var description: String { message }

  static let leaseLost = FleetOutboxError(.leaseLost, "another replica delivers the writes of this subject")
}
