/// A list that is read page by page while it is iterated, one page ahead.
///
/// ```swift
/// for try await id in nova.graph.followers(of: "mock-user-id") { print(id) }
/// ```
///
/// Nothing is requested before the first `next()`. While one page is consumed the next is under way; leaving the loop
/// cancels it. Of each item that was read, 8 to 32 bytes are remembered, to recognize it.
///
/// Lists change while they are read. Items that come again because others were added in front are dropped, by their id if
/// they have one. Each page begins with the last position of the page before, so that removed items are noticed: those
/// that have moved up are read again from a lower offset. ``Page/shift`` and `onShift` report both.
///
/// Each page is a separate call: a timeout in the options bounds each page, a deadline the whole list. Endless lists
/// stop with an ``APIError``: after three pages in a row without anything new, after an empty page that reports more
/// items, and, unless `maximumCount` is set, after 1,000,000 items. Items before the error are delivered.
public struct PagedSequence<Element: Sendable & Hashable>: AsyncSequence, Sendable {
  /// Requests one page.
  public typealias Fetch = @Sendable (_ limit: Int, _ offset: Int) async throws -> Page<Element>

  let pageSize: Int
  let maximumCount: Int?
  var longest = PageLimits.longestList
  let onShift: (@Sendable (PageShift) -> Void)?
  let fetch: Fetch

  /// Creates a sequence.
  ///
  /// - Parameters:
  ///   - pageSize: how many items to ask for at a time, at least 1.
  ///   - maximumCount: maximum number of items to deliver. Default: all, and an error if there are more than 1,000,000.
  ///   - onShift: called when the list is seen to have changed between two pages.
  ///   - fetch: requests one page.
  public init(
    pageSize: Int, maximumCount: Int? = nil, onShift: (@Sendable (PageShift) -> Void)? = nil, fetch: @escaping Fetch
  ) {
    self.pageSize = Swift.max(1, pageSize)
    self.maximumCount = maximumCount
    self.onShift = onShift
    self.fetch = fetch
  }

  /// Creates the sequence of an RPC's items.
  ///
  /// - Parameters:
  ///   - request: the request; its limit and offset are set for each page.
  ///   - pageSize: the number of items to request at a time, at least 1.
  ///   - maximumCount: the maximum number of items to deliver. Default: all, and an error if there are more than
  ///     1,000,000.
  ///   - onShift: called when the list is seen to have changed between two pages.
  ///   - call: calls the RPC.
  package init<Request: PagedRequest, Response: PagedResponse<Element>>(
    of request: Request, pageSize: Int, maximumCount: Int? = nil, onShift: (@Sendable (PageShift) -> Void)? = nil,
    call: @escaping @Sendable (Request) async throws -> Response
  ) {
    self.init(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      var request = request
      request.limit = limit
      request.offset = offset
      return Page(try await call(request), offset: offset)
    }
  }

  /// Requests one page of the list.
  ///
  /// ```swift
  /// let second = try await nova.graph.followers(of: "mock-user-id", pageSize: 20).page(offset: 20)
  /// print(second.items, second.totalCount, second.hasMore)
  /// ```
  /// - Parameters:
  ///   - limit: the maximum number of items; 0 for the server's default. Default: the sequence's page size.
  ///   - offset: the number of items to skip. Default 0.
  /// - Throws: ``APIError``.
  public func page(limit: Int? = nil, offset: Int = 0) async throws -> Page<Element> {
    try await fetch(limit ?? pageSize, offset)
  }

  /// The same list page by page.
  public var pages: Pages { Pages(sequence: self) }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: pages.makeAsyncIterator()) }

  /// Delivers the items.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var pages: Pages.AsyncIterator
    private var items: [Element] = []
    private var position = 0

    init(pages: Pages.AsyncIterator) { self.pages = pages }

    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      while position == items.count {
        guard let page = try await pages.next(isolation: actor) else { return nil }
        items = page.items
        position = 0
      }
      defer { position += 1 }
      return items[position]
    }
  }

  /// The pages of a list.
  public struct Pages: AsyncSequence, Sendable {
    let sequence: PagedSequence

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pager: Pager(sequence)) }

    /// Delivers the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let pager: Pager<Element>

      public mutating func next() async throws -> Page<Element>? { try await next(isolation: nil) }

      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Page<Element>? {
        try await pager.next(isolation: actor)
      }
    }
  }
}
