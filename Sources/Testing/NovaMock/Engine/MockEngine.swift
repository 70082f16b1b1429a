import NovaCore
import NovaEvents

/// The state of a backend, its snapshots, and its journal.
struct MockEngine: Sendable {
  var state: MockState
  var snapshots: [NamedSnapshot] = []
  /// The journal that stores changes before they are made.
  var journal: (any MockJournal)?
  /// Where the bytes of uploads are stored.
  var media: MediaFolder
  let events: EventLog
  /// The position of the last change in the journal.
  var position: Int64?
  /// How often another state has taken the place of the state.
  private(set) var replacements = 0

  /// A state stored under a name.
  struct NamedSnapshot: Sendable {
    let name: String
    /// The time of the snapshot by the backend's clock.
    let time: Int64
    let state: MockState
  }

  static let maximumSnapshots = 16

  /// The state at the start.
  let initialState: @Sendable () -> MockState

  init(media: MediaFolder, events: EventLog, _ initialState: @escaping @Sendable () -> MockState) {
    self.media = media
    self.events = events
    state = initialState()
    self.initialState = initialState
  }

  /// The outcome of a change: a message to encode, or a complete response.
  enum Outcome: Sendable {
    case message(any ProtoMessage)
    case response(HTTPResponse)

    /// The response to a call of an RPC.
    func response(of rpc: RPCDescriptor, _ meanings: MockMeanings) throws -> HTTPResponse {
      switch self {
      case .message(let message): try HTTPResponse(message, of: rpc, meanings)
      case .response(let response): response
      }
    }
  }

  // MARK: Changes

  /// A change that was made, or has failed.
  struct Applied: Sendable {
    let result: Result<Outcome, any Error>
    /// The position of the change in the journal; nil if it has none.
    let position: Int64?
  }

  /// Appends a change to the journal, and makes it. A failed call can change something, too: it counts wrong passwords.
  ///
  /// - Throws: ``MockFailure`` if the journal refuses the change; then nothing was changed.
  mutating func apply(_ change: MockChange) throws(MockFailure) -> Applied {
    if change.isRead { return Applied(result: Result { try make(change) }, position: nil) }
    try journalize(change)
    return Applied(result: Result { try make(change) }, position: position)
  }

  /// Makes a change from a journal again. It emits nothing, because events have a new epoch at each start.
  mutating func replay(_ change: MockChange) throws(MockJournalError) {
    state.mediaLimit = .max
    do {
      _ = try make(change)
    } catch let damage as MediaDamage {
      throw try media.error(damage)
    } catch {
      // A change that failed before fails again, with the same effects.
    }
    state.effects = MockEffects()
  }

  /// Appends a change to the journal. A reset empties it, unless the journal has snapshots.
  mutating func journalize(_ change: MockChange) throws(MockFailure) {
    guard let journal else { return }
    do {
      let isEmptied = if case .reset = change.action { snapshots.isEmpty } else { false }
      position = isEmptied ? try journal.removeAll() : try journal.append(try change.line())
      // The journal is empty on the disk, too, so nothing refers to the files.
      if isEmptied { media.removeAll() }
    } catch {
      throw MockFailure(.unavailable, "nothing was changed: \(error)")
    }
  }

  private mutating func make(_ change: MockChange) throws -> Outcome {
    state.now = change.time
    // In a journal, nothing else reports that time passes.
    _ = state.writeDueMeanings()
    state.meanings = change.meanings
    state.caller = change.caller
    state.passwordKey = change.passwordKey
    defer { state.passwordKey = nil }
    switch change.action {
    case .rpc(let rpc, let message): return try call(rpc, message, idempotencyKey: change.idempotencyKey)
    case .chunk(let id, let request): return .response(try store(request, in: id))
    case .bytes(let id, let chunk): try restore(chunk, of: id)
    case .recount(let id): _ = state.media.change(id) { $0.countBytes() }
    case .advance(let seconds): state.clock.move(by: seconds, from: state.now)
    case .clock(let clock): state.clock = clock
    case .signOutAll:
      state.auth.revokeAll()
      state.effects.revokesAll = true
    case .reset: replaceState(initialState())
    case .snapshot(let name): keepSnapshot(name)
    case .restore(let name): replaceState(try snapshot(named: name).state)
    }
    return .response(HTTPResponse(status: 204))
  }

  mutating func replaceState(_ new: MockState) {
    state = new
    replacements += 1
  }

  private mutating func call(
    _ rpc: RPCDescriptor, _ message: any ProtoMessage, idempotencyKey key: String?
  ) throws -> Outcome {
    // Events are kept apart from the state. Compared first, because a cast of any message takes long.
    if type(of: message) == ListEventsRequest.self, let request = message as? ListEventsRequest {
      return .message(try list(request, in: events))
    }
    guard let handler = MockHandlers.shared.handler(of: rpc) else {
      throw MockFailure(.unimplemented, "the mock backend has no behaviour for \(rpc.id) yet")
    }
    guard let key else { return .message(try handler(message, &state)) }
    let id = try IdempotencyKeys.ID(caller: state.caller, rpc: rpc.id, key: key)
    let response = try HTTPResponse(try handler(message, &state), of: rpc, state.meanings)
    state.idempotencyKeys.store(response, for: id, request: message, secret: state.passwordKey, now: state.now)
    return .response(response)
  }

  // MARK: Snapshots

  private mutating func keepSnapshot(_ name: String) {
    snapshots.removeAll { $0.name == name }
    if snapshots.count >= Self.maximumSnapshots { snapshots.removeFirst() }
    snapshots.append(NamedSnapshot(name: name, time: state.now, state: state))
  }

  func snapshot(named name: String) throws(MockFailure) -> NamedSnapshot {
    guard let snapshot = snapshots.first(where: { $0.name == name }) else {
      throw MockFailure(.notFound, "there is no snapshot \"\(name.shortened(to: 100))\"")
    }
    return snapshot
  }
}
