import NovaCore

/// The tables of a database, with a column for each field of `Proto/`.
struct SQLiteSchema {
  /// A column with the id of another entity.
  struct Reference {
    let column: String
    let entity: FixtureEntity
  }

  /// The entities in the database. Only references between them become foreign keys.
  let entities: [FixtureEntity]

  /// Returns the statement that creates an entity's table.
  func table(of entity: FixtureEntity) -> String {
    let references = references(of: entity)
    let key = Self.key(of: entity)
    var lines = entity.message.fields.map { field in
      let isNullable = field.cardinality == .optional || Self.isNullWhenEmpty(field.name, entity)
      return "  \(field.name) \(Self.type(field))\(isNullable ? "" : " NOT NULL")"
    }
    lines.append("  PRIMARY KEY (\(key.joined(separator: ", ")))")
    for reference in references {
      lines.append("  FOREIGN KEY (\(reference.column)) REFERENCES \(reference.entity.rawValue) (id)")
    }
    // Tables of edges consist mostly of their keys.
    return
      "CREATE TABLE \(entity.rawValue) (\n\(lines.joined(separator: ",\n"))\n)\(key.count > 1 ? " WITHOUT ROWID" : "")"
  }

  /// Returns the statement that inserts a row.
  func insertion(into entity: FixtureEntity) -> String {
    let values = entity.message.fields.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(entity.rawValue) VALUES (\(values))"
  }

  /// Whether an empty text in a column means NULL, so that it references nothing.
  static func isNullWhenEmpty(_ column: String, _ entity: FixtureEntity) -> Bool {
    (entity, column) == (.comments, "parent_comment_id") || (entity, column) == (.uploads, "video_id")
  }

  private func references(of entity: FixtureEntity) -> [Reference] {
    Self.allReferences(of: entity).filter { entities.contains($0.entity) }
  }

  private static func allReferences(of entity: FixtureEntity) -> [Reference] {
    func users(_ columns: String...) -> [Reference] { columns.map { Reference(column: $0, entity: .users) } }
    let post = Reference(column: "post_id", entity: .posts)
    return switch entity {
    case .users, .announcements: []
    case .accounts: users("id")
    case .settings, .somethings, .feeds: users("user_id")
    case .follows: users("follower_id", "followee_id")
    case .blocks: users("blocker_id", "blocked_id")
    case .mutes: users("muter_id", "mutee_id")
    case .posts, .videos: users("creator_id")
    case .likes, .shares, .bookmarks: users("user_id") + [post]
    case .comments: users("creator_id") + [post, Reference(column: "parent_comment_id", entity: .comments)]
    case .uploads: users("user_id") + [Reference(column: "video_id", entity: .videos)]
    case .reels: users("creator_id") + [Reference(column: "upload_id", entity: .uploads)]
    }
  }

  private static func key(of entity: FixtureEntity) -> [String] {
    switch entity {
    case .follows: ["follower_id", "followee_id"]
    case .blocks: ["blocker_id", "blocked_id"]
    case .mutes: ["muter_id", "mutee_id"]
    case .shares, .bookmarks: ["user_id", "post_id"]
    case .settings, .feeds: ["user_id"]
    default: ["id"]
    }
  }

  /// Lists and messages are JSON; times in seconds and booleans are integers.
  private static func type(_ field: FieldDescriptor) -> String {
    switch field.cardinality {
    case .repeated, .map: return "TEXT"
    case .singular, .optional: break
    }
    return switch field.kind {
    case .double, .float: "REAL"
    case .string, .bytes, .timestamp, .message, .enumeration: "TEXT"
    default: "INTEGER"
    }
  }
}
