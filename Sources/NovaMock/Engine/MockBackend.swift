public import NovaCore
import NovaRegistry

/// The NovaSocial backend in memory: an HTTP request in, the gateway's answer out.
///
/// It holds real state and enforces the contract's rules: a follow is there afterwards, following across a block is
/// refused. Everything is deterministic: the same seed, times and requests give the same answers. An RPC it has no
/// behaviour for is answered with 501 and says so.
///
/// No call needs a token, but one that comes must be good: this backend's own, neither expired nor revoked.
///
/// ```swift
/// let backend = MockBackend()
/// let client = APIClient(configuration: configuration, transport: MockTransport(backend))
/// ```
///
/// Backends share nothing with one another, so each test can have its own. One may be used from any number of tasks;
/// requests are answered one at a time.
public final class MockBackend: Sendable {
  private let state: Locked<MockState>
  private let now: @Sendable () -> Int64

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - seed: decides everything that is random in the data set. Default 1.
  ///   - dataSet: what is there at first. Default ``MockDataSet/guide``.
  ///   - now: the time of what is written and of tokens, in Unix seconds. Default: the system's.
  public init(
    seed: UInt64 = 1, dataSet: MockDataSet = .guide, now: @escaping @Sendable () -> Int64 = { SystemTime.seconds }
  ) {
    var state = dataSet.makeState(seed: seed)
    state.auth.key = SigningKey(seed: seed)
    self.state = Locked(state)
    self.now = now
  }

  /// Answers a request. Only the path and query of its URL count.
  public func respond(to request: HTTPRequest) -> HTTPResponse {
    var response = answer(request)
    if let id = request.headers["X-Request-ID"] { response.headers["X-Request-ID"] = id }
    return response
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    let (path, query) = Self.target(of: request.url)
    if let file = MediaFileRoute(path) { return withState { state in file.answer(request, &state) } }
    switch MockRouter.shared.route(request.method, path) {
    case .unknownPath: return MockFailure(.notFound, "no RPC has the path \(path.shortened(to: 100))").response
    case .wrongMethod(let allowed): return MockFailure.wrongMethod(allowed.rawValue)
    case .rpc(let rpc, let variables):
      do {
        let message = try HTTPTranscoder.message(
          rpc.requestType, rpc.http, variables: variables, query: query, body: request.body)
        return try answer(rpc, message, request.headers)
      } catch let error as ProtoJSONError {
        return MockFailure(.invalidArgument, "\(error)").response
      } catch let failure as MockFailure {
        return failure.response
      } catch {
        return MockFailure(.internalError, "\(error)").response
      }
    }
  }

  private func answer(
    _ rpc: RPCDescriptor, _ message: any ProtoMessage, _ headers: HTTPHeaders
  ) throws -> HTTPResponse {
    if let (field, problem) = RequestRules.violation(in: message) {
      throw MockFailure(.invalidArgument, "\(field.name) \(problem)")
    }
    guard let handler = MockHandlers.shared.handler(of: rpc) else {
      throw MockFailure(.unimplemented, "the mock backend has no behaviour for \(rpc.id) yet")
    }
    if rpc.effect != .noSideEffects, let key = headers["Idempotency-Key"] {
      return try answerOnce(rpc, message, headers, key, handler)
    }
    let answer = try withState { state in
      state.caller = try state.caller(headers, of: rpc)
      return try handler(message, &state)
    }
    return try Self.response(answer, rpc)
  }

  /// Performs a call unless it was performed before under its key. Only now is the answer written out while others wait.
  private func answerOnce(
    _ rpc: RPCDescriptor, _ message: any ProtoMessage, _ headers: HTTPHeaders, _ key: String,
    _ handler: MockHandlers.Handler
  ) throws -> HTTPResponse {
    try withState { state in
      state.caller = try state.caller(headers, of: rpc)
      let id = try IdempotencyKeys.ID(caller: state.caller, rpc: rpc.id, key: key)
      if let known = try state.idempotencyKeys.answer(id, message, now: state.now) { return known }
      let response = try Self.response(try handler(message, &state), rpc)
      state.idempotencyKeys.store(response, id, message, now: state.now)
      return response
    }
  }

  private static func response(_ answer: any ProtoMessage, _ rpc: RPCDescriptor) throws -> HTTPResponse {
    let body = try HTTPTranscoder.body(of: answer, rpc.http)
    return HTTPResponse(
      status: rpc.http.successStatus, headers: body.isEmpty ? [:] : ["Content-Type": "application/json"], body: body)
  }

  /// Runs `body` with the state at this moment.
  private func withState<Result>(_ body: (inout MockState) throws -> Result) rethrows -> Result {
    try state.withLock { state in
      state.now = now()
      state.caller = nil
      return try body(&state)
    }
  }

  /// Path and query of a URL, absolute or not.
  private static func target(of url: String) -> (path: String, query: String) {
    var rest = url[...]
    if let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") {
      rest = url[url.index(colon, offsetBy: 3)...]
      rest = rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
    }
    rest = rest.prefix { $0 != "#" }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map(String.init) ?? ""
    return (path.isEmpty ? "/" : path, parts.count > 1 ? String(parts[1]) : "")
  }
}
