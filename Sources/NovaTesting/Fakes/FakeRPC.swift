public import NovaCore

/// One RPC of a fake: what it answers, and what it was asked.
///
/// ```swift
/// graph.getFollowers.returns(GetFollowersResponse(userIds: ["ann"], totalCount: 1))
/// graph.isFollowing.runs { request in IsFollowingResponse(isFollowing: request.followerId == "ann") }
/// graph.createFollow.fails(APIError(.permissionDenied, "blocked"))
/// ```
///
/// Until it is told what to answer, a call fails. The last thing it was told is what counts.
public final class FakeRPC<Request: Sendable, Response: Sendable>: Sendable {
  /// What comes of a call.
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

  /// Creates an RPC without a script. The generated fakes have one for each of theirs; your own fakes can, too.
  ///
  /// - Parameters:
  ///   - id: what the RPC is called in the log and in errors: `graph.GetFollowers`.
  ///   - log: where calls are recorded.
  public init(_ id: String, log: FakeLog) {
    self.id = id
    self.log = log
    source = log.newSource()
  }

  // MARK: What it answers

  /// Answers every call from now on.
  public func returns(_ response: Response) { plays([], then: .returns(response)) }

  /// Fails every call from now on. Where the error names no RPC, it gets this one.
  public func fails(_ error: APIError) { plays([], then: .fails(error)) }

  /// Lets the closure answer every call from now on; it may wait.
  public func runs(_ answer: @escaping @Sendable (Request) async throws -> Response) { plays([], then: .runs(answer)) }

  /// Gives the calls from now on these outcomes, in their order.
  ///
  /// - Parameters:
  ///   - outcomes: one for each call.
  ///   - rest: what every later call gets. Default: it fails as unscripted.
  public func plays(_ outcomes: [Outcome], then rest: Outcome? = nil) {
    script.withLock { $0 = Script(outcomes: outcomes[...], rest: rest, count: outcomes.count) }
  }

  // MARK: What it was asked

  /// The requests so far, in order.
  public var requests: [Request] { log.calls(of: source).compactMap { $0.request as? Request } }

  /// Returns once this RPC was called at least `count` times, and gives the requests. A call counts when it comes, not
  /// when it is answered.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  @discardableResult
  public func waitForCalls(_ count: Int = 1) async throws -> [Request] {
    try await log.wait(for: count, of: source)
    return requests
  }

  /// Records a call and gives what was scripted for it.
  ///
  /// - Throws: ``APIError``: the scripted one, `cancelled` when the task is cancelled, `unimplemented` where there is no
  ///   script; what else a closure throws.
  public func answer(_ request: Request) async throws -> Response {
    let outcome = log.record(FakeCall(rpc: id, request: request), of: source) { next() }
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
    let what = count == 0 ? "the fake was not told what to answer" : "all \(count) scripted outcomes are used up"
    return APIError(
      .unimplemented,
      "\(what): call \(property).returns(…), .fails(…), .runs { … } or .plays([…], then: …) on the fake before this call",
      rpc: id)
  }
}
