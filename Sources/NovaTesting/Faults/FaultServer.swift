public import NovaCore

/// An HTTP server on a loopback port that misbehaves on command, and counts what reached it and what it did.
///
/// It goes through a list of steps: each request takes the next, and when none is left all is well (or the last one
/// repeats). A fault that strikes before anything is read is taken by the next connection already.
///
/// ```swift
/// let server = try FaultServer([.fault(.serviceUnavailable), .fault(.resetBeforeHeaders)])
/// defer { server.stop() }
/// let share = try await client(server.url).call(SocialRPC.createShare, request)  // the third attempt succeeds
/// #expect(server.requestCount == 3)
/// #expect(server.executions(of: "/api/v1/social/share") == 2)  // done twice: the reset came after the work
/// ```
///
/// Put a `MockBackend` behind it, and what the server does can be read from the backend's state as well. The backend knows
/// a repeated `Idempotency-Key` by itself; take the header away where the server should not:
///
/// ```swift
/// let server = try FaultServer(steps) { request in
///   var request = request
///   request.headers["Idempotency-Key"] = nil
///   return backend.respond(to: request)
/// }
/// ```
///
/// It speaks HTTP/1.1 without TLS; request bodies need a Content-Length. Every connection has a thread, which ends when
/// the client goes away, or with ``stop()``; that also happens when the server is let go of.
public final class FaultServer: Sendable {
  /// Answers a request as the server would if all were well. Called for one request at a time.
  public typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  /// 200 with `{}`: every field of the response is at its default.
  public static let emptyObject: Handler = { _ in .json(200, "{}") }

  /// What comes when no step is left.
  public enum Ending: Sendable {
    /// Every request is answered as it should be.
    case healthy
    /// The last step, again and again.
    case lastRepeats
  }

  let script: FaultScript
  private let server: RawServer
  private let other: RawServer

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - steps: what the requests get, in order. Default: none, the server is well.
  ///   - ending: what comes after them. Default ``Ending/healthy``.
  ///   - recognisesIdempotencyKeys: whether a request whose path and `Idempotency-Key` came before is not done again:
  ///     its first successful answer is sent, with `Idempotency-Replayed: true`. Default `false`.
  ///   - clock: says the time of day, for dates in `Retry-After`. Default: the system's.
  ///   - handler: what the server does. Default: 200 with an empty JSON object.
  /// - Throws: an error that says which system call failed when no port can be had, or when ``Fault/refuse`` is not the
  ///   first step.
  public init(
    _ steps: [Step] = [], then ending: Ending = .healthy, recognisesIdempotencyKeys: Bool = false,
    clock: any CallClock = ContinuousClock(),
    handler: @escaping Handler = FaultServer.emptyObject
  ) throws {
    let script = FaultScript(
      steps, repeatsLast: ending == .lastRepeats, clock: clock,
      ledger: ExecutionLedger(recognisesKeys: recognisesIdempotencyKeys, handler))
    guard !script.steps.dropFirst().contains(where: \.refuses) else {
      throw RawServerError("a port refuses connections before it listens: \(Fault.refuse) must be the first step")
    }
    self.script = script
    server = try RawServer(listens: false) { try script.serve($0) }
    other = try RawServer { try script.serveNeighbour($0) }
    script.start(origin: server.url(""), otherOrigin: other.url(""))
    if steps.first?.refuses != true { try server.listen() }
  }

  deinit { stop() }

  /// Cuts every connection and returns when every thread has ended. Calling it again does nothing.
  public func stop() {
    server.stop()
    other.stop()
  }

  /// Ends ``Fault/refuse``: from now on the port accepts connections, and the next step is the next request's.
  public func beginListening() throws {
    if script.endRefusal() { try server.listen() }
  }

  /// The origin, such as `http://127.0.0.1:40001`; https where the first step needs it (``Fault/needsTLS``).
  public var url: String {
    script.steps.first?.needsTLS == true ? "https://127.0.0.1:\(server.port)" : server.url("")
  }

  /// The port on 127.0.0.1.
  public var port: Int { server.port }

  /// The origin to which ``Fault/redirectToOtherOrigin307`` and its like send clients. It is always well.
  public var otherOrigin: String { other.url("") }

  /// How many connections were accepted, those to ``otherOrigin`` not counted.
  public var connectionCount: Int { server.connectionCount }
  /// How many complete requests came, redirected ones included but for those to ``otherOrigin``.
  public var requestCount: Int { requests.count }
  /// Those requests in order. Their URL is what stood on the request line: path and query.
  public var requests: [HTTPRequest] { server.requests.map(HTTPRequest.init) }
  /// The requests that came to ``otherOrigin``: look here for headers that should have stayed at home.
  public var otherOriginRequests: [HTTPRequest] { other.requests.map(HTTPRequest.init) }
  /// How many steps have been taken.
  public var stepsTaken: Int { script.stepsTaken }

  /// What the server did, in the order in which it was first done; whatever the client was told then. What its handler
  /// answers with no success, or with `Idempotency-Replayed: true`, was not done.
  public var executions: [Execution] { script.ledger.executions }
  /// What it did more than once under one key: empty if no write was done twice.
  public var duplicateExecutions: [Execution] { executions.filter { $0.idempotencyKey != nil && $0.count > 1 } }

  /// How often the server did what requests to this path ask for, regardless of their query.
  public func executions(of path: String) -> Int {
    executions.reduce(0) { $0 + ($1.path == path ? $1.count : 0) }
  }

  /// Returns once so many connections have been accepted since the start, or when the server stops.
  public func waitForConnections(_ count: Int) async { await server.waitForConnections(count) }

  /// Returns once so many complete requests have come since the start, or when the server stops.
  public func waitForRequests(_ count: Int) async { await server.waitForRequests(count) }

  /// Returns once no connection is open.
  public func waitUntilIdle() async {
    await server.waitUntilIdle()
    await other.waitUntilIdle()
  }
}

/// Runs `body` with a server, and stops the server whatever happens.
public func withFaultServer<Result>(
  _ steps: [FaultServer.Step] = [], then ending: FaultServer.Ending = .healthy,
  recognisesIdempotencyKeys: Bool = false, handler: @escaping FaultServer.Handler = FaultServer.emptyObject,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (FaultServer) async throws -> sending Result
) async throws -> sending Result {
  let server = try FaultServer(
    steps, then: ending, recognisesIdempotencyKeys: recognisesIdempotencyKeys, handler: handler)
  defer { server.stop() }
  return try await body(server)
}
