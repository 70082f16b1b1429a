/// What a ``MockBackend`` holds at first.
public struct MockDataSet: Sendable {
  /// What it is called where somebody reads it, for example in a file with a state.
  package let name: String
  let makeState: @Sendable (_ seed: UInt64) -> MockState

  func makeState(seed: UInt64) -> MockState { makeState(seed) }

  /// Nothing at all; users appear when they are mentioned.
  public static let empty = MockDataSet(name: "empty") { _ in MockState() }

  /// The integration guide's sample profile, `mock-user-id` (bruce_li) with 3,021 followers, 1,500 following and 245
  /// posts, among 4,000 other users who follow one another, and what they write, like, comment on, share and bookmark.
  public static let guide = MockDataSet(name: "guide") { GuideDataSet(seed: $0).state() }

  /// As many users, follows, posts, likes and comments as you like, for load and for tests of long lists.
  ///
  /// The users are `user-1`, `user-2` and so on. The lower the number, the more popular: few have very many followers
  /// and likes, and most have few. `user-1` of 100,000 users with 50 follows each has about 66,000 followers. Nothing
  /// is written twice: each user follows exactly `followsPerUser` others and writes exactly `postsPerUser` posts;
  /// likes and comments are exact in sum over all posts, but for likes that would be a repeat.
  ///
  /// ```swift
  /// let backend = MockBackend(seed: 7, dataSet: .random(users: 100_000, followsPerUser: 50))
  /// ```
  ///
  /// - Parameters:
  ///   - users: how many users.
  ///   - followsPerUser: how many others each follows; at most all of them.
  ///   - postsPerUser: how many posts each writes, over the year 2024.
  ///   - likesPerPost: how many likes a post has on average.
  ///   - commentsPerPost: how many comments a post has on average.
  public static func random(
    users: Int = 1_000, followsPerUser: Int = 20, postsPerUser: Int = 5, likesPerPost: Int = 10,
    commentsPerPost: Int = 2
  ) -> MockDataSet {
    let sizes = [users, followsPerUser, postsPerUser, likesPerPost, commentsPerPost].map(String.init)
    return MockDataSet(name: "random(\(sizes.joined(separator: ",")))") { seed in
      var builder = RandomDataSet(
        seed: seed, users: users, followsPerUser: followsPerUser, postsPerUser: postsPerUser,
        likesPerPost: likesPerPost, commentsPerPost: commentsPerPost)
      return builder.state()
    }
  }
}
