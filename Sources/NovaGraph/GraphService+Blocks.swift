import NovaCore

extension GraphServiceProtocol {
  /// Blocks a user for another, which ends the follows between the two; succeeds if that is so already.
  ///
  /// - Throws: ``APIError``.
  public func blockUser(blockerId: String, blockedId: String) async throws {
    try await confirmed(
      GraphRPC.createBlock, CreateBlockRequest(blockerId: blockerId, blockedId: blockedId), by: createBlock(_:))
  }

  /// Ends a block; succeeds if there is none. The follows it ended do not come back.
  ///
  /// - Throws: ``APIError``.
  public func unblockUser(blockerId: String, blockedId: String) async throws {
    try await confirmed(
      GraphRPC.deleteBlock, DeleteBlockRequest(blockerId: blockerId, blockedId: blockedId), by: deleteBlock(_:))
  }

  /// Whether one user has blocked another.
  ///
  /// - Throws: ``APIError``.
  public func isBlocked(blockerId: String, blockedId: String) async throws -> Bool {
    try await isBlocked(IsBlockedRequest(blockerId: blockerId, blockedId: blockedId)).isBlocked
  }
}
