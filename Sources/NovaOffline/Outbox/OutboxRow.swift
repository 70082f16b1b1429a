import NovaCore
import NovaRegistry
import NovaSQLite

/// Entries as rows of `outbox.db`.
enum OutboxRow {
  /// The columns that ``entry(_:)`` reads.
  static let columns = """
    id, revision, account, rpc, request, key, new_id, entities, relation, is_related, would_change, created_at, \
    first_attempt_at, last_attempt_at, next_attempt_at, attempts, is_dead, failure_code, failure_message
    """

  /// The entry in a row; nil if this version of the SDK does not know the RPC, or cannot read its request.
  static func entry(_ row: SQLiteStatement) -> OutboxEntry? {
    guard let rpc = RPCRegistry.nova.rpc(named: row.text(3)),
      let request = try? rpc.requestType.init(jsonUTF8: row.bytes(4))
    else { return nil }
    let relation = row.isNull(8) ? [] : texts(row.text(8))
    let failure =
      row.isNull(17) ? nil : OutboxFailure(APIError.Code(rawValue: row.text(17)), row.text(18))
    return OutboxEntry(
      id: row.int64(0), rpc: rpc, request: request, createdAt: row.double(11), firstAttemptAt: row.optionalDouble(12),
      attempts: row.int(15), nextAttemptAt: row.optionalDouble(14), state: row.bool(16) ? .dead : .waiting,
      failure: failure, entities: texts(row.text(7)), newID: row.isNull(6) ? nil : row.text(6), account: row.text(2),
      key: row.text(5), lastAttemptAt: row.optionalDouble(13),
      relation: relation.count == 3 ? RelationName(relation[0], relation[1], relation[2]) : nil,
      isRelated: row.bool(9), wouldChange: row.isNull(10) ? nil : row.bool(10), revision: row.int64(1),
      values: RequestIDs.values(of: request))
  }

  /// A request as it is stored: canonical JSON, as protobuf has it.
  ///
  /// - Throws: `APIError` for a value that the contract's type cannot hold.
  static func text(_ request: any ProtoMessage) throws -> String {
    do {
      let options = ProtoJSONOptions(names: .lowerCamelCase, includesDefaults: false, writesInt64AsString: true)
      return String(decoding: try request.jsonUTF8(options), as: UTF8.self)
    } catch {
      throw APIError(.invalidArgument, "the request does not match the contract: \(error)")
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
