import ArgumentParser
import NovaSDK

/// Whether a list shows names beside IDs.
struct NameOptions: ParsableArguments {
  @Flag(help: "Show IDs without looking up names or content.")
  var ids = false
}

/// Looks up users or posts by their IDs, with one call for each page of a list. A failure is reported once, and then the
/// list continues without them.
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

  /// The profiles of users. They only supplement the list, so the call is not retried.
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
    let unique = ids.filter { (1...ArgumentLimits.idBytes).contains($0.utf8.count) }.withoutRepeats()
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
  /// The names of the users whose IDs are in a field; nil with `--ids`.
  func userNames(for field: String, _ names: NameOptions) -> RecordSupplement? {
    names.ids ? nil : RecordSupplement(nameFor: field, .users(self))
  }
}

/// What a list adds to its records, from the users or posts whose IDs they have.
struct RecordSupplement {
  /// The field with the ID: `creator_id`.
  let field: String
  /// The field with the name, which the records get: `creator`. Nil if they get all fields.
  let name: String?
  private var lookup: RecordLookup

  /// The names of users.
  init(nameFor field: String, _ lookup: RecordLookup) {
    (self.field, self.lookup) = (field, lookup)
    name = field.hasSuffix("_id") ? String(field.dropLast(3)) : field
  }

  /// All fields of the users or posts.
  init(allFieldsOf field: String, _ lookup: RecordLookup) { (self.field, self.lookup, name) = (field, lookup, nil) }

  /// Whether a list of this shape shows any of it. Names are for people, and not among the fields that one can select.
  func isShown(in shape: RecordShape) -> Bool {
    guard name == nil else { return shape.format == .table && !shape.isPicked }
    return (shape.format == .table || shape.isPicked) && shape.shown.contains { $0.name != field }
  }

  /// The records with what was found for them.
  mutating func added(to records: [JSONValue]) async throws -> [JSONValue] {
    let found = try await lookup.records(records.compactMap { $0[field]?.stringValue })
    return records.map { record in
      guard case .object(let members) = record, let id = record[field]?.stringValue, let other = found[id.byteKey]
      else { return record }
      let username = other["username"] ?? .null
      return .object(members + (name.map { [.init(name: $0, value: username)] } ?? other.memberList ?? []))
    }
  }
}
