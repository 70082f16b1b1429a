import NovaCore
import NovaTestSupport
import NovaTesting
import NovaWebSocket
import Testing

#if !WebSocket
  #error("These tests need WebSocket connections: run `make test`, or `Tools/swift test`.")
#endif

/// Limits without pings, which would disturb tests, and with enough time for handshakes under the thread sanitizer,
/// where the connections of all tests share two threads.
let quiet = WebSocketLimits(handshakeTimeout: .seconds(120), pingInterval: nil)

extension WebSocketLimits {
  /// `quiet` limits with limited message sizes.
  static func quiet(maximumFrameBytes: Int, maximumMessageBytes: Int) -> WebSocketLimits {
    var limits = NovaWebSocketTests.quiet
    limits.maximumFrameBytes = maximumFrameBytes
    limits.maximumMessageBytes = maximumMessageBytes
    return limits
  }
}

func connect(
  to server: RawServer, headers: HTTPHeaders = [:], subprotocols: [String] = [], limits: WebSocketLimits = quiet,
  clock: any CallClock = ContinuousClock()
) async throws -> WebSocketConnection {
  try await .connect(
    to: HTTPURL(parsing: server.url()), headers: headers, subprotocols: subprotocols, limits: limits, clock: clock)
}

extension WebSocketConnection {
  /// All messages until the end.
  func receiveAll() async throws -> [WebSocketMessage] {
    var messages: [WebSocketMessage] = []
    while let message = try await receive() { messages.append(message) }
    return messages
  }
}

/// The values that a server's script has recorded.
final class Seen<Value: Sendable>: Sendable {
  private let values = Locked<[Value]>([])

  var all: [Value] { values.withLock { $0 } }

  func add(_ value: Value) { values.withLock { $0.append(value) } }

  func add(_ more: [Value]) { values.withLock { $0 += more } }
}

func transportFailure<Value>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> TransportError? {
  await #expect(throws: TransportError.self, sourceLocation: sourceLocation) { _ = try await body() }
}
