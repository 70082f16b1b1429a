/// Every call of one or more fakes, in the order in which they came.
public final class FakeLog: Sendable {
  private struct Entry: Sendable {
    let source: Int
    let call: FakeCall
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    var unscripted: [String] = []
    var sources = 0

    func calls(of source: Int?) -> [FakeCall] {
      entries.filter { source == nil || $0.source == source }.map(\.call)
    }
  }

  private let state = Watched(State())

  /// Creates a log; give it to several fakes to see their calls in one order.
  public init() {}

  /// Every call so far, in order.
  public var calls: [FakeCall] { calls(of: nil) }

  /// Returns once at least `count` calls have come, and gives them.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  @discardableResult
  public func waitForCalls(_ count: Int = 1) async throws -> [FakeCall] {
    try await wait(for: count, of: nil)
    return calls
  }

  /// Fails if a call came that nothing was scripted for.
  public func verify() throws(UnmetExpectations) {
    if let unmet = UnmetExpectations(unexpected: state.value.unscripted, unused: []) { throw unmet }
  }

  // MARK: For the RPCs of fakes

  func newSource() -> Int {
    state.change { state in
      state.sources += 1
      return state.sources
    }
  }

  func calls(of source: Int?) -> [FakeCall] { state.value.calls(of: source) }

  func wait(for count: Int, of source: Int?) async throws {
    try await state.wait { $0.calls(of: source).count >= count }
  }

  /// Records a call. What comes of it is chosen under the same lock, so that the n-th call gets the n-th outcome; nil
  /// counts as unscripted.
  func record<Outcome: Sendable>(_ call: FakeCall, of source: Int, _ choose: () -> Outcome?) -> Outcome? {
    state.change { state in
      state.entries.append(Entry(source: source, call: call))
      let outcome = choose()
      if outcome == nil { state.unscripted.append("no script for \(call)") }
      return outcome
    }
  }
}
