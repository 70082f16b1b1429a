import NovaCore

/// The updates queued for one subscription, limited in number, and the position after the last one.
///
/// The connection offers each event to the inbox, and a reader takes the updates. In the phase `live`, offered events
/// are queued. If the reader is too slow or an event does not fit, the inbox is `behind`: it ignores offered events and
/// keeps its position, and the reader lists the missed events once it has taken the queued updates. While the last
/// pages are listed, the inbox is `joining`: it keeps offered events aside, then adds those that were not listed and is
/// live again. The inbox ignores events it already has, because the connection and a page may both contain an event.
final class EventInbox: Sendable {
  /// The maximum number of updates that wait for the reader.
  static let capacity = 256
  /// How many IDs of events are remembered. When an inbox joins a connection, they are at most one page apart.
  private static let rememberedIDs = 4 * capacity

  /// A queued update.
  struct Waiting: Sendable {
    let update: EventUpdate
    /// Where a later subscription continues after this update, without missing anything.
    let position: String
    /// Where another subscription continues once the program has done what the update asks for. Differs from `position`
    /// for a resync, after which the program reads everything again.
    let following: String
  }

  enum Next: Sendable {
    case update(Waiting)
    /// No update waits, and the missed events must be listed.
    case behind
    /// The inbox has failed, but earlier events may still have to be listed; see ``EventInbox/endRest(_:)``.
    case rest
    case end(Result<Void, any Error>)
  }

  fileprivate enum Phase {
    /// Ignores the connection's events.
    case behind
    /// Keeps the connection's events aside until it is known which of them were listed.
    case joining([Event])
    /// Queues the connection's events.
    case live
  }

  fileprivate struct State {
    var phase = Phase.behind
    /// The position after the last queued update.
    var position: String?
    var updates = Queue<Waiting>()
    /// The events that were queued, which a page or the connection may bring again.
    var delivered = RecentSet<Int>(capacity: EventInbox.rememberedIDs)
    var ending: Result<Void, any Error>?
    /// The events kept aside when a failure ended the inbox before the earlier events were listed.
    var held: [Event] = []

    var isFull: Bool { updates.count >= EventInbox.capacity }
  }

  let topics: Set<EventTopic>
  private let state = Locked(State())
  private let hasEnded = LatestValue(false)
  /// Wakes the reader.
  private let signal = WakeSignal()

  init(topics: Set<EventTopic>) { self.topics = topics }

  var position: String? { state.withLock { $0.position } }
  var isEnded: Bool { state.withLock { $0.ending != nil } }
  /// Whether a failure has ended the inbox. Events that arrived before the failure are still delivered.
  var hasFailed: Bool { if case .failure? = ending { true } else { false } }
  /// The number of queued updates.
  var heldCount: Int { state.withLock { $0.updates.count } }
  /// How the inbox has ended; nil if it has not.
  var ending: Result<Void, any Error>? { state.withLock { $0.ending } }

  /// Returns when the inbox has ended, or the task is cancelled.
  func waitForEnd() async { for await isOver in hasEnded.stream() where isOver { return } }

  // MARK: For the connection

  func offer(_ event: Event, _ match: EventRouting.Match) {
    guard match != .no else { return }
    change { state in
      switch state.phase {
      case .behind: return
      case .joining(let events):
        state.phase = match == .yes && events.count < Self.capacity ? .joining(events + [event]) : .behind
      case .live:
        guard !state.delivered.contains(id: event.id) else { return }
        guard match == .yes, !state.isFull else { return state.phase = .behind }
        state.add(event)
      }
    }
  }

  /// Notes that the event at a position is unreadable.
  func resync(at position: String) {
    change { state in
      guard case .live = state.phase, !state.isFull else { return state.phase = .behind }
      state.add(resync: position)
    }
  }

  /// Notes that events may be missing between the queued ones and the connection's next one. The reader lists them.
  func fallBehind() { change { $0.phase = .behind } }

  /// Begins at the connection's current position, with the events that it delivers from now on.
  func beginLive(at position: String) {
    change { state in
      state.begin(at: position)
      state.phase = .live
    }
  }

  /// Goes live if the connection begins at the inbox's position.
  func goLive(at position: String) {
    change { state in
      if case .behind = state.phase, state.position.hasSameBytes(as: position) { state.phase = .live }
    }
  }

  func begin(at position: String) { change { $0.begin(at: position) } }

