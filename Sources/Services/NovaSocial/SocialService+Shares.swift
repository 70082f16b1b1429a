import NovaCore

/// How a post is shared. Open: servers may support more.
public struct ShareType: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// To the user's own followers.
  public static let repost = ShareType(rawValue: "repost")
  /// In a story.
  public static let story = ShareType(rawValue: "story")
  /// In a direct message.
  public static let directMessage = ShareType(rawValue: "dm")
}

extension SocialServiceProtocol {
  /// Shares a post. Calling it twice shares it twice.
  ///
  /// - Returns: how often the post has been shared.
  /// - Throws: ``APIError``.
  @discardableResult
  public func createShare(postId: String, userId: String, shareType: ShareType = .repost) async throws -> Int {
    let request = CreateShareRequest(userId: userId, postId: postId, shareType: shareType.rawValue)
    return Int(try await acknowledged(SocialRPC.createShare, request, by: createShare(_:)).shareCount)
  }

  /// Returns how often a post has been shared.
  ///
  /// - Throws: ``APIError``.
  public func getShareCount(postId: String) async throws -> Int {
    Int(try await getShareCount(GetShareCountRequest(postId: postId)).count)
  }

  /// Returns whether a user has shared a post.
  ///
  /// - Throws: ``APIError``.
  public func checkUserShared(postId: String, userId: String) async throws -> Bool {
    try await checkUserShared(CheckUserSharedRequest(userId: userId, postId: postId)).shared
  }

  /// Returns the numbers of likes, comments, and shares of many posts. Accepts any number of IDs, and sends them in
  /// requests of 100, four at a time.
  ///
  /// - Returns: an entry for each post that exists.
  /// - Throws: ``APIError``.
  public func batchGetPostStats(postIds: [String]) async throws -> [String: PostStats] {
    try await answersInBatches(of: postIds, SocialRPC.batchGetPostStats.descriptor) { ids in
      try await batchGetPostStats(BatchGetPostStatsRequest(postIds: ids)).stats
    }.merged()
  }
}
