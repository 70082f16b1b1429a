import NovaCore

/// The updates queued for one subscription, in a bounded number, and where to continue.
///
/// The connection offers events as they come. When the reader is slower, the inbox falls behind: it then takes no more,
/// remembers its position, and the reader asks the gateway for the rest once it has taken what waits.
final class EventInbox: Sendable {
  /// How many updates wait for the reader.
  static let capacity = 256
  /// How many ids of delivered events it remembers. A connection that an inbox joins is at most one page behind it.
  private static let rememberedIDs = 4 * capacity

  /// An update that waits.
  struct Waiting: Sendable {
    let update: EventUpdate
    /// Where to continue later, so that nothing is missing once the update was read.
    let position: String
    /// Where to continue at once, for those who have done what the update asks for. Differs when they are to read afresh.
    let following: String
  }

  enum Next: Sendable {
    case update(Waiting)
    /// Nothing waits, and the gateway must be asked for what follows.
    case behind
    /// It has ended in a failure, and the gateway may have more that had happened before; see ``EventInbox/endRest(_:)``.
    case rest
    case end(Result<Void, any Error>)
  }

  fileprivate enum Phase {
    /// Takes no events of the connection.
    case behind
    /// Keeps the events of the connection until it is known which of them were listed.
    case joining([Event])
    /// Takes the events of the connection.
    case live
  }

  fileprivate struct State {
    var phase = Phase.behind
    /// Behind the last update that was added.
    var position: String?
    var updates = Queue<Waiting>()
    /// What was delivered, listed or by the connection: both may bring it again.
    var delivered = RecentSet<Int>(capacity: EventInbox.rememberedIDs)
    var ending: Result<Void, any Error>?
    /// Events of the connection that a failure has ended before it was known what was before them.
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
  /// Whether a failure has ended it, before which everything that had arrived is delivered.
  var hasFailed: Bool { if case .failure? = ending { true } else { false } }
  /// How many updates it holds.
  var heldCount: Int { state.withLock { $0.updates.count } }
  /// How it has ended, if it has.
  var ending: Result<Void, any Error>? { state.withLock { $0.ending } }

  /// Returns when it has ended, or the task is cancelled.
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

  /// The event at a position cannot be read.
  func resync(at position: String) {
    change { state in
      guard case .live = state.phase, !state.isFull else { return state.phase = .behind }
      state.add(resync: position)
    }
  }

  /// The connection's events do not continue what was taken: the reader asks the gateway, which knows whether anything is
  /// gone.
  func fallBehind() { change { $0.phase = .behind } }

  /// Begins with all events that the connection delivers from now on, which is at this position.
  func beginLive(at position: String) {
    change { state in
      state.begin(at: position)
      state.phase = .live
    }
  }

  /// Goes live if the connection begins where the inbox continues.
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

  /// Adds events that were listed after a position, unless the inbox has moved on since then.
  func add(_ page: ListEventsResponse, after start: String) {
    change { state in
      if case .behind = state.phase, state.position.hasSameBytes(as: start) { state.add(page) }
    }
  }

  /// Keeps the events of the connection, until ``join(_:coming:)``.
  ///
  /// - Returns: false if that is not necessary, because it has gone live.
  func beginJoining() -> Bool {
    var isBehind = false
    change { state in
      guard case .behind = state.phase, state.ending == nil else { return }
      (state.phase, isBehind) = (.joining([]), true)
    }
    return isBehind
  }

  /// Nothing more is listed after a failure.
  ///
  /// - Parameter isComplete: whether everything before the events that it holds was listed. If not, they are left to the
  ///   next subscription, which continues at the inbox's position.
  func endRest(_ isComplete: Bool) {
    change { state in
      let held = state.held
      (state.held, state.phase) = ([], .live)
      if isComplete { for event in held { state.add(event) } }
    }
  }

  /// Goes live, if the inbox has missed nothing since ``beginJoining()``.
  ///
  /// - Parameters:
  ///   - page: all that has happened since the inbox's position.
  ///   - coming: what had happened before that, and had not come over the connection before ``beginJoining()``.
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

  /// The next update, or why there is none. Waits while the inbox is live and empty.
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
      // What was taken for done must not follow the end.
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
  ///   - position: behind what is missing.
  ///   - isFollowed: whether events from before that position come next. Who stops in between must not skip them.
  fileprivate mutating func add(resync position: String, isFollowed: Bool = false) {
    // One is enough until it is taken.
    if updates.last?.update == .resync(.positionGone) { updates.popLast() }
    let start = isFollowed ? self.position ?? position : position
    updates.append(EventInbox.Waiting(update: .resync(.positionGone), position: start, following: position))
    self.position = position
  }

  /// Begins behind the event of that position, which the gateway may repeat.
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
