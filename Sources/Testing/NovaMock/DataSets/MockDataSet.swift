import NovaCore

/// The initial contents of a ``MockBackend``.
///
/// NovaMockWorlds provides generated networks of any size.
public struct MockDataSet: Sendable {
  /// The name in state files.
  package let name: String
  fileprivate let state: @Sendable (_ seed: UInt64) -> MockState

  func makeState(seed: UInt64) -> MockState { state(seed) }

  /// No data. Users exist as soon as a request mentions them.
  public static let empty = MockDataSet(name: "empty") { _ in MockState() }

  /// The integration guide's sample profile, `mock-user-id` (bruce_li) with 3,021 followers, 1,500 following and 245
  /// posts, among 4,000 other users who follow one another, with their posts, likes, comments, shares, and bookmarks.
  public static let guide = MockDataSet(name: "guide", state: guideState)

  /// The last state that was made of the guide's data: backends share it until they change it, so that the second backend
  /// with the same seed costs next to nothing.
  private static let lastGuideState = Locked<(seed: UInt64, state: MockState)?>(nil)

  @Sendable private static func guideState(seed: UInt64) -> MockState {
    lastGuideState.withLock { last in
      if let last, last.seed == seed { return last.state }
      let state = GuideDataSet(seed: seed).state()
      last = (seed, state)
      return state
    }
  }
}

extension MockDataSet {
  /// Creates a data set in another module.
  ///
  /// - Parameters:
  ///   - name: the name in state files. Different contents need different names.
  ///   - contents: builds the contents from the backend's seed, the same for the same seed.
  package init(name: String, contents: @escaping @Sendable (_ seed: UInt64) -> MockContents) {
    self.init(name: name) { contents($0).state }
  }
}
