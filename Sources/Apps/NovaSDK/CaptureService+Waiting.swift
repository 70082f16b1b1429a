public import NovaCapture
import NovaCore
import NovaEvents

// In this module, because events are another service on the same client.
extension CaptureService {
  /// Waits until the backend has determined the meaning of something.
  ///
  /// ```swift
  /// let something = try await nova.capture.create(text: "The light this morning.")
  /// let understood = try await nova.capture.with { $0.timeout = .seconds(30) }.waitForMeaning(of: something.id)
  /// print(understood.meaning ?? "")
  /// ```
  /// Listens for the event `something.meaning`. Also reads the something repeatedly, for gateways without events and
  /// for events that arrive too early: first after about half a second, then at growing intervals of up to 10 s. The
  /// options' `timeout` and `deadline` limit the whole wait; without them, it ends after 300 s. Up to five consecutive
  /// transient failures, such as a lost connection, do not end it.
  ///
  /// - Parameter id: the ID of the something.
  /// - Returns: the something with a meaning: the backend's, or the user's own.
  /// - Throws: ``APIError``: `notFound` if it does not exist or was deleted, `timeout` if the time is up. If the
  ///   backend determines no meaning, the wait times out.
  public func waitForMeaning(of id: Int64) async throws -> Something {
    try await withThrowingTaskGroup(of: Something?.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await self.polledMeaning(of: id) }
      group.addTask { await self.reportedMeaning(of: id) }
      while let something = try await group.next() {
        if let something { return something }
      }
      // The first task returns a result, or throws.
      throw APIError.ofCancellation
    }
  }

  private func polledMeaning(of id: Int64) async throws -> Something? {
    try await client.wait(
      until: "something \(id) had a meaning", by: CaptureRPC.getSomething.descriptor, options
    ) { options in
      try await with { $0 = options }.meaningful(id)
    }
  }

  /// The something after an event reports its meaning; nil if the events end, and then the other task continues.
  private func reportedMeaning(of id: Int64) async -> Something? {
    var options = options
    (options.timeout, options.deadline, options.retry) = (nil, nil, nil)
    let events = EventService(client: client, options: options).subscribe(topics: [.me])
    do {
      for try await update in events {
        guard case .event(let event) = update, event.kind == .somethingMeaning, event.somethingId == id else {
          continue
        }
        // After a failure, the other task reads again.
        if let something = try? await with({ $0.cache = .networkOnly }).meaningful(id) { return something }
      }
    } catch {
      // This gateway has no events, or not for this user.
    }
    return nil
  }

  private func meaningful(_ id: Int64) async throws -> Something? {
    let something = try await get(id: id)
    return something.meaning?.isEmpty == false ? something : nil
  }
}
