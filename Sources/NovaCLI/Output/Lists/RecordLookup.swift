import ArgumentParser
import NovaCore
import NovaSDK

/// Whether a list shows names beside IDs.
struct NameOptions: ParsableArguments {
  @Flag(help: "Show IDs without looking up names or content.")
  var ids = false
}

/// Looks up the records behind IDs, with one call for each page of a list. A failure is reported once, and then the list
/// continues without the records.
struct RecordLookup {
  /// What is looked up, for the note about a failure: `user names`.
  private let what: String
  private let stored: StoredAnswers?
  private let load: ([String]) async throws -> [(id: String, record: JSONValue)]
  private var hasFailed = false

  /// - Parameter stored: the store of the command, which explains failures that it causes.
  init(
    _ what: String, stored: StoredAnswers? = nil,
    load: @escaping ([String]) async throws -> [(id: String, record: JSONValue)]
  ) {
    (self.what, self.stored, self.load) = (what, stored, load)
  }

  /// The profiles of users. A supplement to the list, so that it is tried once.
  static func users(_ context: CommandContext) -> RecordLookup {
    let users = context.users.with { $0.retry = .never }
    return RecordLookup("user names", stored: context.stored) { ids in
      try await users.getUserProfilesByIds(userIds: ids).map { ($0.id, try $0.jsonValue()) }
    }
  }

  static func posts(_ context: CommandContext) -> RecordLookup {
    let content = context.content.with { $0.retry = .never }
    return RecordLookup("posts", stored: context.stored) { ids in
      try await content.getPostsByIds(postIds: ids).map { ($0.id, try $0.jsonValue()) }
    }
  }

  /// The records by the `byteKey` of their ID, without those that do not exist.
  mutating func records(_ ids: [String]) async throws -> [String: JSONValue] {
    var seen: Set<String> = []
    let unique = ids.filter {
      !$0.isEmpty && $0.utf8.count <= ArgumentLimits.idBytes && seen.insert($0.byteKey).inserted
    }
    guard !hasFailed, !unique.isEmpty else { return [:] }
    do {
      return Dictionary(try await load(unique).map { ($0.id.byteKey, $0.record) }) { first, _ in first }
    } catch let error as APIError where error.code != .cancelled && !Interruption.happened {
      hasFailed = true
      Diagnostics.note("cannot show \(what): \(stored?.failure(for: error)?.message ?? "\(error)")")
      return [:]
    }
  }
}

extension CommandContext {
  /// The column of user names beside a column of IDs, unless the list has none or the user wants IDs only.
  func nameColumn(_ field: String?, _ names: NameOptions?) -> NameColumn? {
    guard let field, let names, !names.ids else { return nil }
    return NameColumn(field, .users(self))
  }
}

/// A column with the name of the user whose ID is in another column.
struct NameColumn {
  /// The column with the ID: `creator_id`.
  let field: String
  private var lookup: RecordLookup

  init(_ field: String, _ lookup: RecordLookup) { (self.field, self.lookup) = (field, lookup) }

  /// The column's name: `creator`.
  var name: String { field.hasSuffix("_id") ? String(field.dropLast(3)) : field }

  /// The records with the name as one more member.
  mutating func added(to records: [JSONValue]) async throws -> [JSONValue] {
    let found = try await lookup.records(records.compactMap { $0[field]?.stringValue })
    return records.map { record in
      guard case .object(let members) = record, let id = record[field]?.stringValue, let user = found[id.byteKey] else {
        return record
      }
      return .object(members + [.init(name: name, value: user["username"] ?? .null)])
    }
  }
}
