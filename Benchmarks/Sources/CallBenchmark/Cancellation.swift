import NovaAuth
import NovaCore
import NovaGraph
import NovaTesting

/// The time from `cancel()` to the end of a call that waits.
enum Cancellation {
  private static let times = 200

  static func measure() async throws {
    let server = try FaultServer([.fault(.hangBeforeHeaders)], then: .lastRepeats)
    defer { server.stop() }
    let hanging = APIClient(configuration: try Samples.configuration(server.url), transport: CurlTransport())
    try await measure("a server that hangs", hanging) { number in await server.waitForRequests(number) }
    await hanging.shutdown()

    let busy = SignallingTransport()
    let configuration = try Samples.configuration("https://api.example")
    let backoff = APIClient(configuration: configuration, transport: busy) {
      $0.resilience = Resilience(retry: .standard(attempts: 3), budget: nil, breaker: nil)
    }
    try await measure("its second attempt", backoff) { number in await busy.wait(for: number) }

    let silent = SilentTokens()
    let refreshing = APIClient(configuration: configuration, transport: InstantTransport(), tokens: silent)
    try await measure("a token refresh that does not end", refreshing) { number in await silent.asked.wait(for: number)
    }
  }

  /// - Parameter isWaiting: returns when the call of this number, counted from 1, has come to where it waits.
  private static func measure(
    _ name: String, _ client: APIClient, isWaiting: (Int) async -> Void
  ) async throws {
    let clock = ContinuousClock()
    var times: [Double] = []
    for number in 1...Self.times {
      let task = Task { () -> ContinuousClock.Instant in
        do { _ = try await client.call(GraphRPC.getFollowers, Samples.request) } catch APIError.cancelled {}
        return clock.now
      }
      await isWaiting(number)
      // It is there, or just about to be: some time for the rest of the way.
      try await Task.sleep(for: .milliseconds(2))
      let start = clock.now
      task.cancel()
      times.append(start.duration(to: try await task.value) / .milliseconds(1))
    }
    report("cancellation", name: name, ["ms": times.median, "worst_ms": times.max() ?? 0])
  }
}

/// How often something happened, for those who wait for it.
final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func fire() { continuation.yield() }

  /// Waits for the next time; `number` is for the reader.
  func wait(for number: Int) async { for await _ in stream { return } }
}

/// Always 503 with a long `Retry-After`.
private struct SignallingTransport: HTTPTransport {
  private let signal = Signal()

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    signal.fire()
    return HTTPResponse(status: 503, headers: ["Retry-After": "20"])
  }

  func wait(for number: Int) async { await signal.wait(for: number) }
}

/// A refresh that never ends, and does not listen to cancellation either.
private struct SilentTokens: TokenProvider {
  let asked = Signal()

  func accessToken() async throws -> AccessToken? {
    asked.fire()
    return await Task.detached { () -> AccessToken? in
      try? await Task.sleep(for: .seconds(30))
      return nil
    }.value
  }
}
