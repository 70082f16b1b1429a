import NovaCore

extension GraphService {
  /// Mutes a user for another; succeeds if that is so already.
  ///
  /// - Throws: ``APIError``.
  public func muteUser(muterId: String, muteeId: String) async throws {
    let rpc = GraphRPC.createMute.descriptor
    try Arguments.notEmpty(muterId, "muterId", rpc)
    try Arguments.notEmpty(muteeId, "muteeId", rpc)
    let response = try await createMute(CreateMuteRequest(muterId: muterId, muteeId: muteeId))
    try Arguments.confirm(response.success, response.message, rpc)
  }

  /// Ends a mute; succeeds if there is none.
  ///
  /// - Throws: ``APIError``.
  public func unmuteUser(muterId: String, muteeId: String) async throws {
    let rpc = GraphRPC.deleteMute.descriptor
    try Arguments.notEmpty(muterId, "muterId", rpc)
    try Arguments.notEmpty(muteeId, "muteeId", rpc)
    let response = try await deleteMute(DeleteMuteRequest(muterId: muterId, muteeId: muteeId))
    try Arguments.confirm(response.success, response.message, rpc)
  }

  /// Whether one user has muted another.
  ///
  /// - Throws: ``APIError``.
  public func isMuted(muterId: String, muteeId: String) async throws -> Bool {
    try Arguments.notEmpty(muterId, "muterId", GraphRPC.isMuted.descriptor)
    try Arguments.notEmpty(muteeId, "muteeId", GraphRPC.isMuted.descriptor)
    return try await isMuted(IsMutedRequest(muterId: muterId, muteeId: muteeId)).isMuted
  }
}
