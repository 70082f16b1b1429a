/// What a ``MockBackend`` holds at first.
///
/// NovaMockWorlds has more: generated networks of any size.
public struct MockDataSet: Sendable {
  /// The name in files with a state.
  package let name: String
  private let state: @Sendable (_ seed: UInt64) -> MockState

  private init(name: String, state: @escaping @Sendable (_ seed: UInt64) -> MockState) {
    self.name = name
    self.state = state
  }

  /// A data set of another module.
  ///
  /// - Parameters:
  ///   - name: the name in files with a state. Different contents have different names.
  ///   - contents: builds the contents from the backend's seed, the same for the same seed.
  package init(name: String, contents: @escaping @Sendable (_ seed: UInt64) -> MockContents) {
    self.init(name: name) { contents($0).state }
  }

  func makeState(seed: UInt64) -> MockState { state(seed) }

  /// Nothing at all; users appear when they are mentioned.
  public static let empty = MockDataSet(name: "empty") { _ in MockState() }

  /// The integration guide's sample profile, `mock-user-id` (bruce_li) with 3,021 followers, 1,500 following and 245
  /// posts, among 4,000 other users who follow one another, and what they write, like, comment on, share and bookmark.
  public static let guide = MockDataSet(name: "guide") { GuideDataSet(seed: $0).state() }
}
