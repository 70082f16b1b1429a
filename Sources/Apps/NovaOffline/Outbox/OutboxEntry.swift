public import NovaCore

/// A write in the outbox: it waits for the gateway, or was refused by it.
public struct OutboxEntry: Sendable, Identifiable {
  /// What happens to the write.
  public enum State: Sendable, Hashable {
    /// The write is sent as soon as possible.
    case waiting
    /// The write is about what another write creates, and that write was refused.
    ///
    /// - Parameter by: the id of the other write. It is in ``Outbox/deadLetters``.
    case blocked(by: Int64)
    /// The write was refused, see ``OutboxEntry/failure``. ``Outbox/retry(_:)``, ``Outbox/edit(_:to:)`` or
    /// ``Outbox/discard(_:cascade:includesOthers:)`` it.
    case dead
  }

  /// Later writes have higher ids.
  public let id: Int64
  /// The RPC.
  public let rpc: RPCDescriptor
  /// A message of the RPC's request type.
  public internal(set) var request: any ProtoMessage
  /// When the write was made, in Unix seconds.
  public let createdAt: Double
  /// When the write was first sent, in Unix seconds; nil if the gateway cannot have seen it.
  public package(set) var firstAttemptAt: Double?
  /// How often the write was sent.
  public package(set) var attempts: Int
  /// When the write is sent again, in Unix seconds; nil for as soon as possible.
  public package(set) var nextAttemptAt: Double?
  /// Whether the write waits, is blocked, or was refused.
  public internal(set) var state: State
  /// Why the last attempt failed; nil if there was none.
  public internal(set) var failure: OutboxFailure?
  /// What the write is about, such as `Post/42`. Writes about the same entity are sent in order.
  public internal(set) var entities: [String]
  /// The id of what the write creates, until the gateway has given it one; nil if it creates nothing.
  public let newID: String?

  /// Whose write it is.
  public let identity: Identity
  /// Sent with every attempt, so that the gateway recognizes a repetition.
  package var key: String
  /// When the write was last sent, in Unix seconds.
  package var lastAttemptAt: Double?
  /// The relation that the write sets; nil for other writes.
  package let relation: RelationName?
  /// Whether the relation is set after the write.
  package let isRelated: Bool
  /// Whether that differs from what was known when the write was made; nil if it was unknown.
  package let wouldChange: Bool?
  /// Counts the changes of the entry.
  let revision: Int64
  /// The short texts and numbers in the request and in the entities, to find the ids of what other writes create.
  package let values: Set<String>
  /// Differs between requests.
  let requestHash: Int

  /// Whether the gateway may have seen the write.
  package var mayHaveLeft: Bool { firstAttemptAt != nil }
}

extension OutboxEntry: CustomStringConvertible {
  /// The RPC, the id and the state, without the request: `social.CreateLike #3 (waiting)`.
  public var description: String {
    let state =
      switch state {
      case .waiting: "waiting"
      case .blocked(let id): "blocked by #\(id)"
      case .dead: "refused"
      }
    return "\(rpc.id) #\(id) (\(state))"
  }
}

/// Why a write in the outbox was not sent, or not accepted. Contains no secrets and nothing of the request.
public struct OutboxFailure: Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it was.
  public var code: APIError.Code
  /// The call that failed, such as `graph.CreateFollow`; nil if it is not the failure of a call.
  public var rpc: String?
  /// Why, as a sentence without the call.
  public var reason: String

  /// Creates a failure.
  public init(_ code: APIError.Code, _ reason: String) { self.init(code, of: nil, reason) }

  /// The failure of a call.
  public init(_ error: APIError) {
    var cause = error
    cause.rpc = nil
    self.init(error.code, of: error.rpc, cause.description)
  }

  init(_ code: APIError.Code, of rpc: String?, _ reason: String) {
    (self.code, self.rpc, self.reason) = (code, rpc, reason)
  }

  /// The failure as a sentence: the call, and why it failed.
  public var message: String { "\(rpc.map { "\($0): " } ?? "")\(reason)" }

  public var description: String { message }
}
