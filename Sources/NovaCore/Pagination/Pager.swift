/// Reads a list page by page, one page ahead. Used by one iterator at a time.
final class Pager<Element: Sendable & Hashable> {
  private let sequence: PagedSequence<Element>
  private var upcoming: Task<Page<Element>, any Error>?
  private var recent: RecentItems<Element>
  private var offset = 0
  private var delivered = 0
  private var lastTotal: Int?
  private var repeatedPages = 0
  private var isAtEnd = false

  init(_ sequence: PagedSequence<Element>) {
    self.sequence = sequence
    recent = RecentItems(capacity: 4 * min(sequence.pageSize, 1_000_000))
    isAtEnd = sequence.maximumCount.map { $0 <= 0 } ?? false
  }

  deinit { upcoming?.cancel() }

  func next(isolation actor: isolated (any Actor)?) async throws -> Page<Element>? {
    guard !isAtEnd else { return nil }
    try Task.checkCancellation()
    let task = upcoming ?? request()
    upcoming = nil
    do {
      let raw = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
      let page = try take(raw)
      if !isAtEnd { upcoming = request() }
      return page
    } catch {
      isAtEnd = true
      throw error
    }
  }

  private func request() -> Task<Page<Element>, any Error> {
    let fetch = sequence.fetch
    let limit = min(sequence.pageSize, sequence.maximumCount.map { $0 - delivered } ?? .max)
    return Task { [offset] in try await fetch(limit, offset) }
  }

  /// Drops what came before, notices shifts, and decides whether this is the end.
  private func take(_ raw: Page<Element>) throws -> Page<Element> {
    var page = raw
    page.items = raw.items.filter { recent.insert($0) }
    let repeated = raw.items.count - page.items.count
    let growth = lastTotal.map { raw.totalCount - $0 } ?? 0
    if repeated > 0 || growth != 0 {
      let shift = PageShift(offset: offset, repeatedItems: repeated, growth: growth)
      page.shift = shift
      sequence.onShift?(shift)
    }
    try refuseStandstill(raw, fresh: page.items.count)
    if let maximum = sequence.maximumCount { page.items = Array(page.items.prefix(maximum - delivered)) }
    offset += raw.coveredCount
    delivered += page.items.count
    lastTotal = raw.totalCount
    isAtEnd = raw.coveredCount == 0 || !raw.hasMore || delivered == sequence.maximumCount
    return page
  }

  /// A server that ignores the offset would keep the caller here for ever.
  private func refuseStandstill(_ raw: Page<Element>, fresh: Int) throws {
    repeatedPages = fresh == 0 && !raw.items.isEmpty ? repeatedPages + 1 : 0
    guard repeatedPages < 3 else {
      throw APIError(
        .invalidResponse,
        "the server keeps sending the same items: the pages up to offset \(offset) held nothing new three times in a row"
      )
    }
  }
}

/// The last few items, for telling repeats. Its size is fixed.
struct RecentItems<Element: Hashable> {
  private let capacity: Int
  private var members: Set<Element> = []
  private var ring: [Element] = []
  private var oldest = 0

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// How many items are remembered.
  var count: Int { members.count }

  /// Remembers an item; false if it is already among the last ones.
  mutating func insert(_ item: Element) -> Bool {
    guard members.insert(item).inserted else { return false }
    if ring.count < capacity {
      ring.append(item)
    } else {
      members.remove(ring[oldest])
      ring[oldest] = item
      oldest = (oldest + 1) % capacity
    }
    return true
  }
}
