/// Reads a list page by page, one page ahead. Used by one iterator at a time.
final class Pager<Element: Sendable & Hashable> {
  private let sequence: PagedSequence<Element>
  /// All pages are the same caller's: a list of two users' pages would be neither's.
  private let caller = OperationCaller()
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
    // Empty positions count if no maximum is given; if one is, they bound the reading.
    if offset - (sequence.maximumCount == nil ? 0 : delivered) >= sequence.longest {
      isAtEnd = true
      throw PageLimits.tooLong(sequence.longest)
    }
    if Task.isCancelled { throw APIError.ofCancellation }
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
      throw APIError.seenByCallers(error)
    }
  }

  private func request() -> Task<Page<Element>, any Error> {
    let fetch = sequence.fetch
    let limit = min(sequence.pageSize, sequence.maximumCount.map { $0 - delivered } ?? .max)
    return Task { [offset, caller] in try await caller.run { try await fetch(limit, offset) } }
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
    if let maximum = sequence.maximumCount, page.items.count > maximum - delivered {
      page.items = Array(page.items.prefix(maximum - delivered))
      page.hasMore = true
    }
    offset += raw.coveredCount
    delivered += page.items.count
    lastTotal = raw.totalCount
    isAtEnd = !raw.hasMore || raw.coveredCount == 0 || delivered == sequence.maximumCount
    return page
  }

  /// A server that ignores the offset, or has more but does not send it, would make the caller loop forever.
  private func refuseStandstill(_ raw: Page<Element>, fresh: Int) throws {
    guard raw.coveredCount > 0 || !raw.hasMore else {
      throw APIError(
        .invalidResponse,
        "the server reports more items after offset \(offset), but sends an empty page: the rest cannot be read"
      )
    }
    repeatedPages = fresh == 0 && !raw.items.isEmpty ? repeatedPages + 1 : 0
    guard repeatedPages < PageLimits.fruitlessPages || !raw.hasMore else {
      throw APIError(
        .invalidResponse,
        "the server keeps sending the same items: the pages up to offset \(offset) held nothing new three times in a row"
      )
    }
  }
}

/// Limits for lists that servers do not end.
enum PageLimits {
  /// The maximum number of items if the caller sets no `maximumCount`.
  static let longestList = 1_000_000
  /// The maximum number of consecutive pages without a new item.
  static let fruitlessPages = 3

  static func tooLong(_ count: Int) -> APIError {
    APIError(
      .failedPrecondition,
      "the list has more than \(count) items, the default limit; set maximumCount to read more")
  }
}

/// The last few items, for telling repeats. Its size is fixed.
struct RecentItems<Element: Hashable> {
  private let capacity: Int
  private var members = Set<Element>()
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
