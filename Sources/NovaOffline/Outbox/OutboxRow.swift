import NovaCore
import NovaRegistry
import NovaSQLite

/// Entries as rows of `outbox.db`.
enum OutboxRow {
  /// The columns that ``entry(_:_:)`` reads.
  static let columns = """
    id, revision, account, rpc, request, key, new_id, entities, would_change, created_at, first_attempt_at, \
    last_attempt_at, next_attempt_at, attempts, is_dead, failure_code, failure_message
    """

  /// The entry in a row; nil if this version of the SDK does not have the RPC, or cannot read its request.
  static func entry(_ row: SQLiteStatement, _ rule: (String) -> WriteRule?) -> OutboxEntry? {
    let json = row.bytes(4)
    guard let identity = Identity(storedText: row.text(2)), let rpc = RPCRegistry.nova.rpc(named: row.text(3)),
      let request = try? rpc.requestType.init(jsonUTF8: json)
    else { return nil }
    let entities = texts(row.text(7))
    let undoing = rule(rpc.id)?.undoing
    return OutboxEntry(
      id: row.int64(0), rpc: rpc, request: request, createdAt: row.double(9), firstAttemptAt: row.optionalDouble(10),
      attempts: row.int(13), nextAttemptAt: row.optionalDouble(12), state: row.bool(14) ? .dead : .waiting,
      failure: row.isNull(15) ? nil : OutboxFailure(APIError.Code(rawValue: row.text(15)), row.text(16)),
      entities: entities, newID: row.isNull(6) ? nil : row.text(6), identity: identity, key: row.text(5),
      lastAttemptAt: row.optionalDouble(11), relation: undoing?.relation(request),
      isRelated: undoing?.isRelated ?? false, wouldChange: row.isNull(8) ? nil : row.bool(8), revision: row.int64(1),
      values: RequestIDs.values(of: request).union(entities.flatMap { RequestIDs.parts($0) }),
      requestHash: json.hashValue)
  }

  /// A request as it is stored: protobuf's canonical JSON.
  ///
  /// - Throws: `APIError` for a value that the contract's type cannot hold.
  static func text(_ request: any ProtoMessage) throws -> String {
    do {
      let options = ProtoJSONOptions(names: .lowerCamelCase, includesDefaults: false, writesInt64AsString: true)
      return String(decoding: try request.jsonUTF8(options), as: UTF8.self)
    } catch {
      throw APIError(.invalidArgument, "the request does not match the contract", reason: "\(error)")
    }
  }

  static func text(_ texts: [String]) -> String {
    String(decoding: JSONValue.array(texts.map { .string($0) }).jsonUTF8, as: UTF8.self)
  }

  private static func texts(_ json: String) -> [String] {
    (try? JSONValue(jsonUTF8: Array(json.utf8)))?.elements?.compactMap(\.stringValue) ?? []
  }
}

extension SQLiteStatement {
  fileprivate func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }
}
