import NovaCore
import NovaSupport

/// Runs the writes of this process about the same entities one after the other, in the order of their calls, until each
/// has ended or is in the outbox.
///
/// A write takes a place in the line of each of its entities. Its turn is when it is first in all of them. While a
/// write is sent past the outbox, the outbox keeps its own entries about the same entities back.
final class WriteTurns: Sendable {
  /// A write's turn. It ends with ``WriteTurns/leave(_:)``.
  struct Turn: Sendable, Hashable { fileprivate let id: Int }

  private struct Entity: Hashable {
    let identity: Identity
    @ExactText var name: String
  }

  private struct Place {
    let entities: Set<Entity>
    var isSending = false
    /// Wakes the task that waits for the turn.
    var waiter: WakeSignal?
  }

  private struct State {
    var nextID = 0
    var places: [Int: Place] = [:]
    /// The turns of each entity, in order.
    var lines: [Entity: [Int]] = [:]
    /// Whether an entry of the outbox must wait for a write that is being sent.
    var isBlockingEntries = false
    var isOver = false
  }

  private let state = Locked(State())

  /// The number of writes that wait for their turn.
  var waiterCount: Int { state.withLock { state in state.places.values.count { $0.waiter != nil } } }

  /// Whether all turns have ended permanently.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Takes a place after the writes about the same entities.
  func enter(_ entities: [String], identity: Identity) -> Turn {
    let entities = Set(entities.map { Entity(identity: identity, name: $0) })
    return state.withLock { state in
      state.nextID += 1
      state.places[state.nextID] = Place(entities: entities)
      for entity in entities { state.lines[entity, default: []].append(state.nextID) }
      return Turn(id: state.nextID)
    }
  }

  /// Whether a turn is the first in all its lines.
  func isFree(_ turn: Turn) -> Bool { state.withLock { Self.isFree(turn.id, $0) } }

  /// Returns when a turn is the first in all its lines.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or all turns have ended; the turn is over then.
  func wait(for turn: Turn) async throws {
    while true {
      if Task.isCancelled { leave(turn) }
      let waiter = try state.withLock { state throws(CancellationError) -> WakeSignal? in
        guard state.places[turn.id] != nil, !state.isOver else { throw CancellationError() }
        if Self.isFree(turn.id, state) { return nil }
        let waiter = WakeSignal()
        state.places[turn.id]?.waiter = waiter
        return waiter
      }
      guard let waiter else { return }
      await waiter.wait()
    }
  }

  /// Ends a turn, and wakes the tasks that waited only for it. Only the first call has an effect.
  ///
  /// - Returns: whether an entry of the outbox had to wait for it.
  @discardableResult func leave(_ turn: Turn) -> Bool {
    let (waiters, wasBlocking) = state.withLock { state in
      guard let place = state.places.removeValue(forKey: turn.id) else { return ([WakeSignal](), false) }
      var waiters = [place.waiter].compactMap(\.self)
      for entity in place.entities {
        state.lines[entity]?.removeAll { $0 == turn.id }
        guard let first = state.lines[entity]?.first else {
          state.lines[entity] = nil
          continue
        }
        if Self.isFree(first, state), let waiter = state.places[first]?.waiter.take() { waiters.append(waiter) }
      }
      let wasBlocking = place.isSending && state.isBlockingEntries
      if wasBlocking { state.isBlockingEntries = false }
      return (waiters, wasBlocking)
    }
    for waiter in waiters { waiter.wake() }
    return wasBlocking
  }

  private static func isFree(_ id: Int, _ state: State) -> Bool {
    state.places[id]?.entities.allSatisfy { state.lines[$0]?.first == id } ?? false
  }

  // MARK: The outbox

  /// The write is sent past the outbox from now on.
  func beginSending(_ turn: Turn) { state.withLock { $0.places[turn.id]?.isSending = true } }

  /// The write is no longer sent past the outbox.
  ///
  /// - Returns: whether an entry of the outbox had to wait for it.
  @discardableResult func endSending(_ turn: Turn) -> Bool {
    state.withLock { state in
      guard state.places[turn.id]?.isSending == true else { return false }
      state.places[turn.id]?.isSending = false
      defer { state.isBlockingEntries = false }
      return state.isBlockingEntries
    }
  }

  /// Whether a write about one of these entities is being sent past the outbox, so that an entry must wait.
  func isSending(about entities: [String], identity: Identity) -> Bool {
    state.withLock { state in
      if state.lines.isEmpty { return false }
      let isSending = entities.contains { name in
        let first = state.lines[Entity(identity: identity, name: name)]?.first
        return first.flatMap { state.places[$0] }?.isSending ?? false
      }
      if isSending { state.isBlockingEntries = true }
      return isSending
    }
  }

  /// Ends all turns permanently.
  func end() {
    let waiters = state.withLock { state in
      state.isOver = true
      return state.places.values.compactMap(\.waiter)
    }
    for waiter in waiters { waiter.wake() }
  }
}
