import NovaCore
import NovaOffline

/// A change in the outbox, in tables and JSON.
enum OutboxRecord {
  static let descriptor = MessageDescriptor(
    "OutboxEntry",
    fields: [
      ("id", FieldKind.int64), ("rpc", .string), ("state", .string), ("created_at", .unixSeconds),
      ("attempts", .int64), ("error", .string), ("error_code", .string), ("about", .string),
      ("blocked_by", .int64), ("first_attempt_at", .unixSeconds), ("next_attempt_at", .unixSeconds),
      ("user_id", .string), ("gateway", .string),
    ].enumerated().map { FieldDescriptor($1.0, number: $0 + 1, kind: $1.1) })

  static let columns = ["id", "rpc", "state", "about", "created_at", "attempts", "error"]
  /// The columns for the changes of all users.
  static let columnsOfAll = ["id", "rpc", "state", "about", "user_id", "gateway", "created_at", "error"]

  static func json(_ entry: OutboxEntry) -> JSONValue {
    let (state, other): (String, Int64?) =
      switch entry.state {
      case .waiting: ("waiting", nil)
      case .blocked(let id): ("blocked", id)
      case .dead: ("refused", nil)
      }
    return .members(
      ("id", .number(String(entry.id))), ("rpc", .string(entry.rpc.id)), ("state", .string(state)),
      ("created_at", time(entry.createdAt)), ("attempts", .number(String(entry.attempts))),
      ("error", entry.failure.map { .string($0.reason) } ?? .null),
      ("error_code", entry.failure.map { .string($0.code.rawValue) } ?? .null),
      ("about", .string(entry.subject)),
      ("blocked_by", other.map { .number(String($0)) } ?? .null),
      ("first_attempt_at", entry.firstAttemptAt.map(time) ?? .null),
      ("next_attempt_at", entry.nextAttemptAt.map(time) ?? .null),
      ("user_id", entry.identity.user.map { .string($0) } ?? .null), ("gateway", .string(entry.identity.gateway)))
  }

  private static func time(_ seconds: Double) -> JSONValue { .number(String(Int64(max(0, min(seconds, 1e15))))) }
}

extension OutboxEntry {
  /// The records that it is about, such as `Post/42`; what else it is about if it is about none.
  fileprivate var subject: String {
    let records = entities.filter { $0.first?.isUppercase == true }
    return (records.isEmpty ? entities : records).joined(separator: ", ")
  }

  /// Whose change it is, in a sentence: `ada at https://nova.example`.
  var maker: String { "\(identity.user ?? "a token that names no user") at \(identity.gateway)" }
}

/// The changes that wait for the same refused one.
struct BlockedChanges {
  /// The refused change.
  let by: Int64
  let ids: [Int64]

  /// `#28 waits for #27, which was refused`.
  var sentence: String {
    let first = ids.first.map { "#\($0)" } ?? ""
    let others = ids.count > 1 ? " and \(CountText.phrase(ids.count - 1, one: "other", many: "others")) wait" : " waits"
    return "\(first)\(others) for #\(by), which was refused"
  }
}

extension [OutboxEntry] {
  /// The blocked changes by the refused one that they wait for, in order.
  var blockedGroups: [BlockedChanges] {
    let blocked = compactMap { entry in
      if case .blocked(let other) = entry.state { (id: entry.id, by: other) } else { nil }
    }
    return Dictionary(grouping: blocked, by: \.by).sorted { $0.key < $1.key }
      .map { BlockedChanges(by: $0.key, ids: $0.value.map(\.id)) }
  }

  /// Reports which changes wait for refused ones, at most three times.
  func noteBlocked(isInDatabase: Bool) {
    for group in blockedGroups.prefix(3) {
      Diagnostics.note("\(group.sentence): \(isInDatabase ? "retry, edit or" : "retry or") discard #\(group.by)")
    }
  }
}
