/// One page of a list that is read by cursor.
public struct CursorPage<Element: Sendable>: Sendable {
  /// The items.
  public var items: [Element]
  /// Where the next page begins; empty at the end.
  public var nextCursor: String
  /// Whether the server says that there are more items. Servers may leave that to the cursor.
  package var saysMore: Bool

  /// Creates a page.
  public init(items: [Element], nextCursor: String) {
    self.init(items: items, nextCursor: nextCursor, saysMore: !nextCursor.isEmpty)
  }

  /// Creates a page from a response with a flag beside the cursor.
  package init(items: [Element], nextCursor: String, saysMore: Bool) {
    self.items = items
    self.nextCursor = nextCursor
    self.saysMore = saysMore
  }

  /// Whether there may be more items after this page: the server says so, or the cursor leads on from its items.
  package var mayHaveMore: Bool { saysMore || !nextCursor.isEmpty && !items.isEmpty }
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
/// The list continues while there is a next cursor. Once a server has said that there are more items, its word for the
/// end counts, too. Items that an earlier page had are dropped, by their id if they have one. A page without new items
/// whose cursor moves on is progress. Endless lists stop with an ``APIError``: if a cursor repeats or is missing, after
/// 1,000 pages in a row without a new item, and, unless `maximumCount` is set, after 1,000,000 items. Items before the
/// error are delivered, those of the last page among them.
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
    private var recentCursors = RecentSet<Int>(capacity: PageLimits.longestList)
    /// What was read, by its key.
    private var seen = RecentSet<Int>(capacity: PageLimits.longestList)
    private var emptyPages = 0
    /// Whether the server has said of a page that there are more items.
    private var hasFlag = false
    private var isAtEnd = false
    /// Why the list cannot be read on, once its items are delivered.
    private var failure: APIError?

    init(sequence: CursorSequence) { self.sequence = sequence }

    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      let left = sequence.maximumCount.map { $0 - delivered } ?? .max
      guard left > 0 else { return nil }
      while position == items.count {
        if let failure {
          self.failure = nil
          throw failure
        }
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
      items = page.items.filter { item in ItemIdentity.key(ofAny: item).map { seen.insert($0) } ?? true }
      position = 0
      cursor = page.nextCursor
      emptyPages = items.isEmpty ? emptyPages + 1 : 0
      hasFlag = hasFlag || page.saysMore
      do { isAtEnd = try !goesOn(behind: page) } catch { failure = error }
    }

    /// Whether the cursor leads on.
    private mutating func goesOn(behind page: CursorPage<Element>) throws(APIError) -> Bool {
      if cursor.isEmpty {
        if !page.saysMore { return false }
        throw APIError(.invalidResponse, "the server reports more items, but sends no cursor for the next page")
      }
      if hasFlag, !page.saysMore { return false }
      guard recentCursors.insert(cursor.byteHash) else {
        // At the end, servers may repeat the cursor that they were asked with.
        if items.isEmpty, !page.saysMore { return false }
        throw APIError(
          .invalidResponse, "the server repeated a cursor that was already used", reason: "the list would not end")
      }
      if emptyPages < PageLimits.emptyPages { return true }
      throw APIError(
        .invalidResponse,
        "the server reports more items, but its pages hold nothing new, \(emptyPages) times in a row")
    }
  }
}
