import NovaCore

extension GraphServiceProtocol {
  // MARK: Follows

  /// Makes one user follow another. Succeeds if they already do.
  ///
  /// - Throws: ``APIError``; `permissionDenied` if one has blocked the other, `invalidArgument` for following oneself.
  public func followUser(followerId: String, followeeId: String) async throws {
    try await acknowledged(
      GraphRPC.createFollow, CreateFollowRequest(followerId: followerId, followeeId: followeeId), by: createFollow(_:))
  }

  /// Ends a follow; also succeeds if the user does not follow.
  ///
  /// - Throws: ``APIError``.
  public func unfollowUser(followerId: String, followeeId: String) async throws {
    try await acknowledged(
      GraphRPC.deleteFollow, DeleteFollowRequest(followerId: followerId, followeeId: followeeId), by: deleteFollow(_:))
  }

  /// Returns whether one user follows another.
  ///
  /// - Throws: ``APIError``.
  public func isFollowing(followerId: String, followeeId: String) async throws -> Bool {
    try await isFollowing(IsFollowingRequest(followerId: followerId, followeeId: followeeId)).isFollowing
  }

  /// Returns which of many users one user follows.
  ///
  /// Accepts any number of IDs, and sends them in requests of 100, four at a time.
  ///
  /// - Returns: an entry for each ID.
  /// - Throws: ``APIError``.
  public func batchCheckFollowing(followerId: String, followeeIds: [String]) async throws -> [String: Bool] {
    try await answersInBatches(of: followeeIds, GraphRPC.batchCheckFollowing.descriptor) { ids in
      try await batchCheckFollowing(BatchCheckFollowingRequest(followerId: followerId, followeeIds: ids)).results
    }.merged(allOf: followeeIds)
  }

  // MARK: Mutes

  /// Mutes a user for another. Succeeds if that is already the case.
  ///
  /// - Throws: ``APIError``.
  public func muteUser(muterId: String, muteeId: String) async throws {
    try await acknowledged(
      GraphRPC.createMute, CreateMuteRequest(muterId: muterId, muteeId: muteeId), by: createMute(_:))
  }

  /// Ends a mute; also succeeds if the user is not muted.
  ///
  /// - Throws: ``APIError``.
  public func unmuteUser(muterId: String, muteeId: String) async throws {
    try await acknowledged(
      GraphRPC.deleteMute, DeleteMuteRequest(muterId: muterId, muteeId: muteeId), by: deleteMute(_:))
  }

  /// Returns whether one user has muted another.
  ///
  /// - Throws: ``APIError``.
  public func isMuted(muterId: String, muteeId: String) async throws -> Bool {
    try await isMuted(IsMutedRequest(muterId: muterId, muteeId: muteeId)).isMuted
  }

  // MARK: Blocks

  /// Blocks a user for another, and ends the follows between the two. Succeeds if that is already the case.
  ///
  /// - Throws: ``APIError``.
  public func blockUser(blockerId: String, blockedId: String) async throws {
    try await acknowledged(
      GraphRPC.createBlock, CreateBlockRequest(blockerId: blockerId, blockedId: blockedId), by: createBlock(_:))
  }

  /// Ends a block; also succeeds if the user is not blocked. The follows it ended do not come back.
  ///
  /// - Throws: ``APIError``.
  public func unblockUser(blockerId: String, blockedId: String) async throws {
    try await acknowledged(
      GraphRPC.deleteBlock, DeleteBlockRequest(blockerId: blockerId, blockedId: blockedId), by: deleteBlock(_:))
  }

  /// Returns whether one user has blocked another.
  ///
  /// - Throws: ``APIError``.
  public func isBlocked(blockerId: String, blockedId: String) async throws -> Bool {
    try await isBlocked(IsBlockedRequest(blockerId: blockerId, blockedId: blockedId)).isBlocked
  }
}
