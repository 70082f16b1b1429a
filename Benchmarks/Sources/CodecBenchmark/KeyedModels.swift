// What a program would write by hand for Foundation's JSONDecoder: names in Swift's style, and CodingKeys for the wire's.

struct KeyedPost: Codable, Equatable {
  var id: String
  var creatorId: String
  var content: String
  var createdAt: Int64
  var updatedAt: Int64
  var title: String
  var privacy: String
  var status: String
  var mediaIds: [String]

  enum CodingKeys: String, CodingKey {
    case id, content, title, privacy, status
    case creatorId = "creator_id"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case mediaIds = "media_ids"
  }
}

struct KeyedPosts: Codable, Equatable {
  var posts: [KeyedPost]
  var totalCount: Int
  var hasMore: Bool

  enum CodingKeys: String, CodingKey {
    case posts
    case totalCount = "total_count"
    case hasMore = "has_more"
  }
}

struct KeyedFollowers: Codable, Equatable {
  var userIds: [String]
  var totalCount: Int
  var hasMore: Bool

  enum CodingKeys: String, CodingKey {
    case userIds = "user_ids"
    case totalCount = "total_count"
    case hasMore = "has_more"
  }
}