  func finish(_ ending: Result<Void, any Error>) {
    change { state in
      guard state.ending == nil else { return }
      state.ending = ending
      if case .joining(let events) = state.phase { (state.held, state.phase) = (events, .behind) }
    }
    hasEnded.update { $0 = true }
  }

  // MARK: For the reader

  /// Adds events that were listed after a position, unless the inbox has moved since then.
  func add(_ page: ListEventsResponse, after start: String) {
    change { state in
      if case .behind = state.phase, state.position.hasSameBytes(as: start) { state.add(page) }
    }
  }

  /// Keeps the connection's events aside until ``join(_:coming:)``.
  ///
  /// - Returns: false if that is not necessary, because the inbox is already live, or has ended.
  func beginJoining() -> Bool {
    var isBehind = false
    change { state in
      guard case .behind = state.phase, state.ending == nil else { return }
      (state.phase, isBehind) = (.joining([]), true)
    }
    return isBehind
  }

  /// Ends the listing of earlier events after a failure.
  ///
  /// - Parameter isComplete: whether all events before those kept aside were listed. If not, the latter are dropped,
  ///   and the next subscription, which continues at the inbox's position, gets them.
  func endRest(_ isComplete: Bool) {
    change { state in
      let held = state.held
      (state.held, state.phase) = ([], .live)
      if isComplete { for event in held { state.add(event) } }
    }
  }

  /// Goes live, unless the inbox has missed an event since ``beginJoining()``.
  ///
  /// - Parameters:
  ///   - page: all events since the inbox's position.
  ///   - coming: the events since the connection's position at the time of ``beginJoining()``, which the connection may
  ///     still deliver.
  func join(_ page: ListEventsResponse, coming: [Event]) {
    change { state in
      state.add(page)
      guard case .joining(let events) = state.phase else { return }
      state.phase = .live
      for event in coming { state.delivered.insert(id: event.id) }
      for event in events where !state.delivered.contains(id: event.id) {
        guard !state.isFull else { return state.phase = .behind }
        state.add(event)
      }
    }
  }

  /// The next update, or what to do first. Waits while the inbox is live and empty.
  func next() async -> Next {
    while true {
      if let next = take() { return next }
      await withTaskCancellationHandler {
        await signal.wait()
      } onCancel: {
        finish(.success(()))
      }
    }
  }

  private func take() -> Next? {
    state.withLock { state in
      // After a cancellation, queued updates are not delivered: the reader may consider the subscription done.
      if let ending = state.ending, case .success = ending { return .end(ending) }
      if let waiting = state.updates.popFirst() { return .update(waiting) }
      if let ending = state.ending {
        if case .live = state.phase { return .end(ending) }
        return .rest
      }
      if case .behind = state.phase { return .behind }
      return nil
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let isReady = state.withLock { state in
      body(&state)
      return state.isReady
    }
    if isReady { signal.wake() }
  }
}

extension EventInbox.State {
  fileprivate var isReady: Bool {
    if ending != nil || !updates.isEmpty { return true }
    if case .behind = phase { return true }
    return false
  }

  /// - Parameters:
  ///   - position: the position after the missing events.
  ///   - isFollowed: whether events from before that position come next. A reader that stops in between must not skip
  ///     them.
  fileprivate mutating func add(resync position: String, isFollowed: Bool = false) {
    // One resync is enough until the reader takes it.
    if updates.last?.update == .resync(.positionGone) { updates.popLast() }
    let start = isFollowed ? self.position ?? position : position
    updates.append(EventInbox.Waiting(update: .resync(.positionGone), position: start, following: position))
    self.position = position
  }

  /// Begins after the event at that position, which the gateway may repeat.
  fileprivate mutating func begin(at position: String) {
    self.position = position
    delivered.insert(id: position)
  }

  fileprivate mutating func add(_ event: Event) {
    guard delivered.insert(id: event.id) else { return }
    if !event.id.isEmpty { position = event.id }
    let position = position ?? ""
    updates.append(EventInbox.Waiting(update: .event(event), position: position, following: position))
  }

  fileprivate mutating func add(_ page: ListEventsResponse) {
    if !page.isComplete { add(resync: page.nextAfter, isFollowed: !page.events.isEmpty) }
    for event in page.events { add(event) }
    if !page.nextAfter.isEmpty { position = page.nextAfter }
  }
}
