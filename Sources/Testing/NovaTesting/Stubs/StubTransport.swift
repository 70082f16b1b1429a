public import NovaCore
import NovaRecording

/// A transport that answers from a list of stubs, in order. A request that is not the next one fails, and so does
/// ``verify()`` while stubs are left.
///
/// ```swift
/// let transport = StubTransport([
///   .call(GraphRPC.createFollow, CreateFollowRequest(followerId: "a", followeeId: "b"), status: 503),
///   .call(GraphRPC.createFollow, answer: CreateFollowResponse(success: true)),
/// ])
/// let client = APIClient(configuration: .builtIn, transport: transport) { $0.clock = ManualClock(autoAdvances: true) }
/// try await GraphService(client: client).followUser(followerId: "a", followeeId: "b")
/// try transport.verify()
/// ```
///
/// Every attempt of a call is a request of its own. A request that matches no stub consumes none.
public final class StubTransport: HTTPTransport {
  private struct State {
    var next = 0
    var requests: [HTTPRequest] = []
    var unexpected: [String] = []
  }

  private let stubs: [Stub]
  private let state = Locked(State())

  /// Creates a transport.
  public init(_ stubs: [Stub]) { self.stubs = stubs }

  /// Runs `body` with a transport for the stubs, on the caller's actor, and then calls ``verify()``.
  ///
  /// - Throws: ``UnmetExpectations``, and whatever `body` throws.
  public static func verifying<Result>(
    _ stubs: [Stub], isolation: isolated (any Actor)? = #isolation,
    _ body: (StubTransport) async throws -> Result
  ) async throws -> Result {
    let transport = StubTransport(stubs)
    let result = try await body(transport)
    try transport.verify()
    return result
  }

  /// All requests so far, including unexpected ones.
  public var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// Throws if a request was unexpected, or a stub is unused.
  public func verify() throws(UnmetExpectations) {
    let (unexpected, next) = state.withLock { ($0.unexpected, $0.next) }
    let unused = stubs.indices.dropFirst(next).map { "#\($0 + 1) \(stubs[$0].name)" }
    if let unmet = UnmetExpectations(unexpected: unexpected, unused: unused) { throw unmet }
  }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    var request = request
    request.body = try await request.body.collected(upTo: Recorder.largestBody)
    let next: Result<Stub, TransportError> = state.withLock { state in
      state.requests.append(request)
      if let problem = problem(request, state.next) {
        state.unexpected.append(problem)
        return .failure(TransportError(.unexpectedRequest, problem, requestMayHaveLeft: false))
      }
      state.next += 1
      return .success(stubs[state.next - 1])
    }
    return try await next.get().respond(request)
  }

  private func problem(_ request: HTTPRequest, _ next: Int) -> String? {
    let name = "\(request.method) \(request.url.path)"
    guard next < stubs.count else {
      return "unexpected request \(name): all \(stubs.count) stubs are used"
    }
    let differences = stubs[next].check(request)
    if differences.isEmpty { return nil }
    let lines = differences.prefix(10).map { "  \($0)" }
    return (["unexpected request \(name); the next expected request: #\(next + 1) \(stubs[next].name)"] + lines)
      .joined(separator: "\n")
  }
}
