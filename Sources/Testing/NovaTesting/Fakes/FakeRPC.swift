public import NovaCore

/// One RPC of a fake, with its scripted outcomes and recorded requests.
///
/// ```swift
/// graph.getFollowers.returns(GetFollowersResponse(userIds: ["ann"], totalCount: 1))
/// graph.isFollowing.runs { request in IsFollowingResponse(isFollowing: request.followerId == "ann") }
/// graph.createFollow.fails(APIError(.permissionDenied, "blocked"))
/// ```
///
/// Calls fail until you script an outcome. A new script replaces the previous one.
public final class FakeRPC<Request: Sendable, Response: Sendable>: Sendable {
  /// The outcome of a call.
  public typealias Outcome = FakeOutcome<Request, Response>

  private struct Script {
    var outcomes: ArraySlice<Outcome> = []
    var rest: Outcome?
    var count = 0
  }

  /// The RPC: `graph.GetFollowers`.
  public let id: String
  private let log: FakeLog
  private let source: Int
  private let script = Locked(Script())

  /// Creates an RPC without a script. Generated fakes have one for each RPC; your own fakes can use it, too.
  ///
  /// - Parameters:
  ///   - id: the id of the RPC in the log and in errors: `graph.GetFollowers`.
  ///   - log: the log that records calls.
  public init(_ id: String, log: FakeLog) {
    self.id = id
    self.log = log
    source = log.newSource()
  }

  // MARK: Outcomes

  /// Returns a response to every call from now on.
  public func returns(_ response: Response) { plays([], then: .returns(response)) }

  /// Fails every call from now on. An error without an RPC gets this one.
  public func fails(_ error: APIError) { plays([], then: .fails(error)) }

  /// Responds to every call from now on with a closure, which can wait.
  public func runs(_ answer: @escaping @Sendable (Request) async throws -> Response) { plays([], then: .runs(answer)) }

  /// Uses a sequence of outcomes for the calls from now on.
  ///
  /// - Parameters:
  ///   - outcomes: one outcome for each call, in order.
  ///   - rest: the outcome of every later call. Default: later calls fail as unscripted.
  public func plays(_ outcomes: [Outcome], then rest: Outcome? = nil) {
    script.withLock { $0 = Script(outcomes: outcomes[...], rest: rest, count: outcomes.count) }
  }

  // MARK: Requests

  /// The requests so far, in order.
  public var requests: [Request] { log.calls(of: source).compactMap { $0.request as? Request } }

  /// The options of the calls so far, in the order of ``requests``.
  ///
  /// ```swift
  /// #expect(graph.getFollowers.options.map(\.timeout) == [.seconds(2)])
  /// ```
  public var options: [CallOptions] { log.calls(of: source).map(\.options) }

  /// Waits until this RPC was called at least `count` times, and returns the requests. A call counts when it arrives,
  /// not when it completes.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  @discardableResult
  public func waitForCalls(_ count: Int = 1) async throws -> [Request] {
    try await log.wait(for: count, of: source)
    return requests
  }

  /// Records a call, and returns its scripted response.
  ///
  /// - Parameter options: the options of the call. Default: none are set.
  /// - Throws: ``APIError``: the scripted one, `cancelled` if the task is cancelled, `unimplemented` without a script;
  ///   any other error of a closure.
  public func answer(_ request: Request, options: CallOptions = CallOptions()) async throws -> Response {
    let outcome = log.record(FakeCall(rpc: id, request: request, options: options), of: source) { next() }
    guard let outcome else { throw unscripted }
    do {
      try Task.checkCancellation()
      return try await outcome.run(request)
    } catch var error as APIError where error.rpc == nil {
      error.rpc = id
      throw error
    } catch is CancellationError {
      // As a client reports it.
      throw APIError(.cancelled, "the call was cancelled", rpc: id)
    }
  }

  private func next() -> Outcome? {
    script.withLock { script in script.outcomes.popFirst() ?? script.rest }
  }

  private var unscripted: APIError {
    let count = script.withLock { $0.count }
    let name = id.drop { $0 != "." }.dropFirst()
    let property = "\(name.prefix(1).lowercased())\(name.dropFirst())"
    let what = count == 0 ? "no outcome is scripted" : "all \(count) scripted outcomes are used"
    return APIError(
      .unimplemented,
      "\(what): call \(property).returns(…), .fails(…), .runs { … } or .plays([…], then: …) on the fake before this call",
      rpc: id)
  }
}

/// The outcome of one call to a fake.
public struct FakeOutcome<Request: Sendable, Response: Sendable>: Sendable {
  let run: @Sendable (Request) async throws -> Response

  /// Returns a response.
  public static func returns(_ response: Response) -> FakeOutcome { FakeOutcome { _ in response } }

  /// Throws an error. An error without an RPC gets that of the call.
  public static func fails(_ error: APIError) -> FakeOutcome { FakeOutcome { _ in throw error } }

  /// Runs a closure, which can wait.
  public static func runs(_ answer: @escaping @Sendable (Request) async throws -> Response) -> FakeOutcome {
    FakeOutcome(run: answer)
  }

  /// Returns the outcome delayed until a gate opens.
  ///
  /// ```swift
  /// users.getUserProfile.plays([.returns(slow).after(gate), .returns(fast)])
  /// ```
  public func after(_ gate: FakeGate) -> FakeOutcome {
    FakeOutcome { request in
      try await gate.pass()
      return try await run(request)
    }
  }
}

/// Blocks calls to fakes until you open it, so that a test controls the order of responses.
///
/// ```swift
/// let gate = FakeGate()
/// users.getUserProfile.plays([.returns(first).after(gate), .returns(second)])
/// // … two loads …
/// gate.open()  // the first response arrives last
/// ```
public final class FakeGate: Sendable {
  private let isOpen = Watched(false)

  /// Creates a closed gate.
  public init() {}

  /// Opens the gate for current and later callers.
  public func open() { isOpen.change { $0 = true } }

  /// Returns once the gate is open.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  public func pass() async throws { try await isOpen.wait { $0 } }
}
