/// Edges from sources to targets that are not stored: each end of an edge is a stub that belongs to somebody, and a
/// permutation says which source's stub meets which target's. So the targets of a source and the sources of a target are
/// both computed from the one numbering of edges, and agree. A pair may come up more than once; a list names it once.
struct StubLayer: Sendable {
  private let sources: Shares
  private let targets: Shares
  /// Rank → source, and rank → target.
  private let sourceOrder: Permutation
  private let targetOrder: Permutation
  private let meeting: Permutation

  init(
    sources: Shares, order sourceOrder: Permutation, targets: Shares, order targetOrder: Permutation,
    meeting: Permutation
  ) {
    self.sources = sources
    self.targets = targets
    self.sourceOrder = sourceOrder
    self.targetOrder = targetOrder
    self.meeting = meeting
  }

  /// Calls `body` with each target of a source; the same one may come more than once.
  @inline(__always)
  func forEachTarget(of source: Int, _ body: (Int) -> Void) {
    for edge in sources.stubs(of: sourceOrder.inverse(source)) {
      body(targetOrder(targets.owner(of: meeting(edge))))
    }
  }

  /// Calls `body` with each source of a target; the same one may come more than once.
  @inline(__always)
  func forEachSource(of target: Int, _ body: (Int) -> Void) {
    for stub in targets.stubs(of: targetOrder.inverse(target)) {
      body(sourceOrder(sources.owner(of: meeting.inverse(stub))))
    }
  }

  /// How many edges end at a target, repeats counted.
  func degree(ofTarget target: Int) -> Int { targets.stubs(of: targetOrder.inverse(target)).count }
}

extension [Int] {
  /// What a layer gave, in order and named once, but for what is `hidden`.
  func sortedDistinct(without hidden: [Int] = []) -> [Int] {
    var last = -1
    return sorted().filter { item in
      defer { last = item }
      return item != last && !hidden.contains(item)
    }
  }
}
