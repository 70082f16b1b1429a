public import NovaCore

/// The calls of one or more fakes, in order.
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

  /// Creates a log. Pass it to several fakes to record their calls in one order.
  public init() {}

  /// All calls so far, in order.
  public var calls: [FakeCall] { calls(of: nil) }

  /// Waits until at least `count` calls have arrived, and returns them.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  @discardableResult
  public func waitForCalls(_ count: Int = 1) async throws -> [FakeCall] {
    try await wait(for: count, of: nil)
    return calls
  }

  /// Throws if a call had no script.
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

  /// Records a call, and chooses its outcome under the same lock, so that the n-th call gets the n-th outcome; nil
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

/// A call that a fake recorded.
public struct FakeCall: Sendable, CustomStringConvertible, CustomReflectable {
  /// The RPC: `graph.GetFollowers`.
  public let rpc: String
  /// The request message.
  public let request: any Sendable
  /// The options of the call: those of the service value that made it, changed with `with { … }`.
  public let options: CallOptions

  /// The RPC and the request as JSON, its secrets masked.
  public var description: String { "\(rpc) \(requestText)" }
  public var customMirror: Mirror { Mirror(self, children: ["rpc": rpc, "request": requestText]) }

  private var requestText: String {
    guard let message = request as? any ProtoMessage, let body = try? message.jsonUTF8() else {
      return "\(type(of: request))"
    }
    return LoggedBody(type(of: message), limit: 1000).text(body) ?? ""
  }
}
