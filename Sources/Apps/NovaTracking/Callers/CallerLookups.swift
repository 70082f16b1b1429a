import NovaCore

/// Events that wait until their token provider has reported its user. The events of one provider stay in order.
struct CallerLookups: Sendable {
  /// Identifies a provider. Providers that are values have no identity, so each of their events has its own lookup.
  enum Key: Sendable, Hashable {
    case object(ObjectIdentifier)
    case value(Int)
  }

  struct Lookup: Sendable {
    var events: [TrackedEvent] = []
    /// Keeps the provider alive, so that no other object gets its ID.
    let options: CallOptions
    var task: Task<Void, Never>?
  }

  private var lookups: [Key: Lookup] = [:]
  private var count = 0
  private var number = 0

  /// One of the running lookups.
  var task: Task<Void, Never>? { lookups.values.lazy.compactMap(\.task).first }

  /// Keeps an event until its caller is known.
  ///
  /// - Parameter start: starts a lookup; called unless the provider is already being asked.
  /// - Returns: whether there was room for the event.
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

  /// Removes and returns the events of a provider.
  mutating func take(_ key: Key) -> [TrackedEvent] {
    let events = lookups.removeValue(forKey: key)?.events ?? []
    count -= events.count
    return events
  }

  /// Drops the events. Running lookups then have nothing to do.
  mutating func removeAll() {
    for key in lookups.keys { lookups[key]?.events = [] }
    count = 0
  }
}
