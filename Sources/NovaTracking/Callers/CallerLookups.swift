import NovaCore

/// Events whose provider must be asked whose they are. The events of one provider stay in order.
struct CallerLookups: Sendable {
  /// Values cannot be told apart: each event of one has a lookup of its own.
  enum Key: Sendable, Hashable {
    case object(ObjectIdentifier)
    case value(Int)
  }

  struct Lookup: Sendable {
    var events: [TrackedEvent] = []
    /// Keeps the provider, so that no other gets its ID.
    let options: CallOptions
    var task: Task<Void, Never>?
  }

  private var lookups: [Key: Lookup] = [:]
  private var count = 0
  private var number = 0

  /// One of the tasks that ask.
  var task: Task<Void, Never>? { lookups.values.lazy.compactMap(\.task).first }

  /// Keeps an event until its caller is known.
  ///
  /// - Parameter start: called if the provider is not being asked yet.
  /// - Returns: whether there was room for it.
  mutating func add(
    _ event: TrackedEvent, _ options: CallOptions, limit: Int, start: (Key) -> Task<Void, Never>
  ) -> Bool {
    guard count < limit, let provider = options.tokens else { return false }
    count += 1
    number += 1
    let isObject = type(of: provider) is AnyObject.Type
    let key = isObject ? Key.object(ObjectIdentifier(provider as AnyObject)) : .value(number)
    lookups[key, default: Lookup(options: options)].events.append(event)
    if lookups[key]?.task == nil { lookups[key]?.task = start(key) }
    return true
  }

  func options(for key: Key) -> CallOptions? { lookups[key]?.options }

  /// Takes the events of a provider that was asked.
  mutating func take(_ key: Key) -> [TrackedEvent] {
    let events = lookups.removeValue(forKey: key)?.events ?? []
    count -= events.count
    return events
  }

  /// Drops the events; the tasks find none.
  mutating func removeAll() {
    for key in lookups.keys { lookups[key]?.events = [] }
    count = 0
  }
}
