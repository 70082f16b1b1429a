import FlyingFox
import NovaCore

/// A request that gets no answer: the connection is closed, at once or when its client has given up.
///
/// FlyingFox has no response that is none. But it asks the handler of a web socket for its frames before it writes the
/// first byte, and closes the connection when that throws.
struct UnansweredRequest: WSHandler {
  /// How long the connection stays open.
  let wait: Duration

  /// The contract allows no transfer to take longer.
  static let longestWait = Duration.seconds(300)

  static func response(wait: Duration) -> FlyingFox.HTTPResponse {
    FlyingFox.HTTPResponse(webSocket: UnansweredRequest(wait: wait))
  }

  func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
    if wait > .zero {
      await withTaskGroup { group in
        group.addTask { try? await Task.sleep(for: wait) }
        // It ends when the client closes the connection, or sends more.
        group.addTask { do { for try await _ in client {} } catch {} }
        await group.next()
        group.cancelAll()
      }
    }
    throw TransportError(.connectionLost, "closed without an answer", requestMayHaveLeft: true)
  }
}
