public import NovaCapture
import NovaCore
import NovaEvents

// Here, because events are another service on the same client.
extension CaptureService {
  /// Waits until the backend has found the meaning of something.
  ///
  /// ```swift
  /// let something = try await nova.capture.create(text: "The light this morning.")
  /// let understood = try await nova.capture.with { $0.timeout = .seconds(30) }.waitForMeaning(of: something.id)
  /// print(understood.meaning ?? "")
  /// ```
  /// Listens for the event `something.meaning`, and also reads the something again and again, after about half a second
  /// and then ever more rarely, up to every 10 s: for gateways without events, and for events that come too early. The
  /// options' `timeout` and `deadline` limit the whole wait; without them, it ends after 300 s. Up to five failures in a row
  /// that can pass, such as a lost connection, do not end it.
  ///
  /// - Parameter id: the id of the something.
  /// - Returns: the something, with a meaning: the backend's, or one that the user has written.
  /// - Throws: ``APIError``: `notFound` if there is no such thing or it was deleted, `timeout` if the time is up. That a
  ///   backend finds no meaning is not an error; the wait then times out.
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

  /// What an event reports. Nil if the events end: the other task continues.
  private func reportedMeaning(of id: Int64) async -> Something? {
    var options = options
    (options.timeout, options.deadline, options.retry) = (nil, nil, nil)
    let events = EventService(client: client, options: options).subscribe(topics: [.me])
    do {
      for try await update in events {
        guard case .event(let event) = update, event.kind == .somethingMeaning, event.somethingId == id else {
          continue
        }
        // A failure is the other task's, which looks again.
        if let something = try? await with({ $0.cache = .networkOnly }).meaningful(id) { return something }
      }
    } catch {
      // No events, here or for this user.
    }
    return nil
  }

  private func meaningful(_ id: Int64) async throws -> Something? {
    let something = try await get(id: id)
    return something.meaning?.isEmpty == false ? something : nil
  }
}
