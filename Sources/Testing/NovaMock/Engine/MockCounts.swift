/// The number of users, posts, and so on in a ``MockBackend``.
public struct MockCounts: Sendable, Hashable {
  /// The number of profiles. Users who were only mentioned have none.
  public let users: Int
  public let follows: Int
  public let posts: Int
  public let likes: Int
  public let comments: Int
  public let bookmarks: Int
  public let shares: Int
  public let uploads: Int
  public let videos: Int
  public let reels: Int
  /// The number of captures.
  public let somethings: Int
  public let announcements: Int
  /// The number of analytics events that were ever recorded.
  public let analyticsEvents: Int
  /// The number of users who can log in.
  public let accounts: Int

  /// The counts by name, in the order of the documentation.
  var members: [(name: String, count: Int)] {
    [
      ("users", users), ("follows", follows), ("posts", posts), ("likes", likes), ("comments", comments),
      ("bookmarks", bookmarks), ("shares", shares), ("uploads", uploads), ("videos", videos), ("reels", reels),
      ("somethings", somethings), ("announcements", announcements), ("analytics_events", analyticsEvents),
      ("accounts", accounts),
    ]
  }
}

extension MockCounts {
  init(_ state: MockState) {
    self.init(
      users: state.users.profiles.count, follows: state.graph.followCount, posts: state.content.postCount,
      likes: state.social.likes.count, comments: state.social.comments.count, bookmarks: state.content.bookmarkCount,
      shares: state.social.shares.count, uploads: state.media.uploadCount, videos: state.media.videos.count,
      reels: state.media.reels.count, somethings: state.capture.count, announcements: state.announcements.count,
      analyticsEvents: state.analytics.count, accounts: state.auth.accountCount)
  }
}
