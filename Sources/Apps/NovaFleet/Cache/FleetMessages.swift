internal import NovaRedis
internal import NovaSupport

/// The messages of a channel, with the times when they may be lost.
enum FleetMessages {
  enum Event: Sendable {
    /// Messages arrive from now on.
    case begun
    case message([UInt8])
    /// Messages may be lost from now on.
    case lost
  }

  /// Receives messages until the task is cancelled. After a lost connection, subscribes again.
  static func receive(
    from subscriber: any RedisSubscriber, on channel: String, _ clock: any CallClock, _ body: (Event) -> Void
  ) async {
    while !Task.isCancelled {
      do {
        for try await message in subscriber.messages(on: channel) {
          body(message.isEmpty ? .begun : .message(message))
        }
      } catch {}
      body(.lost)
      try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
    }
  }
}
