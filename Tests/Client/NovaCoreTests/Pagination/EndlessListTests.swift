import NovaTestSupport
import Testing

@testable import NovaCore

/// Lists that a server never ends, in every variant.
@Suite struct EndlessListTests {
  private func read<S: AsyncSequence>(_ sequence: S) async -> (count: Int, error: APIError?) {
    var count = 0
    let error = await apiError {
      for try await _ in sequence { count += 1 }
    }
    return (count, error)
  }

  @Test(arguments: [0, 1, 5]) func anEmptyPageThatPromisesMoreIsAnError(pages: Int) async {
    let requests = Locked(0)
    let list = PagedSequence<Int>(pageSize: 10) { limit, offset in
      requests.withLock { $0 += 1 }
      let items = Array(offset..<max(offset, min(offset + limit, 10 * pages)))
      return Page(items: items, totalCount: 1000, hasMore: true)
    }
    let (count, error) = await read(list)
    #expect(count == 10 * pages && error?.code == .invalidResponse)
    #expect(error?.message.contains("after offset \(10 * pages), but sends an empty page") == true)
    // Pages overlap by an item.
    #expect(requests.withLock { $0 } == [0: 1, 1: 3, 5: 8][pages])
  }

  @Test(arguments: 1...4) func aListThatStandsStillIsLeftAfterThreePages(period: Int) async {
    // The server repeats a cycle of this many pages.
    let requests = Locked(0)
    let list = PagedSequence<Int>(pageSize: 10) { _, _ in
      let number = requests.withLock { requests in
        defer { requests += 1 }
        return requests % period
      }
      return Page(items: Array(number * 10..<number * 10 + 10), totalCount: 1000, hasMore: true)
    }
    let (count, error) = await read(list)
    #expect(count == 10 * period && error?.code == .invalidResponse)
    // One is requested ahead, and some to find out why nothing is new.
    #expect((period + 3...2 * period + 5).contains(requests.withLock { $0 }))
  }

  @Test func aListWithoutEndHasALimit() async {
    for longest in [1, 10, 95, 100] {
      var list = PagedSequence<Int>(pageSize: 10) { limit, offset in
        Page(items: Array(offset..<offset + limit), totalCount: offset, hasMore: true)
      }
      list.longest = longest
      let (count, error) = await read(list)
      #expect(count == (longest + 9) / 10 * 10 && error?.code == .failedPrecondition)
      #expect(error?.message.contains("more than \(longest) items") == true)
      list = PagedSequence(pageSize: 10, maximumCount: 300, fetch: list.fetch)
      list.longest = longest
      #expect(await read(list).count == 300, "who says how many gets them")
    }
  }

  @Test func theLimitIsAMillion() {
    #expect(
      PagedSequence<Int>(pageSize: 1) { _, _ in Page(items: [], totalCount: 0, hasMore: false) }.longest == 1_000_000)
    #expect(CursorSequence<Int>(pageSize: 1) { _, _ in CursorPage(items: [], nextCursor: "") }.longest == 1_000_000)
  }

  @Test func aListThatEndsAtTheLimitIsWhole() async {
    var list = PagedSequence<Int>(pageSize: 10) { limit, offset in
      Page(items: Array(offset..<offset + limit), totalCount: 100, hasMore: offset + limit < 100)
    }
    list.longest = 100
    let (count, error) = await read(list)
    #expect(count == 100 && error == nil)
  }

  @Test(arguments: [nil, 5]) func placesThatHoldNothingAreCountedToo(maximum: Int?) async {
    // Every page covers places whose items are gone.
    var list = PagedSequence<Int>(pageSize: 10, maximumCount: maximum) { limit, _ in
      Page(items: [], totalCount: 1000, hasMore: true, coveredCount: limit)
    }
    list.longest = 100
    #expect(await read(list).error?.code == .failedPrecondition)
  }

  @Test func moreThanWasAskedForIsCutAndTold() async throws {
    let list = PagedSequence<Int>(pageSize: 10, maximumCount: 5) { _, _ in
      Page(items: Array(0..<20), totalCount: 20, hasMore: false)
    }
    var pages: [Page<Int>] = []
    for try await page in list.pages { pages.append(page) }
    #expect(pages.map(\.items) == [[0, 1, 2, 3, 4]] && pages.last?.hasMore == true)
  }

  @Test(arguments: 1...4) func cursorsThatComeAgainAreAnError(period: Int) async {
    let requests = Locked(0)
    let list = CursorSequence<Int>(pageSize: 1) { _, cursor in
      requests.withLock { $0 += 1 }
      let number = (Int(cursor) ?? -1) + 1
      return CursorPage(items: [number], nextCursor: String(number % period))
    }
    let (count, error) = await read(list)
    // The page with the repeated cursor has an item of its own.
    #expect(count == period + 1 && error?.code == .invalidResponse && requests.withLock { $0 } == period + 1)
  }

  @Test func emptyPagesWithNewCursorsAreFollowedForAWhile() async {
    for (empty, isRead) in [(1, true), (2, true), (3, true), (100, true), (999, true), (1000, false)] {
      let list = CursorSequence<Int>(pageSize: 1) { _, cursor in
        let number = (Int(cursor) ?? 0) + 1
        return number <= empty
          ? CursorPage(items: [], nextCursor: String(number)) : CursorPage(items: [7], nextCursor: "")
      }
      let (count, error) = await read(list)
      #expect(count == (isRead ? 1 : 0) && (error == nil) == isRead, "\(empty)")
      #expect(error == nil || error?.message.contains("1000 times in a row") == true)
    }
  }

  @Test func aCursorListWithoutEndHasALimit() async {
    var list = CursorSequence<Int>(pageSize: 10) { limit, cursor in
      let start = Int(cursor) ?? 0
      return CursorPage(items: Array(start..<start + limit), nextCursor: String(start + limit))
    }
    list.longest = 50
    let (count, error) = await read(list)
    #expect(count == 50 && error?.code == .failedPrecondition)
  }
}
