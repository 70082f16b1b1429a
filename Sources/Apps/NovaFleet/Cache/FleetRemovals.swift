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
  private let redis: any RedisClient
  private let keys: FleetKeys
  /// The epoch of all URLs.
  private let everything: RedisArgument
  private let channel: String
  private let steps: StoreSteps
  private let pause: Duration
  private let clock: any CallClock
  /// Messages of this process have it: what it removed itself needs no message.
  private let id = RandomName.make()
  /// Keys of epochs whose removal failed, with their URLs.
  private let owed = Locked<[RedisArgument: String]>([:])
  private let retries = Locked<Task<Void, Never>?>(nil)

  init(
    _ redis: any RedisClient, messages: (any RedisSubscriber)?, keys: FleetKeys, everything: RedisArgument,
    channel: String, steps: StoreSteps, pause: Duration, clock: any CallClock
  ) {
    (self.redis, self.messages, self.keys) = (redis, messages, keys)
    (self.everything, self.channel) = (everything, channel)
    (self.steps, self.pause, self.clock) = (steps, pause, clock)
  }

  deinit { retries.withLock { $0?.cancel() } }

  /// Removes the epoch of a URL, even if the task is cancelled, and notifies other processes.
  ///
  /// - Parameter url: empty for all.
  /// - Returns: whether it was removed. If not, it is tried again in the background.
  @discardableResult
  func remove(_ epoch: RedisArgument, url: String) async -> Bool {
    if await attempt(epoch, url) { return true }
    retries.withLock { task in
      guard task == nil else { return }
      task = Task { [weak self, pause, clock] in
        while !Task.isCancelled {
          try? await clock.sleep(until: clock.now.advanced(by: pause), tolerance: nil)
          guard let self, await !self.retry() else { return }
        }
      }
    }
    return false
  }

  /// Repeats removals that failed and concern an epoch.
  ///
  /// - Returns: false if one failed again: what the store has must not be used.
  func settle(_ epoch: RedisArgument) async -> Bool {
    for epoch in [everything, epoch] {
      guard let url = owed.withLock({ $0[epoch] }) else { continue }
      guard await attempt(epoch, url) else { return false }
    }
    return true
  }

  private func attempt(_ epoch: RedisArgument, _ url: String) async -> Bool {
    owed.withLock { owed in
      if owed.count < Self.maximumOwed { owed[epoch] = url } else { owed = [everything: ""] }
    }
    guard let message = try? keys.seal(Array("\(id)\n\(url)".utf8), at: Self.place) else { return false }
    let arguments = [RedisArgument(channel), RedisArgument(message)]
    let work = Task { [steps, redis] in
      try await steps.run { try await FleetResponseScripts.remove.run(on: redis, keys: [epoch], arguments: arguments) }
    }
    guard let reply = try? await work.value, reply.integer == 1 else { return false }
    owed.withLock { $0[epoch] = nil }
    return true
  }

  /// Repeats all removals that failed.
  ///
  /// - Returns: whether none is left.
  private func retry() async -> Bool {
    for (epoch, url) in owed.withLock({ $0 }) { guard await attempt(epoch, url) else { return false } }
    return retries.withLock { task in
      let isDone = owed.withLock { $0.isEmpty }
      if isDone { task = nil }
      return isDone
    }
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
