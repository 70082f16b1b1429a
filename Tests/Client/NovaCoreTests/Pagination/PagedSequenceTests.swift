@testable import NovaCore
import NovaTestSupport
import Testing

@Suite struct PagedSequenceTests {
  /// A list on a server, newest first, that can change between requests.
  private final class ServerList: Sendable {
    let items: Locked<[Int]>
    let requests = Locked<[(limit: Int, offset: Int)]>([])
    let beforeRequest: @Sendable (Int, inout [Int]) -> Void

    init(_ count: Int, beforeRequest: @escaping @Sendable (Int, inout [Int]) -> Void = { _, _ in }) {
      items = Locked(Array((0..<count).reversed()))
      self.beforeRequest = beforeRequest
    }

    func page(_ limit: Int, _ offset: Int) -> Page<Int> {
      let number = requests.withLock { requests in
        requests.append((limit, offset))
        return requests.count
      }
      return items.withLock { items in
        beforeRequest(number, &items)
        let page = Array(items.dropFirst(offset).prefix(limit))
        return Page(items: page, totalCount: items.count, hasMore: offset + page.count < items.count)
      }
    }

    func sequence(
      pageSize: Int, maximumCount: Int? = nil, onShift: (@Sendable (PageShift) -> Void)? = nil
    ) -> PagedSequence<Int> {
      PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
        self.page(limit, offset)
      }
    }
  }

  private func collect(_ sequence: PagedSequence<Int>) async throws -> [Int] {
    var all: [Int] = []
    for try await item in sequence { all.append(item) }
    return all
  }

  @Test(arguments: [0, 1, 9, 10, 11, 25, 100], [1, 3, 10, 1000])
  func deliversEveryItemOnceInOrder(count: Int, pageSize: Int) async throws {
    let list = ServerList(count)
    #expect(try await collect(list.sequence(pageSize: pageSize)) == Array((0..<count).reversed()))
    // Each page but the first has an item that is known; one of a single item would have no other.
    let fresh = max(1, pageSize - 1)
    let further = (max(0, count - pageSize) + fresh - 1) / fresh
    #expect(list.requests.withLock { $0.count } == 1 + further)
  }

  @Test(arguments: [0, 1, 10, 15, 40])
  func stopsAtTheMaximum(maximum: Int) async throws {
    let list = ServerList(30)
    let items = try await collect(list.sequence(pageSize: 10, maximumCount: maximum))
    #expect(items.count == min(30, maximum))
    #expect(list.requests.withLock { $0.map(\.limit).reduce(0, +) } <= (maximum + 9) / 10 * 10)
  }

  @Test func repeatsAreDroppedAndTold() async throws {
    let list = ServerList(30) { number, items in
      if number == 2 { items.insert(contentsOf: [101, 100], at: 0) }
    }
    let shifts = Locked<[PageShift]>([])
    let items = try await collect(list.sequence(pageSize: 10) { shift in shifts.withLock { $0.append(shift) } })
    #expect(items == Array((0..<30).reversed()))
    #expect(shifts.withLock { $0 } == [PageShift(offset: 10, repeatedItems: 2, growth: 2)])
  }

  @Test func removalsAreTold() async throws {
    let list = ServerList(30) { number, items in
      if number == 2 { items.removeFirst(3) }
    }
    var shifts: [PageShift] = []
    for try await page in list.sequence(pageSize: 10).pages {
      if let shift = page.shift { shifts.append(shift) }
    }
    #expect(shifts == [PageShift(offset: 10, repeatedItems: 0, growth: -3, recoveredItems: 3)])
  }

  @Test func aPageIsRequestedAheadAndNotMore() async throws {
    let list = ServerList(100)
    var iterator = list.sequence(pageSize: 10).makeAsyncIterator()
    #expect(list.requests.withLock { $0.count } == 0)
    for _ in 0..<10 { _ = try await iterator.next() }
    // The request ahead runs on its own; it can only ever be one.
    #expect(list.requests.withLock { $0.count } <= 2)
    _ = try await iterator.next()
    #expect((2...3).contains(list.requests.withLock { $0.count }))
  }

  @Test func aServerThatIgnoresTheOffsetIsAnErrorNotALoop() async throws {
    let sequence = PagedSequence<Int>(pageSize: 2) { _, _ in Page(items: [1, 2], totalCount: 99, hasMore: true) }
    let error = await apiError {
      for try await _ in sequence {}
    }
    #expect(error?.code == .invalidResponse)
  }

  @Test func errorsEndTheSequence() async throws {
    let sequence = PagedSequence<Int>(pageSize: 2) { _, offset in
      if offset > 0 { throw APIError(.unavailable, "gone") }
      return Page(items: [1, 2], totalCount: 4, hasMore: true)
    }
    var iterator = sequence.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    #expect(try await iterator.next() == 2)
    await #expect(throws: APIError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func cancellationReachesTheRequestUnderWay() async throws {
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    let sequence = PagedSequence<Int>(pageSize: 2) { _, _ in
      signal.yield()
      try await Task.sleep(for: .seconds(3600))
      return Page(items: [], totalCount: 0, hasMore: false)
    }
    let task = Task {
      for try await _ in sequence {}
    }
    for await _ in started { break }
    task.cancel()
    let error = await #expect(throws: APIError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test func batchesKeepOrderAndSize() async throws {
    let sizes = Locked<[Int]>([])
    let results = try await inBatches(of: Array(0..<1050), size: 100) { batch in
      sizes.withLock { $0.append(batch.count) }
      return batch.map { $0 * 2 }
    }
    #expect(results.flatMap(\.self) == (0..<1050).map { $0 * 2 })
    #expect(sizes.withLock { $0.sorted() } == [50] + Array(repeating: 100, count: 10))
    #expect(try await inBatches(of: [Int](), size: 100) { $0 }.isEmpty)
  }

  @Test func pagesMayBeAskedToBeAsLargeAsNumbersGet() async throws {
    let list = PagedSequence<Int>(pageSize: .max) { limit, offset in
      Page(items: [1, 2], totalCount: 2, hasMore: false)
    }
    var items: [Int] = []
    for try await item in list { items.append(item) }
    #expect(items == [1, 2])
  }
}
