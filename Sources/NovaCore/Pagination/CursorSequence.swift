/// One page of a list that is read by cursor.
public struct CursorPage<Element: Sendable>: Sendable {
  /// The items.
  public var items: [Element]
  /// Where the next page begins; empty at the end.
  public var nextCursor: String

  /// Creates a page.
  public init(items: [Element], nextCursor: String) {
    self.items = items
    self.nextCursor = nextCursor
  }
}

/// A list that is read by cursor, page by page while it is iterated.
///
/// ```swift
/// for try await post in nova.feed.feed(of: me, maximumCount: 100) { print(post.content) }
/// ```
///
/// A page is requested after the previous one has been consumed, because its cursor is not known earlier. Each page is
/// a separate call: a timeout in the options bounds each page, a deadline the whole list.
///
/// A page without items whose cursor moves on is progress. Endless lists stop with an ``APIError``: if a cursor repeats,
/// after 1,000 empty pages in a row, and, unless `maximumCount` is set, after 1,000,000 items. Items before the error are
/// delivered.
public struct CursorSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// Requests one page; the first one with an empty cursor.
  public typealias Fetch = @Sendable (_ limit: Int, _ cursor: String) async throws -> CursorPage<Element>

  let pageSize: Int
  let maximumCount: Int?
  var longest = PageLimits.longestList
  let fetch: Fetch

  /// Creates a sequence.
  ///
  /// - Parameters:
  ///   - pageSize: how many items to ask for at a time, at least 1.
  ///   - maximumCount: maximum number of items to deliver. Default: all, and an error if there are more than 1,000,000.
  ///   - fetch: requests one page.
  public init(pageSize: Int, maximumCount: Int? = nil, fetch: @escaping Fetch) {
    self.pageSize = Swift.max(1, pageSize)
    self.maximumCount = maximumCount
    self.fetch = fetch
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }

  /// Delivers the items.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let sequence: CursorSequence
    /// All pages are the same caller's: a list of two users' pages would be neither's.
    private let caller = OperationCaller()
    private var items: [Element] = []
    private var position = 0
    private var delivered = 0
    private var cursor = ""
    private var recentCursors = RecentItems<Int>(capacity: PageLimits.longestList)
    private var emptyPages = 0
    private var isAtEnd = false

    init(sequence: CursorSequence) { self.sequence = sequence }

    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      let left = sequence.maximumCount.map { $0 - delivered } ?? .max
      guard left > 0 else { return nil }
      while position == items.count {
        guard !isAtEnd else { return nil }
        if sequence.maximumCount == nil, delivered >= sequence.longest {
          isAtEnd = true
          throw PageLimits.tooLong(sequence.longest)
        }
        try await turnPage(limit: Swift.min(sequence.pageSize, left), isolation: actor)
      }
      defer {
        position += 1
        delivered += 1
      }
      return items[position]
    }

    private mutating func turnPage(limit: Int, isolation actor: isolated (any Actor)?) async throws {
      isAtEnd = true  // also after an error
      if Task.isCancelled { throw APIError.ofCancellation }
      let page: CursorPage<Element>
      let (fetch, start) = (sequence.fetch, cursor)
      do { page = try await caller.run { try await fetch(limit, start) } } catch {
        throw APIError.seenByCallers(error)
      }
      guard page.nextCursor.isEmpty || recentCursors.insert(page.nextCursor.hashValue) else {
        throw APIError(
          .invalidResponse, "the server repeated a cursor that was already used: the list would not end")
      }
      emptyPages = page.items.isEmpty ? emptyPages + 1 : 0
      guard page.nextCursor.isEmpty || emptyPages < PageLimits.emptyPages else {
        throw APIError(
          .invalidResponse,
          "the server reports more items, but its pages are empty, \(emptyPages) times in a row")
      }
      items = page.items
      position = 0
      cursor = page.nextCursor
      isAtEnd = cursor.isEmpty
    }
  }
}
