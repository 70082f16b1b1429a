package import NovaCore

/// The effect of a write, and how it waits. Generated from `gateway.yaml`.
package struct WriteRule: Sendable {
  package let rpc: RPCDescriptor
  /// Whether the write may wait in the outbox.
  package let canWait: Bool
  /// The kind of record that the write creates; nil if it creates none.
  package let created: (any StoredRecord.Type)?
  /// What the write is about. Writes about the same are sent in order.
  package let entities: @Sendable (any ProtoMessage) -> [String]
  /// The opposite of the write; nil for a write without one. Two waiting opposites that set the same relation cancel out.
  package let undoing: Undoing?
  /// Returns the read that shows whether the write took effect; nil if sending it again does no harm.
  package let check: (@Sendable (any ProtoMessage) -> WriteCheck?)?
  /// Applies the effect; `response` is nil while the write waits.
  package let effect:
    @Sendable (_ request: any ProtoMessage, _ response: (any ProtoMessage)?, any Change) throws -> Void
  /// The answer that a waiting write will probably get, made of the facts with its effect.
  package let answer: @Sendable (_ request: any ProtoMessage, _ newID: String, any Facts) throws -> (any ProtoMessage)?

  /// A write and its opposite, such as like and unlike.
  package struct Undoing: Sendable {
    /// The RPC that undoes this one: `social.DeleteLike`.
    package let rpc: String
    /// The relation that both set, for example of a user to a post.
    package let relation: @Sendable (any ProtoMessage) -> RelationName?
    /// Whether this write sets the relation, or clears it.
    package let isRelated: Bool
  }

  package init<Request, Response>(
    _ rpc: RPC<Request, Response>, canWait: Bool = true, creates created: (any StoredRecord.Type)? = nil,
    undoneBy opposite: String? = nil, setting relation: (@Sendable (Request) -> RelationName)? = nil,
    to isRelated: Bool = true,
    entities: @escaping @Sendable (Request) -> [String] = { _ in [] },
    check: (@Sendable (Request) -> WriteCheck)? = nil,
    effect: @escaping @Sendable (_ request: Request, _ response: Response?, _ change: any Change) throws -> Void,
    answer: @escaping @Sendable (_ request: Request, _ newID: String, _ facts: any Facts) throws -> Response = {
      _, _, _ in Response()
    }
  ) {
    self.rpc = rpc.descriptor
    self.canWait = canWait
    self.created = created
    if let opposite, let relation {
      undoing = Undoing(
        rpc: opposite, relation: { request in (request as? Request).map { relation($0) } }, isRelated: isRelated)
    } else {
      undoing = nil
    }
    self.entities = { request in (request as? Request).map { entities($0) } ?? [] }
    if let check {
      self.check = { request in (request as? Request).map { check($0) } }
    } else {
      self.check = nil
    }
    self.effect = { request, response, change in
      guard let request = request as? Request else { return }
      try effect(request, response as? Response, change)
    }
    self.answer = { request, newID, facts in
      guard let request = request as? Request else { return nil }
      return try answer(request, newID, facts)
    }
  }
}

/// A read that shows whether a write took effect.
package struct WriteCheck: Sendable {
  /// What the answer shows about the write.
  package enum Finding: Sendable {
    /// The write took effect.
    ///
    /// - Parameter record: what it created; nil for a write that creates nothing.
    case done(record: (any StoredRecord)?)
    /// The write took no effect.
    case notDone
    /// The answer does not show it.
    case unknown

    /// Creates a finding without a record.
    package init(_ isDone: Bool?) {
      switch isDone {
      case true: self = .done(record: nil)
      case false: self = .notDone
      case nil: self = .unknown
      }
    }
  }

  package let rpc: RPCDescriptor
  package let request: any ProtoMessage
  /// Judges an answer, with the Unix seconds of the first attempt.
  package let find: @Sendable (_ response: any ProtoMessage, _ firstAttempt: Int64) -> Finding

  /// - Parameter find: gets the answer, and the Unix seconds of the first attempt.
  package init<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, find: @escaping @Sendable (Response, Int64) -> Finding
  ) {
    self.rpc = rpc.descriptor
    self.request = request
    self.find = { response, time in (response as? Response).map { find($0, time) } ?? .unknown }
  }
}
