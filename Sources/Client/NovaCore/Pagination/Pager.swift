/// Reads a list page by page, one page ahead. Used by one iterator at a time. See ``PageOverlap`` for lists that change
/// meanwhile.
final class Pager<Element: Sendable & Hashable> {
  private typealias Continuation = PageOverlap.Continuation<Element>

  private let sequence: PagedSequence<Element>
  /// All pages are the same caller's: a list of two users' pages would be neither's.
  private let caller = OperationCaller()
  private var upcoming: Task<Page<Element>, any Error>?
  private var overlap = PageOverlap()
  /// What was read, by its key.
  private var seen = RecentSet<Int>(capacity: PageLimits.longestList)
  private var offset = 0
  /// How far the list was read before going back.
  private var furthest = 0
  private var delivered = 0
  private var lastTotal: Int?
  private var repeatedPages = 0
  /// Whether those pages were not all the same one.
  private var repeatsMove = false
  /// How often in a row going back has brought nothing.
  private var fruitlessReturns = 0
  /// How often going back has led no further, and where it has begun the last time.
  private var (idleReturns, lastReturn) = (0, 0)
  /// The fewest positions that were left after a page, by the server's total.
  private var fewestLeft = Int.max
  /// Thrown by the next read: the page before it had items.
  private var failure: APIError?
  /// How often in a row an empty page has led back, and nothing new was there.
  private var emptyPages = 0
  /// The page before, and where it began.
  private var last: (keys: [Int], start: Int, isShort: Bool)?
  /// Whether the server leaves items out behind the limit, so that pages are shorter than the positions they reach over.
  private var leavesOut = false
  private var isAtEnd = false

  init(_ sequence: PagedSequence<Element>) {
    self.sequence = sequence
    isAtEnd = sequence.maximumCount.map { $0 <= 0 } ?? false
  }

  deinit { upcoming?.cancel() }

  func next(isolation actor: isolated (any Actor)?) async throws -> Page<Element>? {
    guard !isAtEnd else { return nil }
    if let failure {
      isAtEnd = true
      throw failure
    }
    // Empty positions count if no maximum is given; if one is, they bound the reading.
    let counted = sequence.maximumCount == nil ? max(offset, delivered) : offset - delivered
    if counted >= sequence.longest {
      isAtEnd = true
      throw PageLimits.tooLong(sequence.longest)
    }
    if Task.isCancelled { throw APIError.ofCancellation }
    do {
      let found = try await continuation()
      try await findOutWhetherItemsAreLeftOut(found)
      let page = try take(found)
      if !isAtEnd, failure == nil { upcoming = request(at: overlap.start(for: offset)) }
      return page
    } catch {
      isAtEnd = true
      throw APIError.seenByCallers(error)
    }
  }

  private nonisolated(nonsending) func continuation() async throws -> Continuation {
    let first = upcoming ?? request(at: overlap.start(for: offset))
    upcoming = nil
    // Not a property while it runs: the closures read others.
    var overlap = overlap
    defer { self.overlap = overlap }
    return try await overlap.continuation(of: offset, pageSize: sequence.pageSize, isSeen: seen.contains) {
      try await self.value(of: first)
    } fetch: { start in
      try await self.value(of: self.request(at: start, isWhole: true))
    }
  }

  /// Pages that are too short, and repeat items: the server leaves items out, or the list has changed. The page before, once
  /// more, tells.
  private nonisolated(nonsending) func findOutWhetherItemsAreLeftOut(_ found: Continuation) async throws {
    guard !leavesOut, let last, last.isShort, !found.isRecovered, found.page.totalCount == lastTotal,
      found.start < offset, let first = found.page.keys?.first, first != last.keys.last, seen.contains(first)
    else { return }
    leavesOut = try await value(of: request(at: last.start, isWhole: true)).keys == last.keys
  }

