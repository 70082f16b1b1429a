import NovaSDK

/// Code under test that needs one service, whichever it is: the real one, or a test's fake.
public struct Invitations: Sendable {
  let graph: any GraphServiceProtocol
  let star: String

  public init(of star: String, on graph: any GraphServiceProtocol) {
    self.graph = graph
    self.star = star
  }

  /// Makes somebody a fan; false when the star has blocked them.
  public func accept(_ fan: String) async throws -> Bool {
    do {
      try await graph.followUser(followerId: fan, followeeId: star)
      return true
    } catch APIError.permissionDenied {
      return false
    }
  }
}
