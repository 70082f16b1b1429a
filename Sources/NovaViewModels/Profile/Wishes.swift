/// What a person wants that the server does not know yet, by target: the heart of everything optimistic.
///
/// For one target at most one request is under way. A tap for what is wanted already is ignored; a tap for the opposite
/// shows at once, and its request goes out after the one that is under way. The last wish wins.
struct Wishes {
  /// What a wish is about.
  struct Target: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case follow, like, bookmark }

    let kind: Kind
    /// A user's id, or a post's.
    let id: String
  }

  /// A wish whose request is under way.
  struct Wish: Hashable, Sendable {
    var isWanted: Bool
    /// What the server is known to have; nil for not known.
    var confirmed: Bool?
    /// What the counts go up or down by.
    var change: Int { (isWanted ? 1 : 0) - (confirmed == true ? 1 : 0) }
  }

  enum Outcome: Hashable {
    /// The server has what is wanted.
    case settled
    /// Meanwhile the opposite is wanted.
    case send(Bool)
    /// Back to what the server has.
    case rolledBack
  }

  /// All that are under way.
  private(set) var underWay: [Target: Wish] = [:]

  /// What is wanted; nil where no request is under way.
  subscript(_ kind: Target.Kind, _ id: String) -> Bool? { underWay[Target(kind: kind, id: id)]?.isWanted }

  /// Notes a wish.
  ///
  /// - Parameter known: what the server is known to have.
  /// - Returns: whether a request must be sent: not for what is so already, nor while one is under way.
  mutating func want(_ target: Target, _ isWanted: Bool, known: Bool?) -> Bool {
    if underWay[target] != nil {
      underWay[target]?.isWanted = isWanted
      return false
    }
    guard known != isWanted else { return false }
    underWay[target] = Wish(isWanted: isWanted, confirmed: known)
    return true
  }

  /// Takes over what came of a request.
  mutating func finish(_ target: Target, sent: Bool, succeeded: Bool) -> Outcome {
    guard let wish = underWay[target] else { return .settled }
    if succeeded { underWay[target]?.confirmed = sent }
    // Even after a failure: it may have been done all the same.
    guard wish.isWanted == sent else { return .send(wish.isWanted) }
    underWay[target] = nil
    return succeeded ? .settled : .rolledBack
  }

  /// Takes over what a load that ended meanwhile says the server has.
  mutating func confirm(_ target: Target, _ isSo: Bool) { underWay[target]?.confirmed = isSo }
}
