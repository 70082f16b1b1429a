/// How the next page of a list is joined to what was read of it.
///
/// Each page begins with the last position of the page before. If something unknown is there now, items in front of it were
/// removed, and others have moved up to where was read already: then an earlier page is read again, which begins with
/// something known.
package struct PageOverlap: Sendable {
  /// A page that continues what was read.
  package struct Continuation<Element: Sendable & Hashable>: Sendable {
    package var page: Page<Element>
    /// The position at which the page begins.
    package var start: Int
    /// Whether it was found by going back.
    package var isRecovered = false
    /// Whether it is known to continue what was read.
    package var isChecked = false
    /// Whether the empty page that led back reports more items; nil if there was none.
    package var emptyPageHasMore: Bool?

    package init(_ page: Page<Element>, start: Int) { (self.page, self.start) = (page, start) }
  }

  /// Whether pages begin with a position of the page before.
  private var overlaps = true
  /// Whether the server was seen to begin pages where it is asked to, and not only at multiples of their size.
  private var isServerKnown = false
  /// How many pages in a row have shown that it begins pages at multiples of their size.
  private var alignedPages = 0
  /// Whether a page without anything new was found to be nothing else.
  private var hasCheckedAlignment = false

  package init() {}

  /// Where to read on behind `offset`.
  package func start(for offset: Int) -> Int { overlaps && offset > 0 ? offset - 1 : offset }

  /// The page that continues what was read up to `offset`.
  ///
  /// - Parameters:
  ///   - first: the page at ``start(for:)``, if it was requested already.
  ///   - isSeen: whether what is at a position was read, by its key; see ``Page/keys``.
  ///   - fetch: requests the page at a position.
  package nonisolated(nonsending) mutating func continuation<Element>(
    of offset: Int, pageSize: Int, isSeen: (Int) -> Bool,
    first: (nonisolated(nonsending) () async throws -> Page<Element>)? = nil,
    fetch: nonisolated(nonsending) (_ start: Int) async throws -> Page<Element>
  ) async throws -> Continuation<Element> {
    let start = start(for: offset)
    var found: Continuation<Element>
    do {
      if let first {
        found = Continuation(try await first(), start: start)
      } else {
        found = Continuation(try await fetch(start), start: start)
      }
    } catch APIError.invalidArgument where start < offset && !isServerKnown {
      overlaps = false
      return Continuation(try await fetch(offset), start: offset)
    }
    guard start < offset, let keys = found.page.keys else { return found }
    found.isChecked = true
    guard let key = keys.first, isSeen(key) else {
      if start == 0 {
        found.isRecovered = true
        return found
      }
      return try await earlier(than: found, pageSize: pageSize, isSeen: isSeen, fetch: fetch)
    }
    if !keys.allSatisfy(isSeen) {
      isServerKnown = true
    } else if found.page.hasMore, keys.count == 1 {
      // Servers can send less than they are asked for, even a single item.
      let page = try await fetch(offset)
      if page.coveredCount == 0 {
        // A total may count what is not listed: if nothing follows, only the server's word for it says that there is more.
        found.page.hasMore = page.hasMore
        return found
      }
      found = Continuation(page, start: offset)
      found.isChecked = true
    } else if found.page.hasMore, !isServerKnown, !hasCheckedAlignment {
      return try await aligned(found, at: offset, isSeen: isSeen, fetch: fetch)
    }
    return found
  }

  /// For a page without anything new: either much was added in front, or the server begins pages at multiples of their
  /// size only, and sent the page before once more.
  private nonisolated(nonsending) mutating func aligned<Element>(
    _ found: Continuation<Element>, at offset: Int, isSeen: (Int) -> Bool,
    fetch: nonisolated(nonsending) (_ start: Int) async throws -> Page<Element>
  ) async throws -> Continuation<Element> {
    let page = try await fetch(offset)
    guard let keys = page.keys, !keys.isEmpty, !keys.contains(where: isSeen),
      // The list may just have changed.
      try await fetch(found.start).keys?.allSatisfy(isSeen) == true
    else {
      hasCheckedAlignment = true
      return found
    }
    alignedPages += 1
    overlaps = alignedPages < 2
    return Continuation(page, start: offset)
  }

  /// Goes back to a page that begins with something that was read: what has moved up follows.
  private nonisolated(nonsending) func earlier<Element>(
    than first: Continuation<Element>, pageSize: Int, isSeen: (Int) -> Bool,
    fetch: nonisolated(nonsending) (_ start: Int) async throws -> Page<Element>
  ) async throws -> Continuation<Element> {
    var start = first.start
    // Pages that share a position: no boundary is between them.
    let step = max(1, min(pageSize, 1_000_000) - 1)
    while true {
      start = max(0, start - step)
      var found = Continuation(try await fetch(start), start: start)
      (found.isRecovered, found.isChecked) = (true, true)
      if first.page.coveredCount == 0 { found.emptyPageHasMore = first.page.hasMore }
      guard let keys = found.page.keys else { return found }
      if let key = keys.first, isSeen(key), start > 0 { return found }
      if start > 0 { continue }
      // Where nothing has moved up, the server may ignore the offset: what it has sent must not be lost.
      if !keys.isEmpty, keys.allSatisfy(isSeen) { found.page.items += first.page.items }
      return found
    }
  }
}

extension PageOverlap.Continuation {
  /// The position after the page.
  package var end: Int { start + page.coveredCount }
}
