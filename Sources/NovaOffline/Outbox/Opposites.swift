/// What becomes of waiting writes that set a relation when another one joins them.
enum Opposites {
  enum Decision: Hashable {
    /// The new write waits behind the others, some of which are dropped.
    case append(dropping: [Int64])
    /// An equal write waits already.
    case join(Int64)
    /// A waiting write is dropped, and the new one with it.
    case cancelOut(Int64)
  }

  /// - Parameters:
  ///   - waiting: the waiting writes that set the relation, in order.
  ///   - isRelated: what the new write sets.
  static func decide(_ waiting: [OutboxEntry], setting isRelated: Bool) -> Decision {
    guard let last = waiting.last else { return .append(dropping: []) }
    if last.isRelated == isRelated { return .join(last.id) }
    // What the gateway may have done already is undone by the new write.
    if last.mayHaveLeft { return .append(dropping: []) }
    // The write before leaves what the new one sets.
    if let before = waiting.dropLast().last, before.isRelated == isRelated { return .cancelOut(last.id) }
    return last.wouldChange == true ? .cancelOut(last.id) : .append(dropping: [last.id])
  }
}
