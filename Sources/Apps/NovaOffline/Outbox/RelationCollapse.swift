/// What becomes of the waiting writes that set a relation, such as likes and their removals, when another one joins them.
enum RelationCollapse {
  enum Decision: Hashable {
    /// The new write goes after the others, some of which are dropped.
    case append(dropping: [Int64])
    /// An equal write already waits.
    case join(Int64)
    /// The new write is dropped with a waiting one.
    case cancelOut(Int64)
  }

  /// - Parameters:
  ///   - waiting: the waiting writes that set the relation, in order.
  ///   - isRelated: what the new write sets.
  ///   - wouldChange: whether the stored relation is another one; nil if it is unknown.
  static func decide(_ waiting: [OutboxEntry], setting isRelated: Bool, wouldChange: Bool?) -> Decision {
    guard let last = waiting.last else { return .append(dropping: []) }
    if last.isRelated == isRelated { return .join(last.id) }
    // The gateway may have carried out the last write, so the new one must undo it there.
    if last.mayHaveLeft { return .append(dropping: []) }
    // The write before the last already sets what the new one sets.
    if let before = waiting.dropLast().last, before.isRelated == isRelated { return .cancelOut(last.id) }
    // The last write would change the stored relation, and the new one would not.
    let isUnchanged = last.wouldChange == true && wouldChange == false
    return isUnchanged ? .cancelOut(last.id) : .append(dropping: [last.id])
  }
}
