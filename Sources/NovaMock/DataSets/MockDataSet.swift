/// What a ``MockBackend`` holds at first.
public struct MockDataSet: Sendable {
  let makeState: @Sendable (_ seed: UInt64) -> MockState

  func makeState(seed: UInt64) -> MockState { makeState(seed) }

  /// Nothing at all; users appear when they are mentioned.
  public static let empty = MockDataSet { _ in MockState() }

  /// The integration guide's sample profile, `mock-user-id` (bruce_li) with 3,021 followers, 1,500 following and 245
  /// posts, among 4,000 other users who follow one another, and what they write, like, comment on, share and bookmark.
  public static let guide = MockDataSet { GuideDataSet(seed: $0).state() }
}
