import CallLoad
import NovaCore
import Synchronization

/// Counts the requests that it passes on to libcurl.
final class CountingTransport: HTTPTransport {
  struct State {
    var count = 0
    var running = 0
    /// When the last response had arrived, on the monotonic clock in nanoseconds.
    var lastEnd = 0
  }

  private let transport = CurlTransport()
  private let counted = Mutex(State())

  var state: State { counted.withLock { $0 } }

  func reset() { counted.withLock { $0 = State() } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    counted.withLock {
      $0.count += 1
      $0.running += 1
    }
    defer {
      counted.withLock {
        $0.running -= 1
        $0.lastEnd = ProcessUsage.now
      }
    }
    return try await transport.send(request)
  }

  /// Returns when there was no request for 20 ms.
  func waitUntilQuiet() async throws {
    repeat { try await Task.sleep(for: .milliseconds(20)) } while state.running > 0
  }

  func shutdown() async { await transport.shutdown() }
}
