import NovaCore

/// The conditions that every row of a table satisfies: the contract's rules for single records, as far as SQL has them.
struct PostgreSQLChecks {
  private let entity: FixtureEntity

  init(_ entity: FixtureEntity) { self.entity = entity }

  /// The conditions, without `CHECK`.
  var conditions: [String] { presence + differences + order + own }

  /// Ids are not empty.
  private var presence: [String] {
    let ids = Set(entity.key + entity.references.map(\.column))
    return fields.filter { ids.contains($0.name) && $0.kind == .string }.map { "\($0.name) <> ''" }
  }

  /// Users do not follow, block, or mute themselves, and no comment answers itself.
  private var differences: [String] {
    switch entity {
    case .follows, .blocks, .mutes: [entity.key.joined(separator: " <> ")]
    case .comments: ["parent_comment_id <> id"]
    default: []
    }
  }

  /// Nothing is changed before it is created.
  private var order: [String] {
    let times = fields.filter { $0.kind == .unixSeconds || $0.kind == .timestamp }.map(\.name)
    return times.contains("created_at") && times.contains("updated_at") ? ["created_at <= updated_at"] : []
  }

  private var own: [String] {
    switch entity {
    case .users: ["follower_count", "following_count", "post_count"].map { "\($0) >= 0" }
    case .videos, .reels: ["duration_seconds >= 0"]
    case .uploads: ["uploaded_size BETWEEN 0 AND file_size"]
    case .shares: ["share_type IN (\(ShareRecord.types.map(PostgreSQLText.literal).joined(separator: ", ")))"]
    case .somethings: ["id > 0"]
    case .announcements: ["location_latitude BETWEEN -90 AND 90", "location_longitude BETWEEN -180 AND 180"]
    default: []
    }
  }

  private var fields: [FieldDescriptor] { entity.message.fields }
}
