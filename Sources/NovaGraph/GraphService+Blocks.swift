import NovaCore

extension GraphService {
  /// Blocks a user for another, which ends the follows between the two; succeeds if that is so already.
  ///
  /// - Throws: ``APIError``.
  public func blockUser(blockerId: String, blockedId: String) async throws {
    let rpc = GraphRPC.createBlock.descriptor
    try Arguments.notEmpty(blockerId, "blockerId", rpc)
    try Arguments.notEmpty(blockedId, "blockedId", rpc)
    let response = try await createBlock(CreateBlockRequest(blockerId: blockerId, blockedId: blockedId))
    try Arguments.confirm(response.success, response.message, rpc)
  }

  /// Ends a block; succeeds if there is none. The follows it ended do not come back.
  ///
  /// - Throws: ``APIError``.
  public func unblockUser(blockerId: String, blockedId: String) async throws {
    let rpc = GraphRPC.deleteBlock.descriptor
    try Arguments.notEmpty(blockerId, "blockerId", rpc)
    try Arguments.notEmpty(blockedId, "blockedId", rpc)
    let response = try await deleteBlock(DeleteBlockRequest(blockerId: blockerId, blockedId: blockedId))
    try Arguments.confirm(response.success, response.message, rpc)
  }

  /// Whether one user has blocked another.
  ///
  /// - Throws: ``APIError``.
  public func isBlocked(blockerId: String, blockedId: String) async throws -> Bool {
    try Arguments.notEmpty(blockerId, "blockerId", GraphRPC.isBlocked.descriptor)
    try Arguments.notEmpty(blockedId, "blockedId", GraphRPC.isBlocked.descriptor)
    return try await isBlocked(IsBlockedRequest(blockerId: blockerId, blockedId: blockedId)).isBlocked
  }
}
