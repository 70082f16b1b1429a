import NovaCore

extension GraphServiceProtocol {
  /// Mutes a user for another; succeeds if that is so already.
  ///
  /// - Throws: ``APIError``.
  public func muteUser(muterId: String, muteeId: String) async throws {
    try await confirmed(GraphRPC.createMute, CreateMuteRequest(muterId: muterId, muteeId: muteeId), by: createMute(_:))
  }

  /// Ends a mute; succeeds if there is none.
  ///
  /// - Throws: ``APIError``.
  public func unmuteUser(muterId: String, muteeId: String) async throws {
    try await confirmed(GraphRPC.deleteMute, DeleteMuteRequest(muterId: muterId, muteeId: muteeId), by: deleteMute(_:))
  }

  /// Whether one user has muted another.
  ///
  /// - Throws: ``APIError``.
  public func isMuted(muterId: String, muteeId: String) async throws -> Bool {
    try await isMuted(IsMutedRequest(muterId: muterId, muteeId: muteeId)).isMuted
  }
}
