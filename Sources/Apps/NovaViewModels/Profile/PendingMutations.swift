import NovaCore

/// The viewer's changes that the server has not confirmed yet, by target. All optimistic updates are based on them.
///
/// Each target has at most one request in flight. A change to the state that is already wanted is ignored. A change to
/// the opposite is shown at once, and its request is sent after the one in flight. The last change wins.
struct PendingMutations {
  /// The user or post that a change affects, and how.
  struct Target: Hashable, Sendable {
    enum Kind: Hashable, Sendable, CaseIterable { case follow, like, bookmark }

    let kind: Kind
    /// The ID of a user or a post.
    @ExactText private(set) var id: String

    init(kind: Kind, id: String) {
      self.kind = kind
      self.id = id
    }
  }

  /// A change whose request is in flight.
  struct Mutation: Hashable, Sendable {
    var isWanted: Bool
    /// The server's state; nil if unknown.
    var confirmed: Bool?
    /// What to add to the confirmed counts.
    var countChange: Int { (isWanted ? 1 : 0) - (confirmed == true ? 1 : 0) }
  }

  enum Outcome: Hashable {
    /// The server has the wanted state.
    case settled
    /// The viewer has requested the opposite in the meantime: send it.
    case send(Bool)
    /// The server's state is shown again.
    case rolledBack
  }

  /// The changes whose requests are in flight.
  private(set) var inFlight: [Target: Mutation] = [:]

  /// The wanted state; nil if no request is in flight.
  subscript(_ kind: Target.Kind, _ id: String) -> Bool? { inFlight[Target(kind: kind, id: id)]?.isWanted }

  /// The changes of a kind, sorted by target.
  func all(_ kind: Target.Kind) -> [(id: String, mutation: Mutation)] {
    inFlight.filter { $0.key.kind == kind }.map { ($0.key.id, $0.value) }.sorted { $0.id < $1.id }
  }

  /// Records the state that the viewer wants.
  ///
  /// - Parameter known: the server's state; nil if unknown.
  /// - Returns: whether to send a request. False if the server already has the state, and while a request is in flight.
  mutating func request(_ target: Target, _ isWanted: Bool, known: Bool?) -> Bool {
    if inFlight[target] != nil {
      inFlight[target]?.isWanted = isWanted
      return false
    }
    guard known != isWanted else { return false }
    inFlight[target] = Mutation(isWanted: isWanted, confirmed: known)
    return true
  }

  /// Records the result of a request.
  mutating func finish(_ target: Target, sent: Bool, succeeded: Bool) -> Outcome {
    guard let mutation = inFlight[target] else { return .settled }
    if succeeded { inFlight[target]?.confirmed = sent }
    // Also after a failure, because the server may have made the change nevertheless.
    guard mutation.isWanted == sent else { return .send(mutation.isWanted) }
    inFlight[target] = nil
    return succeeded ? .settled : .rolledBack
  }

  /// Records the server's state from a load that ended while the request was in flight.
  mutating func confirm(_ target: Target, _ isSo: Bool) { inFlight[target]?.confirmed = isSo }
}
