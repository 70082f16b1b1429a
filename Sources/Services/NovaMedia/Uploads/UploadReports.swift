import NovaCore

/// Reports how much is uploaded, if the bytes are not sent through the gateway. The upload does not wait for reports,
/// and only the latest one is sent.
final class UploadReports: Sendable {
  private struct State {
    var next: Int?
    /// The size that the server knows.
    var reported: Int?
    var sending: Task<Void, Never>?
  }

  private let send: @Sendable (Int) async throws -> Void
  private let state = Locked(State())

  init(_ send: @escaping @Sendable (Int) async throws -> Void) { self.send = send }

  /// Reports in the background how many bytes the server has.
  func report(_ size: Int) {
    state.withLock { state in
      state.next = size
      if state.sending == nil { state.sending = Task { await self.sendAll() } }
    }
  }

  /// Reports the size, after all other reports.
  ///
  /// - Throws: `CancellationError`. A failed report does not end an upload, because the server checks the size at the
  ///   end.
  func finish(_ size: Int) async throws {
    let sending = state.withLock { state in
      state.next = nil
      return state.sending
    }
    await withTaskCancellationHandler {
      await sending?.value
    } onCancel: {
      sending?.cancel()
    }
    if state.withLock({ $0.reported }) != size { try? await send(size) }
    try Task.checkCancellation()
  }

  /// Cancels a report that is being sent.
  func stop() { state.withLock { $0.sending }?.cancel() }

  private func sendAll() async {
    while let size = next() {
      guard (try? await send(size)) != nil else { continue }
      state.withLock { $0.reported = size }
    }
  }

  private func next() -> Int? {
    state.withLock { state in
      defer { state.next = nil }
      if state.next == nil || Task.isCancelled { state.sending = nil }
      return Task.isCancelled ? nil : state.next
    }
  }
}
