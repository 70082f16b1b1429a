public import NovaCore

/// An HTTP server on a loopback port that injects faults, and counts requests and executions.
///
/// Each request takes the next step of a list. After the last step, requests succeed (or the last step repeats). A
/// fault that occurs before anything is read applies to the next connection.
///
/// ```swift
/// let server = try FaultServer([.fault(.serviceUnavailable), .fault(.resetBeforeHeaders)])
/// defer { server.stop() }
/// let share = try await client(server.url).call(SocialRPC.createShare, request)  // the third attempt succeeds
/// #expect(server.requestCount == 3)
/// #expect(server.executions(of: "/api/v1/social/share") == 2)  // executed twice: the reset came after the execution
/// ```
///
/// With a `MockBackend` as the handler, you can also inspect the backend's state. The backend recognizes a repeated
/// `Idempotency-Key`; remove the header to prevent that:
///
/// ```swift
/// let server = try FaultServer(steps) { request in
///   var request = request
///   request.headers["Idempotency-Key"] = nil
///   return backend.respond(to: request)
/// }
/// ```
///
/// It supports HTTP/1.1 without TLS; request bodies require a Content-Length. Every connection has a thread, which ends
/// when the client disconnects or you call ``stop()``. Releasing the server also stops it.
public final class FaultServer: Sendable {
  /// Responds to a request without faults. Called for one request at a time.
  public typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  /// 200 with `{}`, which means default values for every field.
  public static let emptyObject: Handler = { _ in .json(200, "{}") }

  /// The behavior after the last step.
  public enum Ending: Sendable {
    /// Every request succeeds.
    case healthy
    /// The last step repeats.
    case lastRepeats
  }

  let script: FaultScript
  private let server: RawServer
  private let other: RawServer

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - steps: the steps for requests, in order. Default: none.
  ///   - ending: the behavior after the last step. Default: ``Ending/healthy``.
  ///   - recognizesIdempotencyKeys: whether a request with a repeated path and `Idempotency-Key` is not executed again,
  ///     but gets the first successful response with `Idempotency-Replayed: true`. Default: false.
  ///   - clock: the clock for dates in `Retry-After`. Default: the system's.
  ///   - handler: executes requests. Default: 200 with an empty JSON object.
  /// - Throws: an error if no port is available, or ``Fault/refuse`` is not the first step.
  public init(
    _ steps: [Step] = [], then ending: Ending = .healthy, recognizesIdempotencyKeys: Bool = false,
    clock: any CallClock = ContinuousClock(),
    handler: @escaping Handler = FaultServer.emptyObject
  ) throws {
    let script = FaultScript(
      steps, repeatsLast: ending == .lastRepeats, clock: clock,
      ledger: ExecutionLedger(recognizesKeys: recognizesIdempotencyKeys, handler))
    guard !script.steps.dropFirst().contains(where: \.refuses) else {
      throw RawServerError("invalid steps: \(Fault.refuse) must be the first step")
    }
    self.script = script
    server = try RawServer(listens: false) { try script.serve($0) }
    other = try RawServer { try script.serveOtherOrigin($0) }
    script.start(origin: server.url(""), otherOrigin: other.url(""))
    if steps.first?.refuses != true { try server.listen() }
  }

  deinit { stop() }

  /// Closes every connection, and returns when every thread has ended. Calling it again has no effect.
  public func stop() {
    server.stop()
    other.stop()
  }

  /// Ends ``Fault/refuse``: the port accepts connections from now on, and the next request takes the next step.
  public func beginListening() throws {
    if script.endRefusal() { try server.listen() }
  }

  /// The origin, such as `http://127.0.0.1:40001`; https where the first step needs it (``Fault/needsTLS``).
  public var url: String {
    script.steps.first?.needsTLS == true ? "https://127.0.0.1:\(server.port)" : server.url("")
  }

  /// The port on 127.0.0.1.
  public var port: Int { server.port }

  /// The target origin of ``Fault/redirectToOtherOrigin307`` and similar faults. It has no faults.
  public var otherOrigin: String { other.url("") }

  /// The number of accepted connections, except to ``otherOrigin``.
  public var connectionCount: Int { server.connectionCount }
  /// The number of complete requests including redirected ones, except to ``otherOrigin``.
  public var requestCount: Int { requests.count }
  /// The requests in order. Their URL is the path and query of the request line.
  public var requests: [HTTPRequest] { server.requests.map(HTTPRequest.init) }
  /// The requests to ``otherOrigin``: check here for headers that must not leave the first origin.
  public var otherOriginRequests: [HTTPRequest] { other.requests.map(HTTPRequest.init) }
  /// The number of steps taken.
  public var stepsTaken: Int { script.stepsTaken }

  /// The executed requests, in the order of their first execution, whatever the response was. A handler that returns an
  /// error, or `Idempotency-Replayed: true`, has not executed the request.
  public var executions: [Execution] { script.ledger.executions }
  /// The requests executed more than once with one key; empty if no write was repeated.
  public var duplicateExecutions: [Execution] { executions.filter { $0.idempotencyKey != nil && $0.count > 1 } }

  /// Returns the number of executions of requests to a path, ignoring queries.
  public func executions(of path: String) -> Int {
    executions.reduce(0) { $0 + ($1.path == path ? $1.count : 0) }
  }

  /// Waits until a number of connections have been accepted since the start, or the server stops.
  public func waitForConnections(_ count: Int) async { await server.waitForConnections(count) }

  /// Waits until a number of complete requests have arrived since the start, or the server stops.
  public func waitForRequests(_ count: Int) async { await server.waitForRequests(count) }

  /// Waits until no connection is open.
  public func waitUntilIdle() async {
    await server.waitUntilIdle()
    await other.waitUntilIdle()
  }
}

/// Runs `body` with a server, and stops the server afterwards.
public func withFaultServer<Result>(
  _ steps: [FaultServer.Step] = [], then ending: FaultServer.Ending = .healthy,
  recognizesIdempotencyKeys: Bool = false, handler: @escaping FaultServer.Handler = FaultServer.emptyObject,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (FaultServer) async throws -> sending Result
) async throws -> sending Result {
  let server = try FaultServer(
    steps, then: ending, recognizesIdempotencyKeys: recognizesIdempotencyKeys, handler: handler)
  defer { server.stop() }
  return try await body(server)
}
