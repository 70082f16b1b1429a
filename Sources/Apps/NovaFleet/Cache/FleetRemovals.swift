internal import NovaCache
internal import NovaRedis
internal import NovaSupport

/// Removals of ``FleetResponses``, and the messages with which other processes learn of them. Messages are encrypted,
/// because they contain URLs.
final class FleetRemovals: Sendable {
  /// The maximum number of removals that failed; one more removes everything.
  private static let maximumOwed = 1024
  private static let place = "nova fleet response removed"

  let messages: (any RedisSubscriber)?
  private let keys: FleetKeys
  /// The epoch of all URLs.
  private let everything: RedisArgument
  private let channel: String
  private let clock: any CallClock
  /// Messages of this process have it: what it removed itself needs no message.
  private let id: String
  /// Removes epochs, by their keys, with their URLs.
  private let removals: OwedSteps<RedisArgument, String>

  init(
    _ redis: any RedisClient, messages: (any RedisSubscriber)?, keys: FleetKeys, everything: RedisArgument,
    channel: String, steps: StoreSteps, pause: Duration, clock: any CallClock
  ) {
    (self.messages, self.keys, self.everything, self.channel) = (messages, keys, everything, channel)
    let id = RandomName.make()
    (self.id, self.clock) = (id, clock)
    removals = OwedSteps(
      limit: Self.maximumOwed, otherwise: (everything, ""), pause: pause, clock: clock
    ) { epoch, url, mustBeTried in
      guard let message = try? keys.seal(Array("\(id)\n\(url)".utf8), at: Self.place) else { return false }
      let arguments = [RedisArgument(channel), RedisArgument(message)]
      let work = Task {
        try await steps.run(mustBeTried: mustBeTried) {
          try await FleetResponseScripts.remove.run(on: redis, keys: [epoch], arguments: arguments)
        }
      }
      return (try? await work.value)?.integer == 1
    }
  }

  /// Removes the epoch of a URL, even if the task is cancelled, and notifies other processes.
  ///
  /// - Parameter url: empty for all.
  /// - Returns: whether it was removed. If not, it is tried again in the background.
  @discardableResult
  func remove(_ epoch: RedisArgument, url: String) async -> Bool { await removals.run(epoch, url) }

  /// Repeats removals that failed and concern an epoch.
  ///
  /// - Returns: false if one failed again: what the store has must not be used.
  func settle(_ epoch: RedisArgument) async -> Bool {
    for epoch in [everything, epoch] { guard await removals.settle(epoch) else { return false } }
    return true
  }

  // MARK: Messages

  /// Reports what other processes remove, until the task is cancelled.
  func watch(_ receive: @escaping @Sendable (SharedRemoval) -> Void) async {
    guard let messages else { return }
    await FleetMessages.receive(from: messages, on: channel, clock) { event in
      switch event {
      case .begun: receive(.begun)
      case .lost: receive(.lost)
      case .message(let sealed): if let removal = removal(in: sealed) { receive(removal) }
      }
    }
  }

  /// - Returns: nil for a removal of this process; everything if the message cannot be read.
  private func removal(in sealed: [UInt8]) -> SharedRemoval? {
    guard let bytes = try? keys.open(sealed, at: Self.place) else { return .all }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return .all }
    if parts[0] == id { return nil }
    return parts[1].isEmpty ? .all : .url(String(parts[1]))
  }
}
