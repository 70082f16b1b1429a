import NovaSDK

/// A follower in the list.
public struct Follower: Sendable, Equatable {
  public var id: String
  public var username: String
  public var followerCount: Int
}

/// What the tool does, without its command line: takes the services' protocols, so that tests can pass fakes.
public struct Ranking: Sendable {
  private let graph: any GraphServiceProtocol
  private let users: any UserServiceProtocol
  private static let pageSize = 100

  public init(graph: any GraphServiceProtocol, users: any UserServiceProtocol) {
    (self.graph, self.users) = (graph, users)
  }

  public init(_ nova: NovaClient) { self.init(graph: nova.graph, users: nova.users) }

  /// The newest followers of a user, most followed first.
  ///
  /// - Parameters:
  ///   - sample: how many followers to read.
  ///   - progress: called with the number of followers read, and the number of those to read.
  /// - Throws: ``APIError``; `notFound` if the user does not exist.
  public func followers(
    of user: String, sample: Int, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> [Follower] {
    // A gateway answers the lists of unknown users with empty ones.
    _ = try await users.getUserProfile(userId: user)
    var found: [Follower] = []
    var offset = 0
    while offset < sample {
      let page = try await graph.getFollowers(
        GetFollowersRequest(userId: user, limit: min(Self.pageSize, sample - offset), offset: offset))
      for profile in try await users.getUserProfilesByIds(userIds: page.userIds) {
        found.append(Follower(id: profile.id, username: profile.username, followerCount: profile.followerCount))
      }
      offset += page.userIds.count
      progress(offset, min(sample, max(page.totalCount, offset)))
      if page.userIds.isEmpty || !page.hasMore { break }
    }
    // By name where the numbers are equal, so that two runs print the same.
    return found.sorted { ($1.followerCount, $0.username, $0.id) < ($0.followerCount, $1.username, $1.id) }
  }
}
