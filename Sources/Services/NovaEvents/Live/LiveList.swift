import NovaCore

/// The current first items of a list, and again after each change of them.
///
/// ```swift
/// for try await followers in nova.graph.liveFollowers(of: "user-1", limit: 20) { show(followers) }
/// ```
/// The SDK first subscribes to the list's events and then reads the list, so that nothing is missed in between. If an
/// event contains enough, it changes the list; otherwise, and if events may be missing, the list is read again. An
/// event that happens while the list is read may be applied twice; the list then shows an older state for a moment.
///
/// Each iteration has its own subscription, which ends with it. Reading returns nil when the reading task is cancelled,
/// and when the client disconnects. It throws ``APIError`` if the gateway refuses the topics or the list, if the list's
/// user signs out, or if another user signs in. After failures that may pass, such as lost connections, it waits and
/// tries again.
public struct LiveList<Item: Sendable & Equatable>: AsyncSequence, Sendable {
  /// Reads the states of the list.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let list: LiveList
    private var subscription: EventSubscription?
    private var updates: EventSubscription.AsyncIterator?
    private var page: LivePage<Item>?
    private var isFinished = false

    fileprivate init(list: LiveList) { self.list = list }

    /// The list after its next change, or the current list at the first call; nil when the subscription has ended.
    public mutating func next() async throws -> [Item]? {
      if isFinished { return nil }
      let shown = page?.items
      do {
        while try await update() {
          if let page, !page.needsReading, page.items != shown { return page.items }
        }
      } catch {
        // When a subscription replaces the earlier one, it may fail because the client has disconnected.
        let wasEnded = subscription?.wasEnded == true
        end()
        if wasEnded { return nil }
        throw error
      }
      end()
      return nil
    }

    /// Reads the list, or applies the next update.
    ///
    /// - Returns: false when the subscription has ended.
    private mutating func update() async throws -> Bool {
      guard var page, !page.needsReading else { return try await read() }
      switch try await updates?.next() {
      case .resync: page.readAgain()
      case .event(let event):
        guard
          let changed = try await subscription?.patiently(
            asCaller: true, { [list, page] in try await list.apply(event, to: page) })
        else { return false }
        page = changed
      case nil: return false
      }
      self.page = page
      return page.needsReading ? true : try await followShown()
    }

    private mutating func read() async throws -> Bool {
      if subscription == nil {
        try list.checkLimit()
        guard try await follow(list.source.topics(showing: [])) else { return false }
      }
      guard
        let read = try await subscription?.patiently(
          asCaller: true, { [list] in try await list.source.read(limit: list.limit) })
      else { return false }
      page = read
      return try await followShown()
    }

    /// Also follows the topics of the shown items.
    private mutating func followShown() async throws -> Bool {
      let topics = list.source.topics(showing: page?.items ?? [])
      if let subscription, Set(topics).isSubset(of: subscription.topics) { return true }
      return try await follow(topics)
    }

    /// Follows these topics from the position that reading has reached.
    private mutating func follow(_ topics: [EventTopic]) async throws -> Bool {
      let subscription = list.events.subscribe(topics: topics, after: subscription?.following)
      guard try await subscription.patiently({ try await subscription.beginToFollow() }) != nil else { return false }
      self.subscription?.cancel()
      self.subscription = subscription
      updates = subscription.makeAsyncIterator()
      return true
    }

    private mutating func end() {
      subscription?.cancel()
      (subscription, updates, page, isFinished) = (nil, nil, nil, true)
    }
  }

  fileprivate let source: any LiveListSource<Item>
  fileprivate let limit: Int
  private let maximumLimit: Int
  fileprivate let events: EventService

  /// - Parameters:
  ///   - limit: the number of items to show, 1…`maximumLimit`; checked when the list is read.
  ///   - maximumLimit: the number of items that fit in a page, and whose topics fit in a subscription.
  package init(
    _ source: some LiveListSource<Item>, limit: Int, maximumLimit: Int, events: EventService
  ) {
    (self.source, self.limit, self.maximumLimit, self.events) = (source, limit, maximumLimit, events)
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(list: self) }

  fileprivate func checkLimit() throws {
    guard (1...maximumLimit).contains(limit) else {
      throw APIError(.invalidArgument, "a live list shows 1 to \(maximumLimit) items, got limit \(limit)")
    }
  }

  fileprivate func apply(_ event: Event, to page: LivePage<Item>) async throws -> LivePage<Item> {
    var page = page
    try await source.apply(event, to: &page)
    return page
  }
}

/// Reads the beginning of a list, and applies events to it.
package protocol LiveListSource<Item>: Sendable {
  associatedtype Item: Sendable & Equatable

  /// The 1 to 100 topics whose events can change the list if it shows these items.
  func topics(showing items: [Item]) -> [EventTopic]

  func read(limit: Int) async throws -> LivePage<Item>

  /// Applies an event, which the page may already include.
  func apply(_ event: Event, to page: inout LivePage<Item>) async throws
}

/// The beginning of a list.
package struct LivePage<Item: Sendable & Equatable>: Sendable {
  package private(set) var items: [Item]
  /// Whether the first items are unknown until the list is read again.
  package private(set) var needsReading = false
  private let limit: Int
  private var hasMore: Bool

  /// - Parameters:
  ///   - items: the items that were read.
  ///   - limit: the requested number of items.
  ///   - hasMore: whether the list continues after them.
  package init(_ items: [Item], limit: Int, hasMore: Bool) {
    (self.items, self.limit) = (Array(items.prefix(limit)), limit)
    self.hasMore = hasMore || items.count > limit
  }

  /// Puts an item at the beginning. If the item is already shown, moves it there.
  ///
  /// - Parameter isSame: whether a shown item is the same one.
  package mutating func putFirst(_ item: Item, inPlaceOf isSame: (Item) -> Bool) {
    items.removeAll(where: isSame)
    items.insert(item, at: 0)
    guard items.count > limit else { return }
    items.removeLast()
    hasMore = true
  }

  package mutating func remove(where isRemoved: (Item) -> Bool) {
    let count = items.count
    items.removeAll(where: isRemoved)
    // The item that moves up is unknown.
    if items.count < count, hasMore { needsReading = true }
  }

  package mutating func change(where isChanged: (Item) -> Bool, _ change: (inout Item) -> Void) {
    for index in items.indices where isChanged(items[index]) { change(&items[index]) }
  }

  package mutating func readAgain() { needsReading = true }
}
