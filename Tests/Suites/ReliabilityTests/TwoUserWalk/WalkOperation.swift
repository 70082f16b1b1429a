import NovaCore
import NovaTesting

/// Something that a seat does, and what came of it.
final class WalkOperation: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case post, profile, followers, somethings, write, flush, download, bytes, image, prefetch, upload, resume, follow
    case track, crowd
  }

  struct Outcome: Sendable {
    /// Whose what it got was.
    var marks: Set<String> = []
    /// The user that it named in its requests.
    var user: String?
    var hasSucceeded = false
    var error: (any Error)?
    var ended: Int?
  }

  let id: String
  let kind: Kind
  let seat: WalkSeat
  let began: Int
  private let outcome = Locked(Outcome())

  init(_ number: Int, _ kind: Kind, by seat: WalkSeat, began: Int) {
    (id, self.kind, self.seat, self.began) = ("op-\(number)", kind, seat, began)
  }

  var current: Outcome { outcome.withLock { $0 } }

  func got(_ marks: some Sequence<String>) { outcome.withLock { $0.marks.formUnion(marks) } }
  func named(_ user: String) { outcome.withLock { $0.user = user } }

  func end(_ error: (any Error)?, at time: Int) {
    outcome.withLock { outcome in
      outcome.hasSucceeded = error == nil
      outcome.error = error
      outcome.ended = time
    }
  }

  /// Whose it could be.
  var possibleOwners: Set<String> { seat.owners.possible(from: began, to: current.ended ?? .max) }

  /// What is wrong with it, after the gateway's word.
  func faults(by gateway: WalkGateway) -> [String] {
    let (outcome, possible) = (current, possibleOwners)
    let (askers, writers, named) = gateway.state.withLock { state in
      let askers = state.askers.filter { $0.key == id || $0.key.hasPrefix("\(id)/") }
      return (askers, state.writers[id] ?? [], state.named[id])
    }
    var faults: [String] = []
    for (part, owners) in askers where owners.count > 1 { faults.append("\(part) was sent with tokens of \(owners)") }
    let senders = askers.values.reduce(into: writers) { $0.formUnion($1) }
    if !senders.isSubset(of: possible) { faults.append("sent with tokens of \(senders)") }
    if writers.count > 1 { faults.append("written with tokens of \(writers)") }
    let marks = outcome.marks.subtracting([WalkGateway.everyone])
    if marks.count > 1 || !marks.isSubset(of: possible) { faults.append("got what belongs to \(marks)") }
    if kind != .follow, let sender = senders.first, let mark = marks.first, sender != mark {
      faults.append("sent with the token of \(sender), got what belongs to \(mark)")
    }
    // A program that names the user of a moment ago does so at its own risk.
    if possible.count == 1, let named, !possible.contains(named) { faults.append("written for \(named)") }
    return faults.map { "\(kind) \(id) by \(seat.name), which may be of \(possible.sorted()): \($0)" }
  }
}
