import NovaCache
import NovaCore
import NovaMedia
import NovaTestSupport
import NovaTesting

/// A cache in memory, and a scripted server for it.
final class CacheFixture: Sendable {
  let clock: ManualClock
  let cache: HTTPCache
  let server: RecordingTransport

  init(
    _ options: HTTPCache.Options = .init(), clock: ManualClock = ManualClock(),
    _ script: @escaping RecordingTransport.Script
  ) {
    self.clock = clock
    cache = HTTPCache(options, clock: clock)
    server = RecordingTransport(script)
  }

  /// Every request gets a 200 with these fields, and its number as the body.
  convenience init(
    _ options: HTTPCache.Options = .init(), clock: ManualClock = ManualClock(), headers: HTTPHeaders
  ) {
    self.init(options, clock: clock) { number, _ in
      HTTPResponse(status: 200, headers: headers, body: Array("\(number)".utf8))
    }
  }

  var requestCount: Int { server.requests.count }

  /// Sends a request through the middleware.
  ///
  /// - Parameter token: the caller's token.
  func send(
    _ path: String = "/a", method: HTTPMethod = .get, headers: HTTPHeaders = [:], token: String? = nil,
    streams: Bool = false
  ) async throws -> HTTPResponse {
    var request = HTTPRequest(method: method, url: try HTTPURL(parsing: "http://localhost\(path)"), headers: headers)
    if let token { request.headers["Authorization"] = "Bearer \(token)" }
    request.streamsResponse = streams
    let context = CallContext(rpc: MediaRPC.getUpload.descriptor, requestID: "test")
    let server = server
    return try await CacheMiddleware(cache).intercept(request, context) {
      try await server.send($0)
    }
  }

  /// Sends a request, and returns the body and `Cache-Status`.
  func text(
    _ path: String = "/a", headers: HTTPHeaders = [:], token: String? = nil
  ) async throws -> String {
    let response = try await send(path, headers: headers, token: token)
    let body = String(decoding: try await response.body.collect(upTo: 1 << 24), as: UTF8.self)
    return "\(body) \(response.headers["Cache-Status"] ?? "")"
  }
}

/// Makes tasks wait until a test opens it.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  func open() {
    let waiters = state.withLock { state in
      defer { state = State(isOpen: true) }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { waiter in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(waiter) }
        return state.isOpen
      }
      if isOpen { waiter.resume() }
    }
  }
}
