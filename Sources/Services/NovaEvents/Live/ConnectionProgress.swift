import NovaCore

/// What a connection has delivered so far: its topics, its position, and the events that the gateway may repeat.
///
/// A pure state machine: ``receive(_:)`` takes a message of the connection and returns what the connection's owner must
/// do. It survives reconnections, so the next connection continues where the last one was.
struct ConnectionProgress: Sendable {
  /// What a message requires of the owner.
  enum Action: Sendable {
    /// Offer an event to the subscriptions that the routing matches.
    case deliver(Event, EventRouting)
    /// Have all subscriptions read again: the event at the position is unreadable.
    case resync(position: String)
    /// Have subscriptions to these topics (nil: all) ask the gateway for what they have missed.
    case fallBehind([EventTopic]?)
    /// Connect again from now: the connection cannot continue after its position.
    case startOver
    /// Continue subscriptions to these topics, which the gateway has added to the connection.
    case added(Set<EventTopic>)
    /// Change the topics again later, or reconnect: the gateway has refused the change.
    case changeRefused(APIError)
    /// Wait at least this long before connecting again.
    case wait(Duration)
    /// Connect again at once when the connection has ended.
    case reconnectAtOnce
  }

  /// How many IDs of events are remembered to recognize repeated events: twice as many as each inbox remembers. Not
  /// more, because a busy server has a connection for each of its users.
  private static let rememberedIDs = 2_048

  /// The signed-in user, if known.
  private let user: String?
  /// The topics of the connection, or of the last one.
  private(set) var topics: Set<EventTopic> = []
  /// Everything before this position was delivered. Nil before the first connection.
  private(set) var position: String?
  /// Whether events of topics may still arrive that were removed a moment ago.
  private var mayBringOthers = false
  private var seen = RecentSet<Int>(capacity: Self.rememberedIDs)

  init(user: String?) { self.user = user }

  /// Notes that a connection with these topics has opened.
  mutating func connected(to topics: Set<EventTopic>) { (self.topics, mayBringOthers) = (topics, false) }

  mutating func move(to position: String) { self.position = position }

  /// Notes that topics are being removed from the open connection.
  mutating func remove(_ removed: Set<EventTopic>) {
    topics.subtract(removed)
    mayBringOthers = true
  }

  /// Forgets the topics and the position, because no connection continues them.
  mutating func stop() { (topics, position) = ([], nil) }

  mutating func receive(_ message: EventMessage) -> Action? {
    switch message {
    case .event(let event):
      guard seen.insert(id: event.id) else { return nil }
      if !event.id.isEmpty { position = event.id }
      return .deliver(event, EventRouting(connected: topics, mayBringOthers: mayBringOthers, user: user))
    case .unreadable(let id):
      guard seen.insert(id: id) else { return nil }
      if !id.isEmpty { position = id }
      return .resync(position: position ?? "")
    case .reset(let topics, let position):
      self.position = position.isEmpty ? self.position ?? "" : position
      // The gateway may now repeat events that were delivered. Each inbox recognizes those itself.
      seen = RecentSet<Int>(capacity: Self.rememberedIDs)
      return .fallBehind(topics)
    case .tooLarge:
      position = nil
      return .startOver
    case .subscribed(let topics, let position): return subscribed(to: Set(topics), at: position)
    case .position(let position):
      self.position = position
      return nil
    case .retry(let wait): return .wait(wait)
    case .refused(let error): return .changeRefused(error)
    case .end(.tokenExpired): return .reconnectAtOnce
    case .alive, .end: return nil
    }
  }

  /// The gateway has added topics; or, with a position, has delivered everything about these topics before it.
  private mutating func subscribed(to confirmed: Set<EventTopic>, at position: String) -> Action? {
    // If the connection has other topics, too, earlier events of those may still arrive.
    if !position.isEmpty, topics.isSubset(of: confirmed) { self.position = position }
    guard topics.isSuperset(of: confirmed) else {
      topics.formUnion(confirmed)
      // The gateway processes changes in order, so it has also processed the removals before this one.
      mayBringOthers = false
      return .added(confirmed)
    }
    if topics == confirmed { mayBringOthers = false }
    return nil
  }
}
