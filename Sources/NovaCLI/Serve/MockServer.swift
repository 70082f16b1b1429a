import NovaCore
import NovaSDK

/// A mock backend behind HTTP: a thread that accepts, and one for each connection.
final class MockServer: Sendable {
  private struct State {
    var connections: Set<Int32> = []
    var isStopped = false
  }

  /// Where it listens.
  let url: String
  private let listener: Int32
  private let exchange: MockExchange
  private let state = Locked(State())
  private static let connectionLimit = 1000

  /// Starts listening.
  ///
  /// - Throws: ``Failure`` when that cannot be.
  init(address: ListeningAddress, backend: MockBackend, logsRequests: Bool) throws {
    exchange = MockExchange(backend: backend, logsRequests: logsRequests)
    do throws(SystemError) {
      let (descriptor, port) = try address.listen()
      listener = descriptor
      url = address.url(port: port)
    } catch {
      throw Self.failure(error, address.url(port: address.port))
    }
    guard BackgroundThread.start({ self.acceptAll() }) else { throw Failure("the system has no thread left", .failed) }
  }

  private static func failure(_ error: SystemError, _ url: String) -> Failure {
    guard error.isAddressInUse else { return Failure("cannot listen on \(url): \(error.reason)", .failed) }
    return Failure(
      "cannot listen on \(url): another program does",
      hint: "Stop that program, or choose another port with --port; --port 0 takes a free one.", .failed)
  }

  /// Takes no more requests, and gives those under way a second to end.
  func stop() async {
    state.withLock { state in
      state.isStopped = true
      state.connections.forEach(System.endReading)
    }
    System.endBoth(listener)
    for _ in 0..<100 where state.withLock({ !$0.connections.isEmpty }) {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  private func acceptAll() {
    while let descriptor = System.accept(listener) {
      System.prepare(descriptor, silence: 60)
      let isWelcome = state.withLock { state in
        guard !state.isStopped, state.connections.count < Self.connectionLimit else { return false }
        state.connections.insert(descriptor)
        return true
      }
      if !isWelcome || !BackgroundThread.start({ self.serve(descriptor) }) { end(descriptor) }
    }
    System.closeDescriptor(listener)
  }

  private func serve(_ descriptor: Int32) {
    exchange.serve(descriptor)
    end(descriptor)
  }

  private func end(_ descriptor: Int32) {
    // Closed under the lock: `stop()` must not reach another file that was given the same number.
    state.withLock { state in
      state.connections.remove(descriptor)
      System.closeDescriptor(descriptor)
    }
  }
}
