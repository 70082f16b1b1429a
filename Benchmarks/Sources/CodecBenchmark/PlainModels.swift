// Models without CodingKeys, for JSONDecoder's convertFromSnakeCase: the least to write.

struct PlainPost: Codable {
  var id: String
  var creatorId: String
  var content: String
  var createdAt: Int64
  var updatedAt: Int64
  var title: String
  var privacy: String
  var status: String
  var mediaIds: [String]
}

struct PlainPosts: Codable {
  var posts: [PlainPost]
  var totalCount: Int
  var hasMore: Bool
}

struct PlainFollowers: Codable {
  var userIds: [String]
  var totalCount: Int
  var hasMore: Bool
}