  /// - Parameter isWhole: whether to ask for a whole page, however many items are wanted.
  private func request(at start: Int, isWhole: Bool = false) -> Task<Page<Element>, any Error> {
    let fetch = sequence.fetch
    let known = start < offset ? 1 : 0
    let left = isWhole ? .max : sequence.maximumCount.map { $0 - delivered } ?? .max
    // A page of one item would be only the one that is known.
    let limit = max(min(sequence.pageSize, left == .max ? left : left + known), 1 + known)
    return Task { [caller] in try await caller.run { try await fetch(limit, start) } }
  }

  private nonisolated(nonsending) func value(of task: Task<Page<Element>, any Error>) async throws -> Page<Element> {
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Drops what came before, notices shifts, and decides whether this is the end.
  private func take(_ found: Continuation) throws -> Page<Element> {
    let raw = found.page
    try refuseEmptyPage(found)
    var page = raw
    // The position that the page shares with the one before.
    let isFirstKnown = found.start < offset && raw.keys?.first.map(seen.contains) ?? false
    page.items = raw.items.filter { seen.insert(ItemIdentity.key(of: $0)) }
    for key in raw.keys ?? [] { _ = seen.insert(key) }
    page.positionIDs = nil
    page.shift = shift(found, fresh: page.items.count, known: isFirstKnown ? 1 : 0)
    if let shift = page.shift { sequence.onShift?(shift) }
    if try !goesOn(behind: found, fresh: page.items.count) { page.hasMore = false }
    if raw.coveredCount == 0, page.hasMore { throw PageLimits.emptyPage(at: furthest) }
    // A server that counts nothing may leave out both: only a page that is not full is its end.
    if raw.totalCount == 0, raw.coveredCount >= sequence.pageSize, !page.items.isEmpty { page.hasMore = true }
    last = (raw.keys ?? [], found.start, page.hasMore && raw.coveredCount < sequence.pageSize)
    if let maximum = sequence.maximumCount, page.items.count > maximum - delivered {
      page.items = Array(page.items.prefix(maximum - delivered))
      page.hasMore = true
    }
    page.coveredCount = max(page.items.count, found.end - offset)
    if page.hasMore, isChangingTooFast(found) { failure = PageLimits.changesTooFast(at: furthest) }
    offset = found.end
    furthest = max(furthest, offset)
    delivered += page.items.count
    lastTotal = raw.totalCount
    isAtEnd = !page.hasMore || delivered == sequence.maximumCount
    return page
  }

  private func shift(_ found: Continuation, fresh: Int, known: Int) -> PageShift? {
    let repeated = found.isRecovered ? 0 : max(0, found.page.items.count - fresh - known)
    let growth = lastTotal.map { found.page.totalCount - $0 } ?? 0
    let recovered = found.isRecovered ? fresh : 0
    // A server that leaves items out behind the limit repeats some on each page: its list has not changed.
    let isRepeated = repeated > 0 && !(leavesOut && growth == 0)
    guard isRepeated || growth != 0 || recovered > 0 else { return nil }
    // More repeats than additions: an item that was not read yet may have moved to the front.
    let mayHaveMoved = isRepeated && found.page.totalCount > 0 && repeated > growth
    return PageShift(
      offset: offset, repeatedItems: repeated, growth: growth, recoveredItems: recovered,
      isComplete: found.isChecked && !mayHaveMoved)
  }

  /// A server that has more but does not send it would make the caller loop forever.
  private func refuseEmptyPage(_ found: Continuation) throws {
    // One that ignores the offset sends the same items again, which is counted.
    guard found.page.hasMore, found.end <= offset, found.page.coveredCount < 2, !found.isRecovered else { return }
    throw PageLimits.emptyPage(at: offset)
  }

  /// Whether going back has led no further too often, however many items it has brought: a list that shrinks at its front
  /// as fast as it grows at its end would be read forever. One that only shrinks has an end. Where many items were removed,
  /// reading up to where it was before can take several returns, each from a higher offset.
  private func isChangingTooFast(_ found: Continuation) -> Bool {
    let left = found.page.totalCount > 0 ? max(0, found.page.totalCount - found.end) : Int.max
    if found.end > furthest || left < fewestLeft {
      idleReturns = 0
    } else if found.isRecovered {
      if offset <= lastReturn { idleReturns += 1 }
      lastReturn = offset
    }
    fewestLeft = min(fewestLeft, left)
    return idleReturns >= PageLimits.idleReturns
  }

  /// Whether there may be more behind a page, according to what came of the pages before.
  ///
  /// - Throws: ``APIError`` if the server says that there is more, and does not send it.
  private func goesOn(behind found: Continuation, fresh: Int) throws -> Bool {
    if let hasMore = found.emptyPageHasMore, fresh == 0 {
      emptyPages += 1
      if emptyPages == PageLimits.emptyReturns {
        if hasMore { throw PageLimits.emptyPage(at: furthest) }
        return false
      }
    } else if fresh > 0 {
      emptyPages = 0
    }
    let isFruitless = fresh == 0 && !found.page.items.isEmpty
    fruitlessReturns = isFruitless && found.isRecovered ? fruitlessReturns + 1 : fresh > 0 ? 0 : fruitlessReturns
    guard fruitlessReturns < PageLimits.fruitlessReturns else { throw PageLimits.changesTooFast(at: furthest) }
    // After going back, what was read before comes again.
    guard !isFruitless || !found.isRecovered && found.end >= furthest else { return found.page.hasMore }
    repeatedPages = isFruitless ? repeatedPages + 1 : 0
    repeatsMove = isFruitless && (repeatsMove || repeatedPages > 1 && last.map { $0.keys != found.page.keys } ?? false)
    guard repeatedPages >= PageLimits.fruitlessPages, found.page.hasMore else { return found.page.hasMore }
    // A server that leaves items out, whose pages move on, and reach up to the total: what is missing there was left out.
    if leavesOut, repeatsMove, found.start + sequence.pageSize >= found.page.totalCount { return false }
    throw PageLimits.standstill(at: offset)
  }
}

/// Limits for lists that servers do not end.
package enum PageLimits {
  /// The maximum number of items if the caller sets no `maximumCount`.
  static let longestList = 1_000_000
  /// The maximum number of consecutive pages without a new item.
  package static let fruitlessPages = 3
  /// The maximum number of times in a row to go back for nothing: then the list changes faster than it is read.
  package static let fruitlessReturns = 20
  /// The maximum number of times to go back, from no higher an offset than the time before, without getting further.
  static let idleReturns = 100
  /// The number of times in a row that an empty page leads back for nothing: then it is the end.
  static let emptyReturns = 2
  /// The maximum number of consecutive pages without a new item, where each has another cursor for the next.
  static let emptyPages = 1_000

  /// The list changes faster than it is read.
  static func changesTooFast(at offset: Int) -> APIError {
    APIError(
      .invalidResponse,
      "the list changes faster than it can be read",
      reason: "going back for removed items several times in a row led no further than offset \(offset)")
  }

  /// The server sends the same items again and again, or the list changes faster than it is read.
  package static func standstill(at offset: Int) -> APIError {
    APIError(
      .invalidResponse,
      "the server keeps sending the same items",
      reason: "the pages up to offset \(offset) held nothing new several times in a row")
  }

  /// The server says that there is more, and does not send it.
  static func emptyPage(at offset: Int) -> APIError {
    APIError(
      .invalidResponse,
      "the server reports more items after offset \(offset), but sends an empty page", reason: "the rest cannot be read"
    )
  }

  static func tooLong(_ count: Int) -> APIError {
    APIError(
      .failedPrecondition,
      "the list has more than \(count) items, the default limit", advice: "set maximumCount to read more")
  }
}
