import NovaCore

/// A column with the id of another entity.
struct EntityReference: Hashable {
  let column: String
  let entity: FixtureEntity
}

extension FixtureEntity {
  /// The columns that identify a record.
  var key: [String] {
    switch self {
    case .follows: ["follower_id", "followee_id"]
    case .blocks: ["blocker_id", "blocked_id"]
    case .mutes: ["muter_id", "mutee_id"]
    case .shares, .bookmarks: ["user_id", "post_id"]
    case .settings, .feeds: ["user_id"]
    default: ["id"]
    }
  }

  /// The columns with ids of other entities. Entities refer only to themselves and to earlier ones, so tables can be filled
  /// in the order of ``FixtureEntity``.
  var references: [EntityReference] {
    func users(_ columns: String...) -> [EntityReference] { columns.map { .init(column: $0, entity: .users) } }
    let post = EntityReference(column: "post_id", entity: .posts)
    return switch self {
    case .users, .announcements: []
    case .accounts: users("id")
    case .settings, .somethings, .feeds: users("user_id")
    case .follows: users("follower_id", "followee_id")
    case .blocks: users("blocker_id", "blocked_id")
    case .mutes: users("muter_id", "mutee_id")
    case .posts, .videos: users("creator_id")
    case .likes, .shares, .bookmarks: users("user_id") + [post]
    case .comments: users("creator_id") + [post, EntityReference(column: "parent_comment_id", entity: .comments)]
    case .uploads: users("user_id") + [EntityReference(column: "video_id", entity: .videos)]
    case .reels: users("creator_id") + [EntityReference(column: "upload_id", entity: .uploads)]
    }
  }

  /// The columns in which an empty text means that the record refers to nothing; databases store NULL.
  var columnsNullWhenEmpty: [String] {
    switch self {
    case .comments: ["parent_comment_id"]
    case .uploads: ["video_id"]
    default: []
    }
  }
}
