package import NovaCore
import NovaRegistry

/// An entry as rows have it, whatever the database.
package struct StoredEntry: Sendable {
  package var id: Int64
  /// Counts the changes of the entry.
  package var revision: Int64 = 0
  /// `Identity.storedText`.
  package var identity: String
  /// The ID of the RPC.
  package var rpc: String
  /// The request as UTF-8 JSON.
  package var request: [UInt8]
  package var key: String
  package var newID: String?
  /// What the write is about; nil to compute it from the request.
  package var entities: [String]?
  package var wouldChange: Bool?
  package var createdAt: Double
  package var firstAttemptAt: Double?
  package var lastAttemptAt: Double?
  package var nextAttemptAt: Double?
  package var attempts = 0
  package var isDead = false
  /// The code and the message of the last failure.
  package var failure: (code: String, message: String)?

  /// Creates an entry that was never sent.
  package init(id: Int64, identity: String, rpc: String, request: [UInt8], key: String, createdAt: Double) {
    (self.id, self.identity, self.rpc, self.request, self.key) = (id, identity, rpc, request, key)
    self.createdAt = createdAt
  }

  /// The call; nil if this version of the SDK does not have it.
  package var call: RPCDescriptor? { RPCRegistry.nova.rpc(named: rpc) }

  /// The entry; nil if this version of the SDK does not have the RPC, or cannot read its request.
  package func entry(_ rule: (String) -> WriteRule? = { OfflineRules.write($0) }) -> OutboxEntry? {
    guard let identity = Identity(storedText: identity), let rpc = call,
      let request = try? rpc.requestType.init(jsonUTF8: request)
    else { return nil }
    return entry(of: identity, rpc, request, rule: rule(rpc.id))
  }

  private func entry(
    of identity: Identity, _ rpc: RPCDescriptor, _ message: any ProtoMessage, rule: WriteRule?
  ) -> OutboxEntry {
    let entities = entities ?? rule?.entities(message) ?? []
    let undoing = rule?.undoing
    return OutboxEntry(
      id: id, rpc: rpc, request: message, createdAt: createdAt, firstAttemptAt: firstAttemptAt, attempts: attempts,
      nextAttemptAt: nextAttemptAt, state: isDead ? .dead : .waiting,
      failure: failure.map { Self.failure(APIError.Code(rawValue: $0.code), $0.message, of: rpc) },
      entities: entities, newID: newID, identity: identity, key: key, lastAttemptAt: lastAttemptAt,
      relation: undoing?.relation(message), isRelated: undoing?.isRelated ?? false, wouldChange: wouldChange,
      revision: revision,
      values: RequestIDs.values(of: message).union(entities.flatMap { RequestIDs.parts($0) }),
      requestHash: request.hashValue)
  }

  /// A row has the sentence of a failure, which begins with the call, except if the outbox itself failed.
  private static func failure(_ code: APIError.Code, _ message: String, of rpc: RPCDescriptor) -> OutboxFailure {
    let start = "\(rpc.id): "
    guard message.hasPrefix(start) else { return OutboxFailure(code, message) }
    return OutboxFailure(code, of: rpc.id, String(message.dropFirst(start.count)))
  }

  /// A request as it is stored: protobuf's canonical JSON.
  ///
  /// - Throws: `APIError` for a value that the contract's type cannot hold.
  package static func text(_ request: any ProtoMessage) throws -> String {
    do {
      let options = ProtoJSONOptions(names: .lowerCamelCase, includesDefaults: false, writesInt64AsString: true)
      return String(decoding: try request.jsonUTF8(options), as: UTF8.self)
    } catch {
      throw APIError(.invalidArgument, "the request does not match the contract", reason: "\(error)")
    }
  }
}
