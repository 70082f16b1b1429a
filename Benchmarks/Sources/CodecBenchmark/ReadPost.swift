import NovaContent

/// A post as one of the candidates has read it.
protocol ReadPost {
  /// The same post as NovaSDK's model, to compare.
  var asPost: Post { get }
}

extension KeyedPost: ReadPost {
  var asPost: Post {
    Post(
      id: id, creatorId: creatorId, content: content, createdAt: createdAt, updatedAt: updatedAt, title: title,
      privacy: privacy, status: status, mediaIds: mediaIds)
  }
}

extension PlainPost: ReadPost {
  var asPost: Post {
    Post(
      id: id, creatorId: creatorId, content: content, createdAt: createdAt, updatedAt: updatedAt, title: title,
      privacy: privacy, status: status, mediaIds: mediaIds)
  }
}

extension ProtoPost: ReadPost {
  var asPost: Post {
    Post(
      id: id, creatorId: creatorId, content: content, createdAt: createdAt, updatedAt: updatedAt, title: title,
      privacy: privacy.name, status: status.name, mediaIds: mediaIds)
  }
}

typealias ProtobufPosts = Nova_ContentService_V1_GetPostsByAuthorResponse
typealias ProtobufFollowers = Nova_GraphService_V1_GetFollowersResponse

extension Nova_ContentService_V1_Post: ReadPost {
  var asPost: Post {
    Post(
      id: id, creatorId: creatorID, content: content, createdAt: createdAt, updatedAt: updatedAt, title: title,
      privacy: privacy, status: status, mediaIds: mediaIds)
  }
}
